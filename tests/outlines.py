"""How alike the outlines of two cards in the same place are: ``python -m tests.outlines``.

On each seed's simulated table, cards are laid apart at random places, and then others exactly in
their places; a camera takes pictures of both. The distance between the outlines of two cards that
lay in one place, in shorter sides, is what distinguishes a squared-up pile from a card laid next to
the last one. It is measured with and without what the pictures reveal about the deck's shape.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from firmware.follow.outlines import jump
from firmware.rehearsal.setting import AREA, filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import Card, Deck
from vision.join.proportions import Proportions
from vision.picture.geometry import Box, Frame, distance
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.scene.items import Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.sightings import INDEX_MM, Lying, Reading

PLACES = (4, 3)
"""Columns and rows of cards on the table."""
ASIDE_MM = 9.0
"""Largest offset of a card from the middle of its cell, each way."""
SENSOR = "webcam"
SPOT = 4.0
"""Half the size of a spot around a card's middle, in index heights."""
NEAR_MM = 15.0
"""Largest distance at which a reading counts as this card's."""


@dataclass(frozen=True)
class Pair:
    """Two cards laid in one place one after the other, and the distance between their outlines."""

    seed: int
    cards: tuple[Card, Card]
    apart: float
    """In shorter sides."""


def pictures(seed: int, looks: int) -> Iterator[tuple[Frame, Plane, dict[Pose, Card]]]:
    """Pictures of the table with different cards in the same places each time."""
    rng = np.random.default_rng((seed, 91))
    places = _places(rng)
    camera, lit = SimulatedCamera(SENSORS[SENSOR], seed), filmed(setting(seed), SENSORS[SENSOR])
    for _ in range(looks):
        table = Tabletop(lit, seed=seed)
        cards = [Deck.standard().cards[int(n)] for n in rng.permutation(52)[: len(places)]]
        pieces = [(table.piece(one), place, "") for one, place in zip(cards, places, strict=True)]
        now = table.packet(pieces, now=0.0) + 5.0
        yield (
            camera.shoot(table.frame, now, still=True),
            Plane(table.matrix),
            dict(zip(places, cards, strict=True)),
        )


def _places(rng: np.random.Generator) -> list[Pose]:
    across, down = (np.linspace(0, side, n + 2)[1:-1] for side, n in zip(AREA, PLACES, strict=True))
    away = rng.uniform(-ASIDE_MM, ASIDE_MM, (across.size, down.size, 2)).tolist()
    return [
        Pose(x + away[column][row][0], y + away[column][row][1], float(rng.uniform(0, 90)))
        for column, x in enumerate(across.tolist())
        for row, y in enumerate(down.tolist())
    ]


def read_at(reading: Reading, plane: Plane, pose: Pose, card: Card) -> Lying | None:
    """The sighting of a card in its place, if it was read."""
    there = plane.pixels((pose.x, pose.y))
    reach = NEAR_MM * plane.scale((pose.x, pose.y))
    return next(
        (
            Lying(one.card, one.confidence, (), one.outline)
            for one in reading.sightings
            if one.card == card and distance(one.centre, there) < reach
        ),
        None,
    )


def pairs(seed: int, looks: int, *, known: bool) -> Iterator[Pair]:
    """Cards laid in the same places, read with or without knowledge of the deck's shape."""
    deck = Proportions() if known else None
    before: dict[Pose, Lying | None] = {}
    for number, (frame, plane, cards) in enumerate(pictures(seed, looks)):
        index = INDEX_MM * plane.scale((AREA[0] / 2, AREA[1] / 2))
        spots = [Box.around([plane.pixels((one.x, one.y))], margin=SPOT * index) for one in cards]
        reading = CardReader(index_height=index, deck=deck).read(frame, regions=spots)
        now = {pose: read_at(reading, plane, pose, card) for pose, card in cards.items()}
        if number > 1:
            for pose, one in now.items():
                other = before[pose]
                if one is not None and other is not None:
                    apart = jump(Lying(other.card, 1.0, (), one.outline), other)
                    yield Pair(seed, (one.card, other.card), apart)
        before = now


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = ArgumentParser(prog="python -m tests.outlines", description=__doc__)
    parser.add_argument("--seeds", type=int, default=6, metavar="N")
    parser.add_argument("--looks", type=int, default=4, metavar="N")
    options = parser.parse_args(arguments)
    for known in (False, True):
        found = [
            one.apart
            for seed in range(options.seeds)
            for one in pairs(seed, options.looks, known=known)
        ]
        half, most = np.percentile(found, (50, 95))
        way = "deck known" if known else "deck unknown"
        print(f"{way}: {len(found)} pairs, median {half:.3f}, 95 of 100 {most:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
