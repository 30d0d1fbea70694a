"""The light's colour: what the chips in sight have in common with those that were taught."""

from __future__ import annotations

import numpy as np

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
UNEVEN = 0.4
"""How much brighter or darker, in octaves, light falls on single chips. A choice."""
CLEAREST = 40
"""How many of the clearest round things are asked for the light. A choice: it keeps the work
small."""
HELD = 0.3
"""How firmly the expected light holds against what chips suggest. A choice; `python -m tests.chips`
judges it."""


def light(seen: Floats, clear: Floats, taught: Floats, *, told: bool) -> Floats:
    """The light's colour (3,), as octaves that what is seen lies above what was taught.

    `seen` (N, rings, 3) and `taught` (K, rings, 3) are as `vision.chips.prints.logs` gives them;
    `clear` (N,) says how far each is round, 0 to 1; `told` whether white is already known.
    """
    if not len(seen):
        return np.zeros(3, np.float32)
    best = np.argsort(-clear, kind="stable")[:CLEAREST]
    seen, clear = seen[best], clear[best]
    shifts = ((seen[:, None] - taught[None]) * AREAS[:, None]).sum(axis=2)
    guesses = np.concatenate([np.zeros((1, 3)), shifts.reshape(-1, 3)]).astype(np.float32)
    level = guesses.mean(axis=1)
    chroma = np.linalg.norm(guesses - level[:, None], axis=1)
    guesses = guesses[(chroma <= CHROMA) & (np.abs(level) <= LEVEL)]
    spread = TRUST[0] if told else TRUST[1]
    scores = [_score(guess, seen, clear, taught, spread) for guess in guesses]
    first = guesses[int(np.argmax(scores))]
    return _settled(first, seen, clear, taught, spread)


def _matches(guess: Floats, seen: Floats, taught: Floats) -> tuple[Floats, Floats]:
    """How well each thing agrees with its likeliest chip (N,), and what shift (N, 3) is left."""
    left = seen[:, None] - taught[None] - guess
    shift = (left * AREAS[:, None]).sum(axis=2)
    brighter = np.clip(shift.mean(axis=-1), -UNEVEN, UNEVEN)
    rest = np.abs(left - brighter[..., None, None]).max(axis=-1)
    error = (rest * AREAS).sum(axis=-1)
    agreed = np.exp(-((error / FITS) ** 2) / 2)
    kind = agreed.argmax(axis=1)
    rows = np.arange(len(seen))
    return agreed[rows, kind], shift[rows, kind]


def _score(guess: Floats, seen: Floats, clear: Floats, taught: Floats, spread: float) -> float:
    agreed, _ = _matches(guess, seen, taught)
    return float((agreed * clear).sum() * _likely(guess, spread))


def _likely(guess: Floats, spread: float) -> float:
    level = float(guess.mean())
    chroma = float(np.linalg.norm(guess - level))
    return float(np.exp(-((chroma / spread) ** 2) / 2 - (level / (3 * spread)) ** 2 / 2))


def _settled(guess: Floats, seen: Floats, clear: Floats, taught: Floats, spread: float) -> Floats:
    """The guess moved towards what the agreeing chips suggest, held back a little by what was
    expected.
    """
    for _ in range(2):
        agreed, shift = _matches(guess, seen, taught)
        weights = agreed**2 * clear
        held = HELD * (FITS / spread) ** 2
        guess = guess + (shift * weights[:, None]).sum(axis=0) / (weights.sum() + held)
    return np.asarray(guess, np.float32)
