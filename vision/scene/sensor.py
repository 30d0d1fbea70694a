"""What a camera adds to a picture of the table, and the cameras that a table can be seen by.

A `Sensor` is a description; a `vision.scene.sensor_camera.SimulatedCamera` has a state as well: its
exposure hunts, its codec remembers the last picture.

>>> SENSORS["webcam"].codec
<Codec.MOTION_JPEG: 'motion JPEG'>
>>> SENSORS["clean"].faithful
True
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Codec(Enum):
    """How pictures come from the camera."""

    NONE = "none"
    MOTION_JPEG = "motion JPEG"
    """Each picture coded on its own: what webcams send over USB at full size."""
    INTER = "H.264"
    """Blocks that have hardly changed are copied from the last picture, the others coded anew: what
    an H.264 encoder does with a table at rest."""


@dataclass(frozen=True, kw_only=True)
class Sensor:
    """A camera's sensor, lens drive, automatic controls and codec.

    Noise is in levels of 255 of the finished picture, where gamma makes shot noise nearly even and
    read noise strongest in the dark.
    """

    name: str
    shot: float = 0.0
    """Spread of the photons' noise in the middle tones."""
    read: float = 0.0
    """Spread of the amplifier's noise at level 64; falls with the level."""
    grain_px: float = 0.0
    """How far the noise is smeared by demosaicing and denoising, spread in pixels."""
    pattern: float = 0.0
    """Spread of what each pixel always adds."""
    hot: int = 0
    """How many hot pixels there are."""
    flicker: float = 0.0
    """The amplitude of a mains lamp's flicker relative to its mean, 0 to 1."""
    mains_hz: float = 50.0
    exposure_s: float = 0.01
    readout_s: float = 0.0
    """From the first row's reading to the last one's: a rolling shutter."""
    hunting: float = 0.0
    """How far exposure is off at the start, and how eagerly it is put right, 0 to 1."""
    balance: float = 0.0
    """How much of a cast the white balance takes out, 0 to 1; it drifts with what is in sight."""
    breathing_px: float = 0.0
    """Spread of the blur to which the focus strays when something large moves."""
    codec: Codec = Codec.NONE
    quality: int = 85
    """Of JPEG, 1 to 100; of `INTER`, of the blocks that are coded anew."""
    dropped: float = 0.0
    """The share of pictures that never arrive."""
    late: float = 0.0
    """The share of pictures that arrive together with the next one."""

    @property
    def faithful(self) -> bool:
        """Whether every picture is exactly the scene as drawn."""
        return self == Sensor(name=self.name)


# `python -m tests.films.noise` prints what each of these comes to beside the real films and
# photographs. The telephone is set to the films that telephones took: noise of 0.1 to 0.5 levels
# with a grain of 0.6, 10 to 33 % of the blocks at rest copied, bands of 0.05 to 0.5 %, and an
# exposure that changes by 0.1 to 0.4 % a frame. Nothing there was taken by a webcam: its noise is a
# choice, near twice that of the noisiest photographs (1.5 levels in the middle tones), as its
# pixels are a quarter as large; its lamp's bands three times those of the films.
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
"""The cameras that can be chosen, by name."""
