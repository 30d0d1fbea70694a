"""Tricks: how cards beat each other, and which duties a player has.

>>> from rules.cards import parse_cards
>>> order, cards = Order(), parse_cards("9H KH 2S AH")
>>> trick = tuple(Played(seat, card, seat) for seat, card in enumerate(cards, 1))
>>> order.winner(trick, Suit.SPADES), order.winner(trick, None)
(3, 4)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.cards import Card, Suit

ACE_HIGH = "AKQJT98765432"
"""The ranks of most games, highest first."""


@dataclass(frozen=True, slots=True)
class Played:
    """A card that a seat played to a trick, and the number of that act."""

    seat: int
    card: Card
    act: int


Trick = tuple[Played, ...]
"""The cards of one trick in the order in which they were played; the first one was led."""


@dataclass(frozen=True, slots=True)
class Order:
    """The ranks from highest to lowest, which may differ between plain suits and trumps."""

    plain: str = ACE_HIGH
    trumps: str = ""
    """Empty if the same as in plain suits."""

    def strength(self, card: Card, led: Suit, trump: Suit | None) -> int:
        """The strength of `card` in a trick: trumps above the suit led, all others negative."""
        if card.suit is trump:
            return len(ACE_HIGH) + _height(card, self.trumps or self.plain)
        return _height(card, self.plain) if card.suit is led else -1

    def best(self, trick: Trick, trump: Suit | None) -> Played:
        """The play that wins a trick so far; of equal ones, the first."""
        led = trick[0].card.suit
        return max(trick, key=lambda play: self.strength(play.card, led, trump))

    def winner(self, trick: Trick, trump: Suit | None) -> int:
        """The seat that wins a trick so far."""
        return self.best(trick, trump).seat


def _height(card: Card, ranks: str) -> int:
    """From 1 for the lowest rank; 0 for a rank not in the game."""
    return len(ranks) - ranks.index(card.rank) if card.rank in ranks else 0


class Duty(StrEnum):
    """What a player must do in a trick, if the hand allows."""

    FOLLOW = "follow"
    """Play the suit led."""
    HEAD = "head"
    """Play higher in the suit led than all cards of the trick."""
    TRUMP = "trump"
    """Without the suit led, play a trump."""
    OVERTRUMP = "overtrump"
    """Make that trump beat all others in the trick."""


@dataclass(frozen=True, slots=True)
class Neglected:
    """A duty that a card neglects, and a card of the same hand that would have met it."""

    duty: Duty
    card: Card


@dataclass(frozen=True, slots=True)
class Duties:
    """The duties of a game: players follow suit if able, plus what is set here.

    With `friendly`, they ask less of players whose own side is winning the trick: nobody has to
    trump, nor to head trumps that were led.

    >>> from rules.cards import parse_cards
    >>> belote = Duties(Order("ATKQJ987", "J9ATKQ87"), heads_trumps=True, trumps=True)
    >>> trick = (Played(1, Card.parse("KH"), 1), Played(2, Card.parse("8S"), 2))
    >>> belote.legal(parse_cards("7S JS AD"), trick, Suit.SPADES)
    (<JS>,)
    >>> belote.legal(parse_cards("7S JS AD"), trick, Suit.SPADES, friendly=True)
    (<7S>, <JS>, <AD>)
    """

    order: Order = Order()
    heads: bool = False
    """Whether a plain suit that was led must be headed if possible."""
    heads_trumps: bool = False
    """Whether trumps that were led must be headed if possible."""
    trumps: bool = False
    """Whether a player without the suit led must trump, and overtrump if possible."""

    def neglected(
        self,
        card: Card,
        held: Sequence[Card],
        trick: Trick,
        trump: Suit | None,
        *,
        friendly: bool = False,
    ) -> Neglected | None:
        """The duty that `card` neglects when played to `trick` from `held`; None if it is legal.

        What part of a hand proves wrong stays wrong for the whole hand.
        """
        if not trick:
            return None
        led = trick[0].card.suit
        suited = [other for other in held if other.suit is led]
        if card.suit is led:
            wanted = self.heads_trumps and not friendly if led is trump else self.heads
            return self._overtaking(card, suited, trick, trump, Duty.HEAD) if wanted else None
        if suited:
            return Neglected(Duty.FOLLOW, suited[0])
        trumps = [other for other in held if other.suit is trump]
        if friendly or not self.trumps:
            return None
        if card.suit is trump:
            return self._overtaking(card, trumps, trick, trump, Duty.OVERTRUMP)
        return Neglected(Duty.TRUMP, trumps[0]) if trumps else None

    def _overtaking(
        self, card: Card, others: list[Card], trick: Trick, trump: Suit | None, duty: Duty
    ) -> Neglected | None:
        led = trick[0].card.suit
        mark = self.order.strength(self.order.best(trick, trump).card, led, trump)
        if self.order.strength(card, led, trump) > mark:
            return None
        higher = (other for other in others if self.order.strength(other, led, trump) > mark)
        return next((Neglected(duty, other) for other in higher), None)

    def legal(
        self, hand: Sequence[Card], trick: Trick, trump: Suit | None, *, friendly: bool = False
    ) -> tuple[Card, ...]:
        """The cards of `hand` that may be played to `trick`."""
        return tuple(
            card
            for card in hand
            if self.neglected(card, hand, trick, trump, friendly=friendly) is None
        )
