"""A taught set of chips: what one of each value looks like, kept in a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES
from vision.chips.faces import FACE
from vision.chips.prints import RINGS
from vision.errors import ProfileError
from vision.picture import stored
from vision.picture.geometry import Floats
from vision.picture.stored import opened

_VERSION = 2
"""Version of the file format. A choice, raised with each change of the format."""
UNPACKED_MOST = 2_000_000
"""Maximum size of an unpacked set, in bytes: one with a hundred values takes a million. A
choice."""
VALUES_MOST = 100
"""Maximum number of values in a set. A choice: ten times as many as any real set has."""
THICK_MM = 3.3
"""Thickness of a chip unless it was measured. A choice: what most makers of casino chips state."""
THICK_DOUBT = 0.1
"""Relative standard deviation of a thickness that nobody measured. A choice: chips of 2.5 to 4 mm
are sold, two in three of them of 3 to 3.6; coins are thinner."""
ROUND = 1.06
"""Maximum ratio of the sides of a round chip or a square plaque. A choice: lens and slant account
for as much."""
ONE_SHAPE = 0.035
"""Maximum relative difference of the sides of plaques of one size. A choice: twice the error of
teaching; plaques of two sizes differ by a tenth."""
USUAL_MM = 40.0
"""Diameter of a chip if it is unknown: that of casino chips is 39 to 40 mm. Follows from their
makers' figures."""
THICK_BAND_MM = (0.5, 20.0)
"""Range of a chip's thickness. A choice: from a coin to a plaque on its edge."""


@dataclass(frozen=True, slots=True, eq=False)
class ChipSet:
    """The chips of a set, by their appearance from above.

    `prints` (K, rings, ANGLES, 3) holds the colours of each of the `values` under white light;
    `sizes` (K, 2) the longer and the shorter side (for round chips, the diameter twice): in
    millimetres if `scaled`, otherwise relative to the largest. `lit` says that the light was known
    when the set was taught, from cards in sight. `thick_mm` is how much each chip adds to a stack.
    """

    name: str
    values: tuple[str, ...]
    sizes: Floats
    prints: Floats
    scaled: bool = True
    lit: bool = True
    thick_mm: float = THICK_MM
    thick_doubt: float = 0.0
    """Relative standard deviation of its chips' thickness beyond that of measuring it: 0 if it was
    measured."""
    flat_mm: float = 0.0
    """The thickness of its plaques; 0 if it is that of the chips."""
    faces: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, *FACE), np.uint8))
    """The faces (K, *FACE) in detail, as the camera saw them; none if they are unknown."""
    square: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    """Which of the values (K,) are square plaques; none if it is empty."""

    @property
    def round(self) -> Floats:
        """Which of the values (K,) are round: 1 or 0."""
        equal = self.sizes[:, 0] < self.sizes[:, 1] * ROUND
        return (equal & ~self.square if len(self.square) else equal).astype(np.float32)

    def thick_of(self, kind: int) -> float:
        """How much each chip or plaque of one kind adds to a stack, in mm."""
        return self.flat_mm or self.thick_mm if not self.round[kind] else self.thick_mm

    @property
    def thickness(self) -> float:
        """The thickness of its round chips, in radii."""
        return self.thick_mm / (self.usual if self.scaled else USUAL_MM) * 2

    def px_per_mm(self, scale: float) -> float:
        """Pixels per millimetre, if a unit of its sizes is `scale` pixels.

        A set of unknown size counts as a usual one.
        """
        return scale if self.scaled else scale / USUAL_MM

    @property
    def smallest(self) -> float:
        """The diameter of its smallest round chip, or if it has none, a plaque's shorter side."""
        across = self.sizes[self.round > 0] if self.round.any() else self.sizes
        return float(across.min())

    @property
    def usual(self) -> float:
        """The usual diameter of its round chips, or if it has none, a plaque's shorter side."""
        across = self.sizes[self.round > 0] if self.round.any() else self.sizes[:, 1:]
        return float(across.mean())

    @property
    def shapes(self) -> tuple[tuple[float, float], ...]:
        """The different sizes of its plaques, each the mean of those that are nearly equal."""
        return tuple(
            (float(long), float(short))
            for long, short in (np.mean(some, axis=0) for some in self._alike())
        )

    def shape_of(self, kind: int) -> int:
        """The index among `shapes` of a plaque's size."""
        off = np.abs(np.log(np.array(self.shapes) / self.sizes[kind])).sum(axis=1)
        return int(off.argmin())

    def _alike(self) -> list[list[Floats]]:
        """The sizes of its plaques, nearly equal ones together."""
        found: list[list[Floats]] = []
        for size in self.sizes[self.round == 0]:
            near = [one for one in found if np.abs(np.log(one[0] / size)).max() < ONE_SHAPE]
            near[0].append(size) if near else found.append([size])
        return found

    @classmethod
    def load(cls, path: Path) -> ChipSet:
        """Load a set from a file; raises `ProfileError` if the file is missing or holds no set."""
        with opened(path, "set of chips", ("chips", _VERSION), UNPACKED_MOST) as file:
            found = cls(
                str(file["name"]), tuple(map(str, file["values"])),
                file["sizes"].astype(np.float32), file["prints"].astype(np.float32),
                bool(file["scaled"]), bool(file["lit"]), float(file["thick_mm"]),
                faces=file["faces"].astype(np.uint8),
                # Sets kept by earlier programs lack these.
                thick_doubt=float(file["thick_doubt"]) if "thick_doubt" in file else 0.0,
                flat_mm=float(file["flat_mm"]) if "flat_mm" in file else 0.0,
                square=file["square"].astype(np.bool_) if "square" in file
                else np.zeros(0, np.bool_),
            )  # fmt: skip
        return found.checked(path)

    def checked(self, path: Path) -> ChipSet:
        """Return the set; raises `ProfileError` if its parts do not fit each other."""
        count = len(self.values)
        good = (
            0 < count <= VALUES_MOST
            and self.sizes.shape == (count, 2)
            and self.prints.shape == (count, len(RINGS), ANGLES, 3)
            and self.faces.shape == (count, *FACE)
            and self.square.shape in ((0,), (count,))
            and bool(np.isfinite(self.sizes).all() and np.isfinite(self.prints).all())
            and bool((self.sizes > 0).all() and (self.sizes < 1000).all())
            and bool(self.prints.min() >= 0 and self.prints.max() <= 1000)
            and THICK_BAND_MM[0] <= self.thick_mm <= THICK_BAND_MM[1]
            and (not self.flat_mm or THICK_BAND_MM[0] <= self.flat_mm <= THICK_BAND_MM[1])
            and 0 <= self.thick_doubt < 1
        )
        if not good:
            raise ProfileError(f"{path}: expected a set of chips: its parts do not fit")
        return self

    def save(self, path: Path) -> None:
        """Save the set, completely or not at all; raises `ProfileError` if it cannot be written."""
        stored.save(
            path, chips=_VERSION, name=self.name, values=list(self.values), sizes=self.sizes,
            prints=np.rint(self.prints).astype(np.uint16), scaled=self.scaled, lit=self.lit,
            thick_mm=self.thick_mm, faces=self.faces, thick_doubt=self.thick_doubt,
            flat_mm=self.flat_mm, square=self.square,
        )  # fmt: skip
