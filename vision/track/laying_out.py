"""The zones of a picture: one for each spot, and one for everything around them."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

import cv2
import numpy as np

from vision.errors import GeometryError
from vision.picture.geometry import Box, Frame, Polygon
from vision.track.motion import both, inverse
from vision.track.zones import ELSEWHERE, Zone

REACH = 3.2
"""Half a card's diagonal in index heights: how far a card may extend beyond its spot's border. A
choice; `python -m tests.dealt_table` judges it."""
REACH_OF_SPOT = 0.3
"""The same as a share of a spot's shorter side, while the index size is unknown: a spot for one
card is little wider than the card. A choice; `python -m tests.dealt_table` judges it."""


def margin(box: Box, index_height: float | None) -> float:
    """How far in pixels cards may extend beyond the border of a spot of this size."""
    if index_height:
        return REACH * index_height
    return REACH_OF_SPOT * min(box.width, box.height)


def zones_of(
    polygons: Mapping[str, Polygon],
    small: Frame,
    size: tuple[int, int],
    scale: float,
    index_height: float | None,
) -> list[Zone]:
    """The zones of a picture of this `size` (width, height), `small` when shrunk by `scale`.

    What no spot covers is one more zone. Raises `GeometryError` if a spot lies outside the picture.
    """
    boxes = {name: _box(name, one, size, index_height) for name, one in polygons.items()}
    zones = [_zone(name, one, boxes[name], small, scale) for name, one in polygons.items()]
    rest = np.full(small.shape[:2], 255, np.uint8)
    for zone in zones:
        rest[zone.part] = both(rest[zone.part], inverse(zone.mask))
    if not cv2.countNonZero(rest):
        return zones
    everything = slice(0, small.shape[0]), slice(0, small.shape[1])
    whole = Box(0, 0, *size)
    return [*zones, Zone(ELSEWHERE, None, whole, everything, rest, rest.copy())]


def _box(name: str, polygon: Polygon, size: tuple[int, int], index_height: float | None) -> Box:
    """What is read of a spot: as far as its cards may extend."""
    wide = Box.around(polygon.points, margin=margin(polygon.box, index_height))
    box = wide.within(*size)
    if box is None or polygon.box.within(*size) is None:
        raise GeometryError(
            f"expected the spot {name!r} inside the picture of {size[0]} x {size[1]} px: "
            f"got {polygon.points}"
        )
    return box


def _zone(name: str, polygon: Polygon, box: Box, small: Frame, scale: float) -> Zone:
    part = (
        slice(int(box.y * scale), ceil((box.y + box.height) * scale)),
        slice(int(box.x * scale), ceil((box.x + box.width) * scale)),
    )
    mask = polygon.mask(small.shape[1], small.shape[0], scale=scale)[part]
    return Zone(name, polygon, box, part, mask, mask.copy())
