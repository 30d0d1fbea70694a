"""Let a large network start from a small one's training: it computes the same, with room to learn.

A layer of the small network becomes the first channels of one in the large network, which ignores
the others at first; a block that the small one lacks passes on what it gets. The large one sees
pictures one and a half times as large, so that its first layer weighs finer pixels alike. Later it
was enlarged twice, first by blocks and then by channels, which changed nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from vision.training.networks import FaceNet, LatinNet, Rest

PLACES = {0: 0, 1: 2, 2: 5, 3: 6, 4: 8}
"""The place in the body of `LatinNet` of each part of that of `FaceNet`."""
DEEPER = {0: 0, 1: 2, 2: 3, 3: 5, 4: 6, 5: 7, 6: 8, 7: 9}
"""The same of each part of the body of `LatinNet` before it was deepened."""
LAST = 9
"""The place of its last part since."""
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


def enlarge(older: Mapping[str, Tensor], net: LatinNet, batch: Tensor) -> None:
    """Make `net` compute what a network with the weights `older` did, of fewer layers or channels.

    New blocks pass on what they get, and new channels are ignored by the old ones; what they
    normalise is measured on a `batch` of faces.
    """
    deep = any(name.startswith(f"body.{LAST}.") for name in older)
    places = {place: place for place in range(len(net.body))} if deep else DEEPER
    found = net.state_dict()
    placed = _placed(older, places)
    with torch.no_grad():
        _pass_on(net, places)
        for name, value in placed.items():
            _put(found[name], value)
        _settle(net, batch)
        for name, value in placed.items():
            if "running" in name:
                _put(found[name], value)


def _settle(net: LatinNet, batch: Tensor) -> None:
    """Measure on a batch what layers normalise."""
    net.eval()
    norms = [part for part in net.modules() if isinstance(part, nn.BatchNorm2d)]
    usual = [norm.momentum for norm in norms]
    for norm in norms:
        norm.momentum = 1.0
        norm.train()
    net(batch)
    for norm, momentum in zip(norms, usual, strict=True):
        norm.momentum = momentum


def _pass_on(net: LatinNet, places: Mapping[int, int]) -> None:
    """Make the blocks of `net` that are at none of the `places` pass on what they get."""
    for place, part in enumerate(net.body):
        if place not in places.values() and isinstance(part, Rest):
            norm = part.second[1]
            assert isinstance(norm, nn.BatchNorm2d)
            nn.init.zeros_(norm.weight)


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
