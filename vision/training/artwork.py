"""Cut other people's card artwork into single pictures, for training only.

Every deck becomes a mapping from card codes (``QS``, ``JOKER``, ``BACK``) to pictures (H,W,4) in
blue, green, red and coverage, `WIDTH_PX` wide. None of it is shipped.
"""

from __future__ import annotations

import gzip
import re
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.tools import run

Texture = NDArray[np.uint8]
Pack = dict[str, Texture]

WIDTH_PX = 254
"""Width of a card in pixels: 4 px/mm at 63.5 mm, finer than the largest index in training."""

_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")


def fit(picture: Texture) -> Texture:
    """The picture without its empty border, at the common width."""
    cover = picture[..., 3] > 100
    rows, columns = np.flatnonzero(cover.any(axis=1)), np.flatnonzero(cover.any(axis=0))
    if not len(rows):
        return np.zeros((8, 8, 4), np.uint8)
    inner = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    size = (WIDTH_PX, round(inner.shape[0] * WIDTH_PX / inner.shape[1]))
    return np.asarray(cv2.resize(inner, size, interpolation=cv2.INTER_AREA), np.uint8)


def read_picture(path: Path) -> Texture:
    """Read a PNG with coverage; it is opaque if the file has none."""
    found = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if found is None:
        raise ValueError(f"expected a picture, found an unreadable file: {path}")
    return _with_cover(np.asarray(found, np.uint8))


def _with_cover(picture: Texture) -> Texture:
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 3:
        picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    return picture


def _rsvg(data: bytes, *options: str) -> Texture:
    command = ["rsvg-convert", "--unlimited", *options]
    found = cv2.imdecode(np.frombuffer(run(command, data), np.uint8), cv2.IMREAD_UNCHANGED)
    return _with_cover(np.asarray(found, np.uint8))


def cut_grid(path: Path) -> Pack:
    """A sheet of 13 by 5 cards: clubs, diamonds, hearts, spades, then jokers and back."""
    sheet = _rsvg(gzip.decompress(path.read_bytes()), "-w", str(13 * (WIDTH_PX + 10)))
    high, wide = sheet.shape[0] / 5, sheet.shape[1] / 13
    names = [rank + suit for suit in "CDHS" for rank in _RANKS] + ["JOKER", "JOKER2", "BACK"]
    pack: Pack = {}
    for number, name in enumerate(names):
        row, column = divmod(number, 13)
        cell = sheet[round(row * high) : round((row + 1) * high),
                     round(column * wide) : round((column + 1) * wide)]  # fmt: skip
        pack[name] = fit(cell)
    return pack


def cut_ids(path: Path) -> Pack:
    """An SVG whose cards are named objects: ``7_heart``, ``king_club``, ``back``."""
    data = gzip.decompress(path.read_bytes())
    known = set(re.findall(rb'id="([^"]+)"', data))
    words = (*map(str, range(1, 11)), "jack", "queen", "king")
    wanted = {
        rank + suit[0].upper(): f"{word}_{suit}"
        for suit in ("club", "diamond", "heart", "spade")
        for rank, word in zip(_RANKS, words, strict=True)
    } | {"BACK": "back", "JOKER": "joker_black", "JOKER2": "joker_red"}
    return {
        name: fit(_rsvg(data, "-w", "1200", "-i", "#" + mark))
        for name, mark in wanted.items()
        if mark.encode() in known
    }


def cut_files(folder: Path, names: dict[str, str]) -> Pack:
    """One picture file per card (SVG, PNG or PDF): maps card names to file names."""
    return {
        card: fit(_single(folder / file))
        for card, file in names.items()
        if (folder / file).exists()
    }


def _single(path: Path) -> Texture:
    if path.suffix == ".svg":
        return _rsvg(path.read_bytes(), "-w", str(WIDTH_PX * 2))
    if path.suffix == ".pdf":
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "card"
            run(["pdftoppm", "-png", "-singlefile", "-scale-to-x", str(WIDTH_PX * 2),
                 "-scale-to-y", "-1", path, out])  # fmt: skip
            return read_picture(out.with_suffix(".png"))
    return read_picture(path)


def plain_names(pattern: str, ranks: str = "A 2 3 4 5 6 7 8 9 T J Q K",
                suits: str = "C D H S") -> dict[str, str]:  # fmt: skip
    """File names built from a pattern with ``{rank}`` and ``{suit}``, and the words for these."""
    return {
        rank + suit: pattern.format(rank=rank_word, suit=suit_word)
        for rank, rank_word in zip(_RANKS, ranks.split(), strict=True)
        for suit, suit_word in zip("CDHS", suits.split(), strict=True)
    }


def zip_pictures(path: Path, pattern: str) -> Iterator[NDArray[np.uint8]]:
    """The colour pictures in an archive whose names match, except small ones."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if re.search(pattern, name):
                data = np.frombuffer(archive.read(name), np.uint8)
                found = cv2.imdecode(data, cv2.IMREAD_COLOR)
                if found is not None and min(found.shape[:2]) >= 128:
                    yield np.asarray(found, np.uint8)
