"""What chips cost: a frame with sixty of them and nine cards, and one with the cards alone.

A drawn table of a development set, read with a calibrated camera, on one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from statistics import median
from time import process_time

import cv2
import numpy as np

from rules.cards import Deck
from tests.chip_scenes import Put, Scene, drawn
from tests.chips import camera_of, taught
from vision.chips.reader import ChipReader
from vision.reader import CardReader
from vision.scene.chip_sets import DEVELOPMENT
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Pose

Row = tuple[str, float, str]
SET = "clay"
CHIPS, CARDS, REPEATS = 60, 9, 7
APART_MM = 42.0
"""Between the middles of two chips of 39 mm."""
INDEX_PX = 30.0


def measure() -> list[Row]:
    """What was measured, the figure and its unit, the frames read in turn."""
    cv2.setNumThreads(1)
    chips, eyes = taught(SET, DEVELOPMENT[SET]), CardReader(index_height=INDEX_PX, threads=1)
    took: dict[str, list[float]] = {"cards": [], "none": [], "cards beside": [], "sixty": []}
    scenes = {"none": _table(0), "sixty": _table(CHIPS)}
    readers = {name: ChipReader(chips, camera=camera_of(one)) for name, one in scenes.items()}
    readings = {name: eyes.read(one.picture) for name, one in scenes.items()}
    for _ in range(REPEATS):
        for name, cards in (("none", "cards"), ("sixty", "cards beside")):
            frame, reading, reader = scenes[name].picture, readings[name], readers[name]
            took[cards].append(_timed(lambda frame=frame: eyes.read(frame)))  # type: ignore[misc]
            took[name].append(
                _timed(lambda frame=frame, to=reader, reading=reading: to.beside(frame, reading))  # type: ignore[misc]
            )
    alone, none, beside, sixty = (median(one) for one in took.values())
    return [
        ("nine cards read, with no set of chips", alone, "ms"),
        ("chips looked for beside them, where there are none", none, "ms"),
        (f"{CHIPS} chips read beside them", sixty, "ms"),
        ("the frame with chips against one without", (beside + sixty) / (alone + none), "times"),
        ("the same, if no set is known there", (beside + sixty) / alone, "times"),
    ]


def _table(count: int) -> Scene:
    """Nine cards on one side of a table, and so many chips on the other."""
    deck, cards = DrawnDeck(DeckStyle()), Deck.standard().cards
    laid = [
        CardItem(deck, cards[5 * n], Pose(330.0 + 100 * (n % 2), -210.0 + 105 * (n // 2), 10.0 * n))
        for n in range(CARDS)
    ]
    rng, styles = np.random.default_rng(3), DEVELOPMENT[SET]
    puts: list[Put] = []
    while len(puts) < count:
        x, y = float(rng.uniform(-510, 250)), float(rng.uniform(-260, 260))
        if all(hypot(x - one.x, y - one.y) > APART_MM for one in puts):
            puts.append(Put(styles[int(rng.integers(len(styles)))], x, y))
    return drawn(puts, np.random.default_rng(4), cards=0, extra=laid)


def _timed(work: Callable[[], object]) -> float:
    """Milliseconds of the processor that it takes."""
    begun = process_time()
    work()
    return (process_time() - begun) * 1000
