"""Pictures of chips as telephones and webcams take them: slanted, dim, noisy, with shadows.

A pinhole camera looks at a table, either drawn or a real photograph, with chips as cylinders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import Deck
from tests.chip_looks import SIDE, Field, Look, Rng, edge, texture
from vision.picture.geometry import Frame
from vision.scene.faces import DeckStyle, DrawnDeck

SIZES = ((1920, 1080), (1280, 720), (1600, 1200), (1024, 768))
CLOTHS = {
    "green": (62.0, 96.0, 28.0), "blue": (120.0, 64.0, 30.0), "red": (44.0, 36.0, 128.0),
    "black": (38.0, 36.0, 36.0), "wood": (70.0, 110.0, 160.0), "white": (214.0, 216.0, 218.0),
    "grey": (120.0, 122.0, 124.0), "brown": (48.0, 70.0, 96.0),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Laid:
    """Chips at a place (mm), lowest first, each with its shift from the one below."""

    look: Look
    x: float
    y: float
    count: int = 1
    lift: float = 0.0


@dataclass(frozen=True, slots=True)
class Shown:
    """The visible truth: the centre of the top, its radius in pixels, and the share hidden."""

    value: str
    count: int
    x: float
    y: float
    radius: float
    hidden: float


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole camera; `matrix` (3, 4) maps millimetres on the table to pixels."""

    size: tuple[int, int]
    matrix: NDArray[np.float64]

    @classmethod
    def over(
        cls, size: tuple[int, int], px_per_mm: float, tilt: float, roll: float, focal: float
    ) -> Camera:
        """A camera tilted from straight down and turned by `roll` (degrees).

        `focal` is the focal length in picture widths.
        """
        length = focal * size[0]
        far = length / px_per_mm
        lens = np.array([[length, 0, size[0] / 2], [0, length, size[1] / 2], [0, 0, 1.0]])
        a, b = np.radians(tilt), np.radians(roll)
        spin = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1.0]])
        down = np.diag([1.0, 1.0, -1.0])
        lean = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        turn = lean @ spin @ down
        return cls(size, lens @ np.concatenate([turn, [[0], [0], [far]]], axis=1))

    def plane(self, lift: float = 0.0) -> NDArray[np.float64]:
        """The homography (3, 3) from millimetres on a plane `lift` above the table to pixels."""
        m = self.matrix
        return np.stack([m[:, 0], m[:, 1], m[:, 2] * lift + m[:, 3]], axis=1)

    def project(self, points: NDArray[np.floating], lift: float = 0.0) -> NDArray[np.float64]:
        """Pixels (N, 2) of places (N, 2) in millimetres, lifted by `lift`."""
        seen = np.column_stack([points, np.ones(len(points))]) @ self.plane(lift).T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def locate(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """Places on the table, in millimetres, of pixels (N, 2)."""
        seen = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(self.plane()).T
        return np.asarray(seen[:, :2] / seen[:, 2:])


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture and the chips in it."""

    picture: Frame
    shown: tuple[Shown, ...]


@cache
def face_of(look: Look) -> Field:
    """A chip's face, drawn once and cached."""
    return texture(look)


@dataclass(frozen=True, slots=True)
class Air:
    """Light and camera of one picture."""

    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 0.95
    gamma: float = 1.0
    slope: tuple[float, float] = (0.0, 0.0)
    sun: tuple[float, float] = (0.5, 0.3)
    """Direction in which shadows fall, mm per mm of height."""
    dark: float = 0.4
    gloss: float = 0.15
    blur: float = 0.5
    motion: float = 0.0
    noise: float = 1.5
    quality: int = 92

    @classmethod
    def of(cls, rng: Rng, hard: float = 1.0) -> Air:
        """A random air; `hard` ranges from 0 for a good picture to 1 for any."""
        warm = float(rng.normal(0, 0.14)) * hard
        tint = float(rng.normal(0, 0.05)) * hard
        turn = float(rng.uniform(0, 2 * np.pi))
        long = float(rng.uniform(0.2, 1.2))
        return cls(
            (float(np.exp(-warm)), float(np.exp(tint)), float(np.exp(warm))),
            float(rng.uniform(0.95 - 0.5 * hard, 1.0)),
            float(np.exp(rng.normal(0, 0.15 * hard))),
            (float(rng.normal(0, 0.15 * hard)), float(rng.normal(0, 0.15 * hard))),
            (long * float(np.cos(turn)), long * float(np.sin(turn))),
            float(rng.uniform(0.2, 0.65)), float(rng.uniform(0, 0.1 + 0.35 * hard)),
            float(rng.uniform(0.3, 0.5 + 0.8 * hard)),
            float(rng.uniform(0, 3)) * hard * (rng.random() < 0.3),
            float(rng.uniform(0.5, 1 + 4 * hard)), int(rng.integers(95 - int(30 * hard), 97)),
        )  # fmt: skip


class Table:
    """A picture being composed: linear levels (H, W, 3), 0 to 255, and its contents."""

    def __init__(self, camera: Camera, ground: Field, air: Air, rng: Rng) -> None:
        self.camera, self.air, self.rng = camera, air, rng
        self.levels = ground.astype(np.float32)
        self.owner = np.full(ground.shape[:2], -1, np.int32)
        self.laid: list[tuple[Laid, float]] = []

    def paste(
        self,
        face: Field,
        mm: tuple[float, float],
        at: tuple[float, float],
        turn: float,
        lift: float,
    ) -> NDArray[np.bool_]:
        """Paste a flat BGRA thing, `mm` wide and high, centred at a place; return its outline."""
        high, wide = face.shape[:2]
        c, s = np.cos(turn), np.sin(turn)
        scale = np.array([[mm[0] / wide, 0, -mm[0] / 2], [0, mm[1] / high, -mm[1] / 2], [0, 0, 1]])
        place = np.array([[c, -s, at[0]], [s, c, at[1]], [0, 0, 1.0]]) @ scale
        matrix = self.camera.plane(lift) @ place
        corners = np.array([[0, 0, 1], [wide, 0, 1], [wide, high, 1], [0, high, 1.0]]) @ matrix.T
        points = corners[:, :2] / corners[:, 2:]
        box = self._box(points)
        if box is None:
            return np.zeros(self.owner.shape, np.bool_)
        left, top, right, down = box
        span = float(np.linalg.norm(points[1] - points[0]))
        sigma = 0.35 * wide / max(span, 1)
        soft = cv2.GaussianBlur(face, (0, 0), sigma) if sigma > 0.5 else face
        shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
        seen = cv2.warpPerspective(soft, shift @ matrix, (right - left, down - top))
        alpha = seen[..., 3:] / 255
        part = self.levels[top:down, left:right]
        part[:] = part * (1 - alpha) + seen[..., :3] * alpha
        where = np.zeros(self.owner.shape, np.bool_)
        where[top:down, left:right] = alpha[..., 0] > 0.5
        return where

    def _box(self, points: NDArray[np.floating]) -> tuple[int, int, int, int] | None:
        wide, high = self.camera.size
        left, top = np.floor(points.min(axis=0)).astype(int) - 1
        right, down = np.ceil(points.max(axis=0)).astype(int) + 2
        left, top, right, down = max(left, 0), max(top, 0), min(right, wide), min(down, high)
        return (left, top, right, down) if left < right and top < down else None

    def shadow(self, outline: NDArray[np.floating], soft: float, dark: float) -> None:
        """Darken a polygon (N, 2) in pixels with a blurred edge."""
        pad = int(3 * soft) + 2
        box = self._box(np.concatenate([outline - pad, outline + pad]))
        if box is None:
            return
        left, top, right, down = box
        mask: Field = np.zeros((down - top, right - left), np.float32)
        cv2.fillPoly(mask, [np.rint((outline - (left, top)) * 16).astype(np.int32)], 1.0,
                     cv2.LINE_AA, 4)  # fmt: skip
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(soft, 0.4)), np.float32)
        self.levels[top:down, left:right] *= 1 - dark * mask[..., None]

    def ring(self, x: float, y: float, radius: float, lift: float) -> NDArray[np.float64]:
        """The projected outline of a circle."""
        turns = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        places = np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns)], axis=1)
        return self.camera.project(places, lift)

    def chips(self, laid: Laid) -> None:
        """Draw a chip or a stack of them."""
        look, radius = laid.look, laid.look.across / 2
        x, y, lift = laid.x, laid.y, laid.lift
        scale = float(np.ptp(self.ring(x, y, radius, 0)[:, 0])) / look.across
        tall = laid.count * look.thick
        long = np.array(self.air.sun) * tall
        hull = np.concatenate(
            [self.ring(x, y, radius, lift), self.ring(x + long[0], y + long[1], radius, lift)]
        )
        hull = cv2.convexHull(hull.astype(np.float32))[:, 0].astype(np.float64)
        self.shadow(hull, 0.45 * tall * scale + 0.5, self.air.dark)
        near = hull * 0.98 + hull.mean(axis=0) * 0.02
        self.shadow(near, 0.9 * scale, 0.5 * self.air.dark)
        for level in range(laid.count):
            if level:
                x, y = x + self.rng.normal(0, 0.35), y + self.rng.normal(0, 0.35)
            turn = float(self.rng.uniform(0, 2 * np.pi))
            self._side(look, x, y, lift, turn)
            lift += look.thick
            where = self.paste(self._lit(look, turn), (look.across,) * 2, (x, y), turn, lift)
        self.owner[where] = len(self.laid)
        self.laid.append((Laid(look, x, y, laid.count), lift))

    def _side(self, look: Look, x: float, y: float, lift: float, turn: float) -> None:
        """Draw the visible side of one chip as upright strips."""
        turns = np.linspace(0, 2 * np.pi, 145)
        colours = edge(look, (turns - turn).astype(np.float32))
        ring = np.stack([x + look.across / 2 * np.cos(turns), y + look.across / 2 * np.sin(turns)])
        low, top = (self.camera.project(ring.T, z) for z in (lift, lift + look.thick))
        light = 0.72 - 0.2 * (np.cos(turns) * self.air.sun[0] + np.sin(turns) * self.air.sun[1])
        for a in range(len(turns) - 1):
            strip = np.array([low[a], low[a + 1], top[a + 1], top[a]])
            if cv2.contourArea(strip.astype(np.float32)) < 0.05:
                continue
            shade = tuple(float(v) for v in colours[a] * light[a])
            cv2.fillPoly(self.levels, [np.rint(strip * 16).astype(np.int32)], shade,
                         cv2.LINE_AA, 4)  # fmt: skip
            mask = np.rint(strip).astype(np.int32)
            cv2.fillPoly(self.owner, [mask], -1)
        seam = self.ring(x, y, look.across / 2, lift)
        cv2.polylines(self.levels, [np.rint(seam * 16).astype(np.int32)], True,
                      tuple(0.45 * v for v in look.body), 1, cv2.LINE_AA, 4)  # fmt: skip

    def _lit(self, look: Look, turn: float) -> Field:
        """A face under this light: bevelled, uneven, with a highlight."""
        face = face_of(look).copy()
        axis = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE * 2 - 1
        u, v = np.meshgrid(axis, axis)
        c, s = np.cos(-turn), np.sin(-turn)
        sun = np.array(self.air.sun) / max(hypot(*self.air.sun), 1e-3)
        to = np.array([c * sun[0] - s * sun[1], s * sun[0] + c * sun[1]])
        along = -(u * to[0] + v * to[1])
        far = np.hypot(u, v)
        gain = 1 + float(self.rng.normal(0, 0.05)) + 0.05 * along
        gain = gain + np.where(far > 0.93, 0.22 * along, 0.0)
        face[..., :3] *= gain[..., None]
        if self.air.gloss > 0:
            at = np.array([-to[0], -to[1]]) * float(self.rng.uniform(0.0, 0.7))
            across = (u - at[0]) * to[0] + (v - at[1]) * to[1]
            beside = -(u - at[0]) * to[1] + (v - at[1]) * to[0]
            shine = np.exp(-((across / 0.25) ** 2) - (beside / 0.5) ** 2)
            face[..., :3] += (255 - face[..., :3]) * (self.air.gloss * shine)[..., None]
        return np.clip(face, 0, 255)

    def photo(self) -> Photo:
        """The picture as it comes from the camera."""
        shown = []
        for number, (laid, lift) in enumerate(self.laid):
            ring = self.ring(laid.x, laid.y, laid.look.across / 2, lift)
            at = self.camera.project(np.array([[laid.x, laid.y]]), lift)[0]
            wide, high = np.ptp(ring, axis=0)
            area = max(1.0, float(cv2.contourArea(ring.astype(np.float32))))
            hidden = 1 - float((self.owner == number).sum()) / area
            shown.append(
                Shown(laid.look.value, laid.count, float(at[0]), float(at[1]),
                      float(wide + high) / 4, hidden)
            )  # fmt: skip
        return Photo(developed(self.levels, self.air, self.rng), tuple(shown))


def developed(levels: Field, air: Air, rng: Rng) -> Frame:
    """Apply light, lens, sensor and file compression."""
    high, wide = levels.shape[:2]
    u = np.linspace(-0.5, 0.5, wide, dtype=np.float32)
    v = np.linspace(-0.5, 0.5, high, dtype=np.float32)[:, None]
    light: Field = np.clip(
        air.exposure * (1 + air.slope[0] * 2 * u + air.slope[1] * 2 * v), 0.1, 1.4
    )
    seen: Field = levels * light[..., None] * np.array(air.cast, np.float32)
    seen = np.asarray(255 * np.clip(seen / 255, 0, 1) ** np.float32(air.gamma), np.float32)
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), air.blur), np.float32)
    if air.motion > 0.5:
        reach = int(air.motion) + 2
        kernel = np.zeros((2 * reach + 1,) * 2, np.float32)
        turn = float(rng.uniform(0, np.pi))
        way = np.array([np.cos(turn), np.sin(turn)]) * air.motion / 2
        ends = [tuple(int(t) for t in np.rint((reach + k * way) * 16)) for k in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
        seen = np.asarray(cv2.filter2D(seen, -1, kernel / kernel.sum()), np.float32)
    coarse = cv2.resize(
        rng.normal(0, air.noise, (high // 2, wide // 2, 3)).astype(np.float32), (wide, high)
    )
    fine = rng.normal(0, air.noise * 0.6, (high, wide, 1)).astype(np.float32)
    frame = np.clip(seen + coarse + fine, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, air.quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def cloth(camera: Camera, name: str, rng: Rng) -> Field:
    """A drawn table."""
    wide, high = camera.size
    ground = np.empty((high, wide, 3), np.float32)
    ground[:] = CLOTHS[name]
    fine: Field = rng.normal(0, 1, (high, wide)).astype(np.float32)
    coarse = rng.normal(0, 1, (high, wide)).astype(np.float32)
    if name == "wood":
        fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), sigmaX=40, sigmaY=0.8) * 30, np.float32)
        fine += cv2.GaussianBlur(coarse, (0, 0), 60) * 300
    else:
        strength = np.float32(rng.uniform(3, 14))
        fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), 0.7) * strength, np.float32)
        fine += cv2.GaussianBlur(coarse, (0, 0), 12) * 80
    return np.clip(ground * (1 + fine[..., None] / 140), 0, 255)


def cards(table: Table, count: int, keep: Sequence[tuple[float, float]]) -> None:
    """Draw cards next to the chips, some of them overlapping as a hand."""
    deck, rng = DrawnDeck(DeckStyle()), table.rng
    faces = Deck.standard().cards
    placed: list[tuple[float, float]] = []
    for _ in range(60):
        if len(placed) >= count:
            break
        x, y = table.camera.locate(np.array([rng.uniform(0.08, 0.92, 2) * table.camera.size]))[0]
        if any(hypot(x - a, y - b) < 95 for a, b in keep):
            continue
        if any(hypot(x - a, y - b) < 140 for a, b in placed):
            continue
        turn = float(rng.normal(0, 0.5))
        fan = int(rng.integers(1, 4))
        step = np.array([np.cos(turn), np.sin(turn)]) * 24
        if any(hypot(x + fan * step[0] - a, y + fan * step[1] - b) < 95 for a, b in keep):
            fan = 1
        placed.append((float(x), float(y)))
        for number in range(fan):
            card = faces[int(rng.integers(len(faces)))]
            face = np.asarray(deck.face(card, 5.0), np.float32)
            at = np.array([x, y]) + number * step
            wide, high = deck.size
            box = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
            spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            outline = table.camera.project(box @ spin.T + at)
            table.shadow(outline, 1.5, 0.3)
            where = table.paste(face, (wide, high), (at[0], at[1]), turn, 0.4)
            table.owner[where] = -1


def places(
    camera: Camera, count: int, gap: float, rng: Rng, *, inset: float = 0.1
) -> list[tuple[float, float]]:
    """Visible places (mm), at least `gap` apart."""
    found: list[tuple[float, float]] = []
    for _ in range(300):
        if len(found) == count:
            break
        share = rng.uniform(inset, 1 - inset, 2)
        x, y = camera.locate(np.array([share * camera.size]))[0]
        if all(hypot(x - a, y - b) >= gap for a, b in found):
            found.append((float(x), float(y)))
    return found
