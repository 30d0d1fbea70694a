"""What several readings of the same cards at rest agree on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median_low
from typing import TypeVar

from rules.cards import BACK, JOKER, Card, Deck
from vision.decide.answers import named
from vision.picture.geometry import distance, short_side
from vision.sightings import SURE, Lying, Sighting, offered

One = TypeVar("One", Lying, Sighting)

NEAR = 0.35
"""Largest distance between the centres of one card in two frames, as a share of its short side: the
estimate jumps when one of two indices is missed. Measured by `python -m tests.thresholds`."""
HEAPED = 0.9
"""Distance between the centres of two backs, in short sides, below which they lie over each other.
A choice: cards side by side are a little more than one apart."""
SETTLED = 0.97
"""Minimum confidence for a card at rest to count as read if it may also be another card of the deck
in play: in 20,000 cards of unseen decks, two of three wrong commits were clubs and spades below it.
Measured by `python -m tests.dealt_table --decks validation`."""
BARELY = SURE - 0.01
"""Confidence given to a card that must be asked about: one with a rival, and a joker that the deck
in play does not have, however clearly it was read. A choice; `python -m tests.dealt_table` judges
it."""
FOREIGN = 0.25
"""Factor on the probability of a card that is not in the deck in play, while the reader is in
doubt. A choice; `python -m tests.dealt_table` judges it."""
STRAY = 0.05
"""Prior odds that a card of another deck lies there, against one of the deck in play misread as it.
From 0.995 on such a card counts as read; at 0.978, as half a covered four was read as a nine, it is
a question. A choice; `python -m tests.soak --pictures` judges it."""
SPOILT_ONE_IN = 6
"""Number of readings of which one may be spoilt, as by a hand that had not quite left: a card of
which eight readings say 0.999 and the first 0.59 was a question. A choice: twice as many as must
agree at least; `python -m tests.soak --pictures` judges it."""


@dataclass(slots=True)
class Ballot:
    """The sightings of one physical card in several readings."""

    sightings: list[Sighting] = field(default_factory=list)

    @property
    def candidates(self) -> tuple[tuple[Card, float], ...]:
        """The mean probability of each candidate, likeliest first.

        Of many sightings, those that say least of the likeliest candidate may be spoilt. Whether a
        back is certain is told by how many cards explain all that is seen around it: it counts as
        certain if most sightings say so. The mean of four that doubt it and one that does not was.
        """
        means = _means(self.sightings)
        if all(one.card == BACK for one in self.sightings):
            return ((BACK, median_low(one.confidence for one in self.sightings)),)
        spoilt = len(self.sightings) // SPOILT_ONE_IN
        if not spoilt:
            return means
        best = means[0][0]
        by_best = sorted(self.sightings, key=lambda one: dict(one.candidates).get(best, 0.0))
        return _means(by_best[spoilt:])

    @property
    def _middle(self) -> Sighting:
        """The sighting that lies nearest to all others: one that is off by much does not count."""
        some = self.sightings
        if len(some) < 3:
            return some[len(some) // 2]
        return min(some, key=lambda one: sum(distance(one.centre, other.centre) for other in some))

    def lying(self, deck: Deck | None) -> Lying:
        """The card at rest, taking into account what the deck in play makes likelier."""
        candidates = offered(ranked_by(deck, self.candidates))
        middle = self._middle
        best, confidence = candidates[0]
        fitting = [card for card, _ in candidates if deck is None or card in deck]
        if len(fitting) > 1 and fitting[0] == best and confidence < SETTLED:
            confidence = min(confidence, BARELY)
        if deck is not None and best == JOKER and JOKER not in deck:
            # A joker's print may be anything, even a jack's: ask, never change it.
            confidence = min(confidence, BARELY)
        whole = 2 * sum(one.whole for one in self.sightings) > len(self.sightings)
        return Lying(named(candidates), confidence, candidates, middle.outline, whole)


def _means(sightings: Sequence[Sighting]) -> tuple[tuple[Card, float], ...]:
    sums: dict[Card, float] = {}
    for sighting in sightings:
        for card, probability in sighting.candidates:
            sums[card] = sums.get(card, 0.0) + probability
    means = ((card, total / len(sightings)) for card, total in sums.items())
    return tuple(sorted(means, key=lambda pair: -pair[1]))


@dataclass(frozen=True, slots=True)
class Vote:
    """What the readings agree on; `clear` if more readings would not change it.

    It is the `same` in all of them if none saw more cards or fewer, however much they are doubted.
    What only some of them saw, more than may be spoilt, is `flickering`.
    """

    lying: tuple[Lying, ...]
    clear: bool
    same: bool = True
    flickering: tuple[Lying, ...] = ()


def vote(readings: Sequence[Sequence[Sighting]], deck: Deck | None = None) -> Vote:
    """The cards that most of the `readings` show.

    The vote is clear if each card was seen with confidence in all readings but those that may be
    spoilt, and nothing else was seen in more than those. If they differ in how many backs lie over
    each other, the number that they are most certain of counts, which is not clear.
    """
    everyone, read = len(readings), readings
    readings = _agreeing(readings)
    ballots = _ballots(readings)
    spoilt = everyone // SPOILT_ONE_IN
    elected = [ballot for ballot in ballots if 2 * len(ballot.sightings) > everyone]
    lying = tuple(ballot.lying(deck) for ballot in elected)
    some = [b for b in ballots if spoilt < len(b.sightings) < everyone - spoilt]
    agreed = all(one is other for one, other in zip(readings, read, strict=True))
    same = agreed and all(len(ballot.sightings) == everyone for ballot in ballots)
    clear = agreed and not some and not any(card.doubtful for card in lying)
    return Vote(lying, clear, same, tuple(ballot.lying(deck) for ballot in some))


def _agreeing(readings: Sequence[Sequence[Sighting]]) -> Sequence[Sequence[Sighting]]:
    """The readings, with backs that lie over each other taken from one with the likeliest number.

    A stack of two is not half of one of three: no back is there in some readings and not in others.
    """
    told = list(readings)
    for heap in _heaps(readings):
        backs = [[one for one in reading if id(one) in heap] for reading in readings]
        weights: dict[int, float] = {}
        for some in backs:
            if some:
                sure = min(one.confidence for one in some)
                weights[len(some)] = weights.get(len(some), 0.0) + sure
        if len(weights) < 2:
            continue
        likeliest = max(weights, key=lambda number: weights[number])
        right = next(some for some in backs if len(some) == likeliest)
        for number, some in enumerate(backs):
            if len(some) == likeliest:
                right = some
            elif some:
                others = [one for one in told[number] if id(one) not in heap]
                told[number] = [*others, *right]
    return told


def _heaps(readings: Sequence[Sequence[Sighting]]) -> list[set[int]]:
    """The backs of each place where some lie over each other, by `id`, in all readings."""
    heaps: list[list[Sighting]] = []
    for one in (one for reading in readings for one in reading if one.card == BACK):
        near = [heap for heap in heaps if any(apart(one, other) < HEAPED for other in heap)]
        heaps = [heap for heap in heaps if heap not in near]
        heaps.append([one, *(other for heap in near for other in heap)])
    return [{id(one) for one in heap} for heap in heaps if len(heap) > len(readings)]


def ranked_by(
    deck: Deck | None, candidates: tuple[tuple[Card, float], ...]
) -> tuple[tuple[Card, float], ...]:
    """`candidates` in the order that the deck in play suggests.

    This resolves only doubt, and only in favour of the card that the picture itself supports best.
    If that one is foreign to the deck, it is either a stray card or one of the deck misread: the
    probability left for the others decides how far it is doubted, and it is never outvoted into a
    fitting card with certainty.
    """
    best, probability = candidates[0]
    if deck is None or best in (BACK, JOKER):
        return candidates
    if best not in deck:
        return _doubted(deck, candidates)
    if probability >= SURE:
        return candidates
    weights = [(card, p if card in deck else p * FOREIGN) for card, p in candidates]
    # What the weights take from foreign cards is shared out among the others.
    scale = sum(p for _, p in candidates) / sum(p for _, p in weights)
    return tuple(sorted(((card, p * scale) for card, p in weights), key=lambda pair: -pair[1]))


def _doubted(
    deck: Deck, candidates: tuple[tuple[Card, float], ...]
) -> tuple[tuple[Card, float], ...]:
    """`candidates` of which the likeliest is foreign to the deck.

    If it is misread, the others of the deck are what it may be, by what the picture says of each.
    """
    own = sum(p for card, p in candidates if card in deck)
    unsaid = max(0.0, 1 - sum(p for _, p in candidates))
    share = (own + unsaid) / own if own else 0.0
    weights = [(card, p * (share if card in deck else STRAY)) for card, p in candidates]
    whole = sum(p for _, p in weights) + (0.0 if own else unsaid)
    told = ((card, min(p / whole, BARELY if card in deck else 1.0)) for card, p in weights)
    return tuple(sorted(told, key=lambda pair: -pair[1]))


def nearest(cards: Sequence[Lying], card: Sighting | Lying) -> Lying | None:
    """Which of `cards` lies where `card` does, if any; preferably one that reads the same."""
    near = [
        (apart(other, card) + _misread(other, card), other)
        for other in cards
        if apart(other, card) < NEAR
    ]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def paired(cards: Sequence[Lying], seen: Sequence[One]) -> dict[int, One]:
    """Match `cards` with the `seen` ones; the keys are the `id` of those that are seen again.

    Overlapping cards have nearby centres, so the closest pairs are matched first.
    """
    return {id(cards[first]): seen[second] for first, second in _closest(cards, seen)}


def where_read(cards: Sequence[Lying], seen: Sequence[Lying]) -> list[Lying]:
    """The cards of a spot, each with the place at which it is `seen` now."""
    again = paired(cards, seen)
    return [
        replace(one, latest=now.centre)
        if (now := again.get(id(one))) is not None and now.card == one.card
        else one
        for one in cards
    ]


def _closest(
    ones: Sequence[Lying | Sighting], others: Sequence[Lying | Sighting]
) -> list[tuple[int, int]]:
    """The positions of each two that are the same card, closest pairs first, each in one pair."""
    ways = sorted(
        (away + _misread(one, other), first, second)
        for first, one in enumerate(ones)
        for second, other in enumerate(others)
        if (away := off_place(one, other)) < NEAR
    )
    found = dict[int, int]()
    for _, first, second in ways:
        if first not in found and second not in found.values():
            found[first] = second
    return list(found.items())


def _ballots(readings: Sequence[Sequence[Sighting]]) -> list[Ballot]:
    ballots: list[Ballot] = []
    for reading in readings:
        known = _continued(ballots, reading)
        for number in sorted(range(len(reading)), key=lambda one: -reading[one].confidence):
            if number in known:
                known[number].sightings.append(reading[number])
            else:
                ballots.append(Ballot([reading[number]]))
    return ballots


def _continued(ballots: Sequence[Ballot], reading: Sequence[Sighting]) -> dict[int, Ballot]:
    """The ballots for the cards that a `reading` shows again, by their positions in it.

    Cards of a pile lie near each other, and one of them may be seen only now and then: the closest
    pairs are matched first, so that none takes the place of its neighbour.
    """
    latest = [ballot.sightings[-1] for ballot in ballots]
    return {second: ballots[first] for first, second in _closest(latest, reading)}


def off_place(one: Sighting | Lying, other: Sighting | Lying) -> float:
    """How far from the place of a card another was read, or from where it was read latest.

    By a corner that others leave in view it is read a fifth of a card away, again and again: an
    equal card that had lain over it was nearer, and was taken for what was read once it had gone.
    """
    away = apart(one, other)
    if isinstance(one, Sighting) or one.latest is None or one.card != other.card:
        return away
    return min(away, distance(one.latest, other.centre) / max(short_side(one.outline), 1.0))


def _misread(one: Sighting | Lying, other: Sighting | Lying) -> float:
    return NEAR * (one.card != other.card)


def apart(one: Sighting | Lying, other: Sighting | Lying) -> float:
    """The distance between two centres in short sides of the card.

    If it is over 1, it may be a lower bound.
    """
    away = distance(one.centre, other.centre)
    # Most pairs are far apart, and any one side is enough to see that.
    side = max(distance(*one.outline[:2]), 1.0)
    return away / side if away > side else away / max(short_side(one.outline), 1.0)
