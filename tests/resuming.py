"""Tables as a dealer may state them when a hand is resumed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from rules.acts import Layout
from rules.cards import BACK, Card
from rules.game import AnyGame
from rules.games import GAMES
from rules.match import Hand
from rules.state import State


def every_game() -> Iterator[AnyGame]:
    for kind in GAMES.values():
        yield kind()
        yield from (kind(**rules) for rules in kind.variants.values())


def layout_of(state: State) -> Layout:
    """Everything visible, spot by spot."""
    spots = (spot for spot in state.spots.values() if spot.in_sight)
    return tuple((spot.name, spot.shows(state.table)) for spot in spots)


def perturbed(layout: Layout, pack: Sequence[Card], dice: random.Random) -> Layout:
    """The same with a few cards taken away, cards of the pack laid somewhere, or backs."""
    lying = [[*cards] for _, cards in layout]
    for _ in range(dice.randint(1, 3)):
        cards, chance = dice.choice(lying), dice.random()
        if chance < 0.4 and cards:
            cards.pop(dice.randrange(len(cards)))
        else:
            cards.append(dice.choice(pack) if chance < 0.8 else BACK)
    return tuple((name, tuple(cards)) for (name, _), cards in zip(layout, lying, strict=True))


def seen_of(states: list[State]) -> list[State]:
    """The same hand as in a table record."""
    hand = Hand(states[0].game, states[0].start)
    return [hand.state, *(hand.play(act.observed()) for act in states[-1].acts)]
