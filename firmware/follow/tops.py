"""What was seen on top of a pile for a while, and how sure it is where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.cards import Card

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Top:
    """What was seen on top of a pile for a while; no card where nothing was left of it."""

    card: Card | None
    came: bool = False
    """Whether it had come to lie there, and did not come to light."""
    perhaps: bool = False
    """Whether it may be the card before it, which was pushed."""
    either: bool = False
    """Whether it may have come to light all the same, as the card below the last that was pushed
    unseen."""
    chance: bool = False
    """Whether it may have come all the same, and only lies like a card that was covered."""
    near: bool = False
    """Whether it may just as well be the card below the last, by where it lies."""
    instead: Card | None = None
    """The card that may have been laid over the last one, and looks like one that was pushed."""
    at: float = 0.0
    """When it was seen so first, in seconds."""
    among: Cards = ()
    """The two cards that came between two looks, in an order that nobody saw; this is either."""

    @property
    def open(self) -> bool:
        """Whether it may have come about in more than one way."""
        return self.perhaps or self.near or self.instead is not None or bool(self.among)

    @property
    def may_be_bared(self) -> bool:
        """Whether it may have come to light, where what lay on it was taken."""
        return not self.came or self.either

    @property
    def orders(self) -> tuple[tuple[Top, ...], ...]:
        """What was on top one after the other, in each way that it may have been."""
        if self.among:
            both = [replace(self, card=card) for card in self.among]
            return (tuple(both), tuple(reversed(both)))
        if self.instead is not None:
            laid = Top(self.instead, came=True, perhaps=True, at=self.at)
            return ((replace(self, instead=None, perhaps=False),), (laid,))
        if self.near:
            bared = replace(self, came=False, either=False)
            return ((bared,), (replace(self, came=True, either=False),))
        return ((self,), ()) if self.perhaps else ((self,),)


def standing(tops: Sequence[Top]) -> Cards:
    """What came one after the other and lies there still, the lowest first, where that is certain.

    >>> king, ten = Card.parse("KC"), Card.parse("TD")
    >>> standing([Top(king, came=True), Top(ten, came=True)])
    (<KC>, <TD>)
    >>> standing([Top(king, came=True), Top(ten, came=True), Top(king)])
    (<KC>,)
    """
    heap: list[Card] = []
    for top in tops:
        if top.card is None or top.open:
            heap.clear()
        elif top.came:
            heap.append(top.card)
        else:
            while heap and heap[-1] != top.card:
                heap.pop()
    return tuple(heap)
