"""What was seen on top of a pile for a while, and how certain its origin is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.cards import Card

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Top:
    """What was seen on top of a pile for a while; no card if the pile was empty."""

    card: Card | None
    came: bool = False
    """Whether it was laid there, rather than uncovered."""
    perhaps: bool = False
    """Whether it may be the same card as before, pushed."""
    either: bool = False
    """Whether it may have been uncovered after all, as the card below the last that was pushed
    unseen.
    """
    chance: bool = False
    """Whether it may have been laid after all, and only lies like a card that was covered."""
    near: bool = False
    """Whether, by its position, it may just as well be the card below the last."""
    instead: Card | None = None
    """The card that may have been laid over the last one, and looks like one that was pushed."""
    others: Cards = ()
    """If it may be the same card as before: the cards beside it of which one may have been covered
    by an equal one instead."""
    at: float = 0.0
    """When it was first seen so, in seconds."""
    among: Cards = ()
    """The two cards that came between two looks in an unseen order; this is either of them."""

    @property
    def open(self) -> bool:
        """Whether it may have come about in more than one way."""
        return self.perhaps or self.near or self.instead is not None or bool(self.among)

    @property
    def may_be_bared(self) -> bool:
        """Whether it may have been uncovered, by taking what lay on it."""
        return not self.came or self.either

    @property
    def orders(self) -> tuple[tuple[Top, ...], ...]:
        """The possible sequences of tops that this may stand for."""
        if self.among:
            both = [replace(self, card=card) for card in self.among]
            return (tuple(both), tuple(reversed(both)))
        if self.instead is not None:
            laid = Top(self.instead, came=True, perhaps=True, at=self.at)
            return ((replace(self, instead=None, perhaps=False),), (laid,))
        if self.near:
            bared = replace(self, came=False, either=False)
            return ((bared,), (replace(self, came=True, either=False),))
        if not self.perhaps:
            return ((self,),)
        over = (replace(self, card=card, came=True, others=()) for card in self.others)
        return ((self,), *((one,) for one in over), ())


def standing(tops: Sequence[Top]) -> Cards:
    """The cards that came one after another and are certainly still there, lowest first.

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


def on_its_like(tops: Sequence[Top], held: Cards, shown: Cards) -> bool:
    """Whether a card was laid on an equal one, which the state `held` on top and is still `shown`.

    What is on top then is as before. It may be told only later, as where a card that was turned
    over lies there until the discard has been made.

    >>> queen = Card.parse("QD")
    >>> laid = [Top(queen, came=True)]
    >>> on_its_like(laid, (queen,), (queen, queen)), on_its_like(laid, (queen,), (queen,))
    (True, False)
    """
    last = tops[-1] if tops else None
    if last is None or not last.came or last.open or (last.card,) != held[-1:]:
        return False
    return shown.count(last.card) > 1
