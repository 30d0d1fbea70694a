"""A trick as the players see it, for referees: who wins, and what may be played to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.cards import Card


@dataclass
class Trick:
    """Cards played by seats, the first one leading."""

    order: str
    """The ranks of a plain suit, highest first."""
    trump: str = ""
    """The letter of the trump suit; empty without one."""
    trumps: str = ""
    """The ranks of the trump suit, highest first, if they differ."""
    plays: list[tuple[int, Card]] = field(default_factory=list)

    def is_trump(self, card: Card) -> bool:
        return str(card.suit) == self.trump

    def strength(self, card: Card) -> int:
        """How strong a card is in this trick; below zero, it cannot win."""
        if self.is_trump(card):
            return 200 - (self.trumps or self.order).index(str(card.rank))
        if self.plays and card.suit is not self.plays[0][1].suit:
            return -1
        return 100 - self.order.index(str(card.rank))

    @property
    def best(self) -> Card:
        return max((card for _, card in self.plays), key=self.strength)

    @property
    def winner(self) -> int:
        return next(seat for seat, card in self.plays if card == self.best)

    @property
    def trumped(self) -> bool:
        """Whether a trump has been played to a plain suit."""
        return any(self.is_trump(card) for _, card in self.plays[1:]) and not self.trump_led

    @property
    def trump_led(self) -> bool:
        return bool(self.plays) and self.is_trump(self.plays[0][1])

    def suited(self, hand: Iterable[Card]) -> list[Card]:
        """The cards of the suit led."""
        return [card for card in hand if self.plays and card.suit is self.plays[0][1].suit]

    def winning(self, cards: Iterable[Card]) -> list[Card]:
        """Those of `cards` that would be the best so far."""
        return [card for card in cards if self.strength(card) > self.strength(self.best)]
