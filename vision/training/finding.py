"""What the finder learns from: its samples, and how its answers are judged.

Learning without forgetting (Li and Hoiem, *Learning without Forgetting*, 2016): it may be held to
the answers that the published weights give to the same pictures, except where the truth shows that
they are wrong. Those were learned from many more scenes than a short training sees. The statistics
of its normalisation layers stay as they are then, since scenes drawn to teach one thing are not
what cameras see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.network import WEIGHTS
from vision.training import samples
from vision.training.restore import restore
from vision.training.scenes import BACK, FACE, Scene
from vision.training.shelf import Rng

if TYPE_CHECKING:
    from vision.training.train import Pool


def finder_batches(pool: Pool, rng: Rng, size: int) -> Iterator[tuple[Tensor, ...]]:
    """Endless batches for the finder: pictures, heat, care, near, values, areas."""
    while True:
        rows = [_finder_sample(pool.draw(rng), rng) for _ in range(size)]
        yield tuple(torch.from_numpy(np.stack(column)) for column in zip(*rows, strict=True))


def _finder_sample(scene: Scene, rng: Rng) -> tuple[NDArray[np.generic], ...]:
    seen = samples.nearer(scene, rng) if rng.random() < NEARER else scene
    turned = samples.quarter_turned(seen, int(rng.integers(4)))
    goal = samples.targets(turned.marks)
    areas = np.stack([turned.cover == FACE, turned.cover == BACK]).astype(np.float32)
    return turned.picture, goal.heat, goal.care, goal.near, goal.values, areas


NEARER = 0.4
"""Share of the finder's scenes that are enlarged. A choice."""


def finder_loss(net: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Focal loss of the heat, distances of the shape values, cross entropy of the areas."""
    return _judged(net(samples.exposed(batch[0])).float(), batch[1:])


def _judged(raw: Tensor, truth: tuple[Tensor, ...]) -> Tensor:
    heat, care, near, values, areas = truth
    count = (heat == 1).sum().clamp(min=1)
    heat_loss = (_focal(raw[:, 0], heat) * care).sum() / count
    shape_loss = _shapes_apart(raw, values, near) / near.sum().clamp(min=1)
    area_loss = nn.functional.binary_cross_entropy_with_logits(raw[:, 6:], areas)
    total: Tensor = heat_loss + shape_loss + 2.0 * area_loss
    return total


def _shapes_apart(raw: Tensor, values: Tensor, weight: Tensor) -> Tensor:
    """The distance of the shape values of maps (N,8,H,W) from others (N,5,H,W), summed with a
    weight of each cell (N,H,W)."""
    apart = (raw[:, 1:6] - values).abs() * _SHARE.to(raw.device)
    return (apart * weight[:, None]).sum()


_SHARE = torch.tensor([1.0, 1.0, 1.0, 1.0, 1.5])[None, :, None, None]
"""Weights of offset, direction and height."""


def _focal(logits: Tensor, heat: Tensor) -> Tensor:
    """Focal loss: cells near an index count less as false alarms, the closer they are."""
    found = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    hit = -((1 - found) ** 2) * torch.log(found)
    false = -((1 - heat) ** 4) * found**2 * torch.log(1 - found)
    return torch.where(heat == 1, hit, false)


def distilled_loss(
    teacher: nn.Module, keep: float, net: nn.Module, batch: tuple[Tensor, ...]
) -> Tensor:
    """`finder_loss`, and `keep` times how far the answers are from the teacher's to the same
    pictures."""
    pictures, heat, _, near, _, areas = batch
    seen = samples.exposed(pictures)
    with torch.no_grad():
        told = teacher(seen).float()
    raw = net(seen).float()
    return _judged(raw, batch[1:]) + keep * distillation(raw, told, heat, near, areas)


def distillation(raw: Tensor, told: Tensor, heat: Tensor, near: Tensor, areas: Tensor) -> Tensor:
    """How far a finder's maps are from those of its teacher, where the teacher is right.

    `raw` and `told` are maps (N,8,H,W) before the sigmoid; `heat` and `near` (N,H,W) and `areas`
    (N,2,H,W) are the truth. What is open for the teacher stays open: the goal are its
    probabilities, and where it finds an index, the shape that it finds.
    """
    goal = torch.sigmoid(told[:, 6:])
    right = (goal > 0.5) == (areas > 0.5)
    entropy = nn.functional.binary_cross_entropy_with_logits(raw[:, 6:], goal, reduction="none")
    known = torch.sigmoid(told[:, 0])
    apart = (torch.sigmoid(raw[:, 0]) - known) ** 2 * ((known - heat).abs() < 0.5)
    shape = _shapes_apart(raw, told[:, 1:6], near * (known > 0.5))
    total: Tensor = 2.0 * (entropy * right).mean() + apart.sum() / (heat == 1).sum().clamp(min=1)
    return total + shape / near.sum().clamp(min=1)


def published_teacher(net: nn.Module, sample: Tensor) -> nn.Module:
    """The published finder, in `net`: a teacher, which itself learns no more."""
    restore(WEIGHTS / "finder.onnx", net, sample)
    for weights in net.parameters():
        weights.requires_grad_(False)
    return net.eval()


def freeze_normalisation(net: nn.Module) -> None:
    """Let the statistics of the normalisation layers stay as they are."""
    for part in net.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.eval()
