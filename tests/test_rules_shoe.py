"""A shoe dealt over several hands: cards seen twice, in one hand and across hands."""

from __future__ import annotations

from rules.acts import Act
from rules.games import find_game
from rules.match import Match
from rules.start import Sighted, Start
from tests.test_rules_ziginette import DECK, OPENING, legal, rules_broken, table


def from_the_shoe(*lines: str) -> Match:
    game = find_game("ziginette", {"shoe": "yes"})
    match = Match(game, Start(seats=(1, 2), banker=1, limits=(1, 20)))
    for line in lines:
        match.play(Act.parse(line))
    return match


def test_a_card_seen_twice_in_a_hand_names_the_first_sighting() -> None:
    (violation,) = table(*OPENING, "close", "deal board 5D").open_violations
    assert violation.rule == "deck.double"
    assert dict(violation.values) == {"act": 2}
    assert violation.found == 5


def test_a_card_seen_in_two_hands_of_a_shoe_names_both_sightings() -> None:
    match = from_the_shoe(*OPENING, "end", "clear", "deal board QS")
    (violation,) = match.state.open_violations
    assert violation.rule == "deck.double"
    assert (dict(violation.values), violation.found) == ({"hand": 1}, 1)


def test_a_shuffle_restores_the_shoe() -> None:
    match = from_the_shoe(*OPENING, "end", "clear", "shuffle", "deal board QS")
    assert match.state.violations == ()


def test_a_fifth_queen_read_in_part_is_one_too_many() -> None:
    lines = ["close", "deal board QC", "take board QS QC", "close", "deal board QH"]
    lines += ["take board QH", "close", "deal board QD", "take board QD", "close", "deal board Q?"]
    state = table(*OPENING, *lines)
    assert rules_broken(state) == ["deck.double"]


def test_a_shoe_that_runs_out_ends_the_hand_and_bets_go_back() -> None:
    left = {"QS", "5D", "7C", "3C"}
    shoe = tuple(Sighted(card, 1) for card in DECK if str(card) not in left)
    lines = (*OPENING, "2 bet 5 QS", "close", "deal board 3C")
    state = table(*lines, rules={"shoe": "yes"}, shoe=shoe, hand=2)
    assert state.phase == "deck-out"
    assert not legal(state, "deal board AC")
    state = state.play(Act.parse("end")).play(Act.parse("clear"))
    assert not state.violations
    assert not state.payments
    assert state.game.follow(state).shoe == ()


def test_a_shoe_that_could_only_give_playettes_is_shuffled() -> None:
    """Setup: a pair among the three first cards is dealt again; two ranks never give three."""
    for left, shuffled in ((["3C", "3D", "3H", "4C"], True), (["3C", "4D", "6H"], False)):
        out = {"QS", "5D", "7C", *left}
        shoe = tuple(Sighted(card, 1) for card in DECK if str(card) not in out)
        state = table(*OPENING, "end", "clear", rules={"shoe": "yes"}, shoe=shoe, hand=2)
        assert (state.game.follow(state).shoe == ()) is shuffled
