"""Things on a table that are not cards, some of which resemble them."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.scene.courts import Colour
from vision.scene.faces import Texture
from vision.scene.items import Item, Pose, Sprite, flat_item
from vision.training.shelf import Rng, Shelf


def anything(shelf: Shelf, pose: Pose, rng: Rng) -> Item:
    """A thing that is no card: a paper with lettering, another game's card, a picture or a shape;
    where most cards are hidden, most often one that resembles a back."""
    if shelf.hidden and rng.random() < 0.6:
        return plain_thing(pose, rng) if rng.random() < 0.6 else page(shelf, pose, rng)
    chance = rng.random()
    if chance < 0.45:
        return _lettered(shelf, pose, rng)
    if chance < 0.7:
        return _strange_card(shelf, pose, rng)
    if chance < 0.85 and shelf.photos:
        return _photo(shelf, pose, rng)
    corners = rng.uniform(-60, 60, (int(rng.integers(3, 6)), 2))
    hull = cv2.convexHull(corners.astype(np.float32))[:, 0].astype(np.float64)
    return flat_item(pose.place(hull), any_colour(rng))


def any_colour(rng: Rng) -> Colour:
    """A colour without order: neither black nor white."""
    blue, green, red = (int(v) for v in rng.integers(10, 245, 3))
    return blue, green, red


def _photo(shelf: Shelf, pose: Pose, rng: Rng) -> Item:
    picture = shelf.photos[int(rng.integers(len(shelf.photos)))]
    solid = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    side = float(rng.uniform(40, 160))
    return Sprite(solid, (side, side * picture.shape[0] / picture.shape[1]), pose, 0.4)


_PLAIN_SCALE = 3
"""Pixels per millimetre of plain things. A choice: as fine as the largest scenes show them."""
_CARD_LIKE = (48.0, 75.0), (75.0, 105.0)
"""Widths and heights in mm that cards have, about: a plain thing of such a size is left out."""


def _size_of_no_card(rng: Rng) -> tuple[float, float]:
    """A width and a height in mm that no card has."""
    (narrowest, widest), (lowest, highest) = _CARD_LIKE
    while True:
        wide, high = sorted(float(v) for v in np.exp(rng.uniform(np.log(25), np.log(260), 2)))
        if not (narrowest < wide < widest and lowest < high < highest):
            return wide, high


def page(shelf: Shelf, pose: Pose, rng: Rng) -> Item:
    """A page of small print in columns, such as a newspaper, a book or a leaflet: headings, blocks
    of text and pictures, which from afar make an even grey as backs do."""
    wide, high = _size_of_no_card(rng)
    light = rng.random() < 0.8
    paper = tuple(int(v) for v in (rng.integers(170, 256, 3) if light else rng.integers(0, 110, 3)))
    ink = tuple(int(v) for v in (rng.integers(0, 100, 3) if light else rng.integers(150, 256, 3)))
    image = Image.new("RGB", (round(wide * 4), round(high * 4)), paper)
    columns = int(rng.integers(1, 5))
    margin = float(rng.uniform(4, 24))
    room = (image.width - margin * (columns + 1)) / columns
    block = _lines(shelf, int(max(room, 8)), (paper, ink), rng)
    for column in range(columns):
        x, y = int(margin + column * (room + margin)), int(margin)
        while y < image.height - margin:
            tall = int(rng.uniform(0.3, 1) * block.height)
            if rng.random() < 0.75:
                image.paste(block.crop((0, 0, block.width, tall)), (x, y))
            else:
                shade = _shaded((tall, block.width), rng)
                image.paste(Image.fromarray(shade), (x, y))
            y += tall + int(rng.uniform(0, 30))
    return Sprite(_opaque(image), (wide, high), pose, 0.3)


def _lines(
    shelf: Shelf, wide: int, colours: tuple[tuple[int, ...], tuple[int, ...]], rng: Rng
) -> Image.Image:
    """A column of small print, so many pixels wide, on paper of the first colour."""
    paper, ink = colours
    tall = int(rng.uniform(5, 15))
    font = ImageFont.truetype(shelf.fonts[int(rng.integers(len(shelf.fonts)))], tall)
    step = tall * float(rng.uniform(1.1, 1.5))
    block = Image.new("RGB", (wide, int(step * rng.integers(8, 40))), paper)
    pen = ImageDraw.Draw(block)
    for row in range(int(block.height / step)):
        letters = rng.choice(list("etaoinshrdlucmfwyp      "), 2 * wide // tall + 2)
        pen.text((0, int(row * step)), "".join(letters), fill=ink, font=font)
    return block


def plain_thing(pose: Pose, rng: Rng) -> Item:
    """A thing of one colour that is no card, such as a phone, a coaster, a book, a bag or a cloth
    with folds: unevenly lit, grained, and of another size or shape than a card."""
    wide, high = _size_of_no_card(rng)
    shape = round(high * _PLAIN_SCALE), round(wide * _PLAIN_SCALE)
    mask = np.zeros(shape, np.uint8)
    match int(rng.integers(3)):
        case 0:
            radius = int(_PLAIN_SCALE * rng.choice([0.0, 2.0, 6.0, 12.0]))
            inner = (radius, radius), (shape[1] - 1 - radius, shape[0] - 1 - radius)
            cv2.rectangle(mask, *inner, 255, 2 * radius + 1)
            cv2.rectangle(mask, *inner, 255, -1)
        case 1:
            middle = shape[1] // 2, shape[0] // 2
            cv2.ellipse(mask, middle, middle, 0, 0, 360, 255, -1, cv2.LINE_AA)
        case _:
            corners = rng.uniform((0, 0), shape[::-1], (int(rng.integers(4, 8)), 2))
            cv2.fillConvexPoly(mask, cv2.convexHull(corners.astype(np.int32)), 255, cv2.LINE_AA)
    return Sprite(np.dstack([_shaded(shape, rng), mask]), (wide, high), pose, 0.4)


def _shaded(shape: tuple[int, int], rng: Rng) -> Texture:
    """A colour (H, W, 3) with folds and grain."""
    folds = rng.normal(0, float(rng.choice([0.0, 0.08, 0.2])), rng.integers(2, 9, 2))
    light = cv2.resize(folds, shape[::-1], interpolation=cv2.INTER_CUBIC)
    grain = rng.normal(0, float(rng.choice([0.0, 2.0, 8.0])), shape)
    colour = np.array(any_colour(rng), np.float64)
    levels = colour * (1 + light[..., None]) + grain[..., None]
    return np.clip(levels, 0, 255).astype(np.uint8)


_WORDS = (
    "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "OPEN", "EXIT", "No. 7",
    "AKQJ", "Total 28", "page 10", "Menu", "2026", "345 678", "Aa", "KING SIZE", "B", "D", "X", "Z",
    "L 7", "G", "S", "&", "%", "+4", "Thank you", "once upon a time", "0", "1", "11", "12", "M",
)  # fmt: skip


def _lettered(shelf: Shelf, pose: Pose, rng: Rng) -> Item:
    """A paper, book or label with a few lines of type."""
    size = (float(rng.uniform(30, 180)), float(rng.uniform(20, 180)))
    light = rng.random() < 0.7
    paper = tuple(int(v) for v in (rng.integers(200, 256, 3) if light else rng.integers(0, 120, 3)))
    image = Image.new("RGB", (int(size[0] * 4), int(size[1] * 4)), paper)
    pen = ImageDraw.Draw(image)
    y = float(rng.uniform(0, 20))
    while y < image.height:
        tall = int(rng.uniform(14, 70))
        font = ImageFont.truetype(shelf.fonts[int(rng.integers(len(shelf.fonts)))], tall)
        words = "   ".join(
            _WORDS[i] for i in rng.integers(len(_WORDS), size=int(rng.integers(1, 7)))
        )
        ink = tuple(
            int(v) for v in (rng.integers(0, 110, 3) if light else rng.integers(140, 256, 3))
        )
        pen.text((float(rng.uniform(0, 40)), y), words, fill=ink, font=font)
        y += tall * float(rng.uniform(1.1, 3))
    return Sprite(_opaque(image), size, pose, 0.3)


def _strange_card(shelf: Shelf, pose: Pose, rng: Rng) -> Item:
    """A card of some other game: a number in its corners, colours and shapes in the middle."""
    width, height = float(rng.uniform(50, 68)), float(rng.uniform(78, 100))
    image = Image.new("RGB", (int(width * 4), int(height * 4)), (250, 250, 250))
    pen = ImageDraw.Draw(image)
    fill = any_colour(rng)
    border = int(rng.integers(0, 24))
    if rng.random() < 0.6:
        box = (border, border, image.width - border, image.height - border)
        pen.rectangle(box, fill=fill)
    font = ImageFont.truetype(
        shelf.fonts[int(rng.integers(len(shelf.fonts)))], int(rng.uniform(24, 60))
    )
    text = str(rng.choice(["0", "1", "+2", "11", "12", "X", "B", "Z", "N", "W", "?", "15", "21"]))
    ink = (255, 255, 255) if rng.random() < 0.6 else (20, 20, 20)
    pen.text((int(rng.integers(6, 24)), int(rng.integers(6, 24))), text, fill=ink, font=font)
    middle = (image.width / 2, image.height / 2)
    radius = float(rng.uniform(20, 90))
    pen.ellipse((middle[0] - radius, middle[1] - radius * 1.3,
                 middle[0] + radius, middle[1] + radius * 1.3), fill=any_colour(rng))  # fmt: skip
    picture = _opaque(image)
    half = picture.shape[0] // 2
    picture[-half:] = picture[:half][::-1, ::-1]
    return Sprite(picture, (width, height), pose, 0.7)


def _opaque(image: Image.Image) -> Texture:
    colours = np.asarray(image)[:, :, ::-1]
    return np.dstack([colours, np.full(colours.shape[:2], 255, np.uint8)])
