"""The acts worth trying: leaving out the others does not change what a table means."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from firmware.follow import reconcile
from firmware.follow.candidates import PICKED_MOST, Candidates
from firmware.follow.differences import Difference
from firmware.follow.findings import Findings
from firmware.follow.reconcile import explain
from firmware.follow.sight import Sight
from rules.acts import Act, Verb
from rules.cards import parse_cards
from rules.game import AnyGame
from rules.games import find_game
from rules.start import Start
from rules.state import State
from tests.draws import NIGHTLY
from tests.felt import Felt
from tests.play import play_hand, start_for
from tests.resuming import every_game, layout_of, perturbed, seen_of
from vision.sightings import Seen

HANDS = 8 if NIGHTLY else 2
"""Hands per game in this file; 24 per game were tried with other seeds."""
ONWARD = 3


def meant(findings: Findings) -> tuple[object, ...]:
    ways = [sorted(map(_bare, way.acts)) for way in findings.explanations]
    return sorted(ways), findings.begun


def _bare(act: Act) -> str:
    """The act with its cards unordered."""
    return str(act.with_cards(sorted(act.cards, key=str)))


def irregular(game: AnyGame, dice: random.Random) -> tuple[State, dict[str, Any]]:
    """A moment of a hand, and the table a few acts later, every second time with a difference."""
    states = play_hand(game, start_for(game), dice)
    here = dice.randrange(len(states) - 1)
    there = states[min(here + dice.randint(0, ONWARD), len(states) - 1)]
    layout = layout_of(there)
    if dice.random() < 0.5:
        layout = perturbed(layout, list(game.deck(there.start)), dice)
    return seen_of(states)[here], dict(layout)


@pytest.mark.parametrize("game", [*every_game()], ids=lambda game: game.name)
def test_every_choice_of_cards_means_the_same(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(HANDS):
        state, seen = irregular(game, random.Random(f"{game.name}-{number}"))
        few = explain(state, seen, set(seen))
        with monkeypatch.context() as patch:
            patch.setattr(Candidates, "_way", lambda *_: None)
            assert meant(few) == meant(explain(state, seen, set(seen)))


@pytest.mark.parametrize("game", [*every_game()], ids=lambda game: game.name)
def test_acts_in_any_order_mean_the_same_one_place_after_another(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(HANDS):
        state, seen = irregular(game, random.Random(f"any-{game.name}-{number}"))
        few = explain(state, seen, set(seen))
        with monkeypatch.context() as every:
            every.setattr(reconcile, "NODES_MOST", 20 * reconcile.NODES_MOST)
            every.setattr(reconcile, "at_a_time", lambda _state, acts: acts)
            many = explain(state, seen, set(seen))
        assert meant(few) == meant(many)


def test_rows_laid_by_all_at_once_are_not_tried_in_every_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One card that nothing explains lies there too: each subset of the acts would be tried."""
    game, dice, tried = find_game("chinese-poker"), random.Random(5), list[Act]()
    states = play_hand(game, start_for(game), dice)
    dealt = max(n for n, one in enumerate(states) if one.acts and one.acts[-1].verb is Verb.DEAL)
    laid = next(n for n in range(dealt + 1, len(states)) if not states[n].turn.together)
    state, seen = seen_of(states)[dealt], dict(layout_of(states[laid]))
    spot = next(name for name, cards in seen.items() if cards)
    seen[spot] = (*seen[spot], *parse_cards("JOKER"))
    after = reconcile._after

    def counted(state: State, act: Act, **options: bool) -> State | None:
        tried.append(act)
        return after(state, act, **options)

    monkeypatch.setattr(reconcile, "_after", counted)
    assert not explain(state, seen, set(seen)).explanations
    assert len(tried) < 500  # 804 in every order, 351 place by place


def test_a_table_with_many_new_cards_has_no_more_choices_than_can_be_tried() -> None:
    game = find_game("eleusis")
    state = game.open(Start(seats=(1, 2, 3), dealer=1))
    for line in ("declare own", f"deal 2 {' ??' * 14}", f"deal 3 {' ??' * 14}", "deal main 5H"):
        state = state.play(Act.parse(line))
    came = tuple(game.deck(state.start))[:40]
    likely = Candidates(
        state, Difference({"main": came}, {}), frozenset({"main", "side", "played"})
    )
    tried = [act for one in state.turn for act in likely.acts(one)]
    assert PICKED_MOST < len(tried) <= PICKED_MOST * len(state.turn.awaited)


def test_cards_that_came_to_one_meld_together_were_laid_at_once() -> None:
    game = find_game("panguingue")
    state = game.open(Start(seats=(1, 2), dealer=1))
    hands = [f"deal {seat} ?? ??" for seat in (2, 1) * 5]
    lines = [
        "ante",
        *hands,
        "deal discards 4H",
        "2 draw stock 5S",
        "2 meld 5S 5D 5C",
        "2 discard KD",
    ]
    lines += ["1 draw stock QC", "1 discard QC", "2 draw stock 5H"]
    for line in lines:
        state = state.play(Act.parse(line))
    meld, laid = "2.meld-1", parse_cards("5S 5D 5C 5H 5H 5D")
    seen = {name: spot.shows(state.table) for name, spot in state.spots.items() if spot.in_sight}
    found = explain(state, {**seen, "turned": (), meld: laid}, seen.keys()).explanations
    assert {len(act.cards) for way in found for act in way.acts if act.cards} == {3}
    one = explain(state, {**seen, "turned": (), meld: laid[:4]}, seen.keys()).explanations
    assert [str(act) for act in one[0].acts] == ["2 lay 2.meld-1 5H"]


def test_a_table_that_differs_completely_is_given_up_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, dice = find_game("eleusis"), random.Random(0)
    states = play_hand(game, start_for(game), dice)
    here, there = states[len(states) // 4], states[-2]
    tried: list[Act] = []
    after = reconcile._after

    def counted(state: State, act: Act, **how: bool) -> State | None:
        tried.append(act)
        assert len(tried) < 2 * reconcile.NODES_MOST
        return after(state, act, **how)

    monkeypatch.setattr(reconcile, "_after", counted)
    seen = dict(layout_of(there))
    explain(seen_of(states)[states.index(here)], seen, set(seen))
    assert tried


def test_the_result_of_a_search_that_ended_early_is_not_certain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Other explanations, even shorter ones, were not tried: a person is asked."""
    hidden = 0
    for number in range(3):
        state, seen = irregular(find_game("panguingue"), random.Random(f"early-{number}"))
        whole = {_lines(way.acts) for way in explain(state, seen, set(seen)).explanations}
        with monkeypatch.context() as patch:
            patch.setattr(reconcile, "NODES_MOST", 1)
            early = explain(state, seen, set(seen)).explanations
        for way in early:
            assert way.guessed or _lines(way.acts) in whole
            hidden += way.guessed
    assert hidden


def _lines(acts: Sequence[Act]) -> tuple[str, ...]:
    return tuple(map(str, acts))


def test_a_place_where_something_moves_is_not_compared() -> None:
    state = find_game("ziginette").open(Start(seats=(1, 2), banker=1))
    watched = [
        Sight().watched(state, Seen({"board": (), "banker": ()}, frozenset(busy), (), 0.0, {}))
        for busy in ([], ["board"])
    ]
    assert watched == [{"board", "banker"}, {"banker"}]


def test_a_hand_that_is_set_another_way_goes_back_before_it_is_laid() -> None:
    """The knave of the five went straight on to the two."""
    felt = Felt("pai-gow-poker", seats=2)
    felt.type("deal 2 ?? ?? ?? ?? ?? ?? ??", "deal 1 ?? ?? ?? ?? ?? ?? ??")
    felt.type("2 lay 2.two ?? ??", "2 lay 2.five ?? ?? ?? ?? ??")
    felt.type("1 show QD AH JH 7D QS 7H 4D", "1 lay 1.five QD JH 7D QS 4D")
    for spot, held in felt.loop.state.spots.items():
        felt.cards[spot] = [str(card) for card in held.shows(felt.loop.state.table)]
    felt.look(1.0)
    felt.cards |= {"1": ["4D", "7D", "7H", "QS", "QD"], "1.five": [], "1.two": ["AH", "JH"]}
    felt.look(2.0)
    assert felt.acts()[-2:] == ["move 1.five 1 QD JH 7D QS 4D", "1 lay 1.two AH JH"]


def test_a_hand_laid_open_in_its_two_parts_was_shown() -> None:
    """The banker did not spread the seven cards first."""
    felt = Felt("pai-gow-poker", seats=2)
    felt.type("deal 2 ?? ?? ?? ?? ?? ?? ??", "deal 1 ?? ?? ?? ?? ?? ?? ??")
    felt.type("2 lay 2.two ?? ??", "2 lay 2.five ?? ?? ?? ?? ??")
    for spot, held in felt.loop.state.spots.items():
        felt.cards[spot] = [str(card) for card in held.shows(felt.loop.state.table)]
    felt.look(1.0)
    felt.cards |= {"1": [], "1.five": ["QD", "7D", "QS", "4D", "AH"], "1.two": ["7H", "JH"]}
    felt.look(2.0)
    assert sorted(act.split()[1] for act in felt.acts()[-3:]) == ["lay", "lay", "show"]
    assert felt.acts()[-3].split()[:2] == ["1", "show"]
    assert not felt.rules_broken


def test_hands_that_all_lay_open_at_once_are_each_their_own_player_s() -> None:
    felt = Felt("three-thirteen", seats=4)
    felt.type(*(f"deal {seat} ?? ?? ??" for seat in (2, 3, 4, 1)), "deal discards 9H")
    felt.type("2 draw stock ??", "2 discard 8D", "2 declare out")
    felt.cards |= {"2": ["AS", "2S", "3S"], "discards": ["8D"]}
    felt.look(1.0)
    for seat in (3, 4, 1):
        felt.type(f"{seat} draw stock ??", f"{seat} discard {seat + 5}C")
    felt.cards |= {"discards": ["6C"], "3": ["4H", "TH", "KH"], "4": ["5D", "TD", "KD"]}
    felt.cards["1"] = ["4C", "TC", "KC"]
    felt.look(2.0)
    suits = {act.split()[0]: {card[1] for card in act.split()[2:]} for act in felt.acts()[-3:]}
    assert suits == {"3": {"H"}, "4": {"D"}, "1": {"C"}}
    assert not felt.rules_broken
