"""Measure the noise of cameras at rest: real films, photographs and simulated sensors.

``python -m tests.films.noise`` applies one measure to the films under `MAZZIERE_FILMS`, the
photographs under `MAZZIERE_PHOTOS` and every simulated sensor, and prints the results side by side.
The constants of `vision.scene.sensor` cite its rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.rehearsal.setting import filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import Card
from tests.films.sources import films, photographs
from vision.scene.items import Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera

Frame = NDArray[np.uint8]
Field = NDArray[np.float32]

BLOCK = 16
"""Side of a block in pixels: a macroblock of every codec here, and small compared with a card."""
CALM = 0.4
"""Share of a frame's blocks, calmest first, that counts as at rest: in every film here, hands and
cards cover less than the remainder."""
LEVELS = (0, 64, 128, 192, 256)
"""Boundaries of the brightness bins."""
SPECK_LEVELS, WATCHED = 12, 320
"""Change at which the tracker counts a pixel as changed, and the longer side of the picture that it
watches."""
FILM_S = 12.0
"""Length of film that is measured, real or simulated."""
SIMULATED_HZ = 15.0
LAID = "QS 5D 7C 3D AC 4H JD 2S"


@dataclass
class Restlessness:
    """How the picture changes from frame to frame where nothing moves."""

    sigma: dict[int, list[float]] = field(default_factory=lambda: {low: [] for low in LEVELS[:-1]})
    """Temporal noise in levels of 255, by brightness."""
    frozen: list[float] = field(default_factory=list)
    """Share of blocks that equal the last frame's bit by bit: those that a codec skipped."""
    grain: list[float] = field(default_factory=list)
    """Correlation between the changes of horizontally adjacent pixels."""
    specks: list[float] = field(default_factory=list)
    """Changed pixels per 10,000 pixels at rest of the watched picture."""
    bands: list[float] = field(default_factory=list)
    """Spread of the rows' brightness relative to the last frame, percent: mains flicker."""
    exposure: list[float] = field(default_factory=list)
    """Change of the whole picture's brightness, percent."""
    balance: list[float] = field(default_factory=list)
    """Change of blue relative to red, percent."""
    gaps: list[float] = field(default_factory=list)
    """Milliseconds between frames."""

    def take(self, before: Frame, now: Frame, gap_ms: float) -> None:
        """Take in two successive frames."""
        self.gaps.append(gap_ms)
        one, two = (_blocks(_luma(each)) for each in (before, now))
        change = two - one
        restless = change.std(axis=(2, 3))
        calm = restless <= np.quantile(restless, CALM)
        self.frozen.append(float(100 * (np.abs(change).max(axis=(2, 3))[calm] == 0).mean()))
        level = two.mean(axis=(2, 3))
        for low, high in pairwise(LEVELS):
            inside = calm & (level >= low) & (level < high)
            if inside.sum() >= 20:
                self.sigma[low].append(float(np.median(restless[inside]) / np.sqrt(2)))
        self.grain.append(_neighbours(change[calm]))
        self.specks.append(_specks(before, now, calm))
        self._light(before, now, calm)

    def _light(self, before: Frame, now: Frame, calm: NDArray[np.bool_]) -> None:
        means = [_blocks(each).mean(axis=(2, 3)) for each in (before, now)]
        ratio = (means[1] + 1) / (means[0] + 1)  # (rows, columns, 3)
        grey = np.where(calm, ratio[..., 1], np.nan)
        kept = np.isfinite(grey).sum(axis=1) >= 4
        rows = np.nanmedian(grey[kept], axis=1)
        self.exposure.append(float(100 * abs(np.nanmedian(grey) - 1)))
        if len(rows) > 8:
            self.bands.append(float(100 * (rows - np.median(rows)).std()))
        colour = ratio[..., 0] / ratio[..., 2]
        self.balance.append(float(100 * abs(np.median(colour[calm]) - 1)))

    def row(self) -> list[str]:
        """The figures as the cells of a table row."""
        bins = [f"{np.median(found):.2f}" if found else "-" for found in self.sigma.values()]
        gaps = np.array(self.gaps)
        late = 100 * float((gaps > 1.5 * np.median(gaps)).mean())
        return [
            *bins,
            *(
                f"{np.mean(values):.2f}" if values else "-"
                for values in (self.frozen, self.grain, self.specks, self.bands)
            ),
            *(f"{np.quantile(values, 0.9):.2f}" for values in (self.exposure, self.balance)),
            f"{np.median(gaps):.0f}",
            f"{late:.0f}",
        ]


HEADS = (
    "source",
    *(f"s{low}" for low in LEVELS[:-1]),
    *("frozen%", "grain", "specks", "bands%", "gain%", "b/r%", "gap ms", "late%"),
)


def _luma(frame: Frame) -> Frame:
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


def _blocks(picture: Frame) -> Field:
    """The picture as floats (rows, columns, BLOCK, BLOCK[, channels])."""
    high, wide = (side // BLOCK for side in picture.shape[:2])
    cut = picture[: high * BLOCK, : wide * BLOCK].astype(np.float32)
    split = cut.reshape(high, BLOCK, wide, BLOCK, *picture.shape[2:])
    return np.asarray(split.swapaxes(1, 2), np.float32)


def _neighbours(change: Field) -> float:
    """Mean correlation between the changes of horizontally adjacent pixels, in blocks (n, B, B)."""
    steady = change - change.mean(axis=(1, 2), keepdims=True)
    power = float((steady**2).mean())
    return float((steady[:, :, 1:] * steady[:, :, :-1]).mean()) / power if power > 1e-6 else 0.0


def _specks(before: Frame, now: Frame, calm: NDArray[np.bool_]) -> float:
    scale = WATCHED / max(now.shape[:2])
    small = [
        cv2.resize(each, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        for each in (before, now)
    ]
    high, wide = small[0].shape[:2]
    rest = cv2.resize(calm.astype(np.uint8), (wide, high), interpolation=cv2.INTER_NEAREST) > 0
    changed = (cv2.absdiff(small[0], small[1]) > SPECK_LEVELS).any(axis=2)
    return 1e4 * float((changed & rest).sum()) / float(rest.sum())


def measured(pictures: Iterable[tuple[float, Frame]]) -> Restlessness:
    """The noise of pictures with their times in seconds."""
    found = Restlessness()
    for (earlier, before), (later, now) in pairwise(pictures):
        found.take(before, now, 1000 * (later - earlier))
    return found


def film(path: Path) -> Iterator[tuple[float, Frame]]:
    """A film's pictures with their own times, in seconds."""
    capture = cv2.VideoCapture(str(path))
    while capture.grab():
        time_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        if time_s > FILM_S:
            break
        yield time_s, np.asarray(capture.retrieve()[1], np.uint8)
    capture.release()


def photograph(path: Path) -> list[float | None]:
    """Spatial noise of a photograph's flattest blocks by brightness, levels of 255."""
    picture = cv2.imread(str(path))
    if picture is None:
        return [None] * (len(LEVELS) - 1)
    grey = _luma(np.asarray(picture, np.uint8)).astype(np.float32)
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    rough = _blocks(np.asarray(cv2.filter2D(grey, -1, kernel), np.float32)).std(axis=(2, 3)) / 6
    level = _blocks(np.asarray(grey, np.float32)).mean(axis=(2, 3))
    found: list[float | None] = []
    for low, high in pairwise(LEVELS):
        inside = rough[(level >= low) & (level < high)]
        # Flat areas only: cloth has a structure of its own, paper hardly any.
        found.append(float(np.quantile(inside, 0.1)) if len(inside) >= 50 else None)
    return found


def simulated(sensor: str, seed: int = 0) -> Iterator[tuple[float, Frame]]:
    """A simulated table at rest with eight cards, as a sensor sees it."""
    table = Tabletop(filmed(setting(seed), SENSORS[sensor]), seed=seed)
    for place, card in enumerate(LAID.split()):
        pose = Pose(200.0 + 110 * place, 200.0 + 40 * (place % 3), 7.0 * place)
        table.bring(table.piece(Card.parse(card)), pose, now=-60.0)
    camera = SimulatedCamera(SENSORS[sensor], seed)
    number = 0
    while True:
        now = number / SIMULATED_HZ
        camera.lock()
        for picture, time_s in camera.pictures(table.frame, now, still=True):
            yield time_s, picture
        number += 1


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=90, help="frames of each simulated sensor")
    options = parser.parse_args()
    print("".join(f"{head:>9}" if place else f"{head:26}" for place, head in enumerate(HEADS)))
    for path in films():
        _print(path.name, measured(film(path)))
    for name in SENSORS:
        _print(f"simulated {name}", measured(islice(simulated(name), options.frames)))
    for folder, paths in photographs().items():
        rows = [photograph(path) for path in paths]
        cells = [[one for one in column if one is not None] for column in zip(*rows, strict=True)]
        print(f"{folder:26}" + "".join(f"{np.median(c):9.2f}" if c else "        -" for c in cells))


def _print(name: str, found: Restlessness) -> None:
    print(f"{name:26}" + "".join(f"{cell:>9}" for cell in found.row()), flush=True)


if __name__ == "__main__":
    main()
