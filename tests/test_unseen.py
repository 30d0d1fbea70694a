"""Hands that nobody sees dealt, and piles of which only the top card shows."""

from __future__ import annotations

from dataclasses import replace

from firmware.follow.deciding import ASK_AFTER_S, BEGUN_AFTER_S, IRREGULAR_AFTER_S, LOST_AFTER_S
from firmware.follow.piles import Piles
from firmware.follow.unseen import leading_to
from hardware.press import Button
from rules.acts import Act, Verb
from rules.cards import Card, Deck
from rules.games import find_game
from rules.spots import Laid, Shape, Spot, Table
from rules.start import Level, Start
from rules.state import State
from tests.felt import Felt, lying
from vision.sightings import Lying, Seen

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


def moved(one: Lying, by: float) -> Lying:
    return replace(one, outline=tuple((x + by, y + by / 2) for x, y in one.outline))


def test_a_copy_that_comes_onto_a_pile_has_another_position_than_the_card_below_it() -> None:
    """With packs shuffled together, a four of spades may come to light, or come onto the pile."""
    state: State = find_game("three-thirteen").open(Start(seats=(1, 2), dealer=1))
    four, eight = lying("4S", 0), lying("8S", 0)

    def fresh(*tops: Lying) -> bool:
        piles = Piles()
        for number, top in enumerate(tops):
            piles.see(state, Seen({"discards": (top,)}, frozenset(), (), 0.2 * number))
        return "discards" in piles.fresh

    assert not fresh(four, eight)
    assert not fresh(four, eight, four)
    assert not fresh(four, moved(eight, 5.0), moved(four, 0.5))
    assert fresh(four, eight, moved(four, 6.0))


def mille_pile() -> Felt:
    """Mille: the king of spades lies on the two of hearts, and player 1 is next."""
    felt = Felt("mille", seats=2)
    felt.lay("discards", "2H")
    felt.cards["discards"] = ["KS"]
    felt.look()
    assert felt.acts()[-1] == "2 discard KS"
    return felt


def test_a_meld_waits_until_the_hand_has_left_the_pile_that_it_may_come_from() -> None:
    felt = mille_pile()
    before = felt.acts()
    felt.busy.add("discards")
    felt.lay("1.meld-k", "KS", "KS", "KH")
    assert felt.acts() == before  # drawn from the stock, or the pile taken?
    felt.look(4 * IRREGULAR_AFTER_S)
    assert felt.acts() == before
    felt.busy.clear()
    felt.cards["discards"] = []
    felt.look()
    assert felt.acts()[len(before) :] == ["1 meld KS KS KH"]


def test_a_meld_that_only_the_hidden_pile_explains_waits_for_it() -> None:
    felt = mille_pile()
    before = felt.acts()
    felt.busy.add("discards")
    felt.cards["1.meld-k"] = ["KS", "KS", "KD"]  # two packs have no third king of spades
    felt.look(4 * IRREGULAR_AFTER_S)
    assert felt.acts() == before
    assert not felt.rules_broken


def test_a_meld_from_the_stock_is_recognised_by_the_pile_still_there() -> None:
    felt = mille_pile()
    felt.busy.add("discards")
    felt.lay("1.meld-k", "KS", "KD", "KH")
    felt.busy.clear()
    felt.look()
    assert felt.acts()[-2:] == ["1 draw stock ??", "1 meld KS KD KH"]


def test_a_card_that_comes_to_light_on_a_pile_was_not_laid_there() -> None:
    felt = mille_pile()
    before = felt.acts()
    felt.cards["discards"] = ["2H"]  # the king is off, the rest of the pile not yet
    felt.lay("1.meld-k", "KS", "KS", "KH")
    assert felt.acts() == before
    felt.cards["discards"] = []
    felt.look()
    assert felt.acts()[len(before) :] == ["1 meld KS KS KH"]


def test_in_an_untidy_pile_nothing_that_lay_below_counts_as_new() -> None:
    """Eight, ace, six: with the eight off, the ace and a corner of the six are visible."""
    felt = mille_pile()
    felt.loop.type("1 draw stock ??")
    six, ace, eight = lying("6C", 0), moved(lying("AS", 0), 9.0), moved(lying("8C", 0), 3.0)

    def look(*cards: Lying) -> None:
        for _ in range(2):
            felt.time += 1.0
            spots = {**felt.seen().spots, "discards": cards}
            felt.loop.see(Seen(spots, frozenset(), (), felt.time))

    look(six)
    look(ace, six)
    felt.loop.type("2 draw stock ??")
    look(eight)
    assert felt.acts()[-1].endswith("discard 8C")
    before = felt.acts()
    look(ace, six)
    assert felt.acts() == before


def test_a_pile_shows_its_top_card_and_a_hand_its_open_cards() -> None:
    cards = tuple(Laid(Card.parse(text), up) for text, up in (("QS", True), ("5D", False)))
    table = Table({"pile": cards, "2": cards})
    assert [str(c) for c in Spot("pile", shape=Shape.PILE).shows(table)] == ["??"]
    assert Spot("cards", 2, held=True).shows(table) == ()
    assert [str(c) for c in Spot("cards", 2, held=True, opens=True).shows(table)] == ["QS"]


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


def test_a_card_that_comes_to_light_while_the_table_is_cleared_is_no_slip() -> None:
    """A pile of discards is picked up by the handful, and what lay in it shows for a moment."""
    felt = Felt("pineapple", level=Level.NONE)
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??")
    for line in ("2 fold", "3 fold"):
        felt.type(line)
    assert [one.verb for one in felt.loop.state.turn if one.required] == [Verb.CLEAR]
    before = felt.acts()
    felt.cards["board"], felt.busy = ["QH"], {"2"}
    felt.look(2 * LOST_AFTER_S)
    assert felt.acts() == before
    assert felt.loop.question is None


def test_a_card_that_comes_to_light_while_a_pile_is_turned_over_is_no_slip() -> None:
    """The stock was out, and of the discards that were gathered a seven lay open for seconds."""
    felt = Felt("paiute", seats=5, level=Level.NONE)
    cards = iter(Deck.standard().cards)

    def due() -> set[Verb]:
        return {one.verb for one in felt.loop.state.turn if one.required}

    for _ in range(200):
        turn = felt.loop.state.turn
        if due() == {Verb.SHUFFLE}:
            break
        seat = next((one.seats[0] for one in turn if one.seats), 0)
        spots = {spot for one in turn for spot in one.spots}
        deal = next((one for one in turn if one.verb is Verb.DEAL), None)
        if deal is not None:
            hidden = sorted(spots)[0].isdigit()
            felt.type(
                f"deal {sorted(spots)[0]} {' '.join(['??'] * deal.pick) if hidden else next(cards)}"
            )
        elif Verb.DISCARD in due():
            felt.type(f"{seat} discard {next(cards)}")
        else:
            felt.type(f"{seat} draw stock ??")
    assert due() == {Verb.SHUFFLE}
    before = felt.acts()
    felt.cards["discards"], felt.busy = ["7D"], {""}
    felt.look(2 * LOST_AFTER_S)
    assert felt.acts() == before
    assert felt.loop.question is None


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
