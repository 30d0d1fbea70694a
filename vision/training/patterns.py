"""Prepare the regional decks read by `--deck neapolitan` and the like from pictures of their cards.

The pictures are other people's and are not shipped; their fingerprints (`vision.read.fingerprint`)
are, one file per deck with the weights::

    python -m vision.training.patterns FOLDER      # with napoletane, piacentine, … in it

To imitate another maker's print, hue, saturation, paper, cut and wear are varied card by card.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from rules.cards import BACK, Card, Suit
from vision.decide.patterns import PATTERNS, Pattern
from vision.decide.profiles import Profile
from vision.errors import LabelError
from vision.picture.geometry import Floats
from vision.scene.courts import BLUE, BackPattern, Picture, draw_back
from vision.scene.faces import Index, Texture
from vision.scene.portraits import portraits
from vision.scene.regional import MASTER, forty, printed

SCALE = 2.0
"""Pixels per millimetre at which prints are taken: fingerprints have 64 by 96 pixels."""
FOLDERS = {
    "neapolitan": "napoletane",
    "piacentine": "piacentine",
    "bergamasque": "bergamasche",
    "brescian": "bresciane",
}
"""Folder names in the collection named by `sources`."""
SUITS = {Suit.CLUBS: "b", Suit.DIAMONDS: "d", Suit.HEARTS: "c", Suit.SPADES: "s"}
"""Letters in the file names: bastoni, denari, coppe, spade."""
PIPS = 7
"""The highest numbered card in a deck of forty."""
FIFTY_TWO = "bresciane"
"""The folder that also has eights, nines and tens, names with the suit before the rank, and no
back."""


@dataclass(frozen=True, eq=False)
class PrintedDeck:
    """A regional deck from the pictures in a folder, with the same methods as other decks.

    With a `seed` it is another maker's print: other colours and paper, cut askew, worn.
    """

    pattern: Pattern
    folder: Path
    seed: int | None = None
    _kept: dict[tuple[Card, float], Texture] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        return self.pattern.size_mm

    def indices(self, card: Card) -> tuple[Index, ...]:
        """Always empty: whole faces are read."""
        return ()

    def back(self, px_per_mm: float) -> Texture:
        """The back at the given scale, (H,W,4)."""
        return self.face(BACK, px_per_mm)

    def face(self, card: Card, px_per_mm: float) -> Texture:
        """The face at the given scale, (H,W,4); the back for a hidden card."""
        key = card, px_per_mm
        if key not in self._kept:
            self._kept[key] = printed(self._picture(card), self.size, px_per_mm)
        return self._kept[key]

    def _picture(self, card: Card) -> Picture:
        wide, high = (round(side * MASTER) for side in self.size)
        scan = cv2.resize(self._scan(card, (wide, high)), (wide, high))
        picture = np.asarray(scan, np.uint8)
        return picture if self.seed is None else reprinted(picture, self.seed, card)

    def _scan(self, card: Card, size: tuple[int, int]) -> Picture:
        path = self.folder / _file(self.folder.name, card)
        if card.hidden and not path.exists():
            return draw_back(BackPattern.LATTICE, size, BLUE, 24)
        picture = cv2.imread(str(path))
        if picture is None:
            raise LabelError(f"{path}: expected the picture of {card}: it cannot be read")
        return np.asarray(picture, np.uint8)


def _file(folder: str, card: Card) -> str:
    if card.hidden:
        return "bg.jpg"
    number = "A234567JQK".index(str(card.rank)) + 1
    if folder != FIFTY_TWO:
        return f"{number}{SUITS[card.suit]}.jpg"
    return f"{SUITS[card.suit]}{number if number <= PIPS else number + 3}.png"


def reprinted(picture: Picture, seed: int, card: Card) -> Picture:
    """A face as another maker might print it, after some evenings of use."""
    deck, own = np.random.default_rng(seed), _dice(seed, card)
    hue, saturation, gamma = deck.uniform(-8, 8), deck.uniform(0.6, 1.2), deck.uniform(0.8, 1.3)
    paper = np.array([deck.uniform(0.82, 1), deck.uniform(0.93, 1), 1.0], np.float32)
    tones = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).astype(np.float32)
    tones = (tones + np.array((hue, 0, 0))) * np.array((1, saturation, 1))
    tones = np.clip(tones, 0, (179, 255, 255))
    inks = cv2.cvtColor(tones.astype(np.uint8), cv2.COLOR_HSV2BGR).astype(np.float32) / 255
    cut = _cut(inks**gamma * paper, own, paper)
    high, wide = picture.shape[:2]
    worn = own.uniform(0, 0.25) * cv2.resize(own.random((24, 14)), (wide, high))[..., None]
    return np.asarray(np.clip(cut * (1 - worn) + worn * paper * 0.9, 0, 1) * 255, np.uint8)


def _cut(face: Floats, dice: np.random.Generator, paper: Floats) -> Floats:
    """The print slightly off the card's centre, and larger or smaller."""
    high, wide = face.shape[:2]
    size, (x, y) = 1 + dice.normal(0, 0.01), dice.normal(0, 0.012, 2) * wide
    onto = np.array([[size, 0, (1 - size) * wide / 2 + x], [0, size, (1 - size) * high / 2 + y]])
    border = tuple(float(value) for value in paper)
    moved = cv2.warpAffine(face, onto, (wide, high), borderValue=border)
    return np.asarray(moved, np.float32)


def _dice(seed: int, card: Card) -> np.random.Generator:
    number = 0 if card.hidden else 1 + list(forty()).index(card)
    return np.random.default_rng([seed, number])


def enrolled(pattern: Pattern, art: Path) -> Profile:
    """The reader's profile of a pattern, from the pictures in its folder of a collection."""
    deck = PrintedDeck(pattern, art / FOLDERS[pattern.name])
    shown = [look for card in forty() for look in portraits(deck, card, SCALE)]
    return Profile.taught(pattern.name, shown, size_mm=pattern.size_mm)


def enrol(art: Path) -> None:
    """Write the reader's profile of every pattern, one file each, with the weights."""
    for pattern in PATTERNS.values():
        profile = enrolled(pattern, art)
        profile.save(pattern.path)
        print(f"{pattern.path}: {len(profile.cards)} cards, {pattern.path.stat().st_size} bytes")


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m vision.training.patterns", description=__doc__)
    parser.add_argument("art", type=Path, help="the pictures, a folder for each deck")
    enrol(parser.parse_args().art)
