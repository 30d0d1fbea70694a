"""Rummy hands written as lines, for the tests of each game."""

from __future__ import annotations

from typing import TypeVar

from rules.acts import Act
from rules.game import Game
from rules.match import Hand
from rules.secret import NOTHING, Secrets
from rules.start import Start
from rules.state import State

S = TypeVar("S", bound=State)


def played(game: Game[S], start: Start, *lines: str, secrets: Secrets = NOTHING) -> S:
    """The state after these acts; each string is a line, or several with a bar between them."""
    acts = [Act.parse(line) for text in lines for line in text.split("|")]
    state: S = Hand(game, start, acts, secrets=secrets).state  # type: ignore[assignment]
    return state


def backs(count: int) -> str:
    return " ".join(["??"] * count)


def rules_of(state: State) -> list[str]:
    """The violations found so far."""
    return [violation.rule for violation in state.violations]


def lines(state: State) -> set[str]:
    """The acts that an honest table allows now, except dealing from the stock."""
    return {str(act) for act in state.options(())}
