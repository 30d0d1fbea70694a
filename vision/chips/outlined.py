"""The outlines of stacks, and the numbers of chips that they are likely to be the outlines of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.chips.chances import Chances, Presumed, odds, supposing
from vision.chips.stack_hulls import Hulls
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Floats

ASKEW_MM = 0.3
"""Standard deviation of the offset between chips stacked by hand. A choice: up to half a millimetre
either way."""
FLAT, FLAT_PX = 1.0, 1.0
"""A thing in a photograph shows no sign of a stack if its shadow extends no farther than this many
thicknesses of a chip plus this many pixels, unless it leans like a stack. A choice; `python -m
tests.real_chips` judges it."""
LEANT = 0.5
"""Maximum extra length of its side for that, beyond a single chip's, in thicknesses of a chip. A
choice; `python -m tests.real_chips` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlined:
    """What is `seen` of N stacks under a camera.

    A chip's thickness is `thickness` times its radius, with the relative standard deviation
    `doubt`, and appears as `steps` (N,) pixels. `lacking` (N,) is the share of the near side in
    sight that no outline explains, and `lapping` (N,) says which overlap others.
    """

    seen: Hulls
    camera: Standpoint
    thickness: float
    doubt: float
    steps: Floats
    lacking: Floats
    lapping: NDArray[np.bool_]

    @classmethod
    def of(
        cls, seen: Hulls, camera: Standpoint, thickness: float, doubt: float,
        *, distances: Floats, lacking: Floats,
    ) -> Self:  # fmt: skip
        """Outlines that overlap no others, at these `distances` (N,) from the pixel below the
        camera."""
        # The foot is farther from the camera than the top, so it looks smaller, its edge farther
        # out.
        nearer = 1 - seen.radii / np.maximum(distances, seen.radii * 2)
        rises = thickness * seen.radii / camera.focal_px
        steps = np.asarray(rises * distances * nearer, np.float32)
        apart = np.zeros(len(steps), np.bool_)
        return cls(seen, camera, thickness, doubt, steps, lacking, apart)

    def __getitem__(self, which: NDArray[np.intp]) -> Outlined:
        return replace(
            self, seen=self.seen[which], steps=self.steps[which], lacking=self.lacking[which],
            lapping=self.lapping[which],
        )  # fmt: skip

    @staticmethod
    def joined(some: Sequence[tuple[Outlined, int]]) -> Outlined:
        """Single outlines of several, in one picture."""
        parts: dict[int, tuple[Outlined, list[int]]] = {}
        for one, row in some:
            parts.setdefault(id(one), (one, []))[1].append(row)
        if len(parts) == 1:
            return some[0][0][np.array([row for _, row in some])]
        every = [one[np.array([row])] for one, row in some]
        return replace(
            every[0],
            seen=Hulls.joined([one.seen for one in every]),
            steps=np.concatenate([one.steps for one in every]),
            lacking=np.concatenate([one.lacking for one in every]),
            lapping=np.concatenate([one.lapping for one in every]),
        )

    def topped(self, tops: Floats) -> Outlined:
        """The same stacks if their tops are at other places (N, 2); their feet are where they
        were."""
        seen = self.seen
        moved = ((tops - seen.tops) * seen.outwards).sum(axis=1)
        leans = np.maximum(seen.leans + moved, 0).astype(np.float32)
        return replace(self, seen=replace(seen, tops=np.asarray(tops, np.float32), leans=leans))

    def likely(self) -> tuple[Chances, Chances | None]:
        """The probability (N, MOST) of each number of chips, and if the thickness is in doubt, that
        for each thickness up to a factor (N, T, MOST), or None."""
        seen, camera = self.seen, self.camera
        rises = self.thickness * seen.radii / camera.focal_px
        slant = camera.leans * seen.radii
        presumed = Presumed(camera.doubt, slant * self.thickness, slant * camera.leans)

        def at(thicker: float) -> Chances:
            steps = np.asarray(self.steps * np.float32(1 + thicker), np.float32)
            return odds(
                seen, steps, ASKEW_MM * camera.px_per_mm, presumed,
                lapping=self.lapping, rises=rises * (1 + thicker), flat=self._flat,
                lacking=self.lacking,
            )  # fmt: skip

        return supposing(at, self.doubt)

    @property
    def _flat(self) -> NDArray[np.bool_]:
        """Which things (N,) in a photograph show no sign of a stack: neither a long shadow nor much
        of a side."""
        chip = self.thickness * self.seen.radii
        short = self.seen.shadows < FLAT * chip + FLAT_PX
        low = self.seen.leans < self.steps + LEANT * chip
        return np.asarray(short & low & bool(self.camera.leans))
