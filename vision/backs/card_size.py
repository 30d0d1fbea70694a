"""The size of a card face down where no face in the picture tells it.

Hidden cards are often the first to come. Until one of them has been seen on its own, a deck is of
one of the two usual widths.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.backs.measuring import measured
from vision.backs.parts import Size
from vision.join.proportions import Proportions
from vision.picture.geometry import Floats, Frame

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
    def of(cls, size: Size, deck: Proportions | None, unit: float, *, told: bool) -> CardSize:
        """The size of cards here: as a face has `told` it, as the deck has it, or that `size`."""
        if told or deck is None or not unit:
            return cls(size, not told, deck, unit)
        if deck.sides is None:
            return cls(size, True, deck, unit)
        return cls((deck.sides[0] * unit, deck.sides[1] * unit), False, deck, unit)

    @property
    def narrow(self) -> Size | None:
        """The other size that a camera's deck may have, if this one is only assumed."""
        if self.deck is None or not self.assumed:
            return None
        return self.size[0] * NARROW, self.size[1]

    def note(self, frame: Frame, corners: Floats) -> None:
        """Measure a card face down of which all edges are in sight, unless the size is known."""
        if self.deck is not None and self.unit and self.deck.sides is None:
            short, long = measured(frame, corners)
            self.deck.note_sides(short / self.unit, long / self.unit)
