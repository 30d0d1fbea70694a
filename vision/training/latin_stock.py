"""Faces of Latin cards that are drawn while a network learns from them, and lit anew each time.

One process draws them (`supply`), the other takes them up as they come (`Stock`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vision.decide.latin import FINE
from vision.scene.courts import Picture
from vision.training.latin_faces import Sample
from vision.training.latin_marks import CELLS, Marks

Rng: TypeAlias = np.random.Generator
Pictures: TypeAlias = NDArray[np.uint8]


def lit(faces: Pictures, marks: Marks, rng: Rng) -> tuple[Pictures, Marks]:
    """Faces (N, 144, 96, 3) as a sensor sees them, and the maps of their signs.

    Each is in a light of random colour, brighter on one side, slightly moved, and mirrored or not.
    """
    many = len(faces), 1, 1, 1
    ramp = np.linspace(-1, 1, FINE[1], dtype=np.float32)[:, None, None]
    side = np.linspace(-1, 1, FINE[0], dtype=np.float32)[None, :, None]
    gain = np.exp(rng.normal(-0.35, 0.3, many)) * (1 + rng.normal(0, 0.1, (len(faces), 1, 1, 3)))
    slope = 1 + ramp * _normal(rng, 0.08, many) + side * _normal(rng, 0.06, many)
    haze = (rng.uniform(0, 25, many) * (rng.random(many) < 0.3)).astype(np.float32)
    ways = [(slice(None, None, one), slice(None, None, other))
            for one, other in rng.choice((1, -1), (len(faces), 2)).tolist()]  # fmt: skip
    turned = [_moved(face[way], rng) for face, way in zip(faces, ways, strict=True)]
    shown = np.stack(turned).astype(np.float32)
    shown *= slope
    shown *= gain.astype(np.float32)
    shown += _noise(shown.shape, rng) * rng.gamma(1.5, 2.0, many).astype(np.float32)
    shown += haze
    maps = np.stack([one[way] for one, way in zip(marks, ways, strict=True)])
    return np.asarray(np.clip(shown, 0, 255, out=shown), np.uint8), maps


def _normal(rng: Rng, spread: float, shape: tuple[int, ...]) -> NDArray[np.float32]:
    return np.asarray(rng.normal(0, spread, shape), np.float32)


@cache
def _grains() -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal(2**21, np.float32)


def _noise(shape: tuple[int, ...], rng: Rng) -> NDArray[np.float32]:
    """Noise of deviation 1, cut anywhere from the same supply: making it anew takes longer than a
    step of training."""
    each, supply = int(np.prod(shape[1:])), _grains()
    starts = rng.integers(len(supply) - each, size=shape[0])
    return np.stack([supply[start : start + each] for start in starts]).reshape(shape)


def _moved(face: Picture, rng: Rng) -> Picture:
    """Move a face by up to a pixel or two, as the corners found vary from one picture to the next,
    and stretch it as much."""
    stretch, by = rng.normal(1, MOVED, 2), rng.normal(0, MOVED, 2) * FINE
    lean = float(rng.normal(0, MOVED))
    shift = (1 - stretch) * FINE / 2 + by
    onto = np.array([(stretch[0], lean, shift[0]), (-lean, stretch[1], shift[1])])
    return np.asarray(
        cv2.warpAffine(np.ascontiguousarray(face), onto, FINE,
                       borderMode=cv2.BORDER_REPLICATE), np.uint8)  # fmt: skip


MOVED = 0.012
"""Deviation of that movement, as a share of the face. A choice: like `_straightened`."""


DRAWN, PART, LIVE, AHEAD = 5000, 2000, 50_000, 4
"""Faces drawn for a part, those that are about kept of them, most of them in memory, and how many
parts are drawn ahead. Choices: `Run` adds two every hundred steps, so that a face is seen two or
three times."""


@dataclass(slots=True, eq=False)
class Stock:
    """The faces (N, 144, 96, 3) drawn last, in even light, and what is known of them.

    They are stored in parts as they are drawn (`supply`), and the first ones are deleted as others
    come, so that no face is seen often.
    """

    folder: Path
    limit: int = LIVE
    """Most faces held in memory."""
    parts: dict[Path, Part] = field(default_factory=dict)

    @property
    def scenes(self) -> range:
        """As many as there are faces."""
        return range(sum(len(part.faces) for part in self.parts.values()))

    def refresh(self, most: int = 1000) -> None:
        """Add up to `most` parts, and drop what is too much."""
        fresh = [path for path in sorted(self.folder.glob("*.npz")) if path not in self.parts]
        last = max(self.parts, default=None)
        for path in [path for path in fresh if last is None or path > last][:most]:
            self.parts[path] = Part.load(path)
        while len(self.scenes) > self.limit:
            first = min(self.parts)
            del self.parts[first]
            first.unlink()

    def batches(self, size: int, rng: Rng) -> Iterator[tuple[Tensor, ...]]:
        """Endless batches: faces, in different light each time, their ranks and suits, and the maps
        of their signs with a 1 for each that is known, and what each face counts."""
        while True:
            parts = list(self.parts.values())
            chosen = [parts[int(place)] for place in rng.integers(len(parts), size=size)]
            places = [int(rng.integers(len(part.faces))) for part in chosen]
            faces, marks, known, labels, counts = (
                np.stack([getattr(part, name)[at] for part, at in zip(chosen, places, strict=True)])
                for name in Part.__slots__
            )
            shown, maps = lit(faces, marks, rng)
            yield tuple(map(torch.from_numpy, (shown, labels, maps, known, counts)))


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some hundreds of faces."""

    faces: Pictures
    marks: Marks
    """The maps (N, 48, 32, 2) of their signs."""
    known: NDArray[np.float32]
    """1 for each face (N,) whose signs are known, else 0."""
    labels: NDArray[np.int64]
    """Ranks and suits (N, 2)."""
    counts: NDArray[np.float32]
    """What each face (N,) counts, 1 on average: less if it was likelier to be kept (`judged`)."""

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> Part:
        """Those samples, which count alike."""
        faces, marks, labels = zip(*samples, strict=True)
        blank = np.zeros((*CELLS[::-1], 2), np.uint8)
        known = np.array([one is not None for one in marks], np.float32)
        maps = np.stack([blank if one is None else one for one in marks])
        alike = np.ones(len(faces), np.float32)
        return cls(np.stack(faces), maps, known, np.array(labels, np.int64), alike)

    @classmethod
    def load(cls, path: Path) -> Part:
        """The part stored there."""
        with np.load(path) as kept:
            return cls(*(kept[name] for name in cls.__slots__))

    def save(self, path: Path) -> None:
        """Store it, so that it is whole when it is there."""
        partial = path.with_suffix(".partial")
        with partial.open("wb") as file:
            np.savez(file, **{name: getattr(self, name) for name in self.__slots__})
        partial.replace(path)


Judge: TypeAlias = "Callable[[Part], NDArray[np.float64]]"
"""Says with what probability (N,) a network gives the right answer for each face."""
KEPT, BADLY = 0.25, 1.2
"""Share of the faces kept that are read with certainty, and how much larger it is for others.
Choices: two of five faces are kept, and none counts much more than others."""


def judged(part: Part, likely: NDArray[np.float64], rng: Rng) -> Part:
    """The faces worth learning from, by how `likely` (N,) their right answers are: most are read
    with certainty, and teach next to nothing."""
    share = np.minimum(1, KEPT + BADLY * np.sqrt(np.maximum(0, 1 - likely)))
    kept = np.flatnonzero(rng.random(len(share)) < share)
    counts = 1 / share[kept]
    names = (name for name in Part.__slots__ if name != "counts")
    cut = {name: getattr(part, name)[kept] for name in names}
    return Part(**cut, counts=(counts / counts.mean()).astype(np.float32))


def supply(samples: Iterator[Sample], folder: Path, judge: Judge) -> None:
    """Draw samples for ever, a few parts ahead of the process that learns from them."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(len(list(folder.iterdir())))
    while True:
        stored = sorted(folder.glob("*.npz"))
        if len(stored) * PART >= LIVE + AHEAD * PART:
            time.sleep(1)
            continue
        number = int(stored[-1].stem) + 1 if stored else 0
        drawn = Part.of(islice(samples, DRAWN))
        judged(drawn, judge(drawn), rng).save(folder / f"{number:05}.npz")
