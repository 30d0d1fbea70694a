"""Faces of Latin cards as a camera may show them: the samples of `vision.training.latin`.

Most of them are decks of no pattern (`vision.scene.latin`), the rest are the regional ones
available as pictures, in any colours, and French faces and backs, which show no signs. With each
goes a map of where its signs lie, as far as the drawing knows it (`vision.training.latin_marks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np

from rules.cards import BACK, RANKS, SUITS, Card, Rank, Suit
from vision.decide.latin import FINE
from vision.decide.patterns import PATTERNS
from vision.scene.courts import Colour, Picture
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.scene.latin import SIGNS, VALUES, drawn, maker, signs_at
from vision.scene.regional import forty
from vision.scene.stands import LONG
from vision.training.cuttings import cuttings, signs_of
from vision.training.decks import FIRST_MAKER
from vision.training.latin_marks import CELLS, Marks, marked
from vision.training.patterns import FOLDERS, PrintedDeck
from vision.training.scenes import classes

Rng: TypeAlias = np.random.Generator
Page: TypeAlias = tuple[Picture, Marks | None, tuple[int, int]]
"""A face as printed, the map of its signs (`None` if nobody knows where they lie), and its
classes."""
Sample: TypeAlias = Page
"""The same of a face as photographed."""
NONE = (14, 4)
DRAWN = (224, 368)
"""Size in which faces are drawn, in pixels: lines are finer than a pixel of a straightened one."""
SHARES = (0.8, 0.13, 0.07)
"""Shares of samples of no pattern, of a regional one, and without signs. A choice."""
PIPS, LONG_ONES, ACES = 8, 0.7, 0.1
"""Cards with signs drawn of a maker, next to one court; share of them that are swords and clubs,
which are harder to count than coins and cups; and share of aces. Choices."""
CROSSED = 0.65
"""Share of makers whose swords and clubs cross each other, which are the hardest to count. A
choice."""
LOOKS = 2
"""How often each drawn card is photographed. A choice."""
OWN_BACKS = 60
"""How often the back of a regional deck is among the faces without signs. A choice: as many as the
faces of a French deck."""
BENT = 0.5
"""Share of faces that are bent as if drawn by another hand. A choice."""
ENGRAVED, FAINT = 0.6, 40
"""Share of drawings shaded as an engraver would, and minimum difference in brightness that counts
as ink. Choices."""
COMPRESSED = 0.3
"""Share of faces that a camera compressed. A choice."""
ACROSS, FAR = (60, 128), (40, 60)
"""Range of widths of a card in the picture, in pixels, and that of the share `FARTHER` of cards.
Choices."""
FARTHER = 0.15


@dataclass
class Pool:
    """The source of a run's faces: makers from the `first` one on, and the decks called `decks`."""

    rng: Rng
    decks: Sequence[str]
    art: Path
    first: int = FIRST_MAKER
    regional: list[Page] = field(default_factory=list)
    others: list[Page] = field(default_factory=list)

    def faces(self) -> Iterator[Sample]:
        """Endless samples."""
        printed = [PrintedDeck(PATTERNS[name], self.art / FOLDERS[name]) for name in self.decks]
        self._fill(printed)
        scenes = self._scenes(printed)
        while True:
            kind = int(self.rng.choice(3, p=SHARES))
            if kind == 0:
                yield next(scenes)
                continue
            source = (self.regional or self.others, self.others)[kind - 1]
            page = source[int(self.rng.integers(len(source)))]
            yield seen(page, self.rng, odd=kind == 1)

    def _fill(self, printed: Sequence[PrintedDeck]) -> None:
        """Draw the faces of regional decks and those without signs."""
        for deck in printed:
            for card in forty():
                self.regional.append((_page(deck.face(card, PRINTED)), None, classes(card)))
            self.others += [(_page(deck.back(PRINTED)), None, NONE)] * OWN_BACKS
        for style in drawn_styles():
            other = DrawnDeck(style)
            cards = [Card(rank, suit) for suit in SUITS for rank in RANKS]
            for card in [*cards, BACK, BACK, BACK]:
                self.others.append((_page(other.face(card, PRINTED)), None, NONE))

    def _scenes(self, printed: Sequence[PrintedDeck]) -> Iterator[Sample]:
        """Endless faces of no pattern, maker by maker."""
        signs = signs_of([cuttings(deck) for deck in printed], SIGNS)
        for number in count(self.first):
            by, own = maker(number, crossed=self.rng.random() < CROSSED), signs(self.rng)
            for card in self._some():
                marks = None if card.rank.court else marked(signs_at(by, card, DRAWN), DRAWN)
                page = drawn(by, card, DRAWN, own), marks, classes(card)
                for _ in range(LOOKS):
                    yield seen(page, self.rng, odd=False)

    def _some(self) -> Iterator[Card]:
        for _ in range(PIPS):
            suits = LONG if self.rng.random() < LONG_ONES else ROUND
            rank = "A" if self.rng.random() < ACES else VALUES[int(self.rng.integers(1, 9))]
            yield Card(Rank(rank), suits[int(self.rng.integers(2))])
        yield Card(Rank("JQK"[int(self.rng.integers(3))]), SUITS[int(self.rng.integers(4))])


ROUND = (Suit.DIAMONDS, Suit.HEARTS)
"""Coins and cups."""
PRINTED = 4.0
"""Pixels per mm at which printed faces are kept. A choice: about the size of drawn ones."""


def _page(texture: Picture) -> Picture:
    return np.asarray(cv2.resize(texture[..., :3], DRAWN, interpolation=cv2.INTER_AREA), np.uint8)


def seen(page: Page, rng: Rng, *, odd: bool) -> Sample:
    """A face (144, 96, 3) as straightened out of a photograph, in even light, and its map.

    With `odd`, in other colours than its own.
    """
    picture, marks, label = page
    widths = np.log(FAR if rng.random() < FARTHER else ACROSS)
    across = round(float(np.exp(rng.uniform(*widths))))
    along = round(across * float(rng.uniform(1.4, 1.9)))
    inked = _recoloured(_small(picture, across, along), rng, odd=odd)
    printed = inked if odd or rng.random() > ENGRAVED else _engraved(inked, rng)
    bend = _bend((across, along), rng) if rng.random() < BENT else None
    bent = printed if bend is None else _bent(printed, bend)
    soft = cv2.GaussianBlur(bent, (0, 0), float(rng.uniform(0.3, 1.2)))
    sent = _compressed(soft, rng) if rng.random() < COMPRESSED else soft
    onto = _straightening((across, along), rng)
    table: Colour = tuple(int(one) for one in rng.integers(10, 160, 3))  # type: ignore[assignment]
    face = cv2.warpPerspective(sent, onto, FINE, borderValue=table)
    if marks is None:
        return np.asarray(face, np.uint8), None, label
    shrunk = _small(marks, across, along)
    moved = cv2.warpPerspective(shrunk if bend is None else _bent(shrunk, bend), onto, FINE)
    return np.asarray(face, np.uint8), _small(np.asarray(moved, np.uint8), *CELLS), label


def _small(picture: Picture, across: int, along: int) -> Picture:
    picture = np.ascontiguousarray(picture)
    return np.asarray(cv2.resize(picture, (across, along), interpolation=cv2.INTER_AREA), np.uint8)


def _compressed(picture: cv2.typing.MatLike, rng: Rng) -> cv2.typing.MatLike:
    """As a camera sends it that compresses its pictures."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
    _, sent = cv2.imencode(".jpg", picture, quality)
    return np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), np.uint8)


def _bend(size: tuple[int, int], rng: Rng) -> tuple[cv2.typing.MatLike, cv2.typing.MatLike]:
    """Where each pixel of a face is taken from that another hand drew: every part slightly
    displaced, larger or smaller."""
    wide, high = size
    coarse = rng.normal(0, float(rng.uniform(0.005, 0.025)) * wide, (6, 4, 2)).astype(np.float32)
    off = cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC)
    across, down = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    return across + off[..., 0], down + off[..., 1]


def _bent(picture: Picture, bend: tuple[cv2.typing.MatLike, cv2.typing.MatLike]) -> Picture:
    bent = cv2.remap(picture, *bend, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)


def _engraved(picture: Picture, rng: Rng) -> Picture:
    """Shade and hatch the ink, as drawings never are."""
    high, wide = picture.shape[:2]
    paper = np.percentile(picture[::3, ::3].reshape(-1, 3), 85, axis=0)
    apart = cv2.absdiff(picture, np.broadcast_to(paper.astype(np.uint8), picture.shape))
    inked = cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2]) > FAINT
    tones = np.zeros((high, wide), np.float32)
    for coarse in rng.uniform(0.6, 4.0, 2):
        grain = cv2.GaussianBlur(rng.standard_normal((high, wide), np.float32), (0, 0), coarse)
        strong = float(rng.uniform(0, 0.25)) / max(float(grain.std()), 1e-6)
        tones += grain * np.float32(strong)
    shade = np.where(inked, np.exp(tones), np.float32(1))
    return np.asarray(np.minimum(picture * shade[..., None], 255), np.uint8)


def _recoloured(picture: Picture, rng: Rng, *, odd: bool) -> Picture:
    """Change the inks in hue, strength and darkness."""
    if odd and rng.random() < 0.35:
        picture = picture[..., rng.permutation(3)]
    tones = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2HSV)
    turn = float(rng.uniform(-90, 90)) if odd and rng.random() < 0.4 else float(rng.normal(0, 6))
    tones[..., 0] = (tones[..., 0].astype(np.int16) + round(turn)) % 180
    tones[..., 1] = np.clip(tones[..., 1] * float(rng.uniform(0.35, 1.3)), 0, 255)
    inked = cv2.cvtColor(tones, cv2.COLOR_HSV2BGR)
    level = np.arange(256) / 255
    curve = np.clip(level ** float(np.exp(rng.normal(0, 0.3))) * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(inked, curve), np.uint8)


def _straightening(size: tuple[int, int], rng: Rng) -> cv2.typing.MatLike:
    """The way from a card of that size to a face cut out slightly off its edges."""
    wide, high = size
    own = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - 0.5
    off = rng.normal(0, 0.012, (4, 2)) + rng.normal(0, 0.015, 2)
    off = off + (own / (wide, high) - 0.5) * rng.normal(0, 0.03, 2)
    to_wide, to_high = FINE
    target = np.array([(0, 0), (to_wide, 0), FINE, (0, to_high)]) + off * FINE
    return cv2.getPerspectiveTransform(own, np.asarray(target - 0.5, np.float32))
