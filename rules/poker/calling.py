"""Calling a hand that was improved by drawing: who has called with what, and what may be called."""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import Card, Rank
from rules.poker.sixes import Called, Combination, combination
from rules.state import State

WILD, CALLED = "wild", "called"
"""The spot of the card whose rank is wild, and the role of the spots that hands are called at."""


def called_spot(seat: int) -> str:
    """The spot for the hand that a seat calls with."""
    return f"{seat}.{CALLED}"


@dataclass(frozen=True, kw_only=True)
class CallingState(State):
    """State of a game in which hands are called, and the seats up to the dealer reply."""

    acting: int = 0
    """The seat whose turn it is."""
    first: frozenset[int] = frozenset()
    """The seats that have not finished a turn yet, including the one acting."""
    late: int = 0
    """The seat that just ended a turn with a discard, and may still call until the next draw."""
    late_first: bool = False
    """Whether that was their first turn."""
    called_by: int = 0
    """The number of the act by which this turn's player called; 0 if not yet."""
    refused: bool = False
    """Whether a call was false, and the cards go back to the hand."""
    callers: tuple[tuple[int, Combination], ...] = ()
    out: frozenset[int] = frozenset()
    """The seats that have lost the hand by a false call."""

    @property
    def wild(self) -> Rank:
        """The rank of the wild cards."""
        cards = self.table.cards(WILD)
        return cards[0].rank if cards else Rank.UNKNOWN

    def called(self, seat: int) -> tuple[Card, ...]:
        """The cards that `seat` has laid face up."""
        return self.table.cards(called_spot(seat))

    def in_first_turn(self, seat: int) -> bool:
        """Whether `seat` is in its first turn, or has ended it with a discard and may call late."""
        return seat in self.first or (seat == self.late and self.late_first)


@dataclass(frozen=True, slots=True)
class Calls:
    """What hands may be called with.

    >>> from rules.cards import parse_cards
    >>> Calls().made(parse_cards("4S 5S 6S 7S 8S"), Rank.TWO).kind.name
    'STRAIGHT_FLUSH'
    """

    any_five: bool = False
    """Whether five alike are any natural cards of a rank and wild ones, not only four and one."""
    low_aces: bool = False
    """Whether ace to five of a suit is a straight flush."""
    in_reply: bool = False
    """Whether three pairs may also be called in reply to a call, not only in the first turn."""
    equal: bool = True
    """Whether a later call may be as good as the one before it."""

    def best(self, state: CallingState, cards: tuple[Card, ...], seat: int) -> Combination | None:
        """The combination that `seat` may call with these cards now, or None."""
        made = self.made(cards, state.wild)
        if made is None or (made.kind is Called.PAIUTE and not self._early(state, seat)):
            return None
        before = state.callers[-1][1] if state.callers else None
        if before is None or made > before:
            return made
        return made if made == before and self.equal else None

    def made(self, cards: tuple[Card, ...], wild: Rank) -> Combination | None:
        """The best combination among `cards`, whoever holds them."""
        return combination(cards, wild, any_five=self.any_five, low_aces=self.low_aces)

    def _early(self, state: CallingState, seat: int) -> bool:
        return state.in_first_turn(seat) or (self.in_reply and bool(state.callers))
