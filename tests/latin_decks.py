"""Measure how well Latin decks are read by their signs alone: ``python -m tests.latin_decks``.

Decks by drawn makers that training never saw, on any table, lie apart from each other with some
cards face down; with ``--printed`` the regional patterns with available artwork are used, as other
makers print them. Cards with signs should be read, court cards asked about. ``--weights FILE``
takes another network: one trained without a pattern shows how well an unseen pattern is read.
With ``--unset`` the deck is not set: no card should be read, no face be taken for a certain back,
and each picture be told to show another deck.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rules.cards import Card
from tests.italian_decks import FIRST_PRINT, apart, art
from tests.teaching import setting
from vision.decide.latin import LatinDeck
from vision.decide.patterns import PATTERNS
from vision.measure import Score, scored
from vision.network import Network
from vision.reader import CardReader
from vision.scene.faces import CardArt
from vision.scene.items import CardItem
from vision.scene.regional import Kind, RegionalDeck, forty
from vision.scene.render import render
from vision.scene.view import View
from vision.sightings import INDEX_MM
from vision.training.patterns import FOLDERS, PrintedDeck

DRAWN = (Kind.SPANISH, Kind.LATIN, Kind.ITALIAN, Kind.NEAPOLITAN, Kind.BRESCIAN)
"""Drawn decks with Latin suits: two of any maker's, three of other makers than in training."""


SIGNS = tuple(card for card in forty() if not card.rank.court)
COURTS = tuple(card for card in forty() if card.rank.court)


def trial(
    deck: CardArt, cards: Sequence[Card], reader: LatinDeck | None, number: int
) -> tuple[Score, bool]:
    """How up to twenty of the cards are read in one picture, the first of them face down, and
    whether they are told to be of another deck.
    """
    rng = np.random.default_rng([number, 11])
    shuffled = [cards[int(place)] for place in rng.permutation(len(cards))]
    places = apart(shuffled, deck.size[0], rng)
    px_per_mm = float(rng.uniform(1.3, 1.7))
    light, lens, cloth = setting(rng)
    tilt = float(rng.normal(0, 2))
    view = View.above((1920, 1080), height_mm=800, px_per_mm=px_per_mm, tilt_deg=tilt)
    items = [CardItem(deck, card, pose) for card, pose in places]
    picture = np.asarray(render(items, cloth, view, light, lens, rng=rng), np.uint8)
    reading = CardReader(known=reader, index_height=INDEX_MM * px_per_mm).read(picture)
    return scored([card for card, _ in places], reading), "foreign" in reading.trouble


def drawn(kind: Kind, first: int, count: int) -> Iterator[CardArt]:
    """`count` decks of a kind, each as another maker draws it if the kind has makers."""
    return (RegionalDeck(kind, seed=first + number) for number in range(count))


def printed(name: str, folder: Path, first: int, count: int) -> Iterator[CardArt]:
    """A regional pattern as `count` makers print it."""
    where = folder / FOLDERS[name]
    prints = range(FIRST_PRINT + first, FIRST_PRINT + first + count)
    return (PrintedDeck(PATTERNS[name], where, number) for number in prints)


def decks(options: Namespace, folder: Path) -> Iterator[tuple[str, Iterator[CardArt]]]:
    """The decks asked for, by name."""
    for kind in () if options.printed else DRAWN:
        yield f"drawn {kind}", drawn(kind, options.first, options.pictures)
    for name in options.printed or ():
        yield f"printed {name}", printed(name, folder, options.first, options.pictures)


def measured(shown: Iterator[CardArt], reader: LatinDeck | None, options: Namespace) -> str:
    """How the decks `shown` are read, in words."""
    signs = courts = Score()
    foreign = 0
    for number, deck in enumerate(shown, options.first):
        of_signs, one = trial(deck, SIGNS, reader, number)
        of_courts, other = trial(deck, COURTS, reader, number)
        signs, courts, foreign = signs + of_signs, courts + of_courts, foreign + one + other
    told = f"; told as another deck {foreign} of {2 * options.pictures}" if reader is None else ""
    return f"signs {signs}, read {signs.recall:.2%}; courts {courts}{told}"


def main() -> int:
    """Print each deck's scores."""
    parser = ArgumentParser(prog="python -m tests.latin_decks", description=__doc__)
    parser.add_argument(
        "--pictures", type=int, default=5, help="pictures of each deck and sort of card"
    )
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--printed", nargs="*", choices=sorted(PATTERNS))
    parser.add_argument("--unset", action="store_true", help="read without the deck set")
    parser.add_argument("--weights", type=Path, help="another network")
    options = parser.parse_args()
    folder = art()
    if folder is None and options.printed:
        print("MAZZIERE_ART must name a folder that holds one called italian", file=sys.stderr)
        return 2
    network = Network(options.weights, ("rank", "suit")) if options.weights else None
    reader = LatinDeck(network) if network else LatinDeck.load()
    for name, shown in decks(options, folder or Path()):
        print(f"{name}: {measured(shown, None if options.unset else reader, options)}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
