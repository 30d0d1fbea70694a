"""How large chips' faces in a picture appear, and which are others than they are taken for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from vision.chips.face_blur import GRADE, GRADES, at_grade
from vision.chips.faces import (
    ANGLES_AT,
    FACE_ANGLES,
    LEVEL,
    Magnified,
    Matrix,
    Placed,
    TaughtFace,
    by_area,
    deviations,
    faces_at,
    placed,
    spectra_of,
)
from vision.picture.geometry import Floats, Frame

LIKELY, TURNS = 0.6, 8
"""Minimum fit of a rotation that is tried, as a share of the best one's, and maximum number of
those. A choice: chips have three to eight stripes, and numerals are a fifth of a print."""
AGAIN = 0.06
"""Minimum distance between a fitted face and its circle, in radii, at which it is fitted again from
there. A choice: twice what circles are usually off; a face that began a seventh of a radius off
ended 0.27 % too large, which is most of a chip.
"""
NEAR_TURNS = np.arange(-3, 4)
"""Directions tried besides a likely one, in steps between the `FACE_ANGLES`. A choice: where the
circle is a twentieth of a radius off, a faint print seems turned by up to fifteen degrees, from
where the fit ended beside the true rotation in 5 of 24 coins, half a percent too large.
"""
VARIED, LIKE = 20.0, 0.88
"""Minimum standard deviation of a face's colours for it to be told from others, and minimum share
of the variation of smoothed colours that a taught face explains if it is that one. A choice: of
346 drawn chips and coins of the same sets, none explained less than 0.95, however noisy and blurred
the picture; of 72 of other sets most were not found near their circles, and none explained more
than 0.82. The colours of plain and ribbed chips vary by 2 to 14 levels, those of printed ones by 38
to 82."""
SHARPEST, BLURS = 4, 2
"""Number of faces, of those that vary most, by which the blur of a picture is told, and how often.
A choice: the lens blurs all alike; the first time tells two thirds of a strong blur."""

SIZED = 0.945
"""Minimum of that share for a face's size to count. A choice: ribs, which are alike whichever way a
chip is turned, explain up to 0.93 where they are fitted wrongly; faint numerals on coins that are
right 0.91 to 0.98.
"""


def magnified(
    picture: Frame, taught: Sequence[TaughtFace], centres: Floats, radii: Floats | Matrix
) -> list[Magnified | None]:
    """Fit taught faces to a picture (H, W, 3), each near a circle; None for one that does not fit.

    The circles have `centres` (N, 2) and `radii` (N,) in pixels. Light and rotation may differ from
    those at teaching.
    """
    return measured(picture, taught, centres, radii).sizes


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Faces in a picture: how large they appear, None for those that do not fit, and where.

    The prints of those that fit are at `places` (N, 2) in pixels, turned by `turns` (N,) radians;
    those that are `strange` (N,) are others than those that were taught.
    """

    sizes: list[Magnified | None]
    places: Matrix
    turns: Matrix
    strange: NDArray[np.bool_]


def measured(
    picture: Frame, taught: Sequence[TaughtFace], centres: Floats, radii: Floats | Matrix
) -> Measured:
    """Fit taught faces to a picture in the same way."""
    if not len(taught):
        return Measured([], np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.bool_))
    turns = _turned(picture, taught, centres.astype(np.float64), radii.astype(np.float64))
    taught = _as_blurred(picture, taught, centres, radii, turns)
    found = placed(picture, taught, centres, radii, turns)
    far = np.linalg.norm(found.places - centres, axis=1) > AGAIN * radii
    for number in np.flatnonzero(far).tolist():
        one = slice(number, number + 1)
        found.put(number, _fitted(picture, taught[one], found.places[one], radii[one]))
    alike = _smoothly_explained(picture, taught, radii, found)
    sizes = [
        Magnified(float(size), hypot(fit.error, fit.shadowed)) if good else None
        for size, fit, good in zip(found.sizes, found.fits, alike >= SIZED, strict=True)
    ]
    varied = np.array([one.varied >= VARIED for one in taught], np.bool_)
    return Measured(sizes, found.places, found.turns, varied & (alike < LIKE))


def _as_blurred(
    picture: Frame, taught: Sequence[TaughtFace], centres: Floats, radii: Floats | Matrix,
    turns: Matrix,
) -> list[TaughtFace]:  # fmt: skip
    """The taught faces, blurred as much more than when they were taught as the picture is."""
    some = np.argsort([-one.varied for one in taught], kind="stable")[:SHARPEST]
    faces = [taught[row] for row in some.tolist()]
    places, sizes = (one[some].astype(np.float64) for one in (centres, radii))
    ways, variance = turns[some], 0.0
    for _ in range(BLURS):
        tried = [at_grade(one, _grade(variance, r)) for one, r in zip(faces, sizes, strict=True)]
        found = placed(picture, tried, places, sizes, ways, refining=0)
        far = np.linalg.norm(found.places - places, axis=1) > AGAIN * sizes
        good = found.near & ~far
        if good.any():
            known = np.array([_grade(variance, r) * GRADE for r in sizes])
            left = np.array([fit.blur for fit in found.fits])
            variance = max(0.0, float(np.median(((known + left) * sizes**2)[good])))
        places = found.places
        for row in np.flatnonzero(far).tolist():
            one = slice(row, row + 1)
            ways[one] = _turned(picture, faces[one], places[one], sizes[one])
    return [at_grade(one, _grade(variance, r)) for one, r in zip(taught, radii, strict=True)]


def _grade(variance: float, radius: float) -> int:
    """The grade of blur of a face with a radius in pixels, if the blur has half this variance."""
    return min(GRADES, round(variance / (GRADE * radius**2)))


def _fitted(
    picture: Frame, taught: Sequence[TaughtFace], centres: Floats | Matrix, radii: Floats | Matrix
) -> Placed:
    """Fit taught faces to a picture, turned as fits best."""
    turns = _turned(picture, taught, centres.astype(np.float64), radii.astype(np.float64))
    return placed(picture, taught, centres, radii, turns)


def _smoothly_explained(
    picture: Frame, taught: Sequence[TaughtFace], radii: Floats | Matrix, found: Placed
) -> Matrix:
    """The share (N,) of the variation of their smoothed colours that taught faces explain, 1 for
    those that fit and 0 for those that are not near: in a noisy picture a faint print explains less
    of the others. With noise and all, those that fit explain even more than they must."""
    alike = found.good.astype(np.float64)
    some = np.flatnonzero(found.near & ~found.good)
    if not len(some):
        return alike
    sizes = radii[some] * np.exp(found.sizes[some])
    seen = faces_at(picture, found.places[some], sizes, found.turns[some])
    pairs = zip(some.tolist(), seen, strict=True)
    left = [taught[number].left(one, found.fits[number].found) for number, one in pairs]
    rest, whole = (deviations(_smoothed(colours)) for colours in (np.stack(left), seen))
    alike[some] = 1 - (rest / np.maximum(whole, LEVEL)) ** 2
    return alike


def _smoothed(colours: Floats) -> Floats:
    """Colours (N, rings, angles, 3) averaged over three directions and three rings."""
    around = (np.roll(colours, 1, axis=2) + colours + np.roll(colours, -1, axis=2)) / 3
    around[:, 1:-1] = (around[:, :-2] + around[:, 1:-1] + around[:, 2:]) / 3
    return np.asarray(around, np.float32)


def _turned(picture: Frame, taught: Sequence[TaughtFace], places: Matrix, radii: Matrix) -> Matrix:
    """The rotations (N,) in radians at which taught faces fit best.

    The stripes at a rim fit at several; where the circle is a little off, what is printed in the
    middle tells which of them only once the face is moved as well.
    """
    spectra = spectra_of(faces_at(picture, places, radii, np.zeros(len(radii))))
    starts = []
    for one, some, seen in zip(taught, _likely_turns(spectra, taught), spectra, strict=True):
        fits = one.fits(seen)
        start = some[fits[some].argmax()]
        near = (start + NEAR_TURNS) % FACE_ANGLES
        starts.append(int(near[fits[near].argmax()]))
    return ANGLES_AT[starts].astype(np.float64)


def _likely_turns(
    seen: NDArray[np.complex64], taught: Sequence[TaughtFace]
) -> list[NDArray[np.intp]]:
    """The directions at which each of the taught faces may begin in pictures with these spectra
    (N, rings, frequencies, 3), the likeliest first."""
    spectra = np.stack([np.conj(one.spectra) for one in taught])
    product = np.einsum("nrfc,nrfc->nf", by_area(seen), spectra)
    fits = np.fft.irfft(product, FACE_ANGLES, axis=1)
    peaks = (fits >= np.roll(fits, 1, axis=1)) & (fits >= np.roll(fits, -1, axis=1))
    peaks &= fits >= LIKELY * fits.max(axis=1, keepdims=True)
    told = []
    for fit, peak in zip(fits, peaks, strict=True):
        best = np.flatnonzero(peak)[np.argsort(-fit[peak], kind="stable")][:TURNS]
        told.append(best if len(best) else np.zeros(1, np.intp))
    return told
