"""Signs cut out of printed decks, to be arranged as any maker might.

No drawing shows how real coins, cups, swords or clubs are inked and engraved; the makers of
`vision.scene.latin` decide how many there are and where. Only separate signs are cut out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import SUITS, Card, Rank, Suit
from vision.read.sign_count import alone
from vision.scene.courts import Picture
from vision.scene.faces import CardArt
from vision.scene.latin import Draw
from vision.scene.pen import Pen
from vision.scene.signs import Inks
from vision.scene.stands import LONG

Rng = np.random.Generator
NUMBERS = "234567"
"""The ranks of the cards from which signs are cut."""
FINE = 2.0
"""Enlargement at which a sign is stored before it is rotated, relative to its final size, so that
its lines survive."""
Cutting = NDArray[np.uint8]
"""An upright sign (H, W, 4); the last channel is its opacity."""


def cuttings(deck: CardArt) -> dict[Suit, list[Cutting]]:
    """All separate signs of a deck."""
    found: dict[Suit, list[Cutting]] = {}
    for suit in SUITS:
        for count, rank in enumerate(NUMBERS, 2):
            face = deck.face(Card(Rank(rank), suit), SCALE)[..., :3]
            outlines = alone(np.ascontiguousarray(face))
            if len(outlines) == count:
                found.setdefault(suit, []).extend(_cut(face, one, suit) for one in outlines)
    return found


SCALE = 4.0
"""Resolution at which signs are cut, in pixels per mm: four times what a camera sees. A choice."""


def _cut(face: Picture, outline: cv2.typing.MatLike, suit: Suit) -> Cutting:
    """Cut out what an outline encloses; long signs are set upright."""
    cover = np.zeros(face.shape[:2], np.uint8)
    cv2.drawContours(cover, [outline], -1, 255, -1)
    whole = np.dstack([face, cover])
    (x, y), (across, down), turn = cv2.minAreaRect(outline)
    if suit in LONG:
        size = int(min(across, down)) + 4, int(max(across, down)) + 4
        matrix = cv2.getRotationMatrix2D((x, y), turn if down > across else turn + 90, 1.0)
    else:
        left, top, wide, high = cv2.boundingRect(outline)
        x, y, size = left + wide / 2, top + high / 2, (wide + 4, high + 4)
        matrix = cv2.getRotationMatrix2D((x, y), 0, 1.0)
    matrix[:, 2] = matrix[:, 2] + np.array(size) / 2 - (x, y)
    return np.asarray(cv2.warpAffine(whole, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


@dataclass(frozen=True, slots=True)
class Cut:
    """Draws signs of a suit from cuttings, choosing one, its inks and its width at random."""

    cuttings: Sequence[Cutting]

    def __call__(self, pen: Pen, inks: Inks, rng: Rng) -> None:
        """Draw a sign where the pen is, in the print's inks, sometimes with another hue."""
        del inks
        sign = self.cuttings[int(rng.integers(len(self.cuttings)))]
        inked = _inked(sign, rng)
        _laid(pen, inked, float(np.exp(rng.normal(0, 0.15))))


def _inked(sign: Cutting, rng: Rng) -> Cutting:
    """Change a sign's inks; half of the time it keeps its hue."""
    turn = int(rng.integers(180)) if rng.random() < 0.5 else 0
    strong, dark = float(rng.uniform(0.4, 1.3)), float(np.exp(rng.normal(0, 0.25)))
    tones = cv2.cvtColor(np.ascontiguousarray(sign[..., :3]), cv2.COLOR_BGR2HSV)
    tones[..., 0] = (tones[..., 0].astype(np.int16) + turn) % 180
    tones[..., 1] = np.clip(tones[..., 1] * strong, 0, 255)
    colours = cv2.cvtColor(tones, cv2.COLOR_HSV2BGR).astype(np.float32) / 255
    return np.dstack([np.asarray(colours**dark * 255, np.uint8), sign[..., 3]])


def _laid(pen: Pen, sign: Cutting, slim: float) -> None:
    """Place a sign where the pen is: at the pen's height, `slim` times as wide as it was cut."""
    high, wide = sign.shape[:2]
    scale = FINE * pen.height / high
    size = max(2, round(wide * scale * slim)), max(2, round(high * scale))
    kept = cv2.resize(sign, size, interpolation=cv2.INTER_AREA)
    matrix = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), -pen.turn, 1 / FINE)
    matrix[:, 2] = matrix[:, 2] + np.array(pen.centre) - np.array(size) / 2
    high, wide = pen.picture.shape[:2]
    placed = cv2.warpAffine(kept, matrix, (wide, high), flags=cv2.INTER_LINEAR)
    share = placed[..., 3:].astype(np.float32) / 255
    mixed = pen.picture * (1 - share) + placed[..., :3] * share
    pen.picture[:] = np.asarray(mixed, np.uint8)


def signs_of(
    decks: Sequence[Mapping[Suit, list[Cutting]]], own: Mapping[Suit, Draw]
) -> Callable[[Rng], Mapping[Suit, Draw]]:
    """Return a function that chooses a maker's signs at random.

    Each suit's are cut from one deck, or are its `own`.
    """

    def choose(rng: Rng) -> Mapping[Suit, Draw]:
        return dict(_chosen(rng))

    def _chosen(rng: Rng) -> Iterator[tuple[Suit, Draw]]:
        for suit, drawing in own.items():
            having = [deck[suit] for deck in decks if suit in deck]
            cut = having and rng.random() < CUT
            yield suit, Cut(having[int(rng.integers(len(having)))]) if cut else drawing

    return choose


CUT = 0.6
"""Share of suits drawn with signs that were cut out. A choice."""
