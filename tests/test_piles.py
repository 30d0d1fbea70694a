"""Open piles from several packs: which card is on top, and how it came there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.follow.deciding import ASK_AFTER_S
from firmware.follow.outlines import Jitter
from firmware.follow.panel import SAID_AGAIN_S
from firmware.follow.passed_turns import PASSED_S
from firmware.follow.pile import Pile
from firmware.follow.piles import Piles
from hardware.press import Button
from rules.cards import Card
from tests.heaps import BESIDE, Heap, at, heap, whole
from vision.sightings import Seen


def test_a_card_next_to_the_last_is_new_though_another_copy_lies_further_down() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.look(("8S", 0.03), ("QD", BESIDE))
    assert table.acts() == ["deal discards QD", "2 discard 8S", "3 discard QD"]


def test_a_card_laid_squarely_next_to_one_that_still_shows_is_on_top() -> None:
    table = heap(("QD", 0.0))
    table.look(("QD", 0.0), ("8S", BESIDE))
    table.look(("4C", 0.03), ("8S", BESIDE))
    assert table.acts() == ["deal discards QD", "2 discard 8S", "3 discard 4C"]


def test_drawing_the_upcard_bares_what_lay_below_it() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.look(("QD", 0.0))
    assert table.acts() == ["deal discards QD", "2 discard 8S", "3 draw discards 8S"]


def test_an_upcard_drawn_from_another_copy_is_recognised_by_the_lower_one_s_position() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03), ("8S", 0.33))
    assert table.acts()[-1] == "3 discard 8S"
    table.look(("8S", 0.03))
    assert table.acts()[-1] == "1 draw discards 8S"


def test_a_card_that_may_be_another_copy_or_have_been_pushed_is_asked_about() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    before = table.acts()
    table.look(("8S", 0.08), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    assert table.offered[0].endswith("3 discard 8S")  # a discard is due
    assert table.offered[1] == ""
    table.press(Button.FIX)
    table.press(Button.OK)  # it was pushed
    table.look(("8S", 0.08), seconds=2 * ASK_AFTER_S)
    assert table.loop.question is None
    table.look(("4C", 0.02))
    assert table.acts() == [*before, "3 discard 4C"]


def test_the_next_card_decides_whether_one_was_laid_on_its_copy() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    before = table.acts()
    table.look(("8S", 0.08))
    table.look(("8S", 0.03))  # whoever drew it has bared the other
    assert table.acts() == [*before, "3 discard 8S", "1 draw discards 8S"]


def test_both_explanations_are_asked_about_if_the_next_card_does_not_decide() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    before = table.acts()
    table.look(("8S", 0.08))
    table.look(("4C", 0.02), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    assert [line.split("; ")[-1] for line in table.offered] == ["1 discard 4C", "3 discard 4C"]


def test_a_pile_that_is_squared_up_is_not_asked_about() -> None:
    table = heap(("QD", 0.0), ("8S", 0.05))
    table.look(("8S", 0.0), seconds=2 * ASK_AFTER_S)
    assert table.loop.question is None


def test_a_card_said_to_be_laid_on_its_copy_is_not_asked_about() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 discard 8S")
    table.look(("8S", 0.03), seconds=1.0)
    table.look(("8S", 0.08), seconds=2 * ASK_AFTER_S)
    assert table.loop.question is None
    assert table.acts()[-1] == "3 discard 8S"


def test_a_card_that_covers_its_copy_next_to_the_last_is_asked_about() -> None:
    table = heap(("QD", 0.0))
    table.look(("QD", 0.0), ("8S", BESIDE))
    table.look(("QD", 0.05), ("8S", BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.offered[0].endswith("3 discard QD")
    table.press(Button.OK)
    table.look(("QD", 0.05), ("8S", BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.acts() == ["deal discards QD", "2 discard 8S", "3 discard QD"]


def test_a_card_said_to_be_laid_on_its_copy_is_the_one_laid_next_to_it() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 discard 8S")
    table.look(("8S", 0.03), ("8S", BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.acts()[-2:] == ["2 discard 8S", "3 discard 8S"]
    table.look(("8S", 0.03), ("8S", BESIDE), ("4C", 2 * BESIDE))
    assert table.acts()[-2:] == ["3 discard 8S", "1 discard 4C"]


def test_nobody_is_thought_to_have_drawn_from_a_pile_that_nothing_has_left() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.look(("8S", 0.03), ("8S", BESIDE))
    table.look(("8S", 0.03), ("4C", BESIDE))
    assert [str(act) for act in table.loop.state.acts[-2:]] == ["1 draw stock ??", "1 discard 4C"]


def test_a_pile_squared_up_with_the_cards_next_to_it_is_unchanged() -> None:
    table = heap(("QD", 0.0))
    table.look(("QD", 0.0), ("8S", 0.6))
    before = table.acts()
    table.look(("8S", 0.0), seconds=2 * ASK_AFTER_S)
    assert table.loop.question is None
    table.look(("QD", 0.0))
    assert table.acts() == [*before, "3 draw discards 8S"]


def test_what_was_squared_up_comes_to_light_though_nobody_saw_the_card_above_go() -> None:
    table = heap(("QD", 0.0), ("8S", 0.04))
    table.look(("8S", 0.04), ("4C", 0.6))
    before = table.acts()
    table.look(("4C", 0.0), seconds=2 * ASK_AFTER_S)
    table.look(("8S", 0.0))
    assert table.acts() == [*before, "1 draw discards 4C"]


def test_a_card_next_to_the_others_comes_to_light_after_many_were_laid_on_it() -> None:
    table = heap(("QD", 0.0))
    table.look(("QD", 0.0), ("8S", BESIDE))
    for text in ("4C", "5C", "6C"):
        table.look((text, 0.0), ("8S", BESIDE))
    table.look(("9H", 0.2))
    before = table.acts()
    table.look(("6C", 0.0), ("8S", BESIDE))
    assert [*before[1:], table.acts()[-1]] == [
        "2 discard 8S",
        "3 discard 4C",
        "1 discard 5C",
        "2 discard 6C",
        "3 discard 9H",
        "1 draw discards 9H",
    ]


def test_who_is_next_is_not_asked_if_the_next_card_decides() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 draw stock ??", sure=True)
    table.cover("discards", PASSED_S - 1.0)
    table.look(("4C", 0.02), seconds=2 * ASK_AFTER_S)
    assert table.acts()[-1] == "3 discard 4C"


def test_what_is_said_of_a_card_just_seen_to_come_is_not_a_second_one() -> None:
    """Another copy was on top, so somebody said it; the camera had seen the card next to that."""
    table = heap(("QD", 0.0))
    table.look(("QD", 0.0), ("QD", BESIDE))
    assert table.acts()[-1] == "2 discard QD"
    before = table.loop.state.acts
    table.loop.type("2 discard QD", sure=True)
    assert table.loop.state.acts == before
    table.look(("QD", 0.0), ("QD", BESIDE), seconds=SAID_AGAIN_S)
    table.loop.type("2 discard QD", sure=True)
    assert table.loop.state.open_violations


def pile_of(*tops: str) -> tuple[Pile, tuple[Card, ...]]:
    """A pile onto which these cards came one after the other, each seen and followed."""
    pile, held = Pile(), tuple(map(Card.parse, tops))
    for number, top in enumerate(tops):
        pile.see([at(top, 0.03 * number)])
        pile.settle(held[: number + 1])
    return pile, held


def test_a_card_that_was_drawn_unseen_may_come_again() -> None:
    pile, (below, drawn, last) = pile_of("2S", "5S", "2H")
    pile.settle((below, last))  # according to the rules the five had been drawn before
    pile.see([at(str(drawn), 0.03)])
    assert [str(top.card) for top in pile.tops] == ["5S"]
    assert not pile.bared


def test_a_card_whose_only_copy_is_in_the_pile_comes_to_light() -> None:
    """Judging by the part that shows next to the last card, it is slightly displaced."""
    pile, _ = pile_of("KS", "TH", "2C")
    pile.see([at("TH", 0.03), at("KS", 0.4)], lambda card: True)
    assert [str(top.card) for top in pile.tops] == ["TH"]
    assert pile.bared
    pile, _ = pile_of("KS", "TH", "2C")
    pile.see([at("TH", 0.03), at("KS", BESIDE)], lambda card: False)
    assert [str(top.card) for top in pile.tops] == ["KS"]  # another pack's


def test_a_card_that_happens_to_lie_like_one_further_down_was_discarded() -> None:
    table = heap(("QD", 0.0), ("8S", 0.2), ("4C", 0.1), ("QD", 0.001))
    table.look(("QD", 0.001), seconds=2 * ASK_AFTER_S)
    assert table.acts() == ["deal discards QD", "2 discard 8S", "3 discard 4C", "1 discard QD"]
    assert not table.loop.state.open_violations


def test_a_card_that_lies_like_one_further_down_was_discarded_if_one_above_that_shows() -> None:
    table = heap(("AH", 0.0))
    table.look(("AH", 0.0), ("8S", BESIDE))
    table.look(("9S", 0.01), ("8S", BESIDE))
    table.look(("QC", -0.1), ("8S", BESIDE))
    table.look(("AH", 0.0), ("8S", BESIDE), seconds=2.0)
    assert table.acts()[-2:] == ["1 discard QC", "2 discard AH"]


def test_a_card_laid_over_its_copy_next_to_the_last_was_discarded() -> None:
    table = heap(("8H", 0.3))
    table.look(("KD", 0.0), ("8H", 0.3))
    table.look(("TD", 0.02), ("8H", 0.3))
    table.look(("8H", 0.1), seconds=2 * ASK_AFTER_S)
    assert table.acts() == ["deal discards 8H", "2 discard KD", "3 discard TD", "1 discard 8H"]


def test_two_that_came_at_once_were_laid_one_after_the_other() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.look(("8S", 0.03), ("4C", 0.2), ("6H", 0.5))
    assert table.acts()[:2] == ["deal discards QD", "2 discard 8S"]
    assert sorted(act[2:] for act in table.acts()[2:]) == ["discard 4C", "discard 6H"]
    table.look(("4C", 0.2), ("TS", 0.4))
    assert table.acts()[-1] == "2 discard TS"


def test_a_copy_of_the_last_card_that_came_over_another_was_discarded() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.resting = frozenset({"discards"})
    table.look(("8S", 0.03))
    table.resting = frozenset()
    table.look(("4C", 0.2), ("8S", 0.5))
    assert sorted(act[2:] for act in table.acts()[2:]) == ["discard 4C", "discard 8S"]


def test_what_is_said_next_implies_that_a_card_was_laid_on_its_copy() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.look(("8S", 0.08))
    assert table.acts() == ["deal discards QD", "2 discard 8S"]
    table.loop.type("1 draw stock ??", sure=True)
    assert table.acts()[-1] == "3 discard 8S"
    assert str(table.loop.state.acts[-1]) == "1 draw stock ??"
    assert not table.loop.state.open_violations


def test_a_pile_said_to_be_empty_may_still_be_in_sight() -> None:
    pile, _ = pile_of("KS", "TH")
    pile.settle(())
    assert [str(top.card) for top in pile.tops] == ["TH"]


def test_a_half_taken_pile_is_waited_for() -> None:
    """Seat 1 melds the upcard, and the ace under it is bare until the rest is taken as well.

    The pile was squared up, so that the ace may have been laid there as well as have come to light.
    """
    table = Heap("mille", seats=2)
    for seat in (2, 1) * 15:
        table.loop.type(f"deal {seat} ??", sure=True)
    table.look(("AC", 0.0))
    table.look(("5D", 0.3))
    table.look(("5D", 0.0))
    assert table.acts() == ["deal discards AC", "2 discard 5D"]
    table.meld("1.meld-5", "5D", "5C", "5C")
    table.look(("AC", 0.0), seconds=1.0)
    assert table.acts()[-1] == "2 discard 5D", "no ace was discarded"
    table.look()
    assert table.acts()[-1] == "1 meld 5D 5C 5C"


def test_a_card_comes_to_light_next_to_others_that_were_laid_after_it() -> None:
    """They were never on it: one card was taken."""
    table = heap(("JS", 0.0))
    for card in ("AD", "QH", "5H"):
        table.look(("JS", 0.0), (card, BESIDE))
    table.look(("3D", 0.02), ("5H", BESIDE))
    table.look(("JS", 0.0), ("5H", BESIDE), seconds=2.0)
    assert table.acts()[-1] == "3 draw discards 3D"


def test_a_card_laid_over_its_copy_and_the_last_may_be_that_copy_pushed_under_a_draw() -> None:
    table = heap(("QD", 0.0))
    table.look(("QD", 0.0), ("QC", BESIDE))
    table.look(("8C", 0.1), ("QC", BESIDE))
    before = table.acts()
    table.look(("QC", 0.3), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    assert set(table.offered) == {"1 draw discards 8C", "1 draw stock ??; 1 discard QC"}


def test_a_card_on_its_copy_is_not_squared_up_while_another_lies_next_to_it() -> None:
    """A squared-up pile has nothing next to it, wherever the topmost card is."""
    table = heap(("2S", 0.0))
    table.look(("2S", 0.0), ("7S", BESIDE))
    table.look(("4S", 0.1), ("7S", BESIDE))
    before = table.acts()
    table.look(("4S", 0.0), ("7S", BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    assert {offer.split("; ")[-1] for offer in table.offered} == {"", "1 discard 4S"}


def test_a_card_that_was_always_next_to_the_pile_was_not_discarded() -> None:
    """The queen was laid over its copy and the last card, or was pushed as that one was drawn."""
    table = heap(("QD", 0.0))
    table.look(("QD", 0.0), ("7S", BESIDE))
    table.look(("QD", 0.0), ("4S", 0.25), ("7S", BESIDE))
    before = table.acts()
    table.loop.type("1 draw stock ??", sure=True)
    table.look(("QD", 0.1), ("7S", BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.acts() == [*before, "1 discard QD"]


def test_a_card_that_shows_both_its_ends_under_the_next_is_no_new_one() -> None:
    """A steady camera's jumps are those of outlines that were measured. The queen's was read."""
    jitter = Jitter()
    for off in (0.0, 0.001, 0.002, 0.003):
        jitter.see({"other": [at("KC", off)]})
    pile, queen, five = Pile(jitter), whole("QD", 0.0), whole("5S", 0.2)
    held: tuple[Card, ...] = ()
    for lying in ([replace(queen, measured=True)], [whole("QD", 0.01), five]):
        pile.see(lying)
        held = (*held, lying[-1].card)
        pile.settle(held)
    deuce = whole("2S", 0.17)
    pile.see([whole("QD", 0.02), deuce])
    assert pile.tops == (deuce,)


@pytest.mark.parametrize("shows", [True, False])
def test_a_card_laid_on_its_copy_is_not_forgotten_while_that_one_shows(shows: bool) -> None:
    """The pile looks as the state has it, and the discard was told only once the card that had been
    turned was taken up as well: the last player but one would have gone out with it."""
    state, piles = heap(("QD", 0.0), ("8S", 0.03)).loop.state, Piles()
    first, second = at("8S", 0.03), whole("8S", BESIDE)
    for time, lying in enumerate([(first,), (first, second) if shows else (second,)]):
        piles.see(state, Seen({"discards": lying}, frozenset(), (), float(time)))
        laid = piles.since(state)
        piles.agree(state, {"discards"})
    assert laid
    assert bool(piles.since(state)) is shows
    piles.settle(state, {"discards"})
    assert not piles.since(state)


def test_a_word_does_not_decide_what_is_on_a_pile() -> None:
    table = Heap("panguingue", seats=4)
    for top in ("7H", "JC", "JS"):
        table.look((top, 0.0))
    table.look(("JS", 0.08))
    table.loop.type("3 declare force", sure=True)
    before = table.acts()
    table.look(("JS", 0.0))  # whoever takes the one bares the other
    table.look(("4C", 0.1), seconds=2 * ASK_AFTER_S)
    assert table.acts() != before or "discard JS" in table.offered[0]


def test_a_card_laid_just_over_its_copy_has_the_cards_between_below_it() -> None:
    pile, queen, jack = Pile(), at("QC", 0.0), at("JH", 0.04)
    held: tuple[Card, ...] = ()
    for one in (queen, jack, queen):
        pile.see([one])
        held = (*held, one.card)
        pile.settle(held)
    pile.see([jack])
    assert pile.bared


def test_a_card_in_full_view_is_known_though_the_state_does_not_hold_it() -> None:
    """It was read while it was half covered, and lies on top since the other one has gone."""
    pile, five, ace = Pile(), at("5D", 0.0), at("AD", BESIDE)
    pile.see([replace(five, whole=False)])
    pile.see([replace(five, whole=False), ace])
    pile.see([replace(five, whole=True)])
    pile.settle((Card.parse("AS"), Card.parse("KH")))
    pile.see([replace(five, whole=True)])
    assert [top.card for top in pile.tops] == [five.card]


def test_an_equal_card_that_nobody_saw_laid_comes_to_light_again() -> None:
    """A six was laid exactly on a six, as its way from the stock told, and then a two on both."""
    pile, six, two = Pile(), at("6S", 0.0), at("2C", 0.02)
    held = tuple(map(Card.parse, ("6S", "6S", "2C")))
    pile.see([six])
    pile.settle(held[:1])
    pile.settle(held[:2])
    pile.see([two])
    pile.settle(held)
    other = at("6S", 0.03)
    pile.see([other])
    assert pile.tops == (other,)
    assert pile.bared
    assert [(top.card, top.came) for top in pile.since] == [(other.card, False)]


@pytest.mark.parametrize(("sure", "tops"), [(0.47, ["3H"]), (0.99, ["6D"])])
def test_a_guess_at_what_peeps_out_from_under_the_uncovered_card_is_not_laid_on_it(
    sure: float, tops: list[str]
) -> None:
    """Of a pile that is not square, a corner came to light that had never been seen."""
    pile, three, two = Pile(), at("3H", 0.0), at("2S", 0.03)
    for lying in ([three], [two]):
        pile.see(lying)
    corner = replace(at("6D", 0.4), confidence=sure, whole=False)
    three = replace(three, whole=True)
    pile.see([three, corner])
    assert [str(top.card) for top in pile.tops] == tops


@pytest.mark.parametrize(
    ("sure", "place", "tops"), [(0.97, 0.35, ["3S"]), (0.99, 0.35, ["7S", "3S"]), (0.97, 1.6, None)]
)
def test_a_guess_at_what_peeps_out_from_under_the_next_card_is_not_laid_with_it(
    sure: float, place: float, tops: list[str] | None
) -> None:
    """Beside the three that came, a corner far below was read as a seven: that was recorded.

    What lies beside the pile is not under it.
    """
    pile, six = Pile(), replace(at("6C", 0.0), whole=True)
    pile.see([six])
    seven = replace(at("7S", place), confidence=sure, whole=False)
    pile.see([seven, replace(at("3S", 0.45), whole=True)])
    assert [str(top.card) for top in pile.tops] == (tops or ["7S", "3S"])
    assert pile.since[-1].among == () or len(pile.tops) > 1


def test_a_card_that_peeps_out_farther_off_than_it_lay_is_not_laid_on_the_pile() -> None:
    """Once the card over both was drawn, an eight was read a sixth of its width off."""
    pile, eight, five = Pile(), at("8D", 0.0), at("5C", 0.2)
    nine = replace(at("9S", 0.38), whole=True)
    low = replace(eight, whole=False)
    for lying in ([eight], [low, nine], [five], [replace(at("8D", 0.17), whole=False), nine]):
        pile.see(lying)
    assert [str(top.card) for top in pile.tops] == ["9S"]
    assert pile.bared


def test_what_peeps_out_a_little_differently_is_the_card_it_was_taken_for_before() -> None:
    """A five far below was read half a card's width off its place, twice, and not quite alike."""
    pile, five, king = Pile(), replace(at("5C", 0.0), measured=True), at("KS", 0.36)
    for lying in ([five], [replace(king, measured=True)]):
        pile.see(lying)
    low, ace = replace(at("5C", 0.27), whole=False), at("AS", 0.3)
    pile.see([low, replace(ace, whole=True), replace(king, measured=True, whole=False)])
    assert [str(top.card) for top in pile.tops] == ["AS"]
    again, eight = replace(low, outline=at("5C", 0.31).outline), replace(at("8D", 0.24), whole=True)
    pile.see([again, eight, replace(ace, whole=False)])
    assert [str(top.card) for top in pile.tops] == ["8D"]


def test_what_was_done_lawfully_is_no_slip_because_something_odd_lies_elsewhere() -> None:
    """A card was read twice in a meld, and the discard that came meanwhile counted as dealt."""
    table = Heap("oklahoma-rummy")
    table.look(("2D", 0.0))
    table.meld("1.meld-1", "4S")
    table.look(("2D", 0.0), ("9S", BESIDE), seconds=4.0)
    assert table.acts() == ["deal discards 2D", "2 discard 9S", "deal 1.meld-1 4S"]
    table.meld("3.meld-1", "KS", "KH", "KD")
    table.meld("2.meld-1", "7C")
    table.look(("2D", 0.0), ("9S", BESIDE), seconds=4.0)
    assert table.acts()[-1] == "deal 1.meld-1 4S"  # a second slip: the hand is elsewhere


def test_a_whole_meld_laid_beside_something_odd_is_lawful() -> None:
    table = Heap("oklahoma-rummy")
    table.look(("2D", 0.0))
    table.look(("2D", 0.0), ("9S", BESIDE))
    table.meld("1.meld-1", "4S")
    table.meld("3.meld-1", "KS", "KH", "KD")
    table.look(("2D", 0.0), ("9S", BESIDE), seconds=4.0)
    assert table.acts()[-2:] == ["3 meld KS KH KD", "deal 1.meld-1 4S"]
