"""The plaques in a picture that teaches a set: whatever has the shape of one, of any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.chip_set import ROUND
from vision.chips.circles import Circles, Slopes
from vision.chips.contours import contour
from vision.chips.plaque_faces import faces_of
from vision.chips.plaque_layers import sampled
from vision.chips.plaques import REACH_PX, Plaques, fitted, plaques, sides_of
from vision.find.outlines import outlines
from vision.picture.geometry import Floats, Frame, Outline, averaged, short_side, within

SIDES_MM = ((44.0, 100.0), (28.0, 70.0))
"""Range of a plaque's longer and shorter side, in mm. Follows from what is made, 45 by 31 to 94 by
66, plus some room for a scale taken from cards."""
CARDS_MM = ((88.0, 63.0), (88.0, 57.2))
"""The sides of cards, poker and bridge. Follows from the usual sizes."""
CARD_SIZED, CARD_SHAPED = 0.045, 0.02
"""Maximum relative difference of the sides, and of their ratio, of something that is taken for a
card lying face down. A choice: plaques of 84 by 57 mm differ by 4 % in one of them."""
LONGEST = 2.1
"""Maximum ratio of a plaque's sides. A choice: those of plaques that are made are up to 1.6."""
SQUARE_MM = (32.0, 75.0)
"""The same as `SIDES_MM` for both sides of a square plaque. Follows from what is made, 36 to 70."""
WIDEST = 2.6
"""Maximum ratio of a plaque's longer side to a round chip's diameter, if nothing tells the scale. A
choice: plaques of 94 mm beside chips of 39."""
APART = 0.9
"""Minimum distance between the centres of two plaques, in halves of their shorter sides. A choice:
they may touch."""
EDGED = 0.75
"""Minimum share of its contour that shows an edge. A choice, as for chips that are taught."""
LARGER, FAINTLY = 1.25, 0.45
"""Maximum ratio of the sizes of two plaques of one set of which the smaller may be a frame printed
on the larger, and minimum share of the larger contour that shows an edge for that. A choice: a
green plaque hardly differs from green cloth."""
PRINTED = 1.15
"""Minimum ratio of the shorter sides of a card face down and of what may be printed on it. A
choice: frames are a twentieth of a card's width inside its edge."""
WORK_PX = 20.0
"""Half of its shorter side at which a contour is fitted, in pixels. A choice, nearly that of round
chips."""
FINE_PX = 45.0
"""The same for its final measurement. A choice: a frame printed 2 mm from the edge is then four
pixels away."""
MARGINS = (0.35, 0.3, 0.25, 0.2, 0.15)
"""How much wider than a printed frame a plaque may be, relative to the frame's short side, the
widest first. A choice: an edge is found within 0.06. Of 36 drawn plaques, 30 showed at most half of
a contour that was wider than their own by 0.15 or more; six were measured at their frames and
showed 0.94 and more of their own."""
ROUNDS = 3
"""Number of times that its sides are measured. A choice: the last changes them by less than a
tenth of a pixel."""


def flat_things(
    picture: Frame,
    cards: Sequence[Outline],
    px_per_mm: float | None,
    backs: Sequence[Outline] = (),
) -> list[Plaques]:
    """What may be a plaque in a picture (H, W, 3), each as one thing of its own contour.

    Of the `backs`, which a plaque is sometimes taken for, only what is printed on larger ones is
    not.
    """
    found = []
    for corners in outlines(picture, (1.0, LONGEST)):
        middle = corners.mean(axis=0)
        if any(within(np.asarray(card, np.float32), middle) for card in cards):
            continue
        one = _measured(picture, _within(corners))
        one = _around(picture, one) if one is not None else None
        if one is not None and _plaque_sized(one, px_per_mm):
            found.append(one)
    found = [as_large(picture, one, found) for one in found]
    return [*found, *_fainter(picture, cards, found, backs)]


def _fainter(
    picture: Frame, cards: Sequence[Outline], found: Sequence[Plaques], backs: Sequence[Outline]
) -> list[Plaques]:
    """Things of the same sizes, apart from those `found`, whose contour is fainter."""
    told: list[Plaques] = []
    sizes: list[tuple[float, float]] = []
    for one in found:
        if all(np.abs(np.log(np.array(sides(one)) / some)).max() > CARD_SIZED for some in sizes):
            sizes.append(sides(one))
    for long, short in sizes:
        larger = [back for back in backs if short_side(back) > PRINTED * short]
        work, factor = _shrunk(picture, WORK_PX * 2 / short)
        there = [contour(long * factor, short * factor)]
        more = plaques(Slopes.of(work), there, (1.0,))
        order = np.argsort(-more.support * more.votes, kind="stable")
        for number in order[more.support[order] >= EDGED].tolist():
            one = more[np.array([number])].scaled(1 / factor)
            if not _taken(one, (*found, *told), (*cards, *larger)):
                told.append(one)
    return told


def _taken(one: Plaques, others: Sequence[Plaques], cards: Sequence[Outline]) -> bool:
    """Whether a thing is on a card, or overlaps one of the others."""
    centre, far = one.centres[0], float(one.radii[0])
    near = (
        float(np.linalg.norm(some.centres[0] - centre)) < APART * (far + float(some.radii[0]))
        for some in others
    )
    on = (within(np.asarray(card, np.float32), centre, margin=-far / 2) for card in cards)
    return any(near) or any(on)


def as_large(picture: Frame, one: Plaques, others: Sequence[Plaques]) -> Plaques:
    """One thing, or the larger one around it that has the size of another and an edge as well."""
    here = np.array(sides(one))
    for other in sorted(others, key=lambda some: -sides(some)[0]):
        grown = np.array(sides(other)) / here
        # A frame may be mistaken for the edge on two sides only.
        if grown.min() > 1 - CARD_SHAPED and 1 + CARD_SHAPED < grown.max() < LARGER:
            at = _of_size(one, *sides(other))
            work, factor = _shrunk(picture, WORK_PX / float(at.radii[0]))
            fit = fitted(Slopes.of(work), at.scaled(factor))
            if float(fit.support[0]) >= FAINTLY:
                return fit.scaled(1 / factor)
    return one


def _shrunk(picture: Frame, factor: float) -> tuple[Frame, float]:
    if factor >= 1:
        return picture, 1.0
    size = round(picture.shape[1] * factor), round(picture.shape[0] * factor)
    return averaged(picture, size), size[0] / picture.shape[1]


def sides(one: Plaques) -> tuple[float, float]:
    """The longer and the shorter side of one thing, in pixels."""
    scale = float(one.scales[0])
    long, short = one.contours[0].sides
    return long * scale, short * scale


def _plaque_sized(one: Plaques, px_per_mm: float | None) -> bool:
    long, short = sides(one)
    if long / short > LONGEST:
        return False
    if px_per_mm is None:
        return True
    mm = np.array([long, short]) / px_per_mm
    bands = SIDES_MM if long > short else (SQUARE_MM, SQUARE_MM)
    inside = all(low <= side <= high for side, (low, high) in zip(mm, bands, strict=True))
    off = [np.log(mm / np.array(some)) for some in CARDS_MM]
    card = any(np.abs(one).max() < CARD_SIZED and abs(one[0] - one[1]) < CARD_SHAPED for one in off)
    return inside and not card


def _around(picture: Frame, one: Plaques) -> Plaques:
    """One thing, or the larger one on which it is printed as a frame."""
    work, factor = _shrunk(picture, FINE_PX / float(one.radii[0]))
    slopes, (long, short) = Slopes.of(work), sides(one)
    for margin in MARGINS:
        grown = _of_size(one, long + margin * short, short + margin * short)
        fit = fitted(slopes, grown.scaled(factor))
        if float(fit.support[0]) >= EDGED:
            return _measured(picture, fit.scaled(1 / factor)) or one
    return one


def _measured(picture: Frame, first: Plaques) -> Plaques | None:
    """The plaque that begins as `first`, with its own sides; None if it has no such contour."""
    for half in (WORK_PX, FINE_PX):
        work, factor = _shrunk(picture, half / max(float(first.radii[0]), 1.0))
        slopes = Slopes.of(work)
        for _ in range(ROUNDS):
            long, short = (side * factor for side in sides(first))
            if short < 3 * REACH_PX:
                return None
            fit = fitted(slopes, _of_size(first.scaled(factor), long, short))
            long, short = np.array(sides(fit)) + sides_of(slopes, fit)[0]
            first = _of_size(fit, float(long), float(short)).scaled(1 / factor)
        if float(fit.support[0]) < EDGED:
            return None
    return first


def _within(corners: Floats) -> Plaques:
    """A rectangle with these corners (4, 2), short side first, as a plaque."""
    x, y = (corners[2] - corners[1]).tolist()
    long, short = float(np.hypot(x, y)), short_side(corners.tolist())
    turn, one = np.array([np.arctan2(y, x)], np.float32), np.ones(1, np.float32)
    return Plaques.at(
        [contour(max(long, short + 1), short)], np.zeros(1, np.intp), corners.mean(axis=0)[None],
        turns=turn, scales=one, votes=one,
    )  # fmt: skip


def _of_size(one: Plaques, long: float, short: float) -> Plaques:
    """The same thing with other sides, in pixels; with equal ones if they hardly differ."""
    scale = np.ones(1, np.float32)
    long, short = max(long, short), min(long, short)
    if long < short * ROUND:
        long = short = (long * short) ** 0.5
    return replace(one, contours=(contour(long, short),), scales=scale)


def print_of(picture: Frame, one: Plaques, work_px: float) -> Floats:
    """The colours (rings, ANGLES, 3) of one plaque, sampled at the size at which it will be read:
    half its shorter side is `work_px` pixels."""
    picture, factor = _shrunk(picture, work_px / float(one.radii[0]))
    return np.asarray(sampled(picture, one.scaled(factor))[0], np.float32)


def face_of(picture: Frame, one: Plaques, face_px: float) -> NDArray[np.uint8]:
    """The face (*FACE) of one plaque, sampled no finer than half its shorter side is `face_px`."""
    picture, factor = _shrunk(picture, face_px / float(one.radii[0]))
    return np.asarray(np.rint(faces_of(picture, one.scaled(factor))[0]), np.uint8)


def as_circles(some: Sequence[Plaques]) -> Circles:
    """The largest circles inside things, in their order."""
    return Circles.joined([Circles.none(), *(one.as_circles for one in some)])


def outside(found: Circles, some: Sequence[Plaques]) -> Circles:
    """The circles whose centres are in none of the things."""
    free = np.ones(len(found), np.bool_)
    for one in some:
        corners = one.octagons[0]
        free &= ~np.array(
            [
                cv2.pointPolygonTest(corners, (float(x), float(y)), False) >= 0
                for x, y in found.centres
            ],
            np.bool_,
        )
    return found[free]
