"""Whether a deck is complete: which cards were seen, and which are missing, duplicated or foreign.

`Inventory` holds every physical card shown, and `Inventory.against` compares it with a deck. A
doubtful card may stand for any of its likely candidates that would otherwise be missing, so there
is no alarm as long as some assignment completes the deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rules.cards import BACK, JOKER, Card, Deck
from vision.picture.geometry import distance
from vision.sightings import Lying, Reading, Sighting

POSSIBLE = 0.08
"""Minimum probability of a candidate that a doubtful card may be. A choice;
`python -m tests.spreads` judges it."""
NUDGED = 0.5
"""Largest distance, as a share of a card's short side, at which the same face is the same card,
nudged. A choice; `python -m tests.spreads` judges it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a deck, as far as it has been seen.

    `missing` cards were not seen, `double` cards were seen more often than the deck has them, and
    `foreign` cards are not in the deck. Each entry of `unclear` lists the candidates of one
    physical card; `taken` are doubtful cards counted as the only thing they could be; `face_down`
    is the number of backs.

    >>> Verdict(seen=52).whole
    True
    """

    seen: int
    missing: tuple[Card, ...] = ()
    double: tuple[Card, ...] = ()
    foreign: tuple[Card, ...] = ()
    unclear: tuple[tuple[Card, ...], ...] = ()
    taken: tuple[Card, ...] = ()
    jokers: int = 0
    face_down: int = 0

    @property
    def whole(self) -> bool:
        """Whether every card of the deck was seen once, and nothing else."""
        faults = (self.missing, self.double, self.foreign, self.unclear)
        return not any(faults) and not self.face_down


@dataclass(frozen=True, slots=True)
class Inventory:
    """The physical cards shown so far: the `sure` ones, and the candidates of each `doubtful` one.

    >>> parse = Card.parse
    >>> eights = ((parse("8S"), 0.7), (parse("8C"), 0.2))
    >>> shown = Inventory((parse("8S"), parse("9S")), (eights,))
    >>> shown.against(Deck(tuple(map(parse, ("8S", "8C", "9S"))))).taken
    (<8C>,)
    """

    sure: tuple[Card, ...] = ()
    doubtful: tuple[tuple[tuple[Card, float], ...], ...] = ()

    @classmethod
    def of(cls, seen: Iterable[Sighting | Lying]) -> Inventory:
        """The cards seen in one look."""
        seen = tuple(seen)
        return cls(
            tuple(one.card for one in seen if not one.doubtful),
            tuple(one.candidates for one in seen if one.doubtful),
        )

    def __add__(self, other: Inventory) -> Inventory:
        return Inventory(self.sure + other.sure, self.doubtful + other.doubtful)

    def against(self, deck: Deck, *, jokers: int | None = None) -> Verdict:
        """Compare with `deck`; `jokers` is how many belong to it as well, None for any number."""
        wanted = Counter(deck.cards)
        if jokers is not None:
            wanted[JOKER] += jokers
        shown = Counter(card for card in self.sure if card != BACK)
        aside = shown.pop(JOKER, 0) if jokers is None and JOKER not in deck else 0
        missing = wanted - shown
        # What can only be a back is a shadow or a pattern, not a card of the deck.
        doubtful = [likely for likely in map(_likely, self.doubtful) if likely]
        taken, unclear = assigned(doubtful, missing)
        # Nothing else looks like a joker, and a lone joker is never read confidently.
        lone = [cards for cards in unclear if cards[:1] == (JOKER,) and not wanted[JOKER]]
        unclear = [cards for cards in unclear if cards not in lone]
        if jokers is None:
            aside += len(lone)
        else:
            shown[JOKER] += len(lone)
        extra = shown - wanted
        return Verdict(
            seen=shown.total() + aside + len(taken) + len(unclear),
            missing=_ordered((missing - Counter(taken)).elements(), deck),
            double=_ordered((card for card in extra.elements() if wanted[card]), deck),
            foreign=_ordered((card for card in extra.elements() if not wanted[card]), deck),
            unclear=tuple(unclear),
            taken=tuple(taken),
            jokers=aside or shown[JOKER],
            face_down=self.sure.count(BACK),
        )


def assigned(
    doubtful: Sequence[tuple[Card, ...]], missing: Counter[Card]
) -> tuple[list[Card], list[tuple[Card, ...]]]:
    """The card each doubtful one counts as, and the candidates of those that match nothing missing.

    As many as possible are placed: a card moves on to its next candidate if another needs its
    first.

    >>> six, eight = Card.parse("6D"), Card.parse("8D")
    >>> assigned([(six,), (six, eight)], Counter([six, eight]))
    ([<6D>, <8D>], [])
    """
    places = list(missing.elements())
    holder: dict[int, int] = {}

    def settle(number: int, tried: set[int]) -> bool:
        for card in doubtful[number]:
            for place, wanted in enumerate(places):
                if wanted != card or place in tried:
                    continue
                tried.add(place)
                if place not in holder or settle(holder[place], tried):
                    holder[place] = number
                    return True
        return False

    for number in range(len(doubtful)):
        settle(number, set())
    held = {number: places[place] for place, number in holder.items()}
    return (
        [held[number] for number in sorted(held)],
        [cards for number, cards in enumerate(doubtful) if number not in held],
    )


@dataclass
class DealtThrough:
    """A deck dealt card by card under the camera, onto a pile or spread out.

    Each settled look is passed to `see`. The same face in the same place is the same card, perhaps
    nudged, so two equal cards dealt right on top of each other count once; the number of cards seen
    gives this away.
    """

    inventory: Inventory = field(default_factory=Inventory)
    _before: tuple[Lying, ...] = ()

    def see(self, lying: Sequence[Lying]) -> tuple[Lying, ...]:
        """Add what is on the table now; return the new cards."""
        fresh = tuple(one for one in lying if not any(_same(one, old) for old in self._before))
        if lying:
            self._before = tuple(lying)
        self.inventory += Inventory.of(fresh)
        return fresh


def of_readings(readings: Iterable[Reading], *, again: bool = False) -> Inventory:
    """The cards of several pictures: each shows different cards, or the same ones `again`.

    Of several pictures of the same cards, the one with the most confident readings counts.
    """
    shown = [Inventory.of(reading.sightings) for reading in readings]
    if again:
        return max(shown, key=lambda one: len(one.sure), default=Inventory())
    return sum(shown, Inventory())


def _likely(candidates: Sequence[tuple[Card, float]]) -> tuple[Card, ...]:
    return tuple(card for card, p in candidates if p >= POSSIBLE and card != BACK and card.known)


def _same(one: Lying, old: Lying) -> bool:
    side = min(distance(old.outline[0], old.outline[1]), distance(old.outline[1], old.outline[2]))
    return one.card == old.card and distance(one.centre, old.centre) < NUDGED * side


def _ordered(cards: Iterable[Card], deck: Deck) -> tuple[Card, ...]:
    order = {card: number for number, card in enumerate(dict.fromkeys(deck.cards))}
    return tuple(sorted(cards, key=lambda card: (order.get(card, len(order)), str(card))))
