"""The parts of semi-real films: a photographed deck and cloth, and a filmed hand.

The deck is cut from one photograph of fifty-two cards in four rows on a table, by their outlines;
the hand from a film, by its skin colour. Backs are drawn, since no photograph shows one.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import atan2, degrees
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import Card
from tests.films.sources import FILMS, PHOTOS, folder
from vision.scene.faces import DrawnDeck, Index, Texture, drawn_styles
from vision.scene.items import Pose, Sprite

Picture = NDArray[np.uint8]

DECK, ROWS, COLUMNS = "grid_gerrygekao/all_cards.jpg", 4, 13
"""A photograph of a whole deck, in rows in the order of its labels."""
CARD_MM = (63.5, 88.9)
CORNER_MM = 3.4
MASTER_PX_PER_MM = 4.0
"""Over twice the resolution of the photograph, so that turning a card costs no sharpness."""
LIKE_A_CARD = (0.65, 0.8)
"""Range of width over height: a poker card's is 0.71."""
CARD_AREA = 0.006
"""Minimum area of a card, as a share of the photograph."""
CLOTH = "felt_sergiodomgui/train_IMG_20210426_184431.jpg", (610, 20, 770, 1480)
"""A photograph and the part of it that shows nothing but felt: top, left, bottom, right."""

HAND, HAND_AT = "hands_black.avi", 92
"""A film, and the number of the frame in which a hand in a sleeve points at something."""
SKIN = (60, 138, 90), (255, 175, 130)
"""Lower and upper bounds of that skin's luma, red and blue difference."""
SLEEVE = ((0, 0), (146, 0), (132, 60), (92, 140), (42, 186), (0, 206))
"""Outline of the sleeve in that frame, pixels."""
ELBOW, TIP = (20, 14), (373, 257)
"""Where the arm enters the frame and where the fingertip is, pixels."""
HAND_PX_PER_MM = 222 / 85.6
"""From the long side of the plastic card in that frame, which is 85.6 mm."""
ARM_MM = (150.0, 920.0)
"""Size of the arm's picture, as for the drawn hand: long enough to reach beyond the table's
edge."""
ARM_PX_PER_MM = 1.75
SLEEVE_MM = 46.0
"""Half the width of the sleeve beyond what the film shows."""


def wanted() -> str:
    """What is missing for making films; empty if everything is there."""
    photos, films = folder(PHOTOS), folder(FILMS)
    if photos is None or not (photos / DECK).is_file() or not (photos / CLOTH[0]).is_file():
        return f"photographs needed: {PHOTOS} must name a folder with {DECK} and {CLOTH[0]}"
    if films is None or not (films / HAND).is_file():
        return f"films needed: {FILMS} must name a folder with {HAND}"
    return ""


def _photo(name: str) -> Picture:
    there = folder(PHOTOS)
    picture = cv2.imread(str(there / name)) if there else None
    assert picture is not None, wanted()
    return np.asarray(picture, np.uint8)


# The deck.


@cache
def photographed() -> dict[Card, Texture]:
    """The face of every card, (H,W,4), at `MASTER_PX_PER_MM`."""
    picture = _photo(DECK)
    quads = _in_rows(_outlines(picture))
    cards = _labelled()
    assert len(quads) == len(cards) == ROWS * COLUMNS, f"expected 52 cards, found {len(quads)}"
    return {card: _straight(picture, quad) for card, quad in zip(cards, quads, strict=True)}


def _labelled() -> list[Card]:
    there, name = folder(PHOTOS), Path(DECK)
    assert there is not None, wanted()
    with (there / name.parent / "labels.csv").open(encoding="utf-8") as file:
        row = next(row for row in csv.DictReader(file) if row["file"] == name.name)
    return [Card.parse(text) for text in row["cards"].split()]


def _outlines(picture: Picture) -> list[NDArray[np.float32]]:
    """The corners (4,2) of everything with a card's size and shape."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    paper = cv2.inRange(hsv, (0, 0, 140), (180, 60, 255))
    found, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    least = CARD_AREA * picture.shape[0] * picture.shape[1]
    boxes = [cv2.minAreaRect(one) for one in found if cv2.contourArea(one) > least]
    return [_corners(box) for box in boxes if _is_card(box)]


def _is_card(box: tuple[Sequence[float], Sequence[float], float]) -> bool:
    return LIKE_A_CARD[0] < min(box[1]) / max(box[1]) < LIKE_A_CARD[1]


def _corners(box: tuple[Sequence[float], Sequence[float], float]) -> NDArray[np.float32]:
    """The corners clockwise from the upper left, for a card that stands upright."""
    points = np.asarray(cv2.boxPoints(box), np.float32)
    sums, differences = points.sum(axis=1), points[:, 1] - points[:, 0]
    order = (sums.argmin(), differences.argmin(), sums.argmax(), differences.argmax())
    return points[[int(place) for place in order]]


def _in_rows(quads: Sequence[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    """The cards row by row from the top, each row from the left."""
    high = sorted(quads, key=lambda quad: float(quad[:, 1].mean()))
    rows = [high[first : first + COLUMNS] for first in range(0, ROWS * COLUMNS, COLUMNS)]
    return [quad for row in rows for quad in sorted(row, key=lambda q: float(q[:, 0].mean()))]


def _straight(picture: Picture, quad: NDArray[np.float32]) -> Texture:
    """One card cut out, straightened and given rounded corners."""
    wide, high = (round(side * MASTER_PX_PER_MM) for side in CARD_MM)
    frame = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    matrix = cv2.getPerspectiveTransform(quad, frame)
    face = cv2.warpPerspective(
        picture, matrix, (wide, high), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.dstack([face, _rounded(wide, high)]), np.uint8)


def _rounded(wide: int, high: int) -> Picture:
    """A mask (H,W): 255 inside a card's outline, inset by a pixel of the photograph."""
    edge, radius = 2, round(CORNER_MM * MASTER_PX_PER_MM)
    mask = np.zeros((high, wide), np.uint8)
    inner = (edge + radius, edge + radius), (wide - edge - radius - 1, high - edge - radius - 1)
    cv2.rectangle(mask, *inner, (255,), -1)
    ellipse = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    return np.asarray(cv2.GaussianBlur(cv2.dilate(mask, ellipse), (3, 3), 0), np.uint8)


@dataclass(frozen=True)
class PhotographedDeck:
    """A deck whose faces are photographs; its backs are drawn."""

    backs: DrawnDeck = field(default_factory=lambda: DrawnDeck(drawn_styles()[0]))
    _kept: dict[tuple[Card, float], Texture] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def size(self) -> tuple[float, float]:
        return CARD_MM

    def face(self, card: Card, px_per_mm: float) -> Texture:
        if card.hidden:
            return self.backs.back(px_per_mm)
        key = (card, px_per_mm)
        if key not in self._kept:
            room = tuple(round(side * px_per_mm) for side in CARD_MM)
            small = cv2.resize(
                photographed()[card], (room[0], room[1]), interpolation=cv2.INTER_AREA
            )
            self._kept[key] = np.asarray(small, np.uint8)
        return self._kept[key]

    def back(self, px_per_mm: float) -> Texture:
        return self.backs.back(px_per_mm)

    def indices(self, card: Card) -> tuple[Index, ...]:
        return ()


# The cloth and the hand.


@dataclass(frozen=True)
class PhotographedCloth:
    """A table top tiled from a photographed piece of felt and its mirror images."""

    def draw(self, size: tuple[int, int], px_per_mm: float) -> Picture:
        top, left, bottom, right = CLOTH[1]
        part = _photo(CLOTH[0])[top:bottom, left:right]
        wide = np.hstack([part, part[:, ::-1]])
        high = np.vstack([wide[:: -1 if strip % 2 else 1] for strip in range(size[1] // 160 + 1)])
        return np.ascontiguousarray(high[: size[1], : size[0]])


@cache
def filmed_hand() -> Sprite:
    """A real hand in its sleeve, fingertip at the upper edge; the rest of the arm is drawn."""
    picture, cover = _cut_hand()
    away = np.array(TIP, np.float64) - ELBOW
    scale = ARM_PX_PER_MM / HAND_PX_PER_MM
    angle = degrees(atan2(away[1], away[0])) + 90
    turned = np.asarray(cv2.getRotationMatrix2D(TIP, angle, scale), np.float64)
    wide, high = (round(side * ARM_PX_PER_MM) for side in ARM_MM)
    turned[:, 2] += np.array([wide / 2, 3.0]) - TIP
    room = (wide, high)
    hand = cv2.warpAffine(picture, turned, room, flags=cv2.INTER_AREA)
    mask = cv2.GaussianBlur(cv2.warpAffine(cover, turned, room), (3, 3), 0)
    elbow = turned @ np.array([*ELBOW, 1.0])
    arm = _drawn_arm(room, (float(elbow[0]), float(elbow[1])), picture)
    share = mask[..., None].astype(np.float32) / 255
    colours = hand * share + arm[..., :3] * (1 - share)
    alpha = np.maximum(mask, arm[..., 3])
    return Sprite(
        np.asarray(np.dstack([colours, alpha]), np.uint8), ARM_MM, Pose(0.0, 0.0), gloss=0.15
    )


def _cut_hand() -> tuple[Picture, Picture]:
    """The frame of the film, and a mask of hand and sleeve, 0 or 255."""
    there = folder(FILMS)
    capture = cv2.VideoCapture(str(there / HAND)) if there else cv2.VideoCapture()
    for _ in range(HAND_AT + 1):
        assert capture.grab(), wanted()
    picture = np.asarray(capture.retrieve()[1], np.uint8)
    capture.release()
    skin = cv2.inRange(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb), *SKIN)
    skin = cv2.morphologyEx(skin, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(skin)
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    hand = np.asarray(labels == largest, np.uint8) * 255
    whole = np.asarray(cv2.morphologyEx(hand, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8)))
    cv2.fillPoly(whole, [np.array(SLEEVE, np.int32)], (255,))
    return picture, np.asarray(whole, np.uint8)


def _drawn_arm(room: tuple[int, int], elbow: tuple[float, float], film: Picture) -> Texture:
    """The sleeve from the elbow to the picture's lower edge, in the film's colours."""
    arm = np.zeros((room[1], room[0], 4), np.uint8)
    half, x, y = SLEEVE_MM * ARM_PX_PER_MM, elbow[0], elbow[1] - 60
    corners = [(x - half, y), (x + half, y), (room[0] / 2 + half, room[1]),
               (room[0] / 2 - half, room[1])]  # fmt: skip
    dark, light = (film[y, x].tolist() for y, x in ((10, 40), (60, 55)))
    cv2.fillPoly(arm, [np.round(corners).astype(np.int32)], (*dark, 255), cv2.LINE_AA)
    for top in range(int(y) + 40, room[1], 90):
        stripe = arm[top : top + 30]
        stripe[stripe[..., 3] > 0, :3] = light
    return arm
