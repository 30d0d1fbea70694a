"""Where chips belong by the rules, and what is said when chips move that should not."""

from __future__ import annotations

import pytest

from rules.acts import Act, Verb
from rules.errors import ActError
from rules.games import GAMES
from rules.start import Level, Start
from rules.state import State
from tests.scripted import after

ZIGINETTE = ("deal board QS", "deal board 5D", "deal banker 7C", "2 bet 5 QS", "3 bet 10 5D")
SEVEN = ("2 bet 5", "3 bet 10", "close", "deal 2 (QS)", "deal 3 (5D)", "deal 1 (4C)")


def opened(game: str, level: Level = Level.AMOUNTS) -> State:
    """A hand of three; the first seat has the bank or the deal."""
    kind = GAMES[game]
    limits = (1, 20) if level is Level.AMOUNTS else None
    banker = 1 if kind.banked else None
    start = Start(seats=(1, 2, 3), limits=limits, level=level, dealer=1, banker=banker)
    state: State = kind().open(start)
    return state


def lying(state: State) -> list[tuple[str, int | None, int | None, str]]:
    return [(s.place, s.amount, s.seat, s.on) for s in state.game.stakes_lying(state)]


def told(state: State) -> list[tuple[str, int | None, dict[str, int]]]:
    return [(v.rule, v.seat, dict(v.values)) for v in state.open_violations]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_places_of_chips_are_distinguished_from_the_spots_of_cards(game: str) -> None:
    kind = GAMES[game]
    seats = tuple(range(1, max(3, kind.players.start) + 1))
    start = Start(seats=seats, dealer=1, banker=1)
    names = [place.name for place in kind().betting_places(start)]
    assert len(set(names)) == len(names)
    assert not set(names) & {spot.name for spot in kind().spots(start)}


def test_bets_lie_next_to_cards_or_in_front_of_seats() -> None:
    assert lying(after(opened("ziginette"), *ZIGINETTE)) == [
        ("board.bet", 5, 2, "QS"),
        ("board.bet", 10, 3, "5D"),
    ]
    assert lying(after(opened("seven-and-a-half"), *SEVEN)) == [
        ("2.bet", 5, 2, ""),
        ("3.bet", 10, 3, ""),
    ]


def test_bets_of_a_round_lie_in_front_of_the_seats_until_it_is_over() -> None:
    state = after(opened("pineapple"), "ante")
    assert lying(state) == [("pot", 0, None, ""), ("2.bet", 1, 2, ""), ("3.bet", 1, 3, "")]


@pytest.mark.parametrize(
    ("lines", "rule", "seat", "values"),
    [
        ((*ZIGINETTE, "close", "2 bet 3 5D"), "bets.closed", 2, {"amount": 3}),
        ((*ZIGINETTE, "close", "2 bet 3 QS"), "bets.capped", 2, {"amount": 3}),
        ((*ZIGINETTE, "close", "3 withdraw 4 5D"), "bets.pinched", 3, {"amount": 4}),
    ],
)
def test_chips_after_the_close_are_reported_by_seat_and_amount(
    lines: tuple[str, ...], rule: str, seat: int, values: dict[str, int]
) -> None:
    [(broken, whose, said)] = told(after(opened("ziginette"), *lines))
    assert (broken, whose) == (rule, seat)
    assert said | values == said


def test_a_bet_may_be_taken_back_until_bets_are_closed() -> None:
    state = after(opened("ziginette"), *ZIGINETTE, "3 withdraw 4 5D", "2 withdraw 5 QS")
    assert not state.open_violations
    assert lying(state) == [("board.bet", 6, 3, "5D")]


def test_a_pinched_bet_counts_for_what_is_left_unless_it_is_put_back() -> None:
    state = after(opened("seven-and-a-half"), *SEVEN, "3 withdraw 4")
    assert lying(state) == [("2.bet", 5, 2, ""), ("3.bet", 6, 3, "")]
    back = after(state, f"rule {len(state.acts)} correct")
    assert lying(back)[1] == ("3.bet", 10, 3, "")
    assert not back.open_violations


def test_a_wrong_payment_is_reported_with_what_is_due() -> None:
    state = after(opened("ziginette"), *ZIGINETTE, "close", "deal board 7H")
    assert [stake.due for stake in state.game.stakes_lying(state)] == [5, 10]
    assert told(after(state, "1 pay 3 10")) == []
    assert told(after(state, "1 pay 3 7")) == [("bets.wrong-payment", 3, {"amount": 7, "due": 10})]


@pytest.mark.parametrize("line", ["withdraw 5", "2 withdraw", "pay 3", "1 pay 9 5", "2 pay"])
def test_chips_of_nobody_mean_nothing(line: str) -> None:
    with pytest.raises(ActError):
        after(opened("ziginette"), *ZIGINETTE).play(Act.parse(line))


@pytest.mark.parametrize("game", ["ace-deuce-jack", "pai-gow-poker", "seven-and-a-half"])
def test_a_bet_on_ones_own_hand_is_on_no_card(game: str) -> None:
    with pytest.raises(ActError, match="expected a bet without a card, got one on QS"):
        opened(game).play(Act.parse("2 bet 5 QS"))


@pytest.mark.parametrize("game", sorted(name for name, kind in GAMES.items() if kind.banked))
def test_each_player_except_the_banker_has_a_place_for_bets(game: str) -> None:
    state = opened(game)
    places = state.game.betting_places(state.start)
    assert [place.owner for place in places if not place.beside] in ([], [2, 3])
    # If bets name a side, chips on the table do not say which: they are bids then.
    players = 2 if Verb.BET in GAMES[game].vocabulary else 0
    assert len(places) == (1 if game == "ziginette" else players)


def test_games_without_chips_have_neither() -> None:
    kind = GAMES["belote"]
    state = kind().open(Start(seats=(1, 2, 3, 4), dealer=1))
    assert not kind().betting_places(state.start)
    with pytest.raises(ActError):
        state.play(Act.parse("2 withdraw 5"))
