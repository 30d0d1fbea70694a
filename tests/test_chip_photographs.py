"""The numbers of chips in photographs, whose cameras nobody has measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.chips.chances import NUMBERS, ranged
from vision.chips.faces import Magnified
from vision.chips.gauge import Evidence, Gauge, Sized, rises
from vision.chips.photographs import Signs, likely_numbers


def in_picture(chips: int, slant: tuple[float, float], place: tuple[float, float]) -> Signs:
    """What a stack at a place (focal lengths from below the camera) shows under this slant."""
    focal, radius, chip = 1400.0, 30.0, 0.17 * 30
    lean = chip * chips * (np.array(place) + slant)
    far = float(np.linalg.norm(lean))
    seen = lean * max(0.0, 1 - (0.6 + chip * chips * radius / focal) / max(far, 1e-6))
    at = np.array(place, np.float32) * np.float32(focal)
    return Signs(at, np.asarray(seen, np.float32), 0.1, radius, 0.5 * chip * chips, 1.0, 0.0)


def test_what_is_not_known_of_a_photograph_is_told_by_all_its_stacks() -> None:
    places = [(0.3, 0.1), (-0.25, 0.2), (0.1, -0.3), (-0.3, -0.15), (0.05, 0.02)]

    def told(numbers: Sequence[int], count: int = 5) -> list[tuple[int, int, int]]:
        some = [in_picture(n, (0.04, -0.03), at) for n, at in zip(numbers, places, strict=True)]
        found = likely_numbers(some[-count:], focal_px=1400.0, slant=0.04, thickness=0.17)
        return [ranged(chances) for chances in found]

    assert told([1] * 5) == [(1, 1, 1)] * 5
    stacks = [4, 2, 5, 3, 3]
    ranges = told(stacks)
    assert all(least <= n <= most for n, (_, least, most) in zip(stacks, ranges, strict=True))
    assert min(ranges[0][1], ranges[2][1]) > 1, "a side that plain is no single chip's"
    # Straight below the camera and alone, three chips look like one.
    assert told(stacks, count=1)[0][1:] >= (1, 3)


def test_faces_tell_how_high_stacks_are_whose_sides_tell_little() -> None:
    """Where nobody knows the scale, the faces of all stacks together say how they differ."""
    rises_, numbers = rises(NUMBERS, 3.3, 700.0), [1, 4, 2, 6, 1, 5, 3]
    places = [
        (0.3, 0.1),
        (-0.25, 0.2),
        (0.1, -0.3),
        (-0.3, -0.15),
        (0.05, 0.0),
        (0.3, -0.2),
        (-0.1, 0.25),
    ]
    seen = []
    for place, number in zip(places, numbers, strict=True):
        sides = np.exp(-(((NUMBERS - number) / (0.3 if number == 1 else 4.0)) ** 2) / 2)
        # The scale is three percent off, and the slant is mistaken by a degree.
        size = float(rises_[number - 1]) - 0.03 + 1.5 * 0.0175 * place[0]
        sized = Sized(0, place, Magnified(size, 0.003))
        seen.append(Evidence(sides / sides.sum(), sized, rises_))
    alone = [ranged(one.sides) for one in seen]
    told = [ranged(chances) for chances in Gauge.unaided(1, 0.03, 0.0).numbers(seen)]
    assert all(least <= n <= most for n, (_, least, most) in zip(numbers, told, strict=True))
    wide = [sum(most - least for _, least, most in some) for some in (alone, told)]
    assert wide[1] < wide[0] / 2
