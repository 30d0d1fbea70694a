"""The noise, the gain and the bands of a sensor are distinguished from what is laid down."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.picture.geometry import Frame
from vision.track.light import Noise, Steadier, gains
from vision.track.motion import beyond, patches

STILL = np.zeros((90, 160), np.uint8)
"""Nothing moves in a picture of this size."""


def test_gain_is_distinguished_from_what_is_laid_down() -> None:
    cloth = np.full((90, 160, 3), (60, 90, 40), np.uint8)
    laid = cloth.copy()
    laid[20:50, 40:90] = 235
    assert gains(cloth, laid) == pytest.approx(np.ones((90, 3)), abs=0.01)
    brighter = np.clip(laid * 1.2, 0, 255).astype(np.uint8)
    assert gains(cloth, brighter) == pytest.approx(np.full((90, 3), 1.2), abs=0.02)


def test_the_bands_of_a_rolling_shutter_are_removed() -> None:
    cloth = np.full((180, 320, 3), (80, 120, 60), np.uint8)
    steadier = Steadier()
    steadier.steady(cloth)
    for step in range(12):
        waves = 1 + 0.08 * np.sin(np.arange(180) / 9 + step)
        banded = np.clip(cloth * waves[:, None, None], 0, 255).astype(np.uint8)
        assert np.abs(steadier.steady(banded).astype(int) - cloth).max() <= 4


def test_noise_is_learned_for_each_level_and_hands_do_not_count() -> None:
    rng, noise = np.random.default_rng(0), Noise()
    levels = np.repeat(np.linspace(20, 230, 160)[None], 90, axis=0)

    def frame() -> Frame:
        shot = rng.normal(0, 1, (90, 160, 3)) * np.sqrt(levels / 10)[..., None]
        return np.clip(levels[..., None] + shot, 0, 255).astype(np.uint8)

    last = frame()
    for _ in range(20):
        now = frame()
        noise.learn(last, now, STILL)
        last = now
    dark, bright = (int(noise.limit(1, 4.0)[level]) for level in (40, 220))
    assert 2 * dark < 1.5 * bright
    # Four times what three quarters of the pixels stay below, in the worst of three colours.
    assert bright == pytest.approx(4 * 1.75 * np.sqrt(2 * 22), rel=0.25)
    before = noise.usual
    noise.learn(last, np.roll(last, 40, axis=1), STILL + np.uint8(255))
    assert noise.usual == before


def test_cards_that_are_carried_are_not_noise() -> None:
    """In a dim light nothing but the cards may be as bright as they are, and they move in each."""
    rng, noise = np.random.default_rng(0), Noise()
    last: Frame | None = None
    for step in range(24):
        table = np.full((90, 160, 3), 24, np.uint8)
        cv2.rectangle(table, (6 * step, 30), (6 * step + 16, 52), (76, 76, 76), -1)
        now = np.asarray(cv2.add(table, rng.integers(0, 3, table.shape, np.uint8)), np.uint8)
        if last is not None:
            noise.learn(last, now, patches(beyond(now, last, noise.limit(12, 4.0))))
        last = now
    assert int(noise.limit(1, 4.0)[76]) < 12


def test_noise_at_levels_that_no_grey_has_is_as_next_to_them() -> None:
    """Of a red cloth, the blue is darker than any grey in the picture."""
    rng, noise = np.random.default_rng(0), Noise()
    shots = [rng.normal((20, 60, 90), 5, (90, 160, 3)).clip(0, 255) for _ in range(2)]
    noise.learn(shots[0].astype(np.uint8), shots[1].astype(np.uint8), STILL)
    assert int(noise.limit(1, 4.0)[20]) > 20
