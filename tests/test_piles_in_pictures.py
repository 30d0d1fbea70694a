"""Open piles as a camera reads them: outlines jump, begin at either end, and come and go."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.follow.deciding import ASK_AFTER_S
from firmware.follow.outlines import BARED, NUDGED, PEEPING, Jitter
from firmware.follow.pile import Pile
from hardware.press import Button
from rules.cards import Card
from tests.felt import FRAME_S
from tests.heaps import BESIDE, Heap, at, whole
from tests.heaps import heap as steady_heap
from vision.sightings import Lying, Seen

OFF = 0.018
"""How far a fully visible card jumps here between two readings, in hundreds of pixels: 0.03 of its
width."""
FAR_OFF = 0.036
"""The same for a card of which only a part is visible."""


def shaky(table: Heap) -> Heap:
    """A table whose camera has read a card elsewhere in two positions."""
    for place in (0.0, OFF):
        table.loop.sight.piles.jitter.see({"": [at("2C", place)]})
    return table


def heap(*tops: tuple[str, float]) -> Heap:
    """A pile onto which these came, read by such a camera."""
    return shaky(steady_heap(*tops))


def show(table: Heap, *cards: Lying, seconds: float = FRAME_S) -> None:
    """Show these cards at the discards."""
    until = table.time + seconds
    while table.time < until - 1e-9:
        table.time += FRAME_S
        spots = {**dict.fromkeys(table.loop.state.spots, ()), "discards": cards}
        table.loop.see(Seen(spots, table.resting, (), table.time))


def turned(card: Lying) -> Lying:
    """The same card, read from its other end."""
    return replace(card, outline=(*card.outline[2:], *card.outline[:2]))


def test_a_card_that_is_read_from_its_other_end_comes_to_light() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    show(table, turned(at("QD", 0.0)))
    assert table.acts()[-1] == "3 draw discards 8S"


def test_a_card_comes_to_light_slightly_displaced() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    show(table, turned(at("QD", OFF)))
    assert table.acts()[-1] == "3 draw discards 8S"
    table.look(("4C", 0.02))
    assert table.acts()[-2:] == ["3 draw discards 8S", "3 discard 4C"]
    table.look(("QD", 0.0))
    assert table.acts()[-1] == "1 draw discards 4C"


def test_a_bared_card_counts_if_the_next_card_came_before_the_hand_had_left() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.resting = frozenset({"2", "3"})
    show(table, turned(at("QD", OFF)))
    table.look(("QD", 0.0), ("4C", BESIDE))
    table.resting = frozenset()
    table.look(("QD", 0.0), ("4C", BESIDE))
    assert table.acts()[-2:] == ["3 draw discards 8S", "3 discard 4C"]


def test_the_upcard_goes_into_a_meld_though_the_card_below_is_read_slightly_displaced() -> None:
    """Not from the stock, with the card below discarded again from another pack."""
    table = shaky(Heap("panguingue", seats=4))
    for top in ("7H", "JC", "JS", "2C"):
        table.look((top, 0.0))
    before = table.acts()
    assert before[-1].endswith("discard 2C")
    table.resting = frozenset({"1.meld-1"})
    table.look(("JS", OFF), seconds=1.0)
    table.resting = frozenset()
    table.meld("1.meld-1", "2C", "2D", "2H")
    table.look(("JS", OFF))
    assert table.acts() == [*before, "1 meld 2C 2D 2H"]


def test_the_upcard_goes_into_a_meld_though_the_card_below_was_pushed_under_it() -> None:
    """Nobody saw the pile squared up, as only its topmost card was visible."""
    table = shaky(Heap("panguingue", seats=4))
    for top in (("7H", 0.0), ("JC", 0.0), ("JS", 0.2), ("2C", 0.0)):
        table.look(top)
    before = table.acts()
    table.cover("discards", 1.0)
    table.look(("2C", 0.0))
    table.look(("JS", 0.0), seconds=1.0)
    table.meld("1.meld-1", "2C", "2D", "2H")
    table.look(("JS", 0.0), seconds=2 * ASK_AFTER_S)
    assert table.acts() == [*before, "1 meld 2C 2D 2H"]


def test_a_card_that_reappears_next_to_the_following_one_is_not_a_new_one() -> None:
    table = heap(("6D", 0.0))
    table.look(("6D", 0.0), ("KD", 0.35))
    table.look(("9H", 0.33))
    before = table.acts()
    table.look(("6D", FAR_OFF), ("2D", 0.34), seconds=2 * ASK_AFTER_S)
    assert table.acts() == [*before, "1 discard 2D"]


def test_a_card_that_was_missed_for_long_is_not_a_new_one_next_to_the_one_that_came() -> None:
    """One card has come and covers the last; a second at the same moment needs another hand."""
    table = heap(("6D", 0.0))
    table.look(("6D", 0.0), ("KD", 0.35))
    for card in ("9H", "8S", "7C", "5C", "3H"):
        table.look((card, 0.35))
    before = table.acts()
    table.look(("6D", FAR_OFF), ("2D", 0.36), seconds=2 * ASK_AFTER_S)
    assert table.acts() == [*before, "2 discard 2D"]


def test_a_card_that_was_partly_visible_lies_slightly_displaced_once_it_is_bare() -> None:
    table = heap(("QD", 0.0))
    table.look(("QD", FAR_OFF), ("8S", 0.2))
    table.look(("QD", -FAR_OFF), seconds=2 * ASK_AFTER_S)
    assert table.acts() == ["deal discards QD", "2 discard 8S", "3 draw discards 8S"]


def test_a_half_covered_card_comes_to_light_displaced_before_the_camera_is_known() -> None:
    """What is not read again does not jump, and of this card only a part is visible again."""
    table = steady_heap(("8S", 0.0))
    ace, three = at("AH", 0.03), at("3S", BESIDE)
    for cards in ((ace,), (ace, three), (three, at("7C", 0.0))):
        show(table, *cards)
    before = table.acts()
    show(table, at("AH", 0.03 - FAR_OFF), three, seconds=2 * ASK_AFTER_S)
    assert table.acts() == [*before, "2 draw discards 7C"]


def test_a_copy_of_a_covered_card_is_new_if_nothing_above_it_has_gone() -> None:
    table = heap(("JH", 0.0), ("KS", 0.2))
    table.look(("JH", OFF), ("KS", 0.22))
    assert table.acts() == ["deal discards JH", "2 discard KS", "3 discard JH"]


def test_a_card_that_may_be_the_one_below_or_its_copy_is_asked_about() -> None:
    """It is farther from it than a camera's readings of a bare card jump."""
    table = heap(("7C", 0.0))
    table.look(("7C", 0.0), ("QD", BESIDE))
    table.look(("7C", OFF), ("8S", BESIDE))
    before = table.acts()
    table.look(("7C", 0.0), ("QD", BESIDE + 0.06), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    assert set(table.offered) == {"1 draw discards 8S", "1 draw stock ??; 1 discard QD"}


def test_a_copy_of_a_card_that_lay_alone_is_distinguished_by_its_position() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    before = table.acts()
    table.look(("QD", 0.06))
    assert table.acts() == [*before, "3 discard QD"]


def test_a_pile_of_which_nothing_is_read_for_a_moment_is_not_taken_up() -> None:
    """The upcard may have been drawn: that is asked."""
    table = heap(("QD", 0.0), ("JH", 0.03))
    table.look(("JH", 0.03), ("7H", BESIDE))
    table.look(("8S", 0.03), ("7H", BESIDE))
    before = table.acts()
    table.look(seconds=1.0)
    table.look(("AS", 0.04), ("7H", BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    assert set(table.offered) == {
        "2 draw discards 8S; 2 discard AS",
        "2 draw stock ??; 2 discard AS",
    }
    table.press(Button.OK)
    table.look(("AS", 0.04), ("7H", BESIDE))
    table.look(("4C", 0.04), ("7H", BESIDE))
    assert table.acts()[-1] == "3 discard 4C"


def test_a_pile_that_was_unread_for_a_moment_is_as_before() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    before = table.acts()
    table.look(seconds=1.0)
    table.look(("8S", 0.03), seconds=2 * ASK_AFTER_S)
    assert (table.acts(), table.loop.question) == (before, None)


def test_a_camera_counts_as_steady_once_its_readings_were() -> None:
    jitter, lying = Jitter(), {"1": [at("QD", 0.0)]}
    jitter.see(lying)
    assert (jitter.within(BARED), jitter.perhaps_within(BARED)) == (NUDGED, BARED)  # not known yet
    for _ in range(3):
        jitter.see({"1": [at("QD", 0.0)]})
    assert jitter.within(PEEPING) == NUDGED
    for number in range(9):
        jitter.see({"1": [at("QD", OFF * (number % 2))]})
    assert jitter.within(PEEPING) == PEEPING


def test_a_steady_camera_distinguishes_a_copy_of_a_card() -> None:
    table = steady_heap(("QD", 0.0))
    for _ in range(3):  # another card next to it, which goes again
        table.look(("QD", 0.0), ("8S", BESIDE))
        table.look(("QD", 0.0))
    table.look(("8S", 0.03))
    table.look(("QD", OFF))
    assert table.acts()[-1].endswith("discard QD")


def test_how_steady_a_camera_reads_may_have_to_be_asked_about() -> None:
    """Nothing was read twice yet: the card below may have come to light, or a copy have come."""
    table = steady_heap(("QD", 0.0), ("8S", 0.03))
    before = table.acts()
    table.look(("QD", OFF), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    assert set(table.offered) == {"3 draw discards 8S", "3 draw stock ??; 3 discard QD"}


def recorded(text: str, *corners: tuple[float, float]) -> Lying:
    """A sighting from a webcam's picture."""
    card = Card.parse(text)
    return Lying(card, 1.0, ((card, 1.0),), corners)


def test_a_pile_squared_up_before_the_camera_is_known_to_be_steady_is_unchanged() -> None:
    """The first two cards of a hand do not yet reveal how far readings jump.

    The king is held up for a moment while the pile is squared, and the ace below comes to light.
    """
    ace = recorded("AS", (1008.0, 609.9), (900.5, 604.0), (908.0, 466.7), (1015.6, 472.6))
    king = recorded("KS", (1013.6, 609.9), (910.1, 608.6), (911.8, 468.2), (1015.4, 469.5))
    held_up = recorded("KS", (1013.1, 582.6), (904.9, 579.8), (908.6, 436.1), (1016.8, 438.9))
    squared = recorded("KS", (1008.7, 608.9), (905.3, 607.0), (907.8, 467.8), (1011.2, 469.7))
    bared = recorded("AS", (906.5, 466.3), (1011.4, 468.4), (1008.5, 610.3), (903.6, 608.2))
    pile = Pile()
    pile.see([ace])
    pile.see([king])
    pile.settle((ace.card, king.card))
    for one in (held_up, squared, bared):
        pile.see([one])
    assert pile.bared
    assert [(str(top.card), top.came, top.perhaps) for top in pile.since] == [
        ("KS", True, True),
        ("AS", False, False),
    ]


@pytest.mark.parametrize("compared", [False, True])
def test_a_pile_is_squared_up_though_outlines_of_its_cards_differ_in_size(compared: bool) -> None:
    """Their middles agree; a card that lies a little off the first one's middle came or was pushed.

    A six came first, and the queen lay beside a four until somebody squared them up. Where each was
    `compared` with an equal card by its picture, that says nothing of how the others lie.
    """
    six = recorded("6D", (905.0, 465.3), (1014.3, 466.4), (1013.0, 600.6), (903.7, 599.5))
    four = recorded("4S", (898.2, 467.5), (1011.3, 462.8), (1017.9, 621.3), (904.8, 626.0))
    queen = recorded("QC", (918.8, 462.4), (1018.4, 451.4), (1033.8, 590.7), (934.2, 601.7))
    corners = (1014.3, 600.1), (913.7, 607.4), (903.5, 465.4), (1004.1, 458.1)
    for off, tops in ((0.0, []), (3.0, [("QC", True, True)])):
        pile = Pile()
        moved = recorded("QC", *((x + off, y) for x, y in corners))
        *looks, last = (
            [replace(one, measured=compared) for one in looked]
            for looked in ([six], [four], [queen, four], [moved])
        )
        for looked in looks:
            pile.see(looked)
        pile.settle((six.card, four.card, queen.card))
        pile.see(last)
        assert [(str(top.card), top.came, top.perhaps) for top in pile.since] == tops


def test_a_card_that_was_partly_visible_comes_to_light_again_though_others_lie_over_it() -> None:
    """Of five cards three are visible; a king comes over them and is taken."""
    pile, king = Pile(), at("KD", 0.09)
    two, five, hidden, six = at("2S", 0.0), at("5C", 0.64), at("5H", 0.13), at("6C", 0.36)
    for looked in ([five], [two, five], [two, five, hidden], [two, five, six]):
        pile.see(looked)
    pile.settle(tuple(one.card for one in (five, two, hidden, six)))
    pile.see([king, five, six])
    pile.settle(tuple(one.card for one in (five, two, hidden, six, king)))
    pile.see([two, five, six])
    assert pile.tops == (six,)
    assert pile.bared


def test_what_peeps_out_under_a_new_card_is_what_lay_there_though_it_is_misread() -> None:
    """Half of an index shows; a card that covers another is in full view."""
    pile, six = Pile(), Card.parse("6D")
    cards = [Card.parse(text) for text in ("6D", "9C", "TH", "7H")]
    pile.see([whole("6D", 0.0)])
    pile.settle(tuple(cards[:1]))
    pile.see([at("6D", 0.02), whole("9C", 0.4)])
    pile.settle(tuple(cards[:2]))
    pile.see([at("9C", 0.4), whole("TH", 0.05)])
    pile.settle(tuple(cards[:3]))
    half = replace(at("6H", 0.09), confidence=0.93, candidates=((Card.parse("6H"), 0.93),))
    pile.see([half, at("9C", 0.4), at("TH", 0.08), whole("7H", 0.04)])
    assert [(str(top.card), top.among) for top in pile.since] == [("7H", ())]
    pile.settle(tuple(cards))
    pile.see([half, at("9C", 0.4), at("TH", 0.08), whole("7H", 0.04)])
    assert pile.since == []
    assert six in [one.card for one in pile.shown]


def test_what_peeps_out_like_one_far_down_is_a_likelier_one_near_the_top() -> None:
    """Half of a heart under a three was read as a diamond, and its index as too large."""
    pile, cards = Pile(), []
    for text, x in (("3D", 0.2), ("9C", 0.3), ("4S", 0.4), ("3H", 0.0), ("JC", 0.35), ("5H", 0.1)):
        pile.see([whole(text, x)])
        cards.append(Card.parse(text))
        pile.settle(tuple(cards))
    pile.see([whole("AH", 0.05)])
    pile.settle((*cards, Card.parse("AH")))
    (x, y), *_ = at("3H", 0.0).outline
    half = replace(
        at("3D", 0.0),
        confidence=0.97,
        outline=((x, y), (x + 77.0, y), (x + 77.0, y + 110.0), (x, y + 110.0)),
    )
    pile.see([half, whole("5H", 0.1)])
    assert [str(one.card) for one in pile.tops] == ["5H"]
    assert "3H" in [str(one.card) for one in pile.shown]


def test_what_peeps_out_again_under_a_new_card_is_not_newer_than_that() -> None:
    """Its outline jumps, as only one of its ends shows now."""
    pile = Pile()
    cards = [Card.parse(text) for text in ("8D", "7S", "QH", "TS", "JH")]
    pile.see([whole("8D", 0.5)])
    pile.settle(tuple(cards[:1]))
    pile.see([at("8D", 0.5), whole("7S", 0.1)])
    pile.settle(tuple(cards[:2]))
    pile.see([at("8D", 0.5), at("7S", 0.1), whole("QH", 0.0)])
    pile.settle(tuple(cards[:3]))
    pile.see([at("8D", 0.5), whole("TS", 0.02)])
    pile.settle(tuple(cards[:4]))
    look = [at("8D", 0.5), at("QH", 0.05), whole("JH", 0.1)]
    pile.see(look)
    assert [str(top.card) for top in pile.since] == ["JH"]
    pile.settle(tuple(cards))
    pile.see(look)
    assert pile.since == []
    assert pile.tops == (look[-1],)


def test_a_copy_laid_where_the_camera_measures_that_no_card_lay_is_new() -> None:
    """The camera's outlines jump farther than that, but it has compared the pictures."""
    table = heap(("QD", 0.0))
    show(table, measured("8S", 0.03))
    show(table, measured("QD", 0.0))
    assert table.acts()[-1] == "3 draw discards 8S"

    table = shaky(steady_heap())
    for card, place in (("QD", 0.0), ("8S", 0.03), ("QD", OFF)):
        show(table, measured(card, place))
    assert table.acts()[-1].endswith("discard QD")


def test_a_card_that_peeps_out_deep_under_one_that_came_to_light_is_not_new() -> None:
    table = shaky(steady_heap())
    places = (("2H", 0.1), ("7D", 0.0), ("4S", 0.02), ("5S", 0.01), ("7S", 0.0), ("7H", 0.02))
    for card, place in (*places, ("3C", 0.0)):
        show(table, measured(card, place))
    show(table, measured("7H", 0.02), at("2H", 0.1 + FAR_OFF))
    assert table.acts()[-1].endswith("draw discards 3C")
    assert table.loop.question is None


def measured(name: str, place: float) -> Lying:
    """A card whose place was measured by its picture."""
    return replace(whole(name, place), measured=True)


def test_a_card_comes_to_light_where_it_was_measured_though_it_seemed_elsewhere_under_another() -> (
    None
):
    steady, king, seven = Jitter(), Card.parse("KH"), Card.parse("7H")
    for place in (0.0, 0.0003, 0.0006):
        steady.see({"": [at("2C", place)]})
    pile = Pile(jitter=steady)
    pile.see([measured("KH", 0.0)])
    pile.settle((king,))
    for _ in range(2):
        pile.see([at("KH", -0.08), measured("7H", 0.05)])
        assert pile.tops == (measured("7H", 0.05),)
    pile.settle((king, seven))
    pile.see([measured("KH", 0.0)])
    assert [(top.card, top.came, top.perhaps) for top in pile.since] == [(king, False, False)]
