"""Round chips that are found by the ring printed inside them, and those that lie under plaques."""

from __future__ import annotations

import numpy as np
import pytest

from tests.chip_scenes import Scene, drawn, spread
from tests.chips import camera_of, judged, taught
from vision.chips import reader
from vision.chips.circles import ANGLES, Circles
from vision.chips.layers import Heaps
from vision.chips.prints import RINGS, varying_alike
from vision.chips.reader import ChipReader
from vision.chips.ringed import rings_of
from vision.scene.chip_sets import DEVELOPMENT
from vision.scene.chips import Shape

SALON = DEVELOPMENT["salon"]
FAULTS = {"missed", "wrong", "unknown", "invented"}


def test_the_ring_of_a_set_is_where_it_is_drawn() -> None:
    (ring,) = rings_of(taught("salon", SALON))
    style = next(one for one in SALON if one.shape is Shape.ROUND)
    assert ring.radius == pytest.approx(ring.chip * style.inlay, rel=0.06)


def test_sets_without_round_chips_or_inlays_have_no_ring() -> None:
    assert not rings_of(taught("plaques", DEVELOPMENT["plaques"]))
    assert not rings_of(taught("plain", DEVELOPMENT["plain"]))


def test_a_disc_on_a_ground_does_not_vary_as_stripes_do() -> None:
    """A coin on paper has the colours of many a chip, ring by ring."""
    stripes = np.zeros((1, len(RINGS), ANGLES, 3), np.float32)
    stripes[:, :4] = 60
    stripes[:, 5:, ::8] = 40
    disc = np.broadcast_to(stripes.mean(axis=2, keepdims=True), stripes.shape)
    grain = np.random.default_rng(1).normal(0, 3, stripes.shape)
    every = np.ones(stripes.shape[:3], np.float32)
    assert varying_alike((stripes + grain).astype(np.float32), stripes, every)[0] > 0.8
    assert abs(varying_alike((disc + grain).astype(np.float32), stripes, every)[0]) < 0.2


def test_what_is_hidden_of_a_print_does_not_count() -> None:
    stripes = np.zeros((1, len(RINGS), ANGLES, 3), np.float32)
    stripes[:, 5:, ::8] = 40
    half, seen = np.ones(stripes.shape[:3], np.float32), stripes.copy()
    half[..., ANGLES // 2 :] = 0
    seen[:, :, ANGLES // 2 :] = np.random.default_rng(1).uniform(0, 90, (ANGLES // 2, 3))
    assert varying_alike(seen, stripes, half)[0] == pytest.approx(1, abs=0.01)


def test_chips_whose_rims_hardly_show_are_found_by_their_rings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = _salon(4402)
    assert _faults(scene) == set()
    monkeypatch.setattr(reader, "ringed", lambda *_: Circles.none())
    assert _faults(scene) == {"missed"}


def test_a_chip_half_under_a_plaque_is_compared_by_what_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = _salon(4402)
    monkeypatch.setattr(Heaps, "compare_under", lambda *_: None)
    assert _faults(scene) == {"missed"}


def test_chips_under_plaques_that_lie_under_others_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = _salon(4400)
    assert _faults(scene) == set()
    monkeypatch.setattr(Heaps, "explain_under", lambda *_: False)
    assert _faults(scene) == {"missed"}


def _salon(seed: int) -> Scene:
    """Chips and plaques that lie half over each other."""
    rng = np.random.default_rng(seed)
    return drawn(spread(SALON, 20, rng), rng)


def _faults(scene: Scene) -> set[str]:
    chips = ChipReader(taught("salon", SALON), camera=camera_of(scene))
    return set(judged(scene, chips.read(scene.picture, scene.cards))) & FAULTS
