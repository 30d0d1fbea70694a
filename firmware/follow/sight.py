"""From what the tracker reports to the cards that are submitted to the rules.

A card that several frames agree on counts as read. A doubtful one counts as the card that the state
already has there, if it may be that one; otherwise each of its candidates is a possibility. A
person's word about a card overrides the camera for as long as the card is there, and also when
they say that there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain, islice, product
from math import dist
from typing import TypeVar

from firmware.follow.piles import Piles
from rules.cards import BACK, Card
from rules.spots import Shape
from rules.state import State
from vision.picture.geometry import Point
from vision.sightings import Lying, Seen

LIKELY = 0.03
"""Probability below which a candidate is not worth a question. A choice; `python -m tests.soak`
judges it.
"""
VARIANTS_MOST = 27
"""Largest number of readings of a table that are considered: three doubtful cards with three
candidates. A choice; `python -m tests.soak` judges it.
"""
RIVAL = 0.2
"""Probability below which a card of which both ends are in view is not taken for the one that the
state has there: an ace of spades on that of clubs was left 0.07. A choice; `python -m tests.soak
--pictures` judges it.
"""
SAME_PLACE = 0.5
"""Distance from where a card was named, as a share of its shorter side, within which it is still
that card. A choice; `python -m tests.soak` judges it.
"""

Cards = tuple[Card, ...]
Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Named:
    """What a person has said about a card, where it is (pixels), and what the camera took it for.

    It holds until something else is seen there: the card turned over, or another one on it.
    """

    spot: str
    place: Point
    card: Card
    taken_for: frozenset[Card] = frozenset()

    def holds(self, one: Lying) -> bool:
        """Whether what lies there may still be that card, misread as before."""
        if not lies_at(one, self.place):
            return False
        seen = {one.card, *(card for card, _ in one.candidates)}
        if seen & {self.card, *self.taken_for}:
            return True
        return one.doubtful and BACK not in (one.card, self.card)


@dataclass(frozen=True)
class Unseen:
    """Faces that lie at a spot, as a person has said, though the camera does not see them: a glass
    stands there, or a lamp is reflected.

    They count as seen for as long as nothing that is seen there goes.
    """

    beside: Counter[Card]
    """What is seen there."""
    cards: Counter[Card]

    def now(self, seen: Counter[Card], held: Counter[Card]) -> Unseen | None:
        """The same once this is `seen` and the state has `held` there; None if none are left."""
        if self.beside - seen:
            return None
        left = self.cards & (held - seen)
        return Unseen(seen, left) if left else None


@dataclass
class Sight:
    """What the table shows, unless a person has said otherwise.

    `ignored` holds spots as they looked when an act was undone (or entered before it was done):
    they are not looked at until they look different, or as the state has them. A meld that stayed
    ignored once its cards had been moved there after all might have hidden every card that followed
    in the same hand. `unseen` are cards by spot that lie there as a person has said.
    """

    named: list[Named] = field(default_factory=list)
    waved: list[tuple[str, Point]] = field(default_factory=list)
    """Where, by spot, something doubtful is told that a person has dismissed."""
    ignored: dict[str, Cards] = field(default_factory=dict)
    unseen: dict[str, Unseen] = field(default_factory=dict)
    piles: Piles = field(default_factory=Piles)

    def watched(self, state: State, seen: Seen) -> frozenset[str]:
        """The spots that can be compared with the state now."""
        self._forget(state, seen)
        self.piles.see(state, seen)
        return frozenset(
            name
            for name, spot in state.spots.items()
            if spot.in_sight
            and name in seen.spots
            and (name not in seen.busy or name in self.piles.laid_on)
            and name not in self.ignored
        )

    def readings(
        self, state: State, seen: Seen, watched: Collection[str]
    ) -> Iterator[dict[str, Cards]]:
        """The ways in which the table may be read, likeliest first."""
        spots = sorted(watched)
        lying = {name: self.piles.tops(name, seen.spots[name]) for name in spots}
        ways = [self._spot_ways(state, name, lying[name]) for name in spots]
        for choice in _ordered(ways, tuple(max(way[:2], key=len) for way in ways)):
            yield dict(zip(spots, choice, strict=True))

    def _spot_ways(self, state: State, name: str, lying: tuple[Lying, ...]) -> list[Cards]:
        expected = list(state.spots[name].shows(state.table))
        sure = {place: self._said(name, one) for place, one in enumerate(lying)}
        for card in sure.values():
            if card in expected:
                expected.remove(card)
        choices: list[list[Card | None]] = []
        for place, one in enumerate(lying):
            card = sure[place]
            waved = card is None and self._is_waved(name, one)
            choices.append([card] if card is not None else _possible(one, expected, waved=waved))
        fullest = tuple(next(filter(None, several), None) for several in choices)
        also = self.unseen[name].cards.elements() if name in self.unseen else ()
        believed = tuple(card for card in also if card in expected)
        found = ((*filter(None, way), *believed) for way in _ordered(choices, fullest))
        return list(dict.fromkeys(found))  # which of the backs are nothing makes no difference

    def _said(self, spot: str, one: Lying) -> Card | None:
        """The card if it is certain: a person's word before the camera's."""
        for named in self.named:
            if named.spot == spot and named.holds(one):
                return named.card
        return None if one.doubtful else one.card

    def lying_as(self, seen: Seen, spot: str, card: Card) -> Lying | None:
        """The card at `spot` that counts as `card`: by a person's word, or as it is read."""
        said = (one for one in seen.spots.get(spot, ()) if self._said(spot, one) == card)
        return next(said, None) or lying_as(seen, spot, card)

    def name(self, spot: str, one: Lying, card: Card) -> None:
        """Note which card it is, as a person has said."""
        self.named = [n for n in self.named if not (n.spot == spot and lies_at(one, n.place))]
        taken_for = frozenset({one.card, *(candidate for candidate, _ in one.candidates)})
        self.named.append(Named(spot, one.centre, card, taken_for))

    def choose(self, seen: Seen, spot: str, cards: Sequence[Card]) -> None:
        """Note that the doubtful cards at a spot are these, as a person has chosen."""
        left = list(seen.spots.get(spot, ()))
        for card in cards:
            lying = _lying_as(left, card)
            if lying is not None:
                left.remove(lying)
                if lying.doubtful:
                    self.name(spot, lying, card)

    def doubts(self, seen: Seen, watched: Collection[str]) -> tuple[Lying, ...]:
        """The doubtful cards at the watched spots that nobody has dismissed."""
        lying = ((spot, one) for spot in sorted(watched) for one in seen.spots[spot])
        return tuple(one for spot, one in lying if one.doubtful and not self._is_waved(spot, one))

    def wave(self, seen: Seen) -> None:
        """Note that what is doubtful now and lies where nothing is known to lie is nothing."""
        at_rest = seen.spots.keys() - seen.busy
        self.waved += (
            (spot, one.centre) for spot in at_rest for one in seen.spots[spot] if one.doubtful
        )

    def _is_waved(self, spot: str, one: Lying) -> bool:
        return any(spot == where and lies_at(one, place) for where, place in self.waved)

    def ignore(self, seen: Seen, spots: Collection[str]) -> None:
        """Ignore these spots until they look different from now."""
        self.ignored.update({spot: _look(seen, spot) for spot in spots if spot in seen.spots})

    def look_again(self) -> None:
        """Compare all that is seen with the state, whatever a person has done or said before."""
        self.ignored.clear()
        self.unseen.clear()

    def believe(self, state: State, seen: Seen, spots: AbstractSet[str]) -> None:
        """Note that what the state has at these spots is there, as a person has said."""
        for name in spots & seen.spots.keys() & state.spots.keys():
            spot = state.spots[name]
            if spot.held or spot.shape is Shape.PILE:
                continue
            held, there = _faces(spot.shows(state.table)), _faces(_look(seen, name))
            if held - there and not there - held:
                self.unseen[name] = Unseen(there, held - there)

    def _forget(self, state: State, seen: Seen) -> None:
        """Look again where the table has changed or agrees with the state by now, and drop names of
        cards that are gone."""
        free = [s for s in self.ignored if s in seen.spots and s not in seen.busy]
        for spot in free:
            if _look(seen, spot) != self.ignored[spot] or _agrees(state, seen, spot):
                del self.ignored[spot]
        self.named = [
            named
            for named in self.named
            if named.spot in seen.busy or any(map(named.holds, seen.spots.get(named.spot, ())))
        ]
        self.waved = [one for one in self.waved if _stays(seen, *one)]
        for name in [one for one in self.unseen if one in seen.spots and one not in seen.busy]:
            place = state.spots.get(name)
            held = _faces(place.shows(state.table)) if place is not None else Counter[Card]()
            left = self.unseen.pop(name).now(_faces(_look(seen, name)), held)
            if left is not None:
                self.unseen[name] = left


def _agrees(state: State, seen: Seen, name: str) -> bool:
    """Whether a spot shows what the state has there. Of a pile, an equal card may show on top."""
    spot = state.spots.get(name)
    if spot is None or spot.shape is Shape.PILE:
        return False
    return _look(seen, name) == tuple(sorted(spot.shows(state.table), key=str))


def _stays(seen: Seen, spot: str, place: Point) -> bool:
    """Whether something lies there, or a hand is in the way."""
    return spot in seen.busy or any(lies_at(one, place) for one in seen.spots.get(spot, ()))


def _ordered(
    choices: Sequence[Sequence[Choice]], fullest: tuple[Choice, ...]
) -> list[tuple[Choice, ...]]:
    """The ways to choose from each, likeliest first, and no more than can be tried.

    Where several may be backs or nothing, all of them (the `fullest` way) come next after none:
    either is likelier than some of them.
    """
    every = islice(product(*choices), VARIANTS_MOST)
    first = islice(product(*choices), 1)
    return list(islice(dict.fromkeys(chain(first, [fullest], every)), VARIANTS_MOST))


def _possible(one: Lying, expected: list[Card], *, waved: bool = False) -> list[Card | None]:
    """What a doubtful card may be; the card known to be there, if it may be that one.

    A doubtful back may also be no card: a shadow, or the pattern of the cloth. So may
    whatever a person has `waved` aside.
    """
    candidates = [card for card, probability in one.candidates if probability >= LIKELY]
    for card in expected:
        if one.whole and dict(one.candidates).get(card, 0.0) < RIVAL:
            continue  # nothing covers it that would explain so poor a reading
        if card in candidates or (card.known and card != BACK and _part(one.card, card)):
            expected.remove(card)
            return [card]
    if waved:
        return [None]
    if set(candidates or [one.card]) == {BACK}:
        return [None, BACK]
    return [*candidates] or [one.card]


def _part(seen: Card, card: Card) -> bool:
    return not seen.hidden and seen.covers(card)


def lies_at(one: Lying, place: Point) -> bool:
    """Whether a card lies where one did whose middle was at `place`."""
    corners = one.outline
    side = min(dist(corners[0], corners[1]), dist(corners[1], corners[2]))
    return dist(one.centre, place) < SAME_PLACE * side


def _faces(cards: Cards) -> Counter[Card]:
    """Those of the cards that lie face up."""
    return Counter(card for card in cards if not card.hidden)


def _look(seen: Seen, spot: str) -> Cards:
    return tuple(sorted((one.card for one in seen.spots[spot]), key=str))


def lying_as(seen: Seen, spot: str, card: Card) -> Lying | None:
    """The card at `spot` that is read as `card`, or may be it."""
    return _lying_as(seen.spots.get(spot, ()), card)


def _lying_as(lying: Sequence[Lying], card: Card) -> Lying | None:
    exact = next((one for one in lying if one.card == card), None)
    return exact or next((o for o in lying if card in [c for c, _ in o.candidates]), None)
