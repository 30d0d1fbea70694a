"""Let a large network start from a small one's training: it computes the same, with room to learn.

A layer of the small network becomes the first channels of one in the large network, which ignores
the others at first; a block that the small one lacks passes on what it gets. The large one sees
pictures one and a half times as large, so that its first layer weighs finer pixels alike.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from vision.training.networks import FaceNet, LatinNet, Rest

PLACES = {0: 0, 1: 1, 2: 3, 3: 4, 4: 6}
"""The place in the body of `LatinNet` of each part of that of `FaceNet`."""
FIRST = "body.0.0.weight"
"""The weights of the first layer."""
FINER = torch.tensor([(1, 0, 0), (0, 2 / 3, 0), (0, 1 / 3, 1 / 3), (0, 0, 2 / 3), (0, 0, 0)])
"""What each of three pixels in a row of a small picture is in five of a larger one, of which a step
of three is a step of two there. Follows from the sizes."""


def grow(small: FaceNet, large: LatinNet) -> None:
    """Make `large` compute what `small` does."""
    found = large.state_dict()
    with torch.no_grad():
        for place, part in enumerate(large.body):
            if place not in PLACES.values() and isinstance(part, Rest):
                nn.init.zeros_(part.second[1].weight)
        for name, value in _placed(small.state_dict()).items():
            _put(found[name], value)


def _placed(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The state of a `FaceNet`, by the names that its parts have in a `LatinNet`."""
    found = {}
    for name, value in state.items():
        part, place, *rest = name.split(".")
        moved = str(PLACES[int(place)]) if part == "body" else place
        found[".".join((part, moved, *rest))] = value
    found[FIRST] = FINER @ found[FIRST] @ FINER.T
    return found


def _put(into: Tensor, value: Tensor) -> None:
    """Replace the first channels, which see nothing of the others."""
    if value.dim() > 1:
        into[: value.shape[0], value.shape[1] :] = 0
    into[tuple(slice(size) for size in value.shape)] = value
