"""What is carried from one hand to the next, and what a player who leaves takes along."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.acts import Act
from rules.errors import ActError
from rules.games import find_game
from rules.match import Match, between
from rules.settlement import Points
from rules.start import Level, Start


def after(start: Start, game: str, *lines: str) -> Start:
    for line in lines:
        start = between(start, Act.parse(line), find_game(game))
    return start


def test_a_match_of_belote_that_is_won_holds_nothing_over_for_the_next() -> None:
    """81 to 81 with the house rule `litige`: the defenders' 81 win the match (ruling 15 d)."""
    game = find_game("belote", {"litige": "yes"})
    scores = ((1, 500), (2, 950), (3, 500), (4, 950))
    dealt = Start(seats=(1, 2, 3, 4), dealer=4, scores=scores)
    points = tuple(Points(seat, 81, "belote.tricks") for seat in (2, 4))
    tie = replace(game.open(dealt), carry=81, points=points, settled=True)
    assert game.follow(tie) == Start(seats=(1, 2, 3, 4), dealer=1, hand=2)
    played_on = game.follow(replace(tie, points=()))
    assert (played_on.scores, played_on.note("carried")) == (scores, "81")


@pytest.mark.parametrize(
    ("dealer", "dealt", "lines", "left"),
    [
        (3, 2, ("leave 1",), 2),  # 3 and 4 are still to deal
        (3, 2, ("leave 4",), 1),
        (3, 2, ("leave 3",), 1),
        (3, 2, ("join 5",), 3),
        (3, 2, ("join 9", "leave 1"), 3),
        (2, 1, ("leave 1",), 3),
        (3, 2, ("sit-out 2", "join 2"), 2),
    ],
)
def test_in_eleusis_everybody_still_there_deals_before_the_match_ends(
    dealer: int, dealt: int, lines: tuple[str, ...], left: int
) -> None:
    """Section 'Ending the hand', last paragraph: until all players have had a chance to deal."""
    noted = (("dealt", str(dealt)),)
    start = after(Start(seats=(1, 2, 3, 4), dealer=dealer, notes=noted), "eleusis", *lines)
    assert len(start.seats) - start.number("dealt", 0) == left


def test_nobody_deals_twice_in_eleusis_for_a_player_who_came_late() -> None:
    """Seats 1 and 2 have dealt when somebody sits down between 2 and the next dealer."""
    noted = (("dealt", "2"),)
    start = after(Start(seats=(1, 2, 4), dealer=4, notes=noted), "eleusis", "join 3")
    assert (start.dealer, start.number("dealt", 0)) == (4, 3)


def test_whoever_takes_the_seat_of_a_player_who_left_begins_without_points() -> None:
    start = Start(seats=(1, 2, 3), dealer=1, scores=((1, 20), (2, 35), (3, 5)))
    begun = after(start, "three-thirteen", "leave 2", "join 2")
    assert begun.scores == ((1, 20), (3, 5))


def test_a_player_who_sits_out_keeps_chips_and_points() -> None:
    start = Start(
        seats=(1, 2, 3), dealer=1, scores=((2, 35),), stacks=((1, 9), (2, 7), (3, 8))
    )  # fmt: skip
    assert after(start, "three-thirteen", "sit-out 2", "join 2") == start


@pytest.mark.parametrize("level", [Level.WHO, Level.NONE])
def test_limits_that_no_hand_asks_for_come_between_hands(level: Level) -> None:
    """So that a player may still leave after they were announced."""
    match = Match(find_game("ziginette"), Start(seats=(1, 2, 3), banker=1, level=level))
    for line in ("limits 2 20", "leave 3"):
        match.play(Act.parse(line))
    assert (match.hand.start.limits, match.hand.start.seats) == ((2, 20), (1, 2))
    assert not match.hand.acts


def test_a_substitute_takes_a_seat_over_where_the_number_of_players_is_fixed() -> None:
    """Points stay with the seat, as a partner or the match depends on them; chips do not."""
    scores = ((1, 7), (2, -4), (3, 0), (4, 6))
    start = Start(seats=(1, 2, 3, 4), dealer=2, scores=scores, stacks=((1, 50), (2, 30)))
    match = Match(find_game("fipsen"), start)
    with pytest.raises(ActError, match=r"exactly 4 players, got 3; .* by 'join 2'"):
        match.play(Act.parse("leave 2"))
    match.play(Act.parse("join 2 40"))
    assert match.hand.start == start.having(stacks=((1, 50), (2, 40)))
    with pytest.raises(ActError, match="seat 2 is taken"):
        Match(find_game("guts"), start.having(scores=())).play(Act.parse("join 2 40"))
