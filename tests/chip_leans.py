"""How far the outlines of stacks reach beyond their tops: ``python -m tests.chip_leans``.

Stacks of one to six chips of the development sets are drawn away from each other, stacked as a
hand does, and what is measured of each is compared with how far its foot really lies off its top.
What is lost of the lowest chip, and the spread of what is measured, by what its edges let expect,
are what `vision.chips.heights` weighs numbers of chips by.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tests.chip_scenes import Scene, drawn, is_round, stacks
from tests.chips import camera_of
from vision.chips.circles import ANGLES
from vision.chips.silhouettes import hulls
from vision.chips.standpoint import Levelled
from vision.scene.chip_sets import DEVELOPMENT, ChipSetStyles

REACH_PX = 30.0
"""How far feet are looked for: six chips at a picture's corner."""
THICK = ((0.4, 1.0), (1.0, 2.0), (2.0, 5.0))
"""Bands of the thickness of a chip in sight, pixels."""
UNSURE = ((0.0, 0.12), (0.12, 0.25), (0.25, 9.0))
"""Bands of the error that a stack's edges let expect, pixels."""


@dataclass(frozen=True, slots=True)
class Lean:
    """One stack: its chips, how thick each appears, and what was measured besides, in pixels."""

    count: int
    thick: float
    lost: float
    """By how much the outline ends before the foot."""
    unsure: float


def measured(styles: ChipSetStyles, seed: int) -> Iterator[Lean]:
    """The stacks of one drawn scene."""
    rng = np.random.default_rng([77, seed])
    puts = stacks(styles, 14, 6, rng)
    scene = drawn(puts, rng)
    level = Levelled.of(scene.picture, camera_of(scene))
    picture, camera = (level.picture, level.camera) if level else (scene.picture, camera_of(scene))
    tops = _there(scene, level, [(pile.x, pile.y) for pile in scene.piles])
    feet = _there(scene, level, scene.view.project([(put.x, put.y) for put in puts]))
    radii = np.array([pile.radius for pile in scene.piles], np.float32)
    away = tops - np.asarray(camera.below, np.float32)
    distance = np.linalg.norm(away, axis=1)
    outwards = away / distance[:, None]
    free = np.ones((len(puts), ANGLES), np.bool_)
    seen = hulls(picture, tops, radii, outwards, reach=REACH_PX, open_to=free)
    smaller = 1 - seen.radii / distance
    real = ((tops - feet) * outwards).sum(axis=1) * smaller
    half = styles[0].size[0] / 2
    thick = styles[0].thick / half * distance * seen.radii / camera.focal_px * smaller
    for row, put in enumerate(puts):
        if distance[row] > 2 * seen.radii[row]:
            lost = float(real[row] - seen.leans[row])
            yield Lean(put.count, float(thick[row]), lost, float(seen.unsure[row]))


def _there(scene: Scene, level: Levelled | None, points: object) -> np.ndarray:
    """Where points of a scene lie in its levelled picture: half a pixel in from its corners."""
    inner = np.asarray(points, np.float32) - np.float32(0.5)
    return np.asarray(level.there(inner) if level else inner, np.float32)


def _line(name: str, some: Sequence[Lean]) -> str:
    lost = np.percentile([one.lost for one in some], [5, 25, 50, 75, 95])
    spread = (lost[3] - lost[1]) / 1.35
    shown = " ".join(f"{value:5.2f}" for value in lost)
    return f"{name}: {len(some)} stacks, lost {shown} px, spread {spread:.2f} px"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is lost of stacks' outlines, and how surely."""
    parser = ArgumentParser(prog="python -m tests.chip_leans", description=__doc__)
    parser.add_argument("--scenes", type=int, default=6, help="for each set")
    options = parser.parse_args(arguments)
    every = [
        lean
        for styles in DEVELOPMENT.values()
        if is_round(styles)
        for seed in range(options.scenes)
        for lean in measured(styles, seed)
    ]
    for low, high in THICK:
        some = [one for one in every if low <= one.thick < high]
        print(_line(f"thickness {low} to {high} px", some))
    for low, high in UNSURE:
        some = [one for one in every if low <= one.unsure < high]
        print(_line(f"expected error {low} to {high} px", some))
    return 0


if __name__ == "__main__":
    sys.exit(main())
