"""Train the layers for other countries' letters on precomputed convolution outputs.

New classes need new answers, not new eyes: the network's convolutions stay fixed, their output is
kept for every patch, and two fully connected layers are trained on it in minutes. The network's
ranks and suits do not change; the letters' layers are trained to reproduce its ranks on patches
without such letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from vision.network import WEIGHTS
from vision.training import samples
from vision.training.networks import ReaderNet, planes
from vision.training.restore import restore
from vision.training.scenes import FACE_CLASSES, read_shard
from vision.training.sources import WORK
from vision.training.train import Recipe, note, taken_up

HELD = 2.0
"""Weight of reproducing the network's own ranks, relative to the labels."""
FOREIGN = 4.0
"""How many times more often a patch of a new class is drawn: one in twenty-five has one."""


@dataclass(slots=True)
class Kept:
    """Convolution outputs of patches (N, 40 * 48), with labels and rank logits.

    The labels (N,) are classes of rank or letter; the logits (N, 15) are the network's own.
    """

    features: Tensor
    labels: Tensor
    ranks: Tensor

    def __len__(self) -> int:
        return len(self.labels)


def kept(net: ReaderNet, shards: Sequence[Path], seed: int) -> Kept:
    """The patches of some shards, as output by the network's convolutions."""
    rng = np.random.default_rng(seed)
    parts: list[tuple[Tensor, ...]] = []
    for path in shards:
        patches: list[samples.Bytes] = []
        labels: list[tuple[int, int]] = []
        for scene in read_shard(path):
            cut, told = samples.patches(scene, rng)
            patches += cut
            labels += told
        pictures = samples.photometric(torch.from_numpy(np.stack(patches)))
        parts += _looked(net, pictures, torch.tensor(labels))
        print(f"{path.name}: {len(labels)} patches", flush=True)
    features, classes, ranks = (torch.cat(column) for column in zip(*parts, strict=True))
    return Kept(features, classes, ranks)


def _looked(net: ReaderNet, pictures: Tensor, labels: Tensor) -> list[tuple[Tensor, ...]]:
    found: list[tuple[Tensor, ...]] = []
    with torch.no_grad():
        parts = (torch.split(one, 256) for one in (pictures, labels))
        for part, classes in zip(*parts, strict=True):
            features = net.body(planes(part)).flatten(1)
            found.append((features.half(), classes[:, 0], net.rank(net.mix(features))))
    return found


def train(recipe: Recipe, epochs: float) -> None:
    """Train the letters' layers of the published network on all shards, and keep the state."""
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    net = ReaderNet()
    sample = rng.integers(0, 256, (64, samples.HEIGHT, samples.WIDTH, 3), np.uint8)
    restore(WEIGHTS / "reader.onnx", net, torch.from_numpy(sample))
    net.eval()
    first = taken_up("reader")
    shards = sorted((WORK / "scenes" / "train").glob("*.npz"))
    stock = kept(net, shards, recipe.seed)
    chances = np.where(stock.labels.numpy() >= FACE_CLASSES, FOREIGN, 1.0)
    chances /= chances.sum()
    steps = int(epochs * len(stock) / recipe.batch)
    layers = net.letters
    optimiser = torch.optim.AdamW(layers.parameters(), lr=recipe.rate, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, recipe.rate, total_steps=steps)
    layers.train()
    losses = []
    for step in range(steps):
        rows = torch.from_numpy(rng.choice(len(stock), recipe.batch, p=chances))
        loss = _loss(net, stock, rows)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        plan.step()
        losses.append(float(loss.detach()))
        if step % 200 == 199:
            print(f"heads {step + 1} of {steps} steps, loss {np.mean(losses):.4f}", flush=True)
            losses.clear()
    state = net.state_dict()
    torch.save({"net": state, "mean": state, "steps": first + steps}, WORK / "reader.pt")
    note("reader", recipe, (first, first + steps), 64 * len(shards), layers="letters")


def _loss(net: ReaderNet, stock: Kept, rows: Tensor) -> Tensor:
    """Cross entropy of the classes, and of the network's own ranks if there is no letter."""
    spelled, labels = net.letters(stock.features[rows].float()), stock.labels[rows]
    judge = nn.functional.cross_entropy
    known = labels < FACE_CLASSES
    former = stock.ranks[rows][known].softmax(1)
    former = nn.functional.pad(former, (0, spelled.shape[1] - FACE_CLASSES))
    loss: Tensor = judge(spelled, labels) + HELD * judge(spelled[known], former)
    return loss
