"""The simulated camera adds to a picture what its sensor specifies, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.errors import UsageError
from firmware.rehearsal.plan import Plan
from tests.rehearsing import settings_of
from vision.scene import sensor_noise
from vision.scene.sensor import SENSORS, Codec, Sensor
from vision.scene.sensor_camera import SimulatedCamera

Picture = NDArray[np.uint8]
EVERY = pytest.mark.parametrize("name", SENSORS)


def _even(level: int, size: tuple[int, int] = (160, 240)) -> Picture:
    return np.full((*size, 3), level, np.uint8)


def _table(seed: int = 3) -> Picture:
    """Something with edges and several levels."""
    blocks = np.random.default_rng(seed).integers(30, 220, (10, 15, 3), np.uint8)
    return np.asarray(blocks.repeat(16, axis=0).repeat(16, axis=1), np.uint8)


def _film(sensor: Sensor, scene: Picture, count: int = 24, seed: int = 1) -> list[Picture]:
    camera = SimulatedCamera(sensor, seed)
    return [camera.shoot(lambda _: scene, number / 10) for number in range(count)]


def _temporal(pictures: list[Picture]) -> float:
    one, other = (picture.astype(np.float32) for picture in pictures[-2:])
    return float((one - other).std() / np.sqrt(2))


@EVERY
def test_the_same_seed_takes_the_same_pictures(name: str) -> None:
    first, again, other = (_film(SENSORS[name], _table(), 6, seed) for seed in (5, 5, 6))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert SENSORS[name].faithful or not np.array_equal(first[0], other[0])


def test_a_clean_camera_gives_the_scene_as_it_is() -> None:
    scene = _table()
    assert all(np.array_equal(picture, scene) for picture in _film(SENSORS["clean"], scene))


@pytest.mark.parametrize("spread", [1.0, 2.0, 4.0])
def test_shot_noise_has_the_spread_that_the_sensor_specifies(spread: float) -> None:
    pictures = _film(Sensor(name="noisy", shot=spread), _even(128))
    assert _temporal(pictures) == pytest.approx(np.hypot(spread, 0.29), rel=0.1)
    assert abs(float(np.mean(pictures[-1])) - 128) < 0.2


def test_read_noise_is_strongest_in_the_dark() -> None:
    sensor = Sensor(name="noisy", read=3.0)
    dark, middle, light = (_temporal(_film(sensor, _even(level))) for level in (40, 100, 200))
    assert dark > 1.5 * middle > 2 * light


def test_the_fixed_pattern_stays_where_it_is() -> None:
    pictures = _film(Sensor(name="worn", pattern=2.0, hot=5), _even(100))
    assert np.array_equal(pictures[0], pictures[-1])
    assert float(pictures[0].std()) > 1.5
    assert int((pictures[0].max(axis=2) > 150).sum()) == 5


def test_a_lamp_on_the_mains_makes_wandering_bands() -> None:
    sensor = Sensor(name="banded", flicker=0.3, exposure_s=0.004, readout_s=0.03)
    rows = [picture.mean(axis=(1, 2)) for picture in _film(sensor, _even(120, (480, 32)), 4)]
    # Six half waves of 50 Hz pass in 30 ms.
    wave = rows[0] - rows[0].mean()
    crossings = int(np.count_nonzero(np.diff(wave > 0)))
    assert wave.max() > 15
    assert crossings in (5, 6, 7)


def test_an_exposure_of_whole_periods_shows_no_bands() -> None:
    sensor = Sensor(name="fit", flicker=0.3, exposure_s=0.02, readout_s=0.03)
    assert all(np.array_equal(one, _even(120)) for one in _film(sensor, _even(120), 3))


def test_exposure_hunts_until_it_is_locked() -> None:
    sensor = Sensor(name="hunting", hunting=0.8, balance=0.5)
    camera = SimulatedCamera(sensor, seed=2)
    scene = _even(120)
    levels, moment = [], 0.0
    while moment < 4.0:
        levels.append(float(camera.shoot(lambda _: scene, moment).mean()))
        camera.lock()
        moment += 0.1
    assert abs(levels[0] - 120) > 8
    assert abs(levels[-1] - 120) < 6
    assert camera.locked
    bright = _even(200)
    taken = [camera.shoot(lambda _: bright, 5 + n / 10).mean() for n in range(10)]
    assert np.ptp(taken) == 0


def test_an_unlocked_exposure_responds_to_a_large_white_object() -> None:
    camera = SimulatedCamera(Sensor(name="hunting", hunting=0.8), seed=2)
    for number in range(40):
        camera.shoot(lambda _: _even(80), number / 10)
    before = float(camera.shoot(lambda _: _even(120), 4.1).mean())
    for number in range(20):
        after = float(camera.shoot(lambda _: _even(120), 4.2 + number / 10).mean())
    assert after < before - 8


def test_the_focus_strays_when_something_large_moves_and_comes_back() -> None:
    camera = SimulatedCamera(Sensor(name="soft", breathing_px=2.0))
    scene, other = _table(1), _table(1)
    other[:100] = 250
    sharp = camera.shoot(lambda _: scene, 0.0)
    camera.shoot(lambda _: other, 0.1)
    seeking = camera.shoot(lambda _: other, 0.4)
    found = camera.shoot(lambda _: other, 1.5)
    assert np.array_equal(sharp, scene)
    assert not np.array_equal(seeking, other)
    assert np.array_equal(found, other)


def test_a_rolling_shutter_slants_what_moves() -> None:
    def scene(moment: float) -> Picture:
        picture = _even(20, (200, 400))
        edge = 100 + round(moment * 3000)
        picture[:, edge : edge + 8] = 250
        return picture

    taken = SimulatedCamera(Sensor(name="rolling", exposure_s=0.001, readout_s=0.03)).shoot(
        scene, 0.05
    )
    middles = [float(np.average(np.arange(400), weights=row)) for row in taken[..., 0] > 60]
    assert middles[-1] - middles[0] == pytest.approx(90, abs=12)
    still = SimulatedCamera(Sensor(name="global", exposure_s=0.0)).shoot(scene, 0.05)
    assert np.array_equal(still, scene(0.05))


def test_what_moves_in_a_long_exposure_is_smeared() -> None:
    def scene(moment: float) -> Picture:
        picture = _even(20, (60, 400))
        edge = 100 + round(moment * 1000)
        picture[:, edge : edge + 30] = 240
        return picture

    taken = SimulatedCamera(Sensor(name="slow", exposure_s=0.04)).shoot(scene, 0.1)
    assert int((taken[30, :, 0] > 30).sum()) == pytest.approx(70, abs=4)
    assert int(taken.max()) < 240


def test_motion_jpeg_codes_every_picture_independently() -> None:
    sensor = Sensor(name="usb", codec=Codec.MOTION_JPEG, quality=60, shot=2.0)
    scene = _table()
    pictures = _film(sensor, scene)
    assert not np.array_equal(pictures[-1], pictures[-2])
    assert 1 < float(np.abs(pictures[-1].astype(int) - scene).mean()) < 8


def test_an_inter_coder_copies_blocks_at_rest_and_codes_those_that_change() -> None:
    sensor = Sensor(name="mobile", codec=Codec.INTER, quality=80, shot=0.8)
    camera, scene = SimulatedCamera(sensor), _table()
    first = camera.shoot(lambda _: scene, 0.0)
    laid = scene.copy()
    laid[32:64, 48:96] = 255
    second = camera.shoot(lambda _: laid, 0.1)
    unlike = (first != second).any(axis=2)
    assert unlike[36:60, 52:92].mean() > 0.9
    unlike[32:64, 48:96] = False
    assert unlike.mean() < 0.3


def test_pictures_are_dropped_or_come_late_with_the_time_they_were_taken_at() -> None:
    camera = SimulatedCamera(Sensor(name="busy", dropped=0.2, late=0.2), seed=4)
    times: list[float] = []
    counts = []
    for number in range(500):
        came = [time_s for _, time_s in camera.pictures(lambda _: _even(9, (8, 8)), number / 10)]
        counts.append(len(came))
        times += came
    assert times == sorted(set(times))
    assert 0.74 < len(times) / 500 < 0.86
    assert counts.count(2) > 30
    assert max(counts) == 2


@EVERY
def test_every_camera_can_be_rehearsed_with(name: str) -> None:
    plan = Plan.of(settings_of("ziginette"), sensor=name)
    assert plan.sensor == SENSORS[name]


def test_an_unknown_camera_is_refused_with_a_list_of_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no camera 'plate'; there are clean, pi, webcam"):
        Plan.of(settings_of("ziginette"), sensor="plate")


def test_one_sensor_made_from_another_is_not_the_clean_one() -> None:
    assert not replace(SENSORS["clean"], shot=1.0).faithful


@pytest.mark.parametrize("name", ["webcam", "evening", "pi"])
def test_a_partly_recomputed_picture_equals_the_whole_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the level, including colours that a codec smears over a block's border."""

    def film() -> list[Picture]:
        camera, rng = SimulatedCamera(SENSORS[name], seed=3), np.random.default_rng(9)
        scene, taken = _table(), []
        for number in range(150):
            camera.lock()
            if number % 3 == 0:
                top, left = (int(rng.integers(0, side)) for side in scene.shape[:2])
                scene = scene.copy()
                scene[top : top + 37, left : left + 23] = rng.integers(0, 255, 3, np.uint8)
            taken.append(camera.shoot(lambda _, now=scene: now, number / 10).copy())  # type: ignore[misc]
        assert camera.locked
        return taken

    parts = film()
    monkeypatch.setattr(sensor_noise, "WHOLE", 0.0)
    assert all(np.array_equal(one, other) for one, other in zip(parts, film(), strict=True))


def test_no_noise_repeats_while_a_change_is_read() -> None:
    pictures = _film(Sensor(name="noisy", shot=3.0), _even(128), 60)
    grain = np.array([picture.ravel()[:4000].astype(float) - 128 for picture in pictures])
    alike = np.corrcoef(grain)
    for apart in range(1, 10):
        assert float(np.abs(np.diagonal(alike, apart)).max()) < 0.1


def test_a_picture_that_is_handed_out_stays_as_it_is() -> None:
    camera, scene = SimulatedCamera(Sensor(name="noisy", shot=3.0)), _even(128)
    taken = [camera.shoot(lambda _: scene, number / 10) for number in range(40)]
    before = [picture.copy() for picture in taken]
    other = scene.copy()
    other[20:60, 20:60] = 200
    for number in range(40):
        camera.shoot(lambda _: other, 4 + number / 10)
    assert all(np.array_equal(one, kept) for one, kept in zip(taken, before, strict=True))
