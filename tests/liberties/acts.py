"""Shorthand for acts, for the readings of the documents."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from rules.acts import Act
from rules.cards import Card
from rules.game import AnyGame
from rules.state import State

Acts = Iterator[Act]


def none_given(state: State, deck: Sequence[Card], dice: random.Random) -> Acts:
    """The reading of a document that gives no liberty: everything is done the usual way."""
    return iter(())


def act(text: str, cards: Sequence[Card] = (), *, down: bool = False) -> Act:
    """An act line followed by cards."""
    words = [f"({card})" if down and not card.hidden else str(card) for card in cards]
    return Act.parse(" ".join([text, *words]))


def rules_of(game: AnyGame) -> Iterator[tuple[str, str]]:
    """The house rules and their values."""
    return ((rule.name, rule.text) for rule in game.house_rules())
