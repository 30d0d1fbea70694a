"""What was done lawfully while something odd lies at another place.

A slip at one place, or a card misread there, must not make slips of what comes elsewhere meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware.follow.ambiguity import agreed
from firmware.follow.differences import Difference
from firmware.follow.findings import Explanation
from firmware.follow.meanings import Meanings
from firmware.follow.puzzle import key_of
from firmware.follow.verdicts import Table
from rules.cards import BACK
from rules.state import State

ODD_MOST = 4
"""Largest number of places at each of which something odd is supposed, one at a look. A choice: the
rest of the table is looked at ten times a second, and half a second passes before it is a slip."""


class OddPlaces:
    """Supposes in turn that one of the places that differ is odd, and explains the others.

    To explain a table takes long, so one is supposed at each look.
    """

    def __init__(self, means: Meanings) -> None:
        self._means = means
        self._key: object = None
        self._waiting: list[str] = []
        self._found: list[Explanation] = []

    def tried(self, state: State, cards: Table, change: Difference) -> bool:
        """Whether all has been tried for this table; if not, try the next place."""
        key = (state, key_of(cards))
        if key != self._key:
            spots = sorted({*change.came, *change.left})
            self._waiting = spots[:ODD_MOST] if len(spots) > 1 else []
            self._key, self._found = key, []
        if not self._waiting:
            return True
        self._found += self._beside(state, cards, change, self._waiting.pop(0))
        return False

    def lawful(self, state: State, cards: Table) -> Explanation | None:
        """The lawful acts that explain all places of this table but one, if it has been tried and
        one place is odd."""
        known = (state, key_of(cards)) == self._key and not self._waiting
        return self._found[0] if known and len(self._found) == 1 else None

    def _beside(
        self, state: State, cards: Table, change: Difference, odd: str
    ) -> Iterator[Explanation]:
        """The lawful acts that explain the table but for one `odd` place, unless they move cards
        like those that came or went there."""
        there = (*change.came.get(odd, ()), *change.left.get(odd, ()))
        if BACK in there:
            return
        as_held = {**cards, odd: state.spots[odd].shows(state.table)}
        way = agreed(state, self._means.explained(as_held, frozenset(cards)).explanations, 1)
        if way is None or self._means.refused.was(cards, way.acts):
            return
        if not any(card in there for act in way.acts for card in act.cards):
            yield way
