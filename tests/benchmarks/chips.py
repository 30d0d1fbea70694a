"""The cost of chips: a frame with sixty of them and nine cards, against the cards alone.

Drawn tables of a development set, smooth and coarse, are read with a calibrated camera on one
thread: by the card reader alone, as when no chip set is known, and by both readers. Last comes the
memory of a whole appliance that watches chips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot
from statistics import median
from time import process_time
from typing import TypeVar

import cv2
import numpy as np

from rules.cards import Deck
from tests.benchmarks.chip_memory import most_megabytes
from tests.chip_scenes import Put, Scene, drawn
from tests.chips import camera_of, taught
from vision.chips.chip_set import ChipSet
from vision.chips.reader import ChipReader
from vision.reader import CardReader
from vision.scene.chip_sets import DEVELOPMENT
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Pose

Row = tuple[str, float, str]
T = TypeVar("T")
SET = "clay"
CHIPS, CARDS, REPEATS = 60, 9, 5
TABLES = (4, 5, 6, 7)
"""Seeds from which cloth and light are drawn."""
APART_MM = 42.0
"""Distance between the centres of two chips of 39 mm."""
INDEX_PX = 30.0


@dataclass(frozen=True)
class _Costs:
    """Milliseconds spent on a frame without chips and on one with them."""

    alone: tuple[float, float]
    """On the cards, if no chip set is known."""
    rounds: tuple[float, float]
    """On what is round, before the cards are read."""
    cards: tuple[float, float]
    """On the cards beside what is round."""
    chips: tuple[float, float]
    """On the chips beside the cards."""

    @property
    def unknown(self) -> float:
        """Cost of the frame with chips relative to the one without, if no chip set is known."""
        return self.alone[1] / self.alone[0]

    @property
    def both(self) -> tuple[float, float]:
        """The cost of cards and chips of a known set."""
        without, beside = zip(self.rounds, self.cards, self.chips, strict=True)
        return sum(without), sum(beside)

    @property
    def known(self) -> float:
        """The same as `unknown`, if chips of a known set are looked for."""
        return self.both[1] / self.both[0]


def measure() -> list[Row]:
    """Rows of what was measured, the figure and its unit; the frames are read alternately."""
    cv2.setNumThreads(1)
    chips, eyes = taught(SET, DEVELOPMENT[SET]), CardReader(index_height=INDEX_PX, threads=1)
    costs = [_costs(chips, eyes, seed) for seed in TABLES]
    return [
        ("nine cards read, no set known", median(one.alone[0] for one in costs), "ms"),
        (f"the same beside {CHIPS} chips", median(one.alone[1] for one in costs), "ms"),
        ("nine cards read, a set known", median(one.both[0] for one in costs), "ms"),
        (f"the same and {CHIPS} chips", median(one.both[1] for one in costs), "ms"),
        *_ratios("with chips against without, no set known", [one.unknown for one in costs]),
        *_ratios("with chips against without, a set known", [one.known for one in costs]),
        ("the appliance's memory at most, at a table with chips", most_megabytes(), "MB"),
    ]


def _ratios(name: str, ratios: Sequence[float]) -> Iterator[Row]:
    yield f"{name}: median of {len(ratios)} tables", median(ratios), "times"
    yield f"{name}: at most", max(ratios), "times"


def _costs(chips: ChipSet, eyes: CardReader, seed: int) -> _Costs:
    """The costs of the two frames of one table."""
    frames = [_table(count, seed) for count in (0, CHIPS)]
    took: list[list[tuple[float, float, float, float]]] = [[], []]
    for scene in frames * REPEATS:
        took[frames.index(scene)].append(
            _read(ChipReader(chips, camera=camera_of(scene)), eyes, scene)
        )
    middle = [[median(part) for part in zip(*some, strict=True)] for some in took]
    alone, rounds, cards, beside = zip(*middle, strict=True)
    return _Costs(alone, rounds, cards, beside)


def _read(chips: ChipReader, eyes: CardReader, scene: Scene) -> tuple[float, float, float, float]:
    """Milliseconds spent on the cards alone, on what is round, then on the cards and the chips."""
    alone, _ = _timed(partial(eyes.read, scene.picture))
    looking, rounds = _timed(partial(chips.rounds, scene.picture))
    assert rounds is not None
    reading, cards = _timed(partial(eyes.read, scene.picture, discs=rounds.discs))
    finding, _ = _timed(partial(chips.beside, scene.picture, cards, rounds))
    return alone, looking, reading, finding


def _table(count: int, seed: int) -> Scene:
    """Nine cards on one side of a table, and `count` chips on the other."""
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
    return drawn(puts, np.random.default_rng(seed), cards=0, extra=laid)


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    """Processor time that `work` takes, in milliseconds, and its result."""
    begun = process_time()
    done = work()
    return (process_time() - begun) * 1000, done
