"""Signs counted and cards read on faces of unseen makers: ``python -m tests.sign_counts``.

For each sort of card in `--makers` drawn decks it prints how often the count of alike signs is
exact, how often only that of large signs is, and how often fewer, more or no signs are counted,
which `vision.decide.sign_odds` cites; and how many faces the network of Latin signs, or that of
`--weights`, reads correctly and wrongly. ``--printed`` shows it the regional patterns instead, as
other makers print them, of which there must be pictures (`tests.italian_decks`).
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np

from rules.cards import SUITS, Card, Rank
from tests.italian_decks import art
from tests.latin_decks import printed
from vision.decide.latin import FINE, LatinDeck, doubted
from vision.decide.patterns import PATTERNS
from vision.decide.sign_odds import LONG, PIPS
from vision.network import Network
from vision.picture.geometry import Floats, Frame
from vision.read.index_classifier import FACES
from vision.read.sign_count import Counted, counted
from vision.scene.courts import Picture
from vision.scene.latin import VALUES, drawn, maker
from vision.scene.regional import forty
from vision.sightings import SURE

Rng: TypeAlias = np.random.Generator
SIZE = (224, 368)
"""Size in which faces are drawn before they shrink to that in a camera's picture."""
WIDE = (66, 100)
"""Range of widths of a card there: of one 50 to 60 mm wide at 1.3 to 1.7 pixels a millimetre."""


def faces(first: int, makers: int, rng: Rng) -> Iterator[tuple[Card, str, Frame]]:
    """Every card of `makers` makers, slightly blurred, in some light, and what sort it is."""
    for by in (maker(first + number) for number in range(makers)):
        for card in (Card(Rank(rank), suit) for suit in SUITS for rank in f"{VALUES}JQK"):
            yield card, sort(card, crossed=by.crossed), seen(drawn(by, card, SIZE), rng)


def printed_faces(
    name: str, folder: Path, first: int, prints: int, rng: Rng
) -> Iterator[tuple[Card, str, Frame]]:
    """The same for a number of prints of a regional pattern, which is the sort."""
    for deck in printed(name, folder, first, prints):
        for card in forty():
            sort_name = f"{name} {'courts' if card.rank.court else 'signs'}"
            face = np.ascontiguousarray(deck.face(card, SIZE[0] / deck.size[0])[..., :3])
            yield card, sort_name, seen(face, rng)


def seen(page: Picture, rng: Rng) -> Frame:
    """A face (144, 96, 3), slightly blurred, in some light, as straightened out of a picture."""
    wide = int(rng.integers(*WIDE))
    small = cv2.resize(page, (wide, round(wide * SIZE[1] / SIZE[0])), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 0.9)))
    lit = np.clip(soft * rng.uniform(0.5, 1) + rng.normal(0, 3, soft.shape), 0, 255)
    return np.asarray(cv2.resize(lit.astype(np.uint8), FINE), np.uint8)


def found(card: Card, signs: Counted) -> str:
    """The verdict on a count: exact for alike signs, exact for large ones, fewer, more, or
    nothing."""
    if not signs.any:
        return "nothing"
    count = PIPS.index(card.rank) + 1 if card.rank in PIPS else 0
    if count < 2:
        return "more"
    if signs.alike == count:
        return "alike"
    if signs.large == count:
        return "large"
    return "fewer" if signs.alike < count else "more"


def sort(card: Card, *, crossed: bool) -> str:
    """The name under which a card is counted."""
    if card.rank.court or card.rank is Rank.ACE:
        return "courts" if card.rank.court else "aces"
    if card.suit not in LONG:
        return "coins and cups"
    return "crossing" if crossed else "swords and clubs"


def answer(card: Card, shown: Floats) -> str:
    """How a face is read: correctly, wrongly, or not at all."""
    if shown.max() < SURE:
        return "asked"
    return "read" if FACES[int(shown.argmax())] == card else "wrong"


def shown_faces(options: Namespace) -> Iterator[tuple[Card, str, Frame]]:
    """The faces asked for."""
    rng = np.random.default_rng(options.first)
    if not options.printed:
        yield from faces(options.first, options.makers, rng)
    for name in options.printed or ():
        folder = art()
        if folder is None:
            raise SystemExit("MAZZIERE_ART must name a folder that holds one called italian")
        yield from printed_faces(name, folder, options.first, options.makers, rng)


def main() -> None:
    """Print what is counted and read for each sort of card."""
    parser = ArgumentParser(prog="python -m tests.sign_counts", description=__doc__)
    parser.add_argument("--makers", type=int, default=40, help="makers, or prints of each pattern")
    parser.add_argument("--first", type=int, default=3000, help="number of the first one")
    parser.add_argument("--printed", nargs="*", choices=sorted(PATTERNS))
    parser.add_argument("--weights", type=Path, help="weights of another network")
    options = parser.parse_args()
    other = options.weights and LatinDeck(Network(options.weights, ("rank", "suit")))
    reader = other or LatinDeck.load()
    told: dict[str, Counter[str]] = {}
    for card, name, face in shown_faces(options):
        counts, signs = told.setdefault(name, Counter()), counted(face)
        counts[found(card, signs)] += 1
        counts[answer(card, doubted(reader.opinions([face])[0], signs))] += 1
    for name, counts in sorted(told.items()):
        shares = ", ".join(f"{what} {many}" for what, many in counts.most_common())
        print(f"{name}: {sum(counts.values()) // 2} cards, {shares}")


if __name__ == "__main__":
    main()
