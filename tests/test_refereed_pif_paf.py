"""Pif Paf followed by a referee who knows the document's sentences alone."""

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
from rules.games.pif_paf import PifPaf
from rules.start import Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereed_bets import PLENTY, Wagers, pots
from tests.refereeing import Deal, match_refereed, seeded

ORDER = "A23456789TJQK"


@cache
def melds(cards: tuple[Card, ...], high_ace: bool) -> bool:
    """Whether all cards are in sequences, or in groups of exactly three suits."""
    if not cards:
        return True
    first, others = cards[0], cards[1:]
    for size in range(2, len(others) + 1):
        for more in set(combinations(others, size)):
            if _meld((first, *more), high_ace):
                rest = list(others)
                for card in more:
                    rest.remove(card)
                if melds(tuple(rest), high_ace):
                    return True
    return False


def _meld(cards: tuple[Card, ...], high_ace: bool) -> bool:
    if len({card.rank for card in cards}) == 1:
        return len({card.suit for card in cards}) == 3
    if len({card.suit for card in cards}) > 1:
        return False
    places = sorted(ORDER.index(str(card.rank)) for card in cards)
    high = sorted(place or 13 for place in places)
    return any(
        row == list(range(row[0], row[0] + len(row)))
        for row in ([places, high] if high_ace else [places])
    )


@dataclass
class Referee:
    """The bets, then the hands, the pile, whose turn it is, and who is out."""

    game: PifPaf
    start: Start
    deal: Deal = field(init=False)
    wagers: Wagers | None = None
    hands: dict[int, list[Card]] = field(default_factory=dict)
    live: list[int] = field(default_factory=list)
    anted: bool = False
    pile: list[Card] = field(default_factory=list)
    stock: int = 104
    turn: int = 0
    drawn: bool = False
    threw: int | None = None
    """Who has discarded last, until the next card is drawn."""
    claims: set[int] = field(default_factory=set)
    out: int | None = None
    shown: list[Card] = field(default_factory=list)
    winner: int | None = None
    claimed: bool = False

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer, self.limits = self.start.dealer, self.start.limits
        self.counted = self.start.level is Level.AMOUNTS
        order = [*self.start.following(self.dealer), self.dealer]
        self.live = [seat for seat in order if self.start.stack(seat) != 0]
        self.deal = Deal(Counter({str(seat): 9 for seat in self.live}))
        self.hands = {seat: [] for seat in self.live}
        self.anted = not self.counted
        if len(self.live) == 1:
            self.winner = self.live[0]  # nobody to play with

    @property
    def ante(self) -> int:
        return self.limits[0] if self.limits else 1

    def after(self, seat: int) -> int:
        return next(other for other in self.start.following(seat) if other in self.live)

    def complete(self, cards: list[Card]) -> bool:
        return melds(tuple(sorted(cards, key=str)), self.game.high_ace)

    def finishing(self, cards: list[Card]) -> bool:
        """Whether ten cards are out with one discard, or without where the house allows it."""
        whole = self.game.ten_out and self.complete(cards)
        return whole or any(self.complete(_less(cards, card)) for card in set(cards))

    def allows(self, act: Act) -> bool | None:
        if self.winner is not None:
            return {Verb.CLEAR: True, Verb.SHOW: None}.get(act.verb, False)
        if self.counted and self.limits is None:
            return act.verb is Verb.LIMITS
        if not self.anted:
            return act.verb is Verb.ANTE and act.seat is None and act.amount in (None, self.ante)
        if not self.deal.done:
            return self.deal.allows(act)
        if self.wagers is not None and not self.wagers.over:
            return self.wagers.allows(act)
        if self.out is not None:
            return self.finishes(act, self.out)
        match act.verb:
            case Verb.DECLARE if act.words == ("claim",):
                return self.may_claim(act.seat)
            case Verb.DECLARE:
                return self.may_go_out(act.seat)
            case Verb.SHOW:
                return self.may_show(act)
            case Verb.SHUFFLE:
                return not (self.drawn or self.stock or self.claims) and bool(self.pile)
            case Verb.DRAW:
                return self.may_draw(act)
            case Verb.DISCARD:
                card = act.cards[0]
                mine = act.seat == self.turn and self.drawn and len(act.cards) == 1
                return mine and not act.down and card in self.hands[self.turn]
        return False

    def may_claim(self, seat: int | None) -> bool:
        if seat is None or self.threw is None or self.drawn or not self.pile:
            return False
        if seat == self.threw or seat in self.claims or seat not in self.live:
            return False
        return self.finishing([*self.hands[seat], self.pile[-1]])

    def may_go_out(self, seat: int | None) -> bool:
        if seat is None:
            return False
        if self.drawn and seat == self.turn:
            return self.finishing(self.hands[seat])
        return not self.drawn and seat == self.threw and self.complete(self.hands[seat])

    def may_show(self, act: Act) -> bool | None:
        seat = act.seat
        if seat is None or not self.may_go_out(seat):
            return False
        if Counter(act.cards) - Counter(self.hands[seat]):
            return False
        if self.game.ten_out and len(act.cards) == 10:
            return None
        return len(act.cards) == 9 and self.complete(list(act.cards))

    def may_draw(self, act: Act) -> bool:
        if self.drawn or len(act.cards) != 1:
            return False
        if self.claims:
            first = next(s for s in self.start.following(self.threw or 0) if s in self.claims)
            upcard = act.spot == "discards" and [*act.cards] == self.pile[-1:]
            return act.seat == first and upcard and not act.down
        if act.seat != self.turn:
            return False
        if act.spot == "stock":
            return self.stock > 0 and act.down
        return act.spot == "discards" and [*act.cards] == self.pile[-1:] and not act.down

    def finishes(self, act: Act, seat: int) -> bool | None:
        hand = self.hands[seat]
        if act.seat != seat or act.verb not in (Verb.DISCARD, Verb.SHOW):
            return False
        if act.verb is Verb.DISCARD:
            card = act.cards[0]
            if len(hand) < 10 or len(act.cards) != 1 or act.down or card not in hand:
                return False
            if card in self.shown and card not in _without(hand, self.shown):
                return None  # who has shown a hand thinks better of it
            return self.complete(_less(hand, card))
        if Counter(act.cards) - Counter(_without(hand, self.shown)):
            return False
        if len(hand) == 10 and self.game.ten_out and len(act.cards) == 10:
            return self.complete(hand) or None
        whole = len(act.cards) == 9 and not self.shown
        return whole and (self.complete(list(act.cards)) or None)

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.LIMITS:
                self.limits = act.numbers[0], act.numbers[1]
            case Verb.ANTE:
                self.anted = True
            case Verb.DEAL:
                self.deal.see(act)
                self.stock -= len(act.cards)
                self.hands[int(act.spot or "")] += act.cards
                if self.deal.done:
                    self.open()
            case Verb.SHUFFLE:
                self.stock, self.pile = len(self.pile), []
            case _ if self.wagers is not None and not self.wagers.over:
                self.bet(act, self.wagers)
            case _ if act.seat is not None:
                self.acted(act, act.seat)

    def open(self) -> None:
        """The betting, in which nobody puts in more than the ante for every player."""
        self.turn, bound = self.live[0], self.ante * len(self.live)
        total = bound if self.game.bound == "total" else PLENTY
        stacks = {seat: self.start.stack(seat) for seat in self.live}
        purse = {
            seat: total if chips is None else min(total, chips - self.paid_ante(seat))
            for seat, chips in stacks.items()
        }
        if not self.counted:
            purse, bound = {}, 1
        self.wagers = Wagers(self.live, self.ante, bound, purse, counted=self.counted)

    def paid_ante(self, seat: int) -> int:
        chips = self.start.stack(seat)
        return self.ante if chips is None else min(self.ante, chips)

    def bet(self, act: Act, wagers: Wagers) -> None:
        wagers.see(act)
        self.live = wagers.live
        if len(self.live) == 1:
            self.winner = self.live[0]
        self.turn = self.live[0]

    def acted(self, act: Act, seat: int) -> None:
        match act.verb:
            case Verb.DRAW:
                if self.claims:
                    self.out, self.claims = seat, set()
                self.drawn, self.threw = True, None
                self.hands[seat] += act.cards
                if act.spot == "stock":
                    self.stock -= 1
                else:
                    self.pile.pop()
            case Verb.DECLARE if act.words == ("claim",):
                self.claims.add(seat)
                self.claimed = True
            case Verb.DECLARE:
                self.out = seat
            case Verb.SHOW if self.winner is None:
                self.out, self.shown = seat, [*act.cards]
            case Verb.DISCARD:
                self.hands[seat].remove(act.card)
                self.pile.append(act.card)
                self.drawn, self.threw = False, seat
                self.turn = self.after(seat)
        if self.out is not None and len(self.shown) == len(self.hands[self.out]):
            self.winner = self.out

    def result(self) -> Counter[int]:
        """What was put in goes to the winner; side pots that the winner is not in are shared."""
        net = Counter[int]()
        if not self.counted or self.wagers is None:
            return net
        put = {seat: self.paid_ante(seat) + self.wagers.bets[seat] for seat in self.hands}
        for seat, chips in put.items():
            net[seat] -= chips
        for chips, among in pots(put, self.live):
            to = [self.winner] if self.winner in among else among
            for number, seat in enumerate(to):
                assert seat is not None
                net[seat] += chips // len(to) + (number < chips % len(to))
        net[max(put, key=lambda seat: put[seat])] -= net.total()  # what nobody has called
        return net

    def following(self) -> dict[str, Any]:
        return {"dealer": self.winner, "pot": 0, "limits": self.limits}


def _less(cards: list[Card], card: Card) -> list[Card]:
    return _without(cards, [card])


def _without(cards: list[Card], others: list[Card]) -> list[Card]:
    return list((Counter(cards) - Counter(others)).elements())


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands at a random table."""
    dice = random.Random(f"pif paf {seed}")
    game = PifPaf(
        bound=dice.choice(("total", "raise")),
        high_ace=dice.random() < 0.3,
        ten_out=dice.random() < 0.3,
    )
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = start_for(game, level, seats=dice.randint(3, 8))
    limits = dice.choice([(1, 20), (5, 5), None]) if level is Level.AMOUNTS else None
    start = start.having(dealer=dice.choice(start.seats), limits=limits)
    if level is Level.AMOUNTS and dice.random() < 0.5:
        stacks = tuple((seat, dice.choice((0, 3, 8, 20, 50))) for seat in start.seats)
        start = start.having(stacks=stacks) if sum(1 for one in stacks if one[1]) > 2 else start
    return match_refereed(game, start, lambda start: Referee(game, start), seed)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "folded" if referee.out is None else "claimed" if referee.claimed else "out"
    if any(act.verb is Verb.SHUFFLE for act in last.acts):
        yield "turned over"


@pytest.mark.parametrize("seeds", seeded(1, 60), ids=str)
def test_bets_turns_claims_and_the_pot_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 3 or len(seeds) < 60
