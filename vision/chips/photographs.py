"""The numbers of chips in the stacks of a photograph, judged together.

Nobody has measured how the camera was held, but whatever it was, it was the same for all stacks:
their sides lean as the camera's slant and lens make them, their shadows are as long as the light
makes them for each chip, and where most things are single chips another one is likely to be. So all
of that is supposed in many ways, and each way counts as much as it agrees with all that is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.chips.chances import (
    FIRM,
    LOOSE,
    MOST,
    NUMBERS,
    RARER,
    Chances,
)
from vision.picture.geometry import Floats

SLANTS = np.linspace(-2.7, 2.7, 13) * 1.4
"""Slants supposed in each direction, in errors that the estimate has for itself. A choice: on
120 drawn photographs of five sets the errors were 0.5 times as large across and 1.2 times along,
and up to 4.4 times."""
SLANT_TAILS = 4.0
"""Degrees of freedom of the Student distribution of these. A choice: as on the same photographs."""
LENSES, LENS = np.linspace(-0.45, 0.45, 9), 0.15
"""Logarithms of how much farther stacks lean than a usual lens and a chip's thickness make them,
and their standard deviation. A choice: telephones and webcams differ by a tenth, a picture that was
cut or zoomed by more."""
LIGHTS = np.geomspace(0.05, 1.5, 10)
"""How far shadows reach, in heights of what throws them. A choice: from diffuse light to a lamp 34
degrees above the table."""
SINGLES = ((0.25, 0.1), (0.6, 0.03), (0.9, 0.02), (0.9995, 0.85))
"""Shares of the chips in a photograph that lie singly, and how likely each is. A choice: people lay
chips side by side or build stacks, and most photographs show chips that lie flat."""
TALL = 10.0
"""Number of chips by which stacks become rarer by a factor of e, besides the power `RARER`. A
choice: what people lay by hand."""
LEAN_PX, LEAN, LEAN_TAILS = 0.3, 0.06, 6.0
"""Standard deviation of a measured lean, in pixels and as a share of itself, and the degrees of
freedom of its Student distribution. A choice: how likely they make the true numbers of 262 stacks
and 244 chips apart in drawn photographs of the development sets."""
ACROSS = 0.05
"""How much more the share is across. A choice, likewise."""
UNEVEN = 0.015
"""Standard deviation of the offset between stacked chips, in radii. A choice: 0.3 mm of 19.5."""
TURNED = 0.05
"""Probability that a foot was taken for the top. A choice, likewise: the outline is the same."""
HIDDEN, ALIKE, CAMOUFLAGED = 0.03, 0.3, 0.4
"""Probability of any longer side relative to the likeliest, as a side may have the colour of the
table in shadow; the same where the rim of the face has that colour; and the share of the rim from
which it counts as such. A choice, likewise: of 260 stacks, eight end at their tops for the eye,
too."""
SUNK_PX, SUNK, SUNK_MOST = 0.6, 0.1, 0.8
"""How far an outline ends short of the foot: in pixels, plus a share of a chip's visible thickness,
and the most of that which is lost. A choice, likewise: drawings measured by `python -m
tests.chip_leans` lose as much where a chip appears a pixel thick and more, as in photographs."""
AMISS = 0.02
"""Probability that a lean is anything up to a radius. A choice."""
SHADOW_PX, SHADOW = 1.5, 0.3
"""Standard deviation of a shadow's reach, in pixels and as a share of it. A choice: on the same
photographs, half of 355 chips were within two fifths."""
SHADOW_MOST = 4.5
"""Maximum reach of a shadow that is measured, in thicknesses of a chip. Follows from how far out
outlines are searched for first."""
CUT, LONGER = 0.3, 0.05
"""Probability that a shadow is shorter, because something hides it, and that something else
prolongs it. A choice: there, a tenth of shadows is less than a third as long."""


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """What a photograph shows of one stack, in pixels.

    `place` (2,) is its top, counted from the pixel below the camera; it appears `lean` (2,) from
    its foot, with an error of `unsure`, and its shadow reaches `shadow` beyond its outline. The
    share `firm` of its edges is on the outline, and the share `alike` of its rim has the colour
    that the table has in some light.
    """

    place: Floats
    lean: Floats
    unsure: float
    radius: float
    shadow: float
    firm: float
    alike: float


def likely_numbers(
    seen: Sequence[Signs], *, focal_px: float, slant: float, thickness: float, doubt: float = 0.0
) -> list[Chances]:
    """The probability (MOST,) of each number of chips in the stacks of one photograph.

    The camera's focal length is `focal_px`, its slant is known but for an error of `slant` radians,
    and a chip is `thickness` times its radius thick, but for a share of `doubt`.
    """
    if not seen:
        return []
    held = _Held.supposed(slant, doubt)
    usual = _usual()
    sides = [_sides(one, held, focal_px, thickness) for one in seen]
    rest = [(_shadows(one, thickness)[:, None] * usual).reshape(-1, MOST) for one in seen]
    agree = [side @ more.T for side, more in zip(sides, rest, strict=True)]
    others = np.repeat([np.log([share for _, share in SINGLES])], len(LIGHTS), axis=0).reshape(-1)
    logs = held.logs[:, None] + others + sum(np.log(one) for one in agree)
    weights = np.exp(logs - logs.max())
    told = []
    for side, more, one in zip(sides, rest, agree, strict=True):
        chances = (((weights / one) @ more) * side).sum(axis=0)
        told.append(np.asarray(chances / chances.sum(), np.float64))
    return told


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """Ways (N,) in which a camera may have been held: by how much its slant differs, (N, 2) in
    radians, how much more its lens magnifies, and the logarithm of how likely that is."""

    slants: NDArray[np.float64]
    lenses: NDArray[np.float64]
    logs: NDArray[np.float64]

    @classmethod
    def supposed(cls, slant: float, doubt: float) -> _Held:
        """The ways of a camera whose slant is known but for an error of `slant`, above chips whose
        thickness is known but for a share of `doubt`."""
        ways = np.stack(np.meshgrid(SLANTS, SLANTS, LENSES), axis=-1).reshape(-1, 3)
        far = (ways[:, :2] ** 2).sum(axis=1)
        logs = -(SLANT_TAILS + 2) / 2 * np.log1p(far / SLANT_TAILS)
        logs -= (ways[:, 2] / np.hypot(LENS, doubt)) ** 2 / 2
        return cls(ways[:, :2] * slant, np.exp(ways[:, 2]), logs)


def _usual() -> NDArray[np.float64]:
    """How often each number of chips is laid (SINGLES, MOST)."""
    more = np.where(NUMBERS > 1, NUMBERS**-RARER * np.exp(-NUMBERS / TALL), 0.0)
    share = np.array([share for share, _ in SINGLES])[:, None]
    return np.asarray(share * (NUMBERS == 1) + (1 - share) * more / more.sum(), np.float64)


def _sides(one: Signs, held: _Held, focal_px: float, thickness: float) -> NDArray[np.float64]:
    """How well each number of chips (N, MOST) explains a side, for each way of holding a camera."""
    chip = thickness * one.radius
    away = held.slants + one.place / focal_px
    far = np.linalg.norm(away, axis=1)
    ways = away / np.maximum(far, 1e-6)[:, None]
    step = (chip * held.lenses * far)[:, None]
    # The foot is farther from the camera than the top, so it looks smaller, its edge farther in.
    shown = (chip * held.lenses * (far - one.radius / focal_px))[:, None]
    expected = shown * NUMBERS - np.minimum(SUNK_PX + SUNK * step, SUNK_MOST * step)
    expected = np.maximum(expected, 0.0)
    along = (ways @ one.lean)[:, None]
    across = (ways @ np.array([-one.lean[1], one.lean[0]]))[:, None]
    error = LEAN_PX + one.unsure + LEAN * expected
    error = np.hypot(error, np.where(NUMBERS > 1, UNEVEN * one.radius, 0.0))
    loose = LOOSE * max(FIRM - one.firm, 0.0) * step
    wide, fits = error + ACROSS * expected, np.zeros_like(expected)
    for sign, share in ((1, 1 - TURNED), (-1, TURNED)):
        off = sign * along - expected
        deep = np.where(off < 0, error + loose, error)
        rest = ((off / deep) ** 2 + (across / wide) ** 2) / LEAN_TAILS
        fits += share * (1 + rest) ** (-(LEAN_TAILS + 2) / 2) / (deep * wide)
    least = HIDDEN + (ALIKE - HIDDEN) * min(1.0, one.alike / CAMOUFLAGED)
    longer = expected > np.linalg.norm(one.lean)
    fits = np.maximum(fits, np.where(longer, least * fits.max(axis=1, keepdims=True), 0.0))
    return np.asarray(fits + AMISS / one.radius**2, np.float64)


def _shadows(one: Signs, thickness: float) -> NDArray[np.float64]:
    """How well each number of chips (LIGHTS, MOST) explains a shadow, for each light."""
    chip = thickness * one.radius
    reach = np.minimum(LIGHTS[:, None] * NUMBERS * chip, SHADOW_MOST * chip)
    error = SHADOW_PX + SHADOW * reach
    fits = np.exp(-(((one.shadow - reach) / error) ** 2) / 2) / (error * np.sqrt(2 * np.pi))
    cut = (one.shadow < reach + SHADOW_PX) / (reach + SHADOW_PX)
    fits = (1 - CUT - LONGER) * fits + CUT * cut + LONGER / (2 * one.radius)
    return np.asarray(fits, np.float64)
