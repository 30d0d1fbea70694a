"""What was learned of the sizes of a set's chips on one table, kept in a file between evenings.

It holds for one set under one camera: a set that was taught again, or a table that was calibrated
anew, starts from nothing.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Self

import numpy as np

from vision.chips.chip_set import ChipSet
from vision.chips.gauge import COMMON, SUPPOSED, Gauge
from vision.chips.standpoint import Standpoint
from vision.errors import ProfileError
from vision.picture import stored
from vision.picture.stored import opened

_VERSION = 1
"""Version of the file format. A choice, raised with each change of the format."""
_UNPACKED_MOST = 10_000_000
"""Maximum size of an unpacked file, in bytes: a set of a hundred values takes four million. A
choice."""


@dataclass(frozen=True, slots=True)
class GaugeFile:
    """The file for one set under one camera; `mark` identifies the two."""

    path: Path
    mark: str

    @classmethod
    def of(cls, path: Path, chips: ChipSet, camera: Standpoint) -> Self:
        """The file at `path` for this set under this camera."""
        parts = sha256(repr((chips.values, chips.thick_mm, astuple(camera))).encode())
        for array in (chips.sizes, chips.faces):
            parts.update(np.ascontiguousarray(array).tobytes())
        return cls(path, parts.hexdigest())

    def load(self, values: int) -> Gauge | None:
        """What was learned of so many values; None if the file holds nothing for this set and
        camera."""
        try:
            with opened(self.path, "gauge", ("gauge", _VERSION), _UNPACKED_MOST) as file:
                if str(file["mark"]) != self.mark:
                    return None
                weights, means, spreads = (file[name].astype(np.float64) for name in _ARRAYS)
                found = Gauge(weights, means, spreads)
        except ProfileError:
            return None
        return found if _fits(found, values) else None

    def save(self, gauge: Gauge) -> None:
        """Keep what was learned; raises `ProfileError` if the file cannot be written."""
        stored.save(
            self.path, gauge=_VERSION, mark=self.mark,
            weights=gauge.weights, means=gauge.means, spreads=gauge.spreads,
        )  # fmt: skip


_ARRAYS = ("weights", "means", "spreads")
"""The arrays of a gauge, as they are named in the file."""


def _fits(gauge: Gauge, values: int) -> bool:
    """Whether the arrays are those of a gauge for so many values."""
    count, unknowns = len(gauge.weights), COMMON + values
    arrays = (gauge.weights, gauge.means, gauge.spreads)
    return (
        0 < count <= SUPPOSED
        and [one.shape for one in arrays]
        == [(count,), (count, unknowns), (count, unknowns, unknowns)]
        and all(bool(np.isfinite(one).all()) for one in arrays)
        and bool((gauge.weights >= 0).all() and gauge.weights.sum() > 0)
        and bool((np.linalg.eigvalsh(gauge.spreads) > 0).all())
    )
