"""Chips seen in a picture: one entry for each chip, or for each stack of one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from vision.picture.geometry import Floats, Point

if TYPE_CHECKING:  # only readers of chips hold evidence
    from vision.chips.gauge import Evidence

UNKNOWN = "?"
"""The value of a chip that was not taught, or cannot be distinguished from another."""
SURE_CHIPS = 0.9
"""Minimum confidence at which chips count as read; below it, the table is asked. A choice: the same
as for cards."""
CORNERS = 8
"""Number of points of an outline. A choice: a round chip is within 4 % of its octagon."""

Lot: TypeAlias = tuple[str, int, int]
"""Chips of one value in one stack: the value, and their smallest and largest number."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenChips:
    """One chip, or one stack of chips, in one picture.

    `value` is the chip's name in the taught set, or `UNKNOWN`. `count` is the likeliest number of
    chips, and the true number is between `least` and `most`, both included. `outline` (8, 2) goes
    clockwise around the top chip, in pixels.

    >>> import numpy as np
    >>> turns = np.arange(8) * np.pi / 4
    >>> ring = np.stack([np.cos(turns), np.sin(turns)], axis=1).astype(np.float32) * 20 + 50
    >>> chips = SeenChips("5", 3, 2, 4, 0.97, ring)
    >>> chips.centre, chips.exact, chips.doubtful
    ((50.0, 50.0), False, True)
    """

    value: str
    count: int
    least: int
    most: int
    confidence: float
    outline: Floats
    evidence: Evidence | None = field(default=None, repr=False, compare=False)
    """What the picture shows of the number, from which it was judged."""
    settles: int = field(default=0, compare=False)
    """How many uncertain stacks, itself included, would be certain if its number were known."""
    centre: Point = field(init=False, repr=False, compare=False)
    """The centre of the top chip, in pixels; stored, as comparing chips asks for it many times."""

    def __post_init__(self) -> None:
        x, y = self.outline.mean(axis=0)
        object.__setattr__(self, "centre", (round(float(x), 1), round(float(y), 1)))

    @property
    def lot(self) -> Lot:
        """The chips without their place."""
        return self.value, self.least, self.most

    @property
    def exact(self) -> bool:
        """Whether the number of chips is known."""
        return self.least == self.most

    @property
    def doubtful(self) -> bool:
        """Whether to ask about the value or the number rather than count them as read."""
        return self.value == UNKNOWN or not self.exact or self.confidence < SURE_CHIPS


def narrowed(before: Sequence[Lot], now: Sequence[Lot]) -> bool:
    """Whether the same chips are only counted more certainly than before, or just as they were.

    >>> narrowed((("5", 2, 4),), (("5", 3, 4),)), narrowed((("5", 2, 4),), (("5", 4, 5),))
    (True, False)
    """
    return len(before) == len(now) and all(
        old[0] == new[0] and old[1] <= new[1] and new[2] <= old[2]
        for old, new in zip(before, now, strict=True)
    )
