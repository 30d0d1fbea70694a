"""The size of a card face down where no face in the picture tells it.

Hidden cards are often the first to come. Until one of them has been seen on its own, a deck is of
one of the two usual widths.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.backs.measuring import measured
from vision.backs.parts import SAME_SIZE, Size
from vision.join.proportions import Proportions
from vision.picture.geometry import Floats, Frame, Point

NARROW = 57.2 / 63.5
"""The width of a bridge card as a share of a poker card's, which is as long. Follows from the sizes
that decks are sold in."""


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
        known = None
        if deck is not None and unit:
            known = deck.measures.at((place[0] / unit, place[1] / unit))
        if known is None:
            return cls(size, not told, deck, unit)
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

    def note(self, frame: Frame, corners: Floats) -> None:
        """Measure a card face down of which all edges are in sight, unless it is known there."""
        if self.deck is None or not self.unit:
            return
        across, down = (corners.mean(axis=0) / self.unit).tolist()
        if self.deck.measures.wants((across, down)):
            short, long = measured(frame, corners)
            self.deck.measures.note(short / self.unit, long / self.unit, (across, down))
