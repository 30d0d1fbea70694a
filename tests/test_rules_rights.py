"""What only one player may say: from anybody else it is void, though it is flagged."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from rules.acts import Act
from rules.games import find_game
from rules.start import Start
from rules.state import State

FOUR, THREE = (1, 2, 3, 4), (1, 2, 3)
HISTORY = ("acts", "calls", "violations")


def backs(count: int) -> str:
    return " ".join(["??"] * count)


def deal(seats: tuple[int, ...], count: int) -> list[str]:
    return [f"deal {seat} {backs(count)}" for seat in seats]


FIPSEN = [
    *deal(FOUR, 3), "deal skat ?? ??", *deal(FOUR, 2), "deal rest ?? ?? ??", "1 bid 2", "2 pass",
    "3 pass", "4 pass", "1 draw skat ?? ??", "1 discard ?? ??",
]  # fmt: skip
MADE = [
    "1 declare hearts", "1 play AH", "2 play 7H", "3 play KH", "4 play QH", "gather",
    "1 play AC", "2 play 7C", "3 play KC", "4 play QC", "gather",
]  # fmt: skip
KIEKER = [
    *FIPSEN[:10], "1 bid kieker", "2 pass", "3 pass", "4 pass", "1 draw skat ?? ??",
    "1 draw rest ?? ?? ??", f"1 discard {backs(5)}",
]  # fmt: skip
RAMS = ["1 ante", *deal((2, 3, 1), 5), f"deal widow {backs(5)}", "deal board 9H", "2 pass"]
BIG = [
    *deal(THREE, 16), f"deal widow {backs(4)}", "1 bid 1", "2 pass", "3 pass",
    f"1 draw widow {backs(4)}", "1 play 4H",
]  # fmt: skip
ZIGINETTE = ["deal board QS", "deal board 5D", "deal banker 7C", "end"]
CASES = [
    ("fipsen", FIPSEN, "3 declare spades", "1 declare spades"),
    ("fipsen", [*FIPSEN, *MADE], "3 stand", "1 stand"),
    ("fipsen", [*FIPSEN, *MADE], "3 declare durch", "1 declare durch"),
    ("fipsen", KIEKER, "2 fold", "1 fold"),
    ("rams", [*RAMS, "3 bid play", "1 bid play"], "3 pass", "1 pass"),
    ("tribello", [*deal((2, 3, 1), 13), f"deal widow {backs(13)}"], "2 declare clubs",
     "1 declare clubs"),
    ("big-three", BIG, "3 pass", "2 pass"),
    ("big-three", BIG[:5], "3 pass", "2 pass"),
    ("big-three", BIG[:5], "3 bid 2", "2 bid 2"),
    ("ziginette", ZIGINETTE, "2 pass", "1 pass"),
]  # fmt: skip
"""A game, how far the hand has come, a line by somebody without the right to it, and the line."""


def opened(name: str) -> State:
    game = find_game(name)
    seats = FOUR if 4 in game.players and name != "rams" else THREE
    dealer = 4 if name == "fipsen" else 1
    given: dict[str, Any] = {"banker": 1} if game.banked else {"dealer": dealer}
    notes = {"tribello": (("deal", "4"),)}.get(name, ())
    pot = 20 if name == "rams" else 0
    state: State = game.open(Start(seats=seats, limits=(1, 20), pot=pot, notes=notes, **given))
    return state


def bare(state: State) -> dict[str, Any]:
    """The state without its history."""
    kept = (f.name for f in fields(state) if f.compare and f.name not in HISTORY)
    return {name: getattr(state, name) for name in kept}


@pytest.mark.parametrize(("name", "before", "wrong", "right"), CASES)
def test_what_only_one_player_may_say_is_void_from_anybody_else(
    name: str, before: list[str], wrong: str, right: str
) -> None:
    state = opened(name)
    for line in before:
        state = state.play(Act.parse(line))
    assert state.violations == ()
    flagged = state.play(Act.parse(wrong))
    assert [violation.rule for violation in flagged.violations] == ["out-of-turn"]
    assert bare(flagged) == bare(state)
    said = flagged.play(Act.parse(right))
    assert bare(said) != bare(state)
    assert said.violations == flagged.violations


def test_only_a_kieker_is_given_up_and_only_before_play() -> None:
    """Bidding Kieker: they may surrender before game play starts."""
    for before in ([*FIPSEN, "1 declare hearts"], [*KIEKER, "1 declare clubs", "1 play AC"]):
        state = opened("fipsen")
        for line in (*before, "1 fold"):
            state = state.play(Act.parse(line))
        assert state.settlement.scores == {}
        assert [violation.rule for violation in state.violations] == ["not-now"]
