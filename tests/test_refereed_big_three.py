"""Big Three followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.big_three import BigThree
from rules.start import Direction, Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import Deal, match_refereed, seeded

ORDER = "456789TJQKA23"


def kind(cards: tuple[Card, ...]) -> tuple[int, int, int] | None:
    """How many of each rank, how many ranks in sequence, and the highest one; None if none."""
    ranks = Counter(ORDER.index(str(card.rank)) for card in cards)
    sizes, places = set(ranks.values()), sorted(ranks)
    if len(sizes) != 1:
        return None
    row = places == list(range(places[0], places[0] + len(places)))
    if len(places) > 1 and (len(places) < 3 or not row or places[-1] > ORDER.index("K")):
        return None
    return sizes.pop(), len(places), places[-1]


@dataclass
class Referee:
    """The bids, the hands and the combination to beat."""

    game: BigThree
    start: Start
    deal: Deal = field(init=False)
    hands: dict[int, list[Card]] = field(default_factory=dict)
    widow: list[Card] = field(default_factory=list)
    bids: dict[int, int] = field(default_factory=dict)
    turn: int | None = None
    opener: int | None = None
    out: set[int] = field(default_factory=set)
    best: tuple[int, int, int] | None = None
    leader: int | None = None
    lying: bool = False
    winner: int | None = None

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        self.hands = {seat: [] for seat in self.start.seats}
        self.deal = Deal(Counter({str(seat): 16 for seat in self.hands}))

    def after(self, seat: int) -> int:
        return self.start.after(seat, self.game.direction)

    @property
    def high(self) -> int:
        return max(self.bids.values(), default=0)

    @property
    def solo(self) -> int | None:
        """Who plays alone, once the bidding is over."""
        if self.high < 3 and (len(self.out) < 2 or not self.bids):
            return None
        return next(seat for seat, bid in self.bids.items() if bid == self.high)

    def lowest_heart(self) -> int:
        """Who holds the four of hearts, or the lowest one that anybody holds."""
        hearts = {
            ORDER.index(str(card.rank)): seat
            for seat, hand in self.hands.items()
            for card in hand
            if str(card.suit) == "H"
        }
        return hearts[min(hearts)]

    def allows(self, act: Act) -> bool | None:
        if self.winner is not None:
            return act.verb is Verb.CLEAR or (None if act.verb is Verb.GATHER else False)
        if not self.deal.done:
            return self.deal.allows(act)
        if len(self.widow) < 4 and self.turn is None:
            fits = act.spot == "widow" and act.down and len(act.cards) <= 4 - len(self.widow)
            return act.verb is Verb.DEAL and fits
        if self.solo is None:
            return self.bidding(act)
        if self.widow:
            fits = act.spot == "widow" and not Counter(act.cards) - Counter(self.widow)
            down = act.down is not self.game.open_widow
            return act.verb is Verb.DRAW and act.seat == self.solo and fits and down
        if act.verb is Verb.GATHER:
            return None if self.lying else False
        if act.seat != self.turn:
            return False
        if act.verb is Verb.PASS:
            return self.best is not None
        return act.verb is Verb.PLAY and self.beats(act)

    def bidding(self, act: Act) -> bool:
        seat = act.seat
        if seat != (self.turn or self.lowest_heart()):
            return False
        if act.verb is Verb.PASS:
            threes = sum(str(card.rank) == "3" for card in self.hands[seat or 0])
            return bool(self.bids) and not (self.game.must_bid and threes > 2)
        return act.verb is Verb.BID and self.high < (act.amount or 0) <= 3

    def beats(self, act: Act) -> bool:
        made = kind(act.cards)
        if act.down or made is None or Counter(act.cards) - Counter(self.hands[act.seat or 0]):
            return False
        return self.best is None or (made[:2] == self.best[:2] and made[2] > self.best[2])

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        seat = act.seat or 0
        match act.verb:
            case Verb.DEAL if act.spot == "widow":
                self.widow += act.cards
            case Verb.DEAL:
                self.deal.see(act)
                self.hands[int(act.spot or "")] += act.cards
            case Verb.BID | Verb.PASS if self.solo is None:
                if act.verb is Verb.BID:
                    self.bids[seat] = act.amount or 0
                    self.opener = self.opener or seat
                else:
                    self.out.add(seat)
                ring = self.start.following(seat, self.game.direction)
                self.turn = next((one for one in ring if one not in self.out), None)
                if self.high > 2 or len(self.out) > 1:
                    self.turn = self.opener
            case Verb.DRAW:
                self.hands[seat] += act.cards
                for card in act.cards:
                    self.widow.remove(card)
            case Verb.PLAY | Verb.PASS:
                if act.verb is Verb.PLAY:
                    self.best, self.leader, self.lying = kind(act.cards), seat, True
                    for card in act.cards:
                        self.hands[seat].remove(card)
                    self.winner = seat if not self.hands[seat] else None
                self.turn = self.after(seat)
                if self.turn == self.leader:
                    self.best = None
            case Verb.GATHER:
                self.lying = False

    def result(self) -> Counter[int]:
        net = Counter[int]()
        for seat in self.hands:
            if self.solo is not None and seat != self.solo:
                won = self.high if self.winner == self.solo else -self.high
                net[self.solo] += won
                net[seat] -= won
        return net

    def following(self) -> dict[str, Any]:
        return {"dealer": self.winner}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands at a random table."""
    dice = random.Random(f"big three {seed}")
    game = BigThree(
        direction=dice.choice((Direction.LEFT, Direction.RIGHT)),
        open_widow=dice.random() < 0.3,
        must_bid=dice.random() < 0.5,
    )
    start = start_for(game).having(dealer=dice.randint(1, 3))
    return match_refereed(game, start, lambda start: Referee(game, start), seed)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "alone" if referee.winner == referee.solo else "together"


@pytest.mark.parametrize("seeds", seeded(2, 100), ids=str)
def test_bids_combinations_and_payment_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) == 2 or len(seeds) < 100
