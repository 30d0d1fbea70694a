"""Hands that nobody sees dealt, and cards that came and went under a hand."""

from __future__ import annotations

from firmware.follow.deciding import ASK_AFTER_S, BEGUN_AFTER_S, IRREGULAR_AFTER_S, LOST_AFTER_S
from firmware.follow.unseen import leading_to
from hardware.press import Button
from rules.acts import Act
from rules.games import find_game
from rules.start import Level, Start
from tests.felt import Felt

DEALT = ["deal 2 ?? ?? ??", "deal 3 ?? ?? ??", "deal 1 ?? ?? ??"]


def rummy() -> Felt:
    """Three Thirteen, dealt out of sight; 9H is the first upcard."""
    felt = Felt("three-thirteen")
    felt.lay("discards", "9H")
    return felt


def test_an_upcard_implies_that_the_hands_were_dealt() -> None:
    assert rummy().acts() == [*DEALT, "deal discards 9H"]


def test_ok_takes_in_everything_dealt_unseen() -> None:
    felt = Felt("three-thirteen")
    assert felt.loop.prompt.lamps["ok"] == "slow"
    felt.press(Button.OK)
    assert felt.acts() == DEALT
    felt.look(1.0)
    assert felt.loop.prompt.lamps["ok"] == "off"


def test_a_typed_word_implies_that_the_hands_were_dealt() -> None:
    felt = Felt("anaconda", seats=2)
    felt.loop.type("2 fold")
    seven = " ".join(["??"] * 7)
    assert felt.acts() == [f"deal 2 {seven}", f"deal 1 {seven}", "2 fold"]
    assert not felt.rules_broken


def test_a_word_that_comes_only_after_the_dealer_s_implies_it() -> None:
    """Nobody says that no more naturals are declared: surrendering shows it."""
    felt = Felt("chinese-poker", seats=2)
    felt.type("2 declare six-pair")
    for row, cards in (("front", 3), ("middle", 5), ("back", 5)):
        felt.type(f"1 lay 1.{row} {' '.join(['??'] * cards)}")
    felt.type("2 show AD AH 5D 5S 8H 8S 4D 4C QC QH TC TH 9D", "1 declare surrender")
    assert felt.acts()[-2:] == ["close", "1 declare surrender"]
    assert not felt.rules_broken


def test_what_was_implied_is_undone_with_what_implied_it() -> None:
    felt = Felt("anaconda", seats=2)
    felt.loop.type("2 fold")
    felt.hold(Button.FIX)
    assert felt.acts() == []


def test_a_card_on_the_pile_implies_a_draw_from_the_stock() -> None:
    felt = rummy()
    felt.cards["discards"] = ["4C"]  # the nine is under it, and only the top card shows
    felt.look()
    assert felt.acts()[-2:] == ["2 draw stock ??", "2 discard 4C"]


def test_the_missing_upcard_was_drawn() -> None:
    felt = rummy()
    felt.take("discards", "9H")
    assert felt.acts()[-1] == "2 draw discards 9H"
    felt.lay("discards", "4C")
    assert felt.acts()[-1] == "2 discard 4C"


def test_two_of_three_cards_laid_face_down_are_the_beginning_of_it() -> None:
    """Of the cards passed on, one may be out of sight: two are waited for, not a slip."""
    felt = Felt("anaconda", seats=2, level=Level.NONE)
    felt.press(Button.OK)
    felt.press(Button.OK)
    felt.lay("2.pass", "??", "??")
    felt.look(2 * IRREGULAR_AFTER_S)
    assert felt.acts()[-1] == "close"
    felt.lay("2.pass", "??")
    felt.look()
    assert felt.acts()[-1] == "2 lay 2.pass ?? ?? ??"
    assert not felt.rules_broken


def test_hidden_cards_that_cannot_be_told_apart_are_as_many_as_are_due() -> None:
    """Two of three lie over each other; if none of them is in doubt, one of them lacks."""
    felt = Felt("anaconda", seats=2, level=Level.NONE)
    felt.press(Button.OK)
    felt.press(Button.OK)
    felt.cards["2.pass"], felt.ghosts["2.pass"] = ["??"], ["??"]
    felt.look(LOST_AFTER_S - 0.4)
    assert felt.acts()[-1] == "close"
    felt.look(1.0)
    assert felt.acts()[-1] == "2 lay 2.pass ?? ?? ??"
    felt.look(2 * LOST_AFTER_S)
    assert felt.loop.question is None
    felt.cards["1.pass"] = ["??", "??"]
    felt.look(LOST_AFTER_S + 1.0)
    assert felt.acts()[-1] == "2 lay 2.pass ?? ?? ??"
    assert felt.loop.question is not None


def test_whether_hidden_cards_that_are_all_in_doubt_were_laid_is_asked() -> None:
    felt = Felt("anaconda", seats=2, level=Level.NONE)
    felt.press(Button.OK)
    felt.press(Button.OK)
    felt.ghosts["2.pass"] = ["??", "??"]
    felt.look(LOST_AFTER_S - 0.4)
    assert felt.loop.question is None
    felt.look(1.0)
    assert felt.loop.prompt.sentence == "ask.which"
    felt.press(Button.OK)
    assert felt.acts()[-1] == "2 lay 2.pass ?? ?? ??"
    felt.look(2 * LOST_AFTER_S)
    assert felt.loop.question is None


def test_cards_in_doubt_that_are_all_that_is_due_there_are_offered_first() -> None:
    felt = Felt("anaconda", seats=2, level=Level.NONE)
    felt.press(Button.OK)
    felt.press(Button.OK)
    felt.cards["1.pass"], felt.ghosts["2.pass"] = ["??"] * 3, ["??"] * 3
    felt.look(LOST_AFTER_S + 1.0)
    assert felt.loop.prompt.sentence == "ask.which"
    felt.press(Button.OK)
    assert felt.acts()[-2:] == ["2 lay 2.pass ?? ?? ??", "1 lay 1.pass ?? ?? ??"]
    assert felt.loop.question is None


def test_of_cards_dealt_in_a_careless_fan_one_that_nobody_sees_is_asked_about_once() -> None:
    felt = Felt("democracy", seats=4)
    felt.cards["pool"] = ["??"] * 4
    felt.look(LOST_AFTER_S - 0.4)
    assert not felt.acts()
    felt.look(1.0)
    assert felt.loop.prompt.sentence == "ask.which"
    felt.press(Button.OK)
    assert felt.acts()[-1] == "deal pool ?? ?? ?? ?? ??"
    felt.turn("pool", "4S")
    assert felt.acts()[-1] == "turn pool 4S"
    felt.look(2 * LOST_AFTER_S)
    assert felt.loop.question is None
    assert not felt.rules_broken


def test_hands_are_read_where_they_are_laid_open() -> None:
    felt = rummy()
    felt.loop.type("2 draw stock ??")
    felt.loop.type("2 declare out")
    felt.cards["discards"] = ["4C"]
    felt.look()
    felt.loop.type("3 draw stock ??")
    felt.cards["discards"] = ["KC"]
    felt.look()
    felt.loop.type("1 draw stock ??")
    felt.cards["discards"] = ["QC"]
    felt.look()
    felt.cards["2"] += ["7S", "7C", "7D"]
    felt.look()
    assert felt.acts()[-1] == "2 show 7S 7C 7D"


def test_a_hand_laid_down_unshown_is_not_a_slip() -> None:
    felt = rummy()
    felt.lay("3", "??", "??", "??", seconds=4 * IRREGULAR_AFTER_S)
    assert not felt.rules_broken
    assert len(felt.acts()) == 4


def ziginette() -> Felt:
    """Two cards on the board, and the banker's."""
    felt = Felt("ziginette", level=Level.NONE)
    felt.lay("board", "QS", "4S")
    felt.lay("banker", "7C")
    assert felt.acts()[-1] == "deal banker 7C"
    return felt


def test_a_card_that_came_and_went_under_a_hand_is_asked_about_by_its_rank() -> None:
    """Dealt and taken away with the one that it matches: only that one is seen to be gone."""
    felt = ziginette()
    felt.busy.add("board")
    felt.look(1.6)
    felt.cards["board"].remove("4S")
    felt.busy.clear()
    felt.look(BEGUN_AFTER_S + 0.4)
    assert felt.loop.question is not None
    felt.press(Button.OK)
    assert felt.acts()[-3:] == ["close", "deal board 4?", "take board 4S 4?"]
    assert not felt.rules_broken


def test_a_card_taken_by_a_brief_hand_is_a_slip() -> None:
    felt = ziginette()
    felt.busy.add("board")
    felt.look(0.6)
    felt.cards["board"].remove("4S")
    felt.busy.clear()
    felt.look(BEGUN_AFTER_S + 0.4)
    assert felt.loop.question is None
    assert felt.acts()[-1] == "take board 4S"


def bank() -> Felt:
    """Seven and a Half: seat 2 has bet and been dealt a card, and the banker's is due."""
    felt = Felt("seven-and-a-half", seats=2)
    felt.type("2 bet 5")
    felt.lay("2", "??")
    return felt


def test_a_card_dealt_and_turned_up_under_one_hand_was_first_face_down() -> None:
    """It means that the other player stood: it is asked whether it was dealt face up instead."""
    felt = bank()
    felt.busy.add("1")
    felt.look(1.6)
    felt.cards["1"] = ["6S"]
    felt.busy.clear()
    felt.look(BEGUN_AFTER_S + 0.4)
    assert felt.loop.question is not None
    felt.press(Button.OK)
    assert felt.acts()[-3:] == ["deal 1 ??", "2 stand", "1 show 6S"]
    assert not felt.rules_broken


def test_a_card_dealt_face_up_by_a_brief_hand_is_a_slip() -> None:
    felt = bank()
    felt.busy.add("1")
    felt.look(0.4)
    felt.cards["1"] = ["6S"]
    felt.busy.clear()
    felt.look(BEGUN_AFTER_S + 0.4)
    assert felt.loop.question is None
    assert felt.acts()[-1] == "deal 1 6S"
    assert felt.rules_broken == ["face-up"]


def test_a_discard_of_which_nothing_is_known_is_asked_about() -> None:
    """As an unknown one, it would be another card at each look, until the stock was out."""
    felt = rummy()
    felt.cards["discards"] = ["7S/9C"]
    felt.look(2 * ASK_AFTER_S)
    assert felt.acts() == [*DEALT, "deal discards 9H"]
    assert felt.loop.prompt.sentence == "ask.which"
    felt.press(Button.OK)
    assert felt.acts()[-1] == "2 discard 7S"


def test_only_places_that_show_something_else_wait_after_an_undo() -> None:
    felt = Felt("pineapple", level=Level.NONE)
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??")
    felt.hold(Button.FIX)
    assert felt.acts()[-1] == "deal 3 ??"
    assert felt.loop.sight.ignored.keys() == {"1"}
    felt.look(2.0)
    assert felt.acts()[-1] == "deal 3 ??"


def test_a_place_that_the_state_agrees_with_again_is_looked_at() -> None:
    """What was undone has been entered after all."""
    felt = Felt("pineapple", level=Level.NONE)
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??")
    felt.hold(Button.FIX)
    assert felt.loop.sight.ignored.keys() == {"1"}
    felt.type("deal 1 ??")
    felt.look(1.0)
    assert not felt.loop.sight.ignored
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??")
    assert felt.acts()[-1] == "deal 1 ??"
    assert felt.acts()[-6:].count("deal 1 ??") == 2


def test_cards_set_aside_and_passed_on_under_one_hand_were_both() -> None:
    """Only the cards that the other player then passes on are seen to go."""
    felt = Felt("anaconda", seats=2, level=Level.NONE)
    felt.press(Button.OK)
    felt.press(Button.OK)
    felt.lay("1.pass", "??", "??", "??")
    assert felt.acts()[-1] == "1 lay 1.pass ?? ?? ??"
    felt.busy.add("2.pass")
    felt.look(1.6)
    felt.busy.clear()
    felt.look(1.0)
    felt.cards["1.pass"].clear()
    felt.look(2.0)
    backs = "?? ?? ??"
    assert felt.acts()[-3:] == [
        f"2 lay 2.pass {backs}",
        f"move 2.pass 1 {backs}",
        f"move 1.pass 2 {backs}",
    ]
    assert not felt.rules_broken


def test_cards_passed_on_while_a_hand_hid_that_others_were_set_aside_were_not_moved_there() -> None:
    felt = Felt("anaconda", seats=2, level=Level.NONE)
    felt.press(Button.OK)
    felt.press(Button.OK)
    felt.lay("2.pass", "??", "??", "??")
    felt.busy.add("1.pass")
    felt.look(1.6)
    felt.cards["2.pass"].clear()
    felt.look(1.0)
    felt.cards["1.pass"] = ["??", "??", "??"]
    felt.busy.clear()
    felt.look(2.0)
    backs = "?? ?? ??"
    assert felt.acts()[-3:] == [
        f"2 lay 2.pass {backs}",
        f"1 lay 1.pass {backs}",
        f"move 2.pass 1 {backs}",
    ]
    assert not felt.rules_broken


def test_a_meld_that_is_said_comes_after_the_card_that_nobody_saw_drawn() -> None:
    """Only with the upcard in it does a meld come before the draw. One that is no meld breaks a
    rule either way, and comes as it was said."""
    state = find_game("oklahoma-rummy").open(Start(seats=(1, 2, 3), dealer=1))
    hands = [f"deal {seat}" + " ??" * 13 for seat in (2, 3, 1)]
    for line in (*hands, "deal discards 9D", "2 draw stock ??", "2 discard 5C"):
        state = state.play(Act.parse(line))
    ways = {
        cards: [
            [str(act) for act in way] for way in leading_to(state, Act.parse(f"3 meld {cards}"))
        ]
        for cards in ("4D 5D 6D", "5C 5D 5H", "4D 6D 7D")
    }
    assert ways == {"4D 5D 6D": [["3 draw stock ??"]], "5C 5D 5H": [[]], "4D 6D 7D": [[]]}


def test_a_card_that_the_camera_does_not_see_is_there_if_somebody_says_so() -> None:
    """A glass stands on it, and another is dealt beside it; then the glass is taken away."""
    felt = ziginette()
    felt.type("deal board 6H")
    felt.look(2.0)
    felt.lay("board", "2C", seconds=3.0)
    assert felt.acts()[-3:] == ["deal board 6H", "close", "deal board 2C"]
    felt.cards["board"].insert(0, "6H")
    felt.look(3.0)
    assert felt.acts()[-1] == "deal board 2C"
    assert (felt.rules_broken, felt.loop.question) == ([], None)


def test_a_card_that_was_said_is_missed_once_another_goes() -> None:
    felt = ziginette()
    felt.type("deal board 6H")
    felt.look(2.0)
    felt.take("board", "QS", seconds=3.0)
    assert not felt.loop.sight.unseen
