"""Ace-Deuce-Jack followed by a referee who knows the document's sentences alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.games.ace_deuce_jack import AceDeuceJack
from rules.start import Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import match_refereed, seeded

THREE = 3
"""Two cuts make three piles."""


@dataclass
class Referee:
    """The three piles, the bets, and who holds the bank for how long."""

    game: AceDeuceJack
    start: Start
    piles: dict[str, Card] = field(default_factory=dict)
    turned: set[str] = field(default_factory=set)
    bets: Counter[int] = field(default_factory=Counter)
    betting: set[int] = field(default_factory=set)
    """Who has bet, also where nobody counts how much."""
    closed: bool = False
    limits: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        assert self.start.banker is not None
        self.banker, self.limits = self.start.banker, self.start.limits
        self.counted = self.start.level is Level.AMOUNTS

    @property
    def over(self) -> bool:
        return len(self.turned) == THREE and self.closed

    @property
    def banks(self) -> bool:
        """Whether an ace, a two or a jack lies at the bottom of a pile."""
        return any(str(card.rank) in "A2J" for card in self.piles.values())

    def allows(self, act: Act) -> bool | None:
        if self.over:
            return act.verb is Verb.CLEAR
        if self.limits is None and self.counted:
            return act.verb is Verb.LIMITS
        if len(self.piles) < THREE:
            cut = act.verb is Verb.DEAL and act.down and len(act.cards) == 1
            return cut and act.spot not in self.piles
        if act.verb is Verb.TURN and not act.down:
            due = act.spot not in self.turned and self.piles.get(act.spot or "") == act.card
            if not self.closed:
                return False if len(self.betting) < len(self.start.seats) - 1 else None
            return due and len(act.cards) == 1
        if self.closed or act.verb not in (Verb.BET, Verb.CLOSE):
            return False
        return act.verb is Verb.CLOSE or self.bettable(act)

    def bettable(self, act: Act) -> bool:
        """One bet each, within the banker's limits and the player's chips."""
        if act.seat is None or act.seat == self.banker or act.seat in self.betting or act.cards:
            return False
        if not self.counted:
            return True
        assert self.limits is not None
        assert act.amount is not None
        stack = self.start.stack(act.seat)
        within = self.limits[0] <= act.amount <= self.limits[1]
        return within and (stack is None or act.amount <= stack)

    def stands(self, act: Act) -> bool:
        """Chips that lie there although they should not are a bet like any other."""
        return act.verb is Verb.BET and act.seat != self.banker and not self.over

    def see(self, act: Act) -> None:
        match act.verb:
            case Verb.LIMITS:
                self.limits = act.numbers[0], act.numbers[1]
            case Verb.DEAL if act.spot is not None:
                self.piles[act.spot] = act.card
            case Verb.BET if act.seat is not None:
                self.bets[act.seat] += act.amount or 0
                self.betting.add(act.seat)
            case Verb.CLOSE:
                self.closed = True
            case Verb.TURN if act.spot is not None:
                self.turned.add(act.spot)

    def result(self) -> Counter[int]:
        """The banker collects all bets, or pays each at even money."""
        net = Counter[int]()
        for seat, chips in self.bets.items():
            won = -chips if self.banks else chips
            net[seat] += won
            net[self.banker] -= won
        return net

    def following(self) -> dict[str, Any]:
        held = int(self.start.note("hands-held", "0")) + 1
        passes = held >= self.game.hands_a_bank
        return {
            "banker": self.start.after(self.banker) if passes else self.banker,
            "notes": () if passes else (("hands-held", str(held)),),
            "limits": self.limits,
        }


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Five hands at a random table."""
    dice = random.Random(f"ace-deuce-jack {seed}")
    game = AceDeuceJack(hands_a_bank=dice.choice((1, 2, 3)))
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = start_for(game, level, seats=dice.choice((2, 3, 5, 22)))
    more: dict[str, Any] = {"banker": dice.choice(start.seats)}
    if level is Level.AMOUNTS:
        more["limits"] = dice.choice([(1, 20), (2, 5), (5, 5), None])
        if dice.random() < 0.5:
            more["stacks"] = tuple((seat, dice.randint(0, 60)) for seat in start.seats)
    start = start.having(**more)
    return match_refereed(
        game, start, lambda start: Referee(game, start), seed, hands=5, temper=bets
    )


def bets(act: Act, state: State) -> bool:
    """Players who bet before the betting is closed, and now and then all of them."""
    return act.verb is not Verb.CLOSE or bool(len(state.acts) % 3)


def kinds(referee: Referee, last: State) -> Iterator[str]:
    """What happened in a hand."""
    yield "bank wins" if referee.banks else "bank pays"
    yield "some bet" if referee.betting else "nobody bets"
    passes = last.game.follow(last).banker != referee.banker
    yield "bank passes" if passes else "bank stays"


@pytest.mark.parametrize("seeds", seeded(4, 200), ids=str)
def test_bets_piles_payments_and_bank_are_the_document_s(seeds: range) -> None:
    seen = Counter(kind for seed in seeds for hand in hands(seed) for kind in kinds(*hand))
    assert len(seen) == 6 or len(seeds) < 200
