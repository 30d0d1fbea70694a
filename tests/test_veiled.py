"""An open card hidden by a neighbour that was turned up is not gone."""

from __future__ import annotations

from dataclasses import replace

from firmware.follow.veiled import Veiled
from hardware.press import Button, Pressed
from tests.felt import FRAME_S, Felt
from tests.heaps import at
from vision.sightings import Seen

BESIDE = 0.1
"""Offset of the open card from the hidden one, in hundreds of pixels: less than the width of an
index, so that whichever is on top hides the other's."""

OVER = 0.2
"""Offset of a card that covers another except for its edge."""


def show(felt: Felt, seconds: float, **cards: list[tuple[str, float]]) -> None:
    """Look for some seconds at these cards by seat, each with its offset to the right."""
    until = felt.time + seconds
    lying = {name.strip("_"): tuple(at(*one) for one in some) for name, some in cards.items()}
    while felt.time < until - 1e-9:
        felt.time += FRAME_S
        seen = felt.seen()
        felt.loop.see(replace(seen, spots={**seen.spots, **lying}))


def showdown(rounds: int = 4) -> tuple[Felt, dict[str, list[tuple[str, float]]]]:
    """Two players of Soko with four open cards each, or `rounds` cards, and the cards' positions.

    Seat 2 is dealt to first, and shows first.
    """
    felt = Felt("soko", seats=2)
    lies = {"_1": [("??", 0.0)], "_2": [("??", 0.0)]}
    show(felt, 1.0, **lies)
    for one, other in (("KC", "7H"), ("KH", "4D"), ("9S", "TS"), ("AC", "3C"))[:rounds]:
        for seat, card in (("_2", one), ("_1", other)):
            place = BESIDE if len(lies[seat]) == 1 else float(len(lies[seat]))
            lies[seat].append((card, place))
            show(felt, 1.0, **lies)
        felt.type("close")
    return felt, lies


def test_a_card_turned_up_over_its_neighbour_hides_it() -> None:
    felt, lies = showdown()
    lies["_2"] = [("KD", 0.0), *lies["_2"][2:]]
    show(felt, 2.0, **lies)
    assert felt.acts()[-1] == "2 show KD"
    show(felt, 6.0, **lies)
    assert felt.loop.question is None
    assert felt.acts()[-1] == "2 show KD"


def test_a_card_is_hidden_by_both_its_neighbours_together() -> None:
    """The next card left a strip of it visible, and the one that is turned up covers that."""
    felt, lies = showdown()
    strip, nearer = 0.45, 0.85
    hidden = [("??", 0.0), (lies["_2"][1][0], strip), (lies["_2"][2][0], nearer)]
    lies["_2"] = [*hidden, *lies["_2"][3:]]
    show(felt, 2.0, **lies)
    lies["_2"] = [("KD", 0.0), *lies["_2"][2:]]
    show(felt, 6.0, **lies)
    assert felt.loop.question is None
    assert felt.acts()[-1] == "2 show KD"


def test_a_card_that_comes_to_another_place_is_not_hidden_where_it_was() -> None:
    """It went while its neighbour was turned up over its place."""
    felt, lies = showdown()
    gone = lies["_2"][1][0]
    veiled = Veiled()
    there = {"1": tuple(at(*one) for one in lies["_1"])}
    veiled.see(Seen({**there, "2": tuple(at(*one) for one in lies["_2"])}, frozenset(), (), 0.0))
    left = tuple(at(*one) for one in (("KD", 0.0), *lies["_2"][2:]))
    veiled.see(Seen({**there, "2": left}, frozenset(), (), 1.0))
    state = felt.loop.state
    (hidden,) = veiled.perhaps(state, {"1", "2"})["2"]
    assert str(hidden) == gone
    there = {"1": (*there["1"], at(gone, 8.0))}
    veiled.see(Seen({**there, "2": left}, frozenset(), (), 2.0))
    assert not veiled.perhaps(state, {"1", "2"})


def test_a_card_that_vanishes_far_from_the_one_turned_up_is_missed() -> None:
    felt, lies = showdown()
    lies["_2"] = [("KD", 0.0), *lies["_2"][1:-1]]
    show(felt, 3.0, **lies)
    assert felt.acts()[-1] != "2 show KD"


def test_a_card_that_another_was_laid_over_may_have_been_taken() -> None:
    """It is asked about; one that lies exactly where the other lay is in its place."""
    felt, lies = showdown(rounds=2)
    *rest, (_, place) = lies["_2"]
    lies["_2"] = [*rest, ("8S", place + OVER)]
    show(felt, 2.0, **lies)
    assert felt.acts()[-1] == "close"
    assert felt.loop.question is not None
    assert [str(act) for act in felt.loop.question.options[0].acts] == ["deal 2 8S"]
    felt.loop.button(Pressed(Button.OK, felt.time))
    show(felt, 6.0, **lies)
    assert felt.acts()[-1] == "deal 2 8S"
    assert felt.loop.question is None


def test_a_card_that_is_read_slightly_displaced_covers_none_that_was_taken_from_next_to_it() -> (
    None
):
    """One of several equal cards in a meld moves on: the next one was not laid over it."""
    veiled, spot = Veiled(), "1"
    for place in (0.0, 0.02):
        veiled.jitter.see({"": [at("2C", place)]})
    for places in ((0.0, 0.5, 1.0, 1.3), (0.0, 0.5, 1.02)):
        lying = tuple(at("7H", place) for place in places)
        veiled.see(Seen({spot: lying}, frozenset(), (), 0.0))
    felt = Felt("soko", seats=2)
    show(felt, 1.0, _1=[("7H", place) for place in (0.0, 0.5, 1.0, 1.3)])
    assert not veiled.perhaps(felt.loop.state, {spot}, laid=True)


def test_a_hidden_card_laid_back_over_its_neighbour_hides_it() -> None:
    """A player peeks at it under the open card and lays it back on top, then turns it up there."""
    felt, lies = showdown(rounds=2)
    felt.busy.add("2")
    show(felt, 1.0, **lies)
    felt.busy.clear()
    aside, again = -0.03, -0.05
    lies["_2"] = [("??", aside), *lies["_2"][2:]]
    show(felt, 6.0, **lies)
    assert felt.loop.question is None
    assert felt.acts()[-1] == "close"
    for card, place in (("9S", 3.0), ("AC", 4.0)):
        lies["_2"].append((card, place))
        show(felt, 2.0, **lies)
        assert felt.acts()[-1] == f"deal 2 {card}"
        lies["_1"].append((f"{'T3'[place == 4.0]}D", place))
        show(felt, 2.0, **lies)
        felt.type("close")
    lies["_2"] = [("KD", again), *lies["_2"][1:]]
    show(felt, 6.0, **lies)
    assert felt.acts()[-1] == "2 show KD"
    assert felt.loop.question is None


def test_an_open_card_that_goes_without_a_hand_near_its_neighbour_is_not_under_it() -> None:
    veiled, spot = Veiled(), "1"
    for cards in ((("??", 0.0), ("7H", BESIDE)), (("??", 0.0),)):
        veiled.see(Seen({spot: tuple(at(*one) for one in cards)}, frozenset(), (), 0.0))
    felt = Felt("soko", seats=2)
    show(felt, 1.0, _1=[("??", 0.0), ("7H", BESIDE)])
    assert not veiled.perhaps(felt.loop.state, {spot}, laid=True)
