"""Open piles of which a card peeps out from under the topmost one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.follow.outlines import Jitter
from firmware.follow.pile import Pile
from firmware.follow.piles import Piles
from rules.cards import Card
from tests.heaps import BESIDE, at, heap, whole
from vision.sightings import Seen


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


def test_half_an_index_that_was_missed_for_a_look_is_that_of_the_card_below() -> None:
    """An ace came onto a four so closely that half an index of the four was left. The first look at
    the ace missed it, the second one read it: a second four was told as laid on the ace."""
    jitter = Jitter()
    for off in (0.0, 0.001, 0.002, 0.003):
        jitter.see({"other": [at("KC", off)]})
    pile, four, ace = Pile(jitter), whole("4D", 0.0), whole("AC", -0.1)
    cards = (four.card, ace.card)
    for number, lying in enumerate([[replace(four, measured=True)], [replace(ace, measured=True)]]):
        pile.see(lying)
        pile.settle(cards[: number + 1])
    pile.see([at("4D", -0.07), replace(ace, measured=True)])
    assert not pile.since
    assert [top.card for top in pile.tops] == [ace.card]


def test_what_counts_as_taken_and_is_in_sight_under_the_next_card_is_its_copy_below() -> None:
    """Of two fives almost on each other, a three between them, the upper one was taken. The lower
    one was still read where that had lain: under the ace laid next, it seemed to come anew."""
    pile, cards = Pile(), [Card.parse(text) for text in ("5S", "3S", "5S", "AS")]
    low, three, high, ace = (
        replace(whole(text, off), measured=True)
        for text, off in (("5S", 0.0), ("3S", -0.06), ("5S", 0.05), ("AS", -0.45))
    )
    for number, lying in enumerate(
        ([low], [replace(low, whole=False), three], [replace(three, whole=False), high])
    ):
        pile.see(lying)
        pile.settle(tuple(cards[: number + 1]))
    still = replace(high, whole=False)
    pile.see([still, three])
    assert [(str(top.card), top.came) for top in pile.since] == [("3S", False)]
    pile.settle(tuple(cards[:2]))
    for _ in range(2):
        pile.see([still, replace(three, whole=False), ace])
    assert [(str(top.card), top.came) for top in pile.since] == [("AS", True)]
