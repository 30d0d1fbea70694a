"""Reads the chips of a set in pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ChipSet
from vision.chips.circles import Circles, Slopes, circles, fitted
from vision.chips.heights import Height, Stacks
from vision.chips.lighting import light
from vision.chips.matching import APART, Match, Matcher, cells_in, cover
from vision.chips.prints import PAPER, Surroundings, logs, paper, sampled
from vision.chips.scales import evidence, kept, scale_of
from vision.chips.seen import CORNERS, SeenChips
from vision.chips.standpoint import Levelled, Standpoint
from vision.picture.geometry import Floats, Frame, Outline, averaged, checked, short_side, within

if TYPE_CHECKING:  # a sighting holds chips
    from vision.sightings import Reading

WORK_PX = 18.0
"""The radius in pixels at which chips are looked at. A choice: the width of a stripe is still three
pixels, and a picture of 1920 by 1080 shrinks to a third of its area."""
TALL = 6
"""The stack whose foot alone may be found, and from there its top. A choice."""
LIKELY = 0.42
"""From this agreement on a round thing may be a chip that others cover in part. A choice."""
HALFWAY = 0.6
"""From this share of a rim on, a circle may be a stack's foot. A choice."""
USUAL_MM = 40.0
"""The diameter of a chip where nothing tells it: that of casino chips is 39 to 40 mm. Follows from
their makers' figures."""
CARD_MM = 63.0
"""The shorter side of a card, for photographs of unknown scale: that of a poker card. Follows from
the usual size, 63 to 63.5 mm; a bridge card's is 57."""
SIZES, SIZES_BY_CARDS = (0.92, 1.1), (0.87, 1.15)
"""By how much radii may differ from the taught ones, where a calibrated camera gives the scale and
where cards do. A choice: a stack of ten is 4 % nearer; `python -m tests.chips` judges it."""
SMALLEST_PX = 11.0
"""The least radius at which chips are looked for. A choice: below, no stripe can be seen."""
LARGEST = 0.12
"""The largest radius, as a share of a picture's longer side. A choice."""
SIDE_AT = (0.33, 0.67, 1.0)
"""At which shares of the way from a stack's foot to its top, or back, a chip is presumed. A choice:
thirds of six chips overlap."""
MOVED, REFITTED = 0.12, (0.05, 0.05)
"""How far, in radii, a top appears off its foot before it is looked for, and within which spreads.
A choice; `python -m tests.chips` judges it."""
OUTLINED, IN_OUTLINE, UNSETTLED = 0.5, 0.3, 0.05
"""What a chip's agreement times the share of its free outline that is a chip's is at least, the
least share of all directions in which it is, and the most that the hull's fit may be uncertain, in
radii. Measured by `python -m tests.chips --sets development --layouts apart stacks`: of 476 chips
none had less than 0.58 and 0.6, and none more than 0.031."""
CARD_LONG = 1.6
"""From so many diameters of a chip on a side is a card's. Follows from the usual sizes: a card is
88 mm long, a chip 30 to 45 mm across, and what is taken for a back is up to 1.4 times as wide as
the chip."""
UNUSUAL, RINGED, USUAL_FIT = 0.06, 0.6, (0.07, 0.05)
"""From which difference of radii on, and share of its rim in sight, a circle may be a ring printed
inside a chip's rim; and the spreads within which that is looked for. A choice;
`python -m tests.real_chips` judges it."""
BESIDE = 3.0
"""So many radii from the middle of a chip that is believed another is believed without its outline:
a dark one on a dark table. A choice: half a chip's width between their rims."""
EQUAL = 0.04
"""Circles whose middles and radii differ by less than this share of a radius are one. A choice: the
error of a fit."""
STILL = 0.98
"""Below this share of what a chip explained at first, it waits its turn again. A choice."""
TOUCHING = 2.1
"""Chips whose centres are nearer than so many radii may lie over each other. Follows from two
radii and the errors of both."""
FINER = 1.03
"""Radii that differ by less are looked at once. A choice: a fit changes them by more."""
PLAINLY = 0.75
"""From this agreement a chip's value is as sure as it gets. A choice; `python -m tests.chips`
judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The chips in one picture: circles in its pixels, the topmost first, and their matches."""

    circles: Circles
    matches: tuple[Match, ...]
    heights: tuple[Height, ...]

    def only(self, matches: Sequence[Match]) -> Found:
        """These of its chips alone."""
        pairs = zip(self.matches, self.heights, strict=True)
        heights = tuple(height for match, height in pairs if match in matches)
        return replace(self, matches=tuple(matches), heights=heights)


class ChipReader:
    """Reads the chips of one set in pictures.

    With `px_per_mm`, the scale of a calibrated camera, it looks at one size; without, cards in the
    picture give the scale, and where there are none it tries several.
    """

    def __init__(
        self,
        chips: ChipSet,
        *,
        px_per_mm: float | None = None,
        camera: Standpoint | None = None,
    ) -> None:
        self.chips = chips
        self.px_per_mm = px_per_mm if camera is None else camera.px_per_mm
        self._camera = camera

    def beside(self, frame: Frame, reading: Reading) -> tuple[SeenChips, ...]:
        """The chips in a picture whose cards were read."""
        return self.read(frame, reading.faces, reading.unread)

    def read(
        self, frame: Frame, cards: Sequence[Outline] = (), backs: Sequence[Outline] = ()
    ) -> tuple[SeenChips, ...]:
        """The chips in `frame` (H, W, 3), in reading order, where `cards` lie face up and `backs`
        face down.

        Raises `FrameError` if `frame` is no picture.
        """
        level = Levelled.of(checked(frame), self._camera) if self._camera is not None else None
        if level is None:
            seen = self._told(self.found(frame, cards, backs))
        else:
            straight = ChipReader(self.chips, camera=level.camera)
            found = straight.found(level.picture, level.outlines(cards), level.outlines(backs))
            told = self._told(found)
            seen = [replace(one, outline=level.back(one.outline)) for one in told]
        return tuple(sorted(seen, key=lambda one: (one.centre[1], one.centre[0])))

    def _told(self, found: Found) -> list[SeenChips]:
        return [self._seen(*one) for one in zip(found.matches, found.heights, strict=True)]

    def found(
        self, frame: Frame, cards: Sequence[Outline] = (), backs: Sequence[Outline] = ()
    ) -> Found:
        """What of the set lies in a picture."""
        white = paper(frame, cards) if self.chips.lit else None
        scale = self._scale(cards)
        if scale is not None:
            return self._at(frame, scale, white, (*cards, *backs))
        return self._by_chips(frame, white, (*cards, *backs))

    def _by_chips(self, frame: Frame, white: Floats | None, cards: Sequence[Outline]) -> Found:
        """The chips in a picture whose scale only they reveal; none if they agree on no scale."""
        tried = [self._at(frame, one, white, cards) for one in self._scales(frame)]
        best = max(tried, key=lambda one: evidence(one.circles, one.matches))
        if not evidence(best.circles, best.matches):
            return best.only(())
        radii = self.chips.sizes.mean(axis=1) / 2
        again = self._at(frame, scale_of(best.circles, best.matches, radii), white, cards)
        found = max(best, again, key=lambda one: evidence(one.circles, one.matches))
        return found.only(kept(found.circles, found.matches))

    def _scale(self, cards: Sequence[Outline]) -> float | None:
        """Pixels per unit of the set's sizes, where camera or cards reveal it."""
        if not self.chips.scaled:
            return None
        if self.px_per_mm is not None:
            return self.px_per_mm
        return float(np.median([short_side(card) for card in cards])) / CARD_MM if cards else None

    def _scales(self, frame: Frame) -> list[float]:
        smallest = float(self.chips.sizes.min()) / 2
        radius, scales = SMALLEST_PX, []
        while radius <= LARGEST * max(frame.shape[:2]):
            scales.append(radius / smallest)
            radius *= SIZES_BY_CARDS[1] / SIZES_BY_CARDS[0]
        return scales

    def _at(
        self,
        frame: Frame,
        scale: float,
        white: Floats | None,
        cards: Sequence[Outline],
    ) -> Found:
        """What lies in a picture of a scale, with `cards` on which more is wanted of a chip."""
        smallest = float(self.chips.sizes[self.chips.round > 0].min(initial=1e9)) / 2
        factor = min(1.0, WORK_PX / (smallest * scale))
        high, wide = frame.shape[:2]
        size = max(1, round(wide * factor)), max(1, round(high * factor))
        work = averaged(frame, size) if factor < 1 else frame
        factor = size[0] / wide
        camera = self._camera or Standpoint.over((wide, high), self._px_per_mm(scale))
        slopes = Slopes.of(work)
        candidates = circles(slopes, self._radii(scale * factor))
        if not len(candidates):
            return Found(candidates, (), ())
        candidates = _of_usual_size(slopes, candidates, smallest * scale * factor)
        candidates = _with_tops(slopes, candidates, self._tops(candidates, camera, factor))
        candidates = _distinct(candidates)
        colours = sampled(work, candidates.centres, candidates.radii)
        colours *= np.float32(PAPER) / (white if white is not None else np.float32(PAPER))
        cast = light(
            logs(colours), candidates.support, logs(self.chips.prints), told=white is not None
        )
        colours = np.clip(colours / np.exp2(cast), 0, 400)
        cards = [card for card in cards if not chip_sized(card, 2 * smallest * scale)]
        strict = _upon(candidates.scaled(1 / factor), cards)
        around = Surroundings.of(work, candidates.centres, candidates.radii)
        matcher = Matcher.of(
            self.chips, candidates, colours, around, px_per_unit=scale * factor, strict=strict
        )
        found = candidates.scaled(1 / factor)
        stacks = Stacks(frame, found, camera, self._thickness(), presumed=self._camera is None)

        def feet(numbers: Sequence[int]) -> Floats:
            likely = [number for number, like in matcher.likeness.items() if like >= LIKELY]
            places = np.stack([one.foot for one in stacks.of(numbers, likely)])
            return np.asarray((places + 0.5) * np.float32(factor) - 0.5, np.float32)

        matches = explained(matcher, (size[1], size[0]), feet)
        told = stacks.of([one.number for one in matches])
        kept = believed(found, matches, told)
        return Found(found, tuple(matches[n] for n in kept), tuple(told[n] for n in kept))

    def _thickness(self) -> float:
        """How thick a chip of the set is, in its own radii."""
        across = float(self.chips.sizes[self.chips.round > 0].mean())
        return self.chips.thick_mm / (across if self.chips.scaled else USUAL_MM) * 2

    def _tops(self, found: Circles, camera: Standpoint, factor: float) -> Floats:
        """By how much (N, 2) the top of a stack of `TALL` appears farther out than its foot."""
        below = (np.asarray(camera.below, np.float32) + 0.5) * np.float32(factor) - 0.5
        away = (found.centres - below) * np.float32(self.chips.thick_mm / camera.height_mm)
        return np.asarray(away * TALL, np.float32)

    def _px_per_mm(self, scale: float) -> float:
        """Pixels to a millimetre; of a set whose size is not known, as if it were a usual one."""
        return scale if self.chips.scaled else scale / USUAL_MM

    def _radii(self, scale: float) -> list[float]:
        """The radii in pixels at which to look."""
        low, high = SIZES if self.px_per_mm is not None else SIZES_BY_CARDS
        sizes = self.chips.sizes.mean(axis=1)[self.chips.round > 0] / 2 * scale
        radii: list[float] = []
        for size in sorted(sizes.tolist()):
            for radius in np.linspace(size * low, size * high, 5).tolist():
                if not radii or radius > radii[-1] * FINER:
                    radii.append(radius)
        return radii

    def _seen(self, match: Match, stack: Height) -> SeenChips:
        turns = np.arange(CORNERS) * (2 * np.pi / CORNERS) + np.pi / CORNERS
        ring = np.stack([np.cos(turns), np.sin(turns)], axis=1) * stack.radius
        outline = (stack.top + ring).astype(np.float32)
        value = self.chips.values[match.kind]
        sure = round(match.chance * min(1.0, match.agreed / PLAINLY), 3)
        return SeenChips(value, stack.count, stack.least, stack.most, sure, outline)


def chip_sized(outline: Outline, diameter: float) -> bool:
    """Whether what was taken for a card lying face down is no larger than a chip of so many pixels:
    a chip with a border looks like a back."""
    corners = np.asarray(outline, np.float32)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return float(sides.max()) < CARD_LONG * diameter


def _of_usual_size(slopes: Slopes, found: Circles, radius: float) -> Circles:
    """The circles, and for those that may be a ring within a chip the rim of a usual `radius`
    around them."""
    which = np.flatnonzero((np.abs(found.radii / radius - 1) > UNUSUAL) & (found.support >= RINGED))
    if not len(which):
        return found
    rims = found[which]
    usual = replace(rims, radii=np.full(len(which), radius, np.float32))
    return Circles.joined([found, fitted(slopes, usual, USUAL_FIT)])


def _with_tops(slopes: Slopes, found: Circles, tops: Floats) -> Circles:
    """The circles, and those that would be the tops of stacks of which they are the foot."""
    reach = np.linalg.norm(tops, axis=1)
    which = np.flatnonzero((found.support >= HALFWAY) & (reach > MOVED * found.radii))
    if not len(which):
        return found
    parts = [found]
    for share in SIDE_AT:
        feet = found[which]
        moved = replace(feet, centres=feet.centres + tops[which] * np.float32(share))
        parts.append(fitted(slopes, moved, REFITTED))
    return Circles.joined(parts)


def _distinct(found: Circles) -> Circles:
    """The circles but for those that are another one's equal with less of a rim."""
    away = np.linalg.norm(found.centres[:, None] - found.centres[None], axis=2)
    wider = np.abs(found.radii[:, None] / found.radii[None] - 1)
    equal = (away < EQUAL * found.radii[:, None]) & (wider < EQUAL)
    rank = np.empty(len(found), np.intp)
    rank[np.argsort(-found.support, kind="stable")] = np.arange(len(found))
    return found[~(equal & (rank[None] < rank[:, None])).any(axis=1)]


def believed(found: Circles, matches: Sequence[Match], heights: Sequence[Height]) -> list[int]:
    """The numbers of the `matches` whose outline is that of a chip, or that lie beside one of
    those: many things on tables agree with a chip somewhere within, and none of them ends there.
    """
    pairs = list(zip(matches, heights, strict=True))
    kept = [number for number, (match, stack) in enumerate(pairs) if _outlined(match, stack)]
    left = [number for number in range(len(pairs)) if number not in kept]
    for known in kept:  # grows as it goes
        middle = found.centres[matches[known].number]
        reach = BESIDE * found.radii[matches[known].number]
        for number in list(left):
            away = np.linalg.norm(found.centres[matches[number].number] - middle)
            if away < reach:
                kept.append(number)
                left.remove(number)
    return sorted(kept)


def _outlined(match: Match, stack: Height) -> bool:
    """Whether face and outline together are those of a chip, in most of what is in sight."""
    return (
        match.agreed * stack.round >= OUTLINED
        and stack.whole >= IN_OUTLINE
        and stack.unsure <= UNSETTLED
    )


def explained(
    matcher: Matcher, shape: tuple[int, int], feet: Callable[[Sequence[int]], Floats]
) -> list[Match]:
    """The chips that explain the picture of `shape` (h, w), the topmost first.

    `feet` says where the middles (n, 2) of the lowest chips under some appear.
    """
    covered = np.zeros(shape, np.uint8)
    found = matcher.found
    chosen: list[Match] = []
    left = np.arange(len(found))
    while len(left):
        fresh = _taken(
            matcher, matcher.matches(cells_in(covered, found, left), left), covered, feet
        )
        if not fresh:
            break
        chosen += fresh
        left = _beneath(found, left, chosen, fresh)
        matcher.beside(left, [match.number for match in chosen], cells_in(covered, found, left))
    return chosen


def _taken(
    matcher: Matcher,
    likely: Sequence[Match],
    covered: NDArray[np.uint8],
    feet: Callable[[Sequence[int]], Floats],
) -> list[Match]:
    """Those of the `likely` chips that are whole where nothing else covers them, the clearest
    first; they are marked in `covered`."""
    found, chosen = matcher.found, list[Match]()
    queue = sorted(likely, key=lambda match: -match.score)
    if not queue:
        return []
    numbers = [match.number for match in queue]
    lowest = dict(zip(numbers, feet(numbers), strict=True))
    while queue:
        match = queue.pop(0)
        if any(_same(found, match.number, other.number) for other in chosen):
            continue
        one = np.array([match.number])
        visible = cells_in(covered, found, one)
        again = matcher.matches(visible, one) if visible.min() < 1 else [match]
        if not again:
            continue
        if queue and again[0].score < min(STILL * match.score, queue[0].score):
            queue = sorted([*queue, again[0]], key=lambda match: -match.score)
            continue
        chosen.append(again[0])
        size = float(found.radii[match.number])
        top, low = found.centres[match.number], lowest[match.number]
        for part in (0.0, *SIDE_AT):
            cover(covered, top + (low - top) * np.float32(part), size)
    return chosen


def _beneath(
    found: Circles, left: NDArray[np.intp], chosen: Sequence[Match], fresh: Sequence[Match]
) -> NDArray[np.intp]:
    """Which of those `left` may lie under one of the `fresh` chips: those close to one."""
    tops = found.centres[[match.number for match in fresh]]
    every = found.centres[[match.number for match in chosen]]
    reach = found.radii[left][:, None]
    near = np.linalg.norm(found.centres[left][:, None] - tops[None], axis=2) < TOUCHING * reach
    apart = np.linalg.norm(found.centres[left][:, None] - every[None], axis=2) >= APART * reach
    return np.asarray(left[near.any(axis=1) & apart.all(axis=1)], np.intp)


def _same(found: Circles, one: int, other: int) -> bool:
    away = float(np.linalg.norm(found.centres[one] - found.centres[other]))
    return away < APART * float(max(found.radii[one], found.radii[other]))


def _upon(found: Circles, cards: Sequence[Outline]) -> NDArray[np.bool_]:
    """Which circles lie on a card with half of themselves or more."""
    upon = np.zeros(len(found), np.bool_)
    for card in cards:
        corners = np.asarray(card, np.float32)
        upon |= np.array([within(corners, centre) for centre in found.centres], np.bool_)
    return upon
