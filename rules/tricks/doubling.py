"""Contracts for a number of the five tricks, with modifiers that each double their value.

>>> from rules.acts import Act
>>> str(bid_of(Act.parse("2 bid 3 hand durch")).value), bid_of(Act.parse("2 bid 7"))
('12', None)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from typing import Self

from rules.acts import Act, Verb
from rules.cards import Suit
from rules.frozen import replace
from rules.phrases import Phrase
from rules.tricks.auctions import Duel, Value
from rules.tricks.play import TrickState
from rules.turn import Awaited

TRICKS = 5
LEAST, DURCH_NUMBER = 2, 5
HAND_BID, RUTEN, DURCH, KIEKER = "hand", "ruten", "durch", "kieker"
MODIFIERS = (HAND_BID, RUTEN, DURCH)
KIEKER_BID = Fraction(9, 2)
"""The value of a Kieker in the auction, and only there."""


@dataclass(frozen=True, slots=True)
class Bid:
    """A number of tricks with doubling modifiers, or a Kieker.

    >>> str(Bid(3, ("hand", "durch")).value), str(Bid(5).value), str(Bid(5, kieker=True).auction)
    ('12', '10', '9/2')
    """

    number: int
    modifiers: tuple[str, ...] = ()
    kieker: bool = False

    @property
    def durch(self) -> bool:
        """Whether all tricks have to be won."""
        return self.number == DURCH_NUMBER or DURCH in self.modifiers

    @property
    def value(self) -> int:
        """The points that it scores."""
        doubled = len({*self.modifiers, *((DURCH,) if self.durch else ())})
        return int(self.number * 2**doubled)

    @property
    def auction(self) -> Value:
        """Its value in the auction."""
        return KIEKER_BID if self.kieker else self.value

    def has(self, modifier: str) -> bool:
        """Whether it was bid with this modifier."""
        return modifier in self.modifiers


@dataclass(frozen=True, kw_only=True)
class ContractState(TrickState):
    """State of a hand in which the winner of an auction plays for the tricks that were bid."""

    auction: Duel
    bids: tuple[tuple[int, Bid, int], ...] = ()
    """Seat, bid and act number of each bid that counted."""
    playing_on: bool = False
    """Whether the declarer of a made contract plays for all remaining tricks."""

    @property
    def declarer(self) -> int | None:
        """The seat that won the auction."""
        return self.auction.winner

    @property
    def contract(self) -> Bid:
        """The highest bid."""
        return self.bids[-1][1]

    def raised(self, act: Act) -> Self:
        """The state with the bid that the bidder's `act` makes."""
        bid = bid_of(act)
        assert bid is not None
        assert act.seat is not None
        bids = (*self.bids, (act.seat, bid, len(self.acts)))
        return replace(self, bids=bids, auction=self.auction.bid(bid.auction))

    @property
    def lost(self) -> int:
        """The number of tricks that the defenders have won."""
        return len(self.winners) - self.won(self.declarer or 0)

    @property
    def all_due(self) -> bool:
        """Whether the declarer has to win every trick from now on."""
        return self.contract.durch or self.playing_on

    @property
    def made(self) -> bool:
        """Whether the declarer has won as many tricks as were bid."""
        number = TRICKS if self.contract.durch else self.contract.number
        return self.won(self.declarer or 0) >= number

    @property
    def decides(self) -> bool:
        """Whether the declarer may end the hand now, or play on for all remaining tricks."""
        return self.trump is not None and not self.trick and self.made and not self.all_due

    @property
    def begun(self) -> bool:
        """Whether a card has been played."""
        return bool(self.trick or self.tricks)

    @property
    def beaten(self) -> bool:
        """Whether the contract can no longer be made."""
        if self.playing_on:
            return bool(self.winners) and self.winners[-1] != self.declarer
        return self.lost > (0 if self.contract.durch else TRICKS - self.contract.number)

    def worth(self, *, kieker_doubled: bool) -> int:
        """The contract's value: diamonds chosen late double it, and so does playing on.

        Diamonds double a Kieker only if `kieker_doubled`.
        """
        contract = self.contract
        late = self.trump is Suit.DIAMONDS and not contract.has(RUTEN)
        doubled = late and (kieker_doubled or not contract.kieker)
        return contract.value * (2 if doubled else 1) * (2 if self.playing_on else 1)


def modifiers() -> Iterator[tuple[str, ...]]:
    """Every set of modifiers, in the order in which they are written."""
    for count in range(len(MODIFIERS) + 1):
        yield from combinations(MODIFIERS, count)


def bid_of(act: Act) -> Bid | None:
    """The bid that an act makes, its modifiers in any order; None if it is not a bid."""
    if act.words == (KIEKER,) and not act.numbers:
        return Bid(DURCH_NUMBER, (), kieker=True)
    words = tuple(word for word in MODIFIERS if word in act.words)
    right = len(words) == len(act.words) and len(act.numbers) == 1
    if not right or not LEAST <= act.numbers[0] <= DURCH_NUMBER:
        return None
    return Bid(act.numbers[0], words)


def biddable(auction: Duel, seat: int, says: Phrase) -> Iterator[Awaited]:
    """The bids that `seat` may make now, one entry for each set of modifiers."""
    for words in modifiers():
        numbers = range(LEAST, DURCH_NUMBER + 1)
        may = [number for number in numbers if auction.may(Bid(number, words).auction)]
        if may:
            bounds = (may[0], DURCH_NUMBER)
            yield Awaited(Verb.BID, says, (seat,), numbers=bounds, words=(words,), required=False)
    if auction.may(KIEKER_BID):
        yield Awaited(Verb.BID, says, (seat,), words=((KIEKER,),), required=False)


def reordered(bids: Iterable[Awaited]) -> Iterator[Awaited]:
    """The same bids with their modifiers in another order."""
    for one in bids:
        said = one.words[0] if one.words else ()
        if len(said) > 1:
            yield Awaited(Verb.BID, one.says, one.seats, numbers=one.numbers, words=_orders(said))


@cache
def _orders(said: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(order for order in permutations(said) if order != said)
