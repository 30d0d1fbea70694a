"""Score the exported networks on generated scenes in typefaces never used for training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from numpy.typing import NDArray

from vision.training import samples
from vision.training.export import WEIGHTS
from vision.training.scenes import CELL, Marks, Scene, read_shard
from vision.training.sources import WORK

_BANDS = ((9, 14), (14, 20), (20, 28), (28, 46))
"""Ranges of index heights in pixels, scored separately."""
_HEAT = 0.3


@dataclass
class Tally:
    """Counts by range of index height."""

    seen: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def add(self, band: str, right: bool) -> None:
        """Count one more question."""
        self.seen[band] += 1
        self.right[band] += right

    def rates(self) -> dict[str, float]:
        """The share that was right, by range."""
        return {band: round(self.right[band] / count, 4) for band, count in self.seen.items()}


def _band(height: float) -> str:
    for low, high in _BANDS:
        if low <= height < high:
            return f"{low}-{high} px"
    return "other"


def _session(name: str) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        str(WEIGHTS / f"{name}.onnx"), options, providers=["CPUExecutionProvider"]
    )


def score(limit: int = 768) -> dict[str, object]:
    """Everything that `recipe.json` says about the quality of the weights."""
    scenes = _scenes(limit)
    return {
        "validation_scenes": len(scenes),
        "reader": score_reader(scenes),
        "finder": score_finder(scenes),
    }


def _scenes(limit: int) -> list[Scene]:
    scenes: list[Scene] = []
    for path in sorted((WORK / "scenes" / "validation").glob("*.npz")):
        scenes += read_shard(path)
    return scenes[:limit]


def score_reader(scenes: Iterable[Scene]) -> dict[str, object]:
    """Accuracy on whole indices, and how often something else is mistaken for one."""
    session, rng = _session("reader"), np.random.default_rng(5)
    rank, suit, both, none = Tally(), Tally(), Tally(), Tally()
    for scene in scenes:
        cut, labels = samples.patches(scene, rng)
        if not cut:
            continue
        ranks, suits = session.run(["rank", "suit"], {"patches": np.stack(cut)})
        for label, r, s in zip(labels, ranks.argmax(1), suits.argmax(1), strict=True):
            if label[0] == 14:
                none.add("all", bool(r == 14))
                continue
            rank.add("all", bool(r == label[0]))
            suit.add("all", bool(s == label[1]))
            both.add("all", (int(r), int(s)) == label)
    tallies = {"rank": rank, "suit": suit, "both": both, "none": none}
    return {name: tally.rates() for name, tally in tallies.items()}


def score_finder(scenes: Iterable[Scene]) -> dict[str, object]:
    """How many whole indices are found, and how many finds are false alarms."""
    session = _session("finder")
    found, extra = Tally(), Tally()
    tilts: list[float] = []
    for scene in scenes:
        (maps,) = session.run(["maps"], {"frame": scene.picture[None]})
        peaks = _peaks(maps[0])
        for mark in scene.marks:
            if mark["visible"] < 0.95 or not 9 <= mark["height"] < 46:
                continue
            hit = _nearest(peaks, mark)
            found.add(_band(float(mark["height"])), hit is not None)
            if hit is not None:
                turned = float(np.dot(hit[2:4], (mark["up_x"], mark["up_y"])))
                tilts.append(float(np.degrees(np.arccos(np.clip(turned, -1, 1)))))
        for peak in peaks:
            extra.add("all", not _explained(peak, scene.marks))
    return {
        "found": found.rates(),
        "peaks_without_index": extra.rates(),
        "direction_error_degrees_p95": round(float(np.percentile(tilts, 95)), 2),
    }


def _peaks(maps: NDArray[np.float32]) -> NDArray[np.float64]:
    """The x, y, up x, up y and height (N,5) of every local maximum of the heat."""
    heat = maps[0]
    padded = np.pad(heat, 1)
    around = np.max(
        [padded[dy : dy + heat.shape[0], dx : dx + heat.shape[1]] for dy in range(3)
         for dx in range(3)], axis=0,
    )  # fmt: skip
    rows, columns = np.nonzero((heat >= around) & (heat > _HEAT))
    values = maps[1:6, rows, columns]
    x, y = (columns + 0.5 + values[0]) * CELL, (rows + 0.5 + values[1]) * CELL
    return np.stack([x, y, values[2], values[3], 16 * 2 ** values[4]], axis=1).astype(np.float64)


def _nearest(peaks: NDArray[np.float64], mark: NDArray[np.void]) -> NDArray[np.float64] | None:
    """The peak that finds a mark: close enough, the right way up and of about its size."""
    for peak in peaks:
        apart = np.hypot(peak[0] - mark["x"], peak[1] - mark["y"])
        upright = peak[2] * mark["up_x"] + peak[3] * mark["up_y"]
        sized = 0.75 < peak[4] / mark["height"] < 1.33
        if apart < 0.25 * mark["height"] and upright > 0.85 and sized:
            return np.asarray(peak, np.float64)
    return None


def _explained(peak: NDArray[np.float64], marks: Marks) -> bool:
    if not len(marks):
        return False
    apart = np.hypot(marks["x"] - peak[0], marks["y"] - peak[1])
    return bool(((apart < 0.5 * marks["height"]) & (marks["visible"] > 0.3)).any())
