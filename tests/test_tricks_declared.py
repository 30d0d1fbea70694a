"""Belote's declarations as tables make them: with the first card, shown with the second.

The cards are those of `belote_hand`: seat 2 has taken with hearts and holds A K Q J of them, seat 1
the spades A K Q J and T, seat 4 nothing; so both sides have something to declare.
"""

from __future__ import annotations

import random

import pytest

from rules.acts import Act, Verb
from rules.games.belote import Belote, BeloteState
from rules.start import Start
from rules.state import State
from tests.draws import NIGHTLY
from tests.play import play_hand

BATCHES = (
    ("AS KS QS", "KH QH JH", "7C 8C 9C", "AC KC QC"),
    ("JS TS", "7D 8D", "TC JC", "9S 8S"),
    ("9H 8H 7H", "9D TD", "AD KD QD", "7S TH JD"),
)
HEARTS, SPADES = "2 declare run-of-four AH", "1 declare run-of-five AS"
FIRST = ("1 play 9H", "2 play JH", "3 play 7C", "4 play TH", "gather")
"""Seat 2 wins: jacks are the highest trumps, then nines."""


def table(*lines: str, second: bool = True, declarations: str = "all") -> State:
    """Eight cards each, as the table sees them, followed by the lines."""
    game = Belote(show_second=second, declarations=declarations)
    state: State = game.open(Start(seats=(1, 2, 3, 4), dealer=4))
    backs = [[" ".join("??" for _ in cards.split()) for cards in row] for row in BATCHES]
    deals = [[f"deal {seat} {cards}" for seat, cards in enumerate(row, 1)] for row in backs]
    fixed = ["deal board AH", "1 pass", "2 bid hearts", "2 draw board AH"]
    return after(state, *deals[0], *deals[1], *fixed, *deals[2], *lines)


def after(state: State, *lines: str) -> State:
    for line in lines:
        state = state.play(Act.parse(line))
    return state


def declarers(state: State) -> set[int]:
    return {seat for one in state.turn if one.verb is Verb.DECLARE for seat in one.seats}


def declared(state: State) -> list[tuple[int, str]]:
    assert isinstance(state, BeloteState)
    return [(one.seat, one.kind) for one in state.declared]


def test_the_first_card_is_led_at_once_and_silences_nobody() -> None:
    state = table()
    assert [(one.verb, one.seats) for one in state.turn.awaited] == [(Verb.PLAY, (1,))]
    assert declarers(state) == {1}
    led = after(state, "1 play 9H")
    assert led.violations == ()
    assert declarers(led) == {1, 2}
    both = after(led, HEARTS, SPADES)
    assert both.violations == ()
    assert declared(both) == [(2, "run-of-four"), (1, "run-of-five")]


def test_a_player_who_has_not_played_yet_and_is_not_next_waits() -> None:
    state = after(table(), "3 declare run-of-three QD")
    assert [one.rule for one in state.violations] == ["out-of-turn"]


def test_the_last_player_declares_until_the_second_trick_is_led() -> None:
    full = table(*FIRST[:4])
    assert declarers(full) == {1, 2, 3, 4}
    gathered = after(full, "gather")
    assert declarers(gathered) == {1, 2, 3, 4}
    led = after(gathered, "2 play AH")
    assert declarers(led) == set()
    late = after(led, "4 declare run-of-three KC")
    assert [one.rule for one in late.violations] == ["not-now"]
    assert declared(late) == []


def test_the_side_of_the_highest_shows_before_its_second_card() -> None:
    state = table("1 play 9H", SPADES, "2 play JH", HEARTS, *FIRST[2:])
    # Seat 2 wins the trick and leads; its run of four is lower than the run of five.
    assert [one.verb for one in state.turn.awaited] == [Verb.PLAY]
    state = after(state, "2 play AH", "3 play AD", "4 play 7S")
    (shows,) = state.turn.awaited
    assert (shows.verb, shows.seats) == (Verb.SHOW, (1,))
    shown = after(state, "1 show AS KS QS JS TS")
    assert [one.verb for one in shown.turn.awaited] == [Verb.PLAY]
    assert shown.violations == ()


def test_what_was_declared_may_be_shown_before_it_has_to_be() -> None:
    """ "The opponents may request that any of the combinations declared be revealed"."""
    state = table("1 play 9H", SPADES, "1 show AS", "1 show KS QS JS TS")
    assert state.violations == ()
    assert isinstance(state, BeloteState)
    assert len(state.shown) == 1


def test_a_card_that_was_played_already_need_not_be_shown() -> None:
    state = table("1 play 9H", "2 play JH", HEARTS, *FIRST[2:])
    (shows,) = state.turn.awaited
    # The ace was turned up and taken, the jack was played: two are left to see.
    assert (shows.seats, set(map(str, shows.among or ()))) == ((2,), {"KH", "QH"})
    one_by_one = after(state, "2 show KH", "2 show QH")
    assert [one.verb for one in one_by_one.turn.awaited] == [Verb.PLAY]
    assert one_by_one.violations == ()


def test_playing_on_without_showing_breaks_a_named_rule() -> None:
    state = table("1 play 9H", "2 play JH", HEARTS, *FIRST[2:], "2 play AH")
    assert [(one.rule, one.seat) for one in state.violations] == [("belote.not-shown", 2)]


@pytest.mark.parametrize(("shows", "points"), [(True, 50), (False, 0)])
def test_only_what_was_shown_scores(shows: bool, points: int) -> None:
    """A run of four is worth fifty, to each of the two seats of the side."""
    showing = ("2 show KH QH",) if shows else ()
    state = table("1 play 9H", "2 play JH", HEARTS, *FIRST[2:], *showing)
    state = after(state, "2 play AH", "3 play AD", "4 play 7S", "1 play 8H", "gather")
    for line in (
        ("2 play KH", "3 play KD", "4 play 8S", "1 play 7H", "gather"),
        ("2 play QH", "3 play QD", "4 play 9S", "1 play TS", "gather"),
        ("2 play 7D", "3 play 8C", "4 play JD", "1 play JS", "gather"),
        ("4 play AC", "1 play QS", "2 play 8D", "3 play 9C", "gather"),
        ("4 play KC", "1 play KS", "2 play 9D", "3 play TC", "gather"),
        ("4 play QC", "1 play AS", "2 play TD", "3 play JC"),
    ):
        state = after(state, *line)
    scored = {p.seat: p.points for p in state.points if p.reason == "belote.declared"}
    assert scored == ({2: points, 4: points} if points else {})


def test_honest_hands_break_no_rule_and_what_is_shown_is_what_was_declared() -> None:
    start = Start(seats=(1, 2, 3, 4), dealer=4)
    told = 0
    for seed in range(60 if NIGHTLY else 20):
        state = play_hand(Belote(show_second=True), start, random.Random(seed))[-1]
        assert isinstance(state, BeloteState)
        assert state.violations == ()
        told += len(state.declared)
        assert set(state.shown) <= {one.act for one in state.declared}
    assert told > 10


def test_the_rule_sheet_s_way_is_the_default() -> None:
    assert Belote().show_second is False


@pytest.mark.parametrize("word", ["belote", "rebelote"])
@pytest.mark.parametrize("second", [False, True])
def test_belote_may_be_said_at_any_time_after_the_deal(word: str, second: bool) -> None:
    """The document lists it among the declarations, and scores it always."""
    before = table(second=second)
    plays = [*([] if second else [f"{seat} pass" for seat in (1, 2, 3, 4)]), "1 play 9H"]
    for state in (before, after(before, *plays), after(before, *plays, "2 play KH")):
        said = after(state, f"2 declare {word}")
        assert said.violations == ()
        assert [str(act) for act in said.options(())] == [str(act) for act in state.options(())]


def test_falsely_announcing_belote_is_reported_once_another_plays_one_of_the_cards() -> None:
    """Said twice, it counts as one slip."""
    state = after(table(), "3 declare belote", "3 declare rebelote", "1 play 9H")
    assert state.violations == ()
    [false] = after(state, "2 play KH").violations
    assert (false.rule, false.seat, false.since) == (
        "belote.false-declaration",
        3,
        len(table().acts) + 1,
    )
    assert [str(card) for card in false.cards] == ["KH"]


def test_a_player_who_has_announced_belote_holds_both_cards() -> None:
    """A discard on a led trump is a revoke that all can see."""
    state = after(table(), "2 declare belote", "1 play 9H", "2 play 7D")
    assert [one.rule for one in state.violations] == ["tricks.follow"]


def test_belote_says_nothing_before_trumps_are_known_or_if_nothing_is_declared() -> None:
    undealt = Belote().open(Start(seats=(1, 2, 3, 4), dealer=4))
    assert [one.rule for one in after(undealt, "2 declare belote").violations] == ["not-now"]
    none = table(declarations="none", second=False)
    assert [one.rule for one in after(none, "2 declare belote").violations] == ["not-now"]
