"""Read court cards and aces with other countries' letters: ``python -m tests.foreign_letters``.

Each seed is a deck in a typeface that training never saw, with the letters of another country or
with letters of none that the reader knows (`vision.training` says what that needs). Its courts and
aces are dealt on the simulated table and read in single pictures, without being told the letters.
A card may be read or asked about; what is read wrongly is printed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from firmware.rehearsal.setting import setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import BACK, Card, Deck, Rank
from tests.dealt_table import LIGHTS, poses
from vision.picture.geometry import Frame
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.sightings import INDEX_MM

if TYPE_CHECKING:
    from vision.training.shelf import Shelf

LETTERED = (Rank.ACE, Rank.JACK, Rank.QUEEN, Rank.KING)
HANDS, PLACES = 3, 10
"""Hands dealt with each deck, and the cards in each. A choice."""
APART_S, AT_REST_S = 30.0, 20.0
"""Time from one hand to the next, and after which its cards lie at rest. Choices."""


@dataclass(frozen=True, slots=True)
class Score:
    """What became of the cards dealt."""

    dealt: int = 0
    right: int = 0
    asked: int = 0
    wrong: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.dealt + other.dealt,
            self.right + other.right,
            self.asked + other.asked,
            self.wrong + other.wrong,
        )

    def __str__(self) -> str:
        return f"{self.right} of {self.dealt} cards read, {self.asked} asked, {self.wrong} wrong"


def hands(shelf: Shelf, seed: int) -> Iterator[tuple[tuple[Card, ...], Frame, float]]:
    """The cards of each hand of one seed, a picture of them, and the height of an index there.

    There are none if the seed's deck has English letters.
    """
    rng = np.random.default_rng((seed, 77))
    _, share, cast = LIGHTS[seed % len(LIGHTS)]
    place = setting(seed)
    light = replace(place.light, brightness=place.light.brightness * share, tint=cast)
    art = replace(shelf, _made=[]).deck(np.random.default_rng((seed, 78))).art
    if not getattr(art, "letters", {}):
        return
    table = Tabletop(replace(place, light=light, deck=art), seed=seed)
    plane = Plane(table.matrix)
    middle = plane.millimetres((table.frame(0.0).shape[1] / 2, table.frame(0.0).shape[0] / 2))
    pack = [card for card in Deck.standard().cards if card.rank in LETTERED]
    for hand in range(HANDS):
        now = 1.0 + hand * APART_S
        cards = tuple(pack[int(n)] for n in rng.permutation(len(pack))[:PLACES])
        pieces = [
            (table.piece(card, up=True), pose, "")
            for card, pose in zip(cards, poses(rng), strict=True)
        ]
        table.deal(pieces, now=now)
        yield cards, table.frame(now + AT_REST_S), INDEX_MM * plane.scale(middle)
        table.take(table.resting, now=now + AT_REST_S + 1)


def scored(cards: Sequence[Card], frame: Frame, index_height: float) -> tuple[Score, Counter[Card]]:
    """How the cards in a picture are read, and which were read that are not there."""
    seen = CardReader(index_height=index_height).read(frame).sightings
    sure = Counter(one.card for one in seen if not one.doubtful and one.card != BACK)
    strange = sure - Counter(cards)
    right = (sure & Counter(cards)).total()
    asked = sum(one.doubtful for one in seen)
    return Score(len(cards), right, asked, strange.total()), strange


def main(arguments: Sequence[str] | None = None) -> int:
    """Read some decks; status 1 if more than one card in a thousand is read wrongly."""
    from vision.training.shelf import Shelf  # noqa: PLC0415  needs the training extra

    parser = ArgumentParser(prog="python -m tests.foreign_letters", description=__doc__)
    parser.add_argument("--first", type=int, default=300, help="first seed")
    parser.add_argument("--decks", type=int, default=14, help="number of decks with such letters")
    options = parser.parse_args(arguments)
    shelf, total, seed, left = Shelf.open(validation=True), Score(), options.first, options.decks
    while left:
        deck = Score()
        for cards, frame, height in hands(shelf, seed):
            score, strange = scored(cards, frame, height)
            deck += score
            if strange:
                print(f"{seed}: read {' '.join(map(str, strange.elements()))}", flush=True)
        left -= bool(deck.dealt)
        seed += 1
        total += deck
    print(total)
    return 0 if total.wrong <= total.dealt / 1000 else 1


if __name__ == "__main__":
    sys.exit(main())
