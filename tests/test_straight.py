"""Cards that go straight to their final spot, or to a wrong place first, while hands are about."""

from __future__ import annotations

import pytest

from firmware.follow.covered import COVERED_AFTER_S
from firmware.follow.deciding import BEGUN_AFTER_S, LOST_AFTER_S
from firmware.follow.pile import HIDDEN_S
from firmware.store.journal import Journal
from hardware.press import Button
from rules.start import Level
from tests.felt import FRAME_S, Felt


def eleusis(journal: Journal | None = None) -> Felt:
    """The dealer at seat 1 keeps the rule; seat 2 is to play."""
    felt = Felt("eleusis", seats=4, level=Level.NONE, journal=journal)
    felt.type("declare own")
    felt.lay("main", "5H")
    assert felt.acts()[-1] == "deal main 5H"
    return felt


def test_a_card_may_have_gone_under_a_hand_before_the_one_that_is_seen() -> None:
    felt = eleusis()
    felt.busy = {"side"}
    felt.cards["side"].append("6S")
    felt.lay("played", "7C", seconds=COVERED_AFTER_S - 2.0)
    assert felt.acts()[-1] == "deal main 5H"
    felt.busy = set()
    felt.look(1.0)
    assert felt.acts()[-3:] == ["judge wrong", "deal 2 ?? ??", "3 play 7C"]
    assert "2 play 6S" in felt.acts()


def test_a_hand_that_stays_does_not_hold_the_game_up() -> None:
    felt = eleusis()
    felt.busy = {"side"}
    felt.lay("played", "7C", seconds=COVERED_AFTER_S + 1.0)
    assert felt.acts()[-1] == "2 play 7C"


def test_a_card_that_moved_on_under_a_hand_was_played_before_the_next_one() -> None:
    """It was seen where it is judged, and is taken in only once its outcome is seen."""
    felt = eleusis()
    felt.busy = {"main", "side"}
    felt.lay("played", "TD", seconds=0.6)
    assert felt.acts()[-1] == "deal main 5H"
    felt.take("played", "TD", seconds=0.6)
    felt.lay("played", "3H", seconds=2.0)
    assert felt.acts()[-1] == "deal main 5H", "whose it is hangs on the card before it"
    felt.cards["main"].append("TD")
    felt.busy = set()
    felt.look(0.6)
    assert felt.acts()[-3:] == ["2 play TD", "judge right", "3 play 3H"]


def test_a_card_that_was_taken_back_under_a_hand_was_not_played() -> None:
    felt = eleusis()
    felt.busy = {"main", "side"}
    felt.lay("played", "TD", seconds=0.6)
    felt.take("played", "TD", seconds=0.6)
    felt.lay("played", "3H", seconds=2.0)
    felt.busy = set()
    felt.look(2.0)
    assert felt.acts()[-1] == "2 play 3H"


def test_the_owner_of_cards_that_came_to_a_line_at_once_is_asked_for() -> None:
    felt = eleusis()
    felt.cards["main"] += ["6S", "7C"]
    felt.look(2.0)
    assert felt.acts()[-1] == "deal main 5H"
    assert felt.loop.question is not None
    lines = [";".join(map(str, option.acts)) for option in felt.loop.question.options]
    assert "2 play 6S 7C;judge right" in lines
    assert "2 play 6S;judge right;3 play 7C;judge right" in lines
    felt.press(Button.OK)
    assert felt.acts()[-1] == "judge right"


@pytest.mark.parametrize(
    ("hands", "asked"), [([0.4], False), ([1.4], True), ([0.4, 0.4], True)], ids=str
)
def test_the_owner_of_cards_that_came_aside_at_once_is_asked_for_unless_one_hand_laid_them(
    hands: list[float], asked: bool
) -> None:
    """It decides who gets the two penalty cards; one gesture is one player's."""
    felt = eleusis()
    for moved in hands:
        felt.busy = {"side"}
        felt.look(moved + FRAME_S)
        felt.busy = {"main"}
        felt.look()
    felt.busy = set()
    felt.cards["side"] += ["6S", "7C"]
    felt.look(2.0)
    assert (felt.loop.question is not None) is asked
    assert (felt.acts()[-2:] == ["2 play 6S 7C", "judge wrong"]) is not asked


@pytest.mark.parametrize(("rests_s", "asked"), [(FRAME_S, False), (3.0, True)])
def test_under_a_hand_that_rests_another_may_have_laid_the_second_card(
    rests_s: float, asked: bool
) -> None:
    felt = eleusis()
    felt.busy = {"side"}
    felt.look()
    felt.still = {"side"}
    felt.look(rests_s)
    felt.still = set()
    felt.look()
    felt.busy = set()
    felt.cards["side"] += ["6S", "7C"]
    felt.look(2.0)
    assert (felt.loop.question is not None) is asked


def test_who_laid_which_is_asked_if_one_was_right_and_the_other_wrong() -> None:
    felt = eleusis()
    felt.busy = {"main", "side"}
    felt.look()
    felt.cards["main"].append("6S")
    felt.cards["side"].append("7C")
    felt.busy = set()
    felt.look(2.0)
    assert felt.acts()[-1] == "deal main 5H"
    assert felt.loop.question is not None
    lines = [";".join(map(str, option.acts)) for option in felt.loop.question.options]
    assert "2 play 6S;judge right;3 play 7C;judge wrong" in lines
    assert "2 play 7C;judge wrong;deal 2 ?? ??;3 play 6S;judge right" in lines


def test_a_hidden_card_laid_and_turned_up_under_a_hand_is_followed() -> None:
    felt = Felt("democracy", seats=3)
    felt.cards["pool"] = ["??"] * 6
    felt.look(1.0)
    felt.turn("pool", "JD")
    felt.lay("2.trick", "??")
    felt.lay("3.trick", "??")
    before = felt.acts()
    assert before[-2:] == ["2 play ??", "3 play ??"]
    felt.busy = {"1.trick"}
    felt.look(2.0)
    felt.cards["1.trick"].append("8C")
    felt.busy = set()
    felt.look(1.0)
    assert felt.acts() == [*before, "1 play ??", "turn 1.trick 8C"]


def test_a_card_moved_on_from_a_wrong_place_was_never_there() -> None:
    felt = eleusis()
    felt.lay("main", "6S")
    assert felt.acts()[-2:] == ["2 play 6S", "judge right"]
    felt.cards["main"].remove("6S")
    felt.lay("played", "6S", seconds=2.0)
    assert felt.acts()[-1] == "2 play 6S"
    felt.cards["played"].clear()
    felt.lay("side", "6S", seconds=2.0)
    assert felt.acts()[-2:] == ["2 play 6S", "judge wrong"]
    assert not felt.loop.state.violations


def test_a_card_moved_on_from_a_meld_onto_the_discards_was_discarded() -> None:
    """The discard under it has not gone anywhere."""
    felt = Felt("oklahoma-rummy", seats=3)
    felt.lay("discards", "7H")
    felt.cards["2.meld-1"] += ["7S", "8S", "9S"]
    felt.look(1.0)
    before = felt.acts()
    felt.lay("2.meld-1", "TS", seconds=1.0)
    assert felt.acts()[len(before) :] == ["2 lay 2.meld-1 TS"]
    felt.take("2.meld-1", "TS", seconds=0.6)
    felt.cards["discards"] = ["TS"]
    felt.look(1.0)
    assert felt.acts()[len(before) :] == ["2 discard TS"]


def test_a_discard_laid_beside_the_pile_and_moved_onto_it_was_never_drawn() -> None:
    """For a moment, the next player seemed to have drawn it."""
    felt = Felt("panguingue", seats=4)
    felt.lay("discards", "7H")
    felt.cards["discards"] = ["JC"]
    felt.look(1.0)
    seat, after = felt.loop.state.turn.seats[0], felt.acts()
    felt.cards[f"{seat}.meld-1"] += ["JC", "JD", "JH"]
    felt.cards["discards"] = ["7H"]
    felt.look(1.0)
    assert felt.acts()[len(after) :] == [f"{seat} meld JC JD JH"]
    felt.lay("turned", "QH")
    assert felt.acts()[len(after) + 1 :] == [f"{seat} discard QH", f"{seat - 1} draw discards QH"]
    felt.take("turned", "QH", seconds=0.0)
    felt.cards["discards"] = ["QH"]
    felt.look(1.0)
    assert felt.acts()[len(after) + 1 :] == [f"{seat} discard QH"]


def test_a_card_moves_on_after_one_that_was_corrected() -> None:
    """What came before was corrected together with what followed."""
    felt = Felt("oklahoma-rummy", seats=2)
    felt.lay("1.meld-2", "TC", seconds=2.0)
    assert felt.rules_broken
    felt.take("1.meld-2", "TC", seconds=0.0)
    felt.lay("discards", "TC", seconds=2.0)
    assert "rule 1 correct" in felt.acts()
    assert felt.acts()[-1] == "deal discards TC"
    felt.take("discards", "TC", seconds=0.0)
    felt.lay("2.meld-1", "TC", seconds=1.0)
    assert felt.loop.question is None


def test_a_card_seen_elsewhere_while_a_hand_is_at_its_first_place_may_have_been_moved_on() -> None:
    felt = eleusis()
    felt.lay("side", "6S", seconds=2.0)
    assert "6S" in felt.acts()[-2]
    felt.busy = {"side"}
    felt.cards["side"].clear()
    felt.lay("played", "6S", seconds=1.0)
    felt.busy = set()
    felt.look(1.0)
    assert felt.acts()[-2:] == ["deal main 5H", "2 play 6S"]
    assert not felt.loop.state.violations


def test_a_card_that_leaves_the_table_is_not_moved_on() -> None:
    felt = eleusis()
    felt.lay("main", "6S")
    felt.take("main", "6S", seconds=2.0)
    assert felt.acts()[:-1][-2:] == ["2 play 6S", "judge right"]
    assert felt.rules_broken


def test_a_board_card_set_down_at_the_banker_s_place_first_was_dealt_to_the_board() -> None:
    felt = Felt("ziginette", level=Level.NONE)
    felt.lay("board", "QC", "7S")
    felt.lay("banker", "3D")
    felt.lay("banker", "2C", seconds=2.0)
    assert felt.acts()[-1] == "deal banker 2C"
    assert felt.rules_broken, "it was dealt before betting closed"
    felt.cards["banker"].remove("2C")
    felt.lay("board", "2C", seconds=2.0)
    assert felt.acts()[-2:] == ["close", "deal board 2C"]
    assert not felt.rules_broken


def panguingue() -> Felt:
    """Seat 2 has melded kings and is to play; the king of diamonds is on the discards."""
    felt = Felt("panguingue", seats=3)
    felt.type(*(f"deal {seat} ?? ??" for _ in range(5) for seat in (3, 2, 1)))
    felt.type("deal discards 4H", "3 draw stock QC", "3 discard QC")
    felt.type(
        "2 draw stock KH", "2 meld KH KC KC", "2 discard 7D", "1 draw stock 5S", "1 discard 5S"
    )
    felt.type("3 draw stock KD", "3 discard KD")
    felt.cards |= {"2.meld-1": ["KH", "KC", "KC"], "discards": ["5S", "KD"]}
    felt.look(1.0)
    felt.cards["discards"] = ["5S"]
    return felt


def test_the_first_card_of_a_meld_waits_for_the_others() -> None:
    felt = panguingue()
    felt.lay("2.meld-2", "KD", seconds=2.0)
    assert felt.acts()[-1] == "3 discard KD"
    felt.cards["2.meld-2"] += ["KC", "KS"]
    felt.look(1.0)
    assert felt.acts()[-1] == "2 meld KD KC KS"


def _set_hands() -> Felt:
    """Pai Gow Poker: the player's two hands lie face down, the dealer's are set."""
    felt = Felt("pai-gow-poker", seats=2)
    felt.type(
        "deal 2 ?? ?? ?? ?? ?? ?? ??",
        "deal 1 ?? ?? ?? ?? ?? ?? ??",
        "2 lay 2.two ?? ??",
        "2 lay 2.five ?? ?? ?? ?? ??",
        "1 show QS QD JC 8D 7H 4C 3S",
        "1 lay 1.two JC 8D",
        "1 lay 1.five QS QD 7H 4C 3S",
    )
    for spot, held in felt.loop.state.spots.items():
        felt.cards[spot] = [str(card) for card in held.shows(felt.loop.state.table)]
    felt.look()
    return felt


def test_cards_turned_up_one_after_another_are_turned_up_together() -> None:
    felt = _set_hands()
    for card in ("9H", "AS"):
        felt.turn("2.five", card)
    felt.look(BEGUN_AFTER_S - 0.4)
    assert felt.acts()[-1] == "1 lay 1.five QS QD 7H 4C 3S"
    for card in ("5C", "2S", "AD"):
        felt.turn("2.five", card)
    felt.look(1.0)
    assert felt.acts()[-2:] == ["1 lay 1.five QS QD 7H 4C 3S", "turn 2.five 9H AS 5C 2S AD"]


def test_a_player_may_stop_halfway_through_turning_cards_up() -> None:
    felt = _set_hands()
    for card in ("9H", "AS"):
        felt.turn("2.five", card)
    felt.look(BEGUN_AFTER_S)
    assert felt.acts()[-1] == "turn 2.five 9H AS"
    assert not felt.rules_broken


def test_a_card_led_through_a_meld_is_taken_in_if_nothing_follows_it() -> None:
    felt = panguingue()
    felt.lay("2.meld-2", "KD", seconds=BEGUN_AFTER_S + 1.0)
    assert felt.acts()[-1] == "2 move 2.meld-1 2.meld-2 KD"


def ziginette_under_a_hand(seconds: float) -> Felt:
    """The five on the board is paired and taken under a hand, and a two is dealt."""
    felt = Felt("ziginette")
    felt.lay("board", "QS", "5C")
    felt.lay("banker", "7C")
    felt.busy = {"board"}
    felt.cards["board"] = ["QS", "2C"]
    felt.look(seconds)
    felt.busy = set()
    return felt


def test_what_was_done_under_a_hand_is_not_a_slip_but_reported() -> None:
    felt = ziginette_under_a_hand(HIDDEN_S + 1.0)
    before = felt.acts()
    felt.look(LOST_AFTER_S + 1.0)
    assert felt.acts() == before
    assert felt.loop.prompt.sentence.startswith("lost.")


def test_what_came_within_the_time_of_one_gesture_is_a_slip() -> None:
    felt = ziginette_under_a_hand(HIDDEN_S - 1.0)
    before = felt.acts()
    felt.look(LOST_AFTER_S + 1.0)
    assert felt.acts() != before


def test_a_card_may_have_gone_onto_its_copy_under_a_hand_or_not() -> None:
    felt = Felt("panguingue", seats=4)
    felt.lay("discards", "QH")
    felt.lay("turned", "QH")
    assert felt.acts()[-1] == "4 draw stock QH"
    felt.busy = {"discards"}
    felt.take("turned", "QH")
    assert felt.acts()[-1] == "4 draw stock QH"
    felt.busy = set()
    felt.cards["discards"] = ["QH", "6C"]
    felt.look()
    assert felt.acts()[-1] != "4 discard QH"


def test_a_card_that_lies_like_the_last_but_one_was_discarded_if_nothing_else_explains_it() -> None:
    felt = Felt("panguingue", seats=4)
    felt.lay("discards", "5D")
    felt.cards["discards"] = ["6S"]
    felt.look()
    assert felt.acts()[-1] == "4 discard 6S"
    felt.cards["discards"] = ["5D"]
    felt.look(2.0)
    assert felt.acts()[-1] == "3 discard 5D"
    assert not felt.rules_broken


def test_many_cards_of_one_rank_that_came_at_once_are_one_meld() -> None:
    """Any three of them would be one as well, and there are dozens of threes to try."""
    felt = Felt("mille", seats=2)
    felt.type(*(f"deal {seat} ??" for _ in range(15) for seat in (2, 1)))
    felt.type("deal discards 4D")
    felt.cards["discards"] = ["4D"]
    felt.cards["2.meld-2"] = ["2C", "2H", "2D", "2S", "2H", "2C", "2S"]
    felt.look()
    assert felt.acts()[-2:] == ["2 draw stock ??", "2 meld 2C 2H 2D 2S 2H 2C 2S"]


def hidden_meld() -> Felt:
    """Seat 4 discarded a six while a hand hid a place where they may have melded before."""
    felt = Felt("panguingue", seats=4)
    felt.lay("discards", "5D")
    felt.busy = {"4.meld-1"}
    felt.cards["discards"] = ["6S"]
    felt.look(0.6)
    assert felt.acts()[-1] == "deal discards 5D"
    return felt


def test_what_a_hand_left_in_doubt_came_before_what_is_seen_while_that_is_hidden() -> None:
    """The jack was drawn by the next player, though the six is out of sight by then."""
    felt = hidden_meld()
    felt.busy = {"discards"}
    felt.lay("turned", "JC")
    assert felt.acts()[-2:] == ["4 discard 6S", "3 draw stock JC"]


def test_a_discard_that_was_melded_at_once_lay_on_the_discards_under_a_hand() -> None:
    """The card came from the stock, was discarded, and was taken before anybody saw it there."""
    felt = Felt("panguingue", seats=4)
    felt.type(*(f"deal {seat} ?? ??" for _ in range(5) for seat in (4, 3, 2, 1)))
    felt.type("deal discards 4C", "4 draw stock AS", "4 meld AC AC AS", "4 discard KC")
    felt.type("3 draw stock QH", "3 discard QH", "2 draw stock 7C", "2 discard 7C")
    felt.cards["4.meld-1"] = ["AC", "AC", "AS"]
    felt.cards["discards"] = ["7C"]
    felt.look(1.0)
    felt.busy = {"discards"}
    felt.look(1.0)
    felt.busy = set()
    felt.lay("4.meld-1", "AD", seconds=BEGUN_AFTER_S + 1.0)
    assert felt.acts()[-2:] == ["1 discard AD", "4 lay 4.meld-1 AD"]


def test_a_stock_card_thrown_straight_on_the_discards_was_drawn() -> None:
    """The record tells both acts; they are undone together."""
    felt = Felt("panguingue", seats=2)
    felt.type(*(f"deal {seat} ?? ??" for _ in range(5) for seat in (2, 1)), "deal discards 4C")
    felt.cards["discards"] = ["4C"]
    felt.look(1.0)
    before = felt.acts()
    felt.cards["discards"] = ["QH"]
    felt.look(1.0)
    assert felt.acts() == [*before, "2 draw stock QH", "2 discard QH"]
    felt.hold(Button.FIX)
    assert felt.acts() == before


def test_cards_that_a_meld_lends_one_by_one_make_one_loan() -> None:
    """Three kings went from one meld to the next; the second counted as laid from the hand."""
    felt = Felt("panguingue", seats=4)
    felt.type(*(f"deal {seat} ?? ??" for _ in range(5) for seat in (4, 3, 2, 1)))
    felt.type("deal discards 4C", "4 draw stock KS", "4 meld KS KS KS", "4 lay 4.meld-1 KS KS KS")
    felt.cards["4.meld-1"] = ["KS"] * 6
    felt.cards["discards"] = ["4C"]
    felt.look(1.0)
    for _ in range(3):
        felt.take("4.meld-1", "KS", seconds=0.6)
        felt.lay("4.meld-2", "KS", seconds=1.4)
    assert felt.acts()[-3:] == ["4 move 4.meld-1 4.meld-2 KS"] * 3
    assert felt.loop.question is None
    assert not felt.rules_broken
