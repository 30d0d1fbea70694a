"""What can lie on the table or move over it: cards, chips, hands and other pictures.

>>> chip = chip_item(10.0, 20.0, (40, 40, 200))
>>> chip.size
(39.0, 39.0)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol, Self

import cv2
import numpy as np

from rules.cards import Card
from vision.scene.courts import Colour
from vision.scene.derived import Derived
from vision.scene.faces import CardArt, Texture
from vision.scene.view import Matrix, View


@dataclass(frozen=True, slots=True)
class Pose:
    """An item's centre and rotation."""

    x: float
    """In mm on the table, to the right."""
    y: float
    """In mm on the table, downwards."""
    angle: float = 0.0
    """Degrees clockwise as the camera sees it; 0 is upright in the picture."""
    lift: float = 0.0
    """In mm above the table."""

    def place(self, points: Matrix) -> Matrix:
        """Places (N,2) on the item, in mm from its centre, as places on the table."""
        turn = np.radians(self.angle)
        matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        return np.asarray(points @ matrix + (self.x, self.y), np.float64)


class Item(Protocol):
    """Anything that can be pasted into the picture."""

    @property
    def pose(self) -> Pose:
        """Where it is."""
        ...

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        ...

    @property
    def gloss(self) -> float:
        """How strongly glare shows on it, 0 to 1."""
        ...

    def texture(self, px_per_mm: float) -> Texture:
        """Its picture at approximately this scale, (H,W,4)."""
        ...


@dataclass(frozen=True)
class CardItem:
    """A card of some deck; a hidden card shows its back."""

    art: CardArt
    card: Card
    pose: Pose
    gloss: float = 0.8

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        return self.art.size

    def texture(self, px_per_mm: float) -> Texture:
        """Face or back."""
        return self.art.back(px_per_mm) if self.card.hidden else self.art.face(self.card, px_per_mm)

    def moved(self, x: float, y: float, angle: float, lift: float = 0.0) -> Self:
        """The same card elsewhere."""
        return replace(self, pose=Pose(x, y, angle, lift))


@dataclass(frozen=True, eq=False)
class Sprite:
    """A picture of known size lying on the table."""

    picture: Texture
    size: tuple[float, float]
    pose: Pose
    gloss: float = 0.2
    casts: bool = True
    """Whether it casts a shadow; in a stack, only the first and last layers do."""

    def texture(self, px_per_mm: float) -> Texture:
        """The picture, averaged down if it is much finer than requested."""
        own = self.picture.shape[1] / self.size[0]
        if own <= px_per_mm * 1.5:
            return self.picture
        wanted = (
            max(round(self.size[0] * px_per_mm), 1),
            max(round(self.size[1] * px_per_mm), 1),
        )
        return _SMALLER.of(self.picture, wanted, lambda: _averaged(self.picture, wanted))

    def moved(self, x: float, y: float, angle: float, lift: float = 0.0) -> Self:
        """The same thing elsewhere."""
        return replace(self, pose=Pose(x, y, angle, lift))


_SMALLER = Derived()
"""Sprites' pictures averaged down: a moving hand is drawn anew in every frame."""


def _averaged(picture: Texture, size: tuple[int, int]) -> Texture:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def shape(item: Item) -> Matrix:
    """An item's outline (N,2) on the table in mm; the exact one for a hand or a chip."""
    if not isinstance(item, Sprite):
        return corners(item)
    cover = (item.picture[..., 3] > 127).astype(np.uint8)
    found = cv2.findContours(cover, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]
    if not found:
        return corners(item)
    largest = cv2.approxPolyDP(max(found, key=cv2.contourArea), 2.0, True)[:, 0]
    size = np.array(item.size)
    return item.pose.place((largest / (cover.shape[1], cover.shape[0]) - 0.5) * size)


def corners(item: Item) -> Matrix:
    """An item's corners (4,2) on the table in mm, clockwise from its own top left."""
    width, height = item.size
    box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)
    return item.pose.place(box)


def outline(item: Item, view: View) -> Matrix:
    """An item's corners (4,2) in the picture, in pixels."""
    return view.project(corners(item), item.pose.lift)


_FINE = 3
"""Pixels per mm at which chips and hands are drawn."""


def chip_item(x: float, y: float, colour: Colour, *, angle: float = 0.0, stack: int = 1) -> Sprite:
    """A round chip, 39 mm across, with light edge spots; a stack is 3.3 mm high per chip."""
    side = 39 * _FINE
    picture = np.zeros((side, side, 4), np.uint8)
    middle = (side // 2, side // 2)
    cv2.circle(picture, middle, side // 2 - 1, (*colour, 255), -1, cv2.LINE_AA)
    for turn in range(0, 360, 60):
        cv2.ellipse(picture, middle, (side // 2 - 4, side // 2 - 4), 0, turn, turn + 18,
                    (245, 245, 245, 255), 9, cv2.LINE_AA)  # fmt: skip
    cv2.circle(picture, middle, side * 3 // 10, (235, 240, 240, 255), 2, cv2.LINE_AA)
    cv2.circle(picture, middle, side // 2 - 1, (*(c // 2 for c in colour), 255), 1, cv2.LINE_AA)
    return Sprite(picture, (39.0, 39.0), Pose(x, y, angle, 3.3 * (stack - 1)), 0.5)


def hand_item(
    x: float,
    y: float,
    *,
    angle: float = 0.0,
    lift: float = 25.0,
    skin: Colour = (140, 170, 220),
    sleeve: Colour = (90, 60, 50),
) -> Sprite:
    """A hand with fingertips at (x, y); at angle 0, its arm extends 400 mm downwards."""
    width, height = 120 * _FINE, 420 * _FINE
    picture = np.zeros((height, width, 4), np.uint8)
    arm = np.array([(0.2, 0.52), (0.8, 0.52), (0.95, 1.0), (0.05, 1.0)]) * (width, height)
    _fill(picture, arm, sleeve)
    wrist = np.array([(0.32, 0.3), (0.68, 0.3), (0.66, 0.56), (0.34, 0.56)]) * (width, height)
    _fill(picture, wrist, skin)
    centre = (width // 2, int(height * 0.26))
    palm = (int(width * 0.33), int(height * 0.11))
    cv2.ellipse(picture, centre, palm, 0, 0, 360, (*skin, 255), -1, cv2.LINE_AA)
    fingers = [(0.24, 0.08), (0.4, 0.015), (0.57, 0.02), (0.74, 0.06), (0.02, 0.2)]
    for index, (tip_x, tip_y) in enumerate(fingers):
        root = (int(width * (0.27 + 0.15 * min(index, 3))), int(height * 0.25))
        tip = (int(width * (tip_x + 0.04)), int(height * tip_y) + 9 * _FINE)
        shade = tuple(int(c * (0.94 + 0.02 * index)) for c in skin)
        cv2.line(picture, root, tip, (*shade, 255), 17 * _FINE, cv2.LINE_AA)
        cv2.circle(picture, (tip[0], tip[1] - 3 * _FINE), 4 * _FINE, (*_lighter(skin), 255), -1)
    pose = Pose(x, y, angle, lift)
    middle = pose.place(np.array([(0.0, height / 2 / _FINE - 4)]))[0]
    return Sprite(
        picture, (120.0, 420.0), Pose(float(middle[0]), float(middle[1]), angle, lift), 0.1
    )


def _fill(picture: Texture, points: Matrix, colour: Colour) -> None:
    solid = np.round(points * 16).astype(np.int32)
    cv2.fillPoly(picture, [solid], (*colour, 255), cv2.LINE_AA, 4)


def _lighter(colour: Colour) -> Colour:
    blue, green, red = (min(c + 18, 255) for c in colour)
    return blue, green, red


def flat_item(points: Matrix, colour: Colour, *, lift: float = 0.0, gloss: float = 0.1) -> Sprite:
    """A polygon of one colour, such as a sleeve, a note or a phone; points (N,2) in table mm."""
    low, high = points.min(axis=0), points.max(axis=0)
    span = np.maximum(high - low, 1.0)
    picture = np.zeros((int(span[1] * _FINE) + 1, int(span[0] * _FINE) + 1, 4), np.uint8)
    _fill(picture, (points - low) * _FINE, colour)
    middle = (low + high) / 2
    size = (float(span[0]), float(span[1]))
    return Sprite(picture, size, Pose(float(middle[0]), float(middle[1]), 0.0, lift), gloss)
