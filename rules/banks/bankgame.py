"""Games against a bank: one seat holds it, and all others bet before a hand is played.

A game defines what its cards do to the bets; limits, bets, withdrawn chips, where chips lie and the
end of betting are handled here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from rules.acts import Act, Verb
from rules.banks.banking import Bet, BetRule, bet_of, lying, placed, placing, taking_back
from rules.cards import Card
from rules.chips import BettingPlace, Stake, before_seats
from rules.frozen import replace
from rules.game import Game
from rules.start import Start
from rules.state import State
from rules.turn import Awaited

BANKING = frozenset({Verb.LIMITS, Verb.BET, Verb.CLOSE})
"""The verbs shared by all games against a bank."""
S = TypeVar("S", bound="BankState")


@dataclass(frozen=True, kw_only=True)
class BankState(State):
    """State common to all games against a bank."""

    bets: tuple[Bet, ...] = ()
    closed: bool = False
    """No more bets."""

    @property
    def banker(self) -> int:
        """The seat that holds the bank."""
        assert self.start.banker is not None
        return self.start.banker

    def stake(self, seat: int) -> int | None:
        """The amount that `seat` has bet, or None if amounts are not tracked."""
        amounts = [bet.amount for bet in self.bets if bet.seat == seat]
        return sum(amount or 0 for amount in amounts) if any(amounts) else None


@dataclass(frozen=True)
class BankGame(Game[S], Generic[S]):
    """Base class of games against a bank; each player has one bet, on their own hand."""

    banked: ClassVar[bool] = True

    @property
    def bet_rule(self) -> BetRule:
        """How many bets a player may have, and what the limits apply to."""
        return BetRule(single=True)

    def betting_places(self, start: Start) -> tuple[BettingPlace, ...]:
        """Each player bets on their own hand."""
        return before_seats(seat for seat in start.seats if seat != start.banker)

    def stakes_lying(self, state: S) -> Iterator[Stake]:
        """The bets, with what the hands have won or lost them."""
        return lying(state.bets, due=state.settlement.net)

    def withdrawn(self, state: S, act: Act) -> S:
        """Take chips back from a bet, which is then worth what remains."""
        return replace(state, bets=taking_back(state.bets, act))

    def bets(self, state: S) -> Mapping[int, int]:
        """The amount that each player has bet."""
        return placed(state.bets)

    def placeable(self, state: S, on: tuple[Card, ...] = ()) -> Iterator[Awaited]:
        """The bets that all but the banker may still place, on one of the cards `on` if given."""
        players = state.start.following(state.banker, self.direction)
        return self.bet_rule.awaited(state, state.bets, players, on)

    def addable(self, state: S, on: tuple[Card, ...]) -> Iterator[Awaited]:
        """The bets of unknown size on the cards `on` that players may add to."""
        players = state.start.following(state.banker, self.direction)
        return self.bet_rule.added(state, state.bets, players, on)

    def bet_slip(self, state: S, act: Act, fault: str) -> str:
        """The rule broken by a bet that comes too early, too late or twice."""
        phase = "closed" if state.closed else self.phase(state)
        return self.bet_rule.slip(state, state.bets, act, fault, phase)

    def betting(self, state: S, act: Act) -> S:
        """Apply limits, bets and the end of betting."""
        match act.verb:
            case Verb.LIMITS:
                return replace(state, limits=(act.numbers[0], act.numbers[1]))
            case Verb.BET:
                return replace(state, bets=placing(state.bets, bet_of(act)))
            case Verb.CLOSE:
                return replace(state, closed=True)
        return state
