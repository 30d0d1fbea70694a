"""A set of chips to follow, along with the cards, in the pictures of one camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rules.cards import Deck
from vision.chips.chip_set import ChipSet
from vision.chips.gauge import Gauge
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Polygon
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.track.chip_watch import Chips, ChipsTracker


@dataclass(frozen=True)
class ChipsWatched:
    """A set of chips looked for at `places`.

    The camera sees the table's `plane` in pictures of `size` (w, h); `height_mm` is its height
    above the table, if measured.
    """

    chips: ChipSet
    places: Mapping[str, Polygon]
    plane: Plane
    size: tuple[int, int]
    height_mm: float | None = None
    gauge: Gauge | None = None
    """What is known of the sizes of its chips on this table, if anything is."""
    keep: Callable[[Gauge], None] = field(default=lambda _: None, repr=False, compare=False)
    """Called now and then with what was learned of them."""

    @property
    def camera(self) -> Standpoint:
        """The camera's position."""
        return Standpoint.of(self.plane, self.size, height_mm=self.height_mm)

    def tracker(self, reader: CardReader, spots: Mapping[str, Polygon], deck: Deck) -> ChipsTracker:
        """The tracker that follows both cards and chips."""
        chips = Chips(self.chips, self.camera, self.places, self.gauge, self.keep)
        return ChipsTracker(reader, spots, deck=deck, chips=chips)
