"""The light's colour: what the chips in sight have in common with those that were taught."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import Circles
from vision.chips.prints import AREAS
from vision.picture.geometry import Floats

CHROMA, LEVEL = 0.6, 1.3
"""How far, in octaves, light may differ from what cards or an even-handed camera let expect: in
colour and in brightness. A choice; `python -m tests.chips` judges it."""
TRUST = (0.16, 0.34)
"""The same as a spread: where cards revealed the light, and where they did not. A choice;
`python -m tests.chips` judges it."""
FITS = 0.3
"""The difference in octaves between rings at which a chip agrees by 60 %. A choice."""
CHANCE = 0.5
"""What agrees no better says nothing of the light. A choice: of the print of a card's back, which
holds many round things, none agreed with a set of coins by more than 0.45 under any light."""
UNEVEN = 0.4
"""How much brighter or darker, in octaves, light falls on single chips. A choice."""
CLEAREST = 24
"""How many of the clearest round things are asked for the light. A choice: it keeps the work
small."""
ONE_PLACE = 0.5
"""Circles whose middles are nearer than so many radii are asked once. A choice: they show the same
colours."""
HELD = 0.3
"""How firmly the expected light holds against what chips suggest. A choice; `python -m tests.chips`
judges it."""


def light(found: Circles, seen: Floats, taught: Floats, *, told: bool) -> Floats:
    """The light's colour (3,), as octaves that what is seen lies above what was taught.

    `seen` (N, rings, 3), of the circles `found`, and `taught` (K, rings, 3) are as
    `vision.chips.prints.logs` gives them; `told` whether white is already known.
    """
    best = _clearest(found)
    if not len(best):
        return np.zeros(3, np.float32)
    seen, clear = seen[best], found.support[best]
    shifts = ((seen[:, None] - taught[None]) * AREAS[:, None]).sum(axis=2)
    guesses = np.concatenate([np.zeros((1, 3)), shifts.reshape(-1, 3)]).astype(np.float32)
    level = guesses.mean(axis=1)
    chroma = np.linalg.norm(guesses - level[:, None], axis=1)
    guesses = guesses[(chroma <= CHROMA) & (np.abs(level) <= LEVEL)]
    spread = TRUST[0] if told else TRUST[1]
    agreed, _ = _matches(guesses, seen, taught)
    scores = (agreed * clear).sum(axis=1) * _likely(guesses, spread)
    return _settled(guesses[int(np.argmax(scores))], seen, clear, taught, spread)


def _clearest(found: Circles) -> NDArray[np.intp]:
    """The circles with most of a rim, of those in one place the best."""
    kept: list[int] = []
    for number in np.argsort(-found.support, kind="stable").tolist():
        away = np.linalg.norm(found.centres[kept] - found.centres[number], axis=1)
        if not kept or away.min() >= ONE_PLACE * found.radii[number]:
            kept.append(number)
        if len(kept) == CLEAREST:
            break
    return np.array(kept, np.intp)


def _matches(guesses: Floats, seen: Floats, taught: Floats) -> tuple[Floats, Floats]:
    """How well each thing agrees with its likeliest chip (G, N) under each of the guesses (G, 3),
    and what shift (G, N, 3) is left."""
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
    """The guess moved towards what the agreeing chips suggest, held back a little by what was
    expected.
    """
    for _ in range(2):
        agreed, shift = (part[0] for part in _matches(guess[None], seen, taught))
        weights = agreed**2 * clear
        held = HELD * (FITS / spread) ** 2
        guess = guess + (shift * weights[:, None]).sum(axis=0) / (weights.sum() + held)
    return np.asarray(guess, np.float32)
