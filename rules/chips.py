"""Chips on the table: where they lie, and how many lie where according to the acts that stand.

A game names its `BettingPlace`s and the `Stake` at each. Bets themselves are ordinary acts; two
more acts move chips: a player takes some back (``2 withdraw 5 QS``), and somebody is paid an amount
that is not due (``1 pay 3 10``; without a seat: from the pot).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from rules.acts import Act, Verb
from rules.errors import ActError
from rules.frozen import quick
from rules.settlement import POT
from rules.start import Level

if TYPE_CHECKING:
    from rules.state import State

CHIPS_MOVED = frozenset({Verb.WITHDRAW, Verb.PAY})
"""The verbs about chips shared by all games with betting places."""
CLOSING = frozenset({Verb.CLOSE, Verb.DEAL})
"""The acts after which bets stand."""
LATE = frozenset({"bets.closed", "bets.capped"})
"""The rules that late chips break."""
S = TypeVar("S", bound="State")


@dataclass(frozen=True, slots=True)
class BettingPlace:
    """Where chips are placed: in front of a seat, next to the cards of a spot, or in the middle.

    >>> BettingPlace(owner=2).name, BettingPlace(beside="board").name, BettingPlace().name
    ('2.bet', 'board.bet', 'pot')
    """

    owner: int | None = None
    beside: str = ""
    """The spot whose cards may each carry bets."""

    @property
    def name(self) -> str:
        """The place's name, different from any spot's."""
        if self.owner is not None:
            return f"{self.owner}.bet"
        return f"{self.beside}.bet" if self.beside else POT_PLACE


POT_PLACE = "pot"


def before_seats(seats: Iterable[int]) -> tuple[BettingPlace, ...]:
    """A betting place in front of each seat."""
    return tuple(BettingPlace(owner=seat) for seat in seats)


def with_pot(seats: Iterable[int]) -> tuple[BettingPlace, ...]:
    """The pot, and in front of each seat the place from which chips go into it."""
    return (BettingPlace(), *before_seats(seats))


@quick(frozen=True, slots=True)
class Stake:
    """Chips at a place, according to the acts that stand; the amount is None if it is not tracked.

    `due` is what the settlement adds to them, or takes away if negative.
    """

    place: str
    amount: int | None
    seat: int | None = None
    on: str = ""
    """The card that it lies next to."""
    due: int = 0


def shared(state: State, act: Act) -> bool:
    """Whether `act` moves chips in the common way, in a game that does not handle it itself."""
    if act.verb not in CHIPS_MOVED or act.verb in state.game.vocabulary:
        return False
    return bool(state.game.betting_places(state.start))


def verify_chips(state: State, act: Act) -> None:
    """Raise `ActError` if chips are taken or paid by or to nobody, or in an untracked amount."""
    counted = state.start.level is Level.AMOUNTS
    if act.verb is Verb.WITHDRAW:
        if act.seat is None or len(act.numbers) != counted or len(act.cards) > 1:
            expected = "a seat, one amount" if counted else "a seat, no amount"
            raise ActError(f"'{act}': expected {expected} and at most one card")
        return
    if len(act.numbers) != 2 or act.numbers[0] not in state.start.seats or not counted:
        raise ActError(f"'{act}': expected a seat and an amount, and a hand that tracks amounts")


def moved(before: State, after: S, act: Act) -> S:
    """`after`, with the consequences of chips taken back or paid out since `before`."""
    if act.verb is Verb.PAY:
        return _paid(before, after, act)
    lessened: S = before.game.withdrawn(after, act)
    if stood(before, act):
        cards = act.cards
        return lessened.flag("bets.pinched", seat=act.seat, cards=cards, amount=act.amount or 0)
    return lessened


def open_for_bets(state: State) -> bool:
    """Whether bets against a bank may still be placed, as nobody has closed the betting."""
    kept = state.start.level is not Level.NONE and not state.over
    return kept and any(one.verb is Verb.CLOSE for one in state.turn)


def lawful(state: State, act: Act) -> bool:
    """Whether chips may be taken back or paid: the bet does not stand yet, or the amount is due."""
    if act.verb is Verb.PAY:
        return owed(state, act.seat, act.numbers[0]) == act.numbers[1]
    return not stood(state, act)


def stood(state: State, act: Act) -> bool:
    """Whether the bet that chips are taken from stands, because the betting has been closed."""
    if not open_for_bets(state):
        return True
    for one in reversed(state.acts):
        if one.verb in CLOSING:
            return True
        if one.verb is Verb.BET and one.seat == act.seat and one.cards == act.cards:
            return False
    return True


def _paid(before: State, after: S, act: Act) -> S:
    if lawful(before, act):
        return after
    payee, amount = act.numbers
    due = owed(before, act.seat, payee)
    return after.flag("bets.wrong-payment", seat=payee, amount=amount, due=due)


def owed(state: State, payer: int | None, payee: int) -> int:
    """What `payer` owes `payee` in the settlement so far; no payer means the pot."""
    wanted = POT if payer is None else payer
    return sum(
        one.amount or 0
        for one in state.settlement.payments
        if one.payer == wanted and one.payee == payee
    )
