"""A player lays melds where they like, and moves them: what lies where follows the cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.follow.homes import Homes
from tests.felt import lying
from tests.heaps import Heap
from vision.sightings import Seen


def pan() -> Heap:
    """Panguingue after an upcard was taken to meld at the third place of its player."""
    table = Heap("panguingue", seats=4)
    for top in ("7H", "JC", "JS", "2C"):
        table.look((top, 0.0))
    table.meld("1.meld-3", "2C", "2D", "2H")
    table.look(("JS", 0.0), seconds=1.0)
    return table


def test_a_meld_counts_wherever_it_is_laid() -> None:
    table = pan()
    assert table.acts()[-1] == "1 meld 2C 2D 2H"
    assert [str(card) for card in table.loop.state.table.view("1.meld-1")] == ["2C", "2D", "2H"]
    assert table.loop.question is None


def test_a_meld_that_is_pushed_to_another_place_is_the_same_one() -> None:
    table = pan()
    acts = table.acts()
    for place in ("1.meld-1", "1.meld-4"):
        for name in ("1.meld-1", "1.meld-3", "1.meld-4"):
            table.meld(name)
        table.meld(place, "2D", "2C", "2H")
        table.look(("JS", 0.0), seconds=6.0)
        assert table.acts() == acts
        assert table.loop.question is None
    table.meld("1.meld-4", "2D", "2C", "2H", "2S")
    table.look(("JS", 0.0), seconds=1.0)
    assert table.acts() == [*acts, "1 lay 1.meld-1 2S"]


def test_a_second_meld_may_lie_where_the_first_one_was_to_lie() -> None:
    table = pan()
    table.meld("1.meld-1", "4C", "4D", "4H")
    table.look(("JS", 0.0), seconds=1.0)
    assert table.acts()[-1] == "1 meld 4C 4D 4H"
    assert table.loop.state.table.view("1.meld-2")
    assert not table.loop.state.open_violations


@pytest.mark.parametrize("place", ["1.meld-2", "1.meld-4"])
def test_the_meld_for_which_the_upcard_was_taken_comes_first_wherever_it_lies(place: str) -> None:
    """Two melds came to light at once: another one where the first was to lie, and that one beside
    it."""
    table = Heap("panguingue", seats=4)
    for top in ("7H", "JC", "JS", "2C"):
        table.look((top, 0.0))
    table.meld("1.meld-1", "4C", "4D", "4H")
    table.meld(place, "2C", "2D", "2H")
    table.look(("JS", 0.0), seconds=2.0)
    assert table.acts()[-2:] == ["1 meld 2C 2D 2H", "1 meld 4C 4D 4H"]
    assert not table.loop.state.open_violations
    table.meld("1.meld-3", "7C", "7D", "7H")
    table.look(("JS", 0.0), seconds=2.0)
    assert table.acts()[-1] == "1 meld 7C 7D 7H"


def test_after_a_restart_the_melds_are_found_where_they_lie() -> None:
    table = pan()
    state, seen = table.loop.state, table.loop.seen
    assert seen is not None
    lay = Seen(
        {**seen.spots, "1.meld-1": (), "1.meld-4": seen.spots["1.meld-1"]}, frozenset(), (), 1.0
    )
    named = Homes().named(state, lay)
    assert named.spots["1.meld-1"] == lay.spots["1.meld-4"]
    assert named.spots["1.meld-4"] == ()
    assert named.lies_at == {"1.meld-1": "1.meld-4", "1.meld-4": "1.meld-1"}


def test_hands_and_troubles_at_a_place_are_named_like_its_cards() -> None:
    table = pan()
    homes, state, now = Homes(), table.loop.state, table.loop.seen
    assert now is not None
    lay = {**now.spots, "1.meld-1": (), "1.meld-3": now.spots["1.meld-1"]}
    hand = frozenset({"1.meld-3", "2.meld-1"})
    seen = Seen(lay, hand, ("glare",), 1.0, {"glare": "1.meld-3"}, still=hand)
    named = homes.named(state, seen)
    assert named.busy == named.still == {"1.meld-1", "2.meld-1"}
    assert named.places == {"glare": "1.meld-1"}


def test_the_places_of_another_player_are_not_one_s_own() -> None:
    table = pan()
    table.meld("2.meld-2", "4C", "4D", "4H")
    before = table.acts()
    table.look(("JS", 0.0), seconds=0.6)
    assert table.acts() == before


@pytest.mark.parametrize("twos", [("2S", "8C", "8D"), ("8C", "2S", "8D")])
def test_a_meld_of_one_rank_lies_at_the_place_of_that_rank(twos: tuple[str, ...]) -> None:
    """A two that is read first could begin a meld of twos."""
    state, homes = Heap("mille", seats=2).loop.state, Homes()
    for number in range(1, 4):
        shown = tuple(lying(text, place) for place, text in enumerate(twos[:number]))
        seen = Seen(
            {**dict.fromkeys(state.spots, ()), "2.meld-k": shown}, frozenset(), (), float(number)
        )
        named = homes.named(state, seen)
    assert named.spots["2.meld-8"] == shown
    assert not named.spots["2.meld-k"]


def test_cards_that_are_in_doubt_move_no_meld() -> None:
    state = Heap("mille", seats=2).loop.state
    doubt = replace(lying("8C", 0), confidence=0.5)
    seen = Seen({**dict.fromkeys(state.spots, ()), "2.meld-k": (doubt,)}, frozenset(), (), 1.0)
    assert Homes().named(state, seen) is seen


def test_a_meld_under_a_hand_may_have_come_before_what_was_laid_on_the_pile_meanwhile() -> None:
    """The place of its rank was in view, and bare; it lies at another one, which was not."""
    table = Heap("mille", seats=2)
    table.look(("4S", 0.0), seconds=1.0)
    table.resting = frozenset({"2.meld-a"})
    table.look(seconds=1.0)
    table.look(("QH", 0.0), seconds=1.0)
    table.resting = frozenset()
    table.meld("2.meld-a", "4S", "4H", "4D")
    table.look(("QH", 0.0), seconds=1.0)
    assert table.acts()[-2:] == ["2 meld 4S 4H 4D", "2 discard QH"]
    assert "2 draw stock ??" not in map(str, table.loop.state.acts)
