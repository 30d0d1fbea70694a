"""The corner print of jokers: their name in letters, with or without a star, or a sign.

>>> top, bottom = joker_masks(JokerMark.STAR, Typeface(), size=(26, 120), star=40)
>>> top.shape, bottom.shape
((120, 26), (40, 40))
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

import cv2
import numpy as np

from rules.cards import Rank
from vision.scene.glyphs import Mask, Typeface, rank_mask


class JokerMark(StrEnum):
    """How a joker is marked in its corners."""

    LETTERS = "letters"
    """Upright letters, one below another."""
    STAR = "star"
    """The same over a star."""
    WORD = "word"
    """The word rotated by a quarter turn, reading upwards."""
    WORD_STAR = "word and star"
    """The same over a star."""
    SIGN = "sign"
    """No letters: a monogram of a curved letter with bars through it."""


def joker_masks(
    mark: JokerMark, typeface: Typeface, *, size: tuple[int, int], star: int
) -> tuple[Mask, Mask]:
    """The column of the name, (width, height) pixels in size, and what is below it.

    Below it is a star of `star` pixels or, without one, the last fifth of the column itself; below
    a sign there is nothing.
    """
    if mark is JokerMark.SIGN:
        return _fitted(_monogram(typeface), size), np.zeros((0, size[0]), np.uint8)
    letters = _letters(replace(typeface, serif=0.0, slant=0.0))
    if mark in (JokerMark.WORD, JokerMark.WORD_STAR):
        letters = [np.ascontiguousarray(np.rot90(letter)) for letter in reversed(letters)]
    column = _column(letters, size)
    if mark in (JokerMark.STAR, JokerMark.WORD_STAR):
        return column, _star(star)
    split = column.shape[0] * 4 // 5
    return column[:split], column[split:]


def _column(letters: list[Mask], size: tuple[int, int]) -> Mask:
    """The letters spread over equal parts of a column."""
    width, height = size
    part = height // len(letters)
    gap = max(part // 7, 1)
    cells = [
        np.pad(_fitted(letter, (width, max(part - gap, 1))), ((0, gap), (0, 0)))
        for letter in letters
    ]
    return _fitted(np.vstack(cells)[:-gap], size)


def _fitted(mask: Mask, size: tuple[int, int]) -> Mask:
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def _letters(typeface: Typeface) -> list[Mask]:
    """J O K E R; the O is the zero of the ten, and E and R are built from straight strokes."""
    size = 64
    ten = rank_mask(Rank.TEN, replace(typeface, width=0.7), size)
    nought = ten[:, ten.shape[1] * 2 // 5 :]
    thick = max(int(typeface.weight * size), 4)
    return [
        rank_mask(Rank.JACK, typeface, size),
        nought,
        rank_mask(Rank.KING, typeface, size),
        _strokes([[(38, 2), (2, 2), (2, 62), (38, 62)], [(2, 31), (32, 31)]], thick),
        _strokes([[(2, 62), (2, 2), (34, 4), (36, 26), (2, 32)], [(18, 32), (38, 62)]], thick),
    ]


def _strokes(lines: list[list[tuple[int, int]]], thick: int) -> Mask:
    mask = np.zeros((64, 42), np.uint8)
    points = [np.array(line, np.int32) for line in lines]
    cv2.polylines(mask, points, False, 255, thick, cv2.LINE_AA)
    return mask


def _monogram(typeface: Typeface) -> Mask:
    """An S crossed by vertical bars that end in spurs, as makers sign their jokers."""
    high, wide, pen = 96, 64, max(int(typeface.weight * 72), 6)
    mask = np.zeros((high, wide), np.uint8)
    sweep = np.radians(np.linspace(-10, 250, 25))
    bow = np.stack([np.cos(sweep), -np.sin(sweep)], axis=1) * (wide * 0.36, high * 0.2)
    upper = bow + np.array((wide / 2, high * 0.3))
    lower = np.array((wide, high)) - upper
    bars = (0.5,) if typeface.contrast > 1.5 else (0.38, 0.62)
    strokes = [upper, lower]
    for bar in bars:
        strokes.append(np.array([(bar * wide, 3), (bar * wide, high - 3)]))
    for level in (0.06, 0.94) if typeface.serif else (0.3, 0.7):
        strokes.append(np.array([(wide * 0.12, high * level), (wide * 0.88, high * level)]))
    for stroke, thick in zip(strokes, (pen, pen, *[max(pen // 2, 3)] * 4), strict=False):
        cv2.polylines(mask, [np.round(stroke).astype(np.int32)], False, 255, thick, cv2.LINE_AA)
    return mask


def _star(size: int) -> Mask:
    angles = np.arange(10) * np.pi / 5 - np.pi / 2
    radii = np.where(np.arange(10) % 2, 0.2, 0.5) * size
    points = np.stack([np.cos(angles) * radii, np.sin(angles) * radii], axis=1) + size / 2
    mask = np.zeros((size, size), np.uint8)
    cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
    return mask
