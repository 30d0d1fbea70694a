"""The face of a plaque in detail, which tells exactly where the top of a stack is.

The outline of a stack is that of its top on the far side only. What is printed in the middle shows
where the top is as a whole, so that the near side tells how far below it the foot is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES
from vision.chips.faces import FACE_ANGLES, STEPS, TaughtFace, faces_at, placed, spectra_of
from vision.chips.plaques import Plaques
from vision.picture.geometry import Floats, Frame

BESIDE = (0.2, -0.1)
"""How far from its place a face is looked for as well, in halves of its short side. A choice: of
502 drawn stacks, 21 had no face at their places, and 20 of these had one there."""


def faces_of(picture: Frame, found: Plaques) -> Floats:
    """The colours (N, *FACE) in the largest circles inside plaques, from their long sides on."""
    return faces_at(picture, found.centres, found.radii, found.turns)


def registered(
    picture: Frame,
    taught: Sequence[TaughtFace],
    found: Plaques,
    *,
    outwards: Floats,
    alone: NDArray[np.bool_],
) -> tuple[Plaques, NDArray[np.bool_]]:
    """Move, turn and resize plaques so that each face is where the `taught` one fits best.

    Also returns which of them (N,) fit; the others stay as they are. Those that are `alone` (N,)
    are tried from beside their places as well: the contour of a tall stack may be its foot's in
    part, from which its top is `outwards` (N, 2).
    """
    found, good = _registered(picture, taught, found)
    for share in BESIDE:
        some = np.flatnonzero(alone & ~good)
        if not len(some):
            break
        moved = found[some]
        away = share * moved.radii[:, None] * outwards[some]
        moved = replace(moved, centres=np.asarray(moved.centres + away, np.float32))
        moved, fits = _registered(picture, [taught[number] for number in some.tolist()], moved)
        there, good[some] = some[fits], fits
        for part in ("centres", "turns", "scales"):
            getattr(found, part)[there] = getattr(moved, part)[fits]
    return found, good


def _registered(
    picture: Frame, taught: Sequence[TaughtFace], found: Plaques
) -> tuple[Plaques, NDArray[np.bool_]]:
    """The same from where they are."""
    if not len(found):
        return found, np.zeros(0, np.bool_)
    turns = _turned(picture, taught, found)
    there = placed(picture, taught, found.centres, found.radii, turns, refining=STEPS)
    kept = replace(
        found,
        centres=np.where(there.good[:, None], there.places, found.centres).astype(np.float32),
        turns=np.where(there.good, there.turns, found.turns).astype(np.float32),
        scales=np.where(there.good, found.scales * np.exp(there.sizes), found.scales).astype(
            np.float32
        ),
    )
    return kept, there.good


def _turned(picture: Frame, taught: Sequence[TaughtFace], found: Plaques) -> NDArray[np.float64]:
    """The angles (N,) in radians of plaques, of those that their contours leave."""
    starts = []
    for one, seen, shape in zip(
        taught, spectra_of(faces_of(picture, found)), found.shapes.tolist(), strict=True
    ):
        ways = np.array(found.contours[shape].turns) * FACE_ANGLES // ANGLES
        starts.append(ways[one.fits(seen)[ways].argmax()])
    return np.asarray(found.turns + np.array(starts) * (2 * np.pi / FACE_ANGLES), np.float64)
