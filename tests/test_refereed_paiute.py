"""Paiute followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.paiute import Paiute
from rules.start import Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import Deal, match_refereed, seeded

ORDER = "23456789TJQKA"
PAIUTE, THREES, FOUR_TWO, STRAIGHT, ROYAL, FIVE = range(6)
Made = tuple[int, tuple[int, ...]]


def made(cards: list[Card], wild: str, game: Paiute) -> Made | None:
    """The best combination of five or six cards, by trying every one of them."""
    plain = [card for card in cards if str(card.rank) != wild]
    wilds = len(cards) - len(plain)
    ranks = Counter(ORDER.index(str(card.rank)) for card in plain)
    found: list[Made] = []
    for rank, count in ranks.items():
        literal = count == 4 and wilds > 0
        if literal or (game.five_alike == "any" and count + wilds > 4):
            found.append((FIVE, (rank,)))
    for suit in "CDHS":
        held = {ORDER.index(str(card.rank)) for card in plain if str(card.suit) == suit}
        for top in range(4, 13):
            if len(held & set(range(top - 4, top + 1))) + wilds > 4:
                found.append((ROYAL, ()) if top == 12 else (STRAIGHT, (top,)))
        if game.low_aces and len(held & {12, 0, 1, 2, 3}) + wilds > 4:
            found.append((STRAIGHT, (3,)))
    if len(cards) == 6:
        for kind, sizes in ((FOUR_TWO, (4, 2)), (THREES, (3, 3)), (PAIUTE, (2, 2, 2))):
            for chosen in permutations(range(13), len(sizes)):
                if kind != FOUR_TWO and list(chosen) != sorted(chosen, reverse=True):
                    continue
                wanted = Counter(dict(zip(chosen, sizes, strict=True)))
                if not ranks - wanted:
                    found.append((kind, chosen))
    return max(found, default=None)


@dataclass
class Referee:
    """The hands, the discards, whose turn it is and who has called with what."""

    game: Paiute
    start: Start
    deal: Deal = field(init=False)
    hands: dict[int, list[Card]] = field(default_factory=dict)
    laid: dict[int, list[Card]] = field(default_factory=dict)
    wild: str = ""
    pile: list[Card] = field(default_factory=list)
    stock: int = 52
    turn: int = 0
    turns: Counter[int] = field(default_factory=Counter)
    """How many turns each player has finished."""
    drew: bool = False
    taken: Card | None = None
    late: int | None = None
    """Who has discarded and may still call."""
    calling: int | None = None
    calls: list[tuple[int, Made]] = field(default_factory=list)
    anted: bool = False
    begun: bool = False
    """Whether the first discard has been turned up."""
    over: bool = False
    agreed: bool = False

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer = self.start.dealer
        self.order = [*self.start.following(self.dealer), self.dealer]
        self.turn = self.order[0]
        self.deal = Deal(Counter({str(seat): 5 for seat in self.order}), "wild")
        self.hands = {seat: [] for seat in self.order}
        self.counted = self.start.level is Level.AMOUNTS
        self.anted = not self.counted or not self.game.ante_chips

    def callable(self, seat: int, cards: list[Card]) -> bool:
        """Whether `seat` may call with these cards now."""
        best = made(cards, self.wild, self.game)
        if best is None:
            return False
        first = self.turns[seat] == (1 if seat == self.late else 0)
        reply = self.game.three_pairs == "reply" and bool(self.calls)
        if best[0] == PAIUTE and not first and not reply:
            return False
        if not self.calls:
            return True
        before = self.calls[-1][1]
        return best > before or (best == before and self.game.later_call == "equal")

    def allows(self, act: Act) -> bool | None:
        if not self.anted:
            return act.verb is Verb.ANTE and act.amount in (None, self.game.ante_chips)
        if not self.deal.done:
            return self.deal.allows(act)
        if not self.begun:
            turned = act.verb is Verb.DEAL and act.spot == "discards" and not act.down
            return turned and len(act.cards) == 1
        if act.verb is Verb.CALL:
            return self.may_call(act.seat)
        if self.over:
            return act.verb is Verb.CLEAR
        if act.verb is Verb.END:
            return None  # the table may always agree to stop
        if self.calling is not None:
            return self.showing(act, self.calling)
        if act.verb is Verb.SHUFFLE:
            return not self.drew and not self.stock
        if act.seat != self.turn:
            return False
        if act.verb is Verb.DRAW:
            return not self.drew and len(act.cards) == 1 and self.draws(act)
        if act.verb is not Verb.DISCARD or not self.drew or act.down or len(act.cards) != 1:
            return False
        return act.card in self.hands[self.turn] and act.card != self.taken

    def draws(self, act: Act) -> bool:
        if act.spot == "stock":
            return self.stock > 0 and act.down
        return act.spot == "discards" and [*act.cards] == self.pile[-1:] and not act.down

    def may_call(self, seat: int | None) -> bool:
        if seat is None or self.calling is not None:
            return False
        hand = self.hands[seat]
        if seat == self.late and not (self.drew and seat == self.turn):
            return self.callable(seat, hand)
        if seat != self.turn or not self.drew or self.over:
            return False
        others = combinations(hand, 5)
        return self.callable(seat, hand) or any(self.callable(seat, [*five]) for five in others)

    def showing(self, act: Act, seat: int) -> bool | None:
        """The caller lays the hand, with the sixth card or without."""
        hand = self.hands[seat]
        if act.verb is Verb.DISCARD and act.seat == seat:
            fits = len(act.cards) == 1 and act.card in hand and not act.down
            rest = [card for card in hand if card != act.cards[0]]
            whole = len(hand) == 6 and seat not in self.laid and act.card != self.taken
            return fits and whole and self.callable(seat, rest)
        if act.verb is not Verb.LAY or act.seat != seat:
            return False
        if act.spot != f"{seat}.called" or act.down or Counter(act.cards) - Counter(hand):
            return False
        return True if len(act.cards) == len(hand) else None

    def stands(self, act: Act) -> bool:
        """The card just taken, thrown back, lies there."""
        held = act.verb is Verb.DISCARD and act.seat == self.turn and not act.down
        usual = self.drew and self.calling is None and not self.over
        return held and usual and act.cards == (self.taken,)

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.ANTE:
                self.anted = True
            case Verb.DEAL if self.deal.done:
                self.pile, self.stock, self.begun = [act.card], self.stock - 1, True
            case Verb.DEAL:
                self.deal.see(act)
                self.stock -= len(act.cards)
                if act.spot == "wild":
                    self.wild = str(act.card.rank)
                else:
                    self.hands[int(act.spot or "")] += act.cards
            case Verb.SHUFFLE:
                self.stock, self.pile = len(self.pile) - 1, self.pile[-1:]
            case Verb.END:
                self.over, self.agreed = True, True
            case _ if act.seat is not None:
                self.acted(act, act.seat)

    def acted(self, act: Act, seat: int) -> None:
        hand = self.hands[seat]
        match act.verb:
            case Verb.DRAW:
                hand += act.cards
                self.drew, self.late = True, None
                if act.spot == "stock":
                    self.stock -= 1
                else:
                    self.taken = self.pile.pop()
            case Verb.CALL:
                if seat == self.late and not (self.drew and seat == self.turn):
                    self.turn, self.over = seat, False
                    self.turns[seat] -= 1
                self.calling, self.late = seat, None
            case Verb.DISCARD:
                hand.remove(act.card)
                self.pile.append(act.card)
                if self.calling is None:
                    self.passes(seat)
                    self.late = seat
            case Verb.LAY:
                for card in act.cards:
                    hand.remove(card)
                self.laid.setdefault(seat, []).extend(act.cards)
                if not hand:
                    best = made(self.laid[seat], self.wild, self.game)
                    assert best is not None
                    self.calls.append((seat, best))
                    self.passes(seat)

    def passes(self, seat: int) -> None:
        """The next player's turn; after a call the dealer's is the last."""
        self.turns[seat] += 1
        self.drew, self.taken, self.calling = False, None, None
        self.over = bool(self.calls) and seat == self.dealer
        self.turn = self.order[(self.order.index(seat) + 1) % len(self.order)]

    def result(self) -> Counter[int]:
        net = Counter[int]()
        if not self.counted:
            return net
        pot = self.start.pot + self.game.ante_chips * len(self.order)
        for seat in self.order:
            net[seat] -= self.game.ante_chips
        best = max((one for _, one in self.calls), default=None)
        winners = [seat for seat in self.order if (seat, best) in self.calls]
        for number, seat in enumerate(winners):
            net[seat] += pot // len(winners) + (number < pot % len(winners))
        net[0] = -sum(net.values())
        return net

    def following(self) -> dict[str, Any]:
        kept = self.start.pot + self.result()[0] if self.counted else 0
        return {"dealer": self.start.after(self.dealer), "pot": kept}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Three hands at a random table."""
    dice = random.Random(f"paiute {seed}")
    game = Paiute(
        ante_chips=dice.choice((0, 1, 3)),
        later_call=dice.choice(("equal", "better")),
        three_pairs=dice.choice(("first-turn", "reply")),
        five_alike=dice.choice(("four", "any")),
        low_aces=dice.random() < 0.3,
    )
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = start_for(game, level, seats=dice.randint(2, 5))
    start = start.having(dealer=dice.choice(start.seats))
    temper = (eager, patient)[seed % 2]
    return match_refereed(
        game, start, lambda start: Referee(game, start), seed, hands=3, temper=temper
    )


def eager(act: Act, state: State) -> bool:
    """Players who collect cards of a rank, and call as soon as they can."""
    return act.verb in (Verb.CALL, Verb.LAY) or _collects(act, state)


def patient(act: Act, state: State) -> bool:
    """Players who collect cards of a rank, and let a call wait."""
    return act.verb is Verb.LAY or _collects(act, state)


def _collects(act: Act, state: State) -> bool:
    """Whether pairs and wild cards are kept, and any that are seen are taken."""
    wild = state.table.cards("wild")
    held = state.table.cards(str(act.seat)) if act.seat else ()
    if act.verb not in (Verb.DRAW, Verb.DISCARD) or not wild:
        return act.verb in (Verb.ANTE, Verb.DEAL, Verb.SHUFFLE)
    ranks = Counter(card.rank for card in held)
    wanted = act.card.rank is wild[0].rank or ranks[act.card.rank] > (act.verb is Verb.DISCARD)
    upcard = state.table.cards("discards")[-1:]
    taken = any(one.rank in ranks or one.rank is wild[0].rank for one in upcard)
    if act.verb is Verb.DRAW:
        return wanted if act.spot == "discards" else not taken
    return not wanted


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield f"{min(len(referee.calls), 3)} called"
    yield from (f"kind {one[0]}" for _, one in referee.calls)


@pytest.mark.parametrize("seeds", seeded(2, 150), ids=str)
def test_turns_calls_and_the_pot_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 6 or len(seeds) < 150
