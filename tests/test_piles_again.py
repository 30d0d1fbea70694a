"""Cards of a pile exactly where they were before: what counted as gone or pushed never was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.follow.deciding import ASK_AFTER_S
from firmware.follow.passed_turns import PASSED_S
from firmware.follow.pile import HIDDEN_S, Pile
from firmware.follow.piles import Piles
from hardware.press import Button
from rules.cards import Card
from tests.heaps import BESIDE, Heap, at, heap, whole

LIKE = 0.006
"""Offset between two equal cards here: no camera distinguishes it from exact coincidence."""
PUSHED = 0.03
"""Offset at which a card seems to have been pushed when its copy was laid over it."""
ASIDE = 0.25
"""Offset at which a card leaves its copy's index in view, but may still be that copy, pushed."""


def covered(table: Heap) -> list[str]:
    """Lay a copy of the queen under the eight on both, as if the queen had come to light."""
    table.look(("QD", LIKE))
    assert table.acts()[-1] == "3 draw discards 8S"
    return table.acts()[:-1]


def test_a_card_that_is_where_it_was_was_never_taken() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    before = covered(table)
    table.look(("8S", 0.03))
    assert table.acts() == [*before, "3 discard QD", "1 draw discards QD"]
    assert table.loop.question is None
    table.look(("4C", 0.02))
    assert table.acts()[-1] == "1 discard 4C"


def test_a_card_that_was_taken_may_be_laid_back() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    before = covered(table)
    table.look(("8S", 0.05))
    assert table.acts() == [*before, "3 draw discards 8S", "3 discard 8S"]


def test_a_card_may_be_laid_back_nearly_where_it_was() -> None:
    """The queen came to light exactly where she was: a copy would not be placed so precisely."""
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.look(("QD", 0.0))
    before = table.acts()[:-1]
    table.look(("8S", 0.03 + LIKE))
    assert table.acts() == [*before, "3 draw discards 8S", "3 discard 8S"]


def test_a_card_where_it_was_under_the_last_one_was_not_pushed() -> None:
    """A copy was laid over it and the last card, and drawn."""
    table = heap(("5C", 0.0))
    table.look(("5C", 0.0), ("AH", BESIDE))
    before = table.acts()
    table.look(("5C", PUSHED), ("AH", BESIDE))
    assert table.acts() == before
    table.look(("5C", 0.0), ("AH", BESIDE))
    assert table.acts() == [*before, "3 discard 5C", "1 draw discards 5C"]


def test_what_was_said_before_it_is_seen_is_not_counted_again() -> None:
    """A card is said to be laid on its copy and to be drawn before a camera has seen either."""
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 draw stock ??; 3 discard 8S", sure=True)
    table.loop.type("1 draw discards 8S", sure=True)
    told = table.acts()
    table.look(("8S", 0.03), ("8S", BESIDE), seconds=2 * ASK_AFTER_S)
    table.look(("8S", 0.03), seconds=2 * ASK_AFTER_S)
    assert table.acts() == told
    assert table.loop.question is None
    table.look(("4C", 0.02))
    assert table.acts() == [*told, "1 discard 4C"]


def test_what_was_said_and_comes_to_light_with_the_next_card_is_not_counted_again() -> None:
    """A hand was over a deuce said to be laid on a deuce until the next player's ace had come."""
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 draw stock ??; 3 discard 8S", sure=True)
    told = table.acts()
    table.look(("8S", 0.03), ("8S", BESIDE), ("AH", 2 * BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.loop.question is None
    assert table.acts() == [*told, "1 discard AH"]
    table.look(("8S", 0.03), ("8S", BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.acts() == [*told, "1 discard AH", "2 draw discards AH"]


def test_of_two_that_come_at_once_the_one_that_was_said_is_no_longer_new() -> None:
    """In Panguingue, of eight packs, the deuce and the ace were told as laid by the next two."""
    pile, eight = Pile(), Card.parse("8S")
    pile.see([at("8S", 0.0)])
    for said in range(1, 3):
        pile.settle((eight,) * said)
    pile.see([at("8S", 0.0), at("8S", BESIDE), at("AH", 2 * BESIDE)])
    assert [str(one.card) for one in pile.tops] == ["AH"]
    assert [str(one.card) for one in pile.known] == ["8S", "8S", "AH"]


def test_a_card_laid_like_a_covered_one_is_new_if_another_still_lies_above() -> None:
    """Nobody draws the ace from under the ten."""
    table = heap(("QS", 0.0), ("AH", 0.02))
    table.look(("AH", 0.02), ("TD", BESIDE))
    before = table.acts()
    table.look(("QS", LIKE), ("TD", BESIDE))
    assert table.acts() == [*before, "1 discard QS"]


def test_a_card_that_was_said_to_come_is_new_though_it_lies_like_one_further_down() -> None:
    pile, card = Pile(), Card.parse("8D")
    pile.see([at("8D", 0.0)])
    pile.settle((card,))
    for number, place in enumerate((0.04, LIKE), 2):
        pile.settle((card,) * number)
        pile.see([at("8D", place)])
        assert not pile.bared
        assert pile.since == []


def test_a_hand_that_pushes_a_card_says_nothing_about_the_camera() -> None:
    """Nor one that lays a copy: only what nobody touched shows how a camera's readings jump."""
    jitter = heap().loop.sight.piles.jitter
    for place in (0.0, PUSHED, 0.0, PUSHED):
        jitter.see({"1": [at("9H", place)], "2": []})
        jitter.see({"2": []})
    assert jitter.within(1.0) < PUSHED
    assert jitter.perhaps_within(1.0) == 1.0


def test_what_came_to_another_place_later_came_after_what_was_on_the_pile_by_then() -> None:
    """So the ace that may have been pushed under the next one was discarded, two turns before."""
    table = Heap("mille", seats=2)
    table.look(("4D", 0.0))
    table.look(("4D", 0.0), ("AC", BESIDE))
    assert table.acts() == ["deal discards 4D", "2 discard AC"]
    table.look(("4D", 0.0), ("AC", BESIDE + PUSHED))
    table.look(("4D", 0.0), ("AS", BESIDE + 0.02))
    assert table.acts()[-1] == "2 discard AC"
    table.meld("1.meld-9", "9S", "9H", "9D")
    table.look(("4D", 0.0), ("AS", BESIDE + 0.02))
    assert table.acts()[2:] == ["1 discard AC", "2 discard AS", "1 meld 9S 9H 9D"]


def test_a_card_moved_from_a_wrong_place_onto_its_copy_was_discarded() -> None:
    """It lay by mistake before another player; the ten on the pile was not pushed."""
    table = Heap("mille", 2)
    table.look(("TD", 0.0))
    table.look(("TD", 0.0), ("9D", BESIDE))
    before = table.acts()
    table.loop.type("1 draw stock ??")
    table.meld("2.meld-2", "TD")
    table.look(("TD", 0.0), ("9D", BESIDE), seconds=2.0)
    assert table.acts()[-1] == "deal 2.meld-t TD"
    table.meld("2.meld-2")
    table.look(("TD", 0.2), ("9D", BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.acts() == [*before, "1 discard TD"]
    assert table.loop.state.violations == ()


def test_what_is_said_to_be_under_the_last_card_is_on_top_once_that_is_gone() -> None:
    """A king came under a hand exactly where another lay further down; one next to it is lower."""
    pile = Pile()
    four, queen, spade = at("4D", 0.1), at("QH", BESIDE), at("KS", BESIDE + 0.05)
    looks = (
        ([at("KH", 0.0)], "KH"),
        ([at("KH", 0.0), queen], "KH QH"),
        ([at("KH", 0.0), spade], "KH QH KS"),
        ([four, spade], "KH QH KS KH 4D"),
    )
    for lying, held in looks:
        pile.see(lying)
        pile.settle(tuple(map(Card.parse, held.split())))
    king = at("KH", 0.0)
    pile.see([king, spade])
    assert pile.tops == (king,)


def test_a_resumed_hand_knows_what_came_onto_a_pile_under_its_last_card() -> None:
    """Whoever draws that one bares a card that the hand did not know of, and lays nothing."""
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 draw stock ??", sure=True)
    table.cover("discards", PASSED_S + 1.0)
    table.look(("4C", 0.02))
    table.look(("9H", 0.04), seconds=2 * ASK_AFTER_S)
    assert table.offered[1] == "3 resume 7 discards 4C 9H"
    table.press(Button.FIX)
    table.press(Button.OK)
    table.look(("4C", 0.02))
    assert table.acts()[-1] == "3 draw discards 9H"


def test_what_may_have_happened_on_a_pile_has_not_if_it_makes_no_difference() -> None:
    """The king may have been drawn under the hand; all agree to stop, and nobody gets anything."""
    table = Heap("paiute", 3)
    table.meld("wild", "JS")
    table.look(("QH", 0.0))
    table.look(("KC", 0.03))
    assert table.acts()[-1] == "2 discard KC"
    table.cover("discards", HIDDEN_S + 0.5)
    table.look(("3S", 0.02))
    table.meld("wild")
    table.look(seconds=ASK_AFTER_S)
    first = table.loop.match.hands[0]
    assert [str(act) for act in first.acts][-4:] == [
        "3 draw stock ??",
        "3 discard 3S",
        "end",
        "clear",
    ]


def test_a_card_lies_over_the_last_if_its_ends_are_in_view_and_not_the_other_s() -> None:
    """However the outlines of the two jump: an equal card was laid on the one further down."""
    pile, queen, two = Pile(), Card.parse("QC"), Card.parse("2D")
    pile.see([whole("QC", 0.0)])
    pile.settle((queen,))
    pile.see([at("QC", 0.03), whole("2D", BESIDE)])
    pile.settle((queen, two))
    pile.see([whole("QC", 0.08), at("2D", BESIDE - 0.03)])
    assert [(top.card, top.came, top.perhaps) for top in pile.since] == [(queen, True, False)]
    pile.settle((queen, two, queen))
    pile.see([whole("QC", 0.08), at("2D", BESIDE - 0.03)])
    assert pile.since == []
    assert not pile.bared
    pile.see([at("QC", 0.03), whole("2D", BESIDE)])
    assert [(top.card, top.came) for top in pile.since] == [(two, False)], "the queen was taken"


def test_a_card_over_the_last_was_laid_though_it_lies_like_one_further_down() -> None:
    """Nothing further down comes to light while the last card is still there."""
    pile, cards = Pile(), [Card.parse(text) for text in ("4D", "6H", "3S")]
    pile.see([whole("4D", 0.0)])
    pile.settle(tuple(cards[:1]))
    pile.see([whole("6H", 0.02)])
    pile.settle(tuple(cards[:2]))
    pile.see([at("6H", 0.02), whole("3S", 0.3)])
    pile.settle(tuple(cards))
    pile.see([whole("4D", 0.0), at("3S", 0.33)])
    assert [(str(top.card), top.came) for top in pile.since] == [("4D", True)]
    assert not pile.bared


def test_a_card_over_all_others_was_laid_though_the_last_is_covered_from_view() -> None:
    """A card under the last one comes to light beside it, and looks as if it had been uncovered."""
    pile, cards = Pile(), [Card.parse(text) for text in ("JH", "8D", "QH", "TS")]
    looks = (
        [whole("JH", 0.0)],
        [whole("QH", 0.1), at("8D", 0.6)],
        [whole("TS", 0.05), at("8D", 0.6)],
    )
    pile.see(looks[0])
    pile.settle(tuple(cards[:1]))
    pile.see([at("JH", 0.0), whole("8D", 0.6)])
    pile.settle(tuple(cards[:2]))
    for number, look in enumerate(looks[1:], 3):
        pile.see(look)
        pile.settle(tuple(cards[:number]))
    pile.see([whole("JH", 0.01), at("QH", 0.12), at("8D", 0.6)])
    assert [(str(top.card), top.came) for top in pile.since] == [("JH", True)]


def test_what_was_laid_over_and_taken_again_leaves_the_pile_as_it_was() -> None:
    """Cards that are gone no longer lie above what comes to light, however often that happens."""
    pile, two, six = Pile(), Card.parse("2S"), Card.parse("6C")
    pile.see([whole("2S", 0.0)])
    pile.settle((two,))
    pile.see([at("2S", 0.0), whole("6C", 0.4)])
    pile.settle((two, six))
    for over, place in (("AC", 0.1), ("KD", 0.05)):
        pile.see([whole(over, place), at("6C", 0.4)])
        pile.settle((two, six, Card.parse(over)))
        pile.see([at("2S", 0.0), whole("6C", 0.4)])
        assert [(top.card, top.came) for top in pile.since] == [(six, False)]
        pile.settle((two, six))


def test_equal_cards_side_by_side_under_a_new_one_are_not_new() -> None:
    """Each is the nearer of the two that lay there, as far as their outlines jump."""
    pile, three, club, six = Pile(), Card.parse("3S"), Card.parse("3C"), Card.parse("6S")
    pile.see([whole("3S", 0.0)])
    pile.settle((three,))
    pile.see([whole("3S", 0.0), at("3S", 0.2)])
    pile.settle((three, three))
    pile.see([at("3S", 0.0), at("3S", 0.2), whole("3C", 0.45)])
    pile.settle((three, three, club))
    pile.see([whole("6S", -0.1), at("3S", 0.24), at("3C", 0.41)])
    pile.settle((three, three, club, six))
    pile.see([whole("6S", -0.1), at("3S", 0.24), at("3C", 0.41)])
    assert pile.tops == (whole("6S", -0.1),)
    assert pile.since == []


def test_the_last_card_under_one_that_lies_like_a_lower_one_is_not_a_copy_elsewhere() -> None:
    """An ace is laid on it, exactly where an equal ace lies below."""
    pile, cards = Pile(), [Card.parse(text) for text in ("4H", "AD", "4H", "AD")]
    pile.see([whole("4H", 0.0)])
    pile.settle(tuple(cards[:1]))
    pile.see([at("4H", 0.0), whole("AD", 0.1)])
    pile.settle(tuple(cards[:2]))
    pile.see([at("AD", 0.1), whole("4H", 0.45)])
    pile.settle(tuple(cards[:3]))
    pile.see([at("4H", 0.45), whole("AD", 0.1)])
    assert [(str(top.card), top.came) for top in pile.since] == [("AD", True)]
    pile.settle(tuple(cards))
    pile.see([at("4H", 0.45), whole("AD", 0.1)])
    assert not pile.since


@pytest.mark.parametrize("read", [0.0, 0.15])
def test_a_copy_under_what_lay_under_the_last_card_is_not_that_card(read: float) -> None:
    """The last one lay exactly on its copy; of that one an index peeps out, read as if it lay a
    little elsewhere."""
    pile, cards = Pile(), [Card.parse(text) for text in ("4C", "7S", "4C")]
    pile.see([whole("4C", 0.0)])
    pile.settle(tuple(cards[:1]))
    pile.see([at("4C", 0.0), whole("7S", 0.5)])
    pile.settle(tuple(cards[:2]))
    pile.see([whole("4C", 0.005), at("7S", 0.5)])
    pile.settle(tuple(cards))
    for _ in range(2):
        pile.see([at("4C", read), whole("7S", 0.5)])
        assert [(str(top.card), top.came) for top in pile.since] == [("7S", False)]
    pile.settle(tuple(cards[:2]))
    pile.see([at("4C", read), at("7S", 0.5), whole("2H", 0.3)])
    assert [(str(top.card), top.came) for top in pile.since] == [("2H", True)]


def test_a_card_next_to_the_last_one_in_full_view_does_not_lie_over_it_when_the_next_comes() -> (
    None
):
    """A two lay beside a six, both in full view; a four came over both, and the six, of which half
    an index was left, was told as drawn and another one as discarded."""
    pile, cards = Pile(), [Card.parse(text) for text in ("6C", "2H", "6C", "4S")]
    pile.see([whole("6C", -0.2)])
    pile.settle(tuple(cards[:1]))
    pile.see([whole("2H", 0.0)])
    pile.settle(tuple(cards[:2]))
    pile.see([whole("2H", 0.0), whole("6C", 0.5)])
    pile.settle(tuple(cards[:3]))
    pile.see([whole("2H", 0.0), whole("4S", 0.25), at("6C", 0.5)])
    assert [(str(top.card), top.came) for top in pile.since] == [("4S", True)]


@pytest.mark.parametrize("sole", [True, False])
def test_the_only_card_of_its_kind_comes_to_light_whatever_seems_to_lie_over_it(
    *, sole: bool
) -> None:
    """A knave deep down was read elsewhere, as if it had come last but one."""
    knave, five = replace(at("J?", 0.3), confidence=0.82), at("5D", 0.5)
    jack = whole("JC", 0.2)
    pile = Pile(known=[five, knave, jack], shown=(knave, five, jack), tops=(jack,))
    pile.settle((five.card, jack.card))
    pile.see([knave, replace(five, whole=True)], lambda _: sole)
    assert [(str(top.card), top.came) for top in pile.since] == [("5D", not sole)]


def test_if_one_of_two_cards_may_have_been_covered_by_its_copy_both_are_offered() -> None:
    """Both were read anew, neither hides an end of the other, and a hand was there."""
    table = heap(("KC", 0.0))
    table.look(("KC", 0.0), ("KH", BESIDE))
    before = table.acts()
    table.cover("discards", 0.6)
    table.look(("KC", 0.004), ("KH", BESIDE + 0.03), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    offered = {offer.split("; ")[-1] for offer in table.offered}
    assert offered == {"", "3 discard KC", "3 discard KH"}


def test_a_doubtful_card_in_full_view_is_not_taken_for_the_one_it_hardly_can_be() -> None:
    """So whether an ace was laid on an ace is asked, and that is offered first, as it is likelier.

    Of a half-covered one, little is read.
    """
    table = heap(("AS", 0.0))
    before, clubs, spades = table.acts(), Card.parse("AC"), Card.parse("AS")
    doubtful = replace(at("AC", 0.02), confidence=0.89, candidates=((clubs, 0.93), (spades, 0.07)))
    for one, offered in ((doubtful, []), (replace(doubtful, whole=True), ["2 discard AC", ""])):
        table.show("discards", one, seconds=2 * ASK_AFTER_S)
        assert table.acts() == before
        assert [offer.split("; ")[-1] for offer in table.offered] == offered


@pytest.mark.parametrize(("off", "came"), [(0.18, ["9H"]), (0.45, ["AC", "9H"])])
def test_what_peeps_out_from_under_the_one_that_came_lay_there(off: float, came: list[str]) -> None:
    """Of an ace that the last card hid, an index shows again, which tells its place badly."""
    pile, cards = Pile(), [Card.parse(text) for text in ("5S", "AC", "JS")]
    pile.see([whole("5S", 0.6)])
    pile.settle(tuple(cards[:1]))
    pile.see([whole("5S", 0.6), whole("AC", 0.0)])
    pile.settle(tuple(cards[:2]))
    pile.see([whole("5S", 0.6), whole("JS", 0.1)])
    pile.settle(tuple(cards))
    pile.see([whole("5S", 0.6), at("AC", -off), whole("9H", 0.15)])
    assert [str(one.card) for one in pile.tops] == came


@pytest.mark.parametrize(("place", "taken"), [(1.05, True), (0.75, False)])
def test_a_card_that_would_show_beside_the_one_laid_was_taken_before(
    place: float, taken: bool
) -> None:
    """The next player drew it and laid another within a second: what lay under it shows again."""
    pile, nine, two = Pile(), Card.parse("9H"), Card.parse("2H")
    pile.see([whole("9H", 0.0)])
    pile.settle((nine,))
    pile.see([at("9H", 0.0), whole("2H", 0.6)])
    pile.settle((nine, two))
    pile.see([at("9H", 0.0), whole("4S", place)])
    came = [(str(top.card), top.came) for top in pile.since]
    assert came == [*([("9H", False)] if taken else []), ("4S", True)]


def test_a_copy_laid_on_a_card_beside_another_copy_comes_to_light_again() -> None:
    """The second four lies beside the first; the third, laid on the first, covers half of it."""
    table = heap(("5C", 0.0), ("4H", 0.02))
    table.show("discards", at("4H", 0.02), whole("4H", ASIDE))
    table.show("discards", whole("4H", 0.02 + LIKE), at("4H", ASIDE))
    table.show("discards", whole("QD", 0.03), at("4H", ASIDE))
    *before, last = table.acts()
    assert last.endswith("discard QD")
    table.show("discards", whole("4H", 0.02 + LIKE), at("4H", ASIDE))
    assert table.acts()[:-1] == [*before, last]
    assert table.acts()[-1].endswith("draw discards QD")


def test_a_card_read_where_its_copy_peeped_out_is_on_top_as_it_was_read() -> None:
    """Counted as lying just where the copy was measured, it was found nowhere in the picture, and
    the ten beside it seemed to be on top still."""
    copy, read, ten = (at(text, place) for text, place in (("9H", 0.0), ("9H", 0.06), ("TD", 0.8)))
    copy = replace(copy, measured=True)
    atop = replace(read, outline=copy.outline, measured=True)
    pile = Pile(known=[copy, at("8S", 0.03), ten], tops=(atop,))
    pile._places[read.outline] = copy.outline  # where it was read when it peeped out
    piles = Piles({"discards": pile})
    assert piles.tops("discards", (ten, read)) == (read,)
    assert piles.tops("discards", (ten,)) == (ten,)
