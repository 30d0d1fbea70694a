"""Measure how regional decks are read without teaching: ``python -m tests.italian_decks``.

Cards as other makers print them (hue, saturation, paper, cut, wear) lie on new tables in good and
bad light, either way up: apart from each other, some face down, and overlapping in pairs and rows
of three. The artwork is not part of the project; ``MAZZIERE_ART`` names the folder that holds it,
as `vision.training.patterns` describes it.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np

from rules.cards import BACK, Card
from tests.teaching import setting
from vision.decide.patterns import PATTERNS, Pattern
from vision.decide.profiles import Profile
from vision.measure import Score, scored
from vision.reader import CardReader
from vision.scene.items import CardItem, Pose
from vision.scene.regional import forty
from vision.scene.render import render
from vision.scene.view import View
from vision.sightings import INDEX_MM
from vision.training.patterns import FOLDERS, PrintedDeck

Rng: TypeAlias = np.random.Generator
Places: TypeAlias = list[tuple[Card, Pose]]
FIRST_PRINT = 500
"""Number of the first print that is read; the prints that were enrolled have no number."""
BACKS = 4
"""How many of the cards that lie apart are face down."""


def art() -> Path | None:
    """The folder with the decks' pictures, if there is one."""
    named = os.environ.get("MAZZIERE_ART")
    folder = Path(named) / "italian" if named else None
    return folder if folder is not None and folder.is_dir() else None


def apart(cards: list[Card], wide: float, rng: Rng) -> Places:
    """Twenty separate cards, some face down."""
    del wide
    found = []
    for number, card in enumerate(cards[:20]):
        x, y = (number % 7 - 3) * 130, (number // 7 - 1) * 150
        turn = float(rng.normal(0, 8)) + 180 * float(rng.random() < 0.5)
        shown = BACK if number < BACKS else card
        found.append((shown, Pose(x + rng.normal(0, 4), y + rng.normal(0, 4), turn)))
    return found


def heaped(size: int, askew: float) -> Callable[[list[Card], float, Rng], Places]:
    """Six heaps of `size` cards, side by side, each card shifted by a third to three quarters of
    one.
    """

    def lay(cards: list[Card], wide: float, rng: Rng) -> Places:
        found = []
        for heap in range(6):
            x, y = (heap % 3 - 1) * 330, (heap // 3 - 0.5) * 270
            turn, step = float(rng.normal(0, 8)), wide * float(rng.uniform(0.35, 0.75))
            for place in range(size):
                along = (place - (size - 1) / 2) * step
                own = turn + float(rng.normal(0, askew)) + 180 * float(rng.random() < 0.3)
                at = x + along + rng.normal(0, 2), y + rng.normal(0, askew)
                found.append((cards.pop(), Pose(*at, own)))
        return found

    return lay


LAID = {"apart": apart, "pairs": heaped(2, 12.0), "rows": heaped(3, 4.0)}


def trials(
    pattern: Pattern, folder: Path, laid: str, numbers: range, *, scaled: bool = True
) -> Iterator[Score]:
    """How a number of new pictures of a deck are read, with known scale or without."""
    profile = Profile.load(pattern.path)
    for number in numbers:
        rng = np.random.default_rng([number, 7])
        deck = PrintedDeck(pattern, folder / FOLDERS[pattern.name], FIRST_PRINT + number)
        cards = [forty()[int(place)] for place in rng.permutation(40)]
        places = LAID[laid](cards, deck.size[0], rng)
        px_per_mm = float(rng.uniform(1.3, 1.7))
        light, lens, cloth = setting(rng)
        view = View.above(
            (1920, 1080), height_mm=800, px_per_mm=px_per_mm, tilt_deg=float(rng.normal(0, 2))
        )
        items = [CardItem(deck, card, pose) for card, pose in places]
        picture = np.asarray(render(items, cloth, view, light, lens, rng=rng), np.uint8)
        known = INDEX_MM * px_per_mm if scaled else None
        reader = CardReader(known=profile, index_height=known)
        yield scored([card for card, _ in places], reader.read(picture))


def main() -> int:
    """Print each deck's scores."""
    parser = ArgumentParser(prog="python -m tests.italian_decks", description=__doc__)
    parser.add_argument(
        "--pictures", type=int, default=20, help="pictures of each deck and arrangement"
    )
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--decks", nargs="*", default=sorted(PATTERNS), choices=sorted(PATTERNS))
    parser.add_argument(
        "--unscaled", action="store_true", help="read like photographs, whose scale is unknown"
    )
    options = parser.parse_args()
    folder = art()
    if folder is None:
        print("MAZZIERE_ART must name a folder that holds one called italian", file=sys.stderr)
        return 2

    def scores(name: str, laid: str) -> Iterator[Score]:
        scaled = not options.unscaled
        numbers = range(options.first, options.first + options.pictures)
        return trials(PATTERNS[name], folder, laid, numbers, scaled=scaled)

    for name in options.decks:
        for laid in LAID:
            score = sum(scores(name, laid), Score())
            print(f"{name}, {laid}: {score}, read {score.recall:.2%}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
