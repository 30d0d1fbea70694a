"""One slip is one violation, with its own name, seat and card."""

from __future__ import annotations

import pytest

from rules.acts import Act
from rules.games import find_game
from rules.start import Start
from rules.state import State
from rules.turn import backs as turned
from tests.melding import backs


def after(game: str, seats: int, *lines: str) -> State:
    state: State = find_game(game).open(Start(seats=tuple(range(1, seats + 1)), dealer=1))
    for line in lines:
        state = state.play(Act.parse(line))
    return state


def slips(state: State) -> list[tuple[str, int | None]]:
    return [(one.rule, one.seat) for one in state.violations]


@pytest.mark.parametrize(
    ("play", "slip"),
    [
        ("2 play 4H 5H", "big.no-combination"),
        ("2 play 4H 6D 9S", "big.no-combination"),
    ],
)
def test_cards_that_form_no_combination_are_one_slip(play: str, slip: str) -> None:
    state = after("big-three", 3)
    while state.phase == "dealing":
        due = state.turn.awaited[0]
        state = state.play(due.fill(turned(due.pick)))
    state = state.play(Act.parse("2 bid 3"))
    while state.phase != "playing":
        due = state.turn.awaited[0]
        state = state.play(due.fill(turned(due.pick)))
    assert state.violations == ()
    assert slips(state.play(Act.parse(play))) == [(slip, 2)]


def test_cards_on_another_s_meld_are_one_slip() -> None:
    deal = [f"deal 2 {backs(15)}", f"deal 1 {backs(15)}", "deal discards 9H"]
    lines = ["2 meld 9H 9S 9D", "2 discard KC", "1 draw stock ??", "1 lay 2.meld-9 9C"]
    assert slips(after("mille", 2, *deal, *lines)) == [("melds.foreign", 1)]
    deal = [f"deal 2 {backs(13)}", f"deal 1 {backs(13)}", "deal discards 9H"]
    lines = ["2 meld 9H 9S 9D", "2 discard KC", "1 draw stock ??"]
    for card in ("9C", "4C"):  # whether it would have fitted there or not
        state = after("oklahoma-rummy", 2, *deal, *lines, f"1 lay 2.meld-1 {card}")
        assert slips(state) == [("melds.foreign", 1)]
