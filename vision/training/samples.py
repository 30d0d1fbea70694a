"""From scenes to training data: patches with classes, and maps with targets."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vision.training.scenes import CELL, FACE, SIDE, Marks, Scene
from vision.training.shelf import Rng

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

WIDTH, HEIGHT, INDEX_PX = 48, 64, 40.0
"""Size of a patch, and height of an index in it, in pixels."""
READABLE, COVERED = 0.82, 0.45
"""Visible part from which an index is to be read, and below which it is not one; in between, a
person would hesitate too, and the networks are not asked."""
SMALLEST, LARGEST = 8.5, 64.0
"""Range of index heights to train on, in pixels."""
NONE = (14, 4)


def cut_patch(
    picture: Bytes, x: float, y: float, height: float, up: NDArray[np.float64], *, wide: float = 1.0
) -> Bytes:
    """The patch (64,48,3) at (x, y), rotated so that `up` points up and scaled by its `height`.

    The height becomes 40 pixels; `wide` is the factor by which the index is widened.
    """
    scale = height / INDEX_PX
    axes = np.array([[-up[1], -up[0]], [up[0], -up[1]]]) * scale * (1 / wide, 1.0)
    centre = np.array([x - 0.5, y - 0.5])
    shift = centre - axes @ np.array([(WIDTH - 1) / 2, (HEIGHT - 1) / 2])
    matrix = np.column_stack([axes, shift])
    patch = cv2.warpAffine(
        picture, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(patch, np.uint8)


def patches(scene: Scene, rng: Rng) -> tuple[list[Bytes], list[tuple[int, int]]]:
    """All indices of a scene, cut with jitter, and some negative samples, with their classes."""
    cut: list[Bytes] = []
    labels: list[tuple[int, int]] = []
    for mark in scene.marks:
        if not SMALLEST < mark["height"] < LARGEST or _outside(mark):
            continue
        clear = mark["visible"] >= READABLE
        if not clear and (mark["visible"] > COVERED or rng.random() < 0.2):
            continue
        if mark["height"] < 14 and rng.random() < 0.45:
            continue
        cut.append(_jittered(scene.picture, mark, rng, 0.0))
        labels.append((int(mark["rank"]), int(mark["suit"])) if clear else NONE)
        if clear and rng.random() < 0.12:
            cut.append(_displaced(scene.picture, mark, rng))
            labels.append(NONE)
    for _ in range(7):
        place = _elsewhere(scene, rng)
        if place is not None:
            cut.append(place)
            labels.append(NONE)
    return cut, labels


def _outside(mark: NDArray[np.void]) -> bool:
    return not (0 < mark["x"] < SIDE and 0 < mark["y"] < SIDE)


def _turned(up: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(turn @ up, np.float64)


def _jittered(picture: Bytes, mark: NDArray[np.void], rng: Rng, degrees: float) -> Bytes:
    """An index as a finder may deliver it: slightly off, rotated and scaled."""
    height = float(mark["height"])
    up = np.array([mark["up_x"], mark["up_y"]], np.float64)
    off = rng.uniform(-0.08, 0.08, 2) * height
    return cut_patch(
        picture, mark["x"] + off[0], mark["y"] + off[1],
        height * float(np.exp(rng.uniform(-0.12, 0.12))),
        _turned(up, degrees + float(np.clip(rng.normal(0, 5), -13, 13))),
        # A slanted camera or a strange lens squeezes what it sees.
        wide=float(np.exp(rng.normal(0, 0.08))),
    )  # fmt: skip


def _displaced(picture: Bytes, mark: NDArray[np.void], rng: Rng) -> Bytes:
    """An index upside down, on its side, or half outside the patch: class none."""
    height = float(mark["height"])
    up = np.array([mark["up_x"], mark["up_y"]], np.float64)
    if rng.random() < 0.5:
        return _jittered(picture, mark, rng, float(rng.choice([180, 180, 90, 270])))
    away = _turned(up, float(rng.uniform(0, 360))) * height * float(rng.uniform(0.5, 0.9))
    return cut_patch(picture, mark["x"] + away[0], mark["y"] + away[1], height, up)


def _elsewhere(scene: Scene, rng: Rng) -> Bytes | None:
    """A place without an index: mostly on a face (pips, courts, edges), in any direction."""
    on_face = np.argwhere(scene.cover == FACE)
    if len(on_face) and rng.random() < 0.75:
        row, column = on_face[int(rng.integers(len(on_face)))]
        x, y = (float(column) + rng.random()) * CELL, (float(row) + rng.random()) * CELL
    else:
        x, y = (float(v) for v in rng.uniform(0, SIDE, 2))
    marks = scene.marks
    height = float(np.exp(rng.uniform(np.log(9), np.log(46))))
    up = _turned(np.array([0.0, -1.0]), float(rng.uniform(0, 360)))
    if len(marks):
        near = np.hypot(marks["x"] - x, marks["y"] - y) < 0.55 * marks["height"]
        if (near & (marks["visible"] > COVERED)).any():
            return None
        # The true scale and an upright direction make the hardest wrong places.
        some = marks[int(rng.integers(len(marks)))]
        height = float(some["height"]) * float(np.exp(rng.normal(0, 0.3)))
        if rng.random() < 0.6:
            up = _turned(
                np.array([some["up_x"], some["up_y"]], np.float64), float(rng.normal(0, 8))
            )
    return cut_patch(scene.picture, x, y, min(max(height, 8.0), 70.0), up)


def photometric(batch: Tensor) -> Tensor:
    """Patches or faces (N,H,W,3), bytes, each with small changes of brightness, contrast, cast and
    grain, as numbers from 0 to 255; made where the batch lies, as a processor would be busy."""
    many, place = (len(batch), 1, 1), batch.device
    gain = torch.exp(0.12 * _randn(*many, 3, at=place) + 0.15 * _randn(*many, 1, at=place))
    lift = 9 * _randn(*many, 1, at=place)
    strength = _GRAIN.sample((*many, 1)).to(place)
    grain = _randn(*batch.shape, at=place) * strength
    return (batch.float() * gain + lift + grain).clamp(0, 255)


def exposed(batch: Tensor) -> Tensor:
    """The same for whole pictures (N,H,W,3), which differ less from one another."""
    many, place = (len(batch), 1, 1), batch.device
    gain = torch.exp(0.12 * _randn(*many, 1, at=place) + 0.06 * _randn(*many, 3, at=place))
    lift = 7 * _randn(*many, 1, at=place)
    return (batch.float() * gain + lift).clamp(0, 255)


def _randn(*shape: int, at: torch.device) -> Tensor:
    return torch.randn(shape, device=at)


_GRAIN = torch.distributions.Gamma(1.2, 1 / 2.5)
"""How strong the grain of a patch is, in levels."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The finder's targets for one picture, on cells of four by four pixels."""

    heat: Floats
    """1 at an index (H,W), falling off around it."""
    care: Floats
    """0 where the heat is not judged (H,W), as at half-covered indices."""
    near: Floats
    """Weight of the five shape values (H,W), 0 away from indices."""
    values: Floats
    """Offset x and y in cells, up x and y, log2 of height over 16 (5,H,W)."""


def targets(marks: Marks, cells: int = SIDE // CELL) -> Targets:
    """The maps for a picture's indices."""
    heat = np.zeros((cells, cells), np.float32)
    care = np.ones((cells, cells), np.float32)
    near = np.zeros((cells, cells), np.float32)
    values = np.zeros((5, cells, cells), np.float32)
    for mark in marks:
        if mark["visible"] <= COVERED - 0.15 or _outside(mark):
            continue
        x, y, height = float(mark["x"]) / CELL, float(mark["y"]) / CELL, float(mark["height"])
        spread = float(np.clip(0.065 * height / CELL, 0.55, 1.0))
        window, apart = _window(x, y, cells, 3.2 * spread + 1)
        bell = np.exp(-(apart[0] ** 2 + apart[1] ** 2) / (2 * spread**2))
        if mark["visible"] < READABLE - 0.08 or not SMALLEST < height < LARGEST:
            care[window] = np.minimum(care[window], bell < 0.05)
            continue
        heat[window] = np.maximum(heat[window], bell)
        closer = bell > near[window]
        near[window] = np.where(closer, bell, near[window])
        filled = (apart[0], apart[1], mark["up_x"], mark["up_y"], np.log2(height / 16))
        for channel, value in enumerate(filled):
            values[(channel, *window)] = np.where(closer, value, values[(channel, *window)])
        column, row = min(int(x), cells - 1), min(int(y), cells - 1)
        heat[row, column] = 1.0
        care[row, column] = 1.0
    near[near < 0.1] = 0
    return Targets(heat, care, near, values)


def _window(
    x: float, y: float, cells: int, reach: float
) -> tuple[tuple[slice, slice], tuple[Floats, Floats]]:
    """The cells around a place, and the offset from each cell's centre to the place."""
    columns = slice(max(int(x - reach), 0), min(int(x + reach) + 1, cells))
    rows = slice(max(int(y - reach), 0), min(int(y + reach) + 1, cells))
    across = x - (np.arange(columns.start, columns.stop, dtype=np.float32) + 0.5)
    down = y - (np.arange(rows.start, rows.stop, dtype=np.float32) + 0.5)
    shape = (len(down), len(across))
    return (rows, columns), (
        np.broadcast_to(across[None, :], shape),
        np.broadcast_to(down[:, None], shape),
    )


def quarter_turned(scene: Scene, turns: int) -> Scene:
    """The scene rotated by quarter turns, counter-clockwise as seen."""
    marks = scene.marks.copy()
    for _ in range(turns % 4):
        x, up_x = marks["x"].copy(), marks["up_x"].copy()
        marks["x"], marks["y"] = marks["y"], SIDE - x
        marks["up_x"], marks["up_y"] = marks["up_y"], -up_x
    return Scene(np.rot90(scene.picture, turns), marks, np.rot90(scene.cover, turns))


def nearer(scene: Scene, rng: Rng) -> Scene:
    """A part of the scene, enlarged to its whole size: another distance, and a softer focus."""
    zoom = float(rng.uniform(1.0, NEAREST))
    left, top = rng.uniform(0, SIDE * (1 - 1 / zoom), 2)
    onto = np.array([(zoom, 0, -left * zoom), (0, zoom, -top * zoom)])
    picture = cv2.warpAffine(scene.picture, _centred(onto), (SIDE, SIDE), flags=cv2.INTER_LINEAR)
    cells = SIDE // CELL
    coarse = onto * (1, 1, 1 / CELL)
    cover = cv2.warpAffine(scene.cover, _centred(coarse), (cells, cells), flags=cv2.INTER_NEAREST)
    marks = scene.marks.copy()
    marks["x"], marks["y"] = (marks["x"] - left) * zoom, (marks["y"] - top) * zoom
    marks["height"] *= zoom
    return Scene(np.asarray(picture, np.uint8), marks, np.asarray(cover, np.uint8))


NEAREST = 1.5
"""How far a scene is enlarged at most. A choice: as blurred as a picture out of focus."""


def _centred(onto: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same way for pixels, whose centres lie half a pixel inside their corners."""
    moved = onto.copy()
    moved[:, 2] += 0.5 * (onto[:, :2].sum(axis=1) - 1)
    return moved
