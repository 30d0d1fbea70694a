"""Read court cards and aces with other countries' letters: ``python -m tests.foreign_letters``.

Each seed is a deck in a typeface that training never saw, with the letters of another country or
with letters of none that the reader knows (`vision.training` says what that needs). Its courts and
aces are dealt on the simulated table and read in single pictures: with the country set, if there is
one, and without being told the letters, each picture by itself and as a table remembers them. A
card may be read or asked about; what is read wrongly is printed.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from firmware.rehearsal.tabletop import Tabletop
from rules.cards import BACK, Card, Deck
from tests.commands import run
from tests.dealt_table import NO_COUNTRY, Tally, letters_of, place_of, poses
from vision.picture.geometry import Frame
from vision.picture.plane import Plane
from vision.read.alphabets import LETTERED, Alphabet, Letters
from vision.reader import CardReader
from vision.sightings import INDEX_MM

if TYPE_CHECKING:
    from vision.training.shelf import Shelf

HANDS, PLACES = 3, 10
"""Hands dealt with each deck, and the cards in each. A choice."""
APART_S, AT_REST_S = 30.0, 20.0
"""Time from one hand to the next, and after which its cards lie at rest. Choices."""


def hands(shelf: Shelf, seed: int) -> Iterator[tuple[tuple[Card, ...], Frame, float]]:
    """The cards of each hand of one seed, a picture of them, and the height of an index there.

    There are none if the seed's deck has English letters.
    """
    place = place_of(seed, shelf)
    if not getattr(place.deck, "letters", {}):
        return
    rng = np.random.default_rng((seed, 77))
    table = Tabletop(place, seed=seed)
    plane, (width, height) = Plane(table.matrix), place.view.size
    index_height = INDEX_MM * plane.scale(plane.millimetres((width / 2, height / 2)))
    pack = [card for card in Deck.standard().cards if card.rank in LETTERED]
    for hand in range(HANDS):
        now = 1.0 + hand * APART_S
        cards = tuple(pack[int(n)] for n in rng.permutation(len(pack))[:PLACES])
        pieces = [
            (table.piece(card, up=True), pose, "")
            for card, pose in zip(cards, poses(rng), strict=True)
        ]
        table.deal(pieces, now=now)
        yield cards, table.frame(now + AT_REST_S), index_height
        table.take(table.resting, now=now + AT_REST_S + 1)


def alphabet_of(shelf: Shelf, seed: int) -> Alphabet | None:
    """The alphabet of a seed's deck; None if its letters are those of no country."""
    name = letters_of(place_of(seed, shelf).deck)
    return None if name == NO_COUNTRY else Alphabet(name)


def readers(alphabet: Alphabet | None) -> Iterator[tuple[str, CardReader]]:
    """Who reads a deck, and what that measures."""
    if alphabet is None:
        yield "letters of no country", CardReader(index_height=1.0)
        yield "letters of no country, remembered", CardReader(index_height=1.0, letters=Letters())
        return
    yield "the country is set", CardReader(index_height=1.0, known=alphabet)
    yield "found in each picture", CardReader(index_height=1.0)
    yield "found and remembered", CardReader(index_height=1.0, letters=Letters())


def scored(cards: Sequence[Card], reader: CardReader, frame: Frame) -> tuple[Tally, Counter[Card]]:
    """How the cards in a picture are read, and which were read that are not there."""
    seen = reader.read(frame).sightings
    sure = Counter(one.card for one in seen if not one.doubtful and one.card != BACK)
    strange = sure - Counter(cards)
    right = (sure & Counter(cards)).total()
    asked = sum(one.doubtful for one in seen)
    return Tally(len(cards), right, strange.total(), asked), strange


def main(arguments: Sequence[str] | None = None) -> int:
    """Read some decks; status 1 if more than one card in a thousand is read wrongly."""
    from vision.training.shelf import Shelf  # noqa: PLC0415  needs the training extra

    parser = ArgumentParser(prog="python -m tests.foreign_letters", description=__doc__)
    parser.add_argument("--first", type=int, default=300, help="first seed")
    parser.add_argument("--decks", type=int, default=14, help="number of decks with such letters")
    options = parser.parse_args(arguments)
    shelf, totals = Shelf.open(validation=True), defaultdict[str, Tally](Tally)
    seed, left = options.first, options.decks
    while left:
        pictures = list(hands(shelf, seed))
        for name, reader in readers(alphabet_of(shelf, seed)) if pictures else ():
            for cards, frame, reader.index_height in pictures:
                tally, strange = scored(cards, reader, frame)
                totals[name] += tally
                if strange:
                    print(f"{seed}, {name}: {' '.join(map(str, strange.elements()))}", flush=True)
        left -= bool(pictures)
        seed += 1
    for name, one in totals.items():
        print(f"{name}: {one.right} of {one.dealt} read, {one.asked} asked, {one.wrong} wrong")
    return 0 if all(one.wrong <= one.dealt / 1000 for one in totals.values()) else 1


if __name__ == "__main__":
    run(main)
