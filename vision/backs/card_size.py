"""The size of a card face down where no face in the picture tells it.

Hidden cards are often the first to come. Until one of them has been seen on its own, a deck is of
one of the two usual widths.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from vision.backs.measuring import measured
from vision.backs.parts import SAME_SIZE, Size
from vision.join.proportions import Proportions
from vision.picture.geometry import Floats, Frame, Point

NARROW = 57.2 / 63.5
"""The width of a bridge card as a share of a poker card's, which is as long. Follows from the sizes
that decks are sold in."""
POKER = 88.9 / 63.5
"""The length of a poker card as a share of its width. Follows from the size of a poker card."""
SHAPED = 1.035
"""Largest ratio of a card's shape to one of the two usual ones at which it is measured in a heap,
where a neighbour's edge may pass for its own. A choice: on two tables of bridge cards those that
were measured rightly had at most 1.03, others 1.07 and more, but for one; perspective takes 0.02.
"""

AS_LONG = 1.04
"""Largest ratio of its length to the expected one at which a card is measured in a heap. A choice:
both usual decks are as long, and a table's scale is known to a hundredth or two; of backs without a
margin, in a row on wood, shadows and neighbours passed for edges that made them up to a sixth
longer. `python -m tests.hidden_hands` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class CardSize:
    """The `size` of a card in a picture, in pixels, and where it comes from.

    What is measured here is remembered for the `deck`, in the `unit` (pixels) of a standard index
    in the camera's pictures. The size is `assumed` if neither a face in the picture nor that deck
    gives it.
    """

    size: Size
    assumed: bool = False
    deck: Proportions | None = None
    unit: float = 0.0

    @classmethod
    def of(
        cls, size: Size, deck: Proportions | None, unit: float, place: Point, *, told: bool
    ) -> CardSize:
        """The size of cards at a `place` (pixels): as the deck has it there, or that `size`.

        If a face in the picture has `told` that size, which is less exact, the deck is still the
        one that was measured if the two nearly agree.
        """
        if deck is None or not unit:
            return cls(size, not told, deck, unit)
        at = place[0] / unit, place[1] / unit
        known = deck.measures.at(at)
        if known is None:
            larger = 1.0 if told else deck.measures.larger(at)
            return cls((size[0] * larger, size[1] * larger), not told, deck, unit)
        short, long = (side * unit for side in known)
        wider, longer = short / size[0], long / size[1]
        alike = max(wider, 1 / wider, longer, 1 / longer) <= SAME_SIZE
        return cls((short, long) if alike or not told else size, False, deck, unit)

    @property
    def narrow(self) -> Size | None:
        """The other size that a camera's deck may have, if this one is only assumed."""
        if self.deck is None or not self.assumed:
            return None
        return self.size[0] * NARROW, self.size[1]

    def wants(self, corners: Floats) -> bool:
        """Whether a card (4, 2) at this place would say something new about the deck."""
        if self.deck is None or not self.unit:
            return False
        return self.deck.measures.wants(self._at(corners))

    def note_heaped(self, frame: Frame, corners: Floats) -> None:
        """Measure the uppermost card of a heap, if it has the deck's shape or else a usual one.

        The edge of a card under it may pass for its own, and make it larger on one side: the side
        that is smaller for that shape tells the size.
        """
        if self.deck is None or not self.wants(corners):
            return
        short, long = self._measured(frame, corners)
        known = self.size[1] / self.size[0]
        shapes = (POKER, POKER / NARROW) if self.assumed else (known,)
        if max(long / self.size[1], self.size[1] / long) > AS_LONG:
            return
        shape = min(shapes, key=lambda one: abs(log(long / short / one)))
        if max(long / short / shape, shape / (long / short)) <= SHAPED:
            short = min(short, long / shape)
            self.deck.measures.note(short / self.unit, short * shape / self.unit, self._at(corners))

    def note(self, frame: Frame, corners: Floats) -> None:
        """Measure a card face down of which all edges are in sight, unless it is known there."""
        if self.deck is not None and self.wants(corners):
            short, long = self._measured(frame, corners)
            at = self._at(corners)
            self.deck.measures.note(short / self.unit, long / self.unit, at)

    def _measured(self, frame: Frame, corners: Floats) -> Size:
        """The sides of a card, which is of either usual width if the size is only assumed."""
        return measured(frame, corners, NARROW if self.assumed else 1.0)

    def _at(self, corners: Floats) -> Point:
        """A card's place in the picture, in heights of a standard index."""
        across, down = (corners.mean(axis=0) / self.unit).tolist()
        return across, down
