"""Measure how exactly faces show the number of chips: ``python -m tests.chip_sizes``.

Stacks of one to five chips are drawn apart from each other, stacked as by hand. The size of each
face on top is compared with that of the true number of chips: `vision.chips.gauge` learns what is
common to all of them or to a value, so what matters is the spread. Then the numbers are counted by
the sides alone, and by sides and faces together.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from tests.chip_scenes import drawn, is_round, stacks
from tests.chips import camera_of, taught
from vision.chips.chances import ranged
from vision.chips.reader import ChipReader
from vision.chips.seen import SeenChips
from vision.scene.chip_sets import DEVELOPMENT, VALIDATION, ChipSetStyles

SEEDS = 5000
"""First seed of the scenes: none is used elsewhere."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A stack whose face was measured: how far its size is off, and the error that was expected.

    `sides` and `both` are the least and the most number by the sides and by everything.
    """

    value: str
    count: int
    off: float
    error: float
    sides: tuple[int, int]
    both: tuple[int, int]


def measured(name: str, styles: ChipSetStyles, scenes: int) -> Iterator[Judged]:
    """The stacks of some scenes of one set."""
    chips = taught(name, styles)
    for number in range(scenes):
        rng = np.random.default_rng(SEEDS + number)
        scene = drawn(stacks(styles, 12, 5, rng), rng)
        seen = ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards)
        for pile in scene.piles:
            near = [o for o in seen if hypot(o.centre[0] - pile.x, o.centre[1] - pile.y) < 10]
            yield from (_judged(one, pile.count) for one in near if _has_size(one))


def _has_size(one: SeenChips) -> bool:
    return one.evidence is not None and one.evidence.sized is not None


def _judged(one: SeenChips, count: int) -> Judged:
    evidence = one.evidence
    assert evidence is not None
    assert evidence.sized is not None
    off = evidence.sized.seen.ratio - float(evidence.rises[count - 1])
    error = evidence.sized.seen.error
    _, least, most = ranged(evidence.sides)
    return Judged(one.value, count, off, error, (least, most), (one.least, one.most))


def line(some: Sequence[Judged]) -> str:
    """What was measured, in percent of a face's size and of the stacks."""
    by_value: dict[str, list[float]] = {}
    for one in some:
        by_value.setdefault(one.value, []).append(one.off)
    spread = np.concatenate([np.subtract(each, np.median(each)) for each in by_value.values()])
    certain = [np.mean([low == high for low, high in way]) for way in _ways(some)]
    held = [
        np.mean([low <= one.count <= high for one, (low, high) in zip(some, way, strict=True)])
        for way in _ways(some)
    ]
    error = np.mean([one.error for one in some])
    return (
        f"{len(some)} stacks: sizes spread {spread.std():.3%}, expected {error:.3%}; certain "
        f"{certain[0]:.1%} by sides, {certain[1]:.1%} by both; held {held[0]:.1%}, {held[1]:.1%}"
    )


def _ways(some: Sequence[Judged]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    return [one.sides for one in some], [one.both for one in some]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was measured of each set, and of all."""
    parser = ArgumentParser(prog="python -m tests.chip_sizes", description=__doc__)
    parser.add_argument("--sets", choices=("development", "validation"), default="development")
    parser.add_argument("--scenes", type=int, default=3, help="scenes for each set")
    options = parser.parse_args(arguments)
    every: list[Judged] = []
    for name, styles in (DEVELOPMENT if options.sets == "development" else VALIDATION).items():
        some = list(measured(name, styles, options.scenes)) if is_round(styles) else []
        if some:
            print(f"{name}, {line(some)}", flush=True)
        every += some
    print(line(every))
    return 0


if __name__ == "__main__":
    sys.exit(main())
