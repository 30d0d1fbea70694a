"""What a chip looks like from above: colours on rings around its middle, whatever way it is turned.

Colours are those under white light: a picture's are divided by the light's, which cards in sight
or the chips themselves reveal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, polar
from vision.picture.geometry import Floats, Frame, Outline

RINGS = np.array([0.07, 0.2, 0.33, 0.45, 0.56, 0.67, 0.77, 0.85, 0.92], np.float32)
"""Where colours are looked at, in radii. A choice: even areas would leave out the middle, and the
rim itself is blurred."""
AREAS = (RINGS + 0.15) / (RINGS + 0.15).sum()
"""How much each ring counts. A choice: nearly its area, without forgetting the middle."""
AROUND_IT = np.array([1.15, 1.25], np.float32)
"""Rings around a round thing, in radii. A choice: outside its shadow's core."""
DIFFERENT = 6.0
"""The difference of colours from which something is set off, in units of CIELAB, lightness halved.
A choice; `python -m tests.chips` judges it."""
MOTTLED = 2.2
"""By how much that exceeds the usual difference among the surroundings themselves: a carpet is of
many colours. A choice; the photographs without chips judge it."""
PAPER = 235.0
"""The level of white paper under the light that prints are kept for. A choice: a little below the
brightest that a picture holds."""
SHADE = 0.5
"""How much a difference in lightness counts against one in colour: light falls unevenly. A choice;
`python -m tests.chips` judges it."""
ALIKE = 15.0
"""The difference of colours, in units of CIELAB, at which a cell agrees by 37 %. A choice;
`python -m tests.chips` judges it."""
MIXED = 0.35
"""How far towards the colours beside it a cell's colour may be mixed. Measured by `python -m
tests.real_chips --sets split suited`: of 35 chips, slanted, blurred and noisy, 34 agree by 0.68 and
more, and of 290 arcs on cards none by more than 0.63; without it, 0.40 and 0.47."""
BRIGHTER = (0.6, 1.6)
"""How much darker or brighter the light at one chip may be than elsewhere. A choice;
`python -m tests.chips` judges it."""
CARD_WITHIN = 0.9
"""The inner share of a card on which paper is looked for. A choice: its edge is blurred."""
CARD_AT = (0.05, 0.95)
"""Between which shares of that it is sampled. A choice, as above."""


def sampled(picture: Frame, centres: Floats, radii: Floats) -> Floats:
    """The colours of round things, (N, rings, ANGLES, 3), as the picture has them."""
    x, y = polar(centres, radii, RINGS)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.reshape(len(radii), len(RINGS), ANGLES, 3).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """Round things and what they lie on: the colours of each, (N, rings, ANGLES, 3) as `lab` gives
    them, the usual colour around it, `grounds` (N, 3), and how far the colours around usually are
    from that, `usual` (N,)."""

    cells: Floats
    grounds: Floats
    usual: Floats

    @classmethod
    def of(cls, picture: Frame, centres: Floats, radii: Floats) -> Self:
        """Of round things in a picture (h, w, 3)."""
        x, y = polar(centres, radii, np.concatenate([RINGS, AROUND_IT]))
        seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        colours = lab(seen.reshape(len(radii), -1, ANGLES, 3).astype(np.float32))
        rings = len(RINGS)
        grounds = np.median(colours[:, rings:], axis=(1, 2))
        away = np.linalg.norm(colours[:, rings:] - grounds[:, None, None], axis=-1)
        usual = np.asarray(np.median(away, axis=(1, 2)), np.float32)
        return cls(colours[:, :rings], np.asarray(grounds, np.float32), usual)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Of all of several."""
        names = ("cells", "grounds", "usual")
        return cls(*(np.concatenate([getattr(one, name) for one in parts]) for name in names))

    def set_off(self) -> Floats:
        """The share (N,) of each thing whose colours are not those around it."""
        numbers = np.arange(len(self.cells))
        return self.unlike(numbers, numbers, np.ones(self.cells.shape[:3], np.float32))

    def unlike(self, which: NDArray[np.intp], ground: NDArray[np.intp], visible: Floats) -> Floats:
        """The share (n,) of the `visible` cells (n, rings, ANGLES) of the things `which` whose
        colours are not those that lie around the things `ground`, one for each."""
        away = np.linalg.norm(self.cells[which] - self.grounds[ground][:, None, None], axis=-1)
        least = np.maximum(DIFFERENT, MOTTLED * self.usual[ground])[:, None, None]
        weights = visible * AREAS[:, None]
        share = ((away > least) * weights).sum(axis=(1, 2)) / np.maximum(
            weights.sum(axis=(1, 2)), 1e-3
        )
        return np.asarray(share, np.float32)


def set_off(picture: Frame, centres: Floats, radii: Floats) -> Floats:
    """The share (N,) of each round thing whose colours are not those around it."""
    return Surroundings.of(picture, centres, radii).set_off()


def paper(picture: Frame, outlines: Iterable[Outline]) -> Floats | None:
    """The colour (3,) of white paper under a picture's light, by the cards in it."""
    shades = []
    for outline in outlines:
        corners = np.asarray(outline, np.float32)
        inner = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * np.float32(CARD_WITHIN)
        u, v = np.meshgrid(np.linspace(*CARD_AT, 17), np.linspace(*CARD_AT, 23))
        top = inner[0] + u[..., None] * (inner[1] - inner[0])
        places = top + v[..., None] * (inner[3] - inner[0])
        x, y = np.rint(places.reshape(-1, 2)).astype(np.intp).T
        high, wide = picture.shape[:2]
        seen = picture[np.clip(y, 0, high - 1), np.clip(x, 0, wide - 1)].astype(np.float32)
        level = seen.min(axis=1)
        bright = seen[level >= np.percentile(level, 60)]
        shades.append(np.median(bright, axis=0))
    if not shades:
        return None
    return np.asarray(np.maximum(np.median(shades, axis=0), 24), np.float32)


def lab(colours: Floats) -> Floats:
    """Colours (…, 3) of 0 to 255 as CIELAB, lightness weighed by `SHADE`."""
    flat = np.clip(colours.reshape(1, -1, 3) / 255, 0, 1).astype(np.float32)
    seen = cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).reshape(colours.shape)
    return np.asarray(seen * np.array([SHADE, 1, 1], np.float32), np.float32)


def logs(colours: Floats) -> Floats:
    """The mean colour of each ring, (…, rings, 3), so that a change of light is a shift."""
    return np.asarray(np.log2(colours.mean(axis=-2) + 10), np.float32)


def best_turns(seen: Floats, prints: Floats, visible: Floats) -> NDArray[np.intp]:
    """The way (N, K) in which each of the `prints` (K, rings, ANGLES, 3), turned by so many
    directions, fits best.

    `seen` (N, rings, ANGLES, 3) and `prints` are as `lab` gives them; of what is seen only the
    `visible` cells (N, rings, ANGLES) count.
    """
    weights = visible * AREAS[:, None]
    squares = _correlated(weights[..., None], (prints**2).sum(axis=-1, keepdims=True))
    crossed = _correlated(seen * weights[..., None], prints)
    return np.asarray((squares - 2 * crossed).argmin(axis=2), np.intp)


def _correlated(some: Floats, others: Floats) -> Floats:
    """The sums (N, K, ANGLES) of products of fields (N, rings, ANGLES, C) with others (K, rings,
    ANGLES, C) that are turned by each number of directions."""
    left, right = (
        np.fft.rfft(one, axis=2).transpose(2, 0, 1, 3).reshape(ANGLES // 2 + 1, len(one), -1)
        for one in (some, others)
    )
    products = np.conj(left) @ right.transpose(0, 2, 1)
    return np.asarray(np.fft.irfft(products, ANGLES, axis=0).transpose(1, 2, 0), np.float32)


def leeway(prints: Floats) -> tuple[Floats, Floats]:
    """The lowest and the highest colour, (K, rings, ANGLES, 3) as `lab` gives them, that still
    agree with each cell of prints (K, rings, ANGLES, 3): part of the way to its neighbours', as
    blur and a middle that is a little off mix them."""
    colours = lab(prints)
    padded = np.concatenate([colours[:, :1], colours, colours[:, -1:]], axis=1)
    rings = prints.shape[1]
    beside = [
        np.roll(padded[:, step : step + rings], turn, axis=2)
        for step in (0, 1, 2)
        for turn in (-1, 0, 1)
    ]
    low, high = np.min(beside, axis=0), np.max(beside, axis=0)
    return colours + MIXED * (low - colours), colours + MIXED * (high - colours)


def gains(seen: Floats, prints: Floats, visible: Floats) -> Floats:
    """How much brighter than what is `seen` the `prints` are, (…), both colours (…, rings, ANGLES,
    3) under white light of which only the `visible` cells (…, rings, ANGLES) count: the light at
    each place is left open."""
    weights = (visible * AREAS[:, None])[..., None]
    crossed = (seen * prints * weights).sum(axis=(-3, -2, -1))
    gain = crossed / np.maximum((seen * seen * weights).sum(axis=(-3, -2, -1)), 1e-3)
    return np.asarray(np.clip(gain, *BRIGHTER), np.float32)


def agreeing(seen: Floats, low: Floats, high: Floats) -> Floats:
    """How well each cell agrees with a print that has a `leeway`, (…, rings, ANGLES) of 0 to 1;
    all three as `lab` gives them."""
    away = np.maximum(np.maximum(low - seen, seen - high), 0)
    return np.asarray(np.exp(-(away**2).sum(axis=-1) / ALIKE**2), np.float32)
