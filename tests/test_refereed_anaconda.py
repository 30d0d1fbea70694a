"""Anaconda followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.anaconda import Anaconda
from rules.start import Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereed_bets import Stacks, Wagers, pots, stays
from tests.refereeing import match_refereed, seeded

ORDER = "23456789TJQKA"
Strength = tuple[int, tuple[int, ...]]
BET, PASS = "bet", "pass"
STAGES = ("ante", "deal", BET, PASS, BET, PASS, BET, "declare", "discard", "show", BET, "fifth")
"""What follows what under Game play."""


def grouped(cards: list[Card], ace_low: bool = False) -> tuple[list[int], tuple[int, ...]]:
    """The sizes of the groups of a rank, and the ranks, the largest group first."""
    order = "A23456789TJQK" if ace_low else ORDER
    counts = Counter(order.index(str(card.rank)) for card in cards)
    ranks = sorted(counts.items(), key=lambda one: (one[1], one[0]), reverse=True)
    return [count for _, count in ranks], tuple(rank for rank, _ in ranks)


KINDS = {(1,): 0, (2, 1): 1, (2, 2): 2, (3, 1): 3, (3, 2): 6, (4, 1): 7}


def high(cards: list[Card], wheel: bool = True) -> Strength:
    sizes, ranks = grouped(cards)
    kind = KINDS[(1,) if sizes[0] == 1 else (sizes[0], sizes[1])]
    if kind:
        return kind, ranks
    flush = len({card.suit for card in cards}) == 1
    if wheel and ranks == (12, 3, 2, 1, 0):
        return (8 if flush else 4), (3,)
    if ranks[0] - ranks[4] == 4:
        return (8 if flush else 4), (ranks[0],)
    return (5 if flush else 0), ranks


def low(cards: list[Card], scale: str) -> Strength:
    """The lower, the better: straights and flushes count only where the scale says so."""
    if scale == "deuce-to-seven":
        return high(cards, wheel=False)
    sizes, ranks = grouped(cards, ace_low=True)
    kind = KINDS[(1,) if sizes[0] == 1 else (sizes[0], sizes[1])]
    if scale == "ace-to-six" and not kind:
        flush = len({card.suit for card in cards}) == 1
        straight = ranks[0] - ranks[4] == 4  # the ace is low, so it ends no sequence
        kind = 8 if flush and straight else 5 if flush else 4 if straight else 0
    return kind, ranks


@dataclass
class Referee:
    """The stage of the hand, the cards, the bets and the halves that are played for."""

    game: Anaconda
    start: Start
    stage: int = 0
    hands: dict[int, list[Card]] = field(default_factory=dict)
    aside: dict[int, list[Card]] = field(default_factory=dict)
    passed: set[int] = field(default_factory=set)
    shown: dict[int, list[Card]] = field(default_factory=dict)
    sides: dict[int, str] = field(default_factory=dict)
    stacks: Stacks = field(init=False)
    wagers: Wagers | None = None
    anted: set[int] = field(default_factory=set)
    limits: tuple[int, int] | None = None
    over: bool = False

    def __post_init__(self) -> None:
        assert self.start.dealer is not None
        self.dealer, self.limits = self.start.dealer, self.start.limits
        self.counted = self.start.level is Level.AMOUNTS
        order = [*self.start.following(self.dealer), self.dealer]
        self.stacks = Stacks.of(self.start, order)
        self.hands = {seat: [] for seat in order}
        self.aside = {seat: [] for seat in order}
        self.shown = {seat: [] for seat in order}
        self.over = len(self.live) < 2
        if not self.counted:
            self.stage = 1

    @property
    def live(self) -> list[int]:
        return self.stacks.live

    def allows(self, act: Act) -> bool | None:
        if self.over:
            return {Verb.CLEAR: True, Verb.SHOW: None}.get(act.verb, False)
        if self.counted and self.limits is None:
            return act.verb is Verb.LIMITS
        seat, hand = act.seat, self.hands.get(act.seat or 0, [])
        held = seat in self.live and not Counter(act.cards) - Counter(hand)
        match STAGES[self.stage]:
            case "ante":
                due = act.verb is Verb.ANTE and act.amount in (None, self.game.ante_chips)
                return due and act.seat not in self.anted and act.seat in (None, *self.live)
            case "deal":
                to = self.hands.get(int(act.spot or "0") if (act.spot or "").isdecimal() else 0)
                fits = to is not None and act.down and 0 < len(act.cards) <= 7 - len(to)
                return act.verb is Verb.DEAL and fits and int(act.spot or "0") in self.live
            case "bet":
                assert self.wagers is not None
                return self.wagers.allows(act)
            case "pass":
                return self.passes(act)
            case "declare":
                able = seat in self.live and seat not in self.sides
                able = able and (act.words != ("both",) or self.game.both_ways)
                return act.verb is Verb.DECLARE and able
            case "discard":
                fits = held and act.down and 0 < len(act.cards) <= len(hand) - 5
                return act.verb is Verb.DISCARD and fits
        assert seat is None or seat in self.hands
        most = 4 if STAGES[self.stage] == "show" else 5
        fits = held and act.spot == f"{seat}.shown" and not act.down
        lacking = most - len(self.shown.get(seat or 0, []))
        return act.verb is Verb.LAY and fits and 0 < len(act.cards) <= lacking

    def passes(self, act: Act) -> bool | None:
        """Three cards set aside by everybody, and then passed on together."""
        choosing = [seat for seat in self.live if len(self.aside[seat]) < 3]
        if choosing and not self.passed:
            hand, seat = Counter(self.hands.get(act.seat or 0, [])), act.seat
            fits = act.spot == f"{seat}.pass" and act.down and not Counter(act.cards) - hand
            due = 3 - len(self.aside[seat]) if seat in choosing else 0
            return act.verb is Verb.LAY and fits and len(act.cards) <= due
        if act.verb is not Verb.MOVE or not act.spot or not act.spot.endswith(".pass"):
            return False
        owner = int(act.spot.split(".")[0])
        if owner not in self.live or act.to != str(self.heir(owner)) or not act.down:
            return False
        return bool(self.aside[owner]) and not Counter(act.cards) - Counter(self.aside[owner])

    def heir(self, seat: int) -> int:
        """The first active player to the left, or the second to the right."""
        place, count = self.live.index(seat), len(self.live)
        if self.stage == STAGES.index("pass"):
            return self.live[(place + 1) % count]
        return self.live[(place - 2) % count] if count > 2 else self.live[1 - place]

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        seat = act.seat or 0
        match act.verb:
            case Verb.LIMITS:
                self.limits = act.numbers[0], act.numbers[1]
            case Verb.ANTE:
                self.anted |= {act.seat} if act.seat else set(self.live)
            case Verb.DEAL:
                self.hands[int(act.spot or "")] += act.cards
            case Verb.LAY:
                to = self.aside if (act.spot or "").endswith("pass") else self.shown
                to[seat] += act.cards
                self.gives(seat, act)
            case Verb.MOVE:
                owner = int((act.spot or "").split(".")[0])
                self.passed.add(owner)
                for card in act.cards:
                    self.aside[owner].remove(card)
                self.hands[int(act.to or "")] += act.cards
            case Verb.DECLARE:
                self.sides[seat] = act.words[0]
            case Verb.DISCARD:
                self.gives(seat, act)
            case _ if self.wagers is not None and not self.over:
                self.wagers.see(act)
        while not self.over and self.done():
            self.advance()

    def gives(self, seat: int, act: Act) -> None:
        for card in act.cards:
            self.hands[seat].remove(card)

    def done(self) -> bool:
        """Whether this stage is complete."""
        match STAGES[self.stage]:
            case "ante":
                return self.anted >= set(self.live)
            case "deal":
                return all(len(self.hands[seat]) == 7 for seat in self.live)
            case "bet":
                return self.wagers is not None and self.wagers.over
            case "pass":
                return self.passed >= set(self.live) and not any(self.aside.values())
            case "declare":
                return self.sides.keys() >= set(self.live)
            case "discard":
                return all(len(self.hands[seat]) == 5 for seat in self.live)
        wanted = 4 if STAGES[self.stage] == "show" else 5
        return all(len(self.shown[seat]) == wanted for seat in self.live)

    def advance(self) -> None:
        if STAGES[self.stage] == "ante":
            self.stacks.ante(self.game.ante_chips)
        if STAGES[self.stage] == "bet" and self.wagers is not None:
            self.stacks.take(self.wagers)
        if len(self.live) == 1 or self.stage == len(STAGES) - 1:
            self.over = True
            return
        self.stage, self.passed, self.wagers = self.stage + 1, set(), None
        if STAGES[self.stage] == "bet":
            least, most = self.limits or (1, 1)
            least, most = (least, most) if self.counted else (1, 1)
            cap = self.game.raises + 1 if self.game.raises else None
            purse = self.stacks.left() if self.counted else {}
            self.wagers = Wagers(self.live, least, most, purse, cap=cap, counted=self.counted)

    def halves(self, among: tuple[int, ...]) -> list[list[int]]:
        """Who wins the high and the low half, among those in a pot."""
        if len(self.live) == 1:
            return [self.live]
        highs = [seat for seat in self.live if self.sides[seat] in ("high", "both")]
        lows = [seat for seat in self.live if self.sides[seat] in ("low", "both")]
        top = {seat: high(self.shown[seat]) for seat in highs}
        bottom = {seat: low(self.shown[seat], self.game.low) for seat in lows}
        best = [[s for s in highs if top[s] == max(top.values())],
                [s for s in lows if bottom[s] == min(bottom.values())]]  # fmt: skip
        failed = {s for s in self.live if self.sides[s] == "both" and best != [[s], [s]]}
        found = []
        for players, worth, sign in ((highs, top, 1), (lows, bottom, -1)):
            able = [seat for seat in players if seat in among and seat not in failed]
            if able:
                mark = (max if sign > 0 else min)(worth[seat] for seat in able)
                found.append([seat for seat in able if worth[seat] == mark])
        return found

    def result(self) -> Counter[int]:
        net = Counter[int]()
        if not self.counted:
            return net
        put = self.stacks.put
        net.update({seat: -chips for seat, chips in put.items()})
        shared = pots(put, self.live) if put else []
        in_pots = sum(chips for chips, _ in shared)
        if self.start.pot and self.live:  # also to the only one who has chips left
            main = shared[0] if shared else (0, tuple(self.live))
            shared[:1] = [(main[0] + self.start.pot, main[1])]
        for chips, among in shared:
            halves = self.halves(among)
            for winners in halves:
                part = chips // len(halves) // len(winners)
                for seat in winners:
                    net[seat] += part
        if put:
            most = max(put, key=lambda seat: put[seat])
            net[most] += put.total() - in_pots  # what nobody has called goes back
        net[0] = -net.total()
        return net

    def following(self) -> dict[str, Any]:
        pot = self.start.pot + self.result()[0] if self.counted else 0
        return {"dealer": self.start.after(self.dealer), "pot": pot, "limits": self.limits}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands at a random table."""
    dice = random.Random(f"anaconda {seed}")
    game = Anaconda(
        ante_chips=dice.choice((1, 3)),
        low=dice.choice(("ace-to-five", "ace-to-six", "deuce-to-seven")),
        both_ways=dice.random() < 0.5,
        raises=dice.choice((0, 1, 3)),
    )
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = start_for(game, level, seats=dice.randint(2, 7))
    limits = dice.choice([(2, 10), (5, 5), None]) if level is Level.AMOUNTS else None
    pot = dice.choice((0, 0, 3)) if level is Level.AMOUNTS else 0
    start = start.having(dealer=dice.choice(start.seats), limits=limits, pot=pot)
    if level is Level.AMOUNTS and dice.random() < 0.6:
        stacks = tuple((seat, dice.choice((1, 4, 13, 40, 200))) for seat in start.seats)
        start = start.having(stacks=stacks)
    return match_refereed(game, start, lambda start: Referee(game, start), seed, temper=stays)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "showdown" if len(referee.live) > 1 else "folded"
    yield from set(referee.sides.values())


@pytest.mark.parametrize("seeds", seeded(3, 100), ids=str)
def test_passes_halves_and_pots_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 5 or len(seeds) < 100
