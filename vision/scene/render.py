"""Pictures of a card table as a camera above it would take them.

`render` makes one picture; `Canvas` represents a table that hardly changes, keeps what lies still
and pastes only what moves; `truth` gives the positions of all cards and readable indices.

    >>> deck = DrawnDeck(DeckStyle())
    >>> view = View.above((640, 360), px_per_mm=1.6)
    >>> queen = CardItem(deck, Card.parse("QS"), Pose(-40.0, 0.0, 10.0))
    >>> seven = CardItem(deck, Card.parse("7D"), Pose(45.0, 10.0, 75.0))
    >>> canvas = Canvas(view, Surface(), Light(), Lens(), seed=1)
    >>> canvas.settle([queen])
    >>> canvas.frame([seven.moved(60.0, 10.0, 75.0, lift=30.0)]).shape
    (360, 640, 3)
    >>> [(str(found.card), len(found.indices)) for found in truth([queen, seven], view)]
    [('QS', 2), ('7D', 2)]
    >>> round(truth([queen], view)[0].indices[0].height)
    27
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import Card
from vision.scene.courts import Picture
from vision.scene.derived import Derived
from vision.scene.faces import DeckStyle, DrawnDeck, Index, Texture
from vision.scene.items import CardItem, Item, Pose, Sprite, outline, shape
from vision.scene.light import Backdrop, Lens, Light, Surface
from vision.scene.shading import (
    Box,
    Lighting,
    Shadow,
    background,
    clipped,
    common,
    reach_of,
    shadow_of_span,
    span_of,
    thrice,
)
from vision.scene.view import Matrix, View

__all__ = [
    "Canvas",
    "CardItem",
    "DeckStyle",
    "DrawnDeck",
    "Lens",
    "Light",
    "Pose",
    "SeenCard",
    "SeenIndex",
    "Surface",
    "View",
    "render",
    "truth",
]


@dataclass(frozen=True, slots=True)
class SeenIndex:
    """One index in the picture."""

    x: float
    """Its centre, in pixels."""
    y: float
    height: float
    """From the rank's top to the suit sign's bottom, in pixels."""
    up: tuple[float, float]
    """Unit vector from suit sign to rank, y downwards."""
    visible: float
    """Share of its box that is neither covered nor cut off by the frame, 0 to 1."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card in the picture."""

    card: Card
    outline: tuple[tuple[float, float], ...]
    """Its corners in pixels, clockwise from its own top left."""
    indices: tuple[SeenIndex, ...]
    item: int
    """Its position in the list of items."""


def truth(items: Sequence[Item], view: View) -> list[SeenCard]:
    """Every card among the items, lowest first, as `view` sees it."""
    shapes = [view.project(shape(item), item.pose.lift).astype(np.float32) for item in items]
    found = []
    for number, item in enumerate(items):
        if not isinstance(item, CardItem):
            continue
        above = shapes[number + 1 :]
        marks = tuple(_seen(item, index, view, above) for index in item.art.indices(item.card))
        edges = tuple((float(x), float(y)) for x, y in outline(item, view))
        found.append(SeenCard(item.card, edges, marks, number))
    return found


def _seen(
    item: CardItem, index: Index, view: View, above: Sequence[NDArray[np.float32]]
) -> SeenIndex:
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, 5), np.linspace(-0.5, 0.5, 9))
    grid = np.stack([x.ravel() * index.width, y.ravel() * index.height], axis=1)
    ends = np.array([(0, -0.5), (0, 0.5)]) * index.height * -index.up[1]
    places = np.vstack([ends, grid]) + np.array([index.x, index.y])
    pixels = view.project(item.pose.place(places), item.pose.lift)
    top, bottom, inner = pixels[0], pixels[1], pixels[2:]
    height = float(np.linalg.norm(top - bottom))
    up = (top - bottom) / height
    centre = (top + bottom) / 2
    low, high = inner.min(axis=0), inner.max(axis=0)
    near = [e for e in above if (e.max(axis=0) >= low).all() and (e.min(axis=0) <= high).all()]
    visible = float(np.mean([_clear(point, view.size, near) for point in inner]))
    return SeenIndex(
        float(centre[0]), float(centre[1]), height, (float(up[0]), float(up[1])), visible
    )


def _clear(point: Matrix, size: tuple[int, int], above: Sequence[NDArray[np.float32]]) -> bool:
    x, y = float(point[0]), float(point[1])
    if not (0 <= x < size[0] and 0 <= y < size[1]):
        return False
    return all(cv2.pointPolygonTest(edges, (x, y), False) < 0 for edges in above)


def _warp(item: Item, view: View, box: Box) -> NDArray[np.uint8]:
    """The item as seen inside `box`, (H,W,4), with colours premultiplied by their coverage."""
    scale = view.scale_at(item.pose.x, item.pose.y, item.pose.lift)
    # Steps of half an octave keep the number of cached faces small, and slightly finer than needed.
    texture = item.texture(float(2 ** (np.ceil(np.log2(max(scale, 0.1)) * 2 - 0.1) / 2)))
    high, wide = texture.shape[:2]
    size = np.array(item.size)
    frame = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64)
    placed = item.pose.place((frame / (wide, high) - 0.5) * size)
    target = view.project(placed, item.pose.lift) - (box[0], box[1])
    # Pixel centres lie half a pixel inside the corner to which the millimetres refer.
    matrix = cv2.getPerspectiveTransform(
        (frame - 0.5).astype(np.float32), (target - 0.5).astype(np.float32)
    )
    room = (box[2] - box[0], box[3] - box[1])
    return np.asarray(
        cv2.warpPerspective(_solid(texture), matrix, room, flags=cv2.INTER_LINEAR), np.uint8
    )


def _solid(texture: Texture) -> Texture:
    """A texture's colours multiplied by their coverage."""
    return _SOLIDS.of(texture, "solid", lambda: _multiplied(texture))


_SOLIDS = Derived()


def _multiplied(texture: Texture) -> Texture:
    cover = cv2.cvtColor(texture[..., 3], cv2.COLOR_GRAY2BGR)
    faded = cv2.multiply(texture[..., :3], cover, scale=1 / 255)
    return np.asarray(cv2.merge([*cv2.split(faded), texture[..., 3]]), np.uint8)


def _paste(picture: Picture, item: Item, view: View, lighting: Lighting, origin: Box) -> None:
    """Paste an item and its shadow into `picture`, which shows the part `origin` of the view."""
    shadow = Shadow.of(item, view, lighting.light)
    own = span_of(item, view)
    box = common(own, origin)
    if box is None:
        return
    sprite = _warp(item, view, box)
    fallen = common(shadow_of_span(own, shadow), origin)
    casts = not isinstance(item, Sprite) or item.casts
    if fallen is not None and casts and lighting.light.drop:
        under = _part(picture, fallen, origin)
        alpha = np.ascontiguousarray(sprite[..., 3])
        shade = thrice(_shade(alpha, box, fallen, shadow, lighting.light.drop))
        cv2.multiply(under, shade, dst=under, scale=1 / 255)
    _cover(_part(picture, box, origin), sprite, item, lighting, box)


def _part(picture: NDArray[np.uint8], box: Box, origin: Box) -> NDArray[np.uint8]:
    """The part `box` of a picture that shows `origin`; a view of it, not a copy."""
    return picture[box[1] - origin[1] : box[3] - origin[1], box[0] - origin[0] : box[2] - origin[0]]


def _cover(
    patch: Picture, sprite: NDArray[np.uint8], item: Item, lighting: Lighting, box: Box
) -> None:
    """Lay the lit item over `patch`, which shows the part `box` of the view."""
    cover = thrice(np.ascontiguousarray(sprite[..., 3]))
    colours = np.asarray(cv2.cvtColor(sprite, cv2.COLOR_BGRA2BGR), np.uint8)
    area = (slice(box[1], box[3]), slice(box[0], box[2]))
    colours = lighting.lit(colours, area, item.gloss, cover)
    under = cv2.multiply(patch, cv2.bitwise_not(cover), scale=1 / 255)
    cv2.add(under, colours, dst=patch)


def _shade(
    alpha: NDArray[np.uint8], box: Box, fallen: Box, shadow: Shadow, drop: float
) -> NDArray[np.uint8]:
    """The share of the light left by an item's shadow in the part `fallen`, 0 to 255, (H,W).

    `alpha` is the item's cover in the part `box`. A soft shadow is computed on a coarser grid.
    """
    coarse = 4 if shadow.spread > 6 else 2
    # Whole cells are averaged many times faster than fractions of cells.
    high, wide = (-side % coarse for side in alpha.shape)
    whole = cv2.copyMakeBorder(alpha, 0, high, 0, wide, cv2.BORDER_CONSTANT, value=(0,))
    small = cv2.resize(whole, None, fx=1 / coarse, fy=1 / coarse, interpolation=cv2.INTER_AREA)
    room = int(shadow.margin / coarse) + 1
    edged = cv2.copyMakeBorder(small, room, room, room, room, cv2.BORDER_CONSTANT, value=(0,))
    soft = cv2.GaussianBlur(edged, (0, 0), shadow.spread / coarse)
    # Pixel centres lie half a pixel inside their corners, in the coarse grid as in the fine one.
    inset = coarse * (0.5 - room) - 0.5
    left = box[0] + shadow.away[0] - fallen[0] + inset
    top = box[1] + shadow.away[1] - fallen[1] + inset
    move = np.array([[coarse, 0, left], [0, coarse, top]], np.float64)
    full = cv2.warpAffine(soft, move, (fallen[2] - fallen[0], fallen[3] - fallen[1]))
    return np.asarray(cv2.convertScaleAbs(full, alpha=-drop, beta=255), np.uint8)


def render(
    items: Sequence[Item],
    surface: Backdrop,
    view: View,
    light: Light,
    lens: Lens,
    *,
    rng: np.random.Generator,
) -> Picture:
    """One picture of the items, lowest first, (H,W,3); `rng` affects only the noise."""
    lighting = Lighting.over(view, light, lens)
    picture = background(view, surface, lighting)
    for item in items:
        _paste(picture, item, view, lighting, (0, 0, *view.size))
    return lens.sensor(lens.optics(picture), rng)


class Canvas:
    """A table that mostly stays the same.

    Surface, light and settled items are composed once. `frame` copies that picture, pastes what
    moves and adds fresh noise, so that a 1920 by 1080 frame with one moving card is cheap.
    """

    def __init__(
        self, view: View, surface: Backdrop, light: Light, lens: Lens, *, seed: int = 0
    ) -> None:
        self.view = view
        self._lens = lens
        self._lighting = Lighting.over(view, light, lens)
        self._bare = background(view, surface, self._lighting)
        self._rng = np.random.default_rng(seed)
        self._items: tuple[Item, ...] = ()
        self._sharp = self._bare.copy()
        self._still = lens.optics(self._sharp.copy())
        self._shown: tuple[list[object], Picture, Sequence[Item]] | None = None
        self._bright, self._dark = _grain(view.size, lens.noise, seed)

    @property
    def items(self) -> tuple[Item, ...]:
        """The settled items, lowest first."""
        return self._items

    def settle(self, items: Sequence[Item]) -> None:
        """Place exactly these items on the table, lowest first."""
        wanted = tuple(items)
        known = len(self._items)
        if wanted[:known] != self._items:
            self._sharp = self._bare.copy()
            known = 0
        for item in wanted[known:]:
            _paste(self._sharp, item, self.view, self._lighting, (0, 0, *self.view.size))
        self._items = wanted
        self._still, self._shown = self._lens.optics(self._sharp.copy()), None

    def frame(self, moving: Sequence[Item] = ()) -> Picture:
        """The next camera picture, with `moving` items above the settled ones, (H,W,3).

        It may be returned again, so it must not be changed.
        """
        return self._noisy(self._with(moving) if moving else self._still)

    def _with(self, moving: Sequence[Item]) -> Picture:
        """The picture with `moving` items; the last one if they have not moved."""
        looks = [_look(item) for item in moving]
        if self._shown is None or self._shown[0] != looks:
            picture = self._still.copy()
            self._overlay(picture, moving)
            # The items are kept because their pictures are distinguished by their memory addresses.
            self._shown = looks, picture, tuple(moving)
        return self._shown[1]

    def _overlay(self, picture: Picture, moving: Sequence[Item]) -> None:
        light = self._lighting.light
        boxes = np.array([reach_of(item, self.view, light) for item in moving])
        low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        margin = self._lens.reach
        spread = (low - margin, high + margin)
        (x0, y0), (x1, y1) = ((int(corner[0]), int(corner[1])) for corner in spread)
        inner = clipped((x0, y0, x1, y1), self.view.size)
        outer = clipped(
            (inner[0] - margin, inner[1] - margin, inner[2] + margin, inner[3] + margin),
            self.view.size,
        )
        part = self._sharp[outer[1] : outer[3], outer[0] : outer[2]].copy()
        if not part.size:
            return
        for item in moving:
            _paste(part, item, self.view, self._lighting, outer)
        # Near its edge the part is blurred without its neighbours, so that margin is left out.
        seen = self._lens.optics(part)
        top, left = inner[1] - outer[1], inner[0] - outer[0]
        rows, columns = inner[3] - inner[1], inner[2] - inner[0]
        picture[inner[1] : inner[3], inner[0] : inner[2]] = seen[
            top : top + rows, left : left + columns
        ]

    def _noisy(self, picture: Picture) -> Picture:
        if self._lens.saturation != 1.0 or self._lens.jpeg:
            return self._lens.sensor(picture, self._rng)
        if not self._lens.noise:
            return picture
        x, y = (int(v) for v in self._rng.integers(0, _SHIFT, 2))
        width, height = self.view.size
        area = (slice(y, y + height), slice(x, x + width))
        lighter = cv2.add(picture, self._bright[area])
        return np.asarray(cv2.subtract(lighter, self._dark[area]), np.uint8)


def _look(item: Item) -> object:
    """What determines an item's look; sprites with the same picture do not compare equal."""
    if isinstance(item, Sprite):
        return id(item.picture), item.size, item.pose, item.gloss, item.casts
    return item


_SHIFT = 64
"""How far the noise tile is moved between frames, in pixels."""


def _grain(size: tuple[int, int], noise: float, seed: int) -> tuple[Picture, Picture]:
    """Noise as two pictures: one to add and one to subtract."""
    shape = (size[1] + _SHIFT, size[0] + _SHIFT, 3)
    if not noise:
        empty = np.zeros((1, 1, 3), np.uint8)
        return empty, empty
    grain = np.random.default_rng(seed).standard_normal(shape, np.float32) * noise
    return grain.clip(0).astype(np.uint8), (-grain).clip(0).astype(np.uint8)
