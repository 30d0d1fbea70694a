"""Melds on the table: adding to others' melds where the game allows it."""

from __future__ import annotations

from typing import ClassVar

import pytest

from rules.acts import Act, Verb
from rules.cards import Deck
from rules.games.oklahoma_rummy import OklahomaRummy, OklahomaState
from rules.start import Start

DEAL = (
    "deal 2 (9S) (9D) (4C) (2H) (3H) (5C) (KS) (TC) (TD) (TH) (7C) (6S) (5D)",
    "deal 1 (9C) (6H) (4S) (AD) (AC) (JD) (7S) (8S) (QH) (QD) (3C) (2C) (KC)",
    "deal discards 9H", "2 meld 9H 9S 9D", "2 discard KS", "1 draw stock (8D)",
)  # fmt: skip


class LaysOff(OklahomaRummy):
    """The same game, but cards may be added to anybody's melds."""

    lays_off: ClassVar[bool] = True


class Short(OklahomaRummy):
    """The same game with a pack that the deal and one draw use up."""

    def deck(self, start: Start) -> Deck:
        return Deck.short("8", "A")


class Unshuffled(Short):
    """The same game, but nobody makes a new stock."""

    vocabulary: ClassVar[frozenset[Verb]] = OklahomaRummy.vocabulary - {Verb.SHUFFLE}


def after(game: OklahomaRummy, *lines: str) -> OklahomaState:
    """The state after `lines`, at a table of two."""
    state = game.open(Start(seats=(1, 2), dealer=1))
    for line in lines:
        state = state.play(Act.parse(line))
    return state


@pytest.mark.parametrize(("game", "rules"), [(OklahomaRummy(), ["melds.foreign"]), (LaysOff(), [])])
def test_adding_to_another_s_meld_is_a_violation_unless_one_lays_off(
    game: OklahomaRummy, rules: list[str]
) -> None:
    state = after(game, *DEAL, "1 lay 2.meld-1 9C")
    assert [one.rule for one in state.violations] == rules
    assert len(state.table.cards("2.meld-1")) == 4


def test_what_is_laid_off_has_to_fit_and_is_offered() -> None:
    state = after(LaysOff(), *DEAL)
    lays = [one for one in state.turn if one.verb is Verb.LAY]
    assert [(one.spots, [str(*cards) for cards in one.handfuls or ()]) for one in lays] == [
        (("2.meld-1",), ["9C", "2C"])
    ]
    wrong = after(LaysOff(), *DEAL, "1 lay 2.meld-1 KC")
    assert [one.rule for one in wrong.violations] == ["oklahoma.no-meld"]


@pytest.mark.parametrize(("game", "made_anew"), [(Short(), True), (Unshuffled(), False)])
def test_an_empty_stock_is_renewed_only_if_the_game_shuffles(
    game: OklahomaRummy, made_anew: bool
) -> None:
    hands = [f"deal {seat}{' ??' * 13}" for seat in (2, 1)]
    state = after(game, *hands, "deal discards KC", "2 draw stock ??", "2 discard QC")
    assert (state.remaining, state.actor) == (0, 1)
    assert (Verb.SHUFFLE in {one.verb for one in state.turn}) is made_anew
