"""Whether the pattern of backs at rest is where it was, at the camera's own resolution.

On the shrunken picture, the pattern is a shade. A back that lay under another shows the same shade
once that one is gone; but where the two were not squared up exactly, another part of the pattern.
"""

from __future__ import annotations

import cv2
import numpy as np

from rules.cards import BACK
from vision.picture.geometry import Floats, Frame, short_side
from vision.sightings import Lying
from vision.track.in_view import INDEX
from vision.track.light import Grey
from vision.track.motion import Part, Shown, both, either
from vision.track.zones import Shot, Site, Zone

WINDOW = 0.15
"""Side of the square in which patterns are compared, in short sides of a card: 9 mm, several
repeats of a fine pattern. A choice; `python -m tests.soak --pictures` judges it."""
SAME = 0.5
"""Minimum correlation there of a pattern that has not moved. A choice: on a map of it, of a fan of
five backs under a webcam, what lay still was nearly white after each hand, and most of a strip from
which one had been taken was black; `python -m tests.soak --pictures` judges it."""
PATTERNED = 6.0
"""Minimum contrast there, as the standard deviation in grey levels, that is a pattern and no noise.
A choice: a webcam's noise is two or three levels, in the evening five."""


def take_texture(zone: Zone, site: Site, shot: Shot) -> None:
    """Keep how a spot on which backs lie looks, but for those that no part of the site shows.

    Of a back that was read anew, all is as it lies now: with no more than the strip that differed,
    that strip would differ for ever from what is beside it.
    """
    if zone.polygon is None or not any(one.card == BACK for one in zone.lying):
        zone.texture = None
        return
    now = _grey(shot.frame, _full(zone.part, shot))
    if zone.texture is None or zone.texture.shape != now.shape:
        zone.texture = now
        return
    size = now.shape[1], now.shape[0]
    there: Shown = np.asarray(cv2.resize(site.shown, size, interpolation=cv2.INTER_NEAREST))
    read = there
    rows, columns = _full(zone.part, shot)
    for one in zone.lying:
        place = _placed(one, (rows, columns), now.shape)
        if one.card == BACK and cv2.countNonZero(both(place, there)):
            read = either(read, place)
    cv2.copyTo(now, read, zone.texture)


def moved_patterns(zone: Zone, shot: Shot) -> Shown | None:
    """Where (255), on the spot's shrunken picture, backs show another part of a pattern than when
    they were read; None if nowhere."""
    backs = [one for one in zone.lying if one.card == BACK]
    if zone.texture is None or not backs:
        return None
    rows, columns = _full(zone.part, shot)
    lie = np.zeros(zone.texture.shape, np.uint8)
    for one in backs:
        lie = either(lie, _placed(one, (rows, columns), lie.shape))
    side = max(3, round(WINDOW * short_side(backs[0].outline)))
    inner = np.asarray(cv2.erode(lie, np.ones((side, side), np.uint8)), np.uint8)
    x, y, wide, high = cv2.boundingRect(inner)
    if not wide:
        return None
    part = slice(y, y + high), slice(x, x + wide)
    now = _grey(shot.frame, (rows, columns))
    other = np.zeros(lie.shape, np.uint8)
    other[part] = both(_differing(zone.texture[part], now[part], side), inner[part])
    size = zone.mask.shape[1], zone.mask.shape[0]
    small = cv2.resize(other, size, interpolation=cv2.INTER_AREA)
    shown = (small > 127).astype(np.uint8) * np.uint8(255)
    return shown if cv2.countNonZero(shown) >= INDEX else None


def _differing(before: Grey, now: Grey, side: int) -> Shown:
    """Where (255) another part of a pattern shows `now` than `before`, in squares with this `side`.

    Where none shows now, a hand or a face lies over it, or the table is bare: other shades.
    """
    one, other = before.astype(np.float32), now.astype(np.float32)
    first, last = _blurred(one, side), _blurred(other, side)
    varied = _blurred(one * one, side) - first * first, _blurred(other * other, side) - last * last
    common = _blurred(one * other, side) - first * last
    product = np.maximum(varied[0], 0) * np.maximum(varied[1], 0)
    patterned = np.minimum(*varied) >= PATTERNED**2
    differs = common < SAME * np.sqrt(product)
    shown: Shown = (differs & patterned).astype(np.uint8) * np.uint8(255)
    return shown


def _placed(one: Lying, part: Part, shape: tuple[int, ...]) -> Shown:
    """The pixels (255) of a part of a picture that a card covers."""
    rows, columns = part
    place = np.zeros(shape[:2], np.uint8)
    corners = np.asarray(one.outline, np.float32) - (columns.start, rows.start)
    cv2.fillConvexPoly(place, np.round(corners).astype(np.int32), (255,))
    return place


def _blurred(field: Floats, side: int) -> Floats:
    return np.asarray(cv2.blur(field, (side, side)), np.float32)


def _full(part: Part, shot: Shot) -> Part:
    """A part of the shrunken picture in the picture as it came."""
    rows, columns = (
        slice(min(round(one.start / shot.scale), most), min(round(one.stop / shot.scale), most))
        for one, most in zip(part, shot.frame.shape[:2], strict=True)
    )
    return rows, columns


def _grey(frame: Frame, part: Part) -> Grey:
    """A part of a picture in grey, with its noise averaged a little."""
    grey = cv2.cvtColor(np.ascontiguousarray(frame[part]), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.uint8)
