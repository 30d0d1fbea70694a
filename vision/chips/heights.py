"""The number of chips in a stack, from how far its outline extends beyond its top.

The top of a stack is nearer to the camera, so it appears farther out than its foot: the outline is
the convex hull of the two. Straight under the camera the lengths of different numbers of chips
hardly differ, and the number is a range.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.chips.chances import HELD, MOST, Chances, ranged
from vision.chips.circles import AROUND, Circles
from vision.chips.gauge import Evidence
from vision.chips.open_sides import open_sides, overlapping_others, standing_beside, unhidden_beside
from vision.chips.outlined import Outlined
from vision.chips.photographs import Signs, likely_numbers
from vision.chips.silhouettes import NEAR, Edges, Paper, Sides, edges_around
from vision.chips.stack_hulls import Hulls, hulls
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Floats, Frame

SEARCHED = 12
"""Maximum height of a stack that is searched for, in chips. A choice."""
FIRST, ENDED = 4, 0.8
"""Stacks of up to `FIRST` chips are tried first; taller ones only if less than the share `ENDED` of
the visible near side ends there. A choice: most chips lie singly, and a short search costs half."""
PLAIN_STACK, PRESUMED = 6, (0.4, 1.5)
"""With an uncalibrated camera, a stack counted lower than this may be one chip with its shadow;
otherwise the true number is between these shares of the count. Measured by `python -m
tests.real_chips` under cameras tilted by up to 12 degrees: 9 of 82 single chips were counted as
more, 6 of them below this."""
IN_SIGHT = 0.4
"""Minimum share of the near side not hidden by others for the number to be read; otherwise the
thing is half on another chip. A choice."""
SEEMS_ONE = 0.5
"""Minimum probability that such a thing is one chip for it to count as one in a photograph. A
choice: chips laid half on others have 0.64 to 1, of 4 stacks behind others 3 have less than a
third."""
SAME = 0.15
"""Maximum distance between the centres of circles that belong to one thing, in radii. A choice:
fits of one rim differ by less."""


class _Sought(Protocol):
    """What is found around stacks as far as it was searched."""

    @property
    def seen(self) -> Floats:
        """The share (N,) of the near side that shows an edge."""

    def put(self, numbers: NDArray[np.intp], others: Self) -> None:
        """Replace some of them."""


S = TypeVar("S", bound=_Sought)


@dataclass(frozen=True, slots=True, eq=False)
class Height:
    """The height of a stack: the likeliest number of chips, the least and the most.

    `foot` and `top` (2,) are the centres of its foot and its top, and `radius` is the top's, in
    pixels. `whole` is the share of all directions in which its outline is that of a stack, `round`
    the share in which nothing else is in the way, and `unsure` the error of its fit, in radii.
    """

    count: int
    least: int
    most: int
    foot: Floats
    top: Floats
    radius: float
    whole: float
    round: float
    unsure: float
    chances: NDArray[np.float64]
    """The probability (MOST,) of each number of chips."""
    shown: bool
    """Whether enough of its near side is in sight."""
    sides: NDArray[np.float64] | None = None
    """The same for each thickness (T, MOST) of which it is not known which one is true, up to a
    factor; None if the thickness is known."""
    evidence: Evidence | None = None
    """What its side and its face show, if both were judged."""
    signs: Signs | None = None
    """What a photograph shows of it, if nobody has measured the camera."""
    alike: bool = False
    """Whether its side would have the table's colour, so that it may be taller than it seems."""
    strange: bool = False
    """Whether its face is another than that of the value it is taken for."""
    outlined: tuple[Outlined, int] | None = None
    """Its outline, as one of those measured with it, if it is round and the camera was
    calibrated."""


@dataclass(frozen=True, slots=True, eq=False)
class Stacks:
    """The heights of the round things in a picture, each measured once.

    A chip's thickness is `thickness` times its radius; if the camera is `presumed`, the ranges are
    wider.
    """

    frame: Frame
    camera: Standpoint
    thickness: float
    presumed: bool
    paper: Paper | None = None
    doubt: float = 0.0
    """Relative standard deviation of the thickness, 0 if it was measured."""
    hidden: NDArray[np.uint8] | None = None
    """Where (H, W) something else lies that is not round, 1 or 0; None if nothing does."""
    measured: dict[int, Height] = field(default_factory=dict)
    beside: dict[int, frozenset[int]] = field(default_factory=dict)
    """What may have hidden a side of each of those when it was measured."""

    def among(self, found: Circles, chips: Sequence[int]) -> list[Height]:
        """The heights of the `chips`, assuming that only they can hide each other's sides."""
        for number, beside in zip(chips, standing_beside(found, chips, chips), strict=True):
            # What seemed to hide a side may have been the stack's own foot.
            if self.beside.get(number, beside) != beside:
                del self.measured[number]
        return self.of(found, chips, chips)

    def of(
        self, found: Circles, numbers: Sequence[int], others: Sequence[int] = ()
    ) -> list[Height]:
        """The heights of `numbers` among those `found`; `others` near them may hide their sides."""
        fresh: list[int] = []
        like: dict[int, int] = {}
        for number in numbers:
            if number not in self.measured:
                like[number] = self._like(found, number, fresh)
                if like[number] == number:
                    fresh.append(number)
        if fresh:
            told = self._measured(found, fresh, others)
            told = [widened(one) for one in told] if self.presumed else told
            self.measured.update(zip(fresh, told, strict=True))
            self.beside.update(zip(fresh, standing_beside(found, fresh, others), strict=True))
        for number, same in like.items():
            self.measured[number], self.beside[number] = self.measured[same], self.beside[same]
        return [self.measured[number] for number in numbers]

    def together(self, found: Circles, chips: Sequence[int]) -> list[Height]:
        """The heights of the `chips` in a photograph, judged together.

        What overlaps others keeps its own, unless it is a stack that hides behind them.
        """
        alone, free = self.among(found, chips), self._measured(found, chips, chips, free=True)
        told = likely_numbers(
            [one.signs for one in free if one.signs is not None],
            focal_px=self.camera.focal_px, slant=self.camera.leans, thickness=self.thickness,
            doubt=self.doubt,
        )  # fmt: skip
        left, settled = iter(told), list[Height]()
        for one, other in zip(alone, free, strict=True):
            if other.signs is not None:
                settled.append(recounted(one, next(left)))
            else:
                settled.append(widened(other) if other.shown and not one.shown else one)
        return settled

    def _measured(
        self, found: Circles, numbers: Sequence[int], others: Sequence[int], *, free: bool = False
    ) -> list[Height]:
        beside = np.zeros(len(found), np.bool_)
        beside[list(others)] = True
        return heights(
            self.frame, found, numbers, self.camera, self.thickness,
            others=beside, paper=self.paper, hidden=self.hidden, feet=self._feet(found),
            doubt=self.doubt, free=free,
        )  # fmt: skip

    def _feet(self, found: Circles) -> Floats:
        """Where things stand: the feet of those that are stacks for certain, else the centres."""
        feet = found.centres.copy()
        for number, one in self.measured.items():
            if one.least > 1:
                feet[number] = one.foot
        return feet

    def _like(self, found: Circles, number: int, fresh: Sequence[int]) -> int:
        """The one of the `fresh` that is the same circle in another fit, or the circle itself."""
        if not fresh:
            return number
        away = np.linalg.norm(found.centres[list(fresh)] - found.centres[number], axis=1)
        nearest = int(away.argmin())
        same = away[nearest] < SAME * found.radii[number]
        return fresh[nearest] if same else number


def heights(
    frame: Frame,
    found: Circles,
    which: Sequence[int],
    camera: Standpoint,
    thickness: float,
    *,
    others: NDArray[np.bool_] | None = None,
    paper: Paper | None = None,
    hidden: NDArray[np.uint8] | None = None,
    feet: Floats | None = None,
    doubt: float = 0.0,
    free: bool = False,
) -> list[Height]:
    """Count the chips in each stack whose top is one of the round things `which` among those
    `found`.

    A chip's thickness is `thickness` times its radius. Those of the `others` (len(found),) that are
    near a stack may hide its side; `paper` says where cards are, and `hidden` where other things
    are. `feet` (len(found), 2) are where all of those found stand, as far as that is known; `doubt`
    is the relative standard deviation of the thickness, if it was not measured. Stacks that are
    `free` may lean in any direction, and those that overlap no others have signs then.
    """
    numbers = np.asarray(which, np.intp)
    there = np.zeros(len(found), np.bool_) if others is None else others
    views = _Views.of(found, numbers, camera)
    sides = _unhidden(found, numbers, views, there, hidden)
    near = sides.open[:, AROUND[:, 0] < -NEAR].mean(axis=1)
    steps = thickness * views.distances * views.radii / camera.focal_px
    seen = _hulls(frame, views, steps, sides=sides, near=near, paper=paper, free=free)
    lacking = 1 - seen.seen / np.maximum(near, IN_SIGHT / 2)
    alone = Outlined.of(seen, camera, thickness, doubt, distances=views.distances, lacking=lacking)
    places = found.centres.copy() if feet is None else feet.copy()
    outlined, (chances, by_thickness) = _judged(alone, found, numbers, there, places=places)
    # A thing half on another chip is not a stack; one behind another may be.
    shown = (near >= IN_SIGHT) | ~outlined.lapping
    if not free:
        return counted(seen, chances, by_thickness, shown=shown, outlined=outlined)
    told = counted(seen, chances, by_thickness, shown=shown | (chances[:, 0] < SEEMS_ONE))
    return [
        one if covered else replace(one, signs=signs(seen, number, camera))
        for number, (one, covered) in enumerate(zip(told, outlined.lapping.tolist(), strict=True))
    ]


def _hulls(
    frame: Frame,
    views: _Views,
    steps: Floats,
    *,
    sides: Sides,
    near: Floats,
    paper: Paper | None,
    free: bool,
) -> Hulls:
    """The hulls of things seen as `views`, each chip of which moves a foot by `steps` (N,) pixels.

    `near` (N,) is the share of the near side in sight. Where stacks are `free` to lean in any
    direction, which of their sides is near follows from the hull.
    """

    def here(some: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        return views.centres[some], views.radii[some], views.outwards[some]

    def edges(some: NDArray[np.intp], most: int) -> Edges:
        reach = float(most * steps[some].max())
        return edges_around(
            frame, *here(some), reach=reach, sides=sides[some], paper=paper, each=free
        )

    def leaning(some: NDArray[np.intp], most: int) -> Hulls:
        return hulls(edges(some, most), *here(some), sides=sides[some], free=True)

    if free:
        return searched(leaning, near)
    return hulls(searched(edges, near), *here(np.arange(len(steps))), sides=sides)


@dataclass(frozen=True, slots=True, eq=False)
class _Views:
    """How the camera sees N round things.

    `centres` (N, 2) and `radii` (N,) are in pixels; `distances` (N,) are those from the pixel below
    the camera, and the unit vectors `outwards` (N, 2) point away from it.
    """

    centres: Floats
    radii: Floats
    distances: Floats
    outwards: Floats

    @classmethod
    def of(cls, found: Circles, numbers: NDArray[np.intp], camera: Standpoint) -> _Views:
        """The things `numbers` of those `found`, as a camera sees them."""
        centres, radii = found.centres[numbers], found.radii[numbers]
        away = centres - np.asarray(camera.below, np.float32)
        away[np.linalg.norm(away, axis=1) < 1] = (1.0, 0.0)
        distances = np.linalg.norm(away, axis=1)
        return cls(centres, radii, distances, (away / distances[:, None]).astype(np.float32))


def _unhidden(
    found: Circles,
    numbers: NDArray[np.intp],
    views: _Views,
    others: NDArray[np.bool_],
    hidden: NDArray[np.uint8] | None,
) -> Sides:
    """Where neither the `others` nor other things hide the sides of the things `numbers`."""
    open_to, table = open_sides(found, numbers, views.outwards, others)
    if hidden is not None:
        bare = unhidden_beside(hidden, views.centres, views.radii, views.outwards)
        open_to, table = open_to & bare[0], table & bare[0] & bare[1]
    return Sides(open_to, table)


def _judged(
    alone: Outlined,
    found: Circles,
    numbers: NDArray[np.intp],
    others: NDArray[np.bool_],
    *,
    places: Floats,
) -> tuple[Outlined, tuple[Chances, Chances | None]]:
    """The outlines of the things `numbers`, with which of them overlap others, and how likely each
    number of chips is then.

    `alone` are the same outlines as if none did; `places` (len(found), 2) is where all of those
    `found` stand; those of stacks are corrected.
    """
    lapping = overlapping_others(found, places, numbers, others)
    told = alone.likely()
    if not lapping.any():
        return alone, told
    # The top of a stack only leans over what stands beside its foot.
    seen, stack = alone.seen, told[0][:, :2].sum(axis=1) < 1 - HELD
    places[numbers[stack]] = (seen.tops - seen.outwards * seen.leans[:, None])[stack]
    outlined = replace(alone, lapping=overlapping_others(found, places, numbers, others))
    return outlined, outlined.likely()


def signs(seen: Hulls, number: int, camera: Standpoint) -> Signs:
    """What the outline `number` of those `seen` says in a photograph."""
    lean = seen.outwards[number] * seen.leans[number]
    place = seen.tops[number] - np.asarray(camera.below, np.float32)
    rest = (seen.unsure, seen.radii, seen.shadows, seen.firm, seen.hidden)
    return Signs(place, lean, *(float(one[number]) for one in rest))


def searched(search: Callable[[NDArray[np.intp], int], S], near: Floats) -> S:
    """What is found around stacks: of low ones first, and up to higher ones only where too little
    of the side in sight ends there.

    `search` finds that of some things for feet of up to a number of chips below their tops; `near`
    (N,) is the share of the near side in sight.
    """
    found = search(np.arange(len(near)), FIRST)
    taller = np.flatnonzero(found.seen < ENDED * near)
    if len(taller):
        found.put(taller, search(taller, SEARCHED))
    return found


def counted(
    seen: Hulls, chances: Chances, every: Chances | None, *, shown: NDArray[np.bool_],
    outlined: Outlined | None = None,
) -> list[Height]:  # fmt: skip
    """The heights of stacks with these outlines and these probabilities, also by thickness if
    `every` (N, T, MOST) is given.

    What is not `shown` (N,) counts as one chip. They are `outlined` together, if they can be judged
    again.
    """
    told = []
    for number, chance in enumerate(chances):
        top, radius = seen.tops[number], float(seen.radii[number])
        foot = top - seen.outwards[number] * seen.leans[number]
        count, least, most = ranged(chance) if shown[number] else (1, 1, 1)
        shares = float(seen.whole[number]), float(seen.round[number])
        unsure = float(seen.unsure[number]) / radius
        sides = None if every is None else every[number]
        one = (count, least, most, foot, top, radius, *shares, unsure, chance)
        alike = bool(seen.alike[number])
        row = None if outlined is None else (outlined, number)
        told.append(Height(*one, shown=bool(shown[number]), sides=sides, alike=alike, outlined=row))
    return told


def recounted(stack: Height, chances: NDArray[np.float64]) -> Height:
    """A height with other probabilities (MOST,) of each number, which need not add up to one."""
    chances = chances / chances.sum()
    count, least, most = ranged(chances)
    return replace(stack, count=count, least=least, most=most, chances=chances)


def widened(stack: Height) -> Height:
    """Widen a height's range for an uncalibrated camera.

    Which side of a stack shows, and how much of it, was only presumed.
    """
    if stack.count == 1:
        return stack
    least = 1 if stack.count < PLAIN_STACK else ceil(stack.count * PRESUMED[0])
    most = min(MOST, ceil(stack.count * PRESUMED[1]) + 1)
    return replace(stack, least=min(stack.least, least), most=max(stack.most, most))
