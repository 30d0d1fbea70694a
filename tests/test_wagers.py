"""Chips in a betting round: what each seat puts in, whenever it is seen, and however exactly."""

from __future__ import annotations

import numpy as np

from firmware.follow.heaps import Heap, Key
from firmware.follow.wagers import Wagers
from rules.acts import Act
from rules.games import find_game
from rules.start import Level, Start
from rules.state import State
from vision.chips.seen import SeenChips

RING = np.zeros((8, 2), np.float32)
ANTED = ("ante", "deal 2 ??", "deal 3 ??", "deal 1 ??", "deal 2 3S", "deal 3 6C")
OPENED = (*ANTED, "deal 1 JS")


def state(*lines: str) -> State:
    """A hand of a game with an ante of one and a bring-in, for three seats."""
    start = Start(seats=(1, 2, 3), dealer=1, level=Level.AMOUNTS, limits=(1, 20))
    played: State = find_game("soko").open(start)
    for line in lines:
        played = played.play(Act.parse(line))
    return played


def chips(**seats: tuple[int, int, int]) -> dict[Key, Heap]:
    """Chips of one in front of seats: their likeliest number, the least and the most."""
    return {
        (int(name[1]), ""): Heap(f"{name[1]}.bet", (SeenChips("1", *counts, 0.99, RING),), (1,))
        for name, counts in seats.items()
    }


class Watched:
    """What is made of chips, seen after one line of a hand or another."""

    def __init__(self) -> None:
        self.wagers = Wagers()

    def see(self, lines: tuple[str, ...], **seats: tuple[int, int, int]) -> list[str]:
        now, heaps = state(*lines), chips(**seats)
        self.wagers.see(now, heaps)
        found = next(self.wagers.acts(now, heaps), ())
        return [str(act) for act in found]


def watched() -> Watched:
    """A hand whose antes have been seen, and swept in."""
    table = Watched()
    table.see((), s1=(1, 1, 1), s2=(1, 1, 1), s3=(1, 1, 1))
    table.see(ANTED)
    return table


def test_chips_that_come_before_the_card_that_opens_a_round_count_in_it() -> None:
    table = watched()
    table.see(ANTED, s2=(5, 5, 5))
    assert table.see(OPENED, s2=(5, 5, 5)) == ["2 bet 5"]


def test_an_ante_that_nobody_has_swept_in_is_no_bet() -> None:
    table = Watched()
    table.see((), s1=(1, 1, 1), s2=(1, 1, 1))
    table.see(ANTED, s1=(1, 1, 1), s2=(1, 1, 1))
    table.see(ANTED, s1=(1, 1, 1), s2=(1, 1, 1), s3=(1, 1, 1))  # one comes late
    every = {"s1": (1, 1, 1), "s3": (1, 1, 1)}
    assert table.see(OPENED, s2=(1, 1, 1), **every) == []
    assert table.see(OPENED, s2=(6, 6, 6), **every) == ["2 bet 5"]


def test_chips_that_lay_there_besides_the_antes_are_no_bet() -> None:
    table = Watched()
    table.see((), s1=(1, 1, 1), s2=(4, 4, 4), s3=(1, 1, 1))
    table.see(ANTED, s2=(4, 4, 4))
    assert table.see(OPENED, s2=(4, 4, 4)) == []
    assert table.see(OPENED, s2=(9, 9, 9)) == ["2 bet 5"]


def test_of_a_range_the_rules_may_allow_only_one_amount() -> None:
    table = watched()
    bet = (*OPENED, "2 bet 5")
    assert table.see(bet, s2=(5, 5, 5), s3=(4, 4, 6)) == ["3 call"]
    now, heaps = state(*bet), chips(s3=(4, 4, 6))
    assert [str(act) for act in table.wagers.options(now, 3, heaps[3, ""])] == ["3 call"]
    assert len(list(table.wagers.options(now, 3, chips(s3=(11, 10, 12))[3, ""]))) > 1


def test_a_range_that_may_be_what_lay_there_is_more_only_if_the_chips_have_changed() -> None:
    raised = (*OPENED, "2 bet 2", "3 call", "1 raise 4")
    table = watched()
    table.see((*OPENED, "2 bet 2"), s2=(2, 2, 3))
    assert table.see(raised, s2=(2, 2, 3), s3=(2, 2, 2), s1=(4, 4, 4)) == []
    assert table.see(raised, s2=(3, 2, 4), s3=(2, 2, 2), s1=(4, 4, 4)) == ["2 call"]
