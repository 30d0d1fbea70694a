"""Reads the chips of a set in pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.chips.believing import ONE
from vision.chips.beside_cards import unread
from vision.chips.chip_set import ChipSet
from vision.chips.circles import Circles, circles
from vision.chips.found import Found
from vision.chips.gauge import Gauge
from vision.chips.heights import Height
from vision.chips.looking import Look, Standing, light_of
from vision.chips.matching import Match
from vision.chips.plaque_reading import PlaqueReading, plaques_in, ring
from vision.chips.prints import paper
from vision.chips.ringed import rims_around, ringed
from vision.chips.rounds import Rounds
from vision.chips.seen import SeenChips
from vision.chips.sight import Sight, distinct, of_usual_size
from vision.chips.slant import leaning
from vision.chips.standpoint import Levelled, Standpoint
from vision.picture.geometry import Floats, Frame, Outline, checked, distance, short_side

if TYPE_CHECKING:  # a sighting holds chips
    from vision.sightings import Reading

WORK_PX = 18.0
"""Radius at which chips are examined, in pixels. A choice: a stripe is still three pixels wide, and
a picture of 1920 by 1080 shrinks to a third of its area."""
CARD_MM = 63.0
"""Shorter side of a card, for photographs of unknown scale: that of a poker card. Follows from the
usual size, 63 to 63.5 mm; a bridge card has 57."""
SIZES, SIZES_BY_CARDS = (0.92, 1.1), (0.87, 1.15)
"""Range of radii relative to the taught ones: with the scale from a calibrated camera, and from
cards. A choice: a stack of ten is 4 % nearer; `python -m tests.chips` judges it."""
BY_CHIPS, CLEARLY = (0.88, 1.13), 1.5
"""By how much else the scale of a photograph may differ from what its cards say, and how many times
as much evidence the chips must show for that. A choice: with five slanted or half-covered cards in
the photograph taught from and in the one to read, stacks of four appeared 1.22 times as large as
was expected, and none was found. With 1.2, ranges of stacks became a tenth wider.
"""
AGAIN = 0.8
"""Distance in radii below which chips of one value, seen in two ways, are one. A choice: of a white
one half under another, on a pale table, one way found only the sliver, 0.55 off.
`python -m tests.real_chips` judges it."""
TONES, CURVED = ((0.86, 0.74), (1.16, 1.35)), 1.1
"""Exponents of the curves that are tried for a photograph, brighter and darker ones by turns, and
how many times as much evidence the chips must show on one. A choice: what is between black and
white is as much brighter or darker as telephones judge each scene; with 0.8 a red chip in full view
agreed by 0.64 with the one that was taught. `python -m tests.real_chips` judges it."""
RADII = 4
"""Number of radii examined in that range. A choice: they differ by a pixel, and votes spread as
far."""
SMALLEST_PX = 11.0
"""Minimum radius at which chips are searched for, in pixels. A choice: in smaller ones no stripe is
visible."""
LARGEST = 0.12
"""Maximum radius, as a share of a picture's longer side. A choice."""
FINER = 1.03
"""Minimum ratio between two radii that are examined separately. A choice: a fit changes them by
more."""
PLAINLY, STRANGE = 0.85, 0.5
"""Agreement at which a chip's value is as sure as it gets, and the most that it is if its face is
another than the one taught. A choice: of 267 drawn chips laid singly none agreed by less than 0.8,
and of 373 of other sets 17 by 0.68 to 0.78."""


class ChipReader:
    """Reads the chips of one set in pictures.

    With `px_per_mm`, the scale of a calibrated camera, it tries one size; without it, the cards in
    the picture give the scale, and if there are none it tries several. A `camera` that is only
    `presumed` leaves the scale slightly uncertain.
    """

    def __init__(
        self,
        chips: ChipSet,
        *,
        px_per_mm: float | None = None,
        camera: Standpoint | None = None,
        presumed: bool = False,
        gauge: Gauge | None = None,
    ) -> None:
        self.chips = chips
        self.px_per_mm = px_per_mm if camera is None else camera.px_per_mm
        self._camera = camera
        known = self.px_per_mm is not None and not presumed
        doubt = camera.doubt if camera is not None else 0.0
        gauge = (
            gauge if gauge is not None else Gauge.of(len(chips.values), doubt, chips.thick_doubt)
        )
        self._standing = Standing(camera, presumed or camera is None, gauge)
        self._sizes = SIZES if known else SIZES_BY_CARDS

    def level(self, frame: Frame) -> Levelled | None:
        """A picture as its known camera would see it looking straight down.

        None if it does so, or no camera is known. Raises `FrameError` if `frame` is not a picture.
        """
        return Levelled.of(checked(frame), self._camera) if self._camera else None

    def rounds(self, frame: Frame) -> Rounds | None:
        """Find what is round and of the set's size in a picture whose cards are not yet read.

        None if only the cards can give the scale. Raises `FrameError` if `frame` is not a picture.
        """
        found = self._rounds_in(frame)
        if found is None or not found.plaques:
            return found
        level = found.levelled
        here = self if level is None else ChipReader(self.chips, camera=level.camera)
        return here._with_plaques(frame if level is None else level.picture, found)

    def _rounds_in(self, frame: Frame) -> Rounds | None:
        """The same without saying which of them are plaques."""
        if self.px_per_mm is None or not self.chips.scaled:
            return None
        level = self.level(frame)
        if level is None:
            return self._rounds(frame, self.px_per_mm)
        straight = ChipReader(self.chips, camera=level.camera)
        found = straight._rounds(level.picture, level.camera.px_per_mm)
        return replace(found, levelled=level)

    def beside(
        self, frame: Frame, reading: Reading, rounds: Rounds | None = None
    ) -> tuple[SeenChips, ...]:
        """Read the chips in a picture whose cards were read."""
        return self.read(frame, reading.faces, unread(reading), rounds=rounds)

    def read(
        self,
        frame: Frame,
        cards: Sequence[Outline] = (),
        backs: Sequence[Outline] = (),
        *,
        rounds: Rounds | None = None,
    ) -> tuple[SeenChips, ...]:
        """Read the chips in `frame` (H, W, 3), in reading order.

        `cards` are face up and `backs` face down; `rounds` are the round things, if they were found
        before. Raises `FrameError` if `frame` is not a picture.
        """
        rounds = rounds or self._rounds_in(frame)
        if self._camera is None:
            seen = self._unaided(checked(frame), cards, backs, rounds)
        else:
            seen = self._under(self._camera, checked(frame), cards, backs, rounds)
        return _in_order(seen)

    def read_level(
        self, level: Levelled, cards: Sequence[Outline] = (), backs: Sequence[Outline] = ()
    ) -> tuple[SeenChips, ...]:
        """Read the chips in a picture made `level`, which need not be kept as it was.

        Cards, backs and what is seen are in the pixels of the original.
        """
        return _in_order(self._in_level(level, cards, backs))

    def _under(
        self,
        camera: Standpoint,
        frame: Frame,
        cards: Sequence[Outline],
        backs: Sequence[Outline],
        rounds: Rounds | None,
    ) -> list[SeenChips]:
        """Read the chips under a known camera, as if it looked straight down."""
        level = rounds.levelled if rounds else Levelled.of(frame, camera)
        if level is None:
            return self._told(self.found(frame, cards, backs, rounds))
        return self._in_level(level, cards, backs, rounds)

    def _in_level(
        self,
        level: Levelled,
        cards: Sequence[Outline],
        backs: Sequence[Outline],
        rounds: Rounds | None = None,
    ) -> list[SeenChips]:
        """Read the chips in a picture made `level`, on cards as they lie in the original."""
        straight = ChipReader(self.chips, camera=level.camera, gauge=self._standing.gauge)
        lying = level.outlines(cards), level.outlines(backs)
        if rounds is None and self.chips.scaled:
            rounds = straight._rounds(level.picture, level.camera.px_per_mm)
            rounds = replace(rounds, levelled=level)
        return self._told(straight.found(level.picture, *lying, rounds), level)

    def _unaided(
        self,
        frame: Frame,
        cards: Sequence[Outline],
        backs: Sequence[Outline],
        rounds: Rounds | None,
    ) -> list[SeenChips]:
        """Read the chips in a picture from an unknown camera position.

        Once some are found, they and the cards reveal the position.
        """
        found = self.found(frame, cards, backs, rounds)
        if not found.matches and not found.plaques:
            return []
        alike = found.circles[np.array([match.number for match in found.matches], np.intp)]
        size = frame.shape[1], frame.shape[0]
        camera = leaning(size, self.chips.px_per_mm(found.scale), cards, alike)
        level = Levelled.of(frame, camera)
        if level is None:
            return self._told(found)
        straight = ChipReader(self.chips, camera=level.camera, presumed=True)
        scale = found.scale * float(np.median(level.magnified(found.places)))
        white = paper(frame, cards) if self.chips.lit else None
        lying = level.outlines((*cards, *backs))
        rounds = replace(straight._rounds(level.picture, scale), levelled=level)
        seen = straight._at(level.picture, scale, white, lying, rounds, tone=found.tone)
        if self._scale(cards) is None:
            seen = seen.sure
        return _together(self._told(seen, level), self._told(found))

    def _told(self, found: Found, level: Levelled | None = None) -> list[SeenChips]:
        """What was found in a picture, or in one that was `level`, in the original's pixels."""
        stacks = list(zip(found.matches, found.heights, strict=True))
        stacks += [(one.match, one.height) for one in found.plaques]
        outlines = [ring(one.top, one.radius) for one in found.heights]
        outlines += [one.outline for one in found.plaques]
        if level is not None and outlines:
            corners = np.stack(outlines)
            outlines = list(level.back(corners.reshape(-1, 2)).reshape(corners.shape))
        return [
            self._seen(match, one, outline)
            for (match, one), outline in zip(stacks, outlines, strict=True)
        ]

    def found(
        self,
        frame: Frame,
        cards: Sequence[Outline] = (),
        backs: Sequence[Outline] = (),
        rounds: Rounds | None = None,
    ) -> Found:
        """Find chips of the set in a picture, whose round things may be known."""
        white = paper(frame, cards) if self.chips.lit else None
        scale = self._scale(cards)
        if scale is not None:
            seen = self._at(frame, scale, white, (*cards, *backs), rounds)
            if self.px_per_mm is not None:
                return seen
            seen = self._by_size(frame, white, (*cards, *backs), seen)
            return self._by_tone(frame, white, (*cards, *backs), seen)
        return self._by_chips(frame, white, (*cards, *backs))

    def _by_tone(
        self, frame: Frame, white: Floats | None, cards: Sequence[Outline], seen: Found
    ) -> Found:
        """What was `seen` in a photograph, or on a camera's curve that makes the chips clearer."""
        rounds = self._rounds(frame, seen.scale)
        for tones in TONES:
            for tone in tones:
                other = self._at(frame, seen.scale, white, cards, rounds, tone=tone)
                if other.evidence <= CURVED * seen.evidence:
                    break
                seen = other
        return seen

    def _by_size(
        self, frame: Frame, white: Floats | None, cards: Sequence[Outline], seen: Found
    ) -> Found:
        """What was `seen` at the scale that the cards tell, or what the chips make clear if they
        appear larger or smaller."""
        others = [self._at(frame, seen.scale * by, white, cards).sure for by in BY_CHIPS]
        best = max(others, key=lambda one: one.evidence)
        return best if best.evidence > CLEARLY * seen.evidence else seen

    def _by_chips(self, frame: Frame, white: Floats | None, cards: Sequence[Outline]) -> Found:
        """Find the chips in a picture whose scale only they reveal; none if they agree on none."""
        tried = [self._at(frame, one, white, cards) for one in self._scales(frame)]
        best = max(tried, key=lambda one: one.evidence)
        if not best.evidence:
            return best.only(())
        again = self._at(frame, best.scale_by(self.chips.sizes.min(axis=1) / 2), white, cards)
        return max(best, again, key=lambda one: one.evidence).sure

    def _scale(self, cards: Sequence[Outline]) -> float | None:
        """Pixels per unit of the set's sizes, if camera or cards reveal it."""
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
        rounds: Rounds | None = None,
        *,
        tone: float = 1.0,
    ) -> Found:
        """Find the chips in a picture of a known scale and `tone`; on `cards`, chips must meet
        more."""
        rounds = (rounds or self._rounds(frame, scale)).lit(white)
        if not len(rounds.found) and not len(rounds.rings) and not rounds.plaques:
            return Found(rounds.found, (), (), scale)
        look = Look.of(
            self.chips, self._standing, frame, scale, rounds, white=white, cards=cards, tone=tone
        )
        return replace(look.found(), tone=tone)

    def _rounds(self, frame: Frame, scale: float) -> Rounds:
        """Find what is round and of the set's size in a picture of a known scale."""
        smallest = self.chips.smallest / 2 * scale
        sight = Sight.of(frame, WORK_PX / smallest, None)
        radii = self._radii(scale * sight.factor)
        found = circles(sight.slopes, radii) if radii else Circles.none()
        rims = of_usual_size(sight.slopes, found, smallest * sight.factor)
        rings = ringed(sight.slopes, self.chips, rims, scale * sight.factor, self._sizes)
        rounds = Rounds(sight, rims, rings=rings, rims=rims_around(sight.slopes, rings))
        known = self._sizes == SIZES
        return replace(rounds, plaques=plaques_in(self.chips, rounds, scale, known=known))

    def _with_plaques(self, frame: Frame, rounds: Rounds) -> Rounds:
        """The same, once the plaques on which nothing lies are known."""
        if not rounds.plaques:
            return rounds
        camera = self._standing.over(frame, self.chips.px_per_mm(self.px_per_mm or 1))
        lit = light_of(self.chips, rounds.sight, distinct(rounds.found), rounds.plaques)
        flat = PlaqueReading.of(
            frame, self.chips, rounds, lit, (), camera=camera, presumed=True, paper=None
        )
        return replace(rounds, laid=flat.layers.found if flat is not None else None)

    def _radii(self, scale: float) -> list[float]:
        """The radii in pixels at which to search."""
        low, high = self._sizes
        sizes = self.chips.sizes.mean(axis=1)[self.chips.round > 0] / 2 * scale
        radii: list[float] = []
        for size in sorted(sizes.tolist()):
            for radius in np.linspace(size * low, size * high, RADII).tolist():
                if not radii or radius > radii[-1] * FINER:
                    radii.append(radius)
        return radii

    def _seen(self, match: Match, stack: Height, outline: Floats) -> SeenChips:
        value = self.chips.values[match.kind]
        sure = match.chance * min(1.0, match.agreed / PLAINLY)
        sure = round(min(sure, STRANGE) if stack.strange else sure, 3)
        return SeenChips(value, stack.count, stack.least, stack.most, sure, outline, stack.evidence)


def _in_order(seen: Iterable[SeenChips]) -> tuple[SeenChips, ...]:
    """What is seen, in reading order."""
    return tuple(sorted(seen, key=lambda one: (one.centre[1], one.centre[0])))


def _together(some: Sequence[SeenChips], others: Sequence[SeenChips]) -> list[SeenChips]:
    """Merge the chips of two ways of looking at a picture; where both see one, `some` takes
    precedence."""
    return [*some, *(one for one in others if not any(_is_one(one, other) for other in some))]


def _is_one(one: SeenChips, other: SeenChips) -> bool:
    """Whether what was seen in two ways is one chip."""
    near = AGAIN if one.value == other.value else ONE
    return distance(one.centre, other.centre) < near * float(np.ptp(one.outline[:, 0])) / 2
