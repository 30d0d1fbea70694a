"""A large picture as overlapping tiles, each small enough for the finder to process in one go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from vision.picture.geometry import Box, Floats

MULTIPLE = 16
"""Sides and edges of tiles are multiples of this many pixels, as the finder halves its input four
times: a tile's cells are then those of the whole picture. Follows from how the network was built.
"""
OVERLAP = 80
"""Pixels, each way, that tiles see beyond what is kept of them. A choice: on 14 photographs and two
drawn tables, in tiles of 320, all 72 indices are found as in the whole picture, and the chance of a
face or back differs by more than 0.1 in one cell of 10,000; with 48 it did in one of 500, and with
128 it does in none."""
MOST = 24
"""Most tiles in a row or column that are considered. A choice: no picture needs as many."""


@dataclass(frozen=True, slots=True)
class Tile:
    """What of a picture is processed, and of which part of it the answers are kept."""

    seen: Box
    kept: Box

    def keep(self, maps: Floats, whole: Floats, stride: int) -> None:
        """Put what of the tile's `maps` (N, h, w) is kept into those of the `whole` picture.

        A cell of the maps is `stride` pixels wide and high.
        """
        across = (self.kept.x - self.seen.x) // stride
        down = (self.kept.y - self.seen.y) // stride
        left, top = self.kept.x // stride, self.kept.y // stride
        wide, high = self.kept.width // stride, self.kept.height // stride
        answers = maps[:, down : down + high, across : across + wide]
        whole[:, top : top + high, left : left + wide] = answers


def tiles(width: int, height: int, at_once: int) -> list[Tile]:
    """The tiles of a picture of `width` by `height` pixels, both multiples of `MULTIPLE`.

    All are of one size, so that the memory that one leaves fits the next. Each has at most
    `at_once` pixels if that is possible, and together they have as few as can be.

    >>> [one.seen for one in tiles(640, 320, 320 * 400)]
    [Box(x=0, y=0, width=400, height=320), Box(x=240, y=0, width=400, height=320)]
    >>> [one.kept for one in tiles(640, 320, 320 * 400)]
    [Box(x=0, y=0, width=320, height=320), Box(x=320, y=0, width=320, height=320)]
    """
    if width * height <= at_once:
        whole = Box(0, 0, width, height)
        return [Tile(whole, whole)]
    columns, rows = min(
        product(_counts(width), _counts(height)),
        key=lambda one: _cost(_side(width, one[0]), _side(height, one[1]), at_once, *one),
    )
    return [
        Tile(
            Box(left, top, _side(width, columns), _side(height, rows)),
            Box(first, upper, last - first, lower - upper),
        )
        for top, upper, lower in _spans(height, rows)
        for left, first, last in _spans(width, columns)
    ]


def _counts(length: int) -> list[int]:
    """Into how many tiles a side can be cut: each extends beyond what it shares with the others."""
    return [
        count for count in range(1, MOST + 1) if count == 1 or _side(length, count) > 2 * OVERLAP
    ]


def _cost(wide: int, high: int, at_once: int, columns: int, rows: int) -> tuple[int, int]:
    """What to avoid: first that a tile is too large, then that there is much to process."""
    return max(0, wide * high - at_once), wide * high * columns * rows


def _side(length: int, count: int) -> int:
    """The side of each of `count` tiles that cover a length with twice the `OVERLAP` in common."""
    shared = 2 * OVERLAP * (count - 1)
    return -(-(length + shared) // (count * MULTIPLE)) * MULTIPLE


def _spans(length: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Where each tile starts, and the first and last place of which its answers are kept.

    The answers change hands in the middle of what two tiles have in common.
    """
    side = _side(length, count)
    room = (length - side) // MULTIPLE
    starts = [room * place // max(1, count - 1) * MULTIPLE for place in range(count)]
    cuts = [(one + side + other) // (2 * MULTIPLE) * MULTIPLE for one, other in pairwise(starts)]
    yield from zip(starts, [0, *cuts], [*cuts, length], strict=True)
