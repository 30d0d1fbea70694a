"""A deck's proportions: where the opposite index lies, and what a camera learns of it over time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

ACROSS, DOWN = 3.0, 3.75
"""From an index to the opposite one in index heights, right and down: 51 and 64 mm by 17 mm, on a
standard card of 63.5 x 88.9 mm (the bridge width, 57 mm, has 2.65). Follows from the size of a
standard card and its index."""
SLACK = 0.5
"""The standard deviation in index heights of where the opposite index is found, once the deck's
shape is known: error of the size, of the direction, and perspective. A choice;
`python -m tests.spreads` judges it."""
LOOSE = 0.9
"""The same while the shape is only assumed. A choice; `python -m tests.spreads` judges it."""
KNOWN = 12
"""From how many pairs of indices on the shape counts as known: four cards, each read three times.
A choice; `python -m tests.outlines` judges it."""
REMEMBERED = 240
"""How many pairs tell it at most, so that another deck is known after as many. A choice: some
eighty cards, more than a hand shows of most games."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A deck's shape in a picture: the way to the opposite index in index heights.

    `slack` is its standard deviation, in the same unit.
    """

    across: float = ACROSS
    down: float = DOWN
    slack: float = LOOSE


@dataclass(slots=True)
class Proportions:
    """What the pictures of one camera have told of the shape of the deck in play.

    A card's direction comes from its two indices and the deck's shape. A single part of a picture
    tells that shape by one card or two, and wrongly where equal cards lie in a row: all cards read
    so far tell it to a few hundredths.

    >>> deck = Proportions()
    >>> deck.note([(1.8, 2.0), (-1.7, 2.1)])
    >>> deck.shape is None, deck.perhaps
    (True, Shape(across=1.75, down=2.05, slack=0.5))
    >>> deck.note([(1.8, 2.0)] * 10)
    >>> deck.shape
    Shape(across=1.8, down=2.0, slack=0.5)
    """

    _ways: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """From index to opposite index, in index heights."""
    _shape: Shape | None = None

    @property
    def shape(self) -> Shape | None:
        """The deck's shape; None while too few cards have been read."""
        return self._shape if len(self._ways) >= KNOWN else None

    @property
    def perhaps(self) -> Shape | None:
        """What is known of it by then, if anything: better than a standard deck's."""
        return self._shape

    def note(self, ways: Iterable[tuple[float, float]]) -> None:
        """Take in the ways from one index to the opposite one of cards that were read for sure."""
        more = [(abs(across), abs(down)) for across, down in ways]
        self._ways += more
        if more:
            across, down = (median(side) for side in zip(*self._ways, strict=True))
            self._shape = Shape(across, down, SLACK)
