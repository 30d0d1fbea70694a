"""Three Thirteen followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.three_thirteen import ThreeThirteen
from rules.start import Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import Deal, match_refereed, seeded

ORDER = "A23456789TJQK"


def value(card: Card) -> int:
    """An ace counts one, court cards ten, all others their pips."""
    return min(ORDER.index(str(card.rank)) + 1, 10)


def place(card: Card) -> int:
    return ORDER.index(str(card.rank))


@cache
def deadwood(cards: tuple[Card, ...], wild: str) -> int:
    """The least that any arrangement of `cards` leaves."""
    plain = tuple(sorted((card for card in cards if str(card.rank) != wild), key=str))
    wilds = len(cards) - len(plain)
    each = min(ORDER.index(wild) + 1, 10)
    alone = 0 if wilds >= 3 else wilds * each
    return min(sum(map(value, plain)) + alone, *_melded(plain, wilds), 10**6)


def _melded(plain: tuple[Card, ...], wilds: int) -> Iterator[int]:
    """What is left with one meld at least, which takes any wild cards that are not needed."""
    for size in range(1, len(plain) + 1):
        for chosen in combinations(plain, size):
            needed = _wilds_needed(chosen)
            if needed is not None and needed <= wilds:
                rest = list(plain)
                for card in chosen:
                    rest.remove(card)
                yield _least(tuple(rest), wilds - needed)


@cache
def _least(plain: tuple[Card, ...], wilds: int) -> int:
    """The least deadwood of `plain` beside a meld, with `wilds` to spend."""
    if not plain:
        return 0
    first, others = plain[0], plain[1:]
    best = value(first) + _least(others, wilds)
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            if any(more[i] == more[i + 1] for i in range(size - 1)) and not _of_a_rank(more):
                continue
            needed = _wilds_needed((first, *more))
            if needed is not None and needed <= wilds:
                rest = list(others)
                for card in more:
                    rest.remove(card)
                best = min(best, _least(tuple(rest), wilds - needed))
    return best


def _of_a_rank(cards: tuple[Card, ...]) -> bool:
    return len({card.rank for card in cards}) == 1


def _wilds_needed(cards: tuple[Card, ...]) -> int | None:
    """The wild cards that make a meld of `cards`; None if none do."""
    if _of_a_rank(cards):
        return max(0, 3 - len(cards))
    places = {place(card) for card in cards}
    if len({card.suit for card in cards}) > 1 or len(places) < len(cards):
        return None
    return max(3, max(places) - min(places) + 1) - len(cards)


@dataclass
class Referee:
    """The hands, the pile, whose turn it is and who is out."""

    start: Start
    size: int
    deal: Deal = field(init=False)
    hands: dict[int, list[Card]] = field(default_factory=dict)
    pile: list[Card] = field(default_factory=list)
    stock: int = 0
    turn: int = 0
    drawn: bool = False
    threw: int | None = None
    """Who has discarded last, until the next player draws."""
    out: list[int] = field(default_factory=list)
    shown: dict[int, list[Card]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer, self.wild = self.start.dealer, ORDER[self.size - 1]
        self.deal = Deal(Counter({str(seat): self.size for seat in self.start.seats}), "discards")
        self.hands = {seat: [] for seat in self.start.seats}
        self.stock = 52 * ((len(self.start.seats) + 1) // 2)
        self.turn = self.start.after(self.dealer)

    @property
    def ended(self) -> bool:
        return bool(self.out) and self.turn == self.out[0] and not self.drawn

    def left(self, seat: int) -> list[Card]:
        """The cards in hand that are not laid open yet."""
        return list((Counter(self.hands[seat]) - Counter(self.shown.get(seat, []))).elements())

    def is_out(self, cards: list[Card]) -> bool:
        return deadwood(tuple(sorted(cards, key=str)), self.wild) == 0

    def finishes(self, seat: int, card: Card) -> bool:
        rest = self.hands[seat].copy()
        rest.remove(card)
        return self.is_out(rest)

    def allows(self, act: Act) -> bool | None:
        if not self.deal.done:
            return self.deal.allows(act)
        seat = act.seat
        if self.ended and not any(map(self.left, self.start.seats)):
            return act.verb is Verb.CLEAR or (None if act.verb is Verb.DECLARE else False)
        if act.verb is Verb.DECLARE:
            return None if self.ended else self.may_go_out(seat)
        if act.verb is Verb.SHOW and seat is not None:
            return self.may_show(seat, act)
        if self.ended:
            return False
        if act.verb is Verb.SHUFFLE:
            return not self.drawn and not self.stock and len(self.pile) > 1
        if seat != self.turn or act.verb not in (Verb.DRAW, Verb.DISCARD):
            return False
        if act.verb is Verb.DRAW and act.spot == "stock":
            return not self.drawn and self.stock > 0 and len(act.cards) == 1 and act.down
        if act.verb is Verb.DRAW:
            upcard = act.spot == "discards" and self.pile[-1:] == list(act.cards)
            return not self.drawn and upcard and not act.down
        card = act.cards[0]
        if not self.drawn or len(act.cards) != 1 or card not in self.hands[seat]:
            return False
        if card not in self.left(seat):
            return None  # who has shown a hand thinks better of it
        return seat not in self.out or self.finishes(seat, card)

    def may_go_out(self, seat: int | None) -> bool:
        if seat is None or seat in self.out:
            return False
        if seat == self.turn and self.drawn:
            return any(self.finishes(seat, card) for card in self.hands[seat])
        return seat == self.threw and not self.drawn and self.is_out(self.hands[seat])

    def may_show(self, seat: int, act: Act) -> bool:
        if Counter(act.cards) - Counter(self.left(seat)):
            return False
        if self.ended:
            return len(act.cards) == len(self.left(seat))
        mine = seat in (self.turn if self.drawn else None, self.threw if not self.drawn else None)
        return (
            mine
            and seat not in self.shown
            and self.is_out([*act.cards])
            and (len(act.cards) == self.size)
        )

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        if act.verb is Verb.DEAL:
            self.deal.see(act)
            self.stock -= len(act.cards)
            (self.pile if act.spot == "discards" else self.hands[int(act.spot or "")]).extend(
                act.cards
            )
        elif act.verb is Verb.SHUFFLE:
            self.stock, self.pile = len(self.pile) - 1, self.pile[-1:]
        elif act.seat is not None:
            self.acted(act, act.seat)

    def acted(self, act: Act, seat: int) -> None:
        match act.verb:
            case Verb.DRAW:
                self.drawn, self.threw = True, None
                self.hands[seat] += act.cards
                if act.spot == "stock":
                    self.stock -= 1
                else:
                    self.pile.pop()
            case Verb.DECLARE if seat not in self.out:
                self.out.append(seat)
            case Verb.SHOW:
                if not self.ended and seat not in self.out:
                    self.out.append(seat)
                self.shown.setdefault(seat, []).extend(act.cards)
            case Verb.DISCARD:
                self.hands[seat].remove(act.card)
                self.pile.append(act.card)
                self.drawn, self.threw, self.turn = False, seat, self.start.after(seat)

    def result(self) -> Counter[int]:
        return Counter(
            {
                seat: deadwood(tuple(sorted(cards, key=str)), self.wild)
                for seat, cards in self.hands.items()
            }
        )

    def following(self) -> dict[str, Any]:
        last = self.size == 13
        scores = Counter(dict(self.start.scores))
        scores.update(self.result())
        size = 3 if last else self.size + 1
        every = {seat: scores[seat] for seat in self.start.seats}
        return {
            "dealer": self.start.after(self.dealer),
            "scores": () if last else tuple(sorted(every.items())),
            "notes": (("cards", str(size)),),
        }


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands at a random table, somewhere in a match."""
    dice = random.Random(f"three thirteen {seed}")
    game = ThreeThirteen(deadwood=dice.choice(("lowest", "shown")))
    start = start_for(game, seats=dice.choice((2, 2, 3, 4, 5, 7)))
    size = dice.randint(3, 13)
    start = start.having(
        dealer=dice.choice(start.seats),
        notes=(("cards", str(size)),),
        scores=tuple((seat, dice.randint(0, 90)) for seat in start.seats),
    )
    return match_refereed(game, start, lambda start: Referee(start, int(start.note("cards"))), seed)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "two out" if len(referee.out) > 1 else "one out"
    if any(act.verb is Verb.SHUFFLE for act in last.acts):
        yield "shuffled"


@pytest.mark.parametrize("seeds", seeded(1, 60), ids=str)
def test_turns_going_out_and_deadwood_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) == 3 or len(seeds) < 60
