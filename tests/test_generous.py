"""What a rule document leaves open is never flagged: orders, portions, numbers of players.

The other generic tests play what the turns list. Here the same hands are played as people do:
several cards are dealt, shown, laid, taken, discarded or passed on together or one by one.
"""

from __future__ import annotations

import random
from itertools import cycle, product

import pytest

from rules.games import GAMES
from rules.start import Level
from rules.state import State
from tests.draws import NIGHTLY, mostly_nightly
from tests.generous import Generous
from tests.play import ACTS_MOST, start_for, variations

HANDS = 24 if NIGHTLY else 6
"""Number of hands per game and level."""
PORTIONED = 0.5
"""How often an act that may name fewer or more cards than usual does."""
GENEROUS = (
    "ziginette",
    "seven-and-a-half",
    "ace-deuce-jack",
    "guts",
    "pai-gow-poker",
    "paiute",
    "soko",
    "anaconda",
    "pineapple",
    "chinese-poker",
    "open-face-chinese-poker",
    "belote",
)
"""The games whose documents were checked for what they leave open."""
ANY_NUMBER = {"ziginette": 22, "ace-deuce-jack": 22, "guts": 22}
"""Largest table tried for the games that any number may play."""


def generous_hand(name: str, level: Level, seed: int) -> State:
    dice = random.Random(f"{name} {level} {seed}")
    game = dice.choice(list(variations(name)))
    most = ANY_NUMBER.get(name, min(7, game.players.stop - 1))
    start = start_for(game, level, seats=dice.randint(game.players.start, most))
    dealer = Generous(dice, often=0, portioned=PORTIONED)
    dealer.shuffle(game, start)
    state: State = game.open(start)
    while not state.over:
        act = dealer.choose(state)
        dealer.follow(state, act)
        state = state.play(act)
        assert not state.violations, (str(act), state.violations, [str(a) for a in state.acts])
        assert len(state.acts) < ACTS_MOST
    return state


@pytest.mark.parametrize(
    ("name", "level"),
    mostly_nightly(product(GENEROUS, Level), *zip(GENEROUS, cycle(Level), strict=False)),
)
def test_nothing_that_the_document_leaves_open_is_flagged(name: str, level: Level) -> None:
    assert name in GAMES
    for seed in range(HANDS):
        generous_hand(name, level, seed)


@pytest.mark.slow
@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("name", GENEROUS)
def test_hundreds_of_hands_as_people_play_them(name: str, level: Level) -> None:
    for seed in range(500):
        generous_hand(name, level, seed)
