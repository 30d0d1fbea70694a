"""A tracker that knows the truth, so that loop and dealer can be tested without networks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import cos, dist, radians, sin

import numpy as np
from numpy.typing import NDArray

from firmware.follow.taking import Crop
from firmware.rehearsal.chip_eyes import along
from firmware.rehearsal.gestures import Piece
from firmware.rehearsal.handling import NONE
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.report import HandReport
from firmware.rehearsal.tabletop import Tabletop
from firmware.settings.settings import Settings
from rules.cards import BACK, Card, Deck
from vision.picture.geometry import Point, Polygon
from vision.sightings import Lying, Seen

SETTLE_S = 0.35
"""How long the table must have been still: the real tracker needs about three pictures."""


COVERED_MM = 15.0
"""Cards closer than this overlap: less than that shows no index in any row."""
BACKS_APART_MM = 5.0
"""Backs closer than this look like one; farther apart, the edge of the lower one shows."""
ARM_STEP_MM = 40.0
"""Spacing of the points along an arm: less than the width of a card."""
DRIFT_MM = 3.0
"""A hand that moves by less than this between looks is at rest: a tracker sees no shift smaller
than one of its pixels, which is 4 mm."""
CARD_REACH_MM = 44.0
"""Largest distance from the centre of a card to its edge, along its long side."""
CARD_WIDE_MM = 63.0
"""Width of a card."""
INDEX_ACROSS, INDEX_DOWN = 26.0, 33.0
"""Distances in mm of an index's middle from that of the card, along its short and long side."""


class TruthfulWatcher:
    """Reports what is where shortly after it was laid; spots under hands or moving cards are busy.

    `misreads` are cards mistaken for others; `doubts` are cards that may be others.
    """

    settle_s = SETTLE_S

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
        self._moved: dict[str, float] = {}
        self._arms: tuple[tuple[Point, Point], ...] = ()
        self._matrix = table.matrix
        self._resting: tuple[Piece, ...] = ()
        self._shown: dict[str, tuple[Lying, ...]] = {}
        self._look_over()
        self._boxes = _boxes(spots)

    def watch(self, spots: Mapping[str, Polygon], deck: Deck) -> None:
        self._spots = spots
        self._spots_seen = dict.fromkeys(spots, ())
        self._boxes = _boxes(spots)
        self._look_over()

    def look(self, now: float) -> tuple[Seen, Crop | None]:
        self._table.advance(now)
        stirred, rested_on = self._disturbed(now)
        for name in (*stirred, *rested_on):
            self._moved[name] = now
        settled = [
            name for name in self._spots if now - self._moved.get(name, 0.0) >= self.settle_s
        ]
        news = {
            name: self._shown[name]
            for name in settled
            if self._spots_seen[name] is not self._shown[name]
        }
        if news:
            self._spots_seen = self._spots_seen | news
        busy = frozenset(self._spots) - set(settled)
        still = busy - set(stirred)
        return Seen(self._spots_seen, busy, (), now, still=still), None

    def _disturbed(self, now: float) -> tuple[list[str], list[str]]:
        """The spots where something moves or has just changed, and those under a resting hand."""
        moving = (*self._changed(), *self._table.carried(now))
        cards = [np.array([(one.pose.x, one.pose.y)]) + REACH for one in moving]
        before, self._arms = self._arms, self._table.arms(now)
        hands: list[NDArray[np.float64]] = []
        rest: list[NDArray[np.float64]] = []
        for tip, shoulder in self._arms:
            rests = any(dist(tip, old) < DRIFT_MM and shoulder == own for old, own in before)
            (rest if rests else hands).append(along(tip, shoulder, ARM_STEP_MM))
        return self._struck([*cards, *hands]), self._struck(rest)

    def _struck(self, parts: Sequence[NDArray[np.float64]]) -> list[str]:
        """The spots that contain any of these points (N, 2)."""
        if not parts:
            return []
        points = np.concatenate(parts)
        uvw = np.column_stack([points, np.ones(len(points))]) @ self._matrix.T
        u, v = (uvw[:, :2] / uvw[:, 2:]).T[:, None, :]
        left, top, right, bottom = self._boxes.T[:, :, None]
        hit = ((left <= u) & (u <= right) & (top <= v) & (v <= bottom)).any(axis=1)
        return [name for name, struck in zip(self._spots, hit, strict=True) if struck]

    def _changed(self) -> list[Piece]:
        """The pieces laid or removed since the last look."""
        before, now = self._resting, self._table.resting
        if now == before:
            return []
        was, lies = set(before), set(now)
        self._resting = now
        self._look_over()
        return [piece for piece in (*now, *before) if (piece in lies) != (piece in was)]

    def _look_over(self) -> None:
        """Note what is to be read at each spot, keeping the same object if nothing has changed."""
        places = sorted(self._places(), key=lambda one: one[1][0])
        points = np.array([place for _, place in places]).reshape(-1, 2)
        shown = {}
        for name, polygon in self._spots.items():
            corners = polygon.array
            near = ((corners.min(axis=0) <= points) & (points <= corners.max(axis=0))).all(axis=1)
            inside = [places[number] for number in np.flatnonzero(near)]
            lying = tuple(self._read(*one) for one in inside if polygon.contains(one[1]))
            before = self._shown.get(name)
            shown[name] = before if before is not None and before == lying else lying
        self._shown = shown

    def _places(self) -> Iterator[tuple[Piece, Point]]:
        """The visible cards and their positions in the picture."""
        for piece in _uncovered(self._table.resting):
            u, v, w = self._matrix @ (piece.pose.x, piece.pose.y, 1.0)
            yield piece, (float(u / w), float(v / w))

    def _is_whole(self, piece: Piece) -> bool:
        """Whether no card that came later lies over either index of a face."""
        later = self._table.resting[self._table.resting.index(piece) + 1 :]
        ends = [_on(piece, side * INDEX_ACROSS, side * INDEX_DOWN) for side in (-1, 1)]
        return piece.up and not any(_covers(other, end) for other in later for end in ends)

    def _read(self, piece: Piece, place: Point) -> Lying:
        card, outline = piece.view, _outline(place, piece.pose.angle)
        seen = self._misreads.get(card, card)
        if card in self._doubts and card != BACK:
            other = self._doubts[card]
            part = Card(card.rank, other.suit) if card.rank == other.rank else card
            return Lying(part, 0.5, ((other, 0.5), (card, 0.45)), outline)
        whole = self._is_whole(piece)
        return Lying(seen, 0.99, ((seen, 0.99),), outline, whole, measured=True)


REACH = np.array(
    [
        (dx, dy)
        for dx in (-CARD_REACH_MM, 0.0, CARD_REACH_MM)
        for dy in (-CARD_REACH_MM, 0.0, CARD_REACH_MM)
    ]
)
"""Offsets from a card's centre to the points of it that are tested."""


def _boxes(spots: Mapping[str, Polygon]) -> NDArray[np.float64]:
    """Each spot's left, top, right and bottom in the picture, as (N,4)."""
    corners = [polygon.array for polygon in spots.values()]
    return np.array([(*c.min(axis=0), *c.max(axis=0)) for c in corners]).reshape(-1, 4)


def _outline(place: Point, angle: float) -> tuple[Point, Point, Point, Point]:
    """The corners of a card in the reference picture."""
    turn = radians(angle)

    def corner(across: float, down: float) -> Point:
        return (
            place[0] + across * cos(turn) - down * sin(turn),
            place[1] + across * sin(turn) + down * cos(turn),
        )

    return corner(-48, -68), corner(48, -68), corner(48, 68), corner(-48, 68)


def _on(piece: Piece, across: float, down: float) -> Point:
    """The place on the table, in mm, of a point of a card given from its centre."""
    turn = radians(piece.pose.angle)
    x = piece.pose.x + across * cos(turn) - down * sin(turn)
    return x, piece.pose.y + across * sin(turn) + down * cos(turn)


def _covers(piece: Piece, place: Point) -> bool:
    """Whether a card lies over a place on the table, in mm."""
    x, y, turn = place[0] - piece.pose.x, place[1] - piece.pose.y, radians(piece.pose.angle)
    across, down = x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
    return abs(across) < CARD_WIDE_MM / 2 and abs(down) < CARD_REACH_MM


def _uncovered(resting: Sequence[Piece]) -> list[Piece]:
    """The pieces, without the cards of a pile that lie under another one."""
    places = [(piece.pose.x, piece.pose.y) for piece in resting]
    return [
        piece
        for number, piece in enumerate(resting)
        if all(
            dist(places[number], place) > (COVERED_MM if piece.up else BACKS_APART_MM)
            for place in places[number + 1 :]
        )
    ]


def settings_of(game: str | None, level: str = "amounts") -> Settings:
    """Settings for a game, otherwise the defaults."""
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
    handling: str = NONE,
    misreads: Pairs = (),
    doubts: Pairs = (),
) -> tuple[HandReport, ...]:
    """Hands rehearsed with the truthful tracker, cached for tests that share them."""
    rehearsal = Rehearsal(
        Plan.of(settings_of(game, level), seed=seed, slips=slips, handling=handling),
        watches=lambda table, spots, deck: TruthfulWatcher(
            table, spots, deck, dict(misreads), dict(doubts)
        ),
    )
    try:
        return tuple(rehearsal.play(hands))
    finally:
        rehearsal.close()
