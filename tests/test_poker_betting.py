"""Betting rounds and pots, compared act by act with PokerKit if it is installed."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from rules.cards import Card
from rules.poker.betting import Round, Stakes
from rules.poker.hands import high
from rules.poker.pots import layered, split

HANDS = 40
MANY_HANDS = 3000
"""Hands in the quick run and in the slow one."""


# By hand: the situations discussed in rule books.


def test_the_big_blind_may_raise_when_everybody_has_called() -> None:
    round_ = Round.begin(Stakes(2), (3, 1, 2), bets={1: 1, 2: 2}).called(3).called(1)
    assert (round_.actor, round_.to_call(2)) == (2, 0)
    assert round_.raising(2) is not None
    assert round_.checked(2).actor is None


def test_a_raise_is_at_least_as_large_as_the_last_one() -> None:
    round_ = Round.begin(Stakes(2), (1, 2, 3)).raised_to(1, 10).raised_to(2, 35)
    assert round_.raising(3) == (60, 999_999_999)


def test_fixed_limit_allows_one_amount_and_three_raises() -> None:
    round_ = Round.begin(Stakes(4, 4, raises=4), (1, 2, 3))
    for seat, amount in ((1, 4), (2, 8), (3, 12), (1, 16)):
        assert round_.raising(seat) == (amount, amount)
        round_ = round_.raised_to(seat, amount)
    assert round_.raising(2) is None
    assert round_.called(2).called(3).actor is None


def test_an_all_in_raise_that_is_too_short_does_not_reopen_the_betting() -> None:
    round_ = Round.begin(Stakes(2), (1, 2, 3), purses={1: 100, 2: 15, 3: 100})
    round_ = round_.raised_to(1, 10).raised_to(2, 15).called(3)
    assert (round_.actor, round_.to_call(1), round_.raising(1)) == (1, 5, None)


def test_an_all_in_just_over_the_blind_does_not_reopen_the_betting() -> None:
    """Seat 3 has called two, seat 4 is all in for three: one chip is not a raise."""
    blinds, purses = {1: 1, 2: 2}, {1: 100, 2: 100, 3: 100, 4: 3}
    round_ = Round.begin(Stakes(2), (3, 4, 1, 2), purses=purses, bets=blinds)
    round_ = round_.called(3).raised_to(4, 3)
    assert (round_.raising(1), round_.called(1).raising(2)) == ((5, 100), (5, 100))
    assert round_.called(1).called(2).raising(3) is None
    assert round_.folded(1).raised_to(2, 5).raising(3) == (7, 100)


def test_who_has_checked_may_not_raise_an_all_in_below_the_minimum_bet() -> None:
    round_ = Round.begin(Stakes(2), (1, 2, 3), purses={1: 100, 2: 1, 3: 100})
    round_ = round_.checked(1).raised_to(2, 1)
    assert round_.raising(3) == (3, 100)
    assert round_.called(3).raising(1) is None


@pytest.mark.parametrize(("stack", "reopened"), [(5, False), (6, True), (7, True)])
def test_in_fixed_limit_betting_half_a_raise_reopens_it(stack: int, reopened: bool) -> None:
    round_ = Round.begin(Stakes(4, 4), (1, 2, 3), purses={1: 100, 2: stack, 3: 100})
    round_ = round_.raised_to(1, 4).raised_to(2, stack).called(3)
    assert round_.raising(1) == ((stack + 4, stack + 4) if reopened else None)


@pytest.mark.parametrize(("all_in", "raised"), [(3, 8), (5, 13), (7, 15)])
def test_in_fixed_limit_betting_less_than_half_a_bet_is_completed(all_in: int, raised: int) -> None:
    """Robert's Rules of Poker, all-in wagers: fold, call, or complete the wager to a full bet."""
    purses = {1: all_in, 2: 100, 3: 100}
    round_ = Round.begin(Stakes(8, 8, raises=2), (1, 2, 3), purses=purses).raised_to(1, all_in)
    assert round_.raising(2) == (raised, raised)
    completed = round_.raised_to(2, raised)
    assert completed.raising(3) == ((16, 16) if all_in == 3 else None), "no raise at the cap"


def test_of_two_short_all_ins_only_who_owes_a_full_raise_may_answer() -> None:
    """Seat 1 owes ten more, as much as its bet; seat 3 called the first of the two."""
    purses = {1: 100, 2: 15, 3: 100, 4: 20}
    round_ = Round.begin(Stakes(2), (1, 2, 3, 4), purses=purses)
    round_ = round_.raised_to(1, 10).raised_to(2, 15).called(3).raised_to(4, 20)
    assert round_.raising(1) == (30, 100)
    assert round_.called(1).raising(3) is None


def test_a_bring_in_is_completed_not_raised() -> None:
    round_ = Round.begin(Stakes(4, 8), (2, 3, 1), bring_in=2)
    assert round_.raising(2) == (2, 8)
    opened = round_.raised_to(2, 2)
    assert (opened.to_call(3), opened.raising(3)) == (2, (4, 8))
    assert opened.raised_to(3, 4).raising(1) == (8, 12)


def test_nobody_raises_if_no_one_can_call() -> None:
    round_ = Round.begin(Stakes(2), (1, 2), purses={1: 10, 2: 100}).raised_to(1, 10)
    assert round_.raising(2) is None
    assert round_.called(2).actor is None


def test_an_uncalled_bet_goes_back() -> None:
    pots = layered({1: 20, 2: 5, 3: 5}, live=(1,))
    assert pots.returned == ((1, 15),)
    assert [(pot.amount, pot.seats) for pot in pots.pots] == [(15, (1,))]


def test_a_carried_pot_belongs_to_the_main_pot() -> None:
    pots = layered({1: 5, 2: 5, 3: 2}, live=(1, 2, 3), carried=7)
    assert [(pot.amount, pot.seats) for pot in pots.pots] == [(13, (1, 2, 3)), (6, (1, 2))]


def test_chips_are_conserved_whoever_folds() -> None:
    dice = random.Random(1)
    for _ in range(500):
        put = {seat: dice.randint(0, 30) for seat in range(1, 7)}
        live = tuple(sorted(dice.sample(sorted(put), dice.randint(1, 6))))
        pots = layered(put, live, carried=3)
        assert pots.total + sum(chips for _, chips in pots.returned) == sum(put.values()) + 3
        assert all(set(pot.seats) <= set(live) for pot in pots.pots)


# Compared with another engine.


class Beside:
    """One hand played by PokerKit; each act is compared with what a `Round` allows.

    PokerKit measures an all-in only by the last raise, and in fixed-limit betting asks for all of
    it; so the two may differ about a player who has acted and owes less than a full bet. It also
    raises an all-in of less than half a fixed bet, which we complete; such a raise is not made.
    """

    def __init__(self, kit: Any, dice: random.Random, limit: bool, stud: bool) -> None:
        self.dice, self.limit, self.stud = dice, limit, stud
        seats = dice.randint(2, 6)
        self.stacks = tuple(dice.choice((3, 7, 15, 40, 200)) for _ in range(seats))
        self.kit = self._opened(kit)
        self.put = {i: self.stacks[i] - self.kit.stacks[i] for i in range(seats)}
        self.round = Round(Stakes(2), (), ())
        self.agreed: tuple[int, int] | None = None
        self.street: int | None = None

    def _opened(self, kit: Any) -> Any:
        automations = tuple(kit.Automation)
        if self.stud:
            game = kit.FixedLimitSevenCardStud
            return game.create_state(automations, True, 0, 1, 2, 4, self.stacks, len(self.stacks))
        blinds = (1, 2)
        if self.limit:
            return kit.FixedLimitTexasHoldem.create_state(
                automations, True, 0, blinds, 2, 4, self.stacks, len(self.stacks)
            )
        return kit.NoLimitTexasHoldem.create_state(
            automations, True, 0, blinds, 2, self.stacks, len(self.stacks)
        )

    def play(self) -> None:
        while self.kit.status:
            if self.kit.street_index != self.street:
                self._street()
            assert self.kit.actor_index == self.round.actor
            self._compare(self.kit.actor_index)
            self._act(self.kit.actor_index)
        if self.round.actor is None or len(self.round.players) == 1:
            self._collect()
        self._settle()

    def _street(self) -> None:
        if self.street is not None:
            assert self.round.actor is None
            self._collect()
        self.street = self.kit.street_index
        size = 4 if self._limited and self.street >= 2 else 2
        first = self.street == 0
        cap = self.kit.street.max_completion_betting_or_raising_count
        stakes = Stakes(size, size if self._limited else None, raises=cap)
        live = [i for i in self.kit.player_indices if self.kit.statuses[i]]
        opener = self.kit.opener_index
        order = sorted(live, key=lambda i: (i - opener) % len(self.stacks))
        bets = {i: chips for i, chips in enumerate(self.kit.bets) if chips}
        for seat, chips in bets.items():
            self.put[seat] -= chips
        purses = {i: self.kit.stacks[i] + self.kit.bets[i] for i in live}
        bring_in = 1 if self.stud and first else 0
        self.round = Round.begin(stakes, order, purses=purses, bets=bets, bring_in=bring_in)

    @property
    def _limited(self) -> bool:
        return self.limit or self.stud

    def _collect(self) -> None:
        for seat, chips in self.round.bets.items():
            self.put[seat] += chips
        self.round = Round(self.round.stakes, self.round.players, ())

    def _compare(self, seat: int) -> None:
        kit, mine = self.kit, self.round
        least = kit.min_completion_betting_or_raising_to_amount
        most = kit.max_completion_betting_or_raising_to_amount
        if mine.bring_in:
            assert not kit.can_check_or_call()
            return
        assert kit.checking_or_calling_amount == mine.to_call(seat)
        bounds = None if least is None else (least, most)
        self.agreed = bounds if mine.raising(seat) == bounds else None
        below = mine.high - mine.level
        if self._limited and below and 2 * below < mine.stakes.least:
            return
        if self.agreed != bounds or self.agreed != mine.raising(seat):
            assert None in (bounds, mine.raising(seat))
            assert seat in mine.acted
            assert 0 < mine.to_call(seat) < max(mine.step, mine.stakes.least)

    def _act(self, seat: int) -> None:
        if self.kit.can_post_bring_in():
            self.kit.post_bring_in()
            self.round = self.round.raised_to(seat, min(1, self.round.purse(seat)))
            return
        bounds, choice = self.agreed, self.dice.random()
        if bounds and choice < 0.4:
            amount = self.dice.choice((bounds[0], bounds[1], self.dice.randint(*bounds)))
            self.kit.complete_bet_or_raise_to(amount)
            self.round = self.round.raised_to(seat, amount)
        elif choice < 0.55 and self.round.to_call(seat):
            self.kit.fold()
            self.round = self.round.folded(seat)
        else:
            self.kit.check_or_call()
            self.round = self.round.called(seat)

    def _settle(self) -> None:
        won = dict.fromkeys(range(len(self.stacks)), 0)
        live = self.round.players
        pots = layered(self.put, live)
        for seat, chips in pots.returned:
            won[seat] += chips
        # Losers muck before PokerKit makes its pots, which merges pots won by the same players.
        shares = Counter[tuple[int, ...]]()
        for pot in pots.pots:
            best = max(self._worth(seat) for seat in pot.seats)
            shares[tuple(s for s in pot.seats if self._worth(s) == best)] += pot.amount or 0
        for winners, amount in shares.items():
            part, odd = divmod(amount, len(winners))
            for seat in winners:
                won[seat] += part
            won[min(winners)] += odd  # PokerKit gives all odd chips to the first, we one to each
        for seat, stack in enumerate(self.stacks):
            assert won[seat] - self.put[seat] == self.kit.stacks[seat] - stack

    def _worth(self, seat: int) -> Any:
        if len(self.round.players) == 1:
            return 0
        hole = self.hole[seat]
        board = [card for cards in self.kit.board_cards for card in cards]
        return high([Card.parse(repr(c)[0] + repr(c)[1].upper()) for c in (*hole, *board)])

    @property
    def hole(self) -> dict[int, list[Any]]:
        """All cards dealt to each player, including those folded unseen."""
        dealt: dict[int, list[Any]] = {i: [] for i in self.kit.player_indices}
        for one in self.kit.operations:
            if type(one).__name__ == "HoleDealing":
                dealt[one.player_index] += one.cards
        return dealt


SHAPES = pytest.mark.parametrize(("limit", "stud"), [(False, False), (True, False), (True, True)])


def play_beside(hands: int, limit: bool, stud: bool) -> None:
    kit = pytest.importorskip("pokerkit")
    random.seed(7)  # PokerKit shuffles with it
    dice = random.Random(7)
    for _ in range(hands):
        Beside(kit, dice, limit, stud).play()


@SHAPES
def test_the_same_acts_are_legal_as_with_another_engine(limit: bool, stud: bool) -> None:
    play_beside(HANDS, limit, stud)


@pytest.mark.slow
@SHAPES
def test_thousands_of_hands_against_another_engine(limit: bool, stud: bool) -> None:
    play_beside(MANY_HANDS, limit, stud)


def test_two_thousand_splits_leave_nothing_over() -> None:
    for amount, count in combinations(range(1, 64), 2):
        parts = split(amount, range(count))
        assert sum(parts.values()) == amount
        assert max(parts.values()) - min(parts.values()) <= 1
