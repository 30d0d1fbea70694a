"""Open piles from several packs: which card is on top, and how it came there."""

from __future__ import annotations

from dataclasses import replace

from firmware.follow.deciding import ASK_AFTER_S
from firmware.follow.panel import SAID_AGAIN_S
from firmware.follow.passed_turns import PASSED_S
from firmware.follow.pile import Pile
from hardware.press import Button
from rules.cards import Card
from tests.heaps import BESIDE, Heap, at, heap


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
