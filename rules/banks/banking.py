"""Bets against a bank: limits, and stakes on cards or on a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rules.acts import Act, Verb
from rules.cards import Card
from rules.chips import BettingPlace, Stake
from rules.errors import ActError
from rules.phrases import Phrase
from rules.start import LIMIT_MOST, Level
from rules.state import State
from rules.turn import Awaited

LIMITS = Awaited(Verb.LIMITS, Phrase("turn.limits"), numbers=(1, LIMIT_MOST))
"""The banker names the minimum and maximum bet before anything is dealt."""
CLOSE = Awaited(Verb.CLOSE, Phrase("turn.close"))
"""No more bets."""
_BET = Phrase("turn.bet")
EARLY = frozenset({"limits", "dealing", "playette", "cutting"})
"""The phases before any bet can be placed."""
_Choice = tuple[tuple[Card, ...], tuple[int, int] | None]
"""The cards that a bet may be placed on, and its minimum and maximum amount."""


@dataclass(frozen=True, slots=True, order=True)
class Bet:
    """A stake on the table; the amount is None if amounts are not tracked."""

    seat: int
    amount: int | None
    on: str = ""
    """The card that it is placed on; empty means the seat's own hand."""

    @property
    def card(self) -> Card:
        """The card that it is placed on."""
        return Card.parse(self.on)


def bet_of(act: Act) -> Bet:
    """The stake that a bet act places."""
    assert act.seat is not None
    return Bet(act.seat, act.amount, str(act.card) if act.cards else "")


def verify_bet(state: State, act: Act, *, on_card: bool = False) -> None:
    """Raise `ActError` for a bet by the banker, or if bets are not tracked.

    A bet can be on a card only in games where players bet on cards.
    """
    if act.seat is None or act.seat == state.start.banker:
        raise ActError(f"'{act}': expected a player's bet; the banker does not bet")
    if state.start.level is Level.NONE:
        raise ActError(f"'{act}': this hand tracks no bets (its level is {state.start.level})")
    if act.cards and not on_card:
        raise ActError(f"'{act}': expected a bet without a card, got one on {act.card}")


def placing(bets: Iterable[Bet], bet: Bet) -> tuple[Bet, ...]:
    """The bets with one more, in an order that does not depend on who bet first.

    A bet of unknown size that is added to is still one bet of unknown size.
    """
    held = tuple(bets)
    if bet.amount is None and bet in held:
        return held
    return tuple(sorted([*held, bet], key=_order))


def _order(bet: Bet) -> tuple[int, str, int]:
    return bet.seat, bet.on, bet.amount or 0


def taking_back(bets: Iterable[Bet], act: Act) -> tuple[Bet, ...]:
    """The bets after a player has taken chips back from those on a card, last ones first.

    >>> taking_back((Bet(2, 5, "QS"), Bet(3, 4, "QS")), Act.parse("2 withdraw 2 QS"))
    (Bet(seat=2, amount=3, on='QS'), Bet(seat=3, amount=4, on='QS'))
    """
    kept, left, on = list[Bet](), act.amount, str(act.card) if act.cards else ""
    for bet in sorted(bets, key=_order, reverse=True):
        if bet.seat != act.seat or bet.on != on or left == 0:
            kept.append(bet)
        elif left is not None and bet.amount is not None:
            taken = min(left, bet.amount)
            left -= taken
            if bet.amount > taken:
                kept.append(replace(bet, amount=bet.amount - taken))
    return tuple(sorted(kept, key=_order))


def lying(bets: Iterable[Bet], *, beside: str = "", due: Mapping[int, int]) -> Iterator[Stake]:
    """The chips of bets, in front of their seats or next to cards, with what each seat is due."""
    for bet in bets:
        place = BettingPlace(beside=beside) if beside else BettingPlace(owner=bet.seat)
        yield Stake(place.name, bet.amount, bet.seat, bet.on, due.get(bet.seat, 0))


def placed(bets: Iterable[Bet]) -> dict[int, int]:
    """The total chips that each seat has bet.

    >>> placed((Bet(2, 5, "QS"), Bet(2, 3, "5D"), Bet(3, None)))
    {2: 8}
    """
    chips: dict[int, int] = {}
    for bet in bets:
        if bet.amount is not None:
            chips[bet.seat] = chips.get(bet.seat, 0) + bet.amount
    return chips


def limits_wanted(state: State) -> bool:
    """Whether limits must be announced before the deal: amounts are tracked, limits unknown."""
    return state.limits is None and state.start.level is Level.AMOUNTS


@dataclass(frozen=True, slots=True)
class BetRule:
    """What limits apply to: each bet, all of a player's bets on one card, or all of a player's."""

    per: str = "bet"
    single: bool = False
    """Whether a player may have only one bet."""

    def awaited(
        self, state: State, bets: tuple[Bet, ...], seats: Iterable[int], on: tuple[Card, ...] = ()
    ) -> Iterator[Awaited]:
        """The bets that each of `seats` may still place on any of the cards `on`."""
        alike: dict[_Choice, list[int]] = {}
        for seat in seats:
            own = tuple(bet for bet in bets if bet.seat == seat)
            if not (self.single and own):
                for choice in self._choices(state, own, seat, on):
                    alike.setdefault(choice, []).append(seat)
        for (cards, numbers), who in alike.items():
            yield Awaited(
                Verb.BET,
                _BET,
                tuple(who),
                pick=1 if cards else 0,
                among=cards or None,
                numbers=numbers,
                required=False,
            )

    def added(
        self, state: State, bets: tuple[Bet, ...], seats: Iterable[int], on: tuple[Card, ...]
    ) -> Iterator[Awaited]:
        """What may be added to bets of unknown size: as many chips as at any other level."""
        if self.single or state.start.level is not Level.WHO:
            return
        for seat in seats:
            own = {bet.on for bet in bets if bet.seat == seat}
            if cards := tuple(card for card in on if str(card) in own):
                yield Awaited(Verb.BET, _BET, (seat,), pick=1, among=cards, required=False)

    def slip(self, state: State, bets: tuple[Bet, ...], act: Act, fault: str, phase: str) -> str:
        """The rule broken by a bet that is not awaited in `phase`; for other acts, `fault`."""
        if act.verb is Verb.DEAL and phase == "betting":
            return "bets.open"
        if act.verb is not Verb.BET or act.seat is None:
            return fault
        if phase in EARLY:
            return "bets.early"
        own = tuple(bet for bet in bets if bet.seat == act.seat)
        if phase != "betting":
            on = str(act.card) if act.cards else ""
            return "bets.capped" if any(bet.on == on for bet in own) else "bets.closed"
        if self.single and own:
            return "bets.again"
        left = _left(state, own, act.seat)
        if left is not None and (act.amount or 0) > left:
            return "bets.stack"
        return fault if fault == "beyond-limits" else "bets.used-up"

    def _choices(
        self, state: State, own: tuple[Bet, ...], seat: int, on: tuple[Card, ...]
    ) -> Iterator[_Choice]:
        if state.start.level is Level.WHO:
            free = tuple(card for card in on if str(card) not in {bet.on for bet in own})
            if free or not on:
                yield free, None
        elif state.start.level is Level.AMOUNTS:
            for cards in [on] if self.per != "card" else [(card,) for card in on]:
                if numbers := self._range(state, own, seat, cards):
                    yield cards, numbers

    def _range(
        self, state: State, own: tuple[Bet, ...], seat: int, on: tuple[Card, ...]
    ) -> tuple[int, int] | None:
        least, greatest = state.limits or (1, LIMIT_MOST)
        if own and self.per != "bet":
            counted = [bet for bet in own if self.per == "player" or bet.on in map(str, on)]
            placed = sum(bet.amount or 0 for bet in counted)
            least, greatest = max(1, least - placed), greatest - placed
        left = _left(state, own, seat)
        if left is not None:
            greatest = min(greatest, left)
        return (least, greatest) if least <= greatest else None


def _left(state: State, own: tuple[Bet, ...], seat: int) -> int | None:
    """The chips in front of `seat` apart from its bets, or None if they are not counted.

    What the banker has collected in this hand is gone.
    """
    stack = state.start.stack(seat) if state.start.stacks else None
    if stack is None:
        return None
    return stack + state.settlement.net.get(seat, 0) - sum(bet.amount or 0 for bet in own)
