"""How exactly a card's place is measured by its picture: ``python -m tests.whereabouts``.

On each seed's simulated table, cards lie apart; then the same ones lie exactly there again, or a
little displaced and turned, while their outlines are read with an error of some millimetres. What
is measured between the two pictures is compared with how far they really are apart.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.follow.outlines import BARED, MEASURED, NUDGED
from firmware.rehearsal.setting import AREA, filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from firmware.table.place import CARD_MM
from rules.cards import Deck
from tests.outlines import PLACES
from vision.picture.geometry import Frame, Outline, corners_apart
from vision.picture.plane import Plane
from vision.scene.items import Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.sightings import Lying
from vision.track.whereabouts import Whereabouts

SENSOR = "webcam"
ASKEW = 3.0
"""Largest displacement in mm, each way, and largest turn in degrees: as thrown onto a pile."""
THROWN = 1_000_000
"""Pairs of cards thrown to see how often they come near each other."""
READ_MM = 2.5
"""Largest error of each corner of an outline as it is read, each way, mm."""


@dataclass(frozen=True)
class Measured:
    """A card's way between two pictures, in shorter sides, and what was measured of it, if it was.

    `missed` is how far the card's outline is measured from where it really is, seen from where it
    was in the first picture.
    """

    away: float
    told: float | None
    missed: float


def measured(seed: int) -> Iterator[Measured]:
    """One card after another on the table of this seed, in the same place and displaced."""
    rng = np.random.default_rng((seed, 113))
    table = filmed(setting(seed), SENSORS[SENSOR])
    camera = SimulatedCamera(SENSORS[SENSOR], seed)
    across, down = (np.linspace(0, side, n + 2)[1:-1] for side, n in zip(AREA, PLACES, strict=True))
    poses = [Pose(float(x), float(y), float(rng.uniform(0, 90))) for x in across for y in down]
    number = rng.permutation(52)[: len(poses)]
    cards = [Deck.standard().cards[int(n)] for n in number]
    moved = [
        pose if rng.random() < 0.5 else _displaced(pose, rng.uniform(-ASKEW, ASKEW, 3))
        for pose in poses
    ]

    def shot(places: Sequence[Pose], now: float) -> tuple[Frame, Plane]:
        laid = Tabletop(table, seed=seed)
        pieces = [(laid.piece(card), at, "") for card, at in zip(cards, places, strict=True)]
        now += laid.packet(pieces, now=now) + 5.0
        return camera.shoot(laid.frame, now, still=True), Plane(laid.matrix)

    first, plane = shot(poses, 0.0)
    second, _ = shot(moved, 60.0)
    for card, pose, other in zip(cards, poses, moved, strict=True):
        there, now = _outline(plane, pose), _outline(plane, other)
        where = Whereabouts()
        lying = [Lying(card, 0.99, ((card, 0.99),), _read(there, plane, rng), True)]
        (before,) = where.measured(lying, (), first)
        lying = [Lying(card, 0.99, ((card, 0.99),), _read(now, plane, rng), True)]
        (after,) = where.measured(lying, (), second)
        off = np.subtract(before.outline, there)  # the first reading's own error stays
        really = tuple((float(x), float(y)) for x, y in np.add(now, off))
        yield Measured(
            corners_apart(there, now),
            corners_apart(before.outline, after.outline) if after.measured else None,
            corners_apart(after.outline, (really[0], really[1], really[2], really[3])),
        )


def _displaced(pose: Pose, by: NDArray[np.float64]) -> Pose:
    return Pose(pose.x + float(by[0]), pose.y + float(by[1]), pose.angle + float(by[2]))


def _outline(plane: Plane, pose: Pose) -> Outline:
    corners = np.roll(cv2.boxPoints(((pose.x, pose.y), CARD_MM, pose.angle)), -1, axis=0)
    a, b, c, d = (plane.pixels((float(x), float(y))) for x, y in corners)
    return (a, b, c, d)


def by_chance(within: float) -> float:
    """How often an equal card thrown onto a pile comes so near to one below, in shorter sides."""
    thrown = np.random.default_rng(7).uniform(-ASKEW, ASKEW, (2, THROWN, 3))
    across, down, turn = (thrown[0] - thrown[1]).T
    turn = np.radians(turn)
    away = [
        np.hypot(across - y * turn, down + x * turn)
        for x in (-CARD_MM[0] / 2, CARD_MM[0] / 2)
        for y in (-CARD_MM[1] / 2, CARD_MM[1] / 2)
    ]
    return float((np.mean(away, axis=0) / CARD_MM[0] <= within).mean())


def _read(outline: Outline, plane: Plane, rng: np.random.Generator) -> Outline:
    """An outline as the reader works it out: each corner is some millimetres off."""
    off = rng.uniform(-READ_MM, READ_MM, (4, 2)) * plane.scale((AREA[0] / 2, AREA[1] / 2))
    a, b, c, d = ((float(x), float(y)) for x, y in np.add(outline, off))
    return (a, b, c, d)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = ArgumentParser(prog="python -m tests.whereabouts", description=__doc__)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--tables", type=int, default=10, metavar="N")
    options = parser.parse_args(arguments)
    seeds = range(options.first, options.first + options.tables)
    found = [one for seed in seeds for one in measured(seed)]
    told = [one for one in found if one.told is not None]
    print(f"{len(found)} cards, {len(told)} measured")
    for name, some in (
        ("in the same place", [one for one in told if not one.away]),
        ("displaced", [one for one in told if one.away]),
    ):
        missed = [one.missed for one in some]
        far = [one.told for one in some if one.told is not None]
        half, most = np.percentile(missed, (50, 95))
        print(
            f"{name}: {len(some)}, measured {min(far):.3f} to {max(far):.3f} shorter sides away; "
            f"error, median {half:.4f}, 95 of 100 {most:.4f}, at most {max(missed):.4f}"
        )
    for within in (MEASURED, NUDGED, BARED):
        share = by_chance(within)
        print(f"thrown within {within} shorter sides of an equal one by chance: {share:.2%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
