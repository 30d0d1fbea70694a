"""Bids for a number of the five tricks, with modifiers that each double their value.

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

from rules.acts import Act, Verb
from rules.phrases import Phrase
from rules.tricks.auctions import Duel, Value
from rules.turn import Awaited

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
