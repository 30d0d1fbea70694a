"""Whole cards for the third network: straightened faces with jitter, covers, light and lens.

A sample is a (96,64,3) picture of one card and its classes, in the reader's numbering. What is not
an upright face (a back, a card lying across, bare table) has the classes none. A partly covered
card has the rank none, since its pips cannot be counted, but keeps its suit.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, JOKER, Card
from vision.scene.faces import CardArt, Texture
from vision.training.artwork import Pack
from vision.training.effects import random_lens, sensor
from vision.training.scenes import classes
from vision.training.shelf import Rng, Shelf
from vision.training.sources import WORK

Bytes = NDArray[np.uint8]

WIDTH, HEIGHT = 64, 96
"""Size of a sample in pixels."""
NONE = (14, 4)
MORE = (
    "gnome-ornamental", "gnome-tango", "gnome-tango_nuevo", "kde-nicu-ornamental",
    "kde-oxygen", "kde-oxygen-white", "kde-penguins", "pokerth-default", "pokerth-default4c",
    "pips",
)  # fmt: skip
"""Decks whose corners could not be located, which does not matter here; only their number cards."""
COURTLESS = "A23456789T"
SMALLEST, LARGEST = 34.0, 130.0
"""Widths of a card in the picture, in pixels."""


@dataclass
class Faces:
    """The source of the faces of whole-card samples."""

    shelf: Shelf
    packs: list[Pack] = field(default_factory=list)
    jokers: list[Texture] = field(default_factory=list)

    @classmethod
    def open(cls, *, validation: bool) -> Faces:
        """The shelf's decks, further number cards, and the jokers of all artwork."""
        shelf = Shelf.open(validation=validation)
        found = cls(shelf)
        if validation:
            return found
        for path in sorted((WORK / "packs").glob("*.npz")):
            if path.stem.startswith("val-"):
                continue
            with np.load(path) as file:
                wanted = [n for n in file.files if n in ("JOKER", "JOKER2")]
                found.jokers += [file[n] for n in wanted if file[n].shape[0] > 100]
                if path.stem in MORE:
                    numbers = [n for n in file.files if len(n) == 2 and n[0] in COURTLESS]
                    found.packs.append({n: file[n] for n in numbers})
        return found

    def draw(self, rng: Rng) -> tuple[Texture, tuple[int, int]]:
        """A face with its classes, or a back with the classes none."""
        chance = rng.random()
        if chance < 0.08 and self.jokers:
            return self.jokers[int(rng.integers(len(self.jokers)))], classes(JOKER)
        if chance < 0.18 and self.packs:
            pack = self.packs[int(rng.integers(len(self.packs)))]
            name = sorted(pack)[int(rng.integers(len(pack)))]
            return pack[name], classes(Card.parse(name))
        stock = self.shelf.deck(rng)
        card = stock.draw(rng)
        return _face(stock.art, card), NONE if card == BACK else classes(card)


def _face(art: CardArt, card: Card) -> Texture:
    scale = 254 / art.size[0]
    return art.back(scale) if card == BACK else art.face(card, scale)


def sample(faces: Faces, rng: Rng, hard: float) -> tuple[Bytes, tuple[int, int]]:
    """One picture and its classes."""
    texture, label = faces.draw(rng)
    across = float(np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST))))
    # A slanted camera or a strange lens squeezes the card; it is straightened to one shape.
    along = across * texture.shape[0] / texture.shape[1] * float(rng.uniform(0.72, 1.1))
    size = (round(across), round(along))
    canvas, place = _table(faces, size, rng)
    _paste(canvas, texture, place, size)
    covered = _covered(canvas, faces, place, size, rng)
    picture = _photographed(canvas, across, rng, hard)
    turned = rng.random() < 0.06
    patch = _straightened(picture, place, size, rng, across_it=turned)
    if turned or (covered > 0.5 and label != NONE):
        return patch, NONE
    if covered > 0.16:
        label = (NONE[0], label[1])
    return patch, label


def _table(faces: Faces, size: tuple[int, int], rng: Rng) -> tuple[Bytes, tuple[int, int]]:
    """Some ground with room around the card, and the card's position."""
    border = max(size[1] // 3, 6)
    wide, high = size[0] + 2 * border, size[1] + 2 * border
    ground = faces.shelf.surface(rng).draw((wide, high), size[0] / 60.0)
    return np.ascontiguousarray(ground), (border, border)


def _paste(canvas: Bytes, texture: Texture, place: tuple[int, int], size: tuple[int, int]) -> None:
    small = cv2.resize(texture, size, interpolation=cv2.INTER_AREA)
    share = small[..., 3:].astype(np.float32) / 255
    part = canvas[place[1] : place[1] + size[1], place[0] : place[0] + size[0]]
    part[:] = (part * (1 - share) + small[..., :3] * share).astype(np.uint8)


def _covered(
    canvas: Bytes, faces: Faces, place: tuple[int, int], size: tuple[int, int], rng: Rng
) -> float:
    """Cover part of the card, though usually none; return the share covered, 0..1."""
    if rng.random() < 0.55:
        return 0.0
    middle = np.array(place) + np.array(size) / 2
    away = np.array([np.cos(a := rng.uniform(0, 2 * np.pi)), np.sin(a)]) * size
    centre = middle + away * float(rng.uniform(0.55, 1.05))
    straight_on = rng.random() < 0.5
    angle = float(rng.choice([0, 90]) + rng.normal(0, 8) if straight_on else 360 * rng.random())
    box = cv2.boxPoints(
        ((float(centre[0]), float(centre[1])), (float(size[0]), float(size[1])), angle)
    ).astype(np.float32)
    texture = _face(faces.shelf.deck(rng).art, BACK) if rng.random() < 0.2 else faces.draw(rng)[0]
    high, wide = texture.shape[:2]
    source = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    matrix = cv2.getPerspectiveTransform(source, box)
    whole = (canvas.shape[1], canvas.shape[0])
    # Averaged down first: warping samples single pixels.
    soft = cv2.GaussianBlur(texture, (0, 0), max(0.3 * wide / size[0], 0.1))
    laid = cv2.warpPerspective(soft, matrix, whole)
    share = laid[..., 3:].astype(np.float32) / 255
    canvas[:] = (canvas * (1 - share) + laid[..., :3] * share).astype(np.uint8)
    part = share[place[1] : place[1] + size[1], place[0] : place[0] + size[0]]
    return float(part.mean())


def _photographed(canvas: Bytes, across: float, rng: Rng, hard: float) -> Bytes:
    """The canvas under some light, through some lens."""
    high, wide = canvas.shape[:2]
    lit = np.asarray(canvas * _gain(wide, high, rng, hard), np.float32)
    for _ in range(int(rng.poisson(0.9 * hard))):
        glow = _glow(wide, high, rng)[..., None] * np.float32(rng.uniform(0.25, 0.95))
        lit = lit + (255 - lit) * glow
    lens = random_lens(rng, hard, across * 0.27)
    lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), max(lens.blur_px, 0.2)), np.float32)
    if lens.motion_px > 1.5:
        lit = _moved(lit, lens.motion_px, rng)
    grain = rng.standard_normal(lit.shape, np.float32) * np.float32(lens.noise)
    return sensor(np.clip(lit + grain, 0, 255).astype(np.uint8), rng, hard)


def _gain(wide: int, high: int, rng: Rng, hard: float) -> NDArray[np.float32]:
    x, y = np.meshgrid(np.linspace(-1, 1, wide), np.linspace(-1, 1, high))
    angle = rng.uniform(0, 2 * np.pi)
    along = x * np.cos(angle) + y * np.sin(angle)
    slope = np.asarray(1 + float(rng.uniform(0, 0.6)) * hard * along, np.float64)
    level = float(np.exp(rng.normal(-0.12, 0.12 + 0.3 * hard)))
    if rng.random() < 0.25 * hard:
        # A hard shadow's edge across the card.
        slope *= np.where(along > rng.uniform(-0.6, 0.6), 1.0, rng.uniform(0.35, 0.8))
    tint = np.exp(rng.normal(0, 0.07 + 0.1 * hard, 3))
    if rng.random() < 0.06 * hard:
        tint = rng.uniform(0.25, 1.0, 3)
    return np.asarray(slope[..., None] * level * tint, np.float32)


def _glow(wide: int, high: int, rng: Rng) -> NDArray[np.float32]:
    x, y = np.meshgrid(np.linspace(0, 1, wide), np.linspace(0, 1, high))
    u, v = rng.uniform(0.1, 0.9, 2)
    radius = float(rng.uniform(0.05, 0.22))
    return np.asarray(np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * radius**2)), np.float32)


def _moved(lit: NDArray[np.float32], length: float, rng: Rng) -> NDArray[np.float32]:
    side = int(length) + 2
    kernel = np.zeros((side, side), np.float32)
    angle = rng.uniform(0, np.pi)
    step = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    middle = np.array([side / 2, side / 2])
    ends = [tuple(int(v) for v in middle + way * step) for way in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(lit, -1, kernel / max(kernel.sum(), 1)), np.float32)


def _straightened(
    picture: Bytes, place: tuple[int, int], size: tuple[int, int], rng: Rng, *, across_it: bool
) -> Bytes:
    """The card cut out at slightly wrong corners, like those estimated from indices."""
    x, y = place
    corners = np.array(
        [(x, y), (x + size[0], y), (x + size[0], y + size[1]), (x, y + size[1])], np.float32
    )
    spread = 0.012 if rng.random() < 0.4 else 0.035
    corners += rng.normal(0, spread, (4, 2)) * size
    corners += rng.normal(0, spread, 2) * size
    middle = corners.mean(axis=0)
    corners = middle + (corners - middle) * np.exp(rng.normal(0, spread))
    if rng.random() < 0.5:
        corners = np.roll(corners, 2, axis=0)
    if across_it:
        corners = np.roll(corners, 1, axis=0)
    return straight(picture, np.asarray(corners, np.float32))


def straight(picture: Bytes, corners: NDArray[np.float32]) -> Bytes:
    """The card (96,64,3) with these corners (4,2), clockwise from its upper left."""
    target = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners - np.float32(0.5), target)
    patch = cv2.warpPerspective(
        picture, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(patch, np.uint8)
