"""Slips: what somebody did wrong, or set down in a wrong place for a moment."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from firmware.follow.ambiguity import as_it_lies, follows_a_slip
from firmware.follow.came_and_went import came_and_went, handed_on, turned_up
from firmware.follow.differences import Difference, difference
from firmware.follow.findings import Explanation, Findings
from firmware.follow.latest import Latest
from firmware.follow.meanings import Meanings
from firmware.follow.moved import moved_on
from firmware.follow.odd_places import OddPlaces
from firmware.follow.puzzle import key_of
from firmware.follow.verdicts import Table
from rules.acts import Verb
from rules.state import State

SLIP_MOST = 3
"""Largest number of irregular cards that counts as a slip; with more, the hand was lost. A choice;
`python -m tests.soak` judges it.
"""


class Slips:
    """Finds slips in readings of the table, and remembers those that were recorded."""

    def __init__(self, means: Meanings) -> None:
        self._means = means
        self._odd = OddPlaces(means)
        self._slipped: set[object] = set()
        self._tolerated = Latest[Explanation | None]()
        self._way_on = Latest[Explanation | None]()
        self._unseen = Latest[list[Explanation]]()
        self._handed = Latest[Explanation | None]()

    def of(self, state: State, cards: Table, findings: Findings) -> Explanation | None:
        """What somebody did wrong, if that is all that has happened; never the same twice.

        A card that is seen as alternately gone and back would make acts without end.
        """
        key = pair(state, cards)
        if key in self._slipped:
            return None
        work = partial(self._slip_of, state, cards, findings)
        return self._tolerated.of((key, len(state.acts)), work)

    def _likeliest(self, tolerated: Sequence[Explanation]) -> Explanation | None:
        """The first explanation, or another that tells the same acts of cards as they lie."""
        if not tolerated:
            return None
        same = [one for one in tolerated if _kinds(one) == _kinds(tolerated[0])]
        return min(same, key=self._means.arrivals.rank)

    def worked_out(self, state: State, cards: Table, findings: Findings) -> bool:
        """Whether it is known what of this table is lawful; if not, work out some of it."""
        return self._odd.tried(state, cards, findings.difference)

    def _partly_lawful(self, state: State, cards: Table) -> Explanation | None:
        """Lawful acts that explain what differs at all places but one, and what is odd there."""
        lawful = self._odd.lawful(state, cards)
        if lawful is None:
            return None
        left = difference(lawful.state, cards, cards.keys())
        if left.size > SLIP_MOST:
            return None
        rest = as_it_lies(lawful.state, Findings(left))
        return lawful.then(*rest.steps, state=rest.state)

    def note(self, state: State, cards: Table) -> None:
        """Note that what this reading shows after `state` was recorded as a slip."""
        self._slipped.add(pair(state, cards))

    def _slip_of(self, state: State, cards: Table, findings: Findings) -> Explanation | None:
        """The acts of one slip that turn the table into what is seen."""
        tolerated = self._means.explained(cards, frozenset(cards), tolerant=True).explanations
        partly = None if tolerated else self._partly_lawful(state, cards)
        slip = self._likeliest(tolerated) or partly or as_it_lies(state, findings)
        moved = 0 if tolerated or partly else sum(len(act.cards) for act in slip.acts)
        if not slip.steps or slip.guessed or moved > SLIP_MOST:
            return None
        if not tolerated and follows_a_slip(state):
            return None
        if len(slip.acts) > 1 and self._means.hidden.touches(findings.difference):
            return None
        if self._means.refused.was(cards, slip.acts) or difference(slip.state, cards, cards.keys()):
            return None
        return slip

    def moved_on(
        self, state: State, last: int, cards: Table, change: Difference, *, soon: bool
    ) -> Explanation | None:
        """The explanation that the cards of the `last` acts were laid wrong, and then moved."""
        tops = self._means.sight.piles.since(state)
        key = (state, last, key_of(cards), tops, soon)
        work = partial(moved_on, state, last, cards, change, tops, soon=soon)
        way = self._way_on.of(key, work)
        return None if way is None or self._means.refused.was(cards, way.acts) else way

    def no_slip(
        self,
        state: State,
        last: int,
        way: tuple[Table, Findings],
        likely: Sequence[Explanation],
        *,
        soon: bool,
    ) -> Explanation | None:
        """How the cards laid last were moved on, if that breaks fewer rules than what is `likely`.

        A card set down in a wrong place for a moment was never dealt there.
        """
        broken = min((len(one.state.violations) for one in likely), default=0)
        if not broken:
            return None
        moved = self.moved_on(state, last, way[0], way[1].difference, soon=soon)
        return None if moved is None or len(moved.state.violations) >= broken else moved

    def unseen(self, state: State, cards: Table) -> list[Explanation]:
        """The lawful ways in which a card came and went again, or was turned up, where a hand
        moved."""
        hidden = self._means.hidden.twice
        key = (state, key_of(cards), hidden)
        found = self._unseen.of(key, partial(_unseen, state, cards, hidden))
        return [one for one in found if not self._means.refused.was(cards, one.acts)]

    def handed_on(self, state: State, cards: Table) -> Explanation | None:
        """How cards that were due face down came to a place under a hand, and went on from it."""
        hidden = self._means.hidden.twice_since
        key = (state, key_of(cards), hidden)
        way = self._handed.of(key, partial(handed_on, state, cards, hidden))
        return None if way is None or self._means.refused.was(cards, way.acts) else way


def _unseen(state: State, cards: Table, hidden: Collection[str]) -> list[Explanation]:
    return [*came_and_went(state, cards, hidden), *turned_up(state, cards, hidden)]


def pair(state: State, cards: Table) -> object:
    """What should be there, and what is: seeing the same pair twice means going in circles."""
    shown = ((spot, state.spots[spot].shows(state.table)) for spot in sorted(cards))
    return state.start.hand, tuple(shown), key_of(cards)


def _kinds(way: Explanation) -> list[tuple[Verb, int | None, str | None]]:
    """What each act of an explanation is, whatever its cards."""
    return [(act.verb, act.seat, act.spot) for act in way.acts]
