"""Measure how red the ranks of cards are printed: ``python -m tests.inks [WAY]``.

Of the labelled photographs under ``MAZZIERE_PHOTOS``, as taken or changed in one of the ways of
`tests.other_cameras`, every index counts that is clearly that of a labelled card. One line a suit:
how many there are, and how red the ink is, from the least to the most.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rules.cards import SUITS, Card, Suit
from tests.commands import run
from tests.other_cameras import WAYS, Way
from vision.measure import folders, labelled
from vision.picture.geometry import Frame
from vision.picture.photos import read_photo
from vision.read.index_classifier import FACES
from vision.read.ink import redness
from vision.read.looks import CLEAR
from vision.read.patches import cut
from vision.reader import CardReader

SHARES = (0.0, 0.05, 0.5, 0.95, 1.0)
"""The quantiles that are printed."""


def inks(frame: Frame, cards: Sequence[Card], reader: CardReader) -> Iterator[tuple[Suit, float]]:
    """The suit and the redness of each clear index of one of the `cards` in a picture."""
    for glance in reader.survey(frame).glances:
        red = redness(cut(frame, glance.indices))
        for shown, ink in zip(glance.faces, red.tolist(), strict=True):
            card = FACES[int(shown.argmax())]
            if shown.max() >= CLEAR and card in cards and card.suit is not None:
                yield card.suit, ink


def measured(way: Way, root: Path) -> dict[Suit, list[float]]:
    """The redness of every clear index in the labelled photographs, changed this way."""
    reader, found = CardReader(), defaultdict[Suit, list[float]](list)
    for folder in folders([root]):
        for photo in labelled(folder):
            frame = np.ascontiguousarray(way(read_photo(photo.path)))
            for suit, ink in inks(frame, photo.cards, reader):
                found[suit].append(ink)
    return found


def main() -> int:
    """Print a line for each suit."""
    parser = ArgumentParser(prog="python -m tests.inks", description=__doc__)
    parser.add_argument("way", nargs="?", default="as taken", choices=WAYS, metavar="WAY")
    way = WAYS[parser.parse_args().way]
    root = os.environ.get("MAZZIERE_PHOTOS")
    if root is None:
        parser.error("expected MAZZIERE_PHOTOS to name the folder of labelled photographs")
    found = measured(way, Path(root))
    for suit in SUITS:
        shown = " ".join(f"{value:.2f}" for value in np.quantile(found[suit] or [0.0], SHARES))
        print(f"{suit.name.lower()}: {len(found[suit])} indices, {shown}")
    return 0


if __name__ == "__main__":
    run(main)
