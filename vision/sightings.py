"""What the reader says of one picture: the cards in it, how sure it is, and what troubles it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rules.cards import BACK, Card
from vision.picture.geometry import Outline, Point

if TYPE_CHECKING:
    from vision.chips.seen import SeenChips

INDEX_MM = 17.0
"""The height of a standard index, rank and suit together, on a poker card. Follows from the
standard faces."""
SURE = 0.9
"""The confidence from which a card counts as read; below, its candidates are a question. Measured
by `python -m tests.thresholds`."""

NAMELESS = 0.15
"""The confidence below which only a card's border tells that one lies there: it may be any. Follows
from the least probability at which an index is asked about, which is far above."""

LEAST, OFFERED = 0.02, 5
"""Candidates below this probability are not worth offering, nor are more of them. A choice;
`python -m tests.dealt_table` judges it."""

SURE_BACK = 0.72
"""The same for a back, which can only be taken for nothing: on twelve simulated tables the backs
of cards lying singly came at 0.79 and more, what is none at 0.68 and less. Measured by
`python -m tests.thresholds`."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One physical card in one picture.

    `card` is what can be said of it: all, a part (``6?``, ``?H``), or `BACK` for a face-down card.
    `candidates` holds what it may be, likeliest first, with probabilities, those too that are worth
    offering only if the deck in play makes them likelier (see `offered`); `outline` its four
    corners in pixels, from the one at its upper left, clockwise; `angle` how far it is turned
    clockwise, in degrees.

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

    @property
    def doubtful(self) -> bool:
        """Whether it should be asked about rather than taken for read."""
        return _doubtful(self.card, self.confidence)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture shows: every physical card in it, read or doubtful.

    `trouble` names what makes the picture hard (``"dark"``, ``"glare"``, ``"blur"``, ``"far"``,
    ``"foreign"``: whole faces of another deck, none of which can be read);
    `size` is the picture's width and height in pixels.
    """

    sightings: tuple[Sighting, ...]
    trouble: tuple[str, ...] = ()
    milliseconds: float = 0.0
    size: tuple[int, int] = (0, 0)

    @property
    def cards(self) -> tuple[Card, ...]:
        """What would be committed, one entry a physical card."""
        return tuple(sighting.card for sighting in self.sightings if not sighting.doubtful)

    @property
    def faces(self) -> tuple[Outline, ...]:
        """The outlines of the cards that are face up and read for sure."""
        sure = (one for one in self.sightings if not one.doubtful)
        return tuple(one.outline for one in sure if one.card != BACK)

    @property
    def unread(self) -> tuple[Outline, ...]:
        """The outlines of the others: the cards that lie face down or are doubtful."""
        doubtful = (one for one in self.sightings if one.doubtful or one.card == BACK)
        return tuple(one.outline for one in doubtful)

    @property
    def doubtful(self) -> tuple[tuple[Card, ...], ...]:
        """The candidates of each card that would be asked about, likeliest first."""
        return tuple(
            tuple(card for card, _ in offered(sighting.candidates))
            for sighting in self.sightings
            if sighting.doubtful
        )


@dataclass(frozen=True, slots=True)
class Lying:
    """One physical card at rest, as several frames agree on it.

    Its parts mean what they mean in a `Sighting`; below `SURE` it is a question.
    """

    card: Card
    confidence: float
    candidates: tuple[tuple[Card, float], ...]
    outline: Outline

    @property
    def nameless(self) -> bool:
        """Whether it may be any card, as only its border is to be seen."""
        return self.confidence < NAMELESS

    @property
    def doubtful(self) -> bool:
        """Whether it should be asked about rather than taken for read."""
        return _doubtful(self.card, self.confidence)

    @property
    def centre(self) -> Point:
        """The middle of the card in pixels."""
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = self.outline
        return (x1 + x2 + x3 + x4) / 4, (y1 + y2 + y3 + y4) / 4


@dataclass(frozen=True, slots=True)
class LyingChips:
    """The chips at rest at each betting place, in reading order.

    At the `busy` places a hand is, or chips have just been moved: they keep the last answer.
    """

    places: Mapping[str, tuple[SeenChips, ...]]
    busy: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Seen:
    """What lies at which spot at one moment.

    `spots` holds every spot by name, and under ``""`` what lies outside all of them, each with its
    settled cards in reading order. At the `busy` spots something moves, covers them or is not yet
    agreed upon: they keep the last settled answer. `time` is in seconds, as given by the caller.
    `places` says of a trouble at which spot it is; ``""`` is around the spots, or everywhere.
    Nothing moves at the `still` ones of the busy spots: a hand rests over them, or what was laid
    there is being read.
    """

    spots: Mapping[str, tuple[Lying, ...]]
    busy: frozenset[str]
    trouble: tuple[str, ...]
    time: float
    places: Mapping[str, str] = field(default_factory=dict)
    chips: LyingChips | None = None
    """The chips at the betting places; None where nobody looks for chips."""
    still: frozenset[str] = frozenset()


def offered(candidates: Sequence[tuple[Card, float]]) -> tuple[tuple[Card, float], ...]:
    """Those of the `candidates`, likeliest first, that are worth asking about; at least one."""
    likely = candidates[:OFFERED]
    return (*likely[:1], *(pair for pair in likely[1:] if pair[1] >= LEAST))


def _doubtful(card: Card, confidence: float) -> bool:
    if card == BACK:
        return confidence < SURE_BACK
    return confidence < SURE or not card.known
