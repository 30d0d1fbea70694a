"""A chip's face in detail, and how much larger it appears than when it was taught.

The top of a stack is nearer to the camera than a single chip, so its face appears larger: by one
part in 250 for each chip, under a camera 80 cm above the table. The face as a whole shows that,
even straight below the camera, where no side of a stack is visible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame, lengths

FACE_PX = 30.0
"""Maximum radius at which faces are sampled, in pixels. A choice: finer print is blurred in the
pictures of a camera that sees a whole table."""
FACE_RINGS = np.linspace(0.1, 0.9, 20, dtype=np.float32)
"""Rings on which a face is sampled, in radii. A choice: little more than a pixel apart, without
the rim, behind which the table shows."""
UNBLURRED = 0.87
"""Largest ring that counts in fitting a face, in radii. A choice: a lens's blur mixes the table
into the outermost one if the face was taught a little off its centre; without it, sizes of coins
spread 0.26 % instead of 0.43 %, and ranges held 33 of 33 instead of 30 (`python -m tests.chip_sizes
--sets validation`)."""
FACE_ANGLES = 72
"""Number of directions in which it is sampled. A choice: two and a half pixels apart next to the
rim; with 96 and 24 rings, sizes were no more exact."""
FACE = len(FACE_RINGS), FACE_ANGLES, 3
"""Shape of a face: rings, directions and channels. Follows from these."""
STEPS = 3
"""Number of steps in fitting a face. A choice: a fourth changes the size by less than a
hundredth of a percent."""
FAR_OFF = 6.0
"""Difference from the taught colours, in usual differences, from which a place has little weight:
something may cover it, or the light may gleam. A choice; `python -m tests.chip_sizes` judges it."""
MOVED, RESIZED = 0.15, 0.08
"""Maximum distance between a fitted face and the circle it was searched at, and maximum difference
in size; in radii. A choice: circles are closer than this."""
EXPLAINED = 0.93
"""Minimum share of the variation of a face's colours that the taught face explains. A choice;
`python -m tests.chip_sizes` judges it."""
EVENLY, SHADOWED = 0.03, 0.015
"""How much lighter a face may be on one side than on the other, as a share for each radius, before
its size is less exact, and by how much for each such share more. A choice: on drawn tables faces
that nothing shadows differ by up to 0.03; one half in the shadow of a stack, which differed by 0.5,
appeared 0.6 % too large.
"""
MOST = 0.1
"""Maximum change in one step, in radii and radians. A choice: circles are closer."""
LEVEL, DIMMEST, TINY = 0.5, 0.1, 1e-3
"""Least difference of colours that counts as usual, least gain, and the weight that keeps a face
without print solvable. A choice: none of them matters for a chip in a lit picture."""

WAYS = 13
"""Number of ways in which a picture of a face may differ: moved across and down, turned, grown,
each of three channels lighter by a factor and by a level, blurred, and lighter on one side, across
and down. Follows from this list."""
_BLUR, _UNEVEN = 10, slice(11, 13)
"""The last three of these. Follows from that list."""
ANGLES_AT = np.arange(FACE_ANGLES, dtype=np.float32) * np.float32(2 * np.pi / FACE_ANGLES)
"""The angles at which a face is kept, in radians. Follows from `FACE_ANGLES`."""
_WAYS = np.stack([np.cos(ANGLES_AT), np.sin(ANGLES_AT)], axis=-1)
"""The directions (angles, 2) from its centre. Follows from `FACE_ANGLES`."""
_AREAS = np.repeat(FACE_RINGS[:, None], FACE_ANGLES, axis=1)
"""How much of the face each place (rings, angles) stands for. Follows from `FACE_RINGS`."""
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Magnified:
    """The logarithm of a face's size in a picture, relative to the size at which it was searched
    for, and the standard deviation of its error."""

    ratio: float
    error: float


def face(picture: Frame, centre: Floats | Matrix, radius: float) -> Floats:
    """The colours (rings, angles, 3) of a face in a picture (H, W, 3)."""
    (seen,) = faces_at(picture, np.array([centre], np.float64), np.array([radius]), np.zeros(1))
    return np.asarray(seen, np.float32)


def faces_at(
    picture: Frame, centres: Floats | Matrix, radii: Floats | Matrix, turns: Floats | Matrix
) -> Floats:
    """The colours (N, rings, angles, 3) of faces, from `turns` (N,) radians on."""
    at = ANGLES_AT + turns[:, None]
    reach = (radii[:, None] * FACE_RINGS).astype(np.float32)[..., None]
    x, y = (
        middle.astype(np.float32)[:, None, None] + reach * way.astype(np.float32)[:, None]
        for middle, way in zip(centres.T, (np.cos(at), np.sin(at)), strict=True)
    )
    flat = -1, FACE_ANGLES
    seen = cv2.remap(
        picture, x.reshape(flat), y.reshape(flat), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen.reshape(len(radii), *FACE), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Faces where they fit best: `places` (N, 2) in pixels, `turns` (N,) in radians, and the
    logarithms of `sizes` (N,) relative to those at which they were searched for."""

    places: Matrix
    turns: Matrix
    sizes: Matrix
    fits: list[Fit]
    near: NDArray[np.bool_]
    """Which of them (N,) are near the place, and of the size, at which they were searched for."""
    good: NDArray[np.bool_]
    """Which of those fit."""

    def put(self, number: int, other: Placed) -> None:
        """Replace one of them."""
        self.fits[number] = other.fits[0]
        for part in ("places", "turns", "sizes", "near", "good"):
            getattr(self, part)[number] = getattr(other, part)[0]


def placed(
    picture: Frame,
    taught: Sequence[TaughtFace],
    centres: Floats | Matrix,
    radii: Floats | Matrix,
    turns: Matrix,
    *,
    refining: int = 1,
) -> Placed:
    """Move, turn and resize taught faces to fit a picture (H, W, 3), each from a circle.

    The circles have `centres` (N, 2) and `radii` (N,) in pixels, the faces begin `turns` (N,)
    radians from the right. In the last steps, as many as are `refining`, what covers a face counts
    less; without any, nothing says how good the fits are.
    """
    places, usual = centres.astype(np.float64), radii.astype(np.float64)
    sizes, fits = np.zeros(len(usual)), list[Fit]()
    for left in range(STEPS, 0, -1):
        reach = usual * np.exp(sizes)
        seen = faces_at(picture, places, reach, turns)
        found = [one.roughly(colours) for one, colours in zip(taught, seen, strict=True)]
        if left <= refining:
            fits = _refined(taught, seen, found)
            found = [fit.found for fit in fits]
        every = np.stack(found)
        moves = every[:, :4] / _gains(every)[:, None]
        across, down, turned, grown = np.clip(moves, -MOST, MOST).T
        cosine, sine = np.cos(turns), np.sin(turns)
        away = np.stack([cosine * across - sine * down, sine * across + cosine * down], axis=1)
        places = places - reach[:, None] * away
        turns, sizes = turns - turned, sizes - grown
    if not refining:
        fits = [Fit(one, 0.0, np.inf) for one in found]
    moved = np.linalg.norm(places - centres, axis=1)
    explained = np.array([fit.explained for fit in fits])
    near = np.asarray((moved < MOVED * usual) & (np.abs(sizes) < RESIZED), np.bool_)
    return Placed(places, turns, sizes, fits, near, near & (explained >= EXPLAINED))


def _refined(taught: Sequence[TaughtFace], seen: Floats, found: Sequence[Matrix]) -> list[Fit]:
    """Fit `seen` colours (N, rings, angles, 3) again, some of whose places are unlike what was
    `found` (13,) of each roughly."""
    left = [one.left(*some) for one, *some in zip(taught, seen, found, strict=True)]
    usual = np.stack([one.weights for one in taught])
    weighed = zip(taught, seen, _robust(np.stack(left), usual), strict=True)
    return [one.fitted(colours, weights) for one, colours, weights in weighed]


@dataclass(frozen=True, slots=True, eq=False)
class TaughtFace:
    """A taught face: its `colours` (rings, angles, 3), and how a picture of it may differ.

    `ways` (rings, 13, angles * 3) are the derivatives of the colours if the face is moved across,
    moved down, turned and grown, in radii and radians, of each channel's gain and offset, if the
    face is blurred, by squared radii, and if it is lighter on one side, by a share for each radius.
    `solved` (13, places * 3) finds these from a picture in which every place counts by its area,
    but for the rim, and `normal` (13, 13) is the matrix of that fit. The `spectra` (rings,
    frequencies, 3) are of the colours around each ring, `turning` (frequencies, 13, rings * 3)
    those of what is `solved`, and `varied` is the colours' standard deviation. Each place counts by
    its weight (rings, angles).
    """

    colours: Floats
    ways: Floats
    solved: Floats
    normal: Matrix
    spectra: NDArray[np.complex64]
    turning: NDArray[np.complex64]
    varied: float
    weights: Floats

    @classmethod
    def of(cls, colours: Floats, within: float = UNBLURRED) -> TaughtFace:
        """Prepare a face, of which only what is `within` a share of its radius counts in fits."""
        weights = np.where(FACE_RINGS[:, None] <= within, _AREAS, 0).astype(np.float32)
        light = np.zeros((*FACE, 6), np.float32)
        for channel in range(3):
            light[:, :, channel, channel] = colours[..., channel]
            light[:, :, channel, 3 + channel] = 1.0
        across = FACE_RINGS[:, None, None] * _WAYS  # where a shadow falls on one side
        slanted = colours[..., None] * across[:, :, None]
        parts = _slopes(colours), light, _curved(colours)[..., None], slanted
        ways = np.concatenate(parts, axis=3).reshape(FACE[0], -1, WAYS)
        every = ways.reshape(-1, WAYS).T.astype(np.float64)
        weighted = every * np.repeat(weights.reshape(-1), FACE[2])
        normal = weighted @ every.T + TINY * np.eye(WAYS)
        solved = np.linalg.solve(normal, weighted)
        ring_by_ring = np.ascontiguousarray(ways.transpose(0, 2, 1), np.float32)
        solved = np.asarray(solved, np.float32)
        (varied,) = deviations(colours[None]).tolist()
        every = np.conj(np.fft.rfft(solved.reshape(WAYS, *FACE), axis=2)).transpose(2, 0, 1, 3)
        turning = np.asarray(every.reshape(-1, WAYS, FACE[0] * FACE[2]), np.complex64)
        spectra = by_area(spectra_of(colours))
        return cls(colours, ring_by_ring, solved, normal, spectra, turning, varied, weights)

    def roughly(self, seen: Floats) -> Matrix:
        """How `seen` colours (rings, angles, 3) differ from these (13,), if nothing covers them."""
        return np.asarray(self.solved @ seen.reshape(-1), np.float64)

    def fits(self, seen: NDArray[np.complex64]) -> Matrix:
        """How well (angles,) colours with these spectra (rings, frequencies, 3) are explained by
        these, moved and in any light, from each direction on.

        However they are turned, as much is to be explained.
        """
        each = seen.transpose(1, 0, 2).reshape(len(self.turning), -1, 1)
        found = np.fft.irfft((self.turning @ each)[..., 0], FACE_ANGLES, axis=0)
        return np.asarray(((found @ self.normal) * found).sum(axis=1), np.float64)

    def left(self, seen: Floats, found: Matrix) -> Floats:
        """What remains of `seen` colours once these differ as `found`."""
        return seen - (found.astype(np.float32) @ self.ways).reshape(FACE)

    def fitted(self, seen: Floats, weights: Floats) -> Fit:
        """Fit `seen` colours (rings, angles, 3) by these, moved a little and in another light.

        Each of the `weights` (rings, angles) says how much a place counts.
        """
        flat, each = seen.reshape(FACE[0], -1, 1), np.repeat(weights, FACE[2], axis=1)
        weighted = self.ways * each[:, None]
        # Ring by ring, the products are too small to be divided among threads, which costs more.
        normal = (weighted @ self.ways.transpose(0, 2, 1)).sum(axis=0) + TINY * np.eye(WAYS)
        inverse = np.linalg.inv(normal)
        found = inverse @ (weighted @ flat).sum(axis=0)[:, 0].astype(np.float64)
        total = float(weights.sum())
        middle = weights.reshape(-1) @ seen.reshape(-1, FACE[2]) / total
        left, varied = (
            float(each.reshape(-1) @ (some.reshape(-1) ** 2))
            for some in (self.left(seen, found), seen - middle)
        )
        error = float(np.sqrt(left / (3 * total) * inverse[3, 3]))
        return Fit(found, 1 - left / max(varied, LEVEL), error / float(_gains(found)))


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How a taught face differs from a picture (13,), as `found`.

    `explained` is the share of the variation of the colours that this explains, and `error` that of
    the size.
    """

    found: Matrix
    explained: float
    error: float

    @property
    def blur(self) -> float:
        """How much more it is blurred than when it was taught: half the variance of the blur's
        bell, in squared radii."""
        return float(self.found[_BLUR] / _gains(self.found))

    @property
    def shadowed(self) -> float:
        """The standard deviation of the size's error because a shadow falls on one side."""
        uneven = float(np.linalg.norm(self.found[_UNEVEN]) / _gains(self.found))
        return SHADOWED * max(0.0, uneven - EVENLY)


def deviations(colours: Floats) -> Floats:
    """The standard deviations (N,) of colours (N, rings, angles, 3) over faces' areas."""
    weights = _AREAS[..., None] / (3 * _AREAS.sum())
    middle = (colours * weights).sum(axis=(1, 2), keepdims=True) * 3
    return np.asarray(np.sqrt((weights * (colours - middle) ** 2).sum(axis=(1, 2, 3))), np.float32)


def _gains(found: Matrix) -> Matrix:
    """How much brighter faces (…, 13) are than when they were taught."""
    return np.asarray(np.maximum(found[..., 4:7].mean(axis=-1), DIMMEST))


def _robust(left: Floats, weights: Floats) -> Floats:
    """The weight (N, rings, angles) of each place, by its `weights` if the faces fit, if this is
    `left` of their colours."""
    away = lengths(left)
    usual = np.median(away, axis=(1, 2), keepdims=True)
    off = away / np.maximum(usual, LEVEL)
    return np.asarray(weights / (1 + (off / FAR_OFF) ** 2) ** 2, np.float32)


def _slopes(taught: Floats) -> Floats:
    """The derivatives (rings, angles, 3, 4) of a face's colours: moved across and down, turned,
    grown.

    Lengths are in radii, angles in radians.
    """
    rings = FACE_RINGS.astype(np.float64)
    out = np.gradient(taught.astype(np.float64), rings, axis=0)
    step = 4 * np.pi / FACE_ANGLES
    around = (np.roll(taught, -1, axis=1) - np.roll(taught, 1, axis=1)).astype(np.float64) / step
    along = around / rings[:, None, None]
    cosine, sine = (_WAYS[:, axis, None].astype(np.float64) for axis in (0, 1))
    parts = (
        cosine * out - sine * along,
        sine * out + cosine * along,
        around,
        out * rings[:, None, None],
    )
    return np.stack(parts, axis=-1).astype(np.float32)


def _curved(taught: Floats) -> Floats:
    """How a face's colours (rings, angles, 3) change as its picture is blurred: their Laplacian,
    per squared radius."""
    rings = FACE_RINGS.astype(np.float64)
    out = np.gradient(taught.astype(np.float64), rings, axis=0)
    step = 2 * np.pi / FACE_ANGLES
    around = (np.roll(taught, -1, axis=1) + np.roll(taught, 1, axis=1) - 2.0 * taught) / step**2
    far = rings[:, None, None]
    return np.asarray(np.gradient(out, rings, axis=0) + out / far + around / far**2, np.float32)


def spectra_of(faces: Floats) -> NDArray[np.complex64]:
    """The frequencies (…, rings, n, 3) of colours (…, rings, angles, 3) around each ring."""
    return np.asarray(np.fft.rfft(faces, axis=-2), np.complex64)


def by_area(spectra: NDArray[np.complex64]) -> NDArray[np.complex64]:
    """Spectra whose products count by area; a ring's mean colour does not turn."""
    weighted = spectra * np.sqrt(FACE_RINGS)[:, None, None]
    weighted[..., 0, :] = 0
    return np.asarray(weighted, np.complex64)
