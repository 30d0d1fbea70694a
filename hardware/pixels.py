"""From a camera's memory to a picture: one converter for every pixel format we accept.

The names are the Pi camera's (libcamera's, as picamera2 spells them), and they mislead: they name
the bytes of a little-endian word from the high end, so ``RGB888`` is stored in memory as blue,
green, red, which is what OpenCV expects, and ``BGR888`` is the one that needs swapping.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import PictureError

Image = NDArray[np.uint8]
"""A picture as OpenCV has it: (height, width, 3), blue, green, red."""

_PACKED = {
    "RGB888": (3, (0, 1, 2)),
    "BGR888": (3, (2, 1, 0)),
    "XRGB8888": (4, (0, 1, 2)),
    "ARGB8888": (4, (0, 1, 2)),
    "XBGR8888": (4, (2, 1, 0)),
    "ABGR8888": (4, (2, 1, 0)),
}
"""Bytes per pixel, and the offsets of blue, green and red within them."""

_YUYV = {
    "YUYV": cv2.COLOR_YUV2BGR_YUYV,
    "YVYU": cv2.COLOR_YUV2BGR_YVYU,
    "UYVY": cv2.COLOR_YUV2BGR_UYVY,
}
_TWO_PLANES = {"NV12": cv2.COLOR_YUV2BGR_NV12, "NV21": cv2.COLOR_YUV2BGR_NV21}
_THREE_PLANES = {"YUV420": cv2.COLOR_YUV2BGR_I420, "YVU420": cv2.COLOR_YUV2BGR_YV12}

FORMATS: tuple[str, ...] = (*_PACKED, *_YUYV, *_TWO_PLANES, *_THREE_PLANES, "MJPEG")
"""The pixel formats that `to_bgr` reads."""


def to_bgr(data: Any, pixel_format: str, size: tuple[int, int], stride: int | None = None) -> Image:
    """The picture in `data`, as (height, width, 3) bytes in OpenCV's order.

    `data` is a byte array of any shape, as the camera filled it; `size` is (width, height) in
    pixels; `stride` is the length in bytes of the first plane's rows including padding, worked out
    from the amount of data if not given. YUV is read as limited-range BT.601, as cameras deliver
    it. Raises `PictureError` for an unknown format or the wrong amount of data.

    >>> to_bgr(np.array([[[255, 0, 0, 255]]], np.uint8), "XBGR8888", (1, 1)).tolist()
    [[[0, 0, 255]]]
    """
    flat = np.ascontiguousarray(data, dtype=np.uint8).reshape(-1)
    width, height = size
    if pixel_format == "MJPEG":
        return decode(flat, "a frame of the camera")
    if pixel_format in _PACKED:
        return _packed(flat, pixel_format, width, height, stride)
    if pixel_format in _YUYV:
        rows = _rows(flat, pixel_format, height, width * 2, stride)
        return _converted(rows.reshape(height, width, 2), _YUYV[pixel_format])
    if width % 2 or height % 2:
        raise PictureError(
            f"{pixel_format} needs an even width and height, not {width} by {height}"
        )
    if pixel_format in _TWO_PLANES:
        rows = _rows(flat, pixel_format, height * 3 // 2, width, stride)
        return _converted(rows, _TWO_PLANES[pixel_format])
    if pixel_format in _THREE_PLANES:
        rows = _three_planes(flat, pixel_format, width, height, stride)
        return _converted(rows, _THREE_PLANES[pixel_format])
    raise PictureError(f"pixel format {pixel_format!r} is not one of {', '.join(FORMATS)}")


def _padded(flat: Image, name: str, height: int, used: int, stride: int | None) -> Image:
    """The first `height` rows with their padding, each of at least `used` bytes."""
    stride = stride or flat.size // height
    if stride < used or flat.size < stride * height:
        raise PictureError(
            f"{name}: expected {height} rows of at least {used} bytes, "
            f"not {flat.size} bytes in rows of {stride}"
        )
    return flat[: stride * height].reshape(height, stride)


def _rows(flat: Image, name: str, height: int, used: int, stride: int | None) -> Image:
    return np.ascontiguousarray(_padded(flat, name, height, used, stride)[:, :used])


def _packed(flat: Image, name: str, width: int, height: int, stride: int | None) -> Image:
    depth, order = _PACKED[name]
    pixels = _rows(flat, name, height, width * depth, stride).reshape(height, width, depth)
    return np.ascontiguousarray(pixels[:, :, order])


def _three_planes(flat: Image, name: str, width: int, height: int, stride: int | None) -> Image:
    # Two rows of a colour plane, each half as long, fill one row of the brightness plane.
    rows = _padded(flat, name, height * 3 // 2, width, stride)
    colours = rows[height:].reshape(height, -1)[:, : width // 2]
    joined = np.concatenate([rows[:height, :width].reshape(-1), colours.reshape(-1)])
    return joined.reshape(height * 3 // 2, width)


def _converted(rows: Image, code: int) -> Image:
    return np.asarray(cv2.cvtColor(rows, code), dtype=np.uint8)


def decode(data: Image | bytes, name: str) -> Image:
    """The picture in a photograph's bytes, turned upright as the camera recorded.

    `name` is for error messages. Raises `PictureError` if it is not a picture or is truncated:
    decoders silently fill the missing part with grey, which would look like felt without cards.
    """
    flat = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
    if not flat.size:
        raise PictureError(f"{name} is empty")
    image = _try(lambda: cv2.imdecode(flat, cv2.IMREAD_COLOR), name)
    if cut_short(data if isinstance(data, bytes) else flat.tobytes()):
        raise PictureError(f"{name} is cut short: its end is missing")
    if image is None:
        raise PictureError(f"{name} is not a picture that can be read")
    return np.asarray(image, dtype=np.uint8)


def _try(decoder: Callable[[], Any], name: str) -> Any:
    try:
        return decoder()
    except cv2.error as error:
        reason = str(error).strip().splitlines()[-1]
        raise PictureError(f"{name} cannot be decoded: {reason}") from error


def cut_short(data: bytes) -> bool:
    """Whether a JPEG or PNG is truncated; other formats are assumed to be whole.

    >>> cut_short(bytes.fromhex("ffd8 ffda 0002 1234 ffd9"))
    False
    >>> cut_short(bytes.fromhex("ffd8 ffda 0002 1234"))
    True
    """
    if data.startswith(b"\x89PNG"):
        return b"IEND" not in data[-64:] and b"IEND" not in data
    return data.startswith(b"\xff\xd8") and data.find(b"\xff\xd9", _scan_start(data)) < 0


def _scan_start(data: bytes) -> int:
    # Skip segments by their lengths: one may hold a thumbnail with its own end marker.
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        if data[place + 1] == 0xDA:
            return place
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return min(place, len(data))
