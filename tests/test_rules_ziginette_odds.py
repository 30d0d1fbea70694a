"""Ziginette's odds, by exact arithmetic over whole hands: no side has an edge."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rules.acts import Act
from rules.cards import Card, Rank
from rules.games.ziginette import ZiginetteState
from tests.test_rules_ziginette import DECK, OPENING, table


def left_in_deck(state: ZiginetteState) -> Counter[Rank]:
    ranks = Counter(card.rank for card in DECK)
    ranks.subtract(laid.card.rank for _, laid in state.table)
    return ranks


def unseen(state: ZiginetteState, rank: Rank) -> Card:
    out = {laid.card for _, laid in state.table}
    return next(card for card in DECK if card.rank is rank and card not in out)


def role(state: ZiginetteState, rank: Rank) -> str:
    if rank == state.own:
        return "banker"
    if rank in state.matched:
        return "dead"
    if any(bet.card.rank is rank for bet in state.bets):
        return "bet"
    return "board" if any(card.rank is rank for card in state.board) else "unseen"


def kind(state: ZiginetteState) -> tuple[tuple[str, int], ...]:
    """The parts of a state that matter if ranks differ only in their effects."""
    left = left_in_deck(state)
    return tuple(sorted((role(state, rank), left[rank]) for rank in left))


def drawn(state: ZiginetteState, rank: Rank) -> ZiginetteState:
    """The state after the next card is of `rank`, matched cards removed."""
    if not state.closed:
        state = state.play(Act.parse("close"))
    state = state.play(Act.parse(f"deal board {unseen(state, rank)}"))
    if state.removable and not state.ended:
        cards = " ".join(map(str, state.removable))
        state = state.play(Act.parse(f"take board {cards}"))
    return state


def expectation(state: ZiginetteState, known: dict[Any, Fraction]) -> Fraction:
    """What seat 2 wins on average with the bets that stand, if nobody bets any more."""
    if state.ended or not state.bets:
        return Fraction(state.settlement.net.get(2, 0))
    key = kind(state), state.settlement.net.get(2, 0)
    if key not in known:
        left = left_in_deck(state)
        ways = [(rank, count) for rank, count in left.items() if count]
        sums = sum((c * expectation(drawn(state, rank), known) for rank, c in ways), Fraction())
        known[key] = sums / left.total()
    return known[key]


@pytest.fixture(scope="module")
def known() -> dict[Any, Fraction]:
    """Results cached for positions reached in both tests with one bet."""
    return {}


def test_a_bet_on_an_opening_card_is_exactly_even(known: dict[Any, Fraction]) -> None:
    assert expectation(table(*OPENING, "2 bet 1 QS"), known) == 0


@pytest.mark.slow
def test_bets_are_exactly_even_whenever_they_are_placed(known: dict[Any, Fraction]) -> None:
    """Three cards of the bet's rank are left and three of the banker's, whatever has come."""
    moments, waiting = 0, [table(*OPENING)]
    seen = {kind(waiting[0])}
    while waiting:
        state = waiting.pop()
        for card in {role(state, c.rank): c for c in state.open_cards}.values():
            moments += 1
            assert expectation(state.play(Act.parse(f"2 bet 1 {card}")), known) == 0
        for rank, count in left_in_deck(state).items():
            after = drawn(state, rank) if count and not state.ended else state
            if not after.ended and kind(after) not in seen:
                seen.add(kind(after))
                waiting.append(after)
    assert moments > 300


@pytest.mark.slow
def test_two_bets_at_once_are_even_too() -> None:
    assert expectation(table(*OPENING, "2 bet 3 QS", "2 bet 1 5D"), {}) == 0


def test_a_playette_comes_in_55_of_247_deals() -> None:
    first = Card.parse("QS")
    others = [card for card in DECK if card != first]
    playettes = 0
    opened = table("deal board QS")
    for second in others:
        board = opened.play(Act.parse(f"deal board {second}"))
        for third in others:
            if third != second:
                state = board.play(Act.parse(f"deal banker {third}"))
                playettes += state.phase == "playette"
    assert Fraction(playettes, 39 * 38) == Fraction(55, 247)
