"""Panguingue: cards that one meld lends to another, and what they pay."""

from __future__ import annotations

import pytest

from rules.acts import Act, Verb
from rules.cards import parse_cards
from tests.melding import lines, played, rules_of
from tests.panguingue import GAME, START, after, net

ROPE = (
    "3 draw stock 2D|3 meld 2D 3D 4D|3 lay 3.meld-1 5D|3 discard KD|2 draw stock QC|2 discard QC|"
    "1 draw stock QC|1 discard QC|3 draw stock 4S"
)


def test_the_four_of_two_three_four_five_cannot_be_borrowed() -> None:
    """ "2-3-5 is not a valid sequence" """
    state = after(ROPE, "3 move 3.meld-1 3.meld-2 4D")
    assert rules_of(state) == ["panguingue.borrow"]


def test_an_end_of_a_rope_can_be_borrowed_and_the_new_condition_is_paid() -> None:
    state = after(ROPE.replace("draw stock 4S", "draw stock 5S"), "3 move 3.meld-1 3.meld-2 5D")
    assert [one.verb for one in state.turn.awaited] == [Verb.LAY]
    before = net(state)[3]
    state = state.play(Act.parse("3 lay 3.meld-2 5S 5H"))
    assert not state.violations
    assert net(state)[3] == before + 2  # fives of three suits: a chip from both
    assert state.melds(3)["3.meld-1"] == parse_cards("2D 3D 4D")


def test_a_meld_of_six_may_be_split_and_pays_for_what_is_new() -> None:
    spread = "3 draw stock 5S|3 meld 5S 5S 5S|3 lay 3.meld-1 5S|3 lay 3.meld-1 5S|3 lay 3.meld-1 5S"
    state = after(spread)
    before = net(state)[3]
    state = state.play(Act.parse("3 move 3.meld-1 3.meld-2 5S 5S 5S"))
    assert not state.violations
    assert net(state)[3] == before + 8


@pytest.mark.parametrize(
    ("first", "added", "half", "made"),
    [
        ("JH JD JS", "JH JH JC", "JD JS JC", 1),  # what stays has become three jacks of hearts
        ("JH JD JS", "JH JH JC", "JH JH JH", 1),
        ("KS KH KH", "KS KS KH", "KH KH KH", 2 + 1),  # both halves are of one suit now
        ("AH 2H 3H", "4H 5H 6H", "AH 2H 3H", 0),  # the condition was there before
        ("AH 2H 3H", "4H 5H 6H", "4H 5H 6H", 0),
    ],
)
def test_a_split_meld_pays_alike_whichever_half_is_moved(
    first: str, added: str, half: str, made: int
) -> None:
    """ "When borrowing creates a new condition" it is paid, in either half of the meld."""
    lays = [f"3 lay 3.meld-1 {card}" for card in added.split()]
    state = after(f"3 draw stock {first[:2]}|3 meld {first}", *lays)
    before = net(state)[3]
    state = state.play(Act.parse(f"3 move 3.meld-1 3.meld-2 {half}"))
    assert not state.violations
    assert net(state)[3] == before + 2 * made


@pytest.mark.parametrize(
    ("first", "added", "half"),
    [
        ("JH JD JS", "JH JH JC", "JD JS JC"),
        ("KS KH KH", "KS KS KH", "KS KS KS"),
        ("5S 5S 5S", "5S 5S 5S", "5S 5S 5S"),
        ("AH 2H 3H", "4H 5H 6H", "AH 2H 3H"),
        ("AH 2H 3H", "4H 5H 6H", "6H 5H 4H"),
    ],
)
def test_cards_lent_one_by_one_pay_as_if_they_went_at_once(
    first: str, added: str, half: str
) -> None:
    """A person's hand takes them one after the other, or several at once."""
    lays = [f"3 lay 3.meld-1 {card}" for card in added.split()]
    begun = after(f"3 draw stock {first[:2]}|3 meld {first}", *lays)
    once = begun.play(Act.parse(f"3 move 3.meld-1 3.meld-2 {half}"))
    state = begun
    for card in half.split():
        act = Act.parse(f"3 move 3.meld-1 3.meld-2 {card}")
        assert any(one.admits(act) for one in state.turn.awaited)
        state = state.play(act)
    assert not state.violations
    assert net(state) == net(once)
    assert state.table.cards("3.meld-2") == parse_cards(half)
    assert {one.verb for one in state.turn.awaited} >= {Verb.DISCARD}


def test_a_meld_lends_no_more_once_another_card_has_come() -> None:
    """A card of the hand ends the loan."""
    spread = "3 draw stock 5S|3 meld 5S 5S 5S" + 4 * "|3 lay 3.meld-1 5S"
    state = after(spread, "3 move 3.meld-1 3.meld-2 5S")
    assert {one.verb for one in state.turn.awaited} == {Verb.LAY, Verb.MOVE}
    state = state.play(Act.parse("3 lay 3.meld-2 5D"))
    assert {one.verb for one in state.turn.awaited} == {Verb.LAY}


@pytest.mark.parametrize(
    ("rope", "borrowed", "more", "paid"),
    [
        # A rope from ace to five is a condition of 1; three aces of hearts are one of 1.
        ("AH 2H 3H 4H 5H", "AH", "AH AH", 1 + 1),
        # J-Q-K of spades is one of 2, and so are three kings of spades.
        ("7S JS QS KS", "KS", "KS KS", 2 + 2),
    ],
)
def test_borrowing_pays_as_if_the_meld_came_from_the_hand(
    rope: str, borrowed: str, more: str, paid: int
) -> None:
    """ "opponents pay them exactly as if they had just played the meld from the hand" """
    first = rope.split(maxsplit=1)[0]
    text = f"3 draw stock {first}|3 meld {rope}|3 move 3.meld-1 3.meld-2 {borrowed}"
    state = after(text, f"3 lay 3.meld-2 {more}")
    assert rules_of(state) == []
    assert net(state) == {1: -paid, 2: -paid, 3: 2 * paid}


def test_a_borrowed_card_may_be_joined_by_the_others_one_by_one() -> None:
    text = "3 draw stock 7S|3 meld 7S JS QS KS|3 move 3.meld-1 3.meld-2 KS|3 lay 3.meld-2 KS"
    state = after(text, "3 lay 3.meld-2 KS")
    assert rules_of(state) == []
    assert net(state)[3] == 2 * (2 + 2)


LENDING = (
    "3 draw stock 5C|3 meld 2C 3C 4C 5C|3 discard KD|2 draw stock QC|2 discard QC|"
    "1 draw stock 5H|1 discard 5H"
)
"""Seat 3 has a rope of clubs to the five, and faces the five of hearts."""


@pytest.mark.parametrize(
    "taken",
    [
        "3 draw discards 5H|3 move 3.meld-1 3.meld-2 5C|3 lay 3.meld-2 5H 5D",
        "3 draw discards 5H|3 move 3.meld-1 3.meld-2 5C|3 lay 3.meld-2 5H|3 lay 3.meld-2 5D",
        "3 move 3.meld-1 3.meld-2 5C|3 lay 3.meld-2 5H 5D",
    ],
)
def test_an_upcard_may_be_melded_with_a_borrowed_card(taken: str) -> None:
    """Borrowing: "to form a new meld with cards from the hand"; fives of three suits pay one."""
    state = after(LENDING, taken, "3 discard KC")
    assert rules_of(state) == []
    assert net(state) == {1: -1, 2: -1, 3: 2}
    assert state.melds(3) == {
        "3.meld-1": parse_cards("2C 3C 4C"),
        "3.meld-2": parse_cards("5C 5H 5D"),
    }


def test_an_upcard_that_melds_with_a_borrowed_card_may_be_taken_and_forced() -> None:
    """ "faced with an upcard that they can meld" """
    hands = {3: "2C 3C 4C 5D QS QD AH 6S 2S KD", 2: "QC " * 10, 1: "QH " * 10}
    pairs = {seat: hand.split() for seat, hand in hands.items()}
    deal = [
        f"deal {seat} ({pairs[seat][at]}) ({pairs[seat][at + 1]})"
        for at in range(0, 10, 2)
        for seat in (3, 2, 1)
    ]
    state = played(GAME, START, "ante", *deal, "deal discards 4H", LENDING)
    assert {"2 declare force", "3 draw discards 5H"} <= lines(state)
    state = played(GAME, START, *map(str, state.acts), "2 declare force", "3 draw discards 5H")
    assert lines(state) == {"3 move 3.meld-1 3.meld-2 5C"}
    state = played(GAME, START, *map(str, state.acts), "3 move 3.meld-1 3.meld-2 5C")
    assert lines(state) == {"3 lay 3.meld-2 5D 5H"}
