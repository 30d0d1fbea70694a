"""Declarations: combinations that a player claims to hold, and what comes to light about them.

>>> run = Declaration(2, "run-of-three", Card.parse("KH"), 9)
>>> run.cards, run.points
((<KH>, <QH>, <JH>), 20)
>>> four = Declaration(3, "four-of-a-kind", Card.parse("J?"), 10)
>>> four.points, four.worth(None) > run.worth(None)
(200, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.acts import Act
from rules.cards import SUITS, Card, Rank, Suit
from rules.tricks.trick import Trick

FOUR = "four-of-a-kind"
RUNS = {
    f"run-of-{name}": length
    for length, name in enumerate(("three", "four", "five", "six", "seven", "eight"), 3)
}
KINDS = (*RUNS, FOUR)
"""The words for combinations."""
ROYAL = ("belote", "rebelote")
"""The words for king and queen of trumps, whichever of them is played first."""
SEQUENCE = "789TJQKA"
"""The order of ranks in runs, lowest first."""
FOURS = "QKTA9J"
"""The ranks that four of a kind may have, lowest first."""
RUN_POINTS = {3: 20, 4: 50}
LONG_RUN_POINTS = 100
FOUR_POINTS = {"J": 200, "9": 150}
PLAIN_FOUR_POINTS = 100


@dataclass(frozen=True, slots=True)
class Declaration:
    """A run by its highest card, or four of a kind by its rank, as a seat declared it.

    King and queen of trumps count as one too; they score whether they are declared or not.
    """

    seat: int
    kind: str
    card: Card
    act: int
    """The number of the act that declared it."""

    @property
    def possible(self) -> bool:
        """Whether such a combination exists."""
        if self.kind == FOUR:
            return str(self.card.rank) in FOURS and self.card.rank is not Rank.UNKNOWN
        if self.kind not in RUNS or not self.card.known or self.card.rank not in SEQUENCE:
            return False
        return SEQUENCE.index(self.card.rank) + 1 >= RUNS[self.kind]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the combination, highest first."""
        if self.kind in ROYAL:
            return Card(Rank.KING, self.card.suit), Card(Rank.QUEEN, self.card.suit)
        if self.kind == FOUR:
            return tuple(Card(self.card.rank, suit) for suit in SUITS)
        top = SEQUENCE.index(self.card.rank) + 1
        ranks = SEQUENCE[top - RUNS[self.kind] : top]
        return tuple(Card(Rank(rank), self.card.suit) for rank in reversed(ranks))

    @property
    def points(self) -> int:
        """The points that it scores."""
        if self.kind == FOUR:
            return FOUR_POINTS.get(str(self.card.rank), PLAIN_FOUR_POINTS)
        return RUN_POINTS.get(RUNS[self.kind], LONG_RUN_POINTS)

    def worth(self, trump: Suit | None) -> tuple[int, ...]:
        """Ranking of declarations: four of a kind first, then longer runs, higher ones, trumps."""
        if self.kind == FOUR:
            return (1, FOURS.index(self.card.rank))
        top = SEQUENCE.index(self.card.rank)
        return (0, RUNS[self.kind], top, int(self.card.suit is trump))


def declaration(act: Act, number: int) -> Declaration | None:
    """The declaration in act number `number`; None if there is no such combination."""
    if act.seat is None or len(act.words) != 1 or len(act.cards) != 1:
        return None
    one = Declaration(act.seat, act.words[0], act.card, number)
    return one if one.possible else None


def overlaps(declared: Iterable[Declaration], one: Declaration) -> bool:
    """Whether a card of `one` is in another declaration of the same seat."""
    said = {card for other in declared if other.seat == one.seat for card in other.cards}
    return bool(said & set(one.cards))


def highest(declared: Sequence[Declaration], trump: Suit | None) -> Declaration | None:
    """The highest declaration; of equal ones, the earlier speaker's."""
    return max(declared, key=lambda one: one.worth(trump), default=None)


def refuted(
    declared: Iterable[Declaration],
    tricks: Iterable[Trick],
    held: Mapping[int, Sequence[Card]],
    left: Mapping[int, int],
) -> Iterator[tuple[Declaration, tuple[Card, ...]]]:
    """The declarations that are proven false, each with the cards that its seat did not hold.

    `held` are the cards that everybody knows to be in a seat's hand, `left` the number of cards it
    has. A card is missing if another seat has it, or if the hand has no room for it.
    """
    played = [play for trick in tricks for play in trick]
    for one in declared:
        own = {play.card for play in played if play.seat == one.seat}
        others = {play.card for play in played if play.seat != one.seat}
        others |= {card for seat, cards in held.items() if seat != one.seat for card in cards}
        elsewhere = tuple(card for card in one.cards if card in others and card not in own)
        unseen = tuple(card for card in one.cards if card not in own)
        if elsewhere or len(unseen) > left.get(one.seat, 0):
            yield one, elsewhere or unseen
