"""The bank and the deal when somebody leaves between two hands, against the rule sheets."""

from __future__ import annotations

import pytest

from rules.acts import Act
from rules.games import find_game
from rules.match import Match
from rules.records import parse_record, print_match
from rules.start import Level, Start

ZIGINETTE = ("deal board QS", "deal board 5D", "deal banker 7C", "2 bet 5 QS", "close")
LOST = (*ZIGINETTE, "deal board 7H", "clear")
"""A hand that the banker at seat 1 loses: the bank passes to the right."""


def match(game: str, *lines: str, rules: dict[str, str] | None = None, **start: object) -> Match:
    given = {"seats": (1, 2, 3, 4), "banker": 1, "limits": (1, 20), **start}
    one = Match(find_game(game, rules), Start(**given))  # type: ignore[arg-type]
    for line in lines:
        one.play(Act.parse(line))
    return one


@pytest.mark.parametrize("leaving", ["leave", "sit-out"])
def test_the_bank_moves_on_to_the_right_when_its_holder_leaves(leaving: str) -> None:
    one = match("ziginette", *LOST)
    assert one.hand.start.banker == 4
    one.play(Act.parse(f"{leaving} 4"))
    assert one.hand.start.banker == 3
    assert parse_record(print_match(one)).match.hand.start == one.hand.start


def test_the_deal_of_pai_gow_moves_on_to_the_right_when_its_holder_leaves() -> None:
    one = match("pai-gow-poker", "close", "clear")
    assert one.hand.start.banker == 4
    one.play(Act.parse("leave 4"))
    assert one.hand.start.banker == 3


def test_even_before_the_first_hand_the_bank_goes_its_own_way() -> None:
    assert match("ziginette", "leave 1").hand.start.banker == 4
    assert match("seven-and-a-half", "leave 1").hand.start.banker == 2


def seven(heir: int, banker: int) -> tuple[str, ...]:
    """A hand of Seven and a Half in which `heir`, at the banker's right, has 7½ in two cards."""
    return (
        f"deal {heir} (7S)", f"deal {banker} (4S)", f"{heir} hit", f"deal {heir} QH",
        f"{heir} show 7S", f"{banker} show 4S", f"{banker} stand", "clear",
    )  # fmt: skip


def test_the_bank_never_goes_back_to_the_seat_that_held_it_last() -> None:
    one = match("seven-and-a-half", *seven(3, 4), banker=4, limits=None, level=Level.NONE)
    assert one.hand.start.banker == 3
    one.play(Act.parse("leave 3"))
    assert one.hand.start.banker == 1


def test_unless_nobody_else_is_left() -> None:
    one = match("ziginette", *LOST, seats=(1, 2))
    assert one.hand.start.banker == 2
    three = match("ziginette", *LOST, seats=(1, 2, 3))
    assert three.hand.start.banker == 3
    three.play(Act.parse("leave 3"))
    assert three.hand.start.banker == 2


def test_the_deal_moves_on_past_the_player_who_has_just_dealt() -> None:
    lines = ["ante", *(f"deal {s} ??" for s in (2, 3, 4, 1) * 2)]
    lines += ["2 fold", "3 fold", "4 fold", "1 declare in", "clear"]
    one = match("guts", *lines, banker=None, dealer=1)
    assert one.hand.start.dealer == 2
    for leaving, dealer in ((2, 3), (3, 4), (4, 1)):
        if len(one.hand.start.seats) > 2:
            one.play(Act.parse(f"leave {leaving}"))
            assert one.hand.start.dealer == dealer


@pytest.mark.parametrize("change", ["banker 3", "leave 1"])
def test_a_new_banker_starts_counting_hands_afresh(change: str) -> None:
    cut = [f"deal {pile} ??" for pile in ("left", "middle", "right")]
    turned = ["turn left 9H", "turn middle 8C", "turn right 4D", "clear"]
    hand = [*cut, "close", *turned]
    rules = {"hands_a_bank": "3"}
    one = match("ace-deuce-jack", *hand, *hand, change, rules=rules)
    banker = one.hand.start.banker
    assert banker == int(change[-1]) if change.startswith("banker") else 2
    for held in range(3):
        assert one.hand.start.banker == banker, held
        for line in hand:
            one.play(Act.parse(line))
    assert one.hand.start.banker != banker
    assert parse_record(print_match(one)).record() == print_match(one)
