"""Let a large network start from a small one's training: it computes the same, with room to learn.

A layer of the small network becomes the first channels of one in the large network, which ignores
the others at first; a block that the small one lacks passes on what it gets. The large one sees
pictures one and a half times as large, so that its first layer weighs finer pixels alike. Later it
was deepened, which added blocks and changed nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeGuard

import torch
from torch import Tensor, nn

from vision.training.networks import FaceNet, LatinNet, Rest

PLACES = {0: 0, 1: 2, 2: 5, 3: 6, 4: 8}
"""The place in the body of `LatinNet` of each part of that of `FaceNet`."""
DEEPER = {0: 0, 1: 2, 2: 3, 3: 5, 4: 6, 5: 7, 6: 8, 7: 9}
"""The same of each part of the body of `LatinNet` before it was deepened."""
FIRST = "body.0.0.weight"
"""The weights of the first layer."""
FINER = torch.tensor([(1, 0, 0), (0, 2 / 3, 0), (0, 1 / 3, 1 / 3), (0, 0, 2 / 3), (0, 0, 0)])
"""What each of three pixels in a row of a small picture is in five of a larger one, of which a step
of three is a step of two there. Follows from the sizes."""


def grow(small: FaceNet, large: LatinNet) -> None:
    """Make `large` compute what `small` does."""
    found = large.state_dict()
    with torch.no_grad():
        _pass_on(large, PLACES)
        placed = _placed(small.state_dict(), PLACES)
        placed[FIRST] = FINER @ placed[FIRST] @ FINER.T
        for name, value in placed.items():
            _put(found[name], value)


def deepen(older: Mapping[str, Tensor], net: LatinNet, batch: Tensor) -> None:
    """Make `net` compute what a network with the weights `older` did before it was deepened.

    The new blocks pass on what they get; what they normalise is measured on a `batch` of faces.
    """
    found = net.state_dict()
    with torch.no_grad():
        new = _pass_on(net, DEEPER)
        for name, value in _placed(older, DEEPER).items():
            found[name].copy_(value)
        net.eval()
        norms = [part for block in new for part in block.modules() if _normalises(part)]
        usual = [norm.momentum for norm in norms]
        for norm in norms:
            norm.momentum = 1.0
            norm.train()
        net(batch)
        for norm, momentum in zip(norms, usual, strict=True):
            norm.momentum = momentum


def _normalises(part: nn.Module) -> TypeGuard[nn.BatchNorm2d]:
    return isinstance(part, nn.BatchNorm2d)


def _pass_on(net: LatinNet, places: Mapping[int, int]) -> list[Rest]:
    """Make the blocks of `net` that are at none of the `places` pass on what they get."""
    new = [
        part
        for place, part in enumerate(net.body)
        if place not in places.values() and isinstance(part, Rest)
    ]
    for part in new:
        nn.init.zeros_(part.second[1].weight)
    return new


def _placed(state: Mapping[str, Tensor], places: Mapping[int, int]) -> dict[str, Tensor]:
    """The state of a smaller network, by the names that its parts have in a `LatinNet`."""
    found = {}
    for name, value in state.items():
        part, place, *rest = name.split(".")
        moved = str(places[int(place)]) if part == "body" else place
        found[".".join((part, moved, *rest))] = value
    return found


def _put(into: Tensor, value: Tensor) -> None:
    """Replace the first channels, which see nothing of the others."""
    if value.dim() > 1:
        into[: value.shape[0], value.shape[1] :] = 0
    into[tuple(slice(size) for size in value.shape)] = value
