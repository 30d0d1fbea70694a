"""Everything said takes a touch or two: counted in a browser, on the dealer's telephone alone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

from rules.acts import Act
from rules.games import find_game
from rules.start import Start
from rules.state import State
from tests import browsing, touches
from tests.draws import mostly_nightly
from tests.play import play_hand
from tests.touches import is_said

pytestmark = browsing.wanted

BELOTE = (
    *(f"deal {seat} ?? ?? ??" for seat in (2, 3, 4, 1)),
    *(f"deal {seat} ?? ??" for seat in (2, 3, 4, 1)),
    "deal board 9H",
)


def counted(game: str, driver: Any, acts: Sequence[str] | Sequence[Act]) -> touches.Touched:
    told = [act if isinstance(act, Act) else Act.parse(act) for act in acts]
    return touches.hand_of(game, driver, 0, told)


def start_of(game: str) -> Start:
    return touches.settings_of(game).start


def hands(game: str, first: int = 0) -> Iterator[list[State]]:
    """Honest hands of a game, one seed after the other."""
    for seed in range(first, first + 300):
        yield play_hand(find_game(game), start_of(game), random.Random(seed))


def said(states: Sequence[State]) -> list[Act]:
    """The acts of a hand that have to be said."""
    pairs = pairwise(states)
    return [b.acts[-1] for a, b in pairs if is_said(a, b.acts[-1].observed())]


@pytest.mark.slow
def test_a_second_round_of_belote_and_a_bid(chromium: Any) -> None:
    passes = [f"{seat} pass" for seat in (2, 3, 4, 1, 2)]
    first = counted("belote", chromium, [*BELOTE, *passes[:1]])
    found = counted("belote", chromium, [*BELOTE, *passes, "3 bid clubs"])
    assert first.touches == 1
    # Four passes and the bid, after one pass.
    assert found.touches - first.touches <= 6


@pytest.mark.slow
def test_a_whole_hand_of_belote_with_seven_words(chromium: Any) -> None:
    states = next(one for one in hands("belote") if len(said(one)) == 7)
    found = counted("belote", chromium, states[-1].acts)
    assert found.said == 7
    assert found.touches <= 14


def test_a_declaration(chromium: Any) -> None:
    states, act = next(
        (states, act)
        for states in hands("belote")
        for act in said(states)
        if act.verb == "declare" and act.cards
    )
    acts = list(states[-1].acts)
    place = acts.index(act)
    before = counted("belote", chromium, acts[:place])
    found = counted("belote", chromium, acts[: place + 1])
    assert found.touches - before.touches <= 3


def test_nineteen_actions_of_pineapple(chromium: Any) -> None:
    states = next(one for one in hands("pineapple", 400) if len(said(one)) == 19)
    found = counted("pineapple", chromium, states[-1].acts)
    assert found.said == 19
    assert found.touches <= 24


def test_a_bet_at_ziginette(chromium: Any) -> None:
    board = ["deal board QS", "deal board 5D", "deal banker 7C"]
    assert counted("ziginette", chromium, [*board, "2 bet 10 QS"]).touches <= 3


@pytest.mark.parametrize(
    ("game", "words", "first"),
    mostly_nightly([("rams", 4, 0), ("fipsen", 5, 150)], ("rams", 4, 0)),
)
def test_auctions(game: str, words: int, first: int, chromium: Any) -> None:
    """Auctions of `words` words; such a hand comes soon from the seed `first` on."""
    acts: Sequence[Act] = ()
    for states in hands(game, first):
        told = [n for n, state in enumerate(states[:-1]) if state.phase == "bidding"]
        told = [n for n in told if states[-1].acts[n].verb in ("bid", "pass")]
        if len(told) == words:
            acts = states[-1].acts[: told[-1] + 1]
            break
    assert counted(game, chromium, acts).touches <= 8
