"""One random hand of every game, shared by the tests of what must hold in all of them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import lru_cache
from itertools import cycle, product
from typing import Any, TypeVar

import pytest
from hypothesis import strategies as st

from rules.games import GAMES
from rules.start import Level
from rules.state import State
from tests.draws import NIGHTLY, examples, mostly_nightly
from tests.play import play_hand, start_for, variations

T = TypeVar("T")
EVERY_GAME = pytest.mark.parametrize("name", sorted(GAMES))
EVERY_LEVEL = pytest.mark.parametrize("level", list(Level))
ONE_LEVEL = pytest.mark.parametrize(
    ("name", "level"),
    mostly_nightly(product(sorted(GAMES), Level), *zip(sorted(GAMES), cycle(Level), strict=False)),
)
"""Each game at one level in turn, and at every level in a nightly run."""
OF_MONEY = (Level.AMOUNTS, Level.WHO)
ONE_LEVEL_OF_MONEY = pytest.mark.parametrize(
    ("name", "level"),
    mostly_nightly(
        product(sorted(GAMES), OF_MONEY), *zip(sorted(GAMES), cycle(OF_MONEY), strict=False)
    ),
)
SHARED = 1
"""Number of hands of a game and level that all tests of an ordinary run share."""
seeds = st.integers(0, 2**32) if NIGHTLY else st.integers(0, SHARED - 1)
hands = examples(SHARED)
once = examples(1)
"""For tests in which one case takes as many steps as the square of its hand's length."""
MOMENTS = 400 if NIGHTLY else 8
"""How many moments of a hand are looked at if each is replayed from the start."""


def some(items: Iterable[T], most: int = MOMENTS) -> list[T]:
    """At most `most` of `items`, evenly spread and including the first and the last."""
    kept = list(items)
    step = max(1, -(-(len(kept) - 1) // max(1, most - 1)))
    return [*kept[:-1:step], *kept[-1:]]


@lru_cache(maxsize=512)
def a_hand(name: str, seed: int, level: Level = Level.AMOUNTS) -> tuple[State, ...]:
    """A hand with house rules, seats and cards chosen by `seed`; every second has likings."""
    dice = random.Random(seed)
    game = dice.choice(list(variations(name)))
    start = start_for(game, level, seats=dice.randint(2, 7))
    return tuple(play_hand(game, start, dice, likings=bool(seed % 2)))


def settled(state: State) -> list[tuple[Any, ...]]:
    """The payments, as far as they are independent of the order of simultaneous acts."""
    return sorted((p.payer or 0, p.payee or 0, p.amount or 0, p.reason) for p in state.payments)
