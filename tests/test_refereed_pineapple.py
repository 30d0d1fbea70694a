"""Pineapple and its variants followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.pineapple import Pineapple
from rules.start import Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereed_bets import Stacks, Wagers, pots, stays
from tests.refereeing import match_refereed, seeded

ORDER, SUITS = "23456789TJQKA", "CDHS"
LOWS = "A2345678"
Strength = tuple[int, tuple[int, ...]]
KINDS = {(2, 1): 1, (2, 2): 2, (3, 1): 3, (3, 2): 6, (4, 1): 7}
FLOP, TURN, RIVER = ("burn", "flop", "bet"), ("burn", "turn", "bet"), ("burn", "river", "bet")
BOARD = {"flop": 3, "turn": 4, "river": 5}


def five(cards: tuple[Card, ...]) -> Strength:
    """What five cards are worth."""
    counts = Counter(ORDER.index(str(card.rank)) for card in cards)
    groups = sorted(counts.items(), key=lambda one: (one[1], one[0]), reverse=True)
    ranks = tuple(rank for rank, _ in groups)
    if len(groups) < 5:
        return KINDS[groups[0][1], groups[1][1]], ranks
    flush = len({card.suit for card in cards}) == 1
    if ranks == (12, 3, 2, 1, 0):
        return (8 if flush else 4), (3,)
    if ranks[0] - ranks[4] == 4:
        return (8 if flush else 4), ranks[:1]
    return (5 if flush else 0), ranks


def best(cards: list[Card]) -> Strength:
    """The best five-card hand, using five of the cards available."""
    return max(map(five, combinations(cards, 5)))


def low(cards: list[Card]) -> tuple[int, ...]:
    """The five lowest ranks if they make an eight or better, compared from the highest down."""
    ranks = sorted({LOWS.index(str(card.rank)) for card in cards if str(card.rank) in LOWS})
    return tuple(ranks[4::-1]) if len(ranks) >= 5 else ()


@dataclass
class Referee:
    """The stage of the hand, the cards, the board, the bets and the pots."""

    game: Pineapple
    start: Start
    stage: int = 0
    hands: dict[int, list[Card]] = field(default_factory=dict)
    board: list[Card] = field(default_factory=list)
    shown: Counter[int] = field(default_factory=Counter)
    anted: set[int] = field(default_factory=set)
    burnt: bool = False
    rounds: int = 0
    stacks: Stacks = field(init=False)
    wagers: Wagers | None = None
    blinds: Counter[int] = field(default_factory=Counter)
    limits: tuple[int, int] | None = None
    over: bool = False

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer, self.limits = self.start.dealer, self.start.limits
        self.counted = self.start.level is Level.AMOUNTS
        order = [*self.start.following(self.dealer), self.dealer]
        self.stacks = Stacks.of(self.start, order)
        self.hands = {seat: [] for seat in order}
        away = ("discard",)
        streets = (*FLOP, *away) if self.game.discard == "flop" else (*away, *FLOP)
        self.stages = ("post", "deal", "bet", *streets, *TURN, *RIVER, "show")
        self.antes = self.game.forced != "blinds"
        if not self.counted:
            self.stage = 1
            self.posts()
        self.over = len(self.live) < 2 and not self.naming

    @property
    def live(self) -> list[int]:
        return self.stacks.live

    @property
    def naming(self) -> bool:
        return self.counted and self.limits is None

    @property
    def late(self) -> list[int]:
        """Who still holds a third card."""
        return [seat for seat in self.live if len(self.hands[seat]) > 2]

    def allows(self, act: Act) -> bool | None:
        if self.naming:
            return act.verb is Verb.LIMITS
        if self.over:
            return {Verb.CLEAR: True, Verb.SHOW: None}.get(act.verb, False)
        seat, stage = act.seat, self.stages[self.stage]
        own = seat in self.live and not Counter(act.cards) - Counter(self.hands[seat or 0])
        match stage:
            case "post":
                return self.posting(act)
            case "deal":
                return self.deals(act)
            case "bet":
                assert self.wagers is not None
                return self.wagers.allows(act)
            case "discard":
                if act.verb is Verb.BURN and self.game.third_card == "dead" and act.down:
                    return len(self.late) <= len(self.live) - 2 or None
                due = own and seat in self.late and act.down
                return act.verb is Verb.DISCARD and due and len(act.cards) == 1
            case "burn":
                return act.verb is Verb.BURN and act.down and len(act.cards) == 1
            case "show":
                fits = own and 0 < len(act.cards) <= 2 - self.shown[seat or 0]
                return act.verb is Verb.SHOW and fits and not act.down
        lacking = BOARD[stage] - len(self.board)
        fits = act.spot == "board" and not act.down and 0 < len(act.cards) <= lacking
        return act.verb is Verb.DEAL and fits

    def posting(self, act: Act) -> bool | None:
        """Antes by all at once or one by one; how blinds are announced is not stated."""
        if act.verb is not Verb.ANTE:
            return False
        if not self.antes:
            return True if act.seat is None and not act.numbers else None
        due = act.amount in (None, self.game.ante_chips)
        return due and act.seat not in self.anted and act.seat in (None, *self.live)

    def deals(self, act: Act) -> bool:
        if act.verb is not Verb.DEAL or not (act.spot or "").isdecimal() or not act.down:
            return False
        to = int(act.spot or "")
        return to in self.live and 0 < len(act.cards) <= 3 - len(self.hands[to])

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        seat = act.seat or 0
        match act.verb:
            case Verb.LIMITS:
                self.limits = act.numbers[0], act.numbers[1]
                self.over = len(self.live) < 2
            case Verb.ANTE:
                self.anted |= {act.seat} if act.seat else set(self.live)
            case Verb.DEAL:
                to = self.board if act.spot == "board" else self.hands[int(act.spot or "")]
                to.extend(act.cards)
            case Verb.DISCARD:
                self.hands[seat].remove(act.card)
            case Verb.BURN:
                dead = self.late if self.stages[self.stage] == "discard" else []
                self.stacks.live = [other for other in self.live if other not in dead]
                self.burnt = True
            case Verb.SHOW if not self.over:
                self.shown[seat] += len(act.cards)
            case _ if self.wagers is not None and not self.over:
                self.wagers.see(act)
        while not self.over and self.done():
            self.advance()

    def done(self) -> bool:
        """Whether this stage is complete."""
        stage = self.stages[self.stage]
        if stage in BOARD:
            return len(self.board) == BOARD[stage]
        match stage:
            case "post":
                return self.anted >= set(self.live)
            case "deal":
                return all(len(self.hands[seat]) == 3 for seat in self.live)
            case "bet":
                return self.wagers is not None and self.wagers.over
            case "discard":
                return not self.late
            case "burn":
                return self.burnt
        return all(self.shown[seat] == 2 for seat in self.live)

    def advance(self) -> None:
        if self.stages[self.stage] == "post":
            if self.antes:
                self.stacks.ante(self.game.ante_chips)
            self.posts()
        if self.stages[self.stage] == "bet" and self.wagers is not None:
            self.stacks.take(self.wagers)
            self.rounds += 1
        if len(self.live) == 1 or self.stage == len(self.stages) - 1:
            self.over = True
            return
        self.burnt = self.burnt and self.stages[self.stage] != "burn"
        self.stage, self.wagers = self.stage + 1, None
        if self.stages[self.stage] == "bet":
            self.opens()

    def posts(self) -> None:
        """The blinds left of the dealer; of two players the dealer posts the small one."""
        if self.game.forced == "ante":
            return
        first, second = self.live[:2] if len(self.live) > 2 else self.live[::-1]
        big = self.game.big_blind or (self.limits[0] if self.limits else 1)
        small = min(self.game.small_blind or max(1, big // 2), big)
        if not self.counted:  # only who posts is known, and whether both post alike
            alike = bool(self.game.big_blind or self.limits) and small == big
            self.blinds = Counter({first: 2 if alike else 1, second: 2})
            return
        left = self.stacks.left()
        for seat, chips in ((first, small), (second, big)):
            self.blinds[seat] = min(chips, left.get(seat, chips))

    def opens(self) -> None:
        """A round: fixed bets, the larger ones from the turn on, or any amount."""
        size = (self.limits or (1, 1))[self.rounds >= 2]
        blinds = self.rounds == 0 and self.game.forced != "ante"
        order = list(self.live)
        big = self.game.big_blind or (self.limits or (1, 1))[0]
        if blinds:
            last = list(self.blinds)[1]
            ring = [*self.start.following(last), last]
            order = [seat for seat in ring if seat in self.live]
        free = self.game.betting == "no-limit"
        least = 1 if not self.counted else big if free else size
        self.wagers = Wagers(
            order,
            least,
            None if free and self.counted else least,
            self.stacks.left() if self.counted else {},
            cap=None if free else self.game.raises + (0 if blinds else 1),
            bets=Counter(self.blinds) if blinds else Counter(),
            floor=big if blinds and self.counted else 0,
            counted=self.counted,
        )

    def winners(self, among: list[int]) -> list[list[int]]:
        """The best high hands of those in a pot, and the best lows if there are any."""
        if len(self.live) == 1:
            return [among]
        cards = {seat: self.hands[seat] + self.board for seat in among}
        highs = {seat: best(cards[seat]) for seat in among}
        found = [[seat for seat in among if highs[seat] == max(highs.values())]]
        lows = {seat: low(cards[seat]) for seat in among if low(cards[seat])}
        if self.game.low and lows:
            found.append([seat for seat in lows if lows[seat] == min(lows.values())])
        return found

    def served(self, winners: list[int]) -> list[int]:
        """The order in which odd chips are given."""
        if self.game.odd_chip == "left":
            return winners

        def highest(seat: int) -> tuple[int, int]:
            cards = self.hands[seat]
            return max((ORDER.index(str(c.rank)), SUITS.index(str(c.suit))) for c in cards)

        return sorted(winners, key=highest, reverse=True)

    def result(self) -> Counter[int]:
        net = Counter[int]()
        put = self.stacks.put
        if not self.counted:
            return net
        net.update({seat: -chips for seat, chips in put.items()})
        shared = [(chips, list(among)) for chips, among in pots(put, self.live)] if put else []
        back = put.total() - sum(chips for chips, _ in shared)
        if self.start.pot and self.live:
            first = shared.pop(0) if shared else (0, list(self.live))
            shared.insert(0, (first[0] + self.start.pot, first[1]))
        for chips, among in shared:
            won = self.winners(among)
            low_half = chips // 2 if len(won) == 2 else 0
            for half, winners in zip((chips - low_half, low_half), won, strict=False):
                for place, seat in enumerate(self.served(winners)):
                    net[seat] += half // len(winners) + (place < half % len(winners))
        if back:
            net[max(put, key=lambda seat: put[seat])] += back  # what nobody has called
        net[0] = -net.total()
        return net

    def following(self) -> dict[str, Any]:
        return {"dealer": self.start.after(self.dealer), "pot": 0, "limits": self.limits}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands at a random table."""
    dice = random.Random(f"pineapple {seed}")
    big = dice.choice((0, 0, 1, 2, 3))
    game = Pineapple(
        discard=dice.choice(("deal", "flop")),
        low=dice.random() < 0.5,
        betting=dice.choice(("limit", "limit", "no-limit")),
        raises=dice.choice((1, 3)),
        forced=dice.choice(("blinds", "blinds", "ante", "blinds-and-ante")),
        small_blind=dice.randint(0, big),
        big_blind=big,
        ante_chips=dice.choice((1, 2)),
        odd_chip=dice.choice(("left", "card")),
        third_card=dice.choice(("stop", "dead")),
    )
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = start_for(game, level, seats=dice.choice((2, 2, 3, 4, 6, 10)))
    more: dict[str, Any] = {"dealer": dice.choice(start.seats), "limits": None}
    if level is Level.AMOUNTS:
        more["limits"] = dice.choice([(2, 4), (5, 5), (3, 7), (1, 20), None])
        more["pot"] = dice.choice((0, 0, 3))
        if dice.random() < 0.7:
            more["stacks"] = tuple((s, dice.choice((1, 2, 5, 13, 40, 200))) for s in start.seats)
    start = start.having(**more)
    return match_refereed(game, start, lambda start: Referee(game, start), seed, temper=stays)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "showdown" if len(referee.live) > 1 else "folded"
    if len(referee.live) < 2:
        return
    shared = pots(referee.stacks.put, referee.live)
    if referee.counted and len(shared) > 1:
        yield "side pots"
    for _, among in shared:
        won = referee.winners(list(among))
        yield from ("low half",) * (len(won) > 1)
        yield from ("split",) * (len(won[0]) > 1)


@pytest.mark.parametrize("seeds", seeded(6, 150), ids=str)
def test_streets_bets_discards_and_pots_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) == 5 or len(seeds) < 150
