"""Where cards lie: spots, the cards at them, and how they move.

A spot is named ``board`` if it belongs to nobody, ``2`` for the cards of seat 2, and ``2.front``
for another place of theirs. Two places need no name at the table: the `DECK` that cards are dealt
from, and `GONE` for cards that have left the play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rules.cards import BACK, Card
from rules.errors import ActError
from rules.frozen import quick

DECK = "deck"
GONE = "gone"


class Shape(StrEnum):
    """How cards lie at a spot."""

    SINGLE = "single"
    """One card at most."""
    PILE = "pile"
    """On top of each other: the topmost is seen."""
    ROW = "row"
    """Side by side, in order."""
    FAN = "fan"
    """Overlapped so that each index shows, in order."""
    AREA = "area"
    """Anywhere inside, without order."""


class Face(StrEnum):
    """Which side of the cards shows at a spot."""

    UP = "up"
    DOWN = "down"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where a game lays cards; `firmware` knows where on the table it is.

    >>> Spot("cards", owner=2).name, Spot("front", owner=2).name, Spot("board").name
    ('2', '2.front', 'board')
    """

    role: str
    owner: int | None = None
    capacity: int = 1
    shape: Shape = Shape.ROW
    face: Face = Face.UP
    held: bool = False
    """Held in a hand, out of the camera's view; likewise a stock, which lies next to the dealer."""
    opens: bool = False
    """Held, but cards that are shown lie face up in front of the owner."""
    limit: int = 0
    """The most cards that the rules allow there, if more than the place is designed for."""
    anywhere: bool = False
    """Whether its owner may lay what belongs there at any other free spot of this kind."""

    @property
    def most(self) -> int:
        """The number of cards beyond which the place is too full."""
        return max(self.limit, self.capacity)

    @property
    def in_sight(self) -> bool:
        """Whether a camera may see cards there."""
        return self.opens or not self.held

    @property
    def name(self) -> str:
        """The spot's name in acts and records."""
        if self.owner is None:
            return self.role
        return str(self.owner) if self.role == "cards" else f"{self.owner}.{self.role}"

    def shows(self, table: Table) -> tuple[Card, ...]:
        """The cards visible from above: the topmost of a pile, or those shown from a hand.

        >>> pile = Spot("stock", shape=Shape.PILE, face=Face.DOWN)
        >>> pile.shows(Table({"stock": (Laid(Card.parse("QS"), up=False),) * 3}))
        (<??>,)
        """
        if self.held:
            view = table.view(self.name) if self.opens else ()
            return tuple(card for card in view if not card.hidden)
        lying = table.at(self.name)
        return _views(lying[-1:] if self.shape is Shape.PILE else lying)


@quick(frozen=True, slots=True)
class Laid:
    """A card at a spot, and whether its face shows."""

    card: Card
    up: bool = True

    @property
    def view(self) -> Card:
        """The card as seen from above."""
        return self.card if self.up else BACK


@quick(frozen=True, slots=True)
class Move:
    """One card's movement on the table: the smallest part of an act's trace.

    A move from a spot to itself turns the card over. `lay_up` is the side that shows before the
    move, if only a card lying that way may be taken from among identical ones.
    """

    card: Card
    source: str
    target: str
    up: bool = True
    lay_up: bool | None = None

    def may_take(self, *, up: bool) -> bool:
        """Whether this move can take a card that lies with that side up."""
        return self.lay_up in (None, up)


Trace = tuple[Move, ...]
"""What an act does to the cards on the table; empty for a spoken act."""


@dataclass(frozen=True)
class Table:
    """The cards at every spot; immutable, as `moved` returns a new table.

    >>> table = Table().moved([Move(Card.parse("QS"), DECK, "board")])
    >>> table.view("board")
    (<QS>,)
    >>> table.moved([Move(Card.parse("5D"), "board", GONE)])
    Traceback (most recent call last):
    rules.errors.ActError: no 5D at board, which holds QS
    """

    spots: Mapping[str, tuple[Laid, ...]] = field(default_factory=dict)

    def at(self, spot: str) -> tuple[Laid, ...]:
        """The cards at `spot`, in the order in which they came."""
        return self.spots.get(spot, ())

    def cards(self, spot: str) -> tuple[Card, ...]:
        """The cards at `spot`, as far as known, whether or not they are face up."""
        return tuple(laid.card for laid in self.at(spot))

    def view(self, spot: str) -> tuple[Card, ...]:
        """The cards at `spot` as a camera sees them: face-down ones are backs."""
        return _views(self.at(spot))

    def __iter__(self) -> Iterator[tuple[str, Laid]]:
        return ((spot, laid) for spot, cards in self.spots.items() for laid in cards)

    def moved(self, moves: Iterable[Move]) -> Table:
        """The table after `moves`; raises `ActError` if a card is not where it should leave from.

        Cards out of play have no order: several players may discard at once.
        """
        moves = tuple(moves)
        spots = dict(self.spots)
        for move in moves:
            if move.source == move.target:
                spots[move.source] = _turned(spots.get(move.source, ()), move)
                continue
            _lift(spots, move)
            if move.target != DECK:
                spots[move.target] = (*spots.get(move.target, ()), Laid(move.card, move.up))
        if any(move.target == GONE for move in moves):
            spots[GONE] = tuple(sorted(spots[GONE], key=out_of_play))
        if not all(spots.values()):
            spots = {name: cards for name, cards in spots.items() if cards}
        return Table(spots)

    def hidden(self) -> Table:
        """The table without any knowledge of face-down cards."""
        return Table(
            {s: tuple(Laid(c.view, c.up) for c in cards) for s, cards in self.spots.items()}
        )


def _views(lying: Sequence[Laid]) -> tuple[Card, ...]:
    """`Laid.view` of each: a list is faster here, and this is asked for all the time."""
    return tuple([laid.card if laid.up else BACK for laid in lying])


def out_of_play(laid: Laid) -> tuple[str, str, bool]:
    """A canonical order for cards out of play, which says nothing about the table."""
    return laid.card.rank, laid.card.suit, laid.up


def _lift(spots: dict[str, tuple[Laid, ...]], move: Move) -> None:
    if move.source == DECK:
        return
    cards = spots.get(move.source, ())
    if move.lay_up is None:
        gone = _find(cards, move.card, move.source)
    else:
        places = [place for place, laid in enumerate(cards) if move.may_take(up=laid.up)]
        able = [cards[place] for place in places]
        gone = places[_find(able, move.card, move.source)]
    left = (*cards[:gone], *cards[gone + 1 :])
    spots[move.source] = tuple(map(_perhaps_gone, left)) if move.card.hidden else left


def _perhaps_gone(laid: Laid) -> Laid:
    """A card next to one that left unseen: any face-down card may have been that one."""
    return laid if laid.up or laid.card.hidden else Laid(BACK, up=False)


def _turned(cards: tuple[Laid, ...], move: Move) -> tuple[Laid, ...]:
    other_side = [laid for laid in cards if laid.up is not move.up]
    place = _find(other_side, move.card, move.source, last=False)
    upper = other_side[-1]
    old = upper if upper.card == move.card and not move.card.hidden else other_side[place]
    return tuple(Laid(move.card, move.up) if laid is old else laid for laid in cards)


def _find(cards: Sequence[Laid], card: Card, spot: str, *, last: bool = True) -> int:
    """Where `card` is among `cards`; an exact match takes precedence over a possible one.

    Among several, the last laid is taken away and the first is turned over (the upper one of
    identical cards in a pile: see `_turned`).
    """
    best, found = (False, False), -1
    for place, laid in enumerate(cards):
        if laid.card.covers(card):
            fit = (laid.card is card, laid.up)
            if found < 0 or fit > best or (last and fit == best):
                best, found = fit, place
    if found < 0:
        held = " ".join(str(laid.card) for laid in cards) or "nothing"
        raise ActError(f"no {card} at {spot}, which holds {held}")
    return found
