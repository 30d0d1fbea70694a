"""How many signs are counted on faces of makers never trained on: ``python -m tests.sign_counts``.

What `vision.decide.sign_odds` says of it is measured so: for coins and cups, and for swords and
clubs that stand by themselves, how often as many are alike as there are, as many only as large,
fewer or more; and how often two or more are on an ace or a figure, of `--makers` drawn decks.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator

import cv2
import numpy as np

from rules.cards import SUITS, Card, Rank
from vision.decide.sign_odds import LONG, PIPS
from vision.picture.geometry import Frame
from vision.read.fingerprint import HEIGHT, WIDTH
from vision.read.sign_count import Counted, counted
from vision.scene.latin import VALUES, Maker, drawn, maker

SIZE = (224, 368)
"""At which faces are drawn before they are as small as straightened ones."""


def faces(first: int, makers: int, rng: np.random.Generator) -> Iterator[tuple[Card, Maker, Frame]]:
    """Every card of so many makers, a little blurred, in some light."""
    for by in (maker(first + number) for number in range(makers)):
        for card in (Card(Rank(rank), suit) for suit in SUITS for rank in f"{VALUES}JQK"):
            small = cv2.resize(drawn(by, card, SIZE), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
            soft = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 0.9)))
            seen = soft * rng.uniform(0.5, 1) + rng.normal(0, 3, soft.shape)
            yield card, by, np.asarray(np.clip(seen, 0, 255), np.uint8)


def found(card: Card, signs: Counted) -> str:
    """What a count is of a card: as many alike, as large only, fewer, more, or nothing."""
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
    """What sort of card it is."""
    if card.rank.court or card.rank is Rank.ACE:
        return "courts" if card.rank.court else "aces"
    if card.suit not in LONG:
        return "coins and cups"
    return "crossing" if by.crossed else "swords and clubs"


def main() -> None:
    """Print how often each is found on each sort of card."""
    parser = ArgumentParser(prog="python -m tests.sign_counts", description=__doc__)
    parser.add_argument("--makers", type=int, default=40)
    parser.add_argument("--first", type=int, default=3000, help="number of the first maker")
    options = parser.parse_args()
    rng = np.random.default_rng(options.first)
    told: dict[str, Counter[str]] = {}
    for card, by, face in faces(options.first, options.makers, rng):
        told.setdefault(sort(card, by), Counter())[found(card, counted(face))] += 1
    for name, counts in sorted(told.items()):
        shares = ", ".join(f"{what} {many}" for what, many in counts.most_common())
        print(f"{name}: {sum(counts.values())} cards, {shares}")


if __name__ == "__main__":
    main()
