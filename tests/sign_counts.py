"""Signs counted and cards read on faces of unseen makers: ``python -m tests.sign_counts``.

For each sort of card in `--makers` drawn decks it prints how often the count of alike signs is
exact, how often only that of large signs is, and how often fewer, more or no signs are counted,
which `vision.decide.sign_odds` cites; and how many faces the network of Latin signs, or that of
`--weights`, reads correctly and wrongly.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from rules.cards import SUITS, Card, Rank
from vision.decide.latin import LatinDeck, doubted
from vision.decide.sign_odds import LONG, PIPS
from vision.network import Network
from vision.picture.geometry import Frame
from vision.read.fingerprint import HEIGHT, WIDTH
from vision.read.index_classifier import FACES
from vision.read.sign_count import Counted, counted
from vision.scene.latin import VALUES, Maker, drawn, maker
from vision.sightings import SURE

SIZE = (224, 368)
"""Size in which faces are drawn before they shrink to that of straightened ones."""


def faces(first: int, makers: int, rng: np.random.Generator) -> Iterator[tuple[Card, Maker, Frame]]:
    """Every card of `makers` makers, slightly blurred, in some light."""
    for by in (maker(first + number) for number in range(makers)):
        for card in (Card(Rank(rank), suit) for suit in SUITS for rank in f"{VALUES}JQK"):
            small = cv2.resize(drawn(by, card, SIZE), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
            soft = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 0.9)))
            seen = soft * rng.uniform(0.5, 1) + rng.normal(0, 3, soft.shape)
            yield card, by, np.asarray(np.clip(seen, 0, 255), np.uint8)


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


def sort(card: Card, by: Maker) -> str:
    """The name under which a card is counted."""
    if card.rank.court or card.rank is Rank.ACE:
        return "courts" if card.rank.court else "aces"
    if card.suit not in LONG:
        return "coins and cups"
    return "crossing" if by.crossed else "swords and clubs"


def answer(card: Card, face: Frame, reader: LatinDeck) -> str:
    """How a face is read: correctly, wrongly, or not at all."""
    shown = doubted(reader.opinions([face])[0], counted(face))
    if shown.max() < SURE:
        return "asked"
    return "read" if FACES[int(shown.argmax())] == card else "wrong"


def main() -> None:
    """Print what is counted and read for each sort of card."""
    parser = ArgumentParser(prog="python -m tests.sign_counts", description=__doc__)
    parser.add_argument("--makers", type=int, default=40)
    parser.add_argument("--first", type=int, default=3000, help="number of the first maker")
    parser.add_argument("--weights", type=Path, help="weights of another network")
    options = parser.parse_args()
    other = options.weights and LatinDeck(Network(options.weights, ("rank", "suit")))
    reader = other or LatinDeck.load()
    rng = np.random.default_rng(options.first)
    told: dict[str, Counter[str]] = {}
    for card, by, face in faces(options.first, options.makers, rng):
        counts = told.setdefault(sort(card, by), Counter())
        counts[found(card, counted(face))] += 1
        counts[answer(card, face, reader)] += 1
    for name, counts in sorted(told.items()):
        shares = ", ".join(f"{what} {many}" for what, many in counts.most_common())
        print(f"{name}: {sum(counts.values()) // 2} cards, {shares}")


if __name__ == "__main__":
    main()
