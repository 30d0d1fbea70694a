"""Open piles under hands: what may have come and gone there, and who is next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.follow.covered import COVERED_AFTER_S, HeldBack, hides_awaited
from firmware.follow.deciding import ASK_AFTER_S
from firmware.follow.findings import Explanation
from firmware.follow.passed_turns import PASSED_S
from firmware.follow.pile import HIDDEN_S
from firmware.store.ledger import Step
from hardware.press import Button
from rules.acts import Act, Verb
from rules.cards import parse_cards
from rules.games import GAMES
from rules.match import Match
from rules.start import Level, Start
from tests.felt import Felt
from tests.heaps import BESIDE, Heap, at, heap, whole


def test_what_a_hand_hid_for_long_is_asked_about_if_the_upcard_may_be_drawn() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.cover("discards", HIDDEN_S + 1.0)
    table.look(("4C", 0.02), seconds=2 * ASK_AFTER_S)
    assert set(table.offered) == {
        "3 draw stock ??; 3 discard 4C",
        "3 draw discards 8S; 3 discard 4C",
    }


def test_who_is_next_is_asked_if_a_hand_hid_two_turns() -> None:
    """Seat 3 may have discarded a card onto the eight, and seat 1 the four onto that one."""
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 draw stock ??", sure=True)
    before = table.acts()
    table.cover("discards", PASSED_S + 1.0)
    table.look(("4C", 0.02), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    first, *others = table.offered
    assert first == "3 discard 4C"
    assert [line.split(" resume")[0] for line in others] == ["2", "3"]
    table.press(Button.FIX)
    table.press(Button.OK)
    assert table.loop.state.turn.seats == (2,)
    table.look(("4C", 0.02))
    table.look(("9H", 0.04))
    assert table.acts()[-1] == "2 discard 9H"
    assert not table.loop.state.open_violations


def test_a_hand_that_rests_on_a_pile_hides_no_turns_there() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 draw stock ??", sure=True)
    table.cover("discards", 1.0)
    table.cover("discards", PASSED_S + 1.0, still=True)
    table.cover("discards", 1.0)
    table.look(("4C", 0.02))
    assert table.acts()[-1] == "3 discard 4C"


def test_a_hand_that_rests_on_a_pile_hides_no_card_drawn_from_it() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.cover("discards", HIDDEN_S + 1.0, still=True)
    table.look(("4C", 0.02))
    assert [str(act) for act in table.loop.state.acts[-2:]] == ["3 draw stock ??", "3 discard 4C"]


def test_a_hand_that_only_pauses_may_have_hidden_two_turns() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 draw stock ??", sure=True)
    before = table.acts()
    for _ in range(4):
        table.cover("discards", PASSED_S / 8)
        table.cover("discards", PASSED_S / 8, still=True)
    table.cover("discards", PASSED_S / 8)
    table.look(("4C", 0.02), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    assert table.offered


def test_a_hand_that_gathers_the_discards_as_announced_hides_no_turns_there() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("shuffle", sure=True)
    table.cover("discards", PASSED_S + 1.0)
    table.look(("8S", 0.03), seconds=1.0)
    table.look(("4C", 0.02))
    assert table.acts()[-1] == "3 discard 4C"


def test_a_hand_that_lays_one_card_is_not_asked_about() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.cover("discards", HIDDEN_S - 0.5)
    table.look(("4C", 0.02))
    assert table.acts()[-1] == "3 discard 4C"


def test_a_hand_over_a_player_s_own_cards_does_not_hide_what_they_discard() -> None:
    table = heap(("QD", 0.0))
    table.resting = frozenset({"2"})
    table.look(("8S", 0.03))
    assert table.acts()[-1] == "2 discard 8S"


def test_what_came_and_went_while_a_hand_rested_is_kept_in_mind() -> None:
    table = heap(("QD", 0.0))
    table.resting = frozenset({"2", "3"})
    table.look(("8S", 0.03))
    table.look(("QD", 0.0))
    table.look(("4C", 0.02))
    assert table.acts()[1:] == ["2 discard 8S", "3 draw discards 8S", "3 discard 4C"]


def test_the_next_turn_is_followed_while_a_hand_rests_where_the_last_player_may_have_laid() -> None:
    """What is held back because of that is not forgotten when the pile is hidden for a moment."""
    table = Heap("panguingue", seats=4)
    for top in ("7H", "JC", "JS"):
        table.look((top, 0.0))
    seat = table.loop.state.turn.seats[0]
    melds = table.still = table.resting = frozenset({f"{seat}.meld-{n}" for n in (1, 2, 3)})
    table.look(("QH", 0.02), seconds=1.0)
    acts = table.acts()
    for over in ({"discards"}, set[str](), {"discards"}):
        table.resting = melds | over
        table.show("turned", at("3C", 0.0), seconds=0.4)
    assert table.acts() == acts
    table.still = table.resting = frozenset()
    table.look(("QH", 0.02))
    assert table.acts()[-2:] == [f"{seat} discard QH", f"{seat - 1 or 4} draw stock 3C"]


def test_what_is_held_back_is_still_there_while_one_of_its_places_is_hidden() -> None:
    table = Heap("panguingue", seats=4)
    for top in ("7H", "JC", "JS"):
        table.look((top, 0.0))
    state = after = table.loop.state
    seat = state.turn.seats[0]
    acts = [f"{seat} draw stock QH", f"{seat} discard QH", f"{seat - 1 or 4} draw stock 3C"]
    for act in map(Act.parse, acts):
        after = after.play(act)
    way = Explanation(tuple(Step(Act.parse(act)) for act in acts), after)
    held, (three, six) = HeldBack(), parse_cards("3C 6C")
    held.hold(state, way, 0.0)
    assert held.gone_on(state, {"turned": (three,)}, 1.0) is way
    assert held.gone_on(state, {"turned": (three, six)}, 1.0) is None
    assert held.gone_on(state, {}, 1.0) is way


def test_the_turn_is_left_open_if_a_hand_is_over_a_card_that_may_be_on_its_copy() -> None:
    """The next card seen elsewhere would decide whose turn it is if nothing had come."""
    table = Heap("panguingue", seats=4)
    for top in ("7H", "JC", "JS"):
        table.look((top, 0.0))
    before = table.acts()
    table.look(("JS", 0.08))
    table.resting = frozenset({"discards"})
    table.meld("turned", "3D")
    table.look(("JS", 0.08), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    table.resting = frozenset()
    table.look(("JS", 0.08), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    last = {offer.split("; ")[-1] for offer in table.offered}
    assert last == {"2 draw stock 3D", "1 draw stock 3D"}


def test_who_is_next_is_asked_if_a_card_may_have_come_and_gone_under_a_hand() -> None:
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 draw stock ??", sure=True)
    before = table.acts()
    table.cover("discards", PASSED_S + 1.0)
    table.look(("8S", 0.03))
    table.look(("4C", 0.02), seconds=2 * ASK_AFTER_S)
    assert table.acts() == before
    assert table.offered[0] == "3 discard 4C"
    table.press(Button.OK)
    table.look(("4C", 0.02))
    table.look(("9H", 0.04))
    assert table.acts()[-2:] == ["3 discard 4C", "1 discard 9H"]


def test_a_card_that_was_laid_under_a_hand_and_then_drawn_is_followed() -> None:
    """Seen for a moment only: too short to be asked whether the hand had hidden more."""
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.cover("discards", PASSED_S - 0.5)
    table.look(("JH", 0.05))
    table.resting = frozenset({"discards"})
    table.look(("JH", 0.05), seconds=0.5)
    table.resting = frozenset()
    table.look(("8S", 0.03))
    table.look(("4C", 0.02))
    assert table.acts()[2:] == ["3 discard JH", "1 draw discards JH", "1 discard 4C"]


@pytest.mark.parametrize(("still", "waits"), [(True, False), (False, True)])
def test_nothing_has_come_to_a_place_where_a_hand_was_resting_before(
    still: bool, waits: bool
) -> None:
    """The card that left for the discards did not go to the meld under that hand."""
    table = Heap("panguingue", seats=4)
    for top in ("7H", "JC", "JS", "2C"):
        table.look((top, 0.0))
    table.meld("1.meld-1", "3H", "3S", "3D")
    for top in ("2C", "4C", "5C", "6C"):
        table.look((top, 0.0), seconds=2.0)
    table.resting = frozenset({"1.meld-1"})
    table.still = table.resting if still else frozenset()
    table.look(("6C", 0.0), seconds=2.0)
    table.look(("7C", 0.0), seconds=2.0)
    table.meld("turned", "3C")
    table.look(("7C", 0.0), seconds=2.0)
    before = table.acts()
    table.meld("turned")
    table.look(("3C", 0.02))
    assert (table.acts() == before) is waits


@pytest.mark.parametrize("in_view", [True, False])
def test_a_card_laid_and_drawn_between_two_hands_is_followed(
    in_view: bool,
) -> None:
    """The next player's hand came for the four before the pile was left alone."""
    table = heap(("QD", 0.0), ("8S", 0.03))
    table.loop.type("3 draw stock ??", sure=True)
    table.cover("discards", 0.4)
    table.resting = frozenset({"discards"})
    four = replace(at("4C", 0.2), confidence=0.99, whole=in_view)
    table.show("discards", four, at("8S", 0.03))
    table.resting = frozenset()
    table.look(("8S", 0.03))
    table.show("discards", at("8S", 0.03), whole("KH", 0.4), seconds=2 * ASK_AFTER_S)
    laid = [act for act in table.acts() if "discard 4C" in act or "discards 4C" in act]
    assert laid == (["3 discard 4C", "1 draw discards 4C"] if in_view else [])


@pytest.mark.parametrize("settled", [False, True])
def test_a_card_played_while_a_hand_hides_the_starter_is_no_starter(settled: bool) -> None:
    """A hand rested over the main line, on which the starter lay by then."""
    felt = Felt("eleusis", seats=4)
    felt.type("declare seal " + "a" * 64)
    felt.busy = felt.still = set() if settled else {"main"}
    felt.places = {"covered": "main"}
    felt.cards["main"] = []
    felt.lay("played", "6C")
    felt.look(COVERED_AFTER_S - 1.0)
    assert not any(line.startswith("deal played") for line in felt.acts())
    felt.busy, felt.still, felt.places = set(), set(), {}
    felt.cards["main"] = ["7C"]
    felt.look(1.0)
    assert felt.acts()[-2:] == ["deal main 7C", "2 play 6C"]
    assert not felt.rules_broken


@pytest.mark.parametrize(("covered", "awaited"), [("2", True), ("3", False)])
def test_a_hand_may_hide_the_first_card_after_bets_that_nobody_closed(
    covered: str, awaited: bool
) -> None:
    """Seat 2 gets the first card; where seat 3's lies first, seat 2's may be under the hand."""
    start = Start(seats=(1, 2, 3), banker=1, limits=(1, 20), level=Level.WHO)
    match = Match(GAMES["seven-and-a-half"](), start)
    for line in ("2 bet", "3 bet"):
        match.play(Act.parse(line))
    assert {one.verb for one in match.state.turn.awaited} == {Verb.CLOSE}
    assert hides_awaited(match.state, {covered}) is awaited


@pytest.mark.parametrize(("covered", "awaited"), [("1", True), ("2", False)])
def test_a_hand_may_hide_what_the_banker_shows_once_nobody_draws(
    covered: str, awaited: bool
) -> None:
    """Seat 3 showed a card while a hand rested over the banker's, which had been shown before: that
    was told as turned up too soon. What seat 2 shows does not come before it."""
    start = Start(seats=(1, 2, 3), banker=1, limits=(1, 20), level=Level.WHO)
    match = Match(GAMES["seven-and-a-half"](), start)
    for line in ("2 bet", "3 bet", "close", *(f"deal {seat} ??" for seat in (2, 3, 1)), "2 stand"):
        match.play(Act.parse(line))
    assert hides_awaited(match.state, {covered}) is awaited


def test_a_card_that_went_from_a_pile_under_a_hand_is_the_like_of_it_that_came_elsewhere() -> None:
    """Forced, a player takes the two of spades into a meld and discards while a hand rests there.

    Another two of spades from the hand, and a discard that hides the first to the last index,
    would be lawful, too.
    """
    table = Heap("panguingue", seats=4)
    for top in ("7H", "JC", "QD", "2S"):
        table.look((top, 0.0))
    seat, forcing = table.loop.state.turn.seats[0], 3
    table.loop.type(f"{forcing} declare force", sure=True)
    table.cover("discards", 1.0)
    table.cover("discards", 2.0, still=True)
    table.meld(f"{seat}.meld-1", "2S", "2D", "2H")
    table.cover("discards", 1.0)
    table.look(("5D", 0.02), seconds=2 * ASK_AFTER_S)
    assert table.acts()[-2:] == [f"{seat} meld 2S 2D 2H", f"{seat} discard 5D"]
    assert table.loop.state.table.view("discards")[-2:] == tuple(parse_cards("QD 5D"))


def test_what_a_player_lays_under_a_hand_where_they_must_lay_first_waits_for_the_hand_to_go() -> (
    None
):
    """Seat 2 calls and lays the hand, on which a hand stays, and seat 3 discards."""
    table = Heap("paiute", 3)
    table.meld("wild", "KS")
    table.look(("KC", 0.0))
    table.look()
    table.loop.type("2 call", sure=True)
    table.resting = frozenset({"2.called"})
    table.look(("9S", 0.02), seconds=1.0)
    assert table.acts()[-1] == "2 call"
    table.meld("2.called", "AC", "2H", "2D", "2S", "AH", "KC")
    table.resting = frozenset()
    table.look(("9S", 0.02), seconds=1.0)
    assert table.acts()[-2:] == ["2 lay 2.called AC 2H 2D 2S AH KC", "3 discard 9S"]


def test_a_card_still_in_view_on_its_pile_is_not_its_like_that_came_elsewhere() -> None:
    table = Heap("panguingue", seats=4)
    for top in ("7H", "JC", "QD", "2S"):
        table.look((top, 0.0))
    seat = table.loop.state.turn.seats[0]
    table.cover("discards", 2.0)
    table.meld(f"{seat}.meld-1", "2S", "2D", "2H")
    table.look(("2S", 0.0), ("5D", BESIDE), seconds=2 * ASK_AFTER_S)
    assert table.acts()[-1] == f"{seat} discard 5D"
    assert table.loop.state.table.view("discards")[-2:] == tuple(parse_cards("2S 5D"))


@pytest.mark.parametrize(
    ("under", "did"),
    [((("8D", 4 * BESIDE),), "2 discard 8D"), ((), "2 show QS QS")],
    ids=["a discard", "none"],
)
def test_nothing_unseen_is_taken_for_what_a_hand_may_hide(
    under: tuple[tuple[str, float], ...], did: str
) -> None:
    """A player who holds nothing but queens of spades shows them, out of sight, and does not
    discard; that counted as done while a hand lay over the discards."""
    table = Heap("oklahoma-rummy")
    table.look(("2D", 0.0))
    told = ["2 draw stock ??"]
    for number, rank in enumerate("456", 1):
        cards = [rank + suit for suit in "CDHS"]
        table.meld(f"2.meld-{number}", *cards)
        told.append(f"2 meld {' '.join(cards)}")
    told += ["2 discard 9S", "3 draw stock ??", "3 discard KD", "1 draw stock ??", "1 discard JD"]
    for line in told:
        table.loop.type(line, sure=True)
    pile = ("2D", 0.0), ("9S", BESIDE), ("KD", 2 * BESIDE), ("JD", 3 * BESIDE)
    table.look(*pile)
    table.meld("3.meld-1", "TS", "9S", "JS")
    table.cover("discards", 3 * COVERED_AFTER_S)
    assert table.acts()[-1] == "1 discard JD"
    table.look(*pile, *under, seconds=2 * ASK_AFTER_S)
    assert table.acts()[-2:] == [did, "3 meld TS 9S JS"]
