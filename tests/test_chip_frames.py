"""Plaques that are found by the frame printed on them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.chip_scenes import drawn, spread
from tests.chips import camera_of, judged, taught
from vision.chips import plaque_reading
from vision.chips.plaque_frames import frames_of
from vision.chips.reader import ChipReader
from vision.scene.chip_sets import DEVELOPMENT, VALIDATION
from vision.scene.chips import Shape

PLAQUES = DEVELOPMENT["plaques"]
FAULTS = {"missed", "wrong", "unknown", "invented"}


def test_the_frame_of_a_set_is_where_it_is_drawn() -> None:
    chips = taught("plaques", PLAQUES)
    (frame,) = frames_of(chips)
    style = next(one for one in PLAQUES if one.shape is Shape.PLAQUE)
    long, short = chips.shapes[frame.shape]
    margin = short * style.depth
    assert frame.long == pytest.approx(long - margin, abs=2.5)
    assert frame.short == pytest.approx(short - margin, abs=2.5)


def test_a_set_without_a_frame_has_none() -> None:
    assert not frames_of(taught("club", DEVELOPMENT["club"]))
    assert not frames_of(taught("clay", DEVELOPMENT["clay"]))


def test_dark_plaques_on_dark_cloth_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six dark plaques were missed, and the chip and the plaques that lay in a heap with them."""
    styles, rng = VALIDATION["manor"], np.random.default_rng(1001)
    chips = taught("manor", styles)
    scene = drawn(spread(styles, 20, rng), rng)
    reader = ChipReader(chips, camera=camera_of(scene))
    assert set(judged(scene, reader.read(scene.picture, scene.cards))).isdisjoint(FAULTS)
    monkeypatch.setattr(plaque_reading, "frames_of", lambda _: ())
    assert "missed" in set(judged(scene, reader.read(scene.picture, scene.cards)))
