"""Taught faces as a lens shows them that blurs more than the one under which they were taught.

Where prints are blurred, their edges move: through a lens that blurs by 1.3 pixels, coins taught
through one that blurs by 0.5 seemed 0.1 to 1.6 percent larger, each value by another share, and
each coin of a stack makes a quarter of a percent. A face that is blurred as the picture is appears
as large as it is.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.chips.faces import FACE_ANGLES, FACE_RINGS, UNBLURRED, Matrix, TaughtFace
from vision.picture.geometry import Floats

GRADE = 2.5e-4
"""Difference of the grades of blur for which faces are kept, as half the variance of its bell in
squared radii. A choice: what is left of it, a fit explains well; a lens that blurs by 1.3 pixels,
and by 0.5 when a set was taught, makes four of them where a face has 27."""
GRADES = 8
"""The most grades. A choice: prints are hardly legible beyond."""
PARTS = 32
"""Number of equal parts in which a face is blurred. A choice: its error is then a hundredth of the
blur."""
BEYOND = 1.2
"""How far inside its outermost ring a blurred face counts, in standard deviations of the blur. A
choice: what was beyond that ring is not known. With 1, two of 60 stacks of faint coins had wrong
ranges on one of nine drawn tables; with 1.8, sizes of coins spread a fifth more.
"""
KEPT = 16
"""Maximum number of blurred faces that are kept, at 0.7 MB each. A choice: two sets of eight
values; the blur of a camera stays the same."""


def at_grade(taught: TaughtFace, grade: int) -> TaughtFace:
    """A taught face blurred by so many grades; itself if there are none."""
    return _blurred(taught, grade) if grade > 0 else taught


@lru_cache(maxsize=KEPT)
def _blurred(taught: TaughtFace, grade: int) -> TaughtFace:
    """A blurred face, of which only the part counts that shows nothing from beyond its rings."""
    beyond = BEYOND * float(np.sqrt(2 * grade * GRADE))
    within = min(UNBLURRED, float(FACE_RINGS[-1]) - beyond)
    return TaughtFace.of(blurred(taught.colours, grade), within)


def blurred(colours: Floats, grade: int) -> Floats:
    """The colours (rings, angles, 3) of a face blurred by so many grades.

    >>> plain = np.full((len(FACE_RINGS), FACE_ANGLES, 3), 80, np.float32)
    >>> float(np.abs(blurred(plain, 4) - plain).max().round(3))
    0.0
    """
    spectra = np.einsum("mij,jmc->imc", _spreading(grade), np.fft.rfft(colours, axis=1))
    return np.asarray(np.fft.irfft(spectra, FACE_ANGLES, axis=1), np.float32)


@lru_cache(maxsize=GRADES)
def _spreading(grade: int) -> Matrix:
    """What so many grades of blur do to each frequency of the rings' colours, (frequencies, rings,
    rings): colours spread like heat."""
    step = np.eye(len(FACE_RINGS)) - _heat() * (grade * GRADE / PARTS)
    return np.asarray(np.linalg.matrix_power(np.linalg.inv(step), PARTS), np.float64)


def _heat() -> Matrix:
    """The Laplacian in polar coordinates, of each frequency (frequencies, rings, rings).

    Beyond the outermost ring colours go on as they came, within the innermost as they do around a
    middle.
    """
    rings = FACE_RINGS.astype(np.float64)
    apart, waves = float(rings[1] - rings[0]), np.arange(FACE_ANGLES // 2 + 1)
    inner, outer = ((rings + side * apart / 2) / rings / apart**2 for side in (-1, 1))
    found = np.diag(-inner - outer) + np.diag(inner[1:], -1) + np.diag(outer[:-1], 1)
    found[-1, -2:] += outer[-1] * np.array([-1.0, 2.0])
    told: NDArray[np.float64] = np.tile(found, (len(waves), 1, 1))
    told -= np.eye(len(rings)) * (waves[:, None, None] / rings) ** 2
    told[:, 0, 0] += inner[0] * max(0.0, 1 - apart / float(rings[0])) ** waves
    return told
