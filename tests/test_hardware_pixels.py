"""A pure red card in every pixel format, laid out by hand as the formats' descriptions say."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.errors import CameraError, PictureError
from hardware.pixels import FORMATS, cut_short, decode, to_bgr

WIDTH, HEIGHT = 8, 6
# Red at full strength in BT.601's limited range: the well-known 81, 90, 240 of test bars.
Y, U, V = 81, 90, 240
R, G, B, X = 255, 0, 0, 255

IN_MEMORY: dict[str, list[int]] = {
    "RGB888": [B, G, R] * (WIDTH * HEIGHT),
    "BGR888": [R, G, B] * (WIDTH * HEIGHT),
    "XRGB8888": [B, G, R, X] * (WIDTH * HEIGHT),
    "ARGB8888": [B, G, R, X] * (WIDTH * HEIGHT),
    "XBGR8888": [R, G, B, X] * (WIDTH * HEIGHT),
    "ABGR8888": [R, G, B, X] * (WIDTH * HEIGHT),
    "YUYV": [Y, U, Y, V] * (WIDTH * HEIGHT // 2),
    "YVYU": [Y, V, Y, U] * (WIDTH * HEIGHT // 2),
    "UYVY": [U, Y, V, Y] * (WIDTH * HEIGHT // 2),
    "NV12": [Y] * (WIDTH * HEIGHT) + [U, V] * (WIDTH * HEIGHT // 4),
    "NV21": [Y] * (WIDTH * HEIGHT) + [V, U] * (WIDTH * HEIGHT // 4),
    "YUV420": [Y] * (WIDTH * HEIGHT) + [U] * (WIDTH * HEIGHT // 4) + [V] * (WIDTH * HEIGHT // 4),
    "YVU420": [Y] * (WIDTH * HEIGHT) + [V] * (WIDTH * HEIGHT // 4) + [U] * (WIDTH * HEIGHT // 4),
}


def red(image: NDArray[np.uint8]) -> bool:
    wanted = np.full((HEIGHT, WIDTH, 3), (0, 0, 255), np.int16)
    # Tolerance of three levels for the rounding of YUV; a swapped channel would be 255 off.
    return image.shape == wanted.shape and bool(np.abs(image - wanted).max() <= 3)


def padded(data: NDArray[np.uint8], rows: int, stride: int) -> NDArray[np.uint8]:
    wide = np.full((rows, stride), 77, np.uint8)
    wide[:, : data.size // rows] = data.reshape(rows, -1)
    return wide.reshape(-1)


def test_every_format_is_tried() -> None:
    assert set(IN_MEMORY) | {"MJPEG"} == set(FORMATS)


@pytest.mark.parametrize("pixel_format", IN_MEMORY)
def test_a_red_card_is_red(pixel_format: str) -> None:
    data = np.array(IN_MEMORY[pixel_format], np.uint8)
    assert red(to_bgr(data, pixel_format, (WIDTH, HEIGHT)))


@pytest.mark.parametrize("pixel_format", IN_MEMORY)
def test_padded_rows_are_cut(pixel_format: str) -> None:
    data = np.array(IN_MEMORY[pixel_format], np.uint8)
    if pixel_format in ("YUV420", "YVU420"):
        split = [WIDTH * HEIGHT, WIDTH * HEIGHT * 5 // 4]
        bright, one, other = np.split(data, split)
        memory = np.concatenate(
            [
                padded(bright, HEIGHT, 64),
                padded(one, HEIGHT // 2, 32),
                padded(other, HEIGHT // 2, 32),
            ]
        )
    else:
        planes = HEIGHT * 3 // 2 if pixel_format.startswith("NV") else HEIGHT
        memory = padded(data, planes, 64)
    assert red(to_bgr(memory, pixel_format, (WIDTH, HEIGHT), stride=64))
    assert red(to_bgr(memory, pixel_format, (WIDTH, HEIGHT)))


def test_an_array_in_picture_shape_is_accepted_too() -> None:
    array = np.array(IN_MEMORY["RGB888"], np.uint8).reshape(HEIGHT, WIDTH, 3)
    assert red(to_bgr(array, "RGB888", (WIDTH, HEIGHT)))


def test_positions_are_kept() -> None:
    image = np.zeros((4, 6, 3), np.uint8)
    image[1, 2], image[3, 5] = (255, 255, 255), (10, 200, 30)
    assert np.array_equal(to_bgr(image[:, :, ::-1], "BGR888", (6, 4)), image)
    x_rgb = np.dstack([image, np.zeros((4, 6), np.uint8)])
    assert np.array_equal(to_bgr(x_rgb, "XRGB8888", (6, 4)), image)


def jpeg(width: int = 64, height: int = 48) -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()


def test_a_jpeg_frame_is_decoded() -> None:
    card = np.full((HEIGHT, WIDTH, 3), (0, 0, 255), np.uint8)
    assert red(to_bgr(cv2.imencode(".jpg", card)[1], "MJPEG", (WIDTH, HEIGHT)))


@pytest.mark.parametrize(
    ("size", "pixel_format", "count", "told"),
    [
        ((8, 6), "RGB565", 96, "'RGB565' is not one of RGB888"),
        ((8, 6), "RGB888", 143, "expected 6 rows of at least 24 bytes, not 143 bytes"),
        ((8, 6), "NV12", 48, "expected 9 rows of at least 8 bytes"),
        ((7, 6), "NV12", 63, "an even width and height, not 7 by 6"),
        ((8, 6), "YUV420", 12, "expected 9 rows"),
        ((8, 6), "MJPEG", 30, "is not a picture"),
        ((8, 6), "MJPEG", 0, "is empty"),
    ],
)
def test_wrong_data_is_reported(
    size: tuple[int, int], pixel_format: str, count: int, told: str
) -> None:
    with pytest.raises(PictureError) as caught:
        to_bgr(np.zeros(count, np.uint8), pixel_format, size)
    assert told in str(caught.value)
    assert isinstance(caught.value, CameraError)


def test_a_jpeg_cut_anywhere_is_noticed() -> None:
    whole = jpeg()
    assert not cut_short(whole)
    assert not cut_short(whole + b"appended by a telephone")
    for share in (0.3, 0.6, 0.9, 0.999):
        with pytest.raises(PictureError, match=r"^x\.jpg is cut short"):
            decode(whole[: int(len(whole) * share)], "x.jpg")


def test_a_thumbnail_s_end_is_not_the_picture_s() -> None:
    thumbnail, whole = jpeg(16, 16), jpeg()
    segment = b"Exif\0\0" + thumbnail
    with_exif = (
        whole[:2] + b"\xff\xe1" + (len(segment) + 2).to_bytes(2, "big") + segment + whole[2:]
    )
    assert not cut_short(with_exif)
    assert cut_short(with_exif[:-200])


def test_a_png_cut_short_is_noticed() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)
    whole = cv2.imencode(".png", noise)[1].tobytes()
    assert np.array_equal(decode(whole, "x.png"), noise)
    with pytest.raises(PictureError, match=r"x\.png"):
        decode(whole[:-2000], "x.png")
