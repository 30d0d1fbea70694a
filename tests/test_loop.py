"""The loop, fed with what lies on the table: what it follows, asks, and takes for a slip."""

from __future__ import annotations

import pytest

from firmware.display.effects import Speech
from firmware.follow import ambiguity, deciding
from firmware.follow.deciding import ASK_AFTER_S, IRREGULAR_AFTER_S
from firmware.follow.differences import uncovered
from firmware.follow.findings import Explanation
from firmware.follow.loop import Loop
from firmware.follow.moved import ON_ITS_WAY_S
from firmware.follow.sight import Sight
from firmware.follow.verdicts import Table
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from hardware.press import Button
from rules.acts import Act
from rules.cards import BACK, Card, parse_cards
from rules.games import find_game
from rules.records import parse_record, print_match
from rules.start import Level, Start
from rules.state import State
from tests.draws import mostly_nightly
from tests.felt import Felt, Plain, faint, lying
from tests.rehearsing import reports_of
from vision.sightings import Lying, Seen


def opened(**how: object) -> Felt:
    """Ziginette with QS and 5D on the board and 7C in front of the banker."""
    felt = Felt("ziginette", **how)  # type: ignore[arg-type]
    felt.lay("board", "QS", "5D")
    felt.lay("banker", "7C")
    return felt


def test_a_clean_hand_needs_no_press() -> None:
    felt = opened()
    felt.lay("board", "QD")
    felt.take("board", "QS", "QD")
    felt.lay("board", "AC", "7H")
    assert felt.loop.state.phase == "paying"
    felt.sweep()
    assert felt.acts(1) == [
        "deal board QS",
        "deal board 5D",
        "deal banker 7C",
        "close",
        "deal board QD",
        "take board QS QD",
        "close",
        "deal board AC",
        "close",
        "deal board 7H",
        "clear",
    ]
    assert felt.loop.state.start.banker == 3


def test_cards_seen_at_once_are_explained_in_order() -> None:
    felt = Felt("ziginette")
    felt.cards["board"] += ["QS", "5D"]
    felt.cards["banker"] += ["7C"]
    felt.look()
    assert felt.acts() == ["deal board QS", "deal board 5D", "deal banker 7C"]


def test_nothing_is_concluded_under_a_hand() -> None:
    felt = opened()
    felt.busy.add("board")
    felt.cards["board"].clear()
    felt.look(5.0)
    assert len(felt.acts()) == 3
    felt.cards["board"] += ["QS", "5D"]
    felt.busy.clear()
    felt.look()
    assert len(felt.acts()) == 3


def test_half_a_removal_waits_for_the_other_half() -> None:
    felt = opened()
    felt.lay("board", "QD")
    felt.take("board", "QS", seconds=4 * IRREGULAR_AFTER_S)
    assert not felt.rules_broken
    felt.take("board", "QD")
    assert felt.acts()[-1] == "take board QS QD"


def test_half_a_table_cleared_waits_for_the_half_under_the_arm() -> None:
    felt = opened()
    felt.lay("board", "QD")
    felt.take("board", "QS", "QD")
    felt.lay("board", "AC", "7H")
    felt.busy.add("banker")
    felt.take("board", *felt.cards["board"], seconds=4 * IRREGULAR_AFTER_S)
    assert not felt.rules_broken
    felt.busy.clear()
    felt.sweep()
    assert felt.acts(1)[-2:] == ["deal board 7H", "clear"]


def test_a_wrong_removal_is_reported_and_corrected_on_the_table() -> None:
    felt = opened()
    felt.lay("board", "QD")
    felt.take("board", "5D", seconds=2 * IRREGULAR_AFTER_S)
    assert felt.rules_broken == ["ziginette.live"]
    assert any(isinstance(effect, Speech) for effect in felt.loop.effects())
    felt.lay("board", "5D")
    assert not felt.rules_broken
    felt.take("board", "QS", "QD")
    assert felt.acts()[-1] == "take board QS QD"
    assert felt.loop.state.table.view("board")[0].rank == "5"


def test_a_card_that_was_laid_in_a_wrong_place_and_moved_does_not_end_the_hand() -> None:
    felt = Felt("seven-and-a-half")
    felt.lay("1", "??", seconds=2 * IRREGULAR_AFTER_S)
    assert felt.rules_broken == ["wrong-place"]
    felt.take("1", "??", seconds=ON_ITS_WAY_S + 0.2)
    assert not felt.rules_broken
    felt.lay("2", "??")
    felt.lay("3", "??")
    assert felt.acts() == ["deal 1 ??", "rule 1 correct", "deal 2 ??", "deal 3 ??"]
    assert len(felt.loop.match.hands) == 1


def test_a_violation_can_be_let_stand_with_ok() -> None:
    felt = opened(level=Level.AMOUNTS)
    felt.type("2 bet 50 QS")
    assert felt.rules_broken == ["beyond-limits"]
    felt.press(Button.OK)
    assert not felt.rules_broken
    assert felt.acts()[-1] == "rule 4 stand"


def test_a_card_that_is_not_in_the_deck_is_reported() -> None:
    felt = opened()
    felt.lay("board", "9D", seconds=2 * IRREGULAR_AFTER_S)
    assert felt.rules_broken == ["deck.foreign"]


def test_a_doubt_that_changes_nothing_is_not_asked() -> None:
    felt = Felt("ziginette")
    felt.lay("board", "6D/6H", seconds=2 * ASK_AFTER_S)
    assert felt.acts() == ["deal board 6?"]
    assert felt.loop.question is None


def test_a_doubt_that_matters_is_asked() -> None:
    felt = opened()
    felt.lay("board", "QD/KD", seconds=2 * ASK_AFTER_S)
    assert len(felt.acts()) == 3
    assert felt.loop.prompt.sentence == "ask.which"
    felt.press(Button.FIX)
    felt.press(Button.OK)
    assert felt.acts()[-1] == "deal board KD"
    felt.look(3.0)
    assert not felt.loop.prompt.options
    assert not felt.rules_broken


def test_a_wrong_card_is_corrected_and_stays_so() -> None:
    felt = opened()
    felt.lay("board", "AC")
    felt.press(Button.FIX)
    while (question := felt.loop.question) and "deal board AS" not in map(
        str, question.chosen.acts
    ):
        felt.press(Button.FIX)
    felt.press(Button.OK)
    assert felt.acts()[-1] == "deal board AS"
    felt.look(3.0)
    assert felt.acts()[-1] == "deal board AS"
    assert not felt.rules_broken


def test_after_undo_the_card_is_not_read_in_again_until_it_moves() -> None:
    felt = opened()
    felt.lay("board", "AC")
    felt.hold(Button.FIX)
    felt.look(3.0)
    assert felt.acts()[-1] == "deal banker 7C"
    felt.take("board", "AC")
    felt.lay("board", "AS")
    assert felt.acts()[-1] == "deal board AS"


def test_after_undo_ok_reads_the_table_again() -> None:
    felt = opened()
    felt.lay("board", "AC")
    felt.hold(Button.FIX)
    felt.press(Button.OK)
    felt.look()
    assert felt.acts()[-1] == "deal board AC"


def test_hold_freezes_and_held_is_a_misdeal() -> None:
    felt = opened()
    felt.press(Button.HOLD)
    felt.lay("board", "AC", seconds=2.0)
    assert len(felt.acts()) == 3
    felt.press(Button.HOLD)
    felt.look()
    assert felt.acts()[-1] == "deal board AC"
    felt.hold(Button.HOLD)
    assert felt.acts()[-1] == "misdeal"
    felt.sweep()
    assert felt.loop.state.start.hand == 2
    assert felt.loop.state.start.banker == 1


def test_a_line_without_meaning_is_answered_and_changes_nothing() -> None:
    felt = opened(level=Level.AMOUNTS)
    felt.type("9 bet 5 QS", "fly", "2 bet 5 KS")
    assert len(felt.acts()) == 3
    assert felt.loop.prompt.sentence == "typed.refused"


@pytest.mark.parametrize("undo", [False, True])
def test_the_journal_reproduces_the_match(undo: bool) -> None:
    journal = Journal(":memory:")
    felt = opened(journal=journal)
    felt.lay("board", "QD")
    felt.take("board", "QS", "QD")
    felt.lay("board", "7H")
    if undo:
        felt.hold(Button.FIX)
    felt.press(Button.FIX)
    felt.press(Button.OK)
    felt.sweep()
    again = Ledger.resumed(journal, now=lambda: 0.0)
    assert print_match(again.match) == print_match(felt.loop.match)
    assert again.match.state == felt.loop.state
    assert [step.acts for step in again.taken] == [s.acts for s in felt.loop.ledger.taken]
    assert parse_record(print_match(again.match)).record() == print_match(again.match)


def test_after_a_restart_the_loop_continues_with_what_lies_there() -> None:
    journal = Journal(":memory:")
    felt = opened(journal=journal)
    felt.cards["board"].append("AC")
    felt.loop = Loop(Ledger.resumed(journal, now=lambda: 0.0), Plain())
    felt.look()
    assert felt.acts()[-2:] == ["close", "deal board AC"]


def test_what_is_shown_hides_what_the_table_hides() -> None:
    felt = opened()
    shown = felt.loop.snapshot()
    assert dict(shown.table)["board"] == ("QS", "5D")
    assert shown.lamps["ok"] in ("steady", "slow")


def test_hits_and_stands_are_implied_by_the_cards() -> None:
    felt = Felt("seven-and-a-half", seats=4)
    for seat in ("2", "3", "4", "1"):
        felt.lay(seat, "??")
    felt.lay("2", "5C")
    felt.lay("4", "6S")
    felt.turn("1", "4H")
    felt.lay("1", "2H")
    felt.turn("2", "2D")
    felt.turn("3", "7C")
    felt.turn("4", "QC")
    assert not felt.loop.state.violations
    felt.sweep()
    assert felt.acts(1) == [
        "deal 2 ??",
        "deal 3 ??",
        "deal 4 ??",
        "deal 1 ??",
        "2 hit",
        "deal 2 5C",
        "2 stand",
        "3 stand",
        "4 hit",
        "deal 4 6S",
        "4 stand",
        "1 show 4H",
        "deal 1 2H",
        "1 stand",
        "2 show 2D",
        "3 show 7C",
        "4 show QC",
        "clear",
    ]


@pytest.mark.parametrize("before", ["2C", "5C"])  # with the five, one of them was too many before
@pytest.mark.parametrize(("hole", "dealt"), [("4H", "4C"), ("4C", "4H")])
def test_the_card_that_lies_where_the_hole_card_lay_is_the_hole_card(
    hole: str, dealt: str, before: str
) -> None:
    """Somebody who is bust turned it up so soon that both cards are seen at once."""
    felt = Felt("seven-and-a-half", seats=3)
    for seat in ("2", "3", "1"):
        felt.lay(seat, "??")
    felt.lay("2", before)
    felt.cards["2"] = [hole, before, dealt]
    felt.look(2 * IRREGULAR_AFTER_S)
    assert felt.acts()[-3:] == ["2 hit", f"deal 2 {dealt}", f"2 show {hole}"]


def test_a_doubtful_back_is_not_mistaken_for_a_slip() -> None:
    felt = Felt("seven-and-a-half", seats=3)
    for seat in ("2", "3", "1"):
        felt.lay(seat, "??")
    felt.ghosts["3"] = ["??"]
    felt.look(3 * IRREGULAR_AFTER_S)
    assert felt.acts() == ["deal 2 ??", "deal 3 ??", "deal 1 ??"]
    felt.lay("2", "5C")
    assert felt.acts()[-2:] == ["2 hit", "deal 2 5C"]


def test_a_whole_hand_of_which_most_backs_are_doubtful_is_the_one_that_is_due() -> None:
    """However many they are: of the thirty-two ways to read them, not all are looked at."""
    felt = Felt("pai-gow-poker", seats=2)
    felt.cards["1"], felt.ghosts["1"] = ["??"] * 2, ["??"] * 5
    felt.look(2 * ASK_AFTER_S)
    assert felt.acts() == ["deal 1 ?? ?? ?? ?? ?? ?? ??"]


def test_a_doubtful_back_that_is_due_is_asked_about_and_offered_first() -> None:
    felt = Felt("seven-and-a-half", seats=3)
    felt.ghosts["2"] = ["??"]
    felt.look(2 * ASK_AFTER_S)
    assert felt.loop.prompt.sentence == "ask.which"
    felt.press(Button.OK)
    felt.look(2 * ASK_AFTER_S)
    assert felt.acts() == ["deal 2 ??"]
    assert felt.loop.prompt.sentence != "ask.which"


def test_a_typed_card_that_the_camera_misses_does_not_count_as_gone() -> None:
    felt = opened()
    felt.type("close", "deal board AC")
    felt.look(3 * IRREGULAR_AFTER_S)
    assert felt.acts()[-2:] == ["close", "deal board AC"]
    felt.lay("board", "AC")
    felt.lay("board", "7H")
    assert felt.acts()[-2:] == ["close", "deal board 7H"]


def test_what_the_camera_is_unsure_of_and_does_not_fit_is_asked_about() -> None:
    felt = opened()
    felt.ghosts["board"] = ["JOKER"]
    felt.look(2 * IRREGULAR_AFTER_S)
    assert len(felt.acts()) == 3
    assert felt.loop.prompt.sentence == "ask.which"
    while (question := felt.loop.question) and "JS" not in str(question.chosen.acts[-1]):
        felt.press(Button.FIX)
    felt.press(Button.OK)
    felt.look(2 * IRREGULAR_AFTER_S)
    assert felt.acts()[-2:] == ["close", "deal board JS"]
    assert not felt.rules_broken


def test_an_unsure_card_is_tried_as_every_other_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Card] = []

    def instead(state: State, cards: Table, unsure: Card) -> list[Explanation]:
        tried.append(unsure)
        return ambiguity.instead(state, cards, unsure)

    monkeypatch.setattr(deciding, "instead", instead)
    felt = opened()
    felt.ghosts["board"] = ["JOKER"]
    felt.look(3 * IRREGULAR_AFTER_S)
    assert felt.loop.prompt.sentence == "ask.which"
    assert tried == [Card.parse("JOKER")]


def test_what_a_person_waves_aside_is_nothing_for_as_long_as_it_lies_there() -> None:
    felt = opened()
    felt.ghosts["board"] = ["JOKER"]
    felt.look(2 * IRREGULAR_AFTER_S)
    assert felt.loop.prompt.sentence == "ask.which"
    felt.hold(Button.FIX)
    for card in ("AC", "2S", "6H"):
        felt.lay("board", card, seconds=2 * IRREGULAR_AFTER_S)
        assert felt.acts()[-1] == f"deal board {card}"
        assert felt.loop.question is None
    felt.ghosts["board"] = []
    felt.look()
    felt.ghosts["board"] = ["JOKER"]
    felt.look(2 * IRREGULAR_AFTER_S)
    assert felt.loop.prompt.sentence == "ask.which"


def read_as(sight: Sight, state: State, *cards: Lying) -> list[str]:
    """What is made of these cards in front of seat 2."""
    seen = Seen({"2": cards}, frozenset(), (), 0.0)
    watched = sight.watched(state, seen)
    return [str(card) for card in next(sight.readings(state, seen, watched))["2"]]


def test_a_persons_word_about_a_card_ends_when_it_is_turned_over_or_covered() -> None:
    state, sight = Felt("seven-and-a-half").loop.state, Sight()
    back, six = faint("??", 0), lying("6D/6H", 1)
    sight.choose(Seen({"2": (back, six)}, frozenset(), (), 0.0), "2", parse_cards("?? 6D"))
    assert read_as(sight, state, back, six) == ["??", "6D"]
    assert read_as(sight, state, back, lying("6H", 1)) == ["??", "6D"]
    assert read_as(sight, state, back, lying("KC", 1)) == ["??", "KC"]
    assert read_as(sight, state, lying("7H", 0), lying("6H", 1)) == ["7H", "6H"]
    assert read_as(sight, state, back, lying("??", 1))[-1] == "??"


def test_each_of_several_doubtful_cards_is_named() -> None:
    sight = Sight()
    backs = tuple(faint("??", place) for place in range(5))
    sight.choose(Seen({"2": backs}, frozenset(), (), 0.0), "2", [BACK] * 5)
    assert len(sight.named) == 5


def seen_on_a_pile(*atop: str) -> list[str]:
    """What is made of the cards seen at the discards, where 8S lies on QH with 4D below."""
    start = Start(seats=(1, 2, 3), dealer=1)
    acts = ["deal discards 4D", "deal discards QH", "deal discards 8S"]
    state = find_game("paiute").open(start)
    for line in acts:
        state = state.play(Act.parse(line))
    seen = tuple(map(Card.parse, atop))
    return [str(card) for card in uncovered(state.table, state.spots["discards"], seen)]


def test_of_a_pile_only_the_top_card_counts() -> None:
    assert seen_on_a_pile("8S", "QH") == ["8S"]
    assert seen_on_a_pile("QH", "8C") == ["8C"]
    assert seen_on_a_pile("8S", "8C") == ["8C"]
    assert seen_on_a_pile("QH") == ["QH"]


@pytest.mark.parametrize(
    "game",
    mostly_nightly(["anaconda", "chinese-poker", "big-three"], "anaconda", "big-three"),
)
def test_unseen_hands_are_followed_by_the_cards_laid_from_them(game: str) -> None:
    reports = reports_of(game, hands=1, seed=2)
    assert [list(report.differences) for report in reports] == [[]]
    assert sum(report.counts.presses for report in reports) == 0
