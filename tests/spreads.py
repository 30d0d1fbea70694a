"""Check spread decks with a few cards amiss: ``python -m tests.spreads --count 200``.

Each seed makes one deck (up to three missing, double and foreign cards in all) and shows it in one
of three ways: in rows, as ribbons, or dealt through over many pictures. Each line of the log holds
one verdict; an interrupted run resumes where its log ends.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rules.cards import JOKER, Card, Deck
from tests import logs
from vision.decide.inventory import Inventory, Verdict, of_readings
from vision.picture.geometry import Frame
from vision.reader import CardReader
from vision.scene.courts import BackPattern
from vision.scene.faces import CardArt, DeckStyle, DrawnDeck
from vision.scene.glyphs import Typeface
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface, Weave
from vision.scene.render import render
from vision.scene.view import View

SIZE = (1920, 1080)
WAYS = ("rows", "ribbon", "dealt")
A_PICTURE = 7
"""Cards to a picture when a deck is dealt through."""
Rng = np.random.Generator


@dataclass(frozen=True)
class Spread:
    """The cards shown, how they were shown, and what is amiss with the deck."""

    way: str
    cards: tuple[Card, ...]
    missing: tuple[Card, ...]
    double: tuple[Card, ...]
    foreign: tuple[Card, ...]

    def agrees(self, found: Verdict) -> bool:
        """Whether the verdict names exactly what is amiss."""
        return (
            Counter(found.missing) == Counter(self.missing)
            and Counter(found.double) == Counter(self.double)
            and Counter(found.foreign) == Counter(self.foreign)
            and not found.unclear
        )


def spread(rng: Rng, way: str) -> Spread:
    """A shuffled deck with up to three cards missing, double or foreign."""
    deck = Deck.standard()
    order = [deck.cards[int(place)] for place in rng.permutation(len(deck))]
    missing: list[Card] = []
    double: list[Card] = []
    foreign: list[Card] = []
    for _ in range(int(rng.integers(0, 4))):
        match int(rng.integers(3)):
            case 0:
                missing.append(order.pop())
            case 1:
                double.append(order[int(rng.integers(20))])
            case _:
                foreign.append(JOKER)
    shown = [*order, *double, *foreign]
    shuffled = tuple(shown[int(place)] for place in rng.permutation(len(shown)))
    return Spread(way, shuffled, tuple(missing), tuple(double), tuple(foreign))


def drawn_deck(rng: Rng) -> DrawnDeck:
    """A deck with a look of its own."""
    face = Typeface(
        weight=float(rng.uniform(0.1, 0.17)),
        contrast=float(rng.uniform(1.0, 1.8)),
        width=float(rng.uniform(0.5, 0.7)),
        serif=float(rng.choice([0.0, 0.06])),
    )
    ink = (int(rng.integers(20, 180)), int(rng.integers(20, 90)), int(rng.integers(20, 180)))
    style = replace(
        DeckStyle(),
        typeface=face,
        court_seed=int(rng.integers(100)),
        pattern=list(BackPattern)[int(rng.integers(5))],
        back_ink=ink,
    )
    return DrawnDeck(style)


def items(spread: Spread, art: CardArt, rng: Rng) -> Iterator[list[CardItem]]:
    """The cards of each picture, lowest first."""
    place = {"rows": _rows, "ribbon": _ribbon, "dealt": _dealt}[spread.way]
    for part in place(len(spread.cards), rng):
        yield [CardItem(art, spread.cards[number], pose) for number, pose in part]


Part = list[tuple[int, Pose]]


def _rows(count: int, rng: Rng) -> Iterator[Part]:
    """Four rows, each card overlapping the one before so that its left index stays visible."""
    across = -(-count // 4)
    step = float(rng.uniform(20, 60))
    yield [
        (
            number,
            Pose(
                (number % across - across / 2) * step + float(rng.normal(0, 0.8)),
                (number // across - 1.5) * 97 + float(rng.normal(0, 1.5)),
                float(rng.normal(0, 1.5)),
            ),
        )
        for number in range(count)
    ]


def _ribbon(count: int, rng: Rng) -> Iterator[Part]:
    """Two ribbons swept over the table in a shallow arc."""
    half = -(-count // 2)
    step, bend = float(rng.uniform(13, 22)), float(rng.uniform(-0.00025, 0.00025))
    part: Part = []
    for number in range(count):
        row, place = divmod(number, half)
        x = (place - half / 2) * step + float(rng.normal(0, 0.5))
        y = (row - 0.5) * 190 + bend * x * x + float(rng.normal(0, 0.7))
        part.append((number, Pose(x, y, float(np.degrees(-2 * bend * x) + rng.normal(0, 0.8)))))
    yield part


def _dealt(count: int, rng: Rng) -> Iterator[Part]:
    """A few cards per picture, laid side by side in order."""
    for first in range(0, count, A_PICTURE):
        numbers = range(first, min(first + A_PICTURE, count))
        yield [
            (
                number,
                Pose(
                    (number - first - 3) * 82.0, float(rng.normal(0, 25)), float(rng.normal(0, 20))
                ),
            )
            for number in numbers
        ]


def pictures(spread: Spread, art: CardArt, rng: Rng) -> Iterator[Frame]:
    """What the camera sees of the spread."""
    # The whole spread fills the picture, as anyone would frame it.
    view = View.above(
        SIZE,
        height_mm=float(rng.uniform(700, 900)),
        px_per_mm=1.6,
        tilt_deg=float(rng.normal(0, 3)),
        roll_deg=float(rng.choice([0, 180]) + rng.normal(0, 4)),
    )
    cloth = Surface(Weave.FELT if rng.random() < 0.6 else Weave.CLOTH, seed=int(rng.integers(99)))
    light = Light(brightness=float(rng.uniform(0.75, 1.0)), tint=(float(rng.uniform(0.8, 1)), 1, 1))
    lens = Lens(blur_px=float(rng.uniform(0.4, 0.8)), noise=float(rng.uniform(1, 4)))
    for part in items(spread, art, rng):
        yield np.asarray(render(part, cloth, view, light, lens, rng=rng), np.uint8)


def examined(seed: int, reader: CardReader, way: str | None = None) -> tuple[Spread, Verdict]:
    """One spread and the verdict on it (a standard deck without jokers)."""
    rng = np.random.default_rng(seed)
    shown = spread(rng, way or WAYS[seed % len(WAYS)])
    art = drawn_deck(rng)
    readings = [reader.read(picture) for picture in pictures(shown, art, rng)]
    inventory: Inventory = of_readings(readings)
    return shown, inventory.against(Deck.standard(), jokers=0)


def _words(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def main(arguments: Sequence[str] | None = None) -> int:
    """Check many spreads; status 1 if any verdict is wrong."""
    parser = ArgumentParser(prog="python -m tests.spreads", description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--log", type=Path, default=Path("spreads.jsonl"))
    options = parser.parse_args(arguments)
    code = logs.version(("vision", "tests/spreads.py"))
    done: dict[int, bool] = {row["seed"]: row["right"] for row in logs.current(options.log, code)}
    reader = CardReader()
    wanted = range(options.first, options.first + options.count)
    with options.log.open("a", encoding="utf-8") as log:
        for seed in wanted:
            if seed in done:
                continue
            shown, found = examined(seed, reader)
            done[seed] = shown.agrees(found)
            row = {
                "code": code, "seed": seed, "way": shown.way, "right": done[seed],
                "amiss": [_words(x) for x in (shown.missing, shown.double, shown.foreign)],
                "found": [_words(x) for x in (found.missing, found.double, found.foreign)],
                "unclear": [_words(x) for x in found.unclear], "taken": _words(found.taken),
            }  # fmt: skip
            print(json.dumps(row), file=log, flush=True)
    right = sum(done[seed] for seed in wanted)
    print(f"{right} of {len(wanted)} spreads right")
    return 0 if right == len(wanted) else 1


if __name__ == "__main__":
    sys.exit(main())
