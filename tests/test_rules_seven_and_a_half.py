"""Seven and a Half against its rule sheet (Denexa Games, "Seven and a Half") and arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from rules.acts import Act
from rules.cards import Deck, parse_cards
from rules.errors import ActError, StartError
from rules.games import find_game
from rules.games.seven_and_a_half import SevenState, natural, total
from rules.match import Match
from rules.start import Level, Start

DEALT = ("2 bet 5", "3 bet 10", "close", "deal 2 ??", "deal 3 ??", "deal 1 ??")


def table(*lines: str, rules: dict[str, str] | None = None, **start: Any) -> SevenState:
    """The state after the acts in `lines`, with the banker at seat 1 of three."""
    given = {"seats": (1, 2, 3), "banker": 1, "limits": (1, 20), **start}
    state: SevenState = find_game("seven-and-a-half", rules).open(Start(**given))
    for line in lines:
        state = state.play(Act.parse(line))
    return state


def legal(state: SevenState, line: str) -> bool:
    return state.allows(Act.parse(line))


def rules_broken(state: SevenState) -> list[str]:
    return [violation.rule for violation in state.violations]


def hand(player: str, banker: str, **options: Any) -> SevenState:
    """Seat 2 and the banker play these cards, the first of each face down, all in good order."""
    hole, *drawn = player.split()
    own, *more = banker.split()
    lines = ["2 bet 10", "close", f"deal 2 ({hole})", f"deal 1 ({own})"]
    for card in drawn:
        lines += ["2 hit", f"deal 2 {card}"]
    cards = parse_cards(player)
    half = (options.get("rules") or {}).get("matta_half") == "yes"
    if total(cards, half) > 15:
        lines += [f"2 show {hole}", f"take 2 {player}"]
        return table(*lines, seats=(1, 2), **options)
    declared = natural(cards, half)
    lines += [f"2 show {hole}" if declared else "2 stand", f"1 show {own}"]
    lines += [f"deal 1 {card}" for card in more]
    state = table(*lines, seats=(1, 2), **options)
    if state.phase == "banker":
        state = state.play(Act.parse("1 stand"))
    return state if declared else state.play(Act.parse(f"2 show {hole}"))


# What cards count.


@pytest.mark.parametrize(
    ("cards", "halves"),
    [
        ("AS", 2),
        ("JC", 1),
        ("QH", 1),
        ("KS", 1),
        ("5D", 10),
        ("7C", 14),
        ("6? A?", 14),
        ("KD", 14),
        ("KD 7S", 16),
        ("KD QS", 15),
        ("KD 2C", 14),
        ("KD 6H JC", 15),
        ("KD 6H AC", 16),
        ("7S JC", 15),
        ("JC QC KC JD QD", 5),
    ],
)
def test_aces_count_one_courts_a_half_and_the_wild_king_any_whole_number(
    cards: str, halves: int
) -> None:
    assert total(parse_cards(cards)) == halves


def test_the_wild_king_is_never_a_fraction_unless_the_house_says_so() -> None:
    assert total(parse_cards("7S KD")) == 16
    assert total(parse_cards("7S KD"), matta_half=True) == 15
    assert total(parse_cards("6S JC KD"), matta_half=True) == 15


def test_two_cards_make_seven_and_a_half_in_55_of_780_hands() -> None:
    """Four sevens with eleven plain courts, and the wild king with each of the eleven."""
    deck = Deck.italian().cards
    ways = sum(natural(pair) for pair in combinations(deck, 2))
    assert (ways, len(deck) * (len(deck) - 1) // 2) == (4 * 11 + 11, 780)
    assert Fraction(ways, 780) == Fraction(11, 156)
    assert sum(natural(pair, matta_half=True) for pair in combinations(deck, 2)) == 55 + 4


# Setup.


def test_each_player_bets_once_within_the_limits_and_the_banker_never() -> None:
    state = table("2 bet 5")
    assert legal(state, "3 bet 20")
    assert not legal(state, "3 bet 21")
    assert not legal(state, "2 bet 5")
    with pytest.raises(ActError, match="the banker does not bet"):
        state.play(Act.parse("1 bet 5"))


def test_cards_go_face_down_to_the_bettors_and_the_banker_and_are_asked_for_in_order() -> None:
    state = table("2 bet 5", "4 bet 5", "close", seats=(1, 2, 3, 4))
    for spot in ("2", "4", "1"):
        assert [one.spots for one in state.turn] == [(spot,)]
        assert legal(state, f"deal {spot} ??")
        assert not legal(state, "deal 3 ??")
        assert not legal(state, f"deal {spot} 5C")
        state = state.play(Act.parse(f"deal {spot} ??"))
    assert state.acting == 2


def test_where_bets_are_unknown_whoever_gets_a_card_is_in() -> None:
    state = table("deal 3 ??", "deal 1 ??", level=Level.NONE, limits=None)
    assert not state.violations
    assert state.active == (3,)
    skipped = table("deal 3 ??", level=Level.NONE, limits=None)
    assert not legal(skipped, "deal 2 ??")


def test_only_the_banker_sits_on_the_left_of_the_last_player() -> None:
    state = table("1 bet 5", "3 bet 5", "close", banker=2)
    assert [one.spots for one in state.turn] == [("3",)]


def test_around_eight_players_may_play() -> None:
    """Around eight is no limit: nine sit down with a banker."""
    seats = tuple(range(1, 11))
    state = find_game("seven-and-a-half").open(Start(seats=seats, banker=1, limits=(1, 20)))
    for seat in seats[1:]:
        state = state.play(Act.parse(f"{seat} bet 1"))
    assert not state.violations
    with pytest.raises(StartError, match="2 to 10 players"):
        find_game("seven-and-a-half").open(Start(seats=(*seats, 11), banker=1, limits=(1, 20)))


# Play.


def test_the_player_on_the_banker_s_left_hits_until_satisfied_then_the_next() -> None:
    state = table(*DEALT)
    assert state.turn.seats == (2,)
    state = state.play(Act.parse("2 hit")).play(Act.parse("deal 2 2C"))
    assert state.turn.seats == (2,)
    assert state.play(Act.parse("2 stand")).turn.seats == (3,)


def test_a_card_for_the_next_player_is_legal_after_exactly_one_run_of_spoken_acts() -> None:
    card = Act.parse("deal 3 5C")
    waiting: list[tuple[SevenState, tuple[str, ...]]] = [(table(*DEALT), ())]
    found: list[tuple[str, ...]] = []
    for _ in range(3):
        grown = []
        for state, said in waiting:
            if state.allows(card):
                found.append(said)
            for one in state.turn:
                if one.spoken:
                    act = one.fill()
                    grown.append((state.play(act), (*said, str(act))))
        waiting = grown
    assert found == [("2 stand", "3 hit")]


def test_a_bust_shows_the_hole_card_and_loses_bet_and_cards_at_once() -> None:
    state = table(*DEALT, "2 hit", "deal 2 4C")
    assert legal(state, "2 show 5H")
    assert not legal(state, "2 show 3H")
    state = state.play(Act.parse("2 show 5H"))
    assert state.settlement.net == {1: 5, 2: -5}
    assert not legal(state, "3 stand")
    state = state.play(Act.parse("take 2 5H 4C"))
    assert state.turn.seats == (3,)


def test_half_over_is_a_bust() -> None:
    assert hand("5C 3D", "4S").settlement.net == {1: 10, 2: -10}


def test_visible_cards_may_make_a_bust_certain() -> None:
    """Any hole card counts at least a half: seven and a half visible is eight in all."""
    state = table(*DEALT, "2 hit", "deal 2 5C", "2 hit", "deal 2 2C")
    assert legal(state, "2 stand")
    state = state.play(Act.parse("2 hit")).play(Act.parse("deal 2 JC"))
    assert not legal(state, "2 stand")
    assert not legal(state, "2 hit")
    assert [str(one.verb) for one in state.turn if one.required] == ["show"]


def test_a_certain_bust_removed_before_anybody_saw_its_hole_card_has_lost() -> None:
    """A hand may hide that it is turned up and removed."""
    state = table(*DEALT, "2 hit", "deal 2 5C", "2 hit", "deal 2 2C", "2 hit", "deal 2 JC")
    taken = state.play(Act.parse("take 2 5C 2C JC")).play(Act.parse("take 2 ??"))
    assert not taken.violations
    assert taken.payments[-1].reason == "seven.bust"
    assert taken.turn.seats == (3,)


def test_seven_and_a_half_in_two_cards_is_shown_at_once_and_stands() -> None:
    state = table(*DEALT, "2 hit", "deal 2 JC", "2 show 7S")
    assert not state.violations
    assert [call.id for call in state.calls][-1] == "seven.natural"
    assert state.turn.seats == (3,)


def test_showing_any_other_hole_card_exposes_it() -> None:
    state = table(*DEALT, "2 hit", "deal 2 JC", "2 show 5S")
    assert rules_broken(state) == ["seven.exposed"]
    assert state.turn.seats == (2,)


def test_a_dealer_may_turn_up_the_cards_that_a_player_has_to_show() -> None:
    """Document, The payout: everybody shows in the end; no matter whose hand turns the card."""
    state = table(*DEALT, "2 stand", "3 stand", "1 show 4S", "1 stand")
    said, done = "2 show 5C", "turn 2 5C"
    assert legal(state, done)
    assert state.play(Act.parse(done)).turn == state.play(Act.parse(said)).turn
    early = table(*DEALT, "turn 2 5C")
    assert rules_broken(early) == ["not-now"], "a player's secret is not the dealer's to show"


def test_a_hole_card_dealt_face_up_is_irregular_but_counts() -> None:
    state = table("2 bet 5", "close", "deal 2 7C")
    assert rules_broken(state) == ["face-up"]
    for line in ("deal 1 ??", "2 hit", "deal 2 JC"):
        state = state.play(Act.parse(line))
    assert 2 in state.stood


def test_a_visible_king_is_read_in_full() -> None:
    with pytest.raises(ActError, match="of a king the suit"):
        table(*DEALT, "2 hit", "deal 2 K?")
    assert not table(*DEALT, "2 hit", "deal 2 6?").violations


# The next banker.


@pytest.mark.parametrize(
    ("second", "third", "own", "banker"),
    [
        ("7C JC", "5D", "5S", 2),
        ("5D", "7C JC", "5S", 3),
        ("7C JC", "KD QC", "5S", 2),
        ("7C JC", "KD QC", "7S KS", 1),
        ("5D", "4D", "7S KS", 1),
        ("6D AC JC", "4D", "5S", 1),
    ],
)
def test_the_first_two_card_seven_and_a_half_takes_over_the_bank(
    second: str, third: str, own: str, banker: int
) -> None:
    holes = dict(zip((2, 3, 1), (second[:2], third[:2], own[:2]), strict=True))
    lines = ["2 bet 5", "3 bet 5", "close", *(f"deal {s} ({c})" for s, c in holes.items())]
    for seat, cards in ((2, second), (3, third)):
        for card in cards.split()[1:]:
            lines += [f"{seat} hit", f"deal {seat} {card}"]
        quiet = not natural(parse_cards(cards))
        lines.append(f"{seat} stand" if quiet else f"{seat} show {holes[seat]}")
    lines += [f"1 show {holes[1]}", *(f"deal 1 {card}" for card in own.split()[1:])]
    if not natural(parse_cards(own)):
        lines.append("1 stand")
    for seat, cards in ((2, second), (3, third)):
        if not natural(parse_cards(cards)):
            lines.append(f"{seat} show {holes[seat]}")
    match = Match(find_game("seven-and-a-half"), Start(seats=(1, 2, 3), banker=1, limits=(1, 9)))
    for line in (*lines, "clear"):
        match.play(Act.parse(line))
    assert not match.hands[0].state.violations
    assert match.hand.start.banker == banker


def test_a_misdeal_pays_nobody_and_keeps_the_banker() -> None:
    match = Match(find_game("seven-and-a-half"), Start(seats=(1, 2, 3), banker=1, limits=(1, 20)))
    for line in (*DEALT, "2 hit", "deal 2 JC", "2 show 7S", "misdeal", "clear"):
        match.play(Act.parse(line))
    assert match.settlements[0].net == {}
    assert match.hand.start.banker == 1


def test_house_rules_take_one_of_their_choices() -> None:
    with pytest.raises(StartError, match="ties is one of push, banker, got player"):
        find_game("seven-and-a-half", {"ties": "player"})
    with pytest.raises(StartError, match="no house rule 'wild'"):
        find_game("seven-and-a-half", {"wild": "no"})


def test_the_hole_card_of_an_open_bust_does_not_go_before_the_open_cards() -> None:
    """Seat 2 turned a three up too late, and busts with it. That is no three dealt to an open bust
    whose hole card was shown under a hand and is gone."""
    state = table(*DEALT, "2 hit", "deal 2 6S", "2 hit", "deal 2 KD")
    dealt = state.play(Act.parse("2 hit")).play(Act.parse("deal 2 3H"))
    assert legal(dealt, "2 show 4C")
    assert legal(dealt, "take 2 6S KD 3H")
    assert not legal(dealt, "take 2 ??")
    assert legal(dealt.play(Act.parse("take 2 6S KD 3H")), "take 2 ??")
    assert rules_broken(state.play(Act.parse("2 show 3H"))) == ["seven.undeclared-bust"]
