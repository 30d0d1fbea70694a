"""Ziginette followed by a referee who knows the document's sentences, and nothing of the engine."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.cards import Card, Rank
from rules.games.ziginette import Ziginette
from rules.start import Direction, Level, Start
from rules.state import State
from tests.play import start_for
from tests.refereeing import match_refereed, seeded


@dataclass
class Referee:
    """The board, the banker's card and the bets on the table."""

    game: Ziginette
    start: Start
    board: list[Card] = field(default_factory=list)
    own: Card | None = None
    gone: set[Rank] = field(default_factory=set)
    """The ranks that were matched: further cards of theirs are dead."""
    waste: list[Card] = field(default_factory=list)
    """Matched and dead cards that still lie there."""
    fresh: list[Card] = field(default_factory=list)
    """Board cards that nobody could bet on before the last draw."""
    bets: list[tuple[int, int, Rank]] = field(default_factory=list)
    net: Counter[int] = field(default_factory=Counter)
    taking: bool = False
    """Whether bets are taken."""
    over: str = ""
    passed: bool = False
    seen: Counter[Rank] = field(default_factory=Counter)
    """The cards that are not in the deck, or in the shoe."""
    limits: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        assert self.start.banker is not None
        self.banker, self.limits = self.start.banker, self.start.limits
        self.seen = Counter(sighted.card.rank for sighted in self.start.shoe)

    @property
    def left(self) -> int:
        return 40 - self.seen.total()

    @property
    def opening(self) -> list[Card]:
        return [*self.board, *([self.own] if self.own else [])]

    @property
    def playette(self) -> bool:
        ranks = {card.rank for card in self.opening}
        return len(ranks) < len(self.opening)

    @property
    def playing(self) -> bool:
        """Whether the three first cards lie and the hand goes on."""
        return self.own is not None and (bool(self.gone) or not self.playette) and not self.over

    def allows(self, act: Act) -> bool | None:
        if self.over:
            return self.finishing(act)
        if not self.playing:
            return self.dealing(act)
        if not self.left and not self.waste:
            return act.verb is Verb.END  # the shoe is empty, and bets go back
        match act.verb:
            case Verb.TAKE:
                there = act.spot == "board" and not Counter(act.cards) - Counter(self.waste)
                return bool(self.waste) and there
            case Verb.BET:
                return self.bettable(act) if not self.waste else None
            case Verb.CLOSE:
                return self.taking and not self.waste
            case Verb.END:
                return None if self.waste else not self.bets
            case Verb.DEAL if self.taking and not self.waste:
                return None  # the next card closes the betting: whether somebody says so or not
            case Verb.DEAL:
                assert self.own is not None
                place = act.spot == "board" or act.cards[0].rank is self.own.rank
                return not self.waste and place and len(act.cards) == 1
        return False

    def finishing(self, act: Act) -> bool | None:
        if act.verb is Verb.PASS:
            return self.over != "match" and act.seat == self.banker and not self.passed
        return None if act.verb is Verb.TAKE else act.verb is Verb.CLEAR

    def dealing(self, act: Act) -> bool | None:
        if act.verb is Verb.LIMITS:
            return not self.opening and (self.limits is None or None)
        if self.limits is None and self.start.level is Level.AMOUNTS:
            return False
        if act.verb is Verb.SHUFFLE:
            return self.playette
        if not self.left:
            return act.verb is Verb.END
        if act.verb is Verb.DEAL and act.spot == "board":
            return len(self.board) + len(act.cards) <= 2
        if act.verb is Verb.DEAL:
            return len(self.board) == 2 and self.own is None and len(act.cards) == 1
        return False

    def bettable(self, act: Act) -> bool:
        assert act.seat is not None
        if act.seat == self.banker or not self.taking or len(act.cards) != 1:
            return False
        able = self.board if self.game.late_bets else self.fresh
        if act.card not in able:
            return False
        if self.start.level is Level.WHO:
            return True
        assert act.amount is not None
        assert self.limits is not None
        stack = self.start.stack(act.seat)
        on_table = sum(chips for seat, chips, _ in self.bets if seat == act.seat)
        if stack is not None and act.amount > stack + self.net[act.seat] - on_table:
            return False
        before = sum(
            chips
            for seat, chips, rank in self.bets
            if seat == act.seat
            and (
                self.game.limits_per == "player"
                or (self.game.limits_per == "card" and rank is act.card.rank)
            )
        )
        return self.limits[0] <= before + act.amount <= self.limits[1]

    def stands(self, act: Act) -> bool:
        """A bet that is too late, too high or too low lies there like any other."""
        return act.verb is Verb.BET and act.card in self.board and self.playing

    def see(self, act: Act) -> None:
        self.seen.update(card.rank for card in act.cards if act.verb is Verb.DEAL)
        match act.verb:
            case Verb.LIMITS:
                self.limits = act.numbers[0], act.numbers[1]
            case Verb.SHUFFLE:
                self.seen.subtract(card.rank for card in self.opening)
                self.board, self.own = [], None
            case Verb.BET:
                assert act.seat is not None
                self.bets.append((act.seat, act.amount or 0, act.card.rank))
            case Verb.CLOSE:
                self.taking, self.fresh = False, []
            case Verb.TAKE if not self.over:
                for card in act.cards:
                    self.waste.remove(card)
                if not self.waste and not self.board:
                    self.over = "board"
            case Verb.END:
                self.over = "end"
            case Verb.PASS:
                self.passed = True
            case Verb.DEAL if self.playing:
                self.drawn(act.card)
            case Verb.DEAL if act.spot == "board":
                self.board += act.cards
            case Verb.DEAL:
                self.own = act.card
                self.taking, self.fresh = self.playing, list(self.board)

    def drawn(self, card: Card) -> None:
        assert self.own is not None
        if card.rank is self.own.rank:
            for seat, chips, _ in self.bets:
                self.paid(self.banker, seat, chips)
            self.over = "match"
            return
        matched = [other for other in self.board if other.rank is card.rank]
        if matched:
            lost = [bet for bet in self.bets if bet[2] is card.rank]
            self.bets = [bet for bet in self.bets if bet[2] is not card.rank]
            for seat, chips, _ in lost:
                self.paid(seat, self.banker, chips)
            self.paid(self.banker, 0, sum(chips for _, chips, _ in lost) * self.game.cut // 100)
            self.board.remove(matched[0])
            self.gone.add(card.rank)
        if matched or card.rank in self.gone:
            self.waste = [*matched, card]
        else:
            self.board.append(card)
            self.fresh.append(card)
        self.taking = self.game.late_bets or bool(self.fresh)

    def paid(self, payer: int, payee: int, chips: int) -> None:
        self.net[payer] -= chips
        self.net[payee] += chips

    def result(self) -> Counter[int]:
        return self.net

    def following(self) -> dict[str, Any]:
        moves = self.over == "match" or self.passed
        spent = len([count for count in self.seen.values() if count == 4]) > 7
        return {
            "banker": self.start.after(self.banker, Direction.RIGHT) if moves else self.banker,
            "limits": self.limits,
            **({"shoe": ()} if spent or not self.game.shoe else {}),
        }


def some_start(game: Ziginette, dice: random.Random, level: Level) -> Start:
    """Limits announced before or not, chips counted or not, any seat with the bank."""
    start = start_for(game, level, seats=dice.randint(2, 8))
    more: dict[str, Any] = {"banker": dice.choice(start.seats)}
    if level is Level.AMOUNTS:
        more["limits"] = dice.choice([(1, 20), (2, 5), (7, 7), None])
        if dice.random() < 0.5:
            more["stacks"] = tuple((seat, dice.randint(3, 60)) for seat in start.seats)
    return start.having(**more)


def hands(seed: int) -> Iterator[tuple[Referee, State]]:
    """Two hands at a random table, or six from one shoe."""
    dice = random.Random(f"ziginette {seed}")
    game = Ziginette(
        late_bets=dice.random() < 0.7,
        limits_per=dice.choice(("bet", "card", "player")),
        cut=dice.choice((0, 0, 10, 33)),
        shoe=dice.random() < 0.2,
    )
    level = dice.choice((Level.AMOUNTS, Level.AMOUNTS, Level.WHO))
    start = some_start(game, dice, level)
    return match_refereed(
        game, start, lambda start: Referee(game, start), seed, hands=6 if game.shoe else 2
    )


@pytest.mark.parametrize("seeds", seeded(4, 200), ids=str)
def test_board_bets_payments_and_bank_are_the_document_s(seeds: range) -> None:
    ends = Counter(referee.over for seed in seeds for referee, _ in hands(seed))
    assert len(ends) == 3 or len(seeds) < 200
