"""A deck's proportions: where the opposite index lies, as a camera learns it over time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from vision.join.measures import Measures

ACROSS, DOWN = 3.0, 3.75
"""Distance from an index to the opposite one in index heights, right and down: 51 and 64 mm by 17
mm, on a standard card of 63.5 x 88.9 mm (2.65 across for the bridge width, 57 mm). Follows from the
size of a standard card and its index."""
EDGE_ACROSS, EDGE_DOWN = 0.36, 0.74
"""Distances from the index's centre to the card's edges in index heights: 6 mm and 12.5 mm by 17
mm. Follows from the size of a standard card and its index."""
SLACK = 0.5
"""Standard deviation of the opposite index's position, in index heights, once the deck's shape is
known: errors of size and direction, and perspective. A choice; `python -m tests.spreads` judges it.
"""
LOOSE = 0.9
"""The same while the shape is only assumed. A choice; `python -m tests.spreads` judges it."""
KNOWN = 12
"""Number of index pairs from which the shape counts as known: four cards, each read three times. A
choice; `python -m tests.outlines` judges it."""
TWO_CORNERED = 6
"""Number of cards with two opposite indices after which a deck counts as having no others: two
cards, each read three times. A choice; `python -m tests.soak --pictures` judges it."""
FURTHER = 0.1
"""Largest share of such cards on which further indices were read all the same: a pip or a robe, or
another card's index just there. A choice; `python -m tests.soak --pictures` judges it."""
REMEMBERED = 240
"""Number of pairs remembered, after which another deck's shape has replaced the old one. A choice:
some eighty cards, more than a hand of most games shows."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A deck's shape in a picture: the way to the opposite index in index heights.

    `slack` is its standard deviation, in the same unit.
    """

    across: float = ACROSS
    down: float = DOWN
    slack: float = LOOSE

    @property
    def width(self) -> float:
        """A card's short side in heights of its index."""
        return self.across + 2 * EDGE_ACROSS

    @property
    def length(self) -> float:
        """A card's long side in heights of its index."""
        return self.down + 2 * EDGE_DOWN


@dataclass(slots=True)
class Proportions:
    """The shape of the deck in play, as learned from one camera's pictures.

    A card's direction comes from its two indices and the deck's shape. A single part of a picture
    estimates the shape from a card or two, and wrongly if equal cards lie in a row; all the cards
    read so far give it to a few hundredths.

    >>> deck = Proportions()
    >>> deck.note([(1.8, 2.0), (-1.7, 2.1)])
    >>> deck.shape is None, deck.perhaps
    (True, Shape(across=1.75, down=2.05, slack=0.5))
    >>> deck.note([(1.8, 2.0)] * 10)
    >>> deck.shape
    Shape(across=1.8, down=2.0, slack=0.5)
    """

    _ways: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """Ways from an index to the opposite one, in index heights."""
    _further: deque[bool] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """Of each card with two opposite indices, whether others were read on it."""
    measures: Measures = field(default_factory=Measures)
    """The sizes of cards face down."""
    _shape: Shape | None = None

    @property
    def two_cornered(self) -> bool:
        """Whether cards of this deck have an index in two of their corners only, not in four."""
        seen = len(self._further)
        return seen >= TWO_CORNERED and sum(self._further) <= FURTHER * seen

    @property
    def shape(self) -> Shape | None:
        """The deck's shape; None while too few cards have been read."""
        return self._shape if len(self._ways) >= KNOWN else None

    @property
    def perhaps(self) -> Shape | None:
        """The shape as known so far, if any: better than assuming a standard deck."""
        return self._shape

    def note(self, ways: Iterable[tuple[float, float]]) -> None:
        """Add the ways between opposite indices of confidently read cards."""
        more = [(abs(across), abs(down)) for across, down in ways]
        self._ways += more
        if more:
            across, down = (median(side) for side in zip(*self._ways, strict=True))
            self._shape = Shape(across, down, SLACK)

    def note_corners(self, further: Iterable[bool]) -> None:
        """Add whether other indices were read on confidently read cards that show two opposite."""
        self._further += further
