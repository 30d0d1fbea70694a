"""The meld arranger against a solver written straight from the rule sheets' sentences."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest

from rules.cards import Card, Deck, Rank, parse_cards
from rules.melds.arranging import MeldRules, Suits, arrange, pips

ORDER = "A23456789TJQK"
PANS = "A234567JQK"
Judge = Callable[[Sequence[Card]], bool]


def in_sequence(cards: Sequence[Card], order: str, wilds: int = 0) -> bool:
    """Whether one suit's cards, with `wilds` to fill gaps, form a sequence."""
    places = sorted(order.index(card.rank) for card in cards)
    if len({card.suit for card in cards}) != 1 or len(set(places)) < len(places):
        return False
    return places[-1] - places[0] + 1 <= len(places) + wilds <= len(order)


def three_thirteen(cards: Sequence[Card]) -> bool:
    """Three or more of a kind, or a run of one suit; threes stand for anything."""
    plain = [card for card in cards if card.rank is not Rank.THREE]
    if len(cards) < 3:
        return False
    same = len({card.rank for card in plain}) <= 1
    return same or in_sequence(plain, ORDER, len(cards) - len(plain))


def pif_paf(cards: Sequence[Card]) -> bool:
    """Three or more in sequence and suit, or of a kind in exactly three suits."""
    if len(cards) < 3:
        return False
    group = len({c.rank for c in cards}) == 1 and len({c.suit for c in cards}) == 3
    return group or in_sequence(cards, ORDER)


def panguingue(cards: Sequence[Card]) -> bool:
    """Ropes with the jack after the seven; spreads of different suits or of one."""
    if len(cards) < 3:
        return False
    if len({card.rank for card in cards}) > 1:
        return in_sequence(cards, PANS)
    suits = len({card.suit for card in cards})
    return cards[0].rank in "AK" or suits in (1, len(cards))


def mille(cards: Sequence[Card]) -> bool:
    """Three or more of a rank; twos may stand among others, or form a meld by themselves."""
    return len(cards) >= 3 and len({card.rank for card in cards if card.rank is not Rank.TWO}) <= 1


def oklahoma(cards: Sequence[Card]) -> bool:
    """Three or four; twos are wild; a two is the queen of spades only if it is alone."""
    plain = [card for card in cards if card.rank is not Rank.TWO]
    if not 3 <= len(cards) <= 4:
        return False
    if len({card.rank for card in plain}) <= 1:
        return True
    twos = len(cards) - len(plain)
    ranks = {card.rank for card in plain}
    for first in range(len(ORDER) + 2 - len(cards)):
        window = (ORDER + "A")[first : first + len(cards)]
        fits = len(ranks) == len(plain) and len({card.suit for card in plain}) == 1
        queen = plain[0].suit == "S" and "Q" in window and Rank.QUEEN not in ranks
        if fits and ranks <= set(window) and not (queen and twos > 1):
            return True
    return False


GAMES: dict[str, tuple[MeldRules, Judge, Deck]] = {
    "three-thirteen": (MeldRules(wild=Rank.THREE), three_thirteen, Deck.standard(packs=2)),
    "pif-paf": (MeldRules(suits=Suits.THREE), pif_paf, Deck.standard(packs=2)),
    "mille": (MeldRules(order="", wild=Rank.TWO), mille, Deck.standard(packs=2)),
    "panguingue": (
        MeldRules(PANS, suits=Suits.APART, free=frozenset({Rank.ACE, Rank.KING})),
        panguingue,
        Deck.italian(packs=8),
    ),
    "oklahoma": (
        MeldRules(high_ace=True, most=4, wild=Rank.TWO, shy=Card.parse("QS")),
        oklahoma,
        Deck.standard(packs=2),
    ),
}


def least(hand: Sequence[Card], judge: Judge) -> int:
    """The least deadwood, by brute force: the first card is left over or belongs to some meld."""
    if not hand:
        return 0
    first, rest = hand[0], hand[1:]
    best = pips(first) + least(rest, judge)
    for size in range(2, len(rest) + 1):
        for others in combinations(range(len(rest)), size):
            if judge([first, *(rest[i] for i in others)]):
                left = [card for i, card in enumerate(rest) if i not in others]
                best = min(best, least(left, judge))
    return best


def a_hand(deck: Deck, dice: random.Random, most: int) -> list[Card]:
    """Some cards that are more related than chance would make them."""
    suits = dice.sample("CDHS", dice.choice((2, 3, 4)))
    low = dice.randrange(6)
    near = [c for c in deck if c.suit in suits and (low <= ORDER.index(c.rank) <= low + 5)]
    return dice.sample(near + [c for c in deck if c.rank in "23"], dice.randint(3, most))


def check(name: str, hands: int, most: int) -> None:
    rules, judge, deck = GAMES[name]
    dice = random.Random(name)
    for _ in range(hands):
        hand = a_hand(deck, dice, most)
        best = arrange(hand, rules, pips)
        assert best.points == least(hand, judge), hand
        assert sorted(map(str, best.cards)) == sorted(map(str, hand))
        assert all(judge(meld) for meld in best.melds), best
        assert best.points == sum(map(pips, best.deadwood))


@pytest.mark.parametrize("name", GAMES)
def test_it_leaves_as_little_as_brute_force_does(name: str) -> None:
    check(name, 150, 7)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_it_leaves_as_little_on_ten_thousand_hands(name: str) -> None:
    check(name, 10_000, 8)


def gin(hands: int) -> None:
    """One pack, no wild cards: compare with another project's solver of gin rummy."""
    pyspiel = pytest.importorskip("pyspiel")
    dice, deck = random.Random("gin"), Deck.standard().cards
    for _ in range(hands):
        hand = dice.sample(deck, 10)
        solver = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
        numbers = solver.card_strings_to_card_ints(
            [f"{card.rank}{card.suit.lower()}" for card in hand]
        )
        assert arrange(hand, MeldRules(), pips).points == solver.min_deadwood(numbers), hand


def test_without_wild_cards_it_agrees_with_a_solver_of_gin_rummy() -> None:
    gin(200)


@pytest.mark.slow
def test_it_agrees_with_that_on_twenty_thousand_hands() -> None:
    gin(20_000)


@pytest.mark.parametrize("name", GAMES)
def test_it_knows_the_same_melds(name: str) -> None:
    rules, judge, deck = GAMES[name]
    dice = random.Random(7)
    melds = 0
    for _ in range(4000):
        cards = a_hand(deck, dice, 5)
        assert rules.allows(cards) == judge(cards), cards
        melds += judge(cards)
    assert melds > 20


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("QS QH QD", True),  # both are groups, according to the rule sheet of Pif Paf
        ("QS QH QD QD", True),
        ("QS QD QD", False),  # but neither of these
        ("QS QH QD QC", False),
    ],
)
def test_pif_paf_s_groups_have_exactly_three_suits(cards: str, meld: bool) -> None:
    assert GAMES["pif-paf"][0].allows(parse_cards(cards)) is meld


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("5S 5S 5S", True),  # "three copies of the 5♠"
        ("5S 5S 5D", False),
        ("KS KS KD", True),  # aces and kings are exempt
        ("6D 7D JD", True),
        ("5H 6H 7H", True),
        ("2D 3D 5D", False),  # what borrowing the 4 of 2-3-4-5 would leave
        ("QD KD AD", False),  # aces are always low
    ],
)
def test_panguingue_s_spreads_and_ropes(cards: str, meld: bool) -> None:
    assert GAMES["panguingue"][0].allows(parse_cards(cards)) is meld


def test_nothing_goes_round_the_corner_in_three_thirteen() -> None:
    rules = MeldRules(wild=Rank.FIVE)
    assert rules.allows(parse_cards("5C 6C 7C"))
    assert not rules.allows(parse_cards("QC KC AC"))
    assert not rules.allows(parse_cards("KC AC 2C"))
    assert rules.allows(parse_cards("5C 5D 5H 5S"))


def test_a_two_is_the_queen_of_spades_in_a_run_only_if_it_is_the_only_two() -> None:
    rules = GAMES["oklahoma"][0]
    assert rules.allows(parse_cards("JS 2C KS"))
    assert not rules.allows(parse_cards("JS 2C KS 2D")) or "TS" in str(
        list(rules.readings(parse_cards("JS 2C KS 2D")))
    )
    assert all(
        Card.parse("QS") not in run or run.index(Card.parse("QS")) < 0
        for run in rules.readings(parse_cards("TS 2C 2D KS"))
    )
    assert rules.allows(parse_cards("JH 2C 2D AH"))
