"""What a camera adds to a picture of the table, and the cameras available.

A `Sensor` is a description; a `vision.scene.sensor_camera.SimulatedCamera` also has state: its
exposure hunts, and its codec remembers the last picture.

>>> SENSORS["webcam"].codec
<Codec.MOTION_JPEG: 'motion JPEG'>
>>> SENSORS["clean"].faithful
True
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Codec(Enum):
    """How pictures are encoded by the camera."""

    NONE = "none"
    MOTION_JPEG = "motion JPEG"
    """Each picture encoded by itself: what webcams send over USB at full size."""
    INTER = "H.264"
    """Blocks that have hardly changed are copied from the last picture and the others encoded anew,
    as an H.264 encoder does with a table at rest."""


@dataclass(frozen=True, kw_only=True)
class Sensor:
    """A camera's sensor, lens drive, automatic controls and codec.

    Noise is in levels of 255 of the finished picture, where gamma makes shot noise nearly uniform
    and read noise strongest in the dark.
    """

    name: str
    shot: float = 0.0
    """Standard deviation of photon noise in the middle tones."""
    read: float = 0.0
    """Standard deviation of amplifier noise at level 64; it decreases with the level."""
    grain_px: float = 0.0
    """How far the noise is smeared by demosaicing and denoising: a standard deviation in pixels."""
    pattern: float = 0.0
    """Standard deviation of each pixel's fixed offset."""
    hot: int = 0
    """Number of hot pixels."""
    flicker: float = 0.0
    """Amplitude of a mains lamp's flicker relative to its mean, 0 to 1."""
    mains_hz: float = 50.0
    exposure_s: float = 0.01
    readout_s: float = 0.0
    """Time from reading the first row to the last: a rolling shutter."""
    hunting: float = 0.0
    """How far off the exposure is at the start, and how eagerly it is corrected, 0 to 1."""
    balance: float = 0.0
    """How much of a cast the white balance removes, 0 to 1; it drifts with what is in view."""
    breathing_px: float = 0.0
    """Standard deviation of the blur when focus hunts because something large moves."""
    codec: Codec = Codec.NONE
    quality: int = 85
    """Quality of JPEG, 1 to 100; for `INTER`, of the blocks encoded anew."""
    dropped: float = 0.0
    """Share of pictures that never arrive."""
    late: float = 0.0
    """Share of pictures that arrive together with the next one."""

    @property
    def faithful(self) -> bool:
        """Whether every picture is exactly the scene as drawn."""
        return self == Sensor(name=self.name)


# `python -m tests.films.noise` prints these figures next to those of the real films and
# photographs. The telephone follows films taken with telephones: noise of 0.1 to 0.5 levels with a
# grain of 0.6, 10 to 33 % of the blocks at rest copied, bands of 0.05 to 0.5 %, and an exposure
# that changes by 0.1 to 0.4 % a frame. Nothing there was taken with a webcam: its noise is a
# choice, nearly twice that of the noisiest photographs (1.5 levels in the middle tones), as its
# pixels are a quarter as large; its lamp's bands are three times those of the films.
SENSORS = {
    sensor.name: sensor
    for sensor in (
        Sensor(name="clean"),
        Sensor(
            name="pi",
            shot=1.2,
            read=0.8,
            grain_px=0.6,
            pattern=0.3,
            flicker=0.1,
            exposure_s=0.02,
            readout_s=0.016,
            hunting=0.3,
            balance=0.3,
        ),
        Sensor(
            name="webcam",
            shot=2.6,
            read=1.6,
            grain_px=0.6,
            pattern=0.7,
            hot=12,
            flicker=0.08,
            exposure_s=1 / 60,
            readout_s=0.03,
            hunting=0.5,
            balance=0.4,
            breathing_px=0.8,
            codec=Codec.MOTION_JPEG,
            quality=80,
            dropped=0.01,
            late=0.03,
        ),
        Sensor(
            name="evening",
            shot=4.2,
            read=3.0,
            grain_px=0.7,
            pattern=1.2,
            hot=40,
            flicker=0.15,
            exposure_s=1 / 30,
            readout_s=0.03,
            hunting=0.7,
            balance=0.5,
            breathing_px=1.0,
            codec=Codec.MOTION_JPEG,
            quality=70,
            dropped=0.03,
            late=0.06,
        ),
        Sensor(
            name="phone",
            shot=0.9,
            read=0.6,
            grain_px=1.0,
            pattern=0.2,
            flicker=0.1,
            exposure_s=0.01,
            readout_s=0.02,
            hunting=0.5,
            balance=0.3,
            breathing_px=0.6,
            codec=Codec.INTER,
            quality=75,
            late=0.05,
        ),
    )
}
"""The cameras available, by name."""
