"""A chip's appearance from above: colours on rings around its centre, in any rotation.

Colours are those under white light: a picture's are divided by the light's colour, known from the
cards in sight or from the chips themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, polar
from vision.picture.geometry import Floats, Frame, Outline, lengths

RINGS = np.array([0.07, 0.2, 0.33, 0.45, 0.56, 0.67, 0.77, 0.85, 0.92], np.float32)
"""Rings on which colours are sampled, in radii. A choice: rings of equal area would leave out the
middle, and the rim itself is blurred."""
AREAS = (RINGS + 0.15) / (RINGS + 0.15).sum()
"""Weight of each ring. A choice: nearly its area, without neglecting the middle."""
AROUND_IT = np.array([1.15, 1.25], np.float32)
"""Rings around a round thing, in radii. A choice: outside the core of its shadow."""
DIFFERENT = 6.0
"""Minimum difference of colours at which something differs from its surroundings, in units of
CIELAB, lightness halved. A choice; `python -m tests.chips` judges it."""
MOTTLED = 2.2
"""Minimum ratio of that difference to the usual one within the surroundings: a carpet has many
colours. A choice; the photographs without chips judge it."""
DARKEST = 10.0
"""Level added before logarithms are taken, so that noise on black counts little. A choice."""
PAPER = 235.0
"""Level of white paper under the light for which prints are stored. A choice: a little below the
brightest that a picture holds."""
DARKER = (0.6, 0.95)
"""Range of L* + 16 in a shadow, relative to that in the light. A choice: around a chip light
differs as far as the upper one; of 395 places beside drawn stacks that agreed with a dark chip most
had 0.7 to 0.9, and a black chip has 0.5 on dark grey cloth."""
SHADE = 0.5
"""Weight of differences in lightness relative to those in colour: light falls unevenly. A choice;
`python -m tests.chips` judges it."""
ALIKE = 15.0
"""Difference of colours at which a cell agrees by 37 %, in units of CIELAB. A choice; `python -m
tests.chips` judges it."""
MIXED = 0.35
"""How far a cell's colour may be mixed with its neighbours', as a share of the difference. Measured
by `python -m tests.real_chips --sets split suited`: of 35 slanted, blurred and noisy chips 34 agree
by 0.68 and more, and of 290 arcs on cards none by more than 0.63; without it, the figures are 0.40
and 0.47."""
BRIGHTER = (0.6, 1.6)
"""Range of the light's brightness at one chip, relative to elsewhere. A choice; `python -m
tests.chips` judges it."""
CARD_WITHIN = 0.9
"""Inner share of a card in which paper is sampled. A choice: the card's edge is blurred."""
CARD_AT = (0.05, 0.95)
"""Range of that inner part in which it is sampled, as shares of its sides. A choice, as above."""


def sampled(picture: Frame, centres: Floats, radii: Floats) -> Floats:
    """The colours of round things in the picture, (N, rings, ANGLES, 3)."""
    x, y = polar(centres, radii, RINGS)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.reshape(len(radii), len(RINGS), ANGLES, 3).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """Round things and what is around them, in colours as `lab` returns them.

    `cells` (N, rings, ANGLES, 3) are the things' own colours, `grounds` (N, 3) the usual colour
    around each, and `usual` (N,) how far the colours around it usually are from that.
    """

    cells: Floats
    grounds: Floats
    usual: Floats

    @classmethod
    def of(cls, picture: Frame, centres: Floats, radii: Floats) -> Self:
        """Sample the surroundings of round things in a picture (h, w, 3)."""
        x, y = polar(centres, radii, np.concatenate([RINGS, AROUND_IT]))
        seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        colours = lab(seen.reshape(len(radii), -1, ANGLES, 3).astype(np.float32))
        rings = len(RINGS)
        grounds = np.median(colours[:, rings:], axis=(1, 2))
        away = lengths(colours[:, rings:] - grounds[:, None, None])
        usual = np.asarray(np.median(away, axis=(1, 2)), np.float32)
        return cls(colours[:, :rings], np.asarray(grounds, np.float32), usual)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Concatenate several."""
        names = ("cells", "grounds", "usual")
        return cls(*(np.concatenate([getattr(one, name) for one in parts]) for name in names))

    def set_off(self) -> Floats:
        """The share (N,) of each thing whose colours differ from those around it."""
        numbers = np.arange(len(self.cells))
        return self.unlike(numbers, numbers, np.ones(self.cells.shape[:3], np.float32))

    def unlike(self, which: NDArray[np.intp], ground: NDArray[np.intp], visible: Floats) -> Floats:
        """The share (n,) of each thing's visible cells that differ from the colours around another.

        `visible` (n, rings, ANGLES) are the cells of the things `which`; `ground` gives the other
        thing for each of them.
        """
        away = lengths(self.cells[which] - self.grounds[ground][:, None, None])
        least = np.maximum(DIFFERENT, MOTTLED * self.usual[ground])[:, None, None]
        weights = visible * AREAS[:, None]
        share = ((away > least) * weights).sum(axis=(1, 2)) / np.maximum(
            weights.sum(axis=(1, 2)), 1e-3
        )
        return np.asarray(share, np.float32)

    def in_shade(self, which: NDArray[np.intp], visible: Floats) -> Floats:
        """The share (n,) of each thing's `visible` cells (n, rings, ANGLES) that may be what is
        around it, in a shadow."""
        away, darker = shaded(self.cells[which], self.grounds[which][:, None, None], SHADE)
        dark = (away <= DIFFERENT) & (darker >= DARKER[0]) & (darker <= DARKER[1])
        weights = visible * AREAS[:, None]
        total = np.maximum(weights.sum(axis=(1, 2)), 1e-3)
        return np.asarray((dark * weights).sum(axis=(1, 2)) / total, np.float32)


def shaded(colours: Floats, ground: Floats, shade: float = 1.0) -> tuple[Floats, Floats]:
    """How far colours (…, 3) are from a ground's (…, 3) in other light, and how much darker it is.

    With less light of the same colour, L* + 16, a* and b* shrink by one factor (CIE 15: all are
    proportional to cube roots). Colours are CIELAB, their lightness weighted by `shade`; the second
    result is L* + 16 relative to the ground's.
    """
    darker = (colours[..., 0] / shade + 16) / (ground[..., 0] / shade + 16)
    away = lengths(np.asarray(colours[..., 1:] - darker[..., None] * ground[..., 1:], np.float32))
    return away, np.asarray(darker, np.float32)


def set_off(picture: Frame, centres: Floats, radii: Floats) -> Floats:
    """The share (N,) of each round thing whose colours differ from those around it."""
    return Surroundings.of(picture, centres, radii).set_off()


def paper(picture: Frame, outlines: Iterable[Outline]) -> Floats | None:
    """The colour (3,) of white paper under a picture's light, from the cards in it."""
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
    """Convert colours (…, 3) from 0 to 255 to CIELAB, with lightness weighted by `SHADE`."""
    flat = np.clip(colours.reshape(1, -1, 3) / 255, 0, 1).astype(np.float32)
    seen = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).reshape(colours.shape), np.float32)
    seen[..., 0] *= SHADE
    return seen


def logs(colours: Floats) -> Floats:
    """The logarithm of each ring's mean colour, (…, rings, 3), so that a change of light is a
    shift."""
    return np.asarray(np.log2(colours.mean(axis=-2) + DARKEST), np.float32)


def best_turns(seen: Floats, prints: Floats, visible: Floats) -> NDArray[np.intp]:
    """The rotation (N, K), in directions, at which each of the `prints` fits best.

    `seen` (N, rings, ANGLES, 3) and `prints` (K, rings, ANGLES, 3) are as `lab` returns them; only
    the `visible` cells (N, rings, ANGLES) count.
    """
    weights = visible * AREAS[:, None]
    squares = _correlated(weights[..., None], (prints**2).sum(axis=-1, keepdims=True))
    crossed = _correlated(seen * weights[..., None], prints)
    return np.asarray((squares - 2 * crossed).argmin(axis=2), np.intp)


def _correlated(some: Floats, others: Floats) -> Floats:
    """Correlate fields (N, rings, ANGLES, C) with others (K, rings, ANGLES, C) at each rotation.

    Returns the sums of products (N, K, ANGLES).
    """
    left, right = (
        np.fft.rfft(one, axis=2).transpose(2, 0, 1, 3).reshape(ANGLES // 2 + 1, len(one), -1)
        for one in (some, others)
    )
    products = np.conj(left) @ right.transpose(0, 2, 1)
    return np.asarray(np.fft.irfft(products, ANGLES, axis=0).transpose(1, 2, 0), np.float32)


def leeway(prints: Floats) -> tuple[Floats, Floats]:
    """The lowest and the highest colour that still agree with each cell of prints (K, rings,
    ANGLES, 3).

    Both are (K, rings, ANGLES, 3) as `lab` returns them: part of the way to the neighbours'
    colours, as blur and a slightly misplaced centre mix them.
    """
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
    """How much brighter the `prints` are than what is `seen`, (…).

    Both are colours (…, rings, ANGLES, 3) under white light, in which only the `visible` cells (…,
    rings, ANGLES) count: the light may differ from place to place.
    """
    weighted = seen * (visible * AREAS[:, None])[..., None]
    crossed = np.einsum("...rac,...rac->...", weighted, prints)
    squares = np.einsum("...rac,...rac->...", weighted, seen)
    gain = crossed / np.maximum(squares, 1e-3)
    return np.asarray(np.clip(gain, *BRIGHTER), np.float32)


def agreeing(seen: Floats, low: Floats, high: Floats) -> Floats:
    """How well each cell agrees with a print that has a `leeway`, (…, rings, ANGLES) from 0 to 1.

    All three are as `lab` returns them.
    """
    # In place: these are the largest arrays of a comparison, and making more of them costs most.
    away, above = low - seen, seen - high
    np.maximum(np.maximum(away, above, out=away), 0, out=away)
    np.square(away, out=away)
    squares = away[..., 0] + away[..., 1] + away[..., 2]
    return np.asarray(np.exp(squares / np.float32(-(ALIKE**2))), np.float32)


def varying_alike(seen: Floats, prints: Floats, visible: Floats) -> Floats:
    """How well things vary around their middles as prints do: the correlation (N,) of their
    colours, without the usual one of each ring.

    `seen` and `prints` (N, rings, ANGLES, 3) are as `lab` returns them; only the `visible` cells
    (N, rings, ANGLES) count. Whatever has one colour around another, like a coin on paper, varies
    as no print with stripes or a numeral does.
    """
    shown = visible[..., None]
    total = np.maximum(shown.sum(axis=2, keepdims=True), 1e-3)
    one, other = (
        some - (some * shown).sum(axis=2, keepdims=True) / total for some in (seen, prints)
    )
    weights = shown * AREAS[:, None, None]
    crossed, *squares = (
        (left * right * weights).sum(axis=(1, 2, 3))
        for left, right in ((one, other), (one, one), (other, other))
    )
    return np.asarray(crossed / np.sqrt(np.maximum(squares[0] * squares[1], 1e-3)), np.float32)
