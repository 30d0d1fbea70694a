"""Correct the odds that the finder learned from scenes which show more backs than tables do.

Logit adjustment (Menon and others, *Long-tail learning via logit adjustment*, 2021): the logits of
a network contain the log odds of what it learned from, so that the odds of other pictures replace
them by a shift.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from vision.errors import ArtworkError
from vision.training.scenes import BACK, FACE
from vision.training.sources import WORK
from vision.training.train import RUNS, SCENES

_MAPS = {"face": (6, FACE), "back": (7, BACK)}
"""Channel of the finder's maps, and value of a scene's cover, by name."""


def corrected(usual: range) -> dict[str, float]:
    """Shift the saved finder's logits from the odds in all scenes to those in the `usual` shards.

    Returns the shift by name of the map. A state that has not been trained on since is not shifted
    again. Raises `ArtworkError` if there are no such shards.
    """
    kept = WORK / "finder.pt"
    state = torch.load(kept, map_location="cpu")
    told: dict[str, float] = state.get("odds", {})
    if told:
        return told
    stored = sorted(SCENES.glob("*.npz"))
    known = [one for one in stored if int(one.stem) in usual]
    if not known:
        numbers = f"{usual.start} to {usual.stop - 1}"
        raise ArtworkError(f"{SCENES}: expected shards of usual scenes, {numbers}, found none")
    learned, wanted = _shares(stored), _shares(known)
    shifts = np.log(wanted / (1 - wanted)) - np.log(learned / (1 - learned))
    for shift, (name, (channel, _)) in zip(shifts, _MAPS.items(), strict=True):
        for weights in (state["net"], state["mean"]):
            weights["maps.bias"][channel] += float(shift)
        told[name] = round(float(shift), 3)
    torch.save({**state, "odds": told}, kept)
    run = {"network": "finder", "odds": told, "steps": [int(state["steps"])] * 2}
    with RUNS.open("a", encoding="utf-8") as runs:
        print(json.dumps(run), file=runs)
    return told


def _shares(shards: Iterable[Path]) -> NDArray[np.float64]:
    """The share of the cells of these shards' scenes that show each of the maps' kinds."""
    found = []
    for path in shards:
        with np.load(path) as file:
            covers = file["covers"]
        found.append([np.mean(covers == kind) for _, kind in _MAPS.values()])
    return np.asarray(np.mean(found, axis=0), np.float64)
