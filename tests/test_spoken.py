"""What people say at a table without a verb, typed as they say it."""

from __future__ import annotations

import random

import pytest

from firmware.follow.spoken import SAYING, VERBS, spoken
from rules.acts import Act
from rules.errors import ActError
from rules.games import GAMES
from rules.start import Start
from rules.state import State
from tests.play import play_hand, start_for
from tests.scripted import after


def words_of(act: Act) -> str:
    return str(act).replace(f"{act.verb} ", "", 1)


@pytest.mark.parametrize(
    "name", ["anaconda", "belote", "chinese-poker", "eleusis", "fipsen", "guts", "rams"]
)
def test_what_only_one_act_may_say_needs_no_verb(name: str) -> None:
    """Over some hands of the games in which much is said."""
    game, told = GAMES[name](), 0
    for seed in range(3):
        for state in play_hand(game, start_for(game), random.Random(seed)):
            said = [act for act in state.options(()) if act.verb in SAYING and act.words]
            for act in said:
                if act.numbers or act.words[0] in {"seal", "reveal", "guess", *VERBS}:
                    continue
                assert spoken(state, words_of(act)) == act
                told += 1
    assert told


def bidding() -> State:
    """Belote, a heart turned up; seat 1 speaks."""
    state: State = GAMES["belote"]().open(Start(seats=(1, 2, 3, 4), dealer=4))
    deals = [f"deal {seat} {cards}" for cards in ("?? ?? ??", "?? ??") for seat in (1, 2, 3, 4)]
    return after(state, *deals, "deal board AH")


def test_a_suit_and_belote_are_said_alone() -> None:
    state = bidding()
    assert str(spoken(state, "1 hearts")) == "1 bid hearts"
    deals = ["deal 1 ?? ??", *(f"deal {seat} ?? ?? ??" for seat in (2, 3, 4))]
    dealt = after(state, "1 bid hearts", "1 draw board AH", *deals)
    assert str(spoken(dealt, "1 belote")) == "1 declare belote"
    assert str(spoken(dealt, "1 run-of-four AH")) == "1 declare run-of-four AH"


@pytest.mark.parametrize("line", ["1 belote", "2 hearts", "1 spades", "1", "belote", "1 seal two"])
def test_what_may_not_come_now_is_refused_as_it_was_typed(line: str) -> None:
    with pytest.raises(ActError) as refused:
        spoken(bidding(), line)
    assert "declare" not in str(refused.value)
    assert "bid" not in str(refused.value)


def test_a_secret_is_not_repeated() -> None:
    game = GAMES["eleusis"]()
    with pytest.raises(ActError) as refused:
        spoken(game.open(start_for(game)), "declare seal two from last")
    assert "last" not in str(refused.value)
