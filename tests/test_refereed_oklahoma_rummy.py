"""Oklahoma Rummy followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.oklahoma_rummy import OklahomaRummy
from rules.start import Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import Deal, match_refereed, seeded

ORDER = "A23456789TJQKA"
QUEEN = Card.parse("QS")


def value(card: Card) -> int:
    """The table under Ending the hand, for a card or for what a two stands for."""
    if card == QUEEN:
        return 50
    rank = str(card.rank)
    return 20 if rank == "A" else 10 if rank in "KQJT98" else 5


def in_hand(card: Card) -> int:
    return 100 if card == QUEEN else 20 if str(card.rank) == "2" else value(card)


def readings(meld: tuple[Card, ...], all_twos: bool) -> list[list[Card]]:
    """Each way to read three or four cards as a meld: what its twos stand for.

    Twos alone stand for nothing, which is one way.
    """
    plain = [card for card in meld if str(card.rank) != "2"]
    twos = len(meld) - len(plain)
    if not 3 <= len(meld) <= 4:
        return []
    if not plain:
        return [[]] if all_twos else []
    found: list[list[Card]] = []
    suits = {str(card.suit) for card in plain}
    if len({card.rank for card in plain}) == 1:
        alike = [Card.parse(f"{plain[0].rank}{suit}") for suit in "CDHS"]
        found += map(list, combinations_with_replacement(alike, twos))
    if len(suits) > 1:
        return found
    for first in range(len(ORDER) - len(meld) + 1):
        run = [Card.parse(f"{rank}{plain[0].suit}") for rank in ORDER[first : first + len(meld)]]
        if len(set(plain)) == len(plain) and set(plain) <= set(run):
            stands = [card for card in run if card not in plain]
            if not (QUEEN in stands and twos > 1):
                found.append(stands)
    return found


@dataclass
class Referee:
    """The hands, the melds, the pile and whose turn it is."""

    game: OklahomaRummy
    start: Start
    deal: Deal = field(init=False)
    hands: dict[int, list[Card]] = field(default_factory=dict)
    melds: dict[str, tuple[Card, ...]] = field(default_factory=dict)
    """By their places, such as ``2.meld-1``."""
    named: dict[str, Counter[Card]] = field(default_factory=dict)
    newest: str = ""
    pile: list[Card] = field(default_factory=list)
    stock: int = 0
    turn: int = 0
    drawn: bool = False
    idle: int = 0
    """Turns since somebody has melded."""
    renewed: bool = False
    """Whether the stock has been renewed since."""
    ended: bool = False
    out: int | None = None
    shown: Counter[int] = field(default_factory=Counter)
    """How many of their last cards players have shown."""

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        self.turn = self.start.after(self.dealer)
        self.deal = Deal(Counter({str(seat): 13 for seat in self.start.seats}), "discards")
        self.hands = {seat: [] for seat in self.start.seats}
        self.stock = 52 * self.game.packs

    def reads(self, meld: tuple[Card, ...], named: Counter[Card]) -> list[list[Card]]:
        every = readings(meld, self.game.all_twos)
        return [one for one in every if not named - Counter(one)]

    def allows(self, act: Act) -> bool | None:
        if not self.deal.done:
            return self.deal.allows(act)
        if self.ended:
            left = [seat for seat in self.hands if len(self.hands[seat]) > self.shown[seat]]
            if act.verb is Verb.SHOW and act.seat in left:
                covered = Counter(self.hands[act.seat])
                covered[QUEEN] -= self.shown[act.seat]
                return Counter(act.cards) == +covered
            return act.verb is Verb.CLEAR and not left
        if act.verb is Verb.SHUFFLE:
            return not self.drawn and not self.stock and len(self.pile) > 1
        if act.verb is Verb.END:
            return not self.drawn and not self.stock and len(self.pile) < 2
        if act.seat != self.turn or act.seat is None:
            return False
        if act.verb is Verb.DRAW:
            stock = act.spot == "stock" and self.stock > 0 and act.down and len(act.cards) == 1
            return not self.drawn and stock
        return self.drawing(act) if not self.drawn else self.melding(act, self.hands[act.seat])

    def drawing(self, act: Act) -> bool | None:
        """The pile, taken with a meld of the upcard and two cards from the hand."""
        if act.verb is not Verb.MELD or not self.pile or self.pile[-1] not in act.cards:
            return False
        rest = list(act.cards)
        rest.remove(self.pile[-1])
        if Counter(rest) - Counter(self.hands[self.turn]) or act.down:
            return False
        return bool(self.reads(act.cards, Counter())) and (len(act.cards) == 3 or None)

    def melding(self, act: Act, hand: list[Card]) -> bool | None:
        queens = all(card == QUEEN for card in hand)
        match act.verb:
            case Verb.DECLARE:
                return self.names(act)
            case Verb.PASS:
                return queens and self.shown[self.turn] == len(hand)
            case Verb.SHOW:
                left = len(hand) - self.shown[self.turn]
                return queens and len(act.cards) == left > 0 and set(act.cards) == {QUEEN}
        if act.down or Counter(act.cards) - Counter(hand):
            return False
        match act.verb:
            case Verb.DISCARD:
                return len(act.cards) == 1 and act.card != QUEEN
            case Verb.MELD:
                return bool(self.reads(act.cards, Counter()))
            case Verb.LAY:
                spot = act.spot or ""
                if not spot.startswith(f"{self.turn}.meld-") or spot not in self.melds:
                    return False
                grown = (*self.melds[spot], *act.cards)
                return bool(self.reads(grown, self.named.get(spot, Counter())))
        return False

    def names(self, act: Act) -> bool:
        """Whether the twos of the meld just laid may stand for these cards."""
        meld = self.melds.get(self.newest, ())
        twos = sum(str(card.rank) == "2" for card in meld)
        if not twos or twos == len(meld) or self.newest in self.named or act.down:
            return False
        return len(act.cards) == twos and bool(self.reads(meld, Counter(act.cards)))

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.DEAL:
                self.deal.see(act)
                self.stock -= len(act.cards)
                to = self.pile if act.spot == "discards" else self.hands[int(act.spot or "")]
                to.extend(act.cards)
            case Verb.SHUFFLE:
                self.stock, self.pile, self.renewed = len(self.pile) - 1, self.pile[-1:], True
            case Verb.END:
                self.ended = True
            case _ if act.seat is not None:
                self.acted(act, act.seat)
        no_stock = self.deal.done and not self.stock and not self.drawn
        stalled = self.renewed and self.idle >= 3 * len(self.hands)
        if no_stock and (stalled or self.game.stock_out == "end"):
            self.ended = True

    def acted(self, act: Act, seat: int) -> None:
        hand = self.hands[seat]
        match act.verb:
            case Verb.DRAW:
                self.stock, self.drawn = self.stock - 1, True
                hand += act.cards
            case Verb.DISCARD:
                hand.remove(act.card)
                self.pile.append(act.card)
                self.passes(seat)
            case Verb.SHOW:
                self.shown[seat] += len(act.cards)
                if not self.ended:
                    self.passes(seat)
            case Verb.PASS:
                self.passes(seat)
            case Verb.DECLARE:
                self.named[self.newest] = Counter(act.cards)
            case Verb.MELD | Verb.LAY:
                if not self.drawn:
                    hand += self.pile
                    self.pile, self.drawn = [], True
                places = (f"{seat}.meld-{number}" for number in range(1, 30))
                free = next(name for name in places if name not in self.melds)
                self.newest, self.idle, self.renewed = act.spot or free, 0, False
                self.melds[self.newest] = (*self.melds.get(self.newest, ()), *act.cards)
                for card in act.cards:
                    hand.remove(card)
        if not hand and act.verb in (Verb.MELD, Verb.LAY, Verb.DISCARD):
            self.ended, self.out = True, seat

    def passes(self, seat: int) -> None:
        self.turn, self.drawn, self.newest = self.start.after(seat), False, ""
        self.idle += 1

    def result(self) -> dict[int, int]:
        points = dict.fromkeys(self.hands, 0)
        for spot, meld in self.melds.items():
            seat = int(spot.split(".")[0])
            plain = [card for card in meld if str(card.rank) != "2"]
            every = self.reads(meld, self.named.get(spot, Counter()))
            best = max(sum(map(value, one)) for one in every)
            points[seat] += 25 * len(meld) if not plain else best + sum(map(value, plain))
        for seat, hand in self.hands.items():
            points[seat] += 100 if seat == self.out else -sum(map(in_hand, hand))
        return points

    def following(self) -> dict[str, Any]:
        totals = Counter(dict(self.start.scores))
        for seat, points in self.result().items():
            totals[seat] += points
        best = [seat for seat in self.hands if totals[seat] == max(totals.values())]
        won = len(best) == 1 and totals[best[0]] >= 1000
        scores = () if won else tuple(sorted(totals.items()))
        return {"dealer": self.start.after(self.dealer), "scores": scores}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands, early or late in a game."""
    dice = random.Random(f"oklahoma {seed}")
    game = OklahomaRummy(
        packs=dice.choice((2, 2, 3)),
        all_twos=dice.random() < 0.7,
        stock_out=dice.choice(("shuffle", "shuffle", "end")),
    )
    start = start_for(game, seats=dice.randint(2, 8 if game.packs == 3 else 7))
    start = start.having(
        dealer=dice.choice(start.seats),
        scores=tuple((seat, dice.choice((-100, 0, 450, 900))) for seat in start.seats),
    )
    return match_refereed(game, start, lambda start: Referee(game, start), seed)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "ended" if referee.out is None else "out"
    yield from ["named"] * len(referee.named)
    yield from ["twos" for meld in referee.melds.values() if {str(c.rank) for c in meld} == {"2"}]
    if any(act.verb is Verb.SHUFFLE for act in last.acts):
        yield "shuffled"
    if any(act.verb is Verb.PASS for act in last.acts):
        yield "kept queens"


@pytest.mark.parametrize("seeds", seeded(1, 60), ids=str)
def test_turns_melds_the_pile_and_scores_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 4 or len(seeds) < 60
