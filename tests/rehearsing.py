"""A tracker that knows the truth, so that loop and dealer can be tried without networks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import cos, dist, radians, sin

from firmware.follow.loop import Crop
from firmware.rehearsal.gestures import Piece
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.report import HandReport
from firmware.rehearsal.tabletop import Tabletop
from firmware.settings.settings import Settings
from rules.cards import BACK, Card, Deck
from vision.picture.geometry import Point, Polygon
from vision.sightings import Lying, Seen

SETTLE_S = 0.35
"""How long the table must have been still: the real tracker takes about three pictures."""


COVERED_MM = 15.0
"""Cards nearer than this lie on each other: in no row does an index show at less."""


class TruthfulWatcher:
    """Says what lies where a moment after it was laid; while a hand moves, its spots are busy.

    `misreads` are cards taken for others; `doubts` cards that may be others.
    """

    def __init__(
        self,
        table: Tabletop,
        spots: Mapping[str, Polygon],
        deck: Deck,
        misreads: Mapping[Card, Card] | None = None,
        doubts: Mapping[Card, Card] | None = None,
    ) -> None:
        self._table = table
        self._spots = spots
        self._misreads = dict(misreads or {})
        self._doubts = dict(doubts or {})
        self._spots_seen: dict[str, tuple[Lying, ...]] = dict.fromkeys(spots, ())
        self._moved = 0.0

    def watch(self, spots: Mapping[str, Polygon], deck: Deck) -> None:
        self._spots = spots
        self._spots_seen = dict.fromkeys(spots, ())

    def look(self, now: float) -> tuple[Seen, Crop | None]:
        self._table.advance(now)
        if self._table.moving(now):
            self._moved = now
            return Seen(self._spots_seen, frozenset(self._spots), (), now), None
        if now - self._moved < SETTLE_S:
            return Seen(self._spots_seen, frozenset(self._spots), (), now), None
        places = list(self._places())
        self._spots_seen = {
            name: tuple(self._lying(polygon, places)) for name, polygon in self._spots.items()
        }
        return Seen(self._spots_seen, frozenset(), (), now), None

    def _places(self) -> Iterator[tuple[Piece, Point]]:
        """The cards in sight, and where in the picture they lie."""
        matrix = self._table.matrix
        for piece in _uncovered(self._table.resting):
            u, v, w = matrix @ (piece.pose.x, piece.pose.y, 1.0)
            yield piece, (float(u / w), float(v / w))

    def _lying(self, polygon: Polygon, places: Sequence[tuple[Piece, Point]]) -> list[Lying]:
        inside = [(piece, place) for piece, place in places if polygon.contains(place)]
        return [self._read(*one) for one in sorted(inside, key=lambda one: one[1][0])]

    def _read(self, piece: Piece, place: Point) -> Lying:
        card, outline = piece.view, _outline(place, piece.pose.angle)
        seen = self._misreads.get(card, card)
        if card in self._doubts and card != BACK:
            other = self._doubts[card]
            part = Card(card.rank, other.suit) if card.rank == other.rank else card
            return Lying(part, 0.5, ((other, 0.5), (card, 0.45)), outline)
        return Lying(seen, 0.99, ((seen, 0.99),), outline)


def _outline(place: Point, angle: float) -> tuple[Point, Point, Point, Point]:
    """The corners of a card in the reference picture."""
    turn = radians(angle)

    def corner(across: float, down: float) -> Point:
        return (
            place[0] + across * cos(turn) - down * sin(turn),
            place[1] + across * sin(turn) + down * cos(turn),
        )

    return corner(-48, -68), corner(48, -68), corner(48, 68), corner(-48, 68)


def _uncovered(resting: Sequence[Piece]) -> list[Piece]:
    """Without the cards of a pile that lie under another one."""
    places = [(piece.pose.x, piece.pose.y) for piece in resting]
    return [
        piece
        for number, piece in enumerate(resting)
        if all(dist(places[number], place) > COVERED_MM for place in places[number + 1 :])
    ]


def settings_of(game: str | None, level: str = "amounts") -> Settings:
    """Settings for a game, everything else as usual."""
    table = {"level": level} | ({"game": game} if game else {})
    return Settings.from_mapping({"table": table})


Pairs = tuple[tuple[Card, Card], ...]


@cache
def reports_of(
    game: str | None,
    *,
    hands: int,
    seed: int,
    level: str = "amounts",
    slips: tuple[str, ...] = (),
    misreads: Pairs = (),
    doubts: Pairs = (),
) -> tuple[HandReport, ...]:
    """Hands rehearsed with the truthful tracker, remembered for the tests that share them."""
    rehearsal = Rehearsal(
        Plan.of(settings_of(game, level), seed=seed, slips=slips),
        watches=lambda table, spots, deck: TruthfulWatcher(
            table, spots, deck, dict(misreads), dict(doubts)
        ),
    )
    try:
        return tuple(rehearsal.play(hands))
    finally:
        rehearsal.close()
