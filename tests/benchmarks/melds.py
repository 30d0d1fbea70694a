"""How fast hands are arranged into melds, and how many acts per second the meld games reach."""

from __future__ import annotations

import random
from statistics import median
from time import process_time

from rules.cards import Card, Deck, Rank
from rules.melds.arranging import MeldRules, arrange, pips
from tests.benchmarks.rules import Row, ended, seconds_an_act

GAMES = ("three-thirteen", "oklahoma-rummy", "mille", "pif-paf", "panguingue", "eleusis")
HANDS, SIZE = 200, 13
PLAYED, SEATS = 5, 4
KINGS = MeldRules(wild=Rank.KING)
"""The last hand of Three Thirteen."""


def measure() -> list[Row]:
    """The median time of a hand by its wild cards, and the acts per second of each game."""
    rows = [_arranged(wilds) for wilds in (0, 2, 4)]
    return [*rows, *map(_acts, GAMES)]


def _arranged(wilds: int) -> Row:
    dice, deck = random.Random(wilds), Deck.standard(packs=2)
    kings = [card for card in deck if card.rank is Rank.KING]
    others = [card for card in deck if card.rank is not Rank.KING]
    hands = [[*dice.sample(others, SIZE - wilds), *dice.sample(kings, wilds)] for _ in range(HANDS)]
    spent = median(_timed(hand) for hand in hands)
    return f"a hand of {SIZE} cards with {wilds} wild ones arranged, median", spent, "ms"


def _timed(hand: list[Card]) -> float:
    """Milliseconds of processor time; each hand is arranged only once, as results are cached."""
    begun = process_time()
    arrange(hand, KINGS, pips)
    return (process_time() - begun) * 1000


def _acts(name: str) -> Row:
    return f"{name}: acts a second", 1 / seconds_an_act(ended(name, PLAYED, SEATS)), ""
