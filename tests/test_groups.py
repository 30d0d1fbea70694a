"""Melds and hands laid open, of which only some cards have been made out yet."""

from __future__ import annotations

import pytest

from tests.felt import Felt

RESTS_S = 3.6
"""Less than a table must rest before it is reported."""


def begun(game: str) -> Felt:
    """A hand after the deal and the upcard: seat 2 is to draw."""
    felt = Felt(game, seats=2 if game == "mille" else 4)
    felt.look()
    for _ in range(4):
        if felt.loop.state.phase == "drawing":
            break
        felt.lay("discards", "7H")
    return felt


@pytest.mark.parametrize(
    ("game", "place", "cards"),
    [
        ("oklahoma-rummy", "2.meld-1", ("3C", "3D", "3S")),
        ("oklahoma-rummy", "2.meld-1", ("4C", "5C", "6C")),
        ("mille", "2.meld-9", ("9C", "9D", "9S")),
    ],
)
@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("lain", [RESTS_S, 8.0])
def test_some_cards_of_a_meld_are_a_meld_to_come(
    game: str, place: str, cards: tuple[str, ...], parts: int, lain: float
) -> None:
    felt = begun(game)
    before = felt.acts()
    felt.cards[place] += cards[:parts]
    felt.look(lain)
    assert felt.acts() == before
    assert (felt.loop.question is not None) is (lain > RESTS_S)
    felt.lay(place, *cards[parts:], seconds=2.0)
    assert felt.acts()[len(before) :] == ["2 draw stock ??", f"2 meld {' '.join(cards)}"]
    assert felt.loop.question is None
    assert not felt.rules_broken


def test_the_upcard_in_a_meld_to_come_was_taken_for_it() -> None:
    felt = begun("oklahoma-rummy")
    before = felt.acts()
    felt.cards["discards"].clear()
    felt.cards["2.meld-1"] += ["7H", "7C"]
    felt.look(RESTS_S)
    assert felt.acts() == before
    felt.lay("2.meld-1", "7D", seconds=1.0)
    assert felt.acts()[len(before) :] == ["2 meld 7H 7C 7D"]


def test_of_several_melds_the_whole_ones_wait_for_the_others() -> None:
    felt = begun("oklahoma-rummy")
    before = felt.acts()
    for place, cards in enumerate((["7S", "7C"], ["8S", "8C", "8D"], ["9S"]), 1):
        felt.cards[f"2.meld-{place}"] += cards
    felt.look(RESTS_S)
    assert felt.acts() == before
    felt.cards["2.meld-1"] += ["7D"]
    felt.lay("2.meld-3", "9D", "9C", seconds=1.0)
    melds = ["2 meld 7S 7C 7D", "2 meld 8S 8C 8D", "2 meld 9S 9D 9C"]
    assert felt.acts()[len(before) :] == ["2 draw stock ??", *melds]


def test_a_hand_laid_open_is_shown_once_all_of_it_is_seen() -> None:
    felt = begun("pif-paf")
    felt.type("3 declare out")
    before = felt.acts()
    felt.cards["3"] += ["3C", "3D", "3S", "4C", "4D", "4S", "5C"]
    felt.look(RESTS_S)
    assert felt.acts() == before
    felt.lay("3", "5D", "5S", seconds=1.0)
    assert felt.acts()[len(before) :] == ["3 show 3C 3D 3S 4C 4D 4S 5C 5D 5S"]


def test_a_card_that_no_meld_may_begin_with_is_a_slip() -> None:
    """Seat 3 is not playing: what comes there was set down in a wrong place."""
    felt = begun("oklahoma-rummy")
    felt.lay("3.meld-4", "3C", seconds=2.0)
    assert felt.rules_broken
