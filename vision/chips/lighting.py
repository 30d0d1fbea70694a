"""The light in a picture, from how the chips in sight differ from those that were taught.

It shifts all colours alike, in octaves. And a camera that judges each photograph by itself makes
what is between black and white brighter or darker by a curve of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import Circles
from vision.chips.prints import AREAS, DARKEST, PAPER
from vision.picture.geometry import Floats

CHROMA, LEVEL = 0.6, 1.3
"""Maximum deviation of the light, in octaves, from what cards or an even-handed camera predict: in
colour and in brightness. A choice; `python -m tests.chips` judges it."""
TRUST = (0.16, 0.34)
"""Standard deviation of the same, in octaves: with the light known from cards, and without. A
choice; `python -m tests.chips` judges it."""
FITS = 0.3
"""Difference between rings, in octaves, at which a chip agrees by 60 %. A choice."""
CHANCE = 0.5
"""Agreement no better than this says nothing about the light. A choice: none of the many round
things in the print of a card's back agreed with a set of coins by more than 0.45 under any light.
"""
UNEVEN = 0.4
"""Maximum difference in brightness, in octaves, between single chips and the rest. A choice."""
CLEAREST = 24
"""Number of the clearest round things used to estimate the light. A choice: it keeps the work
small."""
ONE_PLACE = 0.5
"""Of circles whose centres are closer than this, in radii, only one is used. A choice: they show
the same colours."""
EXPECTED = 1.0
"""Agreement, in clear chips, that each light is credited with before any is seen, so that a few
things that hardly agree do not outweigh how likely a light is. A choice: the feet and shadows of
two stacks of black chips, all that was round beside the cards, agreed a little better in half the
light.
"""
BRIGHTEST = 400.0
"""Largest level that a colour has without the light: beyond white, as glare has. A choice."""
HELD = 0.3
"""Weight of the expected light against what chips suggest. A choice; `python -m tests.chips` judges
it."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The light in a picture, compared with that in which a set was taught.

    Its `colour` (3,) is in octaves. The `tone` is the exponent of the camera's curve, above one if
    what is dark becomes darker.
    """

    colour: Floats
    tone: float = 1.0

    def removed(self, colours: Floats) -> Floats:
        """Colours (…, 3) of a picture as they would be in the taught light, at most `BRIGHTEST`."""
        return np.asarray(
            np.clip(_toned(colours, self.tone) / np.exp2(self.colour), 0, BRIGHTEST), np.float32
        )


def light(found: Circles, seen: Floats, taught: Floats, *, told: bool, tone: float = 1.0) -> Light:
    """Estimate the light, compared with that in which a set was taught.

    `seen` (N, rings, 3), for the circles `found`, and `taught` (K, rings, 3) are as
    `vision.chips.prints.logs` returns them; `told` says whether white is already known, and `tone`
    is the exponent of the camera's curve.
    """
    best = _clearest(found)
    if not len(best):
        return Light(np.zeros(3, np.float32), tone)
    seen, clear = _retoned(seen[best], tone), found.support[best]
    shifts = ((seen[:, None] - taught[None]) * AREAS[:, None]).sum(axis=2)
    guesses = np.concatenate([np.zeros((1, 3)), shifts.reshape(-1, 3)]).astype(np.float32)
    level = guesses.mean(axis=1)
    chroma = np.linalg.norm(guesses - level[:, None], axis=1)
    guesses = guesses[(chroma <= CHROMA) & (np.abs(level) <= LEVEL)]
    spread = TRUST[0] if told else TRUST[1]
    agreed, _ = _matches(guesses, seen, taught)
    scores = (EXPECTED + (agreed * clear).sum(axis=1)) * _likely(guesses, spread)
    return Light(_settled(guesses[int(np.argmax(scores))], seen, clear, taught, spread), tone)


def _toned(colours: Floats, tone: float) -> Floats:
    """Colours on a curve, as they are without it; the paper of cards stays as bright."""
    if tone == 1.0:
        return colours
    shares = np.maximum(colours, 0) / np.float32(PAPER)
    return np.asarray(np.float32(PAPER) * shares ** np.float32(1 / tone), np.float32)


def _retoned(seen: Floats, tone: float) -> Floats:
    """The same for logarithms, as `vision.chips.prints.logs` returns them."""
    if tone == 1.0:
        return seen
    levels = np.asarray(np.exp2(seen) - DARKEST, np.float32)
    return np.asarray(np.log2(_toned(levels, tone) + DARKEST), np.float32)


def _clearest(found: Circles) -> NDArray[np.intp]:
    """The circles with the most complete rims, one for each place."""
    kept: list[int] = []
    for number in np.argsort(-found.support, kind="stable").tolist():
        away = np.linalg.norm(found.centres[kept] - found.centres[number], axis=1)
        if not kept or away.min() >= ONE_PLACE * found.radii[number]:
            kept.append(number)
        if len(kept) == CLEAREST:
            break
    return np.array(kept, np.intp)


def _matches(guesses: Floats, seen: Floats, taught: Floats) -> tuple[Floats, Floats]:
    """Compare each thing with its likeliest chip under each of the guesses (G, 3).

    Returns how well they agree (G, N) and the remaining shift (G, N, 3).
    """
    left = (seen[:, None] - taught[None])[None] - guesses[:, None, None, None]
    shift = (left * AREAS[:, None]).sum(axis=3)
    brighter = np.clip(shift.mean(axis=-1), -UNEVEN, UNEVEN)
    rest = np.abs(left - brighter[..., None, None]).max(axis=-1)
    error = rest @ AREAS
    agreed = np.exp(-((error / FITS) ** 2) / 2)
    agreed = np.maximum(agreed - CHANCE, 0) / (1 - CHANCE)
    kind = agreed.argmax(axis=2)[..., None]
    best = np.take_along_axis(agreed, kind, axis=2)[..., 0]
    return best, np.take_along_axis(shift, kind[..., None], axis=2)[:, :, 0]


def _likely(guesses: Floats, spread: float) -> Floats:
    level = guesses.mean(axis=1)
    chroma = np.linalg.norm(guesses - level[:, None], axis=1)
    away = -((chroma / spread) ** 2) / 2 - (level / (3 * spread)) ** 2 / 2
    return np.asarray(np.exp(away), np.float32)


def _settled(guess: Floats, seen: Floats, clear: Floats, taught: Floats, spread: float) -> Floats:
    """Move the guess towards what the agreeing chips suggest, held back by the expected light."""
    for _ in range(2):
        agreed, shift = (part[0] for part in _matches(guess[None], seen, taught))
        weights = agreed**2 * clear
        held = HELD * (FITS / spread) ** 2
        guess = guess + (shift * weights[:, None]).sum(axis=0) / (weights.sum() + held)
    return np.asarray(guess, np.float32)
