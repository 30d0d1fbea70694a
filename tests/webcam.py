"""What a cheap webcam makes of a picture: noise, a fixed pattern, mains flicker, motion JPEG."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi

import cv2
import numpy as np

from vision.picture.geometry import Floats, Frame


@dataclass
class Webcam:
    """Frames as a webcam sends them that sees clean pictures, all of one size.

    Noise is in grey levels at middle grey; `flicker` is the share by which the lamps' light
    swings, a hundred times a second, while the shutter rolls down the picture in `readout_s`.
    """

    shot: float = 4.0
    read: float = 2.0
    pattern: float = 1.0
    flicker: float = 0.06
    readout_s: float = 0.03
    quality: int = 70
    seed: int = 0
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """What exposure and white balance make of blue, green and red."""
    _fixed: Floats | None = field(default=None, init=False)
    _taken: int = field(default=0, init=False)

    def frame(self, clean: Frame, time_s: float) -> Frame:
        """The frame that it sends of what it sees at that moment."""
        rng = np.random.default_rng((self.seed, self._taken))
        self._taken += 1
        if self._fixed is None:
            fixed = np.random.default_rng(self.seed).standard_normal(clean.shape, np.float32)
            self._fixed = np.asarray(1 + 0.01 * self.pattern * fixed, np.float32)
        rows = np.arange(clean.shape[0]) / clean.shape[0] * self.readout_s
        lamps = 1 + self.flicker * np.sin(2 * pi * 100.0 * (time_s + rows))
        light = clean * self._fixed * lamps[:, None, None] * np.asarray(self.gains)
        spread = np.sqrt(self.read**2 + self.shot**2 * np.clip(light, 0, None) / 128)
        noisy = light + spread * rng.standard_normal(clean.shape, np.float32)
        done, data = cv2.imencode(
            ".jpg",
            np.clip(noisy, 0, 255).astype(np.uint8),
            (cv2.IMWRITE_JPEG_QUALITY, self.quality),
        )
        sent = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert done and sent is not None
        return np.asarray(sent, np.uint8)
