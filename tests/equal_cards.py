"""Read equal cards of several packs in melds, rows and piles: ``python -m tests.equal_cards``.

Each seed lays one meld or row from two to eight packs. Some cards are equal, and they overlap so
that an index of each is visible; the reading must hold exactly these cards, each as often as it is
there. Each line of the log holds the cards that lay there and those that were read.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import cv2
import numpy as np

from rules.cards import Card, Deck
from tests import logs
from tests.spreads import drawn_deck
from vision.picture.geometry import Frame
from vision.reader import CardReader
from vision.scene.faces import DrawnDeck, Index
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface, Weave
from vision.scene.render import render
from vision.scene.view import View

SIZE = (1280, 720)
WAYS = ("row", "column", "side by side", "spread pile")
Rng = np.random.Generator


@dataclass(frozen=True)
class Meld:
    """A drawn meld: its picture, its cards and the height of an index in it, in pixels."""

    frame: Frame
    cards: tuple[Card, ...]
    index_px: float


def cards_of(rng: Rng) -> list[Card]:
    """Three to seven cards of at most four kinds, at least two of them equal."""
    count = int(rng.integers(3, 8))
    order = rng.permutation(52)
    # Of one rank, as in a set, or of any ranks.
    kinds = [Deck.standard().cards[int(place)] for place in order[:4]]
    if rng.random() < 0.6:
        kinds = [card for card in Deck.standard().cards if card.rank == kinds[0].rank]
    while True:
        drawn = [kinds[int(n)] for n in rng.integers(len(kinds), size=count)]
        if max(Counter(drawn).values()) > 1:
            return drawn


def poses(way: str, count: int, rng: Rng) -> list[tuple[float, float, float]]:
    """Positions (mm) and angles of the cards, lowest first."""
    loose, turn = float(rng.uniform(0.2, 2)), float(rng.uniform(0.2, 2.5))
    match way:
        case "row":
            step = (float(rng.uniform(13, 32)), 0.0)
        case "column":
            step = (0.0, float(rng.uniform(22, 34)))
        case "side by side":
            step = (63.5 + float(rng.uniform(0, 6)), 0.0)
        case _:
            step = (float(rng.uniform(14, 24)), float(rng.uniform(6, 20)))
            loose, turn = 2.0, 6.0
    return [
        (
            number * step[0] + float(rng.normal(0, loose)),
            number * step[1] + float(rng.normal(0, loose)),
            float(rng.normal(0, turn)),
        )
        for number in range(count)
    ]


def meld(seed: int) -> Meld:
    """The meld for one seed."""
    rng = np.random.default_rng((seed, 5))
    way = WAYS[seed % len(WAYS)]
    art = drawn_deck(rng)
    if rng.random() < 0.15:
        art = DrawnDeck(replace(art.style, corners=4))
    cards = cards_of(rng)
    if way == "side by side":
        cards = cards[:5] if len(set(cards[:5])) < len(cards[:5]) else [cards[0], *cards[:4]]
    index_px = float(rng.uniform(22, 32))
    view = View.above(
        SIZE,
        height_mm=float(rng.uniform(700, 900)),
        px_per_mm=index_px / 17.0,
        tilt_deg=float(rng.normal(0, 4)),
        roll_deg=float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 6)),
    )
    items = laid(art, cards, way, rng)
    while not all_told(items):
        items = laid(art, cards, way, rng)
    cloth = Surface(Weave.FELT if rng.random() < 0.6 else Weave.CLOTH, seed=int(rng.integers(99)))
    light = Light(brightness=float(rng.uniform(0.75, 1.0)), tint=(float(rng.uniform(0.8, 1)), 1, 1))
    lens = Lens(blur_px=float(rng.uniform(0.4, 0.8)), noise=float(rng.uniform(1, 4)))
    frame = np.asarray(render(items, cloth, view, light, lens, rng=rng), np.uint8)
    return Meld(frame, tuple(cards), index_px)


def laid(art: DrawnDeck, cards: Sequence[Card], way: str, rng: Rng) -> list[CardItem]:
    """The `cards` laid in one of the `WAYS`, lowest first, around the middle of the table."""
    places = poses(way, len(cards), rng)
    middle = np.mean([place[:2] for place in places], axis=0)
    return [
        CardItem(art, card, Pose(x - float(middle[0]), y - float(middle[1]), angle), 0.5)
        for card, (x, y, angle) in zip(cards, places, strict=True)
    ]


def all_told(items: Sequence[CardItem]) -> bool:
    """Whether an index of each card lies free of all cards above it."""
    return all(
        any(
            not any(_touches(over, index, item.pose) for over in items[number + 1 :])
            for index in item.art.indices(item.card)
        )
        for number, item in enumerate(items)
    )


def _touches(over: CardItem, index: Index, pose: Pose) -> bool:
    """Whether a card lies over part of an index of one that lies as `pose` says."""
    box = (index.x, index.y), (index.width, index.height), 0.0
    card = (0.0, 0.0), over.size, 0.0
    own, other = (
        at.place(np.asarray(cv2.boxPoints(rectangle), np.float64)).astype(np.float32)
        for at, rectangle in ((pose, box), (over.pose, card))
    )
    return bool(cv2.intersectConvexConvex(own, other)[0] > 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read many melds; status 1 if fewer than 99.5 % are right."""
    parser = ArgumentParser(prog="python -m tests.equal_cards", description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--log", type=Path, default=Path("equal_cards.jsonl"))
    options = parser.parse_args(arguments)
    code = logs.version(("vision", "tests/equal_cards.py"))
    done: dict[int, str] = {row["seed"]: row["is"] for row in logs.current(options.log, code)}
    reader = CardReader()
    with options.log.open("a", encoding="utf-8") as log:
        for seed in range(options.first, options.first + options.count):
            if seed not in done:
                done[seed] = _tried(seed, reader, log, code)
    kinds = Counter(done[seed] for seed in range(options.first, options.first + options.count))
    print(", ".join(f"{number} {kind}" for kind, number in kinds.most_common()))
    return 0 if kinds["right"] >= 0.995 * options.count else 1


def _tried(seed: int, reader: CardReader, log: TextIO, code: str) -> str:
    """The outcome of one meld, read by this `code`: right, wrong, asked or missed."""
    drawn = meld(seed)
    reader.index_height = drawn.index_px
    reading = reader.read(drawn.frame)
    lay, read = Counter(drawn.cards), Counter(reading.cards)
    lacking = "asked" if reading.doubtful else "missed"
    is_ = "right" if lay == read else "wrong" if read - lay else lacking
    row = {
        "code": code, "seed": seed, "way": WAYS[seed % len(WAYS)], "is": is_,
        "lay": " ".join(map(str, drawn.cards)), "read": " ".join(map(str, reading.cards)),
        "asked": ["/".join(map(str, one)) for one in reading.doubtful],
    }  # fmt: skip
    print(json.dumps(row), file=log, flush=True)
    return is_


if __name__ == "__main__":
    sys.exit(main())
