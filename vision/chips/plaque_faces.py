"""The face of a plaque in detail, which tells exactly where the top of a stack is.

The outline of a stack is that of its top on the far side only. What is printed in the middle shows
where the top is as a whole, so that the near side tells how far below it the foot is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chips.faces import (
    EXPLAINED,
    FACE,
    FACE_ANGLES,
    FACE_RINGS,
    MOST,
    MOVED,
    RESIZED,
    STEPS,
    TaughtFace,
)
from vision.chips.plaques import Plaques
from vision.picture.geometry import Floats, Frame

DIMMEST = 0.1
"""Least gain of a face's colours. A choice: it does not matter for a plaque in a lit picture."""
EITHER_WAY = (0.0, np.pi)
"""How far a plaque may be turned from its contour's angle, in radians. Follows from its shape."""

_TURNS = np.arange(FACE_ANGLES) * (2 * np.pi / FACE_ANGLES)
"""The angles at which a face is kept, in radians. Follows from `FACE_ANGLES`."""


def faces_of(picture: Frame, found: Plaques) -> Floats:
    """The colours (N, *FACE) in the largest circles inside plaques, from their long sides on."""
    return _sampled(picture, found.centres, found.radii, found.turns)


def registered(
    picture: Frame, taught: Sequence[TaughtFace], found: Plaques
) -> tuple[Plaques, NDArray[np.bool_]]:
    """Move, turn and resize plaques so that each face is where the `taught` one fits best.

    Also returns which of them (N,) fit; the others stay as they are.
    """
    if not len(found):
        return found, np.zeros(0, np.bool_)
    usual = found.radii.astype(np.float64)
    places, sizes = found.centres.astype(np.float64), np.zeros(len(found))
    turns = _either_way(picture, taught, found)
    explained = np.zeros(len(found))
    for _ in range(STEPS):
        reach = usual * np.exp(sizes)
        seen = _sampled(picture, places, reach, turns)
        fits = [
            one.refined(some, one.roughly(some)) for one, some in zip(taught, seen, strict=True)
        ]
        explained = np.array([fit.explained for fit in fits])
        gains = [max(float(fit.found[4:7].mean()), DIMMEST) for fit in fits]
        moves = np.stack([fit.found[:4] / gain for fit, gain in zip(fits, gains, strict=True)])
        across, down, turned, grown = np.clip(moves, -MOST, MOST).T
        cosine, sine = np.cos(turns), np.sin(turns)
        away = np.stack([cosine * across - sine * down, sine * across + cosine * down], axis=1)
        places -= reach[:, None] * away
        turns, sizes = turns - turned, sizes - grown
    moved = np.linalg.norm(places - found.centres, axis=1)
    good = (moved < MOVED * usual) & (np.abs(sizes) < RESIZED) & (explained >= EXPLAINED)
    kept = replace(
        found,
        centres=np.where(good[:, None], places, found.centres).astype(np.float32),
        turns=np.where(good, turns, found.turns).astype(np.float32),
        scales=np.where(good, found.scales * np.exp(sizes), found.scales).astype(np.float32),
    )
    return kept, np.asarray(good, np.bool_)


def _either_way(
    picture: Frame, taught: Sequence[TaughtFace], found: Plaques
) -> NDArray[np.float64]:
    """The angles (N,) in radians of plaques, of the two that their contours leave."""
    every = [found.turns.astype(np.float64) + turn for turn in EITHER_WAY]
    off = []
    for turns in every:
        seen = _sampled(picture, found.centres, found.radii, turns)
        off.append([one.unlike(some) for one, some in zip(taught, seen, strict=True)])
    first, other = np.array(off)
    return np.where(first <= other, every[0], every[1])


def _sampled(
    picture: Frame,
    centres: NDArray[np.floating],
    radii: NDArray[np.floating],
    turns: NDArray[np.floating],
) -> Floats:
    """The colours (N, *FACE) of faces, from `turns` (N,) radians on."""
    at = _TURNS + np.asarray(turns)[:, None]
    ways = np.stack([np.cos(at), np.sin(at)], axis=-1)
    reach = np.asarray(radii)[:, None] * FACE_RINGS
    places = np.asarray(centres)[:, None, None] + reach[..., None, None] * ways[:, None]
    x, y = (
        np.ascontiguousarray(places[..., axis].reshape(-1, FACE_ANGLES), np.float32)
        for axis in (0, 1)
    )
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(len(places), *FACE), np.float32)
