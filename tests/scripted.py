"""Hands of trick and climbing games from act lines, and random honest ones."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from typing import Any

from rules.acts import Act
from rules.games.belote import Belote
from rules.games.big_three import BigThree
from rules.games.democracy import Democracy
from rules.games.fipsen import Fipsen
from rules.games.rams import Rams
from rules.games.tribello import Tribello
from rules.state import State
from tests.play import play_hand, start_for


def after(state: State, *lines: str) -> State:
    """The state after the acts given as lines."""
    for line in lines:
        state = state.play(Act.parse(line))
    return state


def tricks(leaders: Iterable[tuple[int, str]], seats: int) -> list[str]:
    """The lines of tricks, each given by its leader and its cards in order of play."""
    lines = []
    for leader, cards in leaders:
        for place, card in enumerate(cards.split()):
            lines.append(f"{(leader - 1 + place) % seats + 1} play {card}")
        lines.append("gather")
    return lines


def shown(hand: str) -> str:
    """Cards dealt face down whose faces are known."""
    return " ".join(f"({card})" for card in hand.split())


KINDS = {g.name: g for g in (Belote, BigThree, Democracy, Fipsen, Rams, Tribello)}


def hands(name: str, count: int, **rules: Any) -> Iterable[State]:
    """The final states of random honest hands, the same in every test that asks for them."""
    return (_last(name, seed, tuple(rules.items())) for seed in range(count))


@cache
def _last(name: str, seed: int, rules: tuple[tuple[str, Any], ...]) -> State:
    game, dice = KINDS[name](**dict(rules)), random.Random(f"{name}{seed}")
    return play_hand(game, start_for(game, seats=dice.randint(2, 6)), dice)[-1]
