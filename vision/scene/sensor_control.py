"""What a camera adjusts automatically until it is locked: exposure, white balance and focus."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scene.courts import Picture

EXPOSING_S = 0.35
"""Time constant of exposure in seconds: webcams take half a second to one."""
LAG_S = 0.12
"""Delay in seconds: exposure responds to pictures a few frames old, so it overshoots."""
DEAD = 0.02
"""Relative exposure error that is not corrected."""
BALANCING_S = 2.5
"""Time constant of the white balance in seconds, slow enough to go unnoticed."""
WANDER = 0.004
"""Relative drift of an automatic white balance per second."""
REFOCUSING_S = 0.7
"""Duration in seconds of a focus search: out and back."""
STARTLED = 0.04
"""Relative change of the mean level that triggers a focus search."""
SETTLED = 0.01
"""Relative change per second below which the exposure has settled."""

Gains = NDArray[np.float64]
"""Factors (3,) of blue, green and red."""


@dataclass
class Controls:
    """The automatic controls of one camera, limited by `hunting`, `balance` and `breathing_px`."""

    hunting: float
    balance: float
    breathing_px: float
    rng: np.random.Generator
    locked: bool = False
    _exposure: float = 1.0
    _balance: Gains = field(default_factory=lambda: np.ones(3))
    _wander: Gains = field(default_factory=lambda: np.zeros(3))
    _aim: Gains | None = None
    _seen: list[tuple[float, Gains]] = field(default_factory=list)
    _level: float | None = None
    _seeking_from: float = -10.0
    _speed: float = 1.0

    def __post_init__(self) -> None:
        if self.hunting:
            self._exposure = 1 + self.hunting * float(self.rng.uniform(-0.6, 0.4))

    @property
    def gains(self) -> Gains:
        """The current gains of blue, green and red."""
        return self._exposure * self._balance

    @property
    def settled(self) -> bool:
        """Whether the exposure has stopped changing."""
        return self._speed < SETTLED

    def blur_px(self, now: float) -> float:
        """How far out of focus the picture is: a standard deviation in pixels."""
        since = (now - self._seeking_from) / REFOCUSING_S
        return self.breathing_px * sin(pi * since) ** 2 if 0 < since < 1 else 0.0

    def see(self, scene: Picture, now: float) -> None:
        """Respond to what is in view: `scene`, before the gains."""
        if self.locked or not (self.hunting or self.balance or self.breathing_px):
            return
        mean = np.array(cv2.mean(scene[::16, ::16])[:3]) + 1.0
        if self._aim is None:
            self._aim, self._level = mean.copy(), float(mean.mean())
        span = now - self._seen[-1][0] if self._seen else 0.0
        self._seen = [one for one in self._seen if one[0] > now - 1.0] + [(now, mean)]
        self._expose(now, span)
        self._neutralize(mean, span)
        self._refocus(mean, now)

    def _expose(self, now: float, span: float) -> None:
        assert self._aim is not None
        if not self.hunting or span <= 0:
            return
        old = next((m for moment, m in reversed(self._seen) if moment <= now - LAG_S), self._aim)
        wanted = 1 + self.hunting * (float(self._aim.mean() / old.mean()) - 1)
        error = wanted / self._exposure - 1
        step = 0.0 if abs(error) < DEAD else error * (1 - exp(-span / EXPOSING_S))
        self._exposure *= 1 + step
        self._speed = 0.7 * self._speed + 0.3 * abs(step) / span

    def _neutralize(self, mean: Gains, span: float) -> None:
        assert self._aim is not None
        if not self.balance or span <= 0:
            return
        cast = (mean / mean.mean()) / (self._aim / self._aim.mean())
        self._wander += self.rng.normal(0, WANDER, 3) * np.sqrt(span)
        self._wander *= exp(-span / 10)
        wanted = cast ** (-self.balance) * (1 + self._wander)
        self._balance += (wanted - self._balance) * (1 - exp(-span / BALANCING_S))

    def _refocus(self, mean: Gains, now: float) -> None:
        level = float(mean.mean())
        assert self._level is not None
        if self.breathing_px and abs(level / self._level - 1) > STARTLED:
            self._level = level
            if now - self._seeking_from > REFOCUSING_S:
                self._seeking_from = now
