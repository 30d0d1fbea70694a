"""What a picture shows of chips: one entry for each chip, or for each stack of one value."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.picture.geometry import Floats, Point

UNKNOWN = "?"
"""The value of a chip that is not a taught one, or cannot be distinguished from another."""
SURE_CHIPS = 0.9
"""The confidence from which chips count as read; below it, they are a question. A choice: that of
the cards."""
CORNERS = 8
"""Points of an outline. A choice: a round chip is within 4 % of its octagon."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenChips:
    """One chip, or one stack of chips, in one picture.

    `value` is what a chip is called in the set that was taught, or `UNKNOWN`. `count` is the
    likeliest number of chips, and the true one lies from `least` to `most`, both included.
    `outline` (8, 2) goes clockwise round the top chip, in pixels.

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
    centre: Point = field(init=False, repr=False, compare=False)
    """The middle of the top chip, in pixels: asked for many times while chips are compared."""

    def __post_init__(self) -> None:
        x, y = self.outline.mean(axis=0)
        object.__setattr__(self, "centre", (round(float(x), 1), round(float(y), 1)))

    @property
    def exact(self) -> bool:
        """Whether the number of chips is known."""
        return self.least == self.most

    @property
    def doubtful(self) -> bool:
        """Whether value or number should be asked about rather than taken for read."""
        return self.value == UNKNOWN or not self.exact or self.confidence < SURE_CHIPS
