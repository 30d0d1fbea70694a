"""Cards as physical things, and the ways a hand carries them.

>>> two = Piece(1, Card.parse("2C"), pose=Pose(0.0, 0.0))
>>> slid = replace(two, pose=Pose(100.0, 0.0))
>>> carry = Carry(two, lifted=1.0, laid=2.0, target=slid)
>>> way = Gesture(((1.0, 0.0, 0.0), (2.0, 100.0, 0.0)), (carry,))
>>> carry.at(1.5, way.tip(1.5), ((0.0, 0.0), (100.0, 0.0)))[0].pose.x
50.0
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from enum import Enum
from math import cos, pi, sin
from operator import itemgetter

from rules.cards import BACK, Card
from vision.scene.items import Pose

Point = tuple[float, float]
ORIGIN = Pose(0.0, 0.0)
CARRIED = 22.0
"""How high a card is carried above the others, mm."""
FLYING = 8.0
"""How high a card is when it is let go, mm."""
GRIP = 22.0
"""Distance from the centre of a carried card to the fingertips on it, towards the dealer, mm."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical card: which it is, how it lies and at which spot its dealer put it."""

    number: int
    card: Card
    up: bool = True
    pose: Pose = ORIGIN
    spot: str = ""

    @property
    def view(self) -> Card:
        """What shows of it from above."""
        return self.card if self.up else BACK


class Way(Enum):
    """How a card gets to its place."""

    CARRIED = "carried"
    SLID = "slid"
    """Pushed flat over the cloth."""
    THROWN = "thrown"
    """Let go on the way: it slides on by itself, turning."""


@dataclass(frozen=True, slots=True)
class Carry:
    """One card's way in the hand, from `lifted` to `laid` (seconds); without target, off the table.

    `height` is how high it is carried above the table, mm.
    """

    piece: Piece
    lifted: float
    laid: float
    target: Piece | None
    height: float = CARRIED
    pushed: bool = False
    """Whether it stays on the table on its way, under whatever covers it."""

    @property
    def turns(self) -> bool:
        """Whether the card is turned over on the way."""
        return self.target is not None and self.target.up is not self.piece.up

    def at(self, now: float, tip: Point, ends: tuple[Point, Point]) -> tuple[Piece, float]:
        """The card in a hand whose fingertips are at `tip`, and how much of its width shows."""
        part = (now - self.lifted) / (self.laid - self.lifted)
        goal = self.target.pose if self.target else self.piece.pose
        start, end = self.piece.pose, goal if self.target else Pose(*ends[1], goal.angle)
        # The grip shifts from where the card was taken to where it will be let go.
        x, y = (
            tip[axis] + (1 - part) * (own - ends[0][axis]) + part * (last - ends[1][axis])
            for axis, own, last in ((0, start.x, end.x), (1, start.y, end.y))
        )
        turn = (goal.angle - start.angle + 180) % 360 - 180
        pose = Pose(x, y, start.angle + part * turn, self.height * sin(pi * part))
        up = self.target.up if self.target and part > 0.5 else self.piece.up
        return replace(self.piece, pose=pose, up=up), abs(cos(pi * part)) if self.turns else 1.0


@dataclass(frozen=True, slots=True)
class Flight:
    """The path of a card that was let go: it slows down and turns until it comes to rest."""

    piece: Piece
    lifted: float
    laid: float
    target: Piece
    spin: float = 0.0
    """Degrees that it turns on its way."""

    def at(self, now: float, tip: Point, ends: tuple[Point, Point]) -> tuple[Piece, float]:
        """The moving card, and how much of its width shows: all of it."""
        left = (1 - (now - self.lifted) / (self.laid - self.lifted)) ** 2
        start, goal = self.piece.pose, self.target.pose
        pose = Pose(
            goal.x + left * (start.x - goal.x),
            goal.y + left * (start.y - goal.y),
            goal.angle + left * self.spin,
            FLYING * left,
        )
        return replace(self.piece, pose=pose, up=self.target.up), 1.0


@dataclass(frozen=True, slots=True)
class Gesture:
    """One movement of the hand over the table: where its fingertips are when, and what it carries.

    `shoulder` is where the arm comes from, mm; None if it comes from the dealer.
    """

    path: tuple[tuple[float, float, float], ...]
    """(seconds, x, y), rising."""
    carries: tuple[Carry | Flight, ...]
    shoulder: Point | None = None

    @property
    def end(self) -> float:
        """When the hand has left again and all cards are at rest."""
        return max(self.path[-1][0], *(carry.laid for carry in self.carries), 0.0)

    def tip(self, now: float) -> Point:
        """Where the fingertips are: a hand is slow at both ends of a stretch."""
        number = bisect_right(self.path, now, key=itemgetter(0))
        before = self.path[max(0, number - 1)]
        after = self.path[number] if number < len(self.path) else before
        span = after[0] - before[0]
        part = (now - before[0]) / span if span else 0.0
        eased = part * part * (3 - 2 * part)
        bow = 18.0 * sin(pi * part) * (1 if after[1] >= before[1] else -1)
        return (
            before[1] + eased * (after[1] - before[1]),
            before[2] + eased * (after[2] - before[2]) - abs(bow) * (span > 0.15),
        )


def gripped(pose: Pose) -> Point:
    """Where the fingertips hold a card whose pose is `pose`."""
    return pose.x, pose.y + GRIP
