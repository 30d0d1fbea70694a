"""Our own artwork: the court figures, the joker and the backs, drawn into a given box.

They resemble the real ones as a camera sees them (a framed, two-headed figure full of small red,
yellow, blue and black shapes; a dense two-colour pattern), which a reader must distinguish from an
index.
"""

from __future__ import annotations

from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import Rank, Suit
from vision.scene.glyphs import suit_outline

Picture = NDArray[np.uint8]
"""(H,W,3); blue, green, red."""
Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""

RED: Colour = (44, 36, 200)
BLACK: Colour = (28, 26, 26)
BLUE: Colour = (150, 70, 30)
YELLOW: Colour = (60, 200, 240)
SKIN: Colour = (190, 215, 245)
WHITE: Colour = (255, 255, 255)


class BackPattern(StrEnum):
    """What is printed on a card's back."""

    LATTICE = "lattice"
    """Crossed diagonal lines."""
    DIAMONDS = "diamonds"
    """A net of filled diamonds."""
    CIRCLES = "circles"
    """Rows of rings."""
    WAVES = "waves"
    """Horizontal waves."""
    PLAIN = "plain"
    """One colour with a medallion."""


def draw_polygon(picture: Picture, points: NDArray[np.float64], colour: Colour) -> None:
    """Fill a polygon given in pixels, with smooth edges."""
    cv2.fillPoly(picture, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def draw_suit(
    picture: Picture,
    suit: Suit,
    centre: tuple[float, float],
    height: float,
    colour: Colour,
    *,
    upside_down: bool = False,
) -> None:
    """Draw a suit sign `height` pixels high around `centre`."""
    for outline in suit_outline(suit):
        points = (outline - 0.5) * height * (-1 if upside_down else 1)
        draw_polygon(picture, points + np.array(centre), colour)


def draw_court(rank: Rank, suit: Suit, size: tuple[int, int], ink: Colour, seed: int) -> Picture:
    """A framed two-headed figure of (width, height) pixels for a jack, queen or king."""
    width, height = size
    rng = np.random.default_rng([seed, list(Rank).index(rank), list(Suit).index(suit)])
    half = np.full((height // 2, width, 3), WHITE, np.uint8)
    palette = [RED, YELLOW, BLUE, BLACK] if seed % 3 else [ink, YELLOW, WHITE, BLACK]
    _robe(half, palette, rng)
    _head(half, rank, ink, rng)
    draw_suit(half, suit, (width * 0.17, width * 0.2), width * 0.24, ink)
    figure = np.vstack([half, half[::-1, ::-1]])
    thick = max(width // 70, 1)
    cv2.rectangle(figure, (0, 0), (width - 1, len(figure) - 1), BLUE if seed % 2 else ink, thick)
    return np.asarray(cv2.resize(figure, size), np.uint8)


def _robe(half: Picture, palette: list[Colour], rng: np.random.Generator) -> None:
    """Shoulders that widen towards the middle of the card, with stripes, trim and ornaments."""
    height, width = half.shape[:2]
    top = height * 0.5
    body = np.array(
        [(0.28, top / height), (0.72, top / height), (1.0, 0.8), (1, 1), (0, 1), (0, 0.8)]
    )
    draw_polygon(half, body * (width, height), palette[int(rng.integers(2))])
    stripes = int(rng.integers(3, 7))
    for index in range(stripes):
        x = width * (index + 0.5) / stripes
        lean = width * 0.12 * (index - stripes / 2) / stripes
        line = np.array([(x - lean, top + 4), (x + lean, height)])
        colour = palette[int(rng.integers(len(palette)))]
        cv2.polylines(
            half, [line.astype(np.int32)], False, colour, max(width // 22, 2), cv2.LINE_AA
        )
        for step in np.linspace(0.1, 0.95, 6):
            spot = line[0] + (line[1] - line[0]) * step
            cv2.circle(
                half,
                (int(spot[0]), int(spot[1])),
                max(width // 36, 1),
                palette[int(rng.integers(len(palette)))],
                -1,
                cv2.LINE_AA,
            )
    # A sceptre or sword beside the figure: long and slanted, as on a real court card.
    end = (int(width * rng.uniform(0.86, 0.95)), int(height * 0.08))
    cv2.line(half, (int(width * 0.7), height - 1), end, BLACK, max(width // 28, 2), cv2.LINE_AA)
    cv2.line(half, (int(width * 0.7), height - 1), end, YELLOW, max(width // 60, 1), cv2.LINE_AA)


def _head(half: Picture, rank: Rank, ink: Colour, rng: np.random.Generator) -> None:
    height, width = half.shape[:2]
    x, y, radius = width * 0.5, height * 0.38, width * 0.15
    hair = np.array([(-1.5, -0.6), (1.5, -0.6), (1.4, 1.3), (0.7, 0.9), (-0.7, 0.9), (-1.4, 1.3)])
    draw_polygon(half, hair * radius + (x, y), YELLOW if rng.random() < 0.6 else BLACK)
    cv2.ellipse(
        half,
        (int(x), int(y)),
        (int(radius * 0.95), int(radius * 1.25)),
        0,
        0,
        360,
        SKIN,
        -1,
        cv2.LINE_AA,
    )
    thin = max(width // 90, 1)
    cv2.ellipse(
        half,
        (int(x), int(y)),
        (int(radius * 0.95), int(radius * 1.25)),
        0,
        0,
        360,
        BLACK,
        thin,
        cv2.LINE_AA,
    )
    for side in (-1, 1):
        cv2.circle(
            half, (int(x + side * radius * 0.38), int(y - radius * 0.1)), thin + 1, BLACK, -1
        )
    cv2.line(
        half,
        (int(x - radius * 0.3), int(y + radius * 0.6)),
        (int(x + radius * 0.3), int(y + radius * 0.6)),
        RED,
        thin + 1,
    )
    draw_polygon(half, _HATS[rank] * radius + (x, y), YELLOW if rank is Rank.KING else ink)
    cv2.polylines(
        half,
        [np.round(_HATS[rank] * radius + (x, y)).astype(np.int32)],
        True,
        BLACK,
        thin,
        cv2.LINE_AA,
    )


_HATS = {
    Rank.KING: np.array([(-1.2, -0.8), (-1.5, -2.2), (-0.7, -1.5), (0, -2.5), (0.7, -1.5),
                         (1.5, -2.2), (1.2, -0.8)]),
    Rank.QUEEN: np.array([(-1.1, -0.8), (-1.2, -1.5), (-0.5, -1.3), (0, -1.9), (0.5, -1.3),
                          (1.2, -1.5), (1.1, -0.8)]),
    Rank.JACK: np.array([(-1.3, -0.8), (-1.2, -1.5), (0.9, -1.7), (1.8, -1.2), (1.2, -0.8)]),
}  # fmt: skip
"""Crown, coronet and cap, in head radii around the head's centre."""


def draw_jester(size: tuple[int, int], ink: Colour, seed: int) -> Picture:
    """A joker's figure of (width, height) pixels: a head in a jester's cap over a burst of rays."""
    width, height = size
    picture = np.full((height, width, 3), WHITE, np.uint8)
    x, y = width / 2, height * 0.52
    for index in range(12 + seed % 7):
        angle = index * 2 * np.pi / (12 + seed % 7)
        ray = np.array([(np.cos(angle + side), np.sin(angle + side)) for side in (-0.09, 0.09)])
        burst = np.vstack([ray * width * 0.47, ray[::-1] * width * 0.27]) + np.array([x, y])
        draw_polygon(picture, burst, (YELLOW, ink, BLUE)[index % 3])
    radius = width * 0.15
    for side in (-1.0, 0.0, 1.0):
        horn = np.array(
            [(side - 0.5, -0.6), (side + 0.5, -0.6), (side * 2.2, -2.2 + abs(side) * 0.6)]
        )
        draw_polygon(picture, horn * radius + (x, y), RED if side else BLUE)
        tip = horn[2] * radius + (x, y)
        cv2.circle(picture, (int(tip[0]), int(tip[1])), int(radius * 0.22), YELLOW, -1, cv2.LINE_AA)
    cv2.circle(picture, (int(x), int(y)), int(radius), SKIN, -1, cv2.LINE_AA)
    cv2.circle(picture, (int(x), int(y)), int(radius), BLACK, max(width // 80, 1), cv2.LINE_AA)
    for side in (-1, 1):
        cv2.circle(
            picture,
            (int(x + side * radius * 0.35), int(y - radius * 0.2)),
            max(width // 60, 1),
            BLACK,
            -1,
        )
    cv2.ellipse(
        picture,
        (int(x), int(y + radius * 0.2)),
        (int(radius * 0.5), int(radius * 0.4)),
        0,
        10,
        170,
        RED,
        max(width // 60, 1),
        cv2.LINE_AA,
    )
    return picture


def draw_back(pattern: BackPattern, size: tuple[int, int], ink: Colour, border: int) -> Picture:
    """A back of (width, height) pixels with a white border of `border` pixels, 0 for none."""
    width, height = size
    inner = np.full((height - 2 * border, width - 2 * border, 3), WHITE, np.uint8)
    _PATTERNS[pattern](inner, ink, max(width // 16, 4))
    thick = max(width // 60, 1)
    cv2.rectangle(inner, (0, 0), (inner.shape[1] - 1, inner.shape[0] - 1), ink, thick * 2)
    picture = np.full((height, width, 3), WHITE, np.uint8)
    picture[border : height - border, border : width - border] = inner
    return picture


def _lattice(picture: Picture, ink: Colour, step: int) -> None:
    height, width = picture.shape[:2]
    for start in range(-height, width + height, step):
        for end in (start + height, start - height):
            cv2.line(picture, (start, 0), (end, height), ink, max(step // 3, 1), cv2.LINE_AA)


def _net(picture: Picture, ink: Colour, step: int) -> None:
    height, width = picture.shape[:2]
    shape = np.array([(0, -0.5), (0.32, 0), (0, 0.5), (-0.32, 0)]) * step * 1.5
    for row, y in enumerate(np.arange(0, height + step, step * 0.75)):
        for x in np.arange((row % 2) * step / 2, width + step, step):
            draw_polygon(picture, shape + np.array([x, y]), ink)


def _rings(picture: Picture, ink: Colour, step: int) -> None:
    picture[:] = ink
    height, width = picture.shape[:2]
    for y in range(0, height + step, step):
        for x in range(0, width + step, step):
            cv2.circle(picture, (x, y), int(step * 0.62), WHITE, max(step // 6, 1), cv2.LINE_AA)
            cv2.circle(picture, (x, y), max(step // 6, 1), WHITE, -1, cv2.LINE_AA)


def _waves(picture: Picture, ink: Colour, step: int) -> None:
    height, width = picture.shape[:2]
    x = np.arange(width)
    for y in range(-step, height + step, step):
        wave = np.stack([x, y + np.sin(x * 2 * np.pi / (step * 3)) * step * 0.5], axis=1)
        cv2.polylines(picture, [wave.astype(np.int32)], False, ink, max(step // 2, 1), cv2.LINE_AA)


def _medallion(picture: Picture, ink: Colour, step: int) -> None:
    picture[:] = ink
    height, width = picture.shape[:2]
    for radius in (4.5, 3.5, 1.5):
        cv2.circle(
            picture,
            (width // 2, height // 2),
            int(step * radius),
            WHITE,
            max(step // 5, 1),
            cv2.LINE_AA,
        )
    margin = step
    cv2.rectangle(
        picture,
        (margin, margin),
        (width - margin, height - margin),
        WHITE,
        max(step // 6, 1),
        cv2.LINE_AA,
    )


_PATTERNS = {
    BackPattern.LATTICE: _lattice,
    BackPattern.DIAMONDS: _net,
    BackPattern.CIRCLES: _rings,
    BackPattern.WAVES: _waves,
    BackPattern.PLAIN: _medallion,
}
