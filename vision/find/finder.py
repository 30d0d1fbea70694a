"""Find where indices are, their orientation and size, and where card faces and backs lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find.ground import places
from vision.find.tiles import MULTIPLE, tiles
from vision.network import Run
from vision.picture.geometry import Box, Floats, Frame
from vision.picture.pyramid import Pyramid

STRIDE = 4
"""Stride of the finder's maps: input pixels per cell, each way. Follows from how the network was
built."""
MAPS = 8
"""The number of maps: see `Published` in `vision.training.networks`. Follows from how the network
was built."""
AT_ONCE = 700_000
"""Most input pixels processed at once: each takes some 30 bytes of memory. A choice;
`python -m tests.dealt_table` judges it."""
AT_ONCE_LIVE = 400_000
"""The same for a camera that runs all evening on a board with little memory: 1920 by 1080 is
processed in more parts. A choice; `python -m tests.benchmarks table` tells the memory."""
HEAT = 0.25
"""Minimum heat at which a cell may hold an index. The reader's "none" class rejects false finds, so
this favours recall over precision. Measured by `python -m tests.thresholds`."""
ACROSS, ALONG = 0.22, 0.6
"""Minimum distance of two parallel indices in index heights: across (a tight fan) and along (no
index has another directly above it). A choice; `python -m tests.dealt_table` judges it."""
PARALLEL, ONE_PRINT = 0.7, 0.45
"""Minimum cosine at which two indices count as parallel, and the distance in index heights below
which two that are not are two opinions on the same print. A choice; `python -m tests.dealt_table`
judges it."""
ALIKE = 1.6
"""Largest size ratio at which indices suppress each other: a court figure or a large pip found at
another scale says nothing about the index next to it. A choice; `python -m tests.dealt_table`
judges it."""
LARGEST, SMALLEST = 48.0, 8.0
"""Range of index heights, in input pixels, that the finder was trained on. Follows from what the
network was trained on."""
MOST = 400
"""Most indices considered, more than any table shows: bounds the work a cluttered picture can
cause. A choice; `python -m tests.dealt_table` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Indices:
    """Indices found in a picture, best first, as arrays of length N.

    `centres` (N, 2) in pixels; `ups` (N, 2) unit vectors from suit sign to rank; `heights` (N,) in
    pixels from the top of the rank to the bottom of the suit sign; `scores` (N,) 0..1.
    """

    centres: Floats
    ups: Floats
    heights: Floats
    scores: Floats

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, which: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Self:
        return type(self)(
            self.centres[which], self.ups[which], self.heights[which], self.scores[which]
        )

    @classmethod
    def none(cls) -> Self:
        """No indices."""
        return cls(*(np.zeros(shape, np.float32) for shape in ((0, 2), (0, 2), 0, 0)))

    @classmethod
    def joined(cls, parts: Sequence[Indices]) -> Self:
        """The indices of all `parts`, best first."""
        whole = cls.stacked(parts)
        return whole[np.argsort(-whole.scores, kind="stable")]

    @classmethod
    def stacked(cls, parts: Sequence[Indices]) -> Self:
        """The indices of all `parts`, in the order given."""
        if not parts:
            return cls.none()
        fields = ("centres", "ups", "heights", "scores")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in fields))

    @property
    def rights(self) -> Floats:
        """Unit vectors (N, 2) to the right of each upright index."""
        return np.stack([-self.ups[:, 1], self.ups[:, 0]], axis=1)

    def within(self, discs: Floats, share: float) -> NDArray[np.bool_]:
        """Which of the indices (N,) have their centre within this share of the radius of one of the
        `discs` (M, 3), centres and radii in pixels."""
        away = np.linalg.norm(self.centres[:, None] - discs[None, :, :2], axis=2)
        return np.asarray((away < share * discs[:, 2]).any(axis=1), np.bool_)

    def reaching(self, box: Box) -> NDArray[np.bool_]:
        """Which of the indices (N,) lie in a box of the picture or extend into it."""
        reach = self.heights[:, None] / 2
        first, last = (box.x, box.y), (box.x + box.width, box.y + box.height)
        inside = (self.centres + reach >= first) & (self.centres - reach < last)
        return np.asarray(inside.all(axis=1), np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Where card faces and backs lie: probabilities (h, w) in cells over a part of the picture.

    A point (x, y) of the picture falls into the cell ((x - left) * scale, (y - top) * scale).
    """

    face: Floats
    back: Floats
    box: Box
    scale: float

    def sample(self, points: Floats, *, back: bool = False) -> Floats:
        """The probabilities (N,) of face (or back) at `points` (N, 2); NaN outside the part."""
        rows, columns, inside = self._cells(points)
        field = self.back if back else self.face
        return np.where(inside, field[rows, columns], np.float32("nan"))

    def shown(self, points: Floats) -> Floats:
        """The probabilities (N,) of a face or back at `points` (N, 2); NaN outside the part."""
        rows, columns, inside = self._cells(points)
        likelier = np.maximum(self.face[rows, columns], self.back[rows, columns])
        return np.where(inside, likelier, np.float32("nan"))

    def _cells(
        self, points: Floats
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
        """The rows and columns (N,) of the cells nearest to `points`, and which are inside."""
        height, width = self.face.shape
        across = (points[:, 0] - self.box.x) * self.scale
        down = (points[:, 1] - self.box.y) * self.scale
        inside = (across >= 0) & (across < width) & (down >= 0) & (down < height)
        rows = np.clip(down, 0, height - 1).astype(np.intp)
        return rows, np.clip(across, 0, width - 1).astype(np.intp), inside

    def patched(self, parts: Iterable[tuple[Box, Areas]]) -> Areas:
        """These areas, with the given boxes replaced by fresh ones of the same scale."""
        face, back = self.face.copy(), self.back.copy()
        for box, fresh in parts:
            rows = self._span(box.y - self.box.y, box.height, 0)
            columns = self._span(box.x - self.box.x, box.width, 1)
            top = max(0, rows.start - round((fresh.box.y - self.box.y) * self.scale))
            left = max(0, columns.start - round((fresh.box.x - self.box.x) * self.scale))
            for field, values in ((face, fresh.face), (back, fresh.back)):
                into = field[rows, columns]
                part = values[top:, left:][: into.shape[0], : into.shape[1]]
                into[: part.shape[0], : part.shape[1]] = part
        return replace(self, face=face, back=back)

    def _span(self, first: int, length: int, axis: int) -> slice:
        """The cells covering `length` pixels from `first`."""
        start = max(0, round(first * self.scale))
        return slice(start, min(self.face.shape[axis], round((first + length) * self.scale)))


@dataclass(frozen=True, slots=True, eq=False)
class Find:
    """What the finder sees in one part of a picture at one scale."""

    indices: Indices
    areas: Areas


class Finder:
    """The first network: finds indices, faces and backs in a part of a picture.

    Parts larger than `at_once` input pixels are processed piece by piece.
    """

    def __init__(self, network: Run, *, at_once: int = AT_ONCE) -> None:
        self._network = network
        self._at_once = at_once

    def find(self, pyramid: Pyramid, box: Box, scale: float, discs: Floats | None = None) -> Find:
        """Search the part `box` of a picture at this scale, skipping bare ground and `discs` (N, 3)
        that lie on it."""
        found = [
            (place, self._find(pyramid, place, scale))
            for place in places(pyramid, box, scale, discs)
        ]
        if len(found) == 1 and found[0][0] == box:
            return found[0][1]
        rows, columns = (max(1, ceil(side * scale / STRIDE)) for side in (box.height, box.width))
        bare = np.zeros((rows, columns), np.float32)
        areas = Areas(bare, bare, box, scale / STRIDE)
        areas = areas.patched((part, one.areas) for part, one in found)
        if len(found) == 1:
            return Find(found[0][1].indices, areas)
        return Find(suppressed(Indices.joined([one.indices for _, one in found])[:MOST]), areas)

    def _find(self, pyramid: Pyramid, box: Box, scale: float) -> Find:
        part = pyramid.scaled(box, scale)
        height, width = part.shape[:2]
        maps = self._maps(part)
        # Rounding to whole pixels makes the true scales differ from the requested one.
        scales = np.array([width / box.width, height / box.height], np.float32)
        rows, columns = -(-height // STRIDE), -(-width // STRIDE)
        cells = maps[:, :rows, :columns]
        indices = _onto_frame(decode(cells), box, scales)
        # Copied, so that the other maps need not be kept.
        face, back = cells[6].copy(), cells[7].copy()
        areas = Areas(face, back, box, float(scales.mean()) / STRIDE)
        return Find(indices[box.holds(indices.centres)], areas)

    def _maps(self, picture: Frame) -> Floats:
        """The network's maps (8, h, w) of a picture that is padded to multiples of `MULTIPLE`."""
        height, width = (-(-side // MULTIPLE) * MULTIPLE for side in picture.shape[:2])
        parts = tiles(width, height, self._at_once)
        if len(parts) == 1:
            (maps,) = self._network(_padded(picture)[None])
            return np.asarray(maps[0])
        whole: Floats = np.empty((MAPS, height // STRIDE, width // STRIDE), np.float32)
        for tile in parts:
            (maps,) = self._network(_padded(tile.seen.cut(picture))[None])
            tile.keep(maps[0], whole, STRIDE)
        return whole


def decode(maps: Floats) -> Indices:
    """The indices in the finder's maps (8, h, w), in pixels of its input."""
    heat = maps[0]
    peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat >= HEAT)
    rows, columns = np.nonzero(peak)
    values = maps[:, rows, columns]
    centres = (np.stack([columns, rows]) + values[1:3] + 0.5) * STRIDE
    ups = values[3:5] / np.maximum(np.linalg.norm(values[3:5], axis=0), 1e-6)
    heights = 16 * np.exp2(values[5])
    found = Indices(centres.T.astype(np.float32), ups.T.astype(np.float32), heights, values[0])
    trained = np.flatnonzero((heights >= SMALLEST) & (heights <= LARGEST))
    best = trained[np.argsort(-values[0, trained], kind="stable")]
    return suppressed(found[best[:MOST]])


def suppressed(indices: Indices) -> Indices:
    """Non-maximum suppression: `indices` (best first) without those that a better one explains.

    How far an index suppresses its neighbours depends on the direction: `ACROSS` and `ALONG` it, in
    index heights.
    """
    return indices[unexplained(indices)]


def unexplained(indices: Indices) -> NDArray[np.bool_]:
    """Which of the `indices` (N,), best first, are not explained by a better one."""
    near = _near(indices)
    keep = np.ones(len(indices), np.bool_)
    for number in range(len(indices)):
        if keep[number]:
            keep[number + 1 :] &= ~near[number, number + 1 :]
    return keep


def _near(indices: Indices) -> NDArray[np.bool_]:
    """Which indices (N, N) are close enough to explain each other."""
    between = indices.centres[None] - indices.centres[:, None]
    between = between / np.maximum(indices.heights, 1e-6)[:, None, None]
    sideways = np.einsum("ijk,ik->ij", between, indices.rights)
    lengthways = np.einsum("ijk,ik->ij", between, indices.ups)
    aligned = indices.ups @ indices.ups.T > PARALLEL
    # Two indices at one place in different directions are two opinions on the same print.
    reach = np.where(aligned, ACROSS, ONE_PRINT)
    sizes = indices.heights[:, None], indices.heights[None]
    alike = np.maximum(*sizes) < ALIKE * np.minimum(*sizes)
    result: NDArray[np.bool_] = alike & ((sideways / reach) ** 2 + (lengthways / ALONG) ** 2 < 1)
    return result


def _padded(part: Frame) -> Frame:
    height, width = part.shape[:2]
    down, right = -height % MULTIPLE, -width % MULTIPLE
    # Next to a black rim the finder sees a card at one place in thirty; next to a mirrored one, at
    # one in a hundred.
    padded = cv2.copyMakeBorder(part, 0, down, 0, right, cv2.BORDER_REFLECT_101)
    return np.asarray(padded, np.uint8)


def _onto_frame(indices: Indices, box: Box, scales: Floats) -> Indices:
    # The centre of the first pixel is at 0 in the picture, half a pixel from its edge.
    centres = indices.centres / scales + (box.x - 0.5, box.y - 0.5)
    heights = indices.heights / scales.mean()
    return Indices(centres.astype(np.float32), indices.ups, heights, indices.scores)
