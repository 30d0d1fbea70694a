"""What hands are worth, against published counts and other projects' evaluators."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import comb
from typing import Any

import pytest

from rules.cards import SUITS, Card, Deck, Rank, parse_cards
from rules.poker.hands import (
    Kind,
    Scale,
    Strength,
    canadian,
    high,
    low,
    low_eight,
    two_cards,
    with_bug,
)
from rules.poker.sixes import Called, combination

DECK = Deck.standard()
PUBLISHED = {
    Kind.ROYAL_FLUSH: 4,
    Kind.STRAIGHT_FLUSH: 36,
    Kind.QUADS: 624,
    Kind.FULL_HOUSE: 3_744,
    Kind.FLUSH: 5_108,
    Kind.STRAIGHT: 10_200,
    Kind.TRIPS: 54_912,
    Kind.TWO_PAIR: 123_552,
    Kind.PAIR: 1_098_240,
    Kind.HIGH_CARD: 1_302_540,
}
"""Five cards of 52 (any textbook of combinatorics)."""
SOKO = PUBLISHED | {
    Kind.CANADIAN_FLUSH: 110_940,
    Kind.CANADIAN_STRAIGHT: 92_208,
    Kind.PAIR: 1_047_552,
    Kind.HIGH_CARD: 1_150_080,
}
BUG = {
    Kind.FIVE_OF_A_KIND: 1,
    Kind.ROYAL_FLUSH: 24,
    Kind.STRAIGHT_FLUSH: 180,
    Kind.QUADS: 828,
    Kind.FULL_HOUSE: 4_368,
    Kind.FLUSH: 7_804,
    Kind.STRAIGHT: 20_532,
    Kind.TRIPS: 63_360,
    Kind.TWO_PAIR: 138_600,
    Kind.PAIR: 1_215_024,
    Kind.HIGH_CARD: 1_418_964,
}
"""Five cards of 53 with a joker that is an ace or completes a straight or a flush."""


def counted(
    worth: Callable[[Sequence[Card]], Strength], deck: Iterable[Card], size: int
) -> dict[Kind, int]:
    return dict(Counter(worth(hand).kind for hand in combinations(deck, size)))


@pytest.mark.slow
def test_all_five_card_hands() -> None:
    assert counted(high, DECK, 5) == PUBLISHED


@pytest.mark.slow
def test_all_hands_of_soko() -> None:
    assert counted(canadian, DECK, 5) == SOKO


@pytest.mark.slow
def test_all_hands_with_the_bug() -> None:
    assert counted(with_bug, Deck.standard(jokers=1), 5) == BUG


def test_the_published_counts_are_all_hands() -> None:
    assert sum(PUBLISHED.values()) == sum(SOKO.values()) == comb(52, 5)
    assert sum(BUG.values()) == comb(53, 5)


def test_a_short_deck_is_counted_by_hand() -> None:
    """With nine to ace: 4 royals, 4 straight flushes, 6*20 quads, 6*4*5*6 full houses, …"""
    counts = counted(high, Deck.short("9"), 5)
    assert counts[Kind.ROYAL_FLUSH] == counts[Kind.STRAIGHT_FLUSH] == 4
    assert counts[Kind.QUADS] == 6 * 20
    assert counts[Kind.FULL_HOUSE] == 6 * 4 * 5 * 6
    assert counts[Kind.FLUSH] == 4 * 6 - 8
    assert counts[Kind.STRAIGHT] == 2 * 4**5 - 8
    assert counts[Kind.TRIPS] == 6 * 4 * comb(5, 2) * 16
    assert counts[Kind.TWO_PAIR] == comb(6, 2) * 36 * 16
    assert counts[Kind.PAIR] == 6 * 6 * comb(5, 3) * 64
    assert counts.get(Kind.HIGH_CARD, 0) == comb(24, 5) - sum(
        count for kind, count in counts.items() if kind is not Kind.HIGH_CARD
    )


def test_three_cards_in_front() -> None:
    assert counted(high, DECK, 3) == {Kind.TRIPS: 52, Kind.PAIR: 3_744, Kind.HIGH_CARD: 18_304}


def test_two_cards_fall_into_91_classes_and_tie_29_times_in_4165() -> None:
    classes = Counter(map(two_cards, combinations(DECK, 2)))
    assert len(classes) == 91
    assert Counter(classes.values()) == {6: 13, 16: 78}
    # A pair leaves one equal pair, two ranks leave nine hands that equal them.
    left = {6: 1, 16: 9}
    same = sum(count * left[count] for count in classes.values())
    assert Fraction(same, comb(52, 2) * comb(50, 2)) == Fraction(29, 4165)


def test_kinds_are_ordered_by_how_rare_they_are() -> None:
    ordered = sorted(PUBLISHED, key=lambda kind: -PUBLISHED[kind])
    assert all(one < other for one, other in pairwise(ordered))


@pytest.mark.parametrize(
    "hands",
    [
        # From the best down, each better than the next.
        ("AS KS QS JS TS", "KH QH JH TH 9H", "5C 4C 3C 2C AC", "AS AD AH AC 2D", "KS KD KH KC AD"),
        ("AS AD AH 2C 2D", "KS KD KH AC AD", "AS KS QS JS 9S", "AS KS QS JS 8S"),
        ("AS KD QS JS TS", "6C 5D 4C 3C 2C", "5C 4D 3C 2C AC", "AS AD AH 3C 2D"),
        ("AS AD 2C 2D KH", "AS AD 2C 2D QH", "KS KD QC QD AH", "AS AD 5C 4D 3H", "AS KD QC JD 9H"),
    ],
)
def test_hands_in_order(hands: tuple[str, ...]) -> None:
    worths = [high(parse_cards(hand)) for hand in hands]
    assert worths == sorted(worths, reverse=True)
    assert len(set(worths)) == len(worths)


def test_the_best_of_seven_is_the_best_of_all_fives() -> None:
    dice = random.Random(3)
    for size in (6, 7):
        for _ in range(40):
            cards = dice.sample(DECK.cards, size)
            assert high(cards) == max(map(high, combinations(cards, 5)))


def test_the_best_low_of_seven_is_the_best_of_all_fives() -> None:
    dice = random.Random(4)
    found = 0
    for _ in range(40):
        cards = dice.sample(DECK.cards, 7)
        fives = [low(five) for five in combinations(cards, 5)]
        best = max(worth for worth in fives)
        qualifies = best.kind == 0 and best.ranks[0] >= -8
        found += qualifies
        assert low_eight(cards) == (best if qualifies else None)
    assert found > 3


def test_suits_matter_only_for_flushes() -> None:
    dice = random.Random(5)
    for _ in range(100):
        cards = dice.sample(DECK.cards, 7)
        turned = dict(zip(SUITS, dice.sample(SUITS, 4), strict=True))
        assert high(cards) == high([Card(card.rank, turned[card.suit]) for card in cards])


def test_low_scales_name_their_best_hand() -> None:
    best = {
        Scale.ACE_TO_FIVE: "5C 4D 3H 2S AC",
        Scale.ACE_TO_SIX: "6C 4D 3H 2S AC",
        Scale.DEUCE_TO_SEVEN: "7C 5D 4H 3S 2C",
    }
    cards = [card for card in DECK if card.rank in tuple("A234567")]
    dice = random.Random(6)
    for scale, name in best.items():
        worth = low(parse_cards(name), scale)
        assert all(low(dice.sample(cards, 5), scale) <= worth for _ in range(100))


def test_lows_are_compared_from_the_top() -> None:
    hands = (
        *("5C 4D 3H 2S AC", "6C 4D 3H 2S AC", "6C 5D 3H 2S AC", "8C 7D 6H 5S 4C"),
        *("9C 4D 3H 2S AC", "KC QD JH TS 9C", "2C 2D AH 3S 4C", "AC AD 2H 3S 4C"),
        "2C 2D 3H 3S AC",
    )
    worths = [low(parse_cards(hand)) for hand in hands]
    assert worths[:6] == sorted(worths[:6], reverse=True)
    assert worths[7] > worths[6] > worths[8]


def test_canadian_hands() -> None:
    """Soko's own list: two pair, Canadian flush, Canadian straight, one pair."""
    hands = ("3S 3D 2C 2D 4H", "5S 3S 2S 7S 9D", "2S 3D 4C 5D 9H", "AS AD 9C 7D 4H")
    worths = [canadian(parse_cards(hand)) for hand in hands]
    assert worths == sorted(worths, reverse=True)
    assert canadian(parse_cards("AS KD QC JD 3H")).ranks == (14, 3)
    assert canadian(parse_cards("AS 2D 3C 4D KH")).ranks == (4, 13)
    assert canadian(parse_cards("AS 2D 3C 4D 4H")).kind is Kind.CANADIAN_STRAIGHT


def test_paiute_s_examples() -> None:
    """Denexa Games, "Paiute", winning combinations one to six (twos wild)."""
    named = {
        "9C 9D 9H 9S 2C": Called.FIVE_ALIKE,
        "AS KS QS JS TS": Called.ROYAL_FLUSH,
        "4S 5S 6S 7S 8S": Called.STRAIGHT_FLUSH,
        "8C 8D 8H 8S 4C 4D": Called.FOUR_TWO,
        "7C 7D 7H 3C 3D 3H": Called.THREE_THREE,
        "QC QD TC TD 6C 6D": Called.PAIUTE,
    }
    worths = []
    for hand, kind in named.items():
        made = combination(parse_cards(hand), Rank.TWO)
        assert made is not None
        assert made.kind is kind
        worths.append(made)
    assert worths == sorted(worths, reverse=True)
    assert combination(parse_cards("AS QS 9S 5S 3S"), Rank.TWO) is None
    assert combination(parse_cards("4S 5D 6S 7S 8S"), Rank.TWO) is None


@pytest.mark.slow
def test_a_wild_card_is_never_worse_than_any_card_in_its_place() -> None:
    dice = random.Random(8)
    plain = [card for card in DECK if card.rank is not Rank.TWO]
    worth = 0
    for _ in range(60):
        five = dice.sample(plain, 5)
        with_wild = combination([*five, Card.parse("2C")], Rank.TWO)
        for card in plain:
            instead = combination([*five, card], Rank.TWO) if card not in five else None
            if instead is not None and instead.kind is not Called.FIVE_ALIKE:
                worth += 1
                assert with_wild is not None
                assert with_wild >= instead
    assert worth > 5


# Other projects' evaluators, if installed.


def random_hands(count: int, size: int) -> list[list[Card]]:
    dice = random.Random(9)
    return [dice.sample(DECK.cards, size) for _ in range(count)]


def same_order(ours: list[Strength], theirs: list[int]) -> bool:
    """Whether both rank the same hands in the same order, ties included; theirs go best first."""
    pairs = sorted(zip(ours, (-other for other in theirs), strict=True))
    return all((a[0] < b[0]) == (a[1] < b[1]) for a, b in pairwise(pairs))


@cache
def treys_tables() -> Any:
    """treys' tables of all hands, which take a while to fill."""
    return pytest.importorskip("treys").Evaluator()


def treys_score(cards: list[Card]) -> int:
    worth, treys = treys_tables(), pytest.importorskip("treys")
    ids = [treys.Card.new(f"{card.rank}{card.suit.lower()}") for card in cards]
    score: int = worth.evaluate([], ids)
    return score


def phe_score(cards: list[Card]) -> int:
    phevaluator = pytest.importorskip("phevaluator")
    score: int = phevaluator.evaluate_cards(*(f"{c.rank}{c.suit.lower()}" for c in cards))
    return score


EVALUATORS = pytest.mark.parametrize("score", [treys_score, phe_score])


@EVALUATORS
@pytest.mark.parametrize("size", [5, 7])
def test_the_order_matches_another_evaluator(score: Callable[[list[Card]], int], size: int) -> None:
    hands = random_hands(400, size)
    assert same_order([high(hand) for hand in hands], [score(hand) for hand in hands])


@pytest.mark.slow
@EVALUATORS
def test_the_order_matches_another_evaluator_on_a_million_hands(
    score: Callable[[list[Card]], int],
) -> None:
    hands = random_hands(1_000_000, 7)
    assert same_order([high(hand) for hand in hands], [score(hand) for hand in hands])
