"""What does not move at a simulated table: its camera, its light, its cloth and its deck."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.scene.faces import CardArt, DrawnDeck, drawn_styles
from vision.scene.light import Backdrop, Lens, Light, Spot, Surface, Weave
from vision.scene.sensor import Sensor
from vision.scene.view import View

AREA = (1200.0, 675.0)
"""The area of the table that the reference rig's camera sees, mm."""
SIZE = (1920, 1080)
PX_PER_MM = 1.57
"""Slightly less than 1920 px per 1200 mm, so that a tilted camera still sees the whole area."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything about a simulated table that does not move: camera, light, cloth and deck."""

    view: View
    surface: Backdrop
    light: Light
    lens: Lens
    deck: CardArt


_CLOTHS = (
    Surface(Weave.FELT, (66, 98, 38), (50, 80, 28)),
    Surface(Weave.FELT, (96, 62, 34), (78, 48, 26)),
    Surface(Weave.CLOTH, (52, 44, 120), (44, 36, 100)),
    Surface(Weave.FELT, (70, 70, 74), (54, 54, 58)),
    Surface(Weave.WOOD, (70, 104, 150), (54, 84, 128)),
)
"""Green, blue and grey felt, a red cloth, and plain wood; colours are blue, green, red."""


def setting(seed: int) -> Setting:
    """A table as people have them, chosen by `seed`; the same seed gives the same table."""
    rng = np.random.default_rng((seed, 1))
    surface = replace(_CLOTHS[int(rng.integers(len(_CLOTHS)))], seed=int(rng.integers(1 << 16)))
    warm = float(rng.uniform(-0.06, 0.1))
    light = Light(
        brightness=float(rng.uniform(0.82, 1.0)),
        tint=(1 - warm, 1.0, 1 + warm * 0.3),
        slope=float(rng.uniform(0.0, 0.22)),
        slope_deg=float(rng.uniform(0, 360)),
        shadows=(_patch(rng, 0.12, 0.2),),
        glares=(_patch(rng, 0.05, 0.12),),
        drop_deg=float(rng.uniform(0, 360)),
    )
    lens = Lens(
        blur_px=float(rng.uniform(0.4, 0.8)),
        noise=float(rng.uniform(1.5, 3.5)),
        vignette=float(rng.uniform(0.0, 0.15)),
    )
    styles = drawn_styles()
    return Setting(
        _view(rng), surface, light, lens, DrawnDeck(styles[int(rng.integers(len(styles)))])
    )


def filmed(place: Setting, sensor: Sensor) -> Setting:
    """The same table under a camera with its own noise."""
    return place if sensor.faithful else replace(place, lens=replace(place.lens, noise=0.0))


def _view(rng: np.random.Generator) -> View:
    """A camera hung by hand: not quite level, not quite square to the table."""
    return View.above(
        SIZE,
        height_mm=float(rng.uniform(780, 880)),
        px_per_mm=PX_PER_MM,
        tilt_deg=float(rng.uniform(-2.5, 2.5)),
        roll_deg=float(rng.uniform(-0.8, 0.8)),
    )


def _patch(rng: np.random.Generator, radius: float, strength: float) -> Spot:
    x, y, part = (float(v) for v in rng.uniform((0.1, 0.05, 0.3), (0.9, 0.5, 1.0)))
    return Spot(x, y, radius * (0.6 + part), strength * part)
