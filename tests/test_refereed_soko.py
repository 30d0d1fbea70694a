"""Soko followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.soko import Soko
from rules.start import Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereed_bets import Stacks, Wagers, stays
from tests.refereeing import match_refereed, seeded

ORDER = "23456789TJQKA"
Strength = tuple[int, tuple[int, ...]]


def patterned(cards: list[Card]) -> Strength:
    """Cards of a rank, and the ranks from the largest group to the single cards."""
    ranks = Counter(ORDER.index(str(card.rank)) for card in cards)
    grouped = sorted(ranks.items(), key=lambda one: (one[1], one[0]), reverse=True)
    shape = [count for _, count in grouped][:2]
    kinds = {(4,): 8, (3, 2): 7, (3,): 4, (2, 2): 3, (2,): 0}
    kind = kinds.get(tuple(shape), kinds.get((shape[0],), -1))
    return kind, tuple(rank for rank, _ in grouped)


def run(ranks: list[int]) -> int | None:
    """The top of a sequence, the ace high or low; None if it is none."""
    low = sorted(rank if rank < 12 else -1 for rank in ranks)
    for row in (sorted(ranks), low):
        if row == list(range(row[0], row[0] + len(row))):
            return row[-1]
    return None


def strength(cards: list[Card], ties: str) -> Strength:
    """The list under Rank of Soko hands, as far as so many cards can make one."""
    ranks = [ORDER.index(str(card.rank)) for card in cards]
    suits = Counter(card.suit for card in cards)
    found = [patterned(cards)]
    if len(cards) == 5:
        top, flush = run(ranks), max(suits.values()) == 5
        if flush:
            found.append((6, tuple(sorted(ranks, reverse=True))))
        if top is not None:
            found.append((9 if flush else 5, (top,)))
    if len(cards) < 4:
        return found[0]
    for kicker in range(len(cards)) if len(cards) == 5 else (None,):
        four = [card for place, card in enumerate(cards) if place != kicker]
        own = sorted((ORDER.index(str(card.rank)) for card in four), reverse=True)
        rest = (ranks[kicker],) if kicker is not None else ()
        top = run(own)
        if len({card.suit for card in four}) == 1:
            found.append((2, (*own, *rest) if ties == "cards" else (own[0],)))
        if top is not None:
            found.append((1, (top, *rest) if ties == "cards" else (top,)))
    return max(found)


@dataclass
class Referee:
    """The antes, the cards, the rounds of betting and the pots."""

    game: Soko
    start: Start
    hands: dict[int, list[Card]] = field(default_factory=dict)
    stacks: Stacks = field(init=False)
    wagers: Wagers | None = None
    rounds: int = 0
    shown: set[int] = field(default_factory=set)
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
        if not self.counted:
            self.anted = set(order)
        self.over = len(self.live) < 2  # nobody to play with

    @property
    def live(self) -> list[int]:
        return self.stacks.live

    @property
    def wanted(self) -> int:
        """How many cards each has in this street, the first one face down."""
        return self.rounds + 2

    @property
    def dealing(self) -> bool:
        lacking = any(len(self.hands[seat]) < self.wanted for seat in self.live)
        return self.wagers is None and self.rounds < 4 and lacking

    def allows(self, act: Act) -> bool | None:
        if self.over:
            return {Verb.CLEAR: True, Verb.SHOW: None}.get(act.verb, False)
        if self.counted and self.limits is None:
            return act.verb is Verb.LIMITS
        if not self.anted >= set(self.live):
            due = act.verb is Verb.ANTE and act.amount in (None, self.game.ante_chips)
            return due and act.seat not in self.anted and act.seat in (None, *self.live)
        if self.dealing:
            return self.deals(act)
        if self.wagers is not None:
            return self.wagers.allows(act)
        hole = act.verb is Verb.SHOW and act.seat in self.live and act.seat not in self.shown
        return hole and list(act.cards) == self.hands[act.seat or 0][:1] and not act.down

    def deals(self, act: Act) -> bool | None:
        holes = all(self.hands[seat] for seat in self.live)
        hand = self.hands.get(int(act.spot or "0"), [])
        if act.verb is not Verb.DEAL or int(act.spot or "0") not in self.live:
            return False
        due = len(act.cards) == 1 and len(hand) < (self.wanted if holes else 1)
        return due and act.down is not holes

    def stands(self, act: Act) -> bool:
        return False

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.LIMITS:
                self.limits = act.numbers[0], act.numbers[1]
            case Verb.ANTE:
                self.anted |= {act.seat} if act.seat else set(self.live)
                if self.anted >= set(self.live):
                    self.stacks.ante(self.game.ante_chips)
            case Verb.DEAL:
                self.hands[int(act.spot or "")] += act.cards
                if not self.dealing:
                    self.opens()
            case Verb.SHOW if act.seat is not None and not self.over:
                self.shown.add(act.seat)
            case _ if self.wagers is not None and not self.over:
                self.wagers.see(act)
        if self.wagers is not None and self.wagers.over:
            self.stacks.take(self.wagers)
            self.wagers, self.rounds = None, self.rounds + 1
        last = self.rounds == 4 and self.shown >= set(self.live)
        self.over = self.over or last or (len(self.live) == 1 and bool(self.rounds))

    def opens(self) -> None:
        """A round, opened by the lowest hand in sight, and the first time with a bring-in."""
        seen = {seat: strength(self.hands[seat][1:], self.game.ties) for seat in self.live}
        if self.rounds < 3:
            seen = {seat: patterned(self.hands[seat][1:]) for seat in self.live}
        pick = max if self.rounds and self.game.first == "highest" else min
        opener = self.live.index(pick(self.live, key=lambda seat: seen[seat]))
        least, most = self.limits or (1, 1)
        doubled = self.rounds > 1 or (self.rounds == 1 and any(s[0] == 0 for s in seen.values()))
        if not self.counted:
            least, most, doubled = 1, 1, False
        self.wagers = Wagers(
            [*self.live[opener:], *self.live[:opener]],
            2 * least if doubled else least,
            2 * most if doubled else most,
            self.stacks.left() if self.counted else {},
            cap=self.game.raises + 1 if self.game.raises else None,
            bring_in=max(1, least // 2) if not self.rounds else 0,
            counted=self.counted,
        )

    def best(self, among: tuple[int, ...]) -> list[int]:
        if len(among) == 1:
            return list(among)
        worth = {seat: strength(self.hands[seat], self.game.ties) for seat in among}
        return [seat for seat in self.live if seat in among and worth[seat] == max(worth.values())]

    def result(self) -> Counter[int]:
        played = self.counted and self.stacks.put
        return self.stacks.settle(self.best) if played else Counter()

    def following(self) -> dict[str, Any]:
        return {"dealer": self.start.after(self.dealer), "pot": 0, "limits": self.limits}


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands at a random table."""
    dice = random.Random(f"soko {seed}")
    game = Soko(
        ante_chips=dice.choice((1, 2)),
        first=dice.choice(("lowest", "lowest", "highest")),
        ties=dice.choice(("cards", "top-card")),
        raises=dice.choice((0, 2)),
    )
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = start_for(game, level, seats=dice.randint(2, 8))
    limits = dice.choice([(2, 10), (5, 5), (1, 20), None]) if level is Level.AMOUNTS else None
    start = start.having(dealer=dice.choice(start.seats), limits=limits)
    if level is Level.AMOUNTS and dice.random() < 0.6:
        stacks = tuple((seat, dice.choice((1, 4, 13, 40, 200))) for seat in start.seats)
        start = start.having(stacks=stacks)
    return match_refereed(game, start, lambda start: Referee(game, start), seed, temper=stays)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "showdown" if len(referee.live) > 1 else "folded"
    for seat in referee.live if len(referee.live) > 1 else ():
        yield f"kind {strength(referee.hands[seat], 'cards')[0]}"


@pytest.mark.parametrize("seeds", seeded(3, 150), ids=str)
def test_bring_in_bets_and_showdown_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) >= 7 or len(seeds) < 150
