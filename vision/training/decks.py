"""Decks for training pictures: cut artwork, and faces whose indices are set in installed fonts.

Both have the methods of `vision.scene.faces.DrawnDeck`, so that a scene can mix all kinds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from rules.cards import BACK, JOKER, Card, Rank, Suit
from vision.errors import ArtworkError
from vision.scene.courts import Picture
from vision.scene.faces import DeckStyle, DrawnDeck, Index, Texture, index_masks, squeezed
from vision.scene.glyphs import Mask
from vision.scene.jokers import JokerMark
from vision.scene.regional import MASTER, RegionalDeck, printed
from vision.training.artwork import WIDTH_PX, Pack


@dataclass(frozen=True, slots=True)
class Corner:
    """Where a deck prints its index, in shares of the card's width from its top left corner."""

    x: float
    top: float
    bottom: float
    width: float


def find_corner(pack: Pack) -> Corner | None:
    """The index position that a deck's number cards agree on; None if they do not."""
    return _agreed(pack, 1.0) or _agreed(pack, 1.35)


def _agreed(pack: Pack, reach: float) -> Corner | None:
    found = []
    for rank in "23456789":
        for suit in "CDHS":
            if rank + suit in pack:
                box = _corner_box(pack[rank + suit], reach)
                if box is not None:
                    found.append(box)
    if len(found) < 16:
        return None
    boxes = np.array(found)
    middle = np.median(boxes, axis=0)
    spread = np.median(np.abs(boxes - middle), axis=0)
    if spread[:3].max() > 0.02:
        return None
    return Corner(*(float(v) for v in middle))


def _corner_box(picture: Texture, reach: float) -> tuple[float, float, float, float] | None:
    """The (x, top, bottom, width) of rank and suit sign in the top left corner."""
    height, width = picture.shape[:2]
    paper = np.median(picture[picture[..., 3] > 200][:, :3], axis=0)
    region = picture[: int(height * 0.36 * reach), : int(width * 0.29 * reach)]
    far = np.abs(region[..., :3].astype(np.float32) - paper).max(axis=2) > 70
    ink = (far & (region[..., 3] > 200)).astype(np.uint8)
    number, _, stats, centres = cv2.connectedComponentsWithStats(ink)
    parts = [
        (stats[i], centres[i]) for i in range(1, number) if _index_like(stats[i], ink.shape, height)
    ]
    if not parts:
        return None
    rank = min(parts, key=lambda part: part[1][0] + part[1][1])
    row = [p for p in parts if _overlap(p[0], rank[0]) > 0.6 and p[1][0] < width * 0.25 * reach]
    left = min(p[0][0] for p in row)
    right = max(p[0][0] + p[0][2] for p in row)
    bottom = max(p[0][1] + p[0][3] for p in row)
    x = (left + right) / 2
    below = [p for p in parts if p[0][1] >= bottom - 4 and abs(p[1][0] - x) < width * 0.06]
    if not below:
        return None
    suit = min(below, key=lambda part: part[0][1])
    end = suit[0][1] + suit[0][3]
    breadth = max(right - left, suit[0][2])
    return x / width, min(p[0][1] for p in row) / width, end / width, breadth / width


def _index_like(stats: NDArray[np.int32], shape: tuple[int, ...], height: int) -> bool:
    left, top, wide, tall, area = (int(v) for v in stats)
    inside = left > 1 and top > 1 and left + wide < shape[1] - 1 and top + tall < shape[0] - 1
    return inside and area > 30 and 0.02 * height < tall < 0.62 * shape[0]


def _overlap(one: NDArray[np.int32], other: NDArray[np.int32]) -> float:
    """The share of the shorter part's height that both have in common."""
    low = max(one[1], other[1])
    high = min(one[1] + one[3], other[1] + other[3])
    return float(max(high - low, 0) / min(one[3], other[3]))


@dataclass(frozen=True, eq=False)
class ArtDeck:
    """A deck cut from artwork."""

    name: str
    pack: Pack
    corner: Corner
    cards: tuple[Card, ...]
    """The cards whose letters have their English meaning."""
    width: float = 63.5

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        shape = self.pack["7H"].shape
        return self.width, self.width * shape[0] / shape[1]

    def face(self, card: Card, px_per_mm: float) -> Texture:
        """The face, (H,W,4)."""
        return self._at(str(card), px_per_mm)

    def back(self, px_per_mm: float) -> Texture:
        """The back; a plain one if the artwork has none."""
        return self._at("BACK", px_per_mm)

    def _at(self, name: str, px_per_mm: float) -> Texture:
        source = self.pack.get(name)
        if source is None:
            return DrawnDeck(DeckStyle(width=self.size[0], height=self.size[1])).back(px_per_mm)
        size = (round(self.size[0] * px_per_mm), round(self.size[1] * px_per_mm))
        method = cv2.INTER_AREA if px_per_mm < WIDTH_PX / self.width else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(source, size, interpolation=method), np.uint8)

    def indices(self, card: Card) -> tuple[Index, ...]:
        """Two opposite corners, at the position of the number cards' indices."""
        if card.hidden:
            return ()
        width, height = self.size
        top, bottom = self.corner.top * width, self.corner.bottom * width
        x = self.corner.x * width - width / 2
        y = (top + bottom) / 2 - height / 2
        breadth = self.corner.width * width
        return (Index(x, y, bottom - top, breadth), Index(-x, -y, bottom - top, breadth, (0, 1)))


@dataclass(frozen=True)
class FontDeck(DrawnDeck):
    """A drawn deck whose ranks are set in a font, and whose court figures may be artwork."""

    font: str = ""
    """Path of the font."""
    weight: int = 0
    """How much the glyphs are thickened, in 1/8 mm."""
    signs: str = ""
    """Path of the font for the suit signs; empty for drawn ones."""
    courts: Pack = field(default_factory=dict, compare=False, repr=False)

    def _masks(self, card: Card) -> tuple[Mask, Mask]:
        rank, suit = index_masks(self.style, card)
        if card == JOKER:
            return self._signed(rank), suit
        letter = "10" if card.rank is Rank.TEN else card.rank.value
        letter = self.letters.get(card.rank, letter)
        set_mask = font_mask(self.font, letter, rank.shape[0])
        if self.weight:
            kernel = np.ones((self.weight + 1, self.weight + 1), np.uint8)
            set_mask = np.asarray(cv2.dilate(set_mask, kernel), np.uint8)
        if self.signs:
            suit = font_mask(self.signs, _SIGNS[card.suit], suit.shape[0])
        return squeezed(set_mask, self.style), suit

    def _signed(self, drawn: Mask) -> Mask:
        """A joker's sign, set in the font about half the time; its name as drawn."""
        sign = _MONOGRAMS[self.style.court_seed % len(_MONOGRAMS)]
        if self.style.joker is not JokerMark.SIGN or not sign or not has_glyphs(self.font, sign):
            return drawn
        return squeezed(font_mask(self.font, sign, drawn.shape[0]), self.style)

    def _figure(self, card: Card, box: tuple[int, int]) -> NDArray[np.uint8]:
        art = self.courts.get(str(card))
        if art is None:
            return super()._figure(card, box)
        high, wide = art.shape[:2]
        inner = art[int(high * 0.07) : int(high * 0.93), int(wide * 0.17) : int(wide * 0.83)]
        cover = inner[..., 3:] / 255
        flat = (inner[..., :3] * cover + 255 * (1 - cover)).astype(np.uint8)
        return np.asarray(cv2.resize(flat, box, interpolation=cv2.INTER_AREA), np.uint8)


FIRST_MAKER = 100_000
"""The first maker of Latin cards used for training; those below are for trials."""


@dataclass(frozen=True)
class LatinDeck(RegionalDeck):
    """A drawn deck of Latin suits in any size, with a back of its own."""

    cut: tuple[float, float] = (51.0, 87.0)
    """Width and height in mm."""
    rear: Picture = field(default_factory=lambda: np.zeros((1, 1, 3), np.uint8), compare=False)
    """The back (H,W,3)."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        return self.cut

    def back(self, px_per_mm: float) -> Texture:
        """The back at the given scale, (H,W,4)."""
        pixels = round(self.cut[0] * MASTER), round(self.cut[1] * MASTER)
        return printed(np.asarray(cv2.resize(self.rear, pixels), np.uint8), self.cut, px_per_mm)


_MONOGRAMS = ("", "$", "", "\N{SECTION SIGN}", "", "&")
"""Characters that look like a maker's monogram; empty entries use the drawn one."""

_SIGNS = {
    Suit.CLUBS: "\N{BLACK CLUB SUIT}",
    Suit.DIAMONDS: "\N{BLACK DIAMOND SUIT}",
    Suit.HEARTS: "\N{BLACK HEART SUIT}",
    Suit.SPADES: "\N{BLACK SPADE SUIT}",
}


@cache
def font_mask(path: str, text: str, height: int) -> Mask:
    """The ink of `text` in a font, `height` pixels high, (H,W)."""
    font = _font(path)
    image = Image.new("L", (700, 400))
    ImageDraw.Draw(image).text((80, 60), text, fill=255, font=font)
    ink = np.asarray(image)
    rows, columns = np.flatnonzero(ink.max(axis=1) > 40), np.flatnonzero(ink.max(axis=0) > 40)
    if not len(rows):
        raise ValueError(f"expected ink for {text!r}, found none in {path}")
    inner = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = max(round(inner.shape[1] * height / inner.shape[0]), 1)
    return np.asarray(cv2.resize(inner, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


@cache
def _font(path: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, 200)


@cache
def has_glyphs(path: str, text: str) -> bool:
    """Whether a font has all characters of a text; missing ones all look the same."""
    try:
        nothing = font_mask(path, "\uf8ff", 40)
    except ValueError:
        nothing = np.zeros((0, 0), np.uint8)
    try:
        shown = [font_mask(path, letter, 40) for letter in text]
    except ValueError:
        return False
    return not any(one.shape == nothing.shape and bool((one == nothing).all()) for one in shown)


def load_art(path: Path, *, letters: str) -> ArtDeck | None:
    """The deck of a cut pack; `letters` are the ranks that have their English meaning.

    Raises `ArtworkError` if it is not there.
    """
    if not path.exists():
        fetch = "python -m vision.training fetch, and then cut, make it"
        raise ArtworkError(f"{path}: expected a deck cut into cards, found none; {fetch}")
    with np.load(path) as file:
        pack = {name: file[name] for name in file.files}
    pack = {name: picture for name, picture in pack.items() if picture.shape[0] > 100}
    corner = find_corner(pack) if "7H" in pack else None
    if corner is None:
        return None
    cards = tuple(Card.parse(name) for name in pack if len(name) == 2 and name[0] in letters)
    return ArtDeck(path.stem, pack, corner, cards)


__all__ = ["BACK", "ArtDeck", "Corner", "FontDeck", "find_corner", "font_mask", "load_art"]
