"""What the table now says about acts that were followed before."""

from __future__ import annotations

from collections.abc import Sequence

from firmware.follow.differences import Difference
from firmware.follow.findings import Explanation
from firmware.follow.meanings import Meanings
from firmware.follow.rethinking import Rethinking
from firmware.follow.slipping import pair
from firmware.follow.verdicts import Rethought, Retract, Table
from rules.acts import Act
from rules.cards import Card
from rules.state import State


class SecondThoughts:
    """Remembers which acts were in doubt, and compares what would have come of them instead."""

    def __init__(self, means: Meanings) -> None:
        self._means = means
        self._rethinking = Rethinking()

    def note(self, state: State, way: Explanation, table: Table) -> None:
        """Note what is in doubt about the way from `state` to what this reading shows."""
        self._rethinking.note(state, way.state, table, self._means.sight.piles.off)

    def ways(self, state: State, cards: Table) -> tuple[Rethought, ...] | None:
        """How the hand may have gone instead, if something earlier was in doubt.

        None while that is still being worked out.
        """
        return self._rethinking.ways(state, pair(state, cards), self._means.going_on(cards))

    def never_taken(self, state: State, cards: Table, change: Difference) -> Retract | None:
        """What happened if a card is exactly where it was before it counted as picked up."""
        again = self._means.sight.piles.again
        for name in sorted(again.keys() & change.came.keys()):
            look = self._means.as_bared(cards, name)
            way = self._rethinking.never_taken(state, name, look, again[name])
            if way is not None and not self._refused(cards, way):
                return _retracting(state, way)
        return None

    def drawn_unseen(self, state: State, cards: Table, change: Difference) -> Retract | None:
        """What happened if a card that has come, the only one of its kind, counted as covered."""
        came: set[Card] = {card for some in change.came.values() for card in some}
        way = self._rethinking.drawn_unseen(state, came, self._means.going_on(cards))
        if way is None or self._refused(cards, way):
            return None
        return _retracting(state, way)

    def told(self, state: State, cards: Table, acts: Sequence[Act]) -> tuple[Rethought, ...]:
        """How the hand may have gone instead, as `acts` would break a rule after `state`."""
        return self._rethinking.told(state, self._means.going_on(cards), acts)

    def _refused(self, cards: Table, way: Rethought) -> bool:
        return self._means.refused.was(cards, way.explanation.acts)


def _retracting(state: State, way: Rethought) -> Retract:
    return Retract(way.explanation, len(state.acts) - way.number)
