"""Round things are found by bands of rows: the answers are those of the whole picture."""

from __future__ import annotations

import numpy as np
import pytest

from tests.chip_scenes import drawn, spread
from vision.chips import circles as module
from vision.chips.circles import Circles, Slopes, circles
from vision.picture.geometry import Frame
from vision.scene.chip_sets import DEVELOPMENT

RADII = (17.0, 18.5, 20.0)


def test_bands_of_rows_do_not_change_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    picture = np.ascontiguousarray(drawn(spread(DEVELOPMENT["clay"], 12, rng), rng).picture)
    slopes, found = _in_bands(monkeypatch, picture, len(picture))
    assert len(found) > 10
    for rows in (33, 128, len(picture) - 1):
        again, same = _in_bands(monkeypatch, picture, rows)
        for name in ("across", "down", "places", "normals"):
            assert np.array_equal(getattr(again, name), getattr(slopes, name)), (rows, name)
        for name in ("centres", "radii", "votes", "rim", "clear"):
            assert np.array_equal(getattr(same, name), getattr(found, name)), (rows, name)


def _in_bands(monkeypatch: pytest.MonkeyPatch, picture: Frame, rows: int) -> tuple[Slopes, Circles]:
    monkeypatch.setattr(module, "BAND", rows)
    slopes = Slopes.of(picture)
    return slopes, circles(slopes, RADII)
