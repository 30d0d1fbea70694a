"""Measure how far stacks' outlines reach beyond their tops: ``python -m tests.chip_leans``.

Stacks of one to six chips of the development sets are drawn apart from each other, stacked as by
hand, and the measurement of each is compared with the true offset of its foot from its top.
`vision.chips.chances` weighs chip counts by two results: how much of the lowest chip the outline
misses, and the spread of the measurements, as a function of the error that a stack's edges predict.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tests.chip_scenes import Scene, drawn, is_round, stacks
from tests.chips import camera_of
from vision.chips.silhouettes import Sides, edges_around
from vision.chips.stack_hulls import hulls
from vision.chips.standpoint import Levelled
from vision.scene.chip_sets import DEVELOPMENT, ChipSetStyles

REACH_PX = 30.0
"""Largest distance at which a foot is looked for: six chips in a corner of the picture."""
THICK = ((0.4, 1.0), (1.0, 2.0), (2.0, 5.0))
"""Bands of the visible thickness of a chip, in pixels."""
UNSURE = ((0.0, 0.12), (0.12, 0.25), (0.25, 9.0))
"""Bands of the error predicted from a stack's edges, in pixels."""


@dataclass(frozen=True, slots=True)
class Lean:
    """One stack: its number of chips, their visible thickness and the measurements, in pixels."""

    count: int
    thick: float
    lost: float
    """How far short of the foot the outline ends."""
    unsure: float


def measured(styles: ChipSetStyles, seed: int) -> Iterator[Lean]:
    """The stacks of one drawn scene, measured."""
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
    things, sides = (tops, radii, away / distance[:, None]), Sides.all(len(puts))
    edges = edges_around(picture, *things, reach=REACH_PX, sides=sides)
    seen = hulls(edges, *things, sides=sides)
    smaller = 1 - seen.radii / distance
    real = ((tops - feet) * things[2]).sum(axis=1) * smaller
    half = styles[0].size[0] / 2
    thick = styles[0].thick / half * distance * seen.radii / camera.focal_px * smaller
    for row, put in enumerate(puts):
        if distance[row] > 2 * seen.radii[row]:
            lost = float(real[row] - seen.leans[row])
            yield Lean(put.count, float(thick[row]), lost, float(seen.unsure[row]))


def _there(scene: Scene, level: Levelled | None, points: object) -> np.ndarray:
    """Positions of scene points in its levelled picture, which is inset by half a pixel."""
    inner = np.asarray(points, np.float32) - np.float32(0.5)
    return np.asarray(level.there(inner) if level else inner, np.float32)


def _line(name: str, some: Sequence[Lean]) -> str:
    lost = np.percentile([one.lost for one in some], [5, 25, 50, 75, 95])
    spread = (lost[3] - lost[1]) / 1.35
    shown = " ".join(f"{value:5.2f}" for value in lost)
    return f"{name}: {len(some)} stacks, lost {shown} px, spread {spread:.2f} px"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how much of the stacks' outlines is lost, and the spread."""
    parser = ArgumentParser(prog="python -m tests.chip_leans", description=__doc__)
    parser.add_argument("--scenes", type=int, default=6, help="scenes for each set")
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
