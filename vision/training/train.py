"""Train the networks from shards of scenes, on whatever processor there is.

A run is limited by minutes of processor time, not by steps: the learning rate follows the elapsed
share, so a shared machine makes a run longer, not worse. It keeps its state next to the shards and
resumes from there, and prints a line every hundred steps. On a graphics card, which would wait for
a processor to cut its samples, other processes prepare the batches (`workers`).
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from vision.errors import ArtworkError
from vision.network import WEIGHTS
from vision.training import samples
from vision.training.finding import (
    distilled_loss,
    finder_batches,
    finder_loss,
    freeze_normalisation,
    published_teacher,
)
from vision.training.networks import FaceNet, FinderNet, ReaderNet
from vision.training.restore import restore
from vision.training.scenes import FACE_CLASSES, PER_SHARD, Scene, read_shard
from vision.training.shelf import Rng
from vision.training.sources import WORK
from vision.training.wholes import Faces, sample

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
_KEEP = 0.998
"""Share of the averaged weights kept at each step; the average is what is exported."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The parameters of one run."""

    minutes: float
    rate: float
    """Peak learning rate."""
    batch: int
    seed: int
    scenes: int = 12_000
    """Most scenes held in memory."""
    workers: int = 0
    """Processes that prepare batches; 0 prepares them in this one."""
    keep: float = 0.0
    """How strongly the finder is held to what it knew (see `finding`); 0 is not at all."""


class Supply(Protocol):
    """The source of a run's samples."""

    @property
    def scenes(self) -> Sized:
        """The scenes available so far."""

    def refresh(self, most: int = ...) -> None:
        """Add what has appeared in the meantime, up to `most`."""


class Pool:
    """Scenes of all shards available; new shards are added as they appear.

    Of several pools, each holds its `share` (which, of how many) of the shards.
    """

    def __init__(self, folder: Path, limit: int, share: tuple[int, int] = (0, 1)) -> None:
        self._folder, self._limit, self._share = folder, limit, share
        self._seen: set[Path] = set()
        self.scenes: list[Scene] = []

    def refresh(self, most: int = 1000) -> None:
        """Add up to `most` further shards."""
        which, of = self._share
        stored = sorted(self._folder.glob("*.npz"))
        own = [path for path in stored if int(path.stem) % of == which]
        fresh = [path for path in own if path not in self._seen]
        for path in fresh[:most]:
            if len(self.scenes) >= self._limit:
                return
            self._seen.add(path)
            self.scenes += read_shard(path)

    def draw(self, rng: Rng) -> Scene:
        """A random scene."""
        return self.scenes[int(rng.integers(len(self.scenes)))]


class PatchStream:
    """Batches of patches, mixed from many scenes."""

    def __init__(self, pool: Pool, rng: Rng, size: int = 40_000) -> None:
        self._pool, self._rng, self._size = pool, rng, size
        self._patches: list[NDArray[np.uint8]] = []
        self._labels: list[tuple[int, int]] = []

    def fill(self, number: int) -> None:
        """Cut patches from `number` fresh scenes; they replace old patches at random."""
        for _ in range(number):
            cut, labels = samples.patches(self._pool.draw(self._rng), self._rng)
            for patch, label in zip(cut, labels, strict=True):
                if len(self._patches) < self._size:
                    self._patches.append(patch)
                    self._labels.append(label)
                else:
                    place = int(self._rng.integers(self._size))
                    self._patches[place], self._labels[place] = patch, label

    def batch(self, size: int) -> tuple[Tensor, Tensor]:
        """Pictures (N,64,48,3) and classes (N,2)."""
        places = self._rng.integers(len(self._patches), size=size)
        pictures = np.stack([self._patches[place] for place in places])
        labels = np.array([self._labels[place] for place in places])
        return torch.from_numpy(pictures), torch.from_numpy(labels)


def reader_batches(pool: Pool, rng: Rng, size: int) -> Iterator[tuple[Tensor, ...]]:
    """Endless batches for the reader."""
    stream = PatchStream(pool, rng)
    stream.fill(600)
    while True:
        stream.fill(4)
        yield stream.batch(size)


def face_batches(rng: Rng, size: int, kept: int = 16_000) -> Iterator[tuple[Tensor, ...]]:
    """Endless batches for the face network; each generated picture is used a few times."""
    faces = Faces.open(validation=False)
    pictures: list[NDArray[np.uint8]] = []
    labels: list[tuple[int, int]] = []
    made = 0
    while True:
        for _ in range(8 if len(pictures) >= 8 * size else 8 * size):
            hardest = min(1.0, 0.5 + made / 12_000)
            picture, label = sample(faces, rng, float(rng.uniform(0, hardest)))
            made += 1
            if len(pictures) < kept:
                pictures.append(picture)
                labels.append(label)
            else:
                place = int(rng.integers(kept))
                pictures[place], labels[place] = picture, label
        places = rng.integers(len(pictures), size=size)
        chosen = np.stack([_turned_round(pictures[place], rng) for place in places])
        yield torch.from_numpy(chosen), torch.from_numpy(np.array([labels[p] for p in places]))


def _turned_round(picture: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """The picture upside down or not: cards lie both ways."""
    return picture[::-1, ::-1] if rng.random() < 0.5 else picture


def reader_loss(net: nn.Module, batch: tuple[Tensor, ...]) -> Tensor:
    """Cross entropy of all answers; for another country's letter, the rank is not asked."""
    pictures, labels = batch
    rank, suit, *letters = net(samples.photometric(pictures))
    judge = nn.functional.cross_entropy
    ranks = labels[:, 0].where(labels[:, 0] < FACE_CLASSES, UNASKED)
    loss: Tensor = judge(rank.float(), ranks, ignore_index=UNASKED)
    loss = loss + judge(suit.float(), labels[:, 1])
    for spelled in letters:
        loss = loss + judge(spelled.float(), labels[:, 0])
    return loss


UNASKED = -100
"""Class of what is not asked."""
Loss = Callable[[nn.Module, tuple[Tensor, ...]], Tensor]
Feed = Callable[[Pool, Rng, int], Iterator[tuple[Tensor, ...]]]


@dataclass
class Run:
    """One network in training, with its averaged twin."""

    name: str
    net: nn.Module
    loss: Loss
    recipe: Recipe
    folder: Path = WORK
    sample: Tensor | None = None
    """Pictures for restoring the published weights if there is no state yet."""
    steps: int = 0

    def __post_init__(self) -> None:
        if self.sample is not None and not self.path.exists():
            restore(WEIGHTS / f"{self.name}.onnx", self.net, self.sample)
            self.steps = taken_up(self.name)
        self.net.to(DEVICE)
        self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.mean = type(self.net)().to(DEVICE)
        if self.path.exists():
            state = torch.load(self.path, map_location=DEVICE)
            self.net.load_state_dict(state["net"])
            self.steps = int(state["steps"])
        self.mean.load_state_dict(self.net.state_dict())
        if self.path.exists():
            self.mean.load_state_dict(state["mean"])
        self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=1e-4, weight_decay=1e-4)
        if self.sample is not None and not self.path.exists():
            self.save(self.folder / f"{self.name}-published.pt")  # to be averaged with

    @property
    def path(self) -> Path:
        """Where the state is stored."""
        return self.folder / f"{self.name}.pt"

    def go(self, batches: Iterator[tuple[Tensor, ...]], pool: Supply) -> None:
        """Train for the recipe's minutes."""
        began, losses = _clock(), []
        while (part := (_clock() - began) / 60 / self.recipe.minutes) < 1:
            losses.append(self._step(next(batches), part))
            if self.steps % 100 == 0:
                pool.refresh(2)
                print(f"{self.name} {self.steps} steps, {part:.0%}, loss {np.mean(losses):.4f}, "
                      f"{len(pool.scenes)} scenes", flush=True)  # fmt: skip
                losses.clear()
            if self.steps % 500 == 0:
                self.save()
        self.save()

    def _step(self, batch: tuple[Tensor, ...], part: float) -> float:
        self.net.train()
        if self.recipe.keep:
            freeze_normalisation(self.net)
        for group in self.optimiser.param_groups:
            group["lr"] = self.recipe.rate * _schedule(part, self.steps)
        moved = tuple(tensor.to(DEVICE, non_blocking=True) for tensor in batch)
        with torch.autocast(DEVICE, torch.bfloat16, enabled=halves_pay()):
            loss = self.loss(self.net, moved)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step()
        self._average()
        self.steps += 1
        return float(loss.detach())

    def _average(self) -> None:
        keep = min(_KEEP, (self.steps + 1) / (self.steps + 10))
        pairs = zip(self.mean.state_dict().values(), self.net.state_dict().values(), strict=True)
        known = [(slow, fast) for slow, fast in pairs if slow.dtype.is_floating_point]
        slows, fasts = [slow for slow, _ in known], [fast for _, fast in known]
        with torch.no_grad():  # all at once; what counts batches is not needed
            torch._foreach_lerp_(slows, fasts, 1 - keep)

    def save(self, path: Path | None = None) -> None:
        """Save the state atomically, at another path if need be."""
        path = path or self.path
        state = {
            "net": self.net.state_dict(), "mean": self.mean.state_dict(), "steps": self.steps
        }  # fmt: skip
        partial = path.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(path)


def halves_pay() -> bool:
    """Whether half precision saves time: a processor without it emulates it, at triple the cost."""
    return DEVICE != "cpu" or bool(torch.cpu._is_avx512_bf16_supported())


def _clock() -> float:
    """Seconds of this process on a processor, or of the clock if another device does the work."""
    return time.process_time() if DEVICE == "cpu" else time.monotonic()


def _schedule(part: float, steps: int) -> float:
    """A short rise, then a cosine down to a fiftieth."""
    return min(1.0, (steps + 1) / 200) * (0.02 + 0.98 * (1 + math.cos(math.pi * part)) / 2)


def train(name: str, recipe: Recipe, *, published: bool = False) -> None:
    """Train one of the networks, from the saved state if there is one.

    Otherwise it starts from scratch, or from the `published` weights.
    """
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    net, loss, feed = _COURSES[name]
    if recipe.keep and name != "finder":
        raise ArtworkError(f"expected only the finder to be held to what it knew, got {name}")
    limit = 0 if name == "face" else recipe.scenes
    batches: Iterator[tuple[Tensor, ...]]
    supply: Supply
    if recipe.workers:
        batches = iter(_loader(Fed(feed, recipe, limit), recipe.workers))
        supply = Stored(limit)
    else:
        supply = pool = Pool(SCENES, limit)
        pool.refresh()
        batches = feed(pool, rng, recipe.batch)
    sample = next(batches)[0]
    if recipe.keep:
        teacher = published_teacher(FinderNet(), sample).to(DEVICE)
        loss = partial(distilled_loss, teacher, recipe.keep)
    run = Run(name, net(), loss, recipe, sample=sample if published else None)
    first = run.steps
    run.go(batches, supply)
    note(name, recipe, (first, run.steps), len(supply.scenes))


def _loader(fed: Fed, workers: int) -> DataLoader[tuple[Tensor, ...]]:
    return DataLoader(fed, None, num_workers=workers, prefetch_factor=8, pin_memory=DEVICE != "cpu")


@dataclass(frozen=True)
class Stored:
    """The scenes stored so far, which the workers take up by themselves."""

    limit: int

    @property
    def scenes(self) -> Sized:
        """As many as there are."""
        return range(min(self.limit, PER_SHARD * len(list(SCENES.glob("*.npz")))))

    def refresh(self, most: int = 1000) -> None:
        """Nothing to do."""


@dataclass(frozen=True)
class Fed(IterableDataset[tuple[Tensor, ...]]):
    """The batches of a feed: each worker that asks makes its own, of its share of the shards."""

    feed: Feed
    recipe: Recipe
    limit: int

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        """Endless batches; shards that appear are taken up now and then."""
        told = get_worker_info()
        which, of = (told.id, told.num_workers) if told else (0, 1)
        pool = Pool(SCENES, self.limit // of, (which, of))
        pool.refresh()
        rng = np.random.default_rng([self.recipe.seed, which])
        for number, batch in enumerate(self.feed(pool, rng, self.recipe.batch)):
            yield batch
            if number % 100 == 99:
                pool.refresh(2)


SCENES = WORK / "scenes" / "train"
"""Where the scenes to train on are stored."""


def average(name: str, older: Path, share: float) -> None:
    """Mix the saved state's weights, by this `share` (0..1), with those of an `older` state.

    What a network learns last it learns from drawings, and forgets a little about photographs;
    halfway between, it may read both.
    """
    kept = WORK / f"{name}.pt"
    before, after = (torch.load(path, map_location="cpu") for path in (older, kept))
    mixed = {
        key: torch.lerp(before["mean"][key], value, share) if value.is_floating_point() else value
        for key, value in after["mean"].items()
    }
    torch.save({"net": mixed, "mean": mixed, "steps": after["steps"]}, kept)
    steps = [int(before["steps"]), int(after["steps"])]
    run = {"network": name, "averaged": steps, "share": share, "steps": [steps[1], steps[1]]}
    with RUNS.open("a", encoding="utf-8") as runs:
        print(json.dumps(run), file=runs)


def _face_batches(_: Pool, rng: Rng, size: int) -> Iterator[tuple[Tensor, ...]]:
    return face_batches(rng, size)


_COURSES: dict[str, tuple[Callable[[], nn.Module], Loss, Feed]] = {
    "reader": (ReaderNet, reader_loss, reader_batches),
    "finder": (FinderNet, finder_loss, finder_batches),
    "face": (FaceNet, reader_loss, _face_batches),
}


RUNS = WORK / "runs.jsonl"
"""What was trained and how, one line per run; copied into the recipe with the weights."""


def taken_up(name: str) -> int:
    """Adopt the published runs, and return the number of steps the network was trained."""
    told = json.loads((WEIGHTS / "recipe.json").read_text(encoding="utf-8"))["runs"]
    if not RUNS.exists():
        RUNS.write_text("".join(json.dumps(run) + "\n" for run in told), encoding="utf-8")
    return max((int(run["steps"][1]) for run in told if run["network"] == name), default=0)


def note(
    name: str, recipe: Recipe, steps: tuple[int, int], scenes: int, *, layers: str = "all"
) -> None:
    """Add a line about a run to those copied into the recipe with the weights."""
    facts = {
        "network": name, "minutes": recipe.minutes, "rate": recipe.rate, "batch": recipe.batch,
        "seed": recipe.seed, "steps": steps, "scenes": scenes,
    }  # fmt: skip
    if recipe.keep:
        facts["keep"] = recipe.keep
    if layers != "all":
        facts["layers"] = layers
    with RUNS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(facts) + "\n")
