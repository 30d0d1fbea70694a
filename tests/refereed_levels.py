"""The same hand at tables that count less: only who bets is followed there, or not even that.

A shadow plays along with a hand whose amounts are counted. What does not depend on an amount must
be the same for it: whose turn it is, which words and cards may come, what breaks a rule, who wins
and who deals next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import cast

from rules.acts import Act, Verb
from rules.banks.bankgame import BankState
from rules.game import AnyGame
from rules.games.pai_gow_poker import PaiGowState
from rules.poker.streets import PokerState
from rules.settlement import POT, Payment
from rules.start import Level, Start
from rules.state import State
from rules.turn import Awaited

STAKING = frozenset({Verb.ANTE, Verb.LIMITS, Verb.BET, Verb.CLOSE, Verb.WITHDRAW})
"""Said of chips in front of a bank or before a deal."""
CHIPS = STAKING | {Verb.CHECK, Verb.CALL, Verb.RAISE}
CHANCES = frozenset({Verb.BET, Verb.RAISE})
"""What is open to who may put in more, which the amounts limit and nothing else."""
SMALL = {"ziginette.cut"}
"""What rounding may leave of a few chips is nothing."""
CAPPED = "literal_cap"
"""A house rule by which the amount in the pot decides who pays at all."""
BELOW = {Level.AMOUNTS: (Level.WHO, Level.NONE), Level.WHO: (Level.NONE,), Level.NONE: ()}


def shadow(game: AnyGame, start: Start) -> Shadow | None:
    """The hand at a lower level, another one in every hand of a match.

    There is none where chips can run out, which only amounts tell.
    """
    levels = BELOW[start.level]
    if start.stacks or not levels:
        return None
    return Shadow(game, start, levels[start.hand % len(levels)])


@dataclass
class Shadow:
    """A hand that is followed at a lower level than it is played at."""

    game: AnyGame
    start: Start
    level: Level
    state: State = field(init=False)
    lost: bool = False
    """Whether this table can no longer know what the other knows."""

    def __post_init__(self) -> None:
        self.state = self.game.open(replace(self.start, level=self.level))

    def follow(self, act: Act, after: State) -> str | None:
        """Play `act`, which led to `after` at the other table; what differs then, if anything."""
        if self.lost:
            return None
        for own in self.acts_for(act, after):
            self.state = self.state.play(own)
            number = len(self.state.acts)
            found = {one.rule for one in self.state.violations if one.found == number}
            wrong = {one.rule for one in after.violations if one.found == len(after.acts)}
            if found and own.verb is Verb.DEAL and self.unbid:
                self.lost = True  # only the order of the deal tells here who plays
                return None
            if found - wrong or (act.verb not in CHIPS and wrong - found):
                return f"'{own}' breaks {found or 'no rule'}, instead of {wrong or 'none'}"
        return self.differs(after)

    def acts_for(self, act: Act, after: State) -> Iterator[Act]:
        """What is said here when `act` is: nothing, the same without its amount, or the close."""
        if act.verb is Verb.LIMITS and self.level is Level.WHO:
            yield act  # what the blinds are can be known where bets are not
        elif act.verb not in CHIPS:
            yield act
        else:
            silent = self.level is Level.NONE or act.verb in (Verb.ANTE, Verb.LIMITS)
            own = replace(act, numbers=())
            if not silent or any(one.admits(own) for one in self.state.turn):
                yield own
        if self.level is Level.NONE and _betting(self.state) and not _betting(after):
            yield Act(Verb.CLOSE)

    @property
    def unbid(self) -> bool:
        """Whether it is a game against a bank in which nobody knows who has bet."""
        return self.level is Level.NONE and isinstance(self.state, BankState)

    def differs(self, after: State) -> str | None:
        """What is not as in the hand that is counted."""
        if self.state.over is not after.over:
            return f"over here is {self.state.over}"
        asked = {one.verb for one in after.turn.awaited}
        if asked & {Verb.ANTE, Verb.LIMITS} or (self.level is Level.NONE and _betting(after)):
            return None  # a hand begins here without them, and nobody says who bets
        if self.unbid and (Verb.CLOSE in asked or self.idle(cast(BankState, after))):
            self.lost = Verb.CLOSE not in asked
            return None
        here, there = self.waiting(self.state), self.waiting(after)
        more = {one for one in here - there if one[-1]}  # who knows less may have to allow more
        if more or there - here:
            return f"here it waits for {here - there}, there for {there - here}"
        return None

    def idle(self, after: BankState) -> bool:
        """Whether somebody sits out whom this table takes for a player."""
        betting = {bet.seat for bet in after.bets}
        every = isinstance(after, PaiGowState)  # who gets cards there is not a choice
        return not betting or (every and len(betting) < len(after.start.seats) - 1)

    def waiting(self, state: State) -> set[tuple[object, ...]]:
        """What is waited for, apart from chips that somebody may put in and who is in the game."""
        left = CHANCES | STAKING | {Verb.PAY} | ({Verb.DEAL} if self.unbid else set())
        return {_plain(one) for one in state.turn if one.verb not in left}

    def ends(self, last: State) -> str | None:
        """What differs once the hand is over."""
        if last.void or self.lost:
            return None
        if self.state.settlement.scores != last.settlement.scores:
            return f"scores {self.state.settlement.scores}, there {last.settlement.scores}"
        here, there = self.state.game.follow(self.state), last.game.follow(last)
        for name in ("dealer", "banker", "scores"):
            if getattr(here, name) != getattr(there, name):
                return f"next {name} {getattr(here, name)}, there {getattr(there, name)}"
        paid, due = paid_in(self.state), paid_in(last)
        if any(None in one[:2] for one in paid):  # there is one such payment for all who have bet
            due = {(_unnamed(one[0], last), _unnamed(one[1], last), one[2]) for one in due} or paid
        less = {one for one in paid - due if one[2] in SMALL or (one[0] == POT and not _pot(last))}
        if paid - less != due and not getattr(self.game, CAPPED, False):
            return f"only here {paid - due}, only there {due - paid}"
        return None


def _betting(state: State) -> bool:
    """Whether a round of betting, or one whose bets nobody records, waits for somebody."""
    if not isinstance(state, PokerState) or state.over:
        return False
    return any(
        one.verb in (Verb.CHECK, Verb.CALL, Verb.BET, Verb.CLOSE) for one in state.turn.awaited
    )


def _plain(one: Awaited) -> tuple[object, ...]:
    return one.verb, one.seats, one.spots, one.to, one.among, one.words, one.required


def paid_in(state: State) -> set[tuple[int | None, int | None, str]]:
    """Who is paid by whom for what, apart from what is put into the pot to play for it."""
    payments = state.settlement.payments
    return {(one.payer, one.payee, one.reason) for one in payments if not _staked(one)}


def _pot(state: State) -> int:
    staked = (one.amount or 0 for one in state.settlement.payments if _staked(one))
    return state.start.pot + sum(staked)


def _staked(one: Payment) -> bool:
    return one.payee == POT and one.reason.endswith((".ante", ".bet"))


def _unnamed(seat: int | None, state: State) -> int | None:
    return seat if seat in (state.start.banker, POT) else None
