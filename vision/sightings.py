"""What the reader reports about one picture: its cards, how sure they are, and any trouble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rules.cards import BACK, Card
from vision.picture.geometry import Outline, Point

if TYPE_CHECKING:
    from vision.chips.seen import SeenChips

INDEX_MM = 17.0
"""Height in millimetres of a standard index, rank and suit together, on a poker card. Follows from
the standard faces."""
SURE = 0.9
"""Minimum confidence at which a card counts as read; below it, its candidates become a question.
Measured by `python -m tests.thresholds`."""

NAMELESS = 0.15
"""Confidence below which only a card's border shows that it is there: it may be any card. Follows
from the minimum probability at which an index is asked about, which is far higher."""

LEAST, OFFERED = 0.02, 5
"""Minimum probability of a candidate worth offering, and the most candidates offered. A choice;
`python -m tests.dealt_table` judges it."""

SURE_BACK = 0.72
"""The same for a back, which can only be mistaken for an empty place: on twelve simulated tables,
single backs had confidences of at least 0.79, false alarms at most 0.68. Measured by
`python -m tests.thresholds`."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One physical card in one picture.

    `card` is what is known of it: all of it, a part (``6?``, ``?H``), or `BACK` for a face-down
    card. `candidates` lists what it may be, likeliest first, with probabilities, including those
    worth offering only if the deck in play makes them likelier (see `offered`); `outline` its four
    corners in pixels, clockwise from the card's own upper left; `angle` its clockwise rotation in
    degrees.

    >>> square = ((0.0, 0.0), (5.0, 0.0), (5.0, 8.0), (0.0, 8.0))
    >>> six, eight = Card.parse("6D"), Card.parse("8D")
    >>> seen = Sighting(Card.parse("?D"), 0.6, ((six, 0.6), (eight, 0.3)), square, (2.5, 4.0), 0.0)
    >>> seen.doubtful
    True
    """

    card: Card
    confidence: float
    candidates: tuple[tuple[Card, float], ...]
    outline: Outline
    centre: Point
    angle: float
    whole: bool = False
    """Whether the indices at two opposite corners were read, so that no card lies over either."""

    @property
    def doubtful(self) -> bool:
        """Whether to ask about it instead of counting it as read."""
        return _doubtful(self.card, self.confidence)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture shows: every physical card in it, read or doubtful.

    `trouble` names what makes the picture hard to read (``"dark"``, ``"glare"``, ``"blur"``,
    ``"far"``, ``"foreign"``: whole faces of another deck, none of them legible); `size` is the
    picture's width and height in pixels.
    """

    sightings: tuple[Sighting, ...]
    trouble: tuple[str, ...] = ()
    milliseconds: float = 0.0
    size: tuple[int, int] = (0, 0)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that would be committed, one entry per physical card."""
        return tuple(sighting.card for sighting in self.sightings if not sighting.doubtful)

    @property
    def faces(self) -> tuple[Outline, ...]:
        """The outlines of the face-up cards that are read with confidence."""
        sure = (one for one in self.sightings if not one.doubtful)
        return tuple(one.outline for one in sure if one.card != BACK)

    @property
    def unread(self) -> tuple[Outline, ...]:
        """The outlines of the other cards: face down or doubtful."""
        doubtful = (one for one in self.sightings if one.doubtful or one.card == BACK)
        return tuple(one.outline for one in doubtful)

    @property
    def doubtful(self) -> tuple[tuple[Card, ...], ...]:
        """The candidates of each doubtful card, likeliest first."""
        return tuple(
            tuple(card for card, _ in offered(sighting.candidates))
            for sighting in self.sightings
            if sighting.doubtful
        )


@dataclass(frozen=True, slots=True)
class Lying:
    """One physical card at rest, as agreed on by several frames.

    Its fields mean the same as in a `Sighting`; below `SURE` it is a question.
    """

    card: Card
    confidence: float
    candidates: tuple[tuple[Card, float], ...]
    outline: Outline
    whole: bool = False
    """Whether two opposite indices were read in most pictures, so that it lies on top."""
    measured: bool = False
    """Whether its place was compared with that of the last equal card there, picture by picture, so
    that the two outlines tell how far apart they are to a fraction of a pixel."""
    displaced: bool = False
    """Whether the last equal card there is no longer where it lay, as the picture of that place
    shows: then it is this one, and was pushed."""
    missed: bool = False
    """Whether the latest readings of its place do not show it, so that it only counts as lying
    there because hardly anything seems to have changed: of plain backs, one may be taken from
    between others without leaving a trace."""
    latest: Point | None = field(default=None, compare=False)
    """Where the latest readings put its middle, by what others leave in view of it; `outline` is as
    it was read best."""

    @property
    def nameless(self) -> bool:
        """Whether it may be any card, because only its border is visible."""
        return self.confidence < NAMELESS

    @property
    def doubtful(self) -> bool:
        """Whether to ask about it instead of counting it as read."""
        return _doubtful(self.card, self.confidence)

    @property
    def centre(self) -> Point:
        """The middle of the card in pixels."""
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = self.outline
        return (x1 + x2 + x3 + x4) / 4, (y1 + y2 + y3 + y4) / 4


@dataclass(frozen=True, slots=True)
class LyingChips:
    """The chips at rest at each betting place, in reading order.

    A place is `busy` while a hand is over it or its chips have just moved; it keeps its last
    answer. It is `covered` while the hand is there, or until it has been read again.
    """

    places: Mapping[str, tuple[SeenChips, ...]]
    busy: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Seen:
    """What lies at each spot at one moment.

    `spots` maps every spot's name to its settled cards in reading order; ``""`` holds the cards
    outside all spots. A spot is `busy` while something moves there or covers it, or while frames do
    not yet agree; it keeps its last settled answer. A busy spot is also `still` if nothing moves
    there: a hand rests over it, or new cards are being read. `time` is in seconds, as given by the
    caller. `places` maps each trouble to the spot it is at; ``""`` means between the spots or
    everywhere. A spot lies at the place of its own name, except where `lies_at` names another's.
    """

    spots: Mapping[str, tuple[Lying, ...]]
    busy: frozenset[str]
    trouble: tuple[str, ...]
    time: float
    places: Mapping[str, str] = field(default_factory=dict)
    chips: LyingChips | None = None
    """The chips at the betting places; None if nobody looks for chips."""
    still: frozenset[str] = frozenset()
    lies_at: Mapping[str, str] = field(default_factory=dict)

    @property
    def hidden(self) -> frozenset[str]:
        """The spots at which something may lie unseen: busy ones, and one on which a hand rests
        though other cards have come to rest there."""
        covered = self.places.get("covered")
        return self.busy if covered is None else self.busy | {covered}


def offered(candidates: Sequence[tuple[Card, float]]) -> tuple[tuple[Card, float], ...]:
    """Those of the `candidates`, likeliest first, that are worth asking about; at least one."""
    likely = candidates[:OFFERED]
    return (*likely[:1], *(pair for pair in likely[1:] if pair[1] >= LEAST))


def _doubtful(card: Card, confidence: float) -> bool:
    if card == BACK:
        return confidence < SURE_BACK
    return confidence < SURE or not card.known
