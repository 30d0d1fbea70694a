"""Where a card lies, measured against the picture of an equal one that lay there before.

The outline of a card is worked out from its indices and jumps by some millimetres between readings
with other cards around it. Whether a card has come to light again, or an equal one of another pack
was laid on the pile, is told by less: nobody lays a card within half a millimetre of where an equal
one lies. So both are compared picture by picture, at the camera's own resolution, which tells how
far and by how much of a turn they are apart to a fraction of a pixel.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK
from vision.picture.geometry import Frame, Outline, corners_apart, distance, short_side
from vision.sightings import Lying
from vision.track.consensus import NEAR, apart

Matrix: TypeAlias = NDArray[np.float64]

REMEMBERED = 12
"""Number of cards of a spot whose pictures are kept, the latest: more than may be taken off a pile
between two looks. A choice; of a webcam's card one takes 17 KB."""
AROUND = 1.0
"""Distance in short sides within which an equal card may have been pushed: a choice, as a pile that
is squared up moves by half of that."""
REACH = 0.5
"""Distance in short sides within which an equal card is measured. A choice: one that lies farther
off is another one, or was moved by hand."""
LONGEST = 160
"""Height in pixels to which the picture of a larger card is shrunk: a tenth of a pixel is then
still a twentieth of a millimetre. A choice: it limits what measuring costs to some 10 ms."""
INSET = 0.05
"""Share of a card's sides left out at its border, where its outline is uncertain and another card
shows. A choice."""
MARGIN = 0.35
"""Share of a card's width added around it where the other is looked for. A choice: the other may
lie `REACH` away, and less is enough as the two overlap."""
FITS = 0.9
"""Correlation from which the two pictures show one print in one place: in two hands from a webcam's
pictures at least 0.98 where they did, and at most 0.79 where another card covered a part. A choice
between them."""
IN_VIEW = 0.08
"""Smallest share of a card that must be in view in both pictures. A choice: an index and a strip of
the border are enough to tell its place, though not an index alone."""
EDGE = 7
"""Width in pixels of the line along the border of another card that is left out with it: its
outline is uncertain, and it throws a shadow. A choice."""
BLUR, STEPS, CLOSE = 5, 40, 1e-4
"""Width of the blur in pixels, and when the search ends: after so many steps, or when one gains no
more than this much correlation. A choice: with five times the steps and a hundredth of the gain,
`python -m tests.whereabouts` prints the same figures."""
LEFT, ANOTHER, FEWEST = 0.5, 20, 40
"""Minimum share of the place where a card lay, beside others, of which each pixel differs by that
many levels, from which something else shows there; and the fewest pixels that tell. In four hands
of two packs it was at least 0.82 where the card had been pushed, and at most 0.06 where it still
lay there under an equal one. A choice between them."""
THERE = 0.05
"""Distance in short sides within which a place is that of a card in full view, whose outline is
known so well, and by which it must at least be nearer to that card than to where it is read. A
choice; `python -m tests.soak --pictures` judges it."""
CORNER = 0.1
"""Distance in short sides within which two readings put the corner of one index. A choice: in
pictures from a webcam it was 0.035 where the other corners were off by half a card."""
WELL_READ = 0.08
"""Distance in short sides within which the outline of a card with both its indices in view is read,
at most: 5 mm at each corner. A choice: a seven from which a hand drew a three fitted its picture of
before 0.094 away, turned by five degrees, while it was read 0.021 from where it lay, and those
readings of `firmware.follow.outlines.BARED` were at most 0.055 off."""
UNMOVED = 0.004
"""Distance in short sides within which it is in the same place: a quarter of a millimetre. What is
measured of a card that lies exactly where it lay is at most 0.0025; measured by `python -m
tests.whereabouts --first 10`, with 0 here."""


@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """How a card looked, upright (H, W) in gray, and the map from the picture to that."""

    card: Lying
    picture: Frame
    bare: Frame
    """Where (255) no other card may have been over it."""
    straight: Matrix
    """(2, 3): from pixels of the frame to pixels of `picture`."""

    @classmethod
    def of(cls, card: Lying, others: Sequence[Lying], frame: Frame) -> Portrait:
        """The card as it lies in this frame among `others`."""
        width, height = distance(*card.outline[:2]), distance(*card.outline[1:3])
        scale = min(1.0, LONGEST / max(width, height, 1.0))
        across, down = width * scale, height * scale
        left, top = INSET * across, INSET * down
        size = max(8, round(across - 2 * left)), max(8, round(down - 2 * top))
        corners = ((-left, -top), (across - left, -top), (across - left, down - top))
        straight = cv2.getAffineTransform(
            np.asarray(card.outline[:3], np.float32), np.asarray(corners, np.float32)
        )
        way = np.asarray(straight, np.float64)
        # A card in full view lies over those that are not.
        over = [other for other in others if other.whole or not card.whole]
        return cls(card, _upright(frame, way, size), _bare(over, way, size), way)

    def moved(self, frame: Frame, guess: Lying, over: Sequence[Sequence[Lying]]) -> Outline | None:
        """Where the card lies in `frame`, beginning at a `guess`, whichever cards are `over` it.

        None if nothing fits there, or too little of it is in view.
        """
        height, width = self.picture.shape
        margin = round(MARGIN * width)
        shift = self.straight + np.array(((0, 0, margin), (0, 0, margin)))
        size = width + 2 * margin, height + 2 * margin
        around = _upright(frame, shift, size)
        here, goal = _onto(self.straight, self.card.outline), _onto(shift, guess.outline)
        still = np.array(((1.0, 0.0, margin), (0.0, 1.0, margin)))
        begins = (still, _rigid(here, goal))
        everything = np.full(around.shape, 255, np.uint8)
        covered = (
            [self._in_view(bare, begin) for begin in begins]
            for bare in (_bare(some, shift, size) for some in over)
        )
        for seen in chain([[everything, everything]], covered):
            fit, way = self._best(around, seen, begins)
            if fit >= FITS:
                corners = _through(cv2.invertAffineTransform(shift), _through(way, here))
                a, b, c, d = ((float(x), float(y)) for x, y in corners)
                return (a, b, c, d)
        return None

    def has_left(self, frame: Frame, lying: Sequence[Lying]) -> bool:
        """Whether something else shows where the card lay, beside what is `lying` there now."""
        height, width = self.picture.shape
        bare = cv2.bitwise_and(self.bare, _bare(lying, self.straight, (width, height)))
        now = _upright(frame, self.straight, (width, height))
        apart_by = cv2.absdiff(cv2.blur(now, (3, 3)), cv2.blur(self.picture, (3, 3)))
        _, other = cv2.threshold(apart_by, ANOTHER, 255, cv2.THRESH_BINARY)
        seen, changed = cv2.countNonZero(bare), cv2.countNonZero(cv2.bitwise_and(other, bare))
        return seen >= FEWEST and changed >= LEFT * seen

    def _in_view(self, bare: Frame, way: Matrix) -> Frame:
        """Where (255) nothing may have been over the card in either picture."""
        height, width = bare.shape
        return np.asarray(
            cv2.bitwise_and(bare, cv2.warpAffine(self.bare, way, (width, height))), np.uint8
        )

    def _best(
        self, around: Frame, seen: Sequence[Frame], begins: Sequence[Matrix]
    ) -> tuple[float, Matrix]:
        """The highest correlation that a rigid motion reaches, and that motion.

        For each of the motions to begin with, `seen` says what is in view in both pictures: a
        guess worked out from one index may be too far off to tell.
        """
        ways = (
            self._aligned(around, bare, begin)
            for bare, begin in zip(seen, begins, strict=True)
            if cv2.countNonZero(bare) >= IN_VIEW * self.bare.size
        )
        return max(ways, key=lambda one: one[0], default=(0.0, begins[0]))

    def _aligned(self, around: Frame, seen: Frame, begin: Matrix) -> tuple[float, Matrix]:
        """The correlation that a motion reaches from where it `begin`s, and that motion."""
        ends = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, STEPS, CLOSE)
        start = begin.astype(np.float32)
        try:
            fit, way = cv2.findTransformECC(
                self.picture, around, start, cv2.MOTION_EUCLIDEAN, ends, seen, BLUR
            )
        except cv2.error:  # it does not converge: the pictures have nothing in common
            return 0.0, begin
        return float(fit), np.asarray(way, np.float64)


@dataclass(slots=True)
class Whereabouts:
    """The pictures of the cards that lay at a spot lately."""

    _kept: deque[Portrait] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def measured(
        self, lying: Sequence[Lying], before: Sequence[Lying], frame: Frame
    ) -> tuple[Lying, ...]:
        """What is `lying` there, with the places of faces measured that were not there `before`.

        So are those that have come into full view: an equal card may have been laid on one that was
        half covered.
        """
        known = {one.outline: one.whole for one in before}
        return tuple(
            one
            if known.get(one.outline) in (True, one.whole) or one.doubtful or one.card == BACK
            else self._measured(one, [other for other in lying if other is not one], frame)
            for one in lying
        )

    def _measured(self, one: Lying, others: Sequence[Lying], frame: Frame) -> Lying:
        """A card with its place measured, if it can be."""
        equal = [old for old in self._kept if old.card.card == one.card]
        last = min(reversed(equal), key=lambda old: apart(old.card, one), default=None)
        if last is None or apart(last.card, one) > AROUND:
            return self._keep(one, others, frame)
        near = apart(last.card, one) <= REACH
        over = [others, self._come_since(last, others)]
        place = last.moved(frame, one, over) if near else one.outline
        if place is None or _is_of_another(place, one, others):
            return one
        unmoved = corners_apart(place, last.card.outline) < UNMOVED
        if not (_is_near(place, one) or (unmoved and _begins_there(place, one))):
            return one
        if unmoved:
            return replace(one, outline=last.card.outline, measured=True)
        there = replace(one, outline=place)
        displaced = last.has_left(frame, [there, *others])
        return self._keep(replace(there, displaced=displaced), others, frame)

    def _come_since(self, last: Portrait, others: Sequence[Lying]) -> list[Lying]:
        """The `others` that have been in full view since a card was: they may lie over it."""
        since = list(self._kept)[self._kept.index(last) + 1 :]
        came = {portrait.card.card for portrait in since}
        return [other for other in others if other.whole or other.card in came]

    def _keep(self, one: Lying, others: Sequence[Lying], frame: Frame) -> Lying:
        """Remember how a card looks that is in full view; otherwise, its outline is a guess."""
        if not one.whole:
            return one
        one = replace(one, measured=True)
        self._kept.append(Portrait.of(one, others, frame))
        return one


def _is_near(place: Outline, one: Lying) -> bool:
    """Whether a place may be that of this card, as far as outlines jump.

    With a hand at the card, the pictures fitted a whole card's width away.
    """
    return corners_apart(place, one.outline) < (WELL_READ if one.whole else NEAR)


def _begins_there(place: Outline, one: Lying) -> bool:
    """Whether a card read from one index has that index where a card in this place has one.

    Its outline begins there; the other corners are off by as much as the index was read too large
    or askew.
    """
    away = min(distance(one.outline[0], corner) for corner in (place[0], place[2]))
    return away <= CORNER * short_side(place)


def _is_of_another(place: Outline, one: Lying, others: Sequence[Lying]) -> bool:
    """Whether a place is rather that of another card.

    In a meld, the picture of one fits an equal one as well; and in gray, a five of clubs fitted the
    five of diamonds that lay over it, askew.
    """
    away = corners_apart(place, one.outline)
    for other in others:
        apart_by = corners_apart(place, other.outline)
        covers = other.whole and apart_by < THERE < away - apart_by
        if covers or (other.card == one.card and apart_by < away):
            return True
    return False


def _bare(others: Sequence[Lying], way: Matrix, size: tuple[int, int]) -> Frame:
    """Where (255) none of the `others` is in what a map shows of a picture."""
    bare = np.full(size[::-1], 255, np.uint8)
    for other in others:
        corners = np.round(_onto(way, other.outline)).astype(np.int32)
        cv2.fillConvexPoly(bare, corners, 0)
        cv2.polylines(bare, [corners], True, 0, thickness=EDGE)
    return bare


def _upright(frame: Frame, way: Matrix, size: tuple[int, int]) -> Frame:
    """What a map shows of a picture, in gray."""
    straight = cv2.warpAffine(frame, way, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY), np.uint8)


def _onto(way: Matrix, outline: Outline) -> Matrix:
    """The corners (4, 2) of an outline under an affine map (2, 3)."""
    return _through(way, np.asarray(outline, np.float64))


def _through(way: Matrix, points: Matrix) -> Matrix:
    """Points (N, 2) under an affine map (2, 3)."""
    return np.asarray(points @ way[:, :2].T + way[:, 2])


def _rigid(one: Matrix, other: Matrix) -> Matrix:
    """The motion (2, 3) that brings the corners of one card nearest to those of another."""
    turned = np.roll(other, 2, axis=0)  # an outline may begin at either end
    goal = min((other, turned), key=lambda corners: float(np.abs(corners - one).sum()))
    along, across = one - one.mean(axis=0), goal - goal.mean(axis=0)
    cos = float((along * across).sum())
    sin = float((along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]).sum())
    length = max(float(np.hypot(cos, sin)), 1e-9)
    turn = np.array(((cos, -sin), (sin, cos))) / length
    return np.column_stack((turn, goal.mean(axis=0) - turn @ one.mean(axis=0)))
