"""Generated scenes with their ground truth, stored in shards for training.

A scene is a square picture of `SIDE` pixels. Its ground truth is a table of indices, one row each
(`MARK`), and a map of what lies uppermost in each cell of four by four pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import RANKS, SUITS, Card, Rank
from vision.read.alphabets import LETTERS, OTHER
from vision.scene.courts import Colour, Picture
from vision.scene.faces import CardArt, DrawnDeck
from vision.scene.items import CardItem, Item, shape
from vision.scene.render import render, truth
from vision.scene.view import View
from vision.training.effects import random_lens, random_light, sensor
from vision.training.layouts import random_table
from vision.training.shelf import Rng, Shelf

SIDE = 384
CELL = 4
PER_SHARD = 64
"""Scenes in a shard."""

MARK = np.dtype(
    [
        ("x", "f4"), ("y", "f4"),          # centre, pixels
        ("height", "f4"),                  # pixels
        ("up_x", "f4"), ("up_y", "f4"),    # from suit sign to rank
        ("visible", "f4"),                 # visible part of the box
        ("rank", "i1"), ("suit", "i1"),    # classes of the reader
    ]
)  # fmt: skip
Marks = NDArray[np.void]
"""Rows (N,) of `MARK`."""

FACE_CLASSES = 15
"""Ranks that a whole face can show: A to K, joker, none."""
RANK_CLASSES = FACE_CLASSES + len(LETTERS)
"""Ranks that an index can show: the same, plus the letters of other countries' decks."""
SUIT_CLASSES = 5
"""C D H S, none."""
FACE, BACK = 1, 2
"""Values of the map: a card's face or back lies uppermost; 0 is anything else."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One training picture and its contents."""

    picture: Picture
    marks: Marks
    cover: NDArray[np.uint8]
    """FACE, BACK or 0 (H/4,W/4)."""


def classes(card: Card, letter: str | None = None) -> tuple[int, int]:
    """The reader's classes for a card; `letter` is another country's letter for its rank."""
    if card.rank is Rank.JOKER:
        return 13, 4
    rank = RANKS.index(card.rank)
    if letter is not None:
        rank = FACE_CLASSES + (LETTERS.index(letter) if letter in LETTERS else LETTERS.index(OTHER))
    return rank, SUITS.index(card.suit)


def letter_of(art: CardArt, card: Card) -> str | None:
    """The letter that a deck shows for a card's rank, if it is another country's."""
    return art.letters.get(card.rank) if isinstance(art, DrawnDeck) else None


def random_view(rng: Rng, index_px: float) -> View:
    """A camera that sees a 17 mm index about `index_px` high, rarely from straight above."""
    tilt = float(
        rng.choice([0.0, abs(rng.normal(0, 9)), abs(rng.normal(0, 22))], p=[0.2, 0.5, 0.3])
    )
    return View.above(
        (SIDE, SIDE),
        height_mm=float(rng.uniform(450, 1000)),
        px_per_mm=index_px / 17.0,
        tilt_deg=min(tilt, 48.0),
        roll_deg=float(rng.uniform(0, 360)),
    )


def make_scene(shelf: Shelf, rng: Rng, hard: float) -> Scene:
    """A random table under random light."""
    # Pictures hold many small indices; large ones need more pictures.
    index_px = 9.5 * (46 / 9.5) ** float(rng.random() ** 0.7)
    view = random_view(rng, index_px)
    # The ground in the frame, seen obliquely, is slightly larger than under a level camera.
    reach = SIDE / 2 / (index_px / 17.0) * 1.15
    items = random_table(shelf, (reach, reach), rng)
    light, lens = random_light(rng, hard), random_lens(rng, hard, index_px)
    surface = shelf.surface(rng, _colour_of_a_back(items) if shelf.hidden else None)
    picture = render(items, surface, view, light, lens, rng=rng)
    picture = sensor(picture, rng, hard)
    return Scene(picture, _legible(picture, _marks(items, view)), _cover(items, view))


def _colour_of_a_back(items: Sequence[Item]) -> Colour | None:
    """The mean colour of the lowest back among these, if there is one."""
    for item in items:
        if isinstance(item, CardItem) and item.card.hidden:
            blue, green, red = (int(v) for v in item.art.back(1.0)[..., :3].mean(axis=(0, 1)))
            return blue, green, red
    return None


def _marks(items: Sequence[Item], view: View) -> Marks:
    rows = []
    for seen in truth(items, view):
        item = items[seen.item]
        assert isinstance(item, CardItem)
        letter = letter_of(item.art, seen.card)
        rank, suit = classes(seen.card, letter) if not seen.card.hidden else (14, 4)
        for index in seen.indices:
            inside = -20 < index.x < SIDE + 20 and -20 < index.y < SIDE + 20
            if inside:
                rows.append((index.x, index.y, index.height, *index.up, index.visible, rank, suit))
    return np.array(rows, MARK)


_FAINT = 26
"""Contrast of an index in levels, in its clearest channel, below which a person cannot read it
either."""


def _legible(picture: Picture, marks: Marks) -> Marks:
    """The marks, with bleached or very dark ones changed so that they are not judged."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
    for mark in marks:
        reach = max(float(mark["height"]) * 0.36, 2.0)
        left, top = int(mark["x"] - reach), int(mark["y"] - reach)
        box = soft[max(top, 0) : int(top + 2 * reach) + 1, max(left, 0) : int(left + 2 * reach) + 1]
        if not box.size:
            continue
        low, high = np.percentile(box.reshape(-1, 3), (4, 90), axis=0)
        if (high - low).max() < _FAINT and mark["visible"] > _UNDECIDED:
            mark["visible"] = _UNDECIDED
    return marks


_UNDECIDED = 0.6
"""A visible part for which the networks are not asked."""


def _cover(items: Sequence[Item], view: View) -> NDArray[np.uint8]:
    cells = SIDE // CELL
    cover = np.zeros((cells, cells), np.uint8)
    for item in items:
        edges = view.project(shape(item), item.pose.lift) / CELL - 0.5
        kind = 0
        if isinstance(item, CardItem):
            kind = BACK if item.card.hidden else FACE
        cv2.fillPoly(cover, [np.round(edges * 16).astype(np.int32)], kind, cv2.LINE_8, 4)
    return cover


def write_shard(
    path: Path, make: Callable[[Rng, float], Scene], seed: int, *, hard: tuple[float, float]
) -> None:
    """Make `PER_SHARD` scenes and store them in one file, written atomically."""
    rng = np.random.default_rng(seed)
    scenes = [make(rng, float(rng.uniform(*hard))) for _ in range(PER_SHARD)]
    lengths = np.array([len(scene.marks) for scene in scenes])
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez(
            file,
            pictures=np.stack([scene.picture for scene in scenes]),
            covers=np.stack([scene.cover for scene in scenes]),
            marks=np.concatenate([scene.marks for scene in scenes]),
            lengths=lengths,
        )
    partial.replace(path)


def read_shard(path: Path) -> list[Scene]:
    """The scenes of one file."""
    with np.load(path) as file:
        pictures, covers = file["pictures"], file["covers"]
        parts = np.split(file["marks"], np.cumsum(file["lengths"])[:-1])
    return [Scene(*row) for row in zip(pictures, parts, covers, strict=True)]
