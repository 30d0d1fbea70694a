"""Where the pattern of backs has moved, though on the shrunken picture it is the same shade."""

from __future__ import annotations

import numpy as np
import pytest

from tests.knowing import lying
from vision import Box, Polygon
from vision.picture.geometry import Frame
from vision.track.texture import moved_patterns, take_texture
from vision.track.zones import Shot, Site, Zone

PERIOD = 7
NOISE = 3.0


def _pattern(shift: tuple[float, float] = (0.0, 0.0)) -> Frame:
    """A lattice of dots all over a picture."""
    y, x = np.mgrid[:540, :960].astype(np.float32)
    waves = (
        np.sin(2 * np.pi * (place - off) / PERIOD) for place, off in zip((x, y), shift, strict=True)
    )
    dots = 120 + 50 * np.prod(list(waves), axis=0)
    return np.repeat(dots[..., None], 3, axis=2).clip(0, 255).astype(np.uint8)


def _seen(frame: Frame, time: float, light: float = 1.0) -> Shot:
    """It as a camera shows it."""
    noise = np.random.default_rng(round(10 * time)).normal(0, NOISE, frame.shape)
    shown = np.clip(frame * light + noise, 0, 255).astype(np.uint8)
    return Shot(shown, np.ascontiguousarray(shown[::3, ::3]), 1 / 3, time)


def _fan() -> Zone:
    """A spot on which three backs overlap, as it was read."""
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    zone = Zone("1", Polygon.rectangle(0, 0, 960, 540), Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying = tuple(lying("??", x) for x in (300, 350, 400))
    take_texture(zone, Site.of(mask), _seen(_pattern(), 1.0))
    return zone


def test_backs_that_lie_still_show_the_same_pattern_in_another_light() -> None:
    assert moved_patterns(_fan(), _seen(_pattern(), 2.0, light=0.75)) is None


def test_where_a_back_was_taken_off_another_the_pattern_is_another_part() -> None:
    """Of a fan of five, two were taken one by one, and five were still reported."""
    frame = _pattern()
    strip = slice(200, 340), slice(330, 370)
    frame[strip] = _pattern((2.5, 0.5))[strip]
    shown = moved_patterns(_fan(), _seen(frame, 2.0))
    assert shown is not None
    rows, columns = np.nonzero(shown)
    assert columns.min() >= 105
    assert columns.max() <= 128
    assert len(rows) >= 0.5 * 40 * 140 / 9


@pytest.mark.parametrize(
    "frame", [np.full((540, 960, 3), 120, np.uint8), np.ascontiguousarray(_pattern()[:, ::-1])]
)
def test_what_has_no_pattern_and_where_no_back_lies_nothing_is_compared(
    frame: Frame,
) -> None:
    zone = _fan()
    take_texture(zone, Site.of(zone.mask), _seen(np.full((540, 960, 3), 120, np.uint8), 3.0))
    assert moved_patterns(zone, _seen(frame, 4.0)) is None
    zone.lying = ()
    take_texture(zone, Site.of(zone.mask), _seen(frame, 5.0))
    assert zone.texture is None


def test_a_back_that_was_read_anew_differs_no_longer_though_a_strip_of_it_did() -> None:
    """The camera had sagged by a pixel or two, and a strip at a card's edge was read for ever."""
    zone, sagged = _fan(), _pattern((2.5, 2.5))
    zone.lying = zone.lying[:1]
    assert moved_patterns(zone, _seen(sagged, 2.0)) is not None
    strip = np.zeros_like(zone.mask)
    strip[75:110, 90:97] = 255
    take_texture(zone, Site.of(strip), _seen(sagged, 2.2))
    assert moved_patterns(zone, _seen(sagged, 2.4)) is None
