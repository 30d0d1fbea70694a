"""Melds: what makes one, and the best way to arrange a hand into them.

A `MeldRules` defines a game's sets and runs and its wild rank. A set has cards of one rank; a run
has cards of one suit, in sequence. Wild cards stand for any missing card.

    >>> rules = MeldRules(wild=Rank.THREE)
    >>> rules.allows(parse_cards("5H 3S 7H")), rules.allows(parse_cards("QH KH AH"))
    (True, False)
    >>> best = arrange(parse_cards("5H 6H 7H 7S 7D KC"), rules, pips)
    >>> best.melds, best.deadwood, best.points
    (((<7D>, <7H>, <7S>),), (<KC>, <5H>, <6H>), 21)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import combinations, product
from operator import attrgetter

from rules.cards import RANKS, Card, Rank, parse_cards

__all__ = [
    "Arrangement",
    "MeldRules",
    "Suits",
    "arrange",
    "links",
    "parse_cards",
    "pips",
    "without",
]

FIELD = 5
"""Bits that count one kind of card: up to eleven packs, and a borrow bit to detect a shortage."""
ORDER = "".join(RANKS)
"""Ace low and king high."""


class Suits(StrEnum):
    """The suits that the cards of a set may have."""

    ANY = "any"
    THREE = "three"
    """Exactly three suits."""
    APART = "apart"
    """All different, or all the same."""


@dataclass(frozen=True)
class MeldRules:
    """What makes a meld in a game; frozen, so that arrangements can be cached by it."""

    order: str = ORDER
    """The ranks in the order of runs, low to high; empty if there are no runs."""
    high_ace: bool = False
    """Whether the ace also ranks above the last rank (but not both ways in one run)."""
    suits: Suits = Suits.ANY
    free: frozenset[Rank] = frozenset()
    """The ranks whose sets may have any suits."""
    least: int = 3
    most: int | None = None
    wild: Rank | None = None
    naturals: int = 1
    """The fewest natural cards needed in a meld with wild cards."""
    all_wild: bool = True
    """Whether wild cards alone may form a meld."""
    shy: Card | None = None
    """The card that a wild card may replace in a run only if it is the only wild card there."""

    def is_wild(self, card: Card) -> bool:
        """Whether `card` may stand for others."""
        return card.rank is self.wild

    def allows(self, cards: Sequence[Card]) -> bool:
        """Whether `cards` are a meld."""
        return self.is_set(cards) or self.is_run(cards)

    def is_set(self, cards: Sequence[Card]) -> bool:
        """Whether `cards` are a set, possibly of wild cards alone."""
        if not self._fits(cards):
            return False
        naturals = [card for card in cards if not self.is_wild(card)]
        if not naturals:
            return self.all_wild
        if len({card.rank for card in naturals}) > 1 or self._too_wild(cards, naturals):
            return False
        return naturals[0].rank in self.free or self._suits_fit(naturals)

    def is_run(self, cards: Sequence[Card]) -> bool:
        """Whether `cards` are a run."""
        return next(self.readings(cards), None) is not None

    def readings(self, cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
        """The runs that `cards` may form, each as the natural cards that they stand for.

        >>> rules = MeldRules(wild=Rank.TWO)
        >>> [str(run[-1]) for run in rules.readings(parse_cards("QD KD 2C"))]
        ['KD']
        """
        naturals = [card for card in cards if not self.is_wild(card)]
        if not naturals or not self._fits(cards) or self._too_wild(cards, naturals):
            return
        ranks = {card.rank for card in naturals}
        if len({card.suit for card in naturals}) > 1 or len(ranks) < len(naturals):
            return
        for window in self._windows(len(cards)):
            run = tuple(Card(rank, naturals[0].suit) for rank in window)
            if ranks <= set(window) and not self._shies(run, ranks):
                yield run

    def _windows(self, length: int) -> Iterator[tuple[Rank, ...]]:
        ranks = _ranks(self.order + self.order[:1] if self.high_ace else self.order)
        for start in range(len(ranks) - length + 1):
            window = ranks[start : start + length]
            if len(set(window)) == length:
                yield window

    def _shies(self, run: tuple[Card, ...], ranks: set[Rank]) -> bool:
        replaced = [card for card in run if card.rank not in ranks]
        return len(replaced) > 1 and self.shy in replaced

    def _fits(self, cards: Sequence[Card]) -> bool:
        known = all(card.known and card.rank is not Rank.JOKER for card in cards)
        return known and self.least <= len(cards) and (not self.most or len(cards) <= self.most)

    def _too_wild(self, cards: Sequence[Card], naturals: Sequence[Card]) -> bool:
        return len(naturals) < min(len(cards), self.naturals)

    def _suits_fit(self, naturals: Sequence[Card]) -> bool:
        suits = len({card.suit for card in naturals})
        if self.suits is Suits.THREE:
            return suits == 3
        return self.suits is Suits.ANY or suits in (1, len(naturals))


@cache
def _ranks(order: str) -> tuple[Rank, ...]:
    return tuple(map(Rank, order))


def pips(card: Card) -> int:
    """The value of a card in gin rummy: the ace one, court cards ten.

    >>> [pips(card) for card in parse_cards("AS 9D TC KH")]
    [1, 9, 10, 10]
    """
    return min(10, RANKS.index(card.rank) + 1)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A hand split into melds and deadwood."""

    melds: tuple[tuple[Card, ...], ...]
    deadwood: tuple[Card, ...]
    points: int
    """The value of the deadwood."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, meld by meld, the deadwood last."""
        return (*(card for meld in self.melds for card in meld), *self.deadwood)


def arrange(hand: Iterable[Card], rules: MeldRules, worth: Callable[[Card], int]) -> Arrangement:
    """The arrangement of `hand` with the least deadwood."""
    return _arranged(tuple(sorted(hand, key=_ANYHOW)), rules, worth)


_ANYHOW = attrgetter("suit", "rank")
"""A canonical order, in which equal hands look alike."""


def _by_suit(card: Card) -> tuple[str, int]:
    return card.suit, RANKS.index(card.rank)


@lru_cache(maxsize=20_000)
def _arranged(
    hand: tuple[Card, ...], rules: MeldRules, worth: Callable[[Card], int]
) -> Arrangement:
    return _Search(tuple(sorted(hand, key=_by_suit)), rules, worth).best()


Plan = tuple[int, int, tuple[int, ...]]
"""A meld as its natural cards encoded in one number, its number of wild cards, and its kinds of
cards."""


class _Search:
    """Search all ways to take melds out of a hand, from its first card on, each position only once.

    The remaining cards are encoded in one number, with `FIELD` bits for each kind.
    """

    def __init__(
        self, hand: tuple[Card, ...], rules: MeldRules, worth: Callable[[Card], int]
    ) -> None:
        self.rules = rules
        self.wilds = [card for card in hand if rules.is_wild(card)]
        counts = Counter(card for card in hand if not rules.is_wild(card))
        self.kinds = list(counts)
        self.counts = [counts[kind] for kind in self.kinds]
        self.worth = [worth(kind) for kind in self.kinds]
        self.wild_worth = worth(self.wilds[0]) if self.wilds else 0
        self.guard = sum(1 << (FIELD * place + FIELD - 1) for place in range(len(self.kinds)))
        self.plans: list[list[Plan]] = [[] for _ in self.kinds]
        for kinds, wilds in self._candidates():
            plan = sum(1 << FIELD * kind for kind in kinds), wilds, kinds
            self.plans[kinds[0]].append(plan)
        for plans in self.plans:
            plans.sort(key=lambda plan: plan[1] - len(plan[2]))
        self.found: dict[tuple[int, int, bool], tuple[int, Plan | None]] = {}

    def best(self) -> Arrangement:
        """The arrangement with the least deadwood."""
        left = sum(count << FIELD * place for place, count in enumerate(self.counts))
        wilds = len(self.wilds)
        melds: list[tuple[list[Card], int]] = []
        dead: list[Card] = []
        points = self._least(left, wilds, False)
        while left:
            plan = self._choice(left, wilds, bool(melds))
            if plan is None:
                kind = _first(left)
                dead.append(self.kinds[kind])
                left -= 1 << FIELD * kind
                continue
            melds.append(([self.kinds[kind] for kind in plan[2]], plan[1]))
            left, wilds = left - plan[0], wilds - plan[1]
        return self._written(melds, dead, wilds, points)

    def _written(
        self, melds: list[tuple[list[Card], int]], dead: list[Card], spare: int, points: int
    ) -> Arrangement:
        """The arrangement with real wild cards; spare ones extend a meld or form new ones."""
        pool = list(self.wilds)
        laid = [[*naturals, *(pool.pop() for _ in range(wilds))] for naturals, wilds in melds]
        if spare and melds and self.rules.most is None:
            laid[0] += pool
            pool = []
        for size in _groups(spare, self.rules) if pool else ():
            laid.append([pool.pop() for _ in range(size)])
        deadwood = tuple(sorted((*dead, *pool), key=_by_suit))
        return Arrangement(tuple(self._ordered(meld) for meld in laid), deadwood, points)

    def _ordered(self, meld: list[Card]) -> tuple[Card, ...]:
        """A run in sequence, with wild cards in their places."""
        run = None if self.rules.is_set(meld) else next(self.rules.readings(meld), None)
        if run is None:
            return tuple(meld)
        wild = [card for card in meld if self.rules.is_wild(card)]
        naturals = [card for card in meld if not self.rules.is_wild(card)]
        return tuple(card if card in naturals else wild.pop() for card in run)

    def _least(self, left: int, wilds: int, formed: bool) -> int:
        """The least deadwood of these cards and `wilds` wild ones."""
        if not left:
            return self._spare(wilds, formed)
        key = left, wilds, formed
        if key not in self.found:
            self.found[key] = self._searched(left, wilds, formed)
        return self.found[key][0]

    def _choice(self, left: int, wilds: int, formed: bool) -> Plan | None:
        self._least(left, wilds, formed)
        return self.found[left, wilds, formed][1]

    def _searched(self, left: int, wilds: int, formed: bool) -> tuple[int, Plan | None]:
        kind, guard = _first(left), self.guard
        best, chosen = 10**9, None
        for plan in self.plans[kind]:
            cards, needs, _ = plan
            if needs > wilds or ((left | guard) - cards) & guard != guard:
                continue
            points = self._least(left - cards, wilds - needs, True)
            if points < best:
                best, chosen = points, plan
            if not best:
                return best, chosen
        if self.worth[kind] >= best:
            return best, chosen
        points = self.worth[kind] + self._least(left - (1 << FIELD * kind), wilds, formed)
        return (points, None) if points < best else (best, chosen)

    def _spare(self, wilds: int, formed: bool) -> int:
        """The value of the wild cards that no meld takes."""
        if formed and self.rules.most is None:
            return 0
        return (wilds - sum(_groups(wilds, self.rules))) * self.wild_worth

    def _candidates(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Every meld with a natural card: its kinds of cards in order, and its wild cards."""
        for kinds in dict.fromkeys((*self._sets(), *self._runs())):
            yield from ((kinds, wilds) for wilds in self._fitting(kinds))

    def _fitting(self, kinds: tuple[int, ...]) -> Iterator[int]:
        """The numbers of wild cards that make these a meld; the fewest if more always fit."""
        naturals = [self.kinds[kind] for kind in kinds]
        for wilds in range(len(self.wilds) + 1):
            if self.rules.allows((*naturals, *self.wilds[:wilds])):
                yield wilds
                if self.rules.most is None:
                    return

    def _sets(self) -> Iterator[tuple[int, ...]]:
        ranks = dict.fromkeys(kind.rank for kind in self.kinds)
        for rank in ranks:
            same = [place for place, kind in enumerate(self.kinds) if kind.rank is rank]
            for taken in product(*(range(self.counts[place] + 1) for place in same)):
                kinds = [p for p, count in zip(same, taken, strict=True) for _ in range(count)]
                if kinds and self._enough(len(kinds)):
                    yield tuple(kinds)

    def _runs(self) -> Iterator[tuple[int, ...]]:
        for suit in dict.fromkeys(kind.suit for kind in self.kinds) if self.rules.order else ():
            same = [place for place, kind in enumerate(self.kinds) if kind.suit is suit]
            for size in range(1, min(len(same), self.rules.most or len(same)) + 1):
                if self._enough(size):
                    yield from filter(self._close, combinations(same, size))

    def _close(self, kinds: tuple[int, ...]) -> bool:
        """Whether the wild cards can fill the gaps between these cards."""
        heights = sorted(self.rules.order.find(self.kinds[kind].rank) for kind in kinds)
        if self.rules.high_ace and heights[0] == 0:
            return True
        return heights[-1] - heights[0] + 1 - len(heights) <= len(self.wilds)

    def _enough(self, naturals: int) -> bool:
        fewest = self.rules.naturals if naturals < self.rules.least else 1
        return max(fewest, self.rules.least - len(self.wilds)) <= naturals


def _first(left: int) -> int:
    return ((left & -left).bit_length() - 1) // FIELD


@cache
def _groups(wilds: int, rules: MeldRules) -> tuple[int, ...]:
    """The sizes of all-wild melds that use up as many wild cards as possible.

    >>> _groups(5, MeldRules(wild=Rank.TWO, most=4)), _groups(2, MeldRules())
    ((4,), ())
    """
    if not rules.all_wild or wilds < rules.least:
        return ()
    sizes = range(rules.least, min(wilds, rules.most or wilds) + 1)
    return max(((size, *_groups(wilds - size, rules)) for size in sizes), key=sum)


def links(card: Card, hand: Sequence[Card], rules: MeldRules) -> int:
    """The number of cards in `hand` that go with `card`: of its rank, or near it in its suit."""
    if rules.is_wild(card):
        return len(hand)
    near = 0
    for other in hand:
        apart = abs(rules.order.find(card.rank) - rules.order.find(other.rank))
        near += other.rank is card.rank or (other.suit is card.suit and 0 < apart <= 2)
    return near - 1


@lru_cache(maxsize=4000)
def unlinked(
    hand: tuple[Card, ...], rules: MeldRules, among: tuple[Card, ...] = ()
) -> tuple[Card, ...]:
    """The cards of a known hand, or those `among` it, that are least connected to the rest."""
    near = {card: links(card, hand, rules) for card in dict.fromkeys(among or hand)}
    fewest = min(near.values(), default=0)
    return tuple(card for card, count in near.items() if count == fewest)


def without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """`hand` without one copy of `card`."""
    place = hand.index(card)
    return (*hand[:place], *hand[place + 1 :])
