"""Chips of uncertain amount or owner: asked about in time, and answers hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest

from firmware.follow.bets import SAID_AFTER_S
from firmware.follow.loop import Loop
from firmware.settings.settings import Settings
from firmware.store.ledger import Ledger
from firmware.texts import Texts
from hardware.press import Button, Held
from rules.acts import Verb
from rules.cards import Card
from rules.match import Match
from vision.chips.seen import CORNERS, SeenChips
from vision.sightings import Lying, LyingChips, Seen

SEATS = {1: (600.0, 1100.0), 2: (0.0, 500.0), 3: (600.0, -100.0), 4: (1200.0, 500.0)}
"""Positions of the seats in the picture."""
TEXTS = Texts.load("en")


def chips(value: str, least: int, most: int, at: tuple[float, float] = (400.0, 300.0)) -> SeenChips:
    """Chips in the picture; the middle of the range is the likeliest number."""
    turns = np.arange(CORNERS) * 2 * np.pi / CORNERS
    ring = np.stack([np.cos(turns), np.sin(turns)], axis=1) * 30 + at
    return SeenChips(value, (least + most) // 2, least, most, 0.99, ring.astype(np.float32))


def card(name: str, x: float, y: float) -> Lying:
    """An upright card with its middle at (x, y)."""
    corners = ((x - 50, y - 70), (x + 50, y - 70), (x + 50, y + 70), (x - 50, y + 70))
    return Lying(Card.parse(name), 0.99, ((Card.parse(name), 0.99),), corners)


@dataclass
class Table:
    """A loop at a table that holds only what is set here."""

    game: str = "seven-and-a-half"
    lines: tuple[str, ...] = ()
    spots: dict[str, tuple[Lying, ...]] = field(default_factory=dict)
    now: float = 0.0

    def __post_init__(self) -> None:
        table = {"game": self.game, "level": "amounts", "chips": "drawn", "limits": [1, 20]}
        settings = Settings.from_mapping({"table": table})
        match = Match(settings.rules(), settings.start)
        self.loop = Loop(Ledger(match, now=lambda: 0.0), TEXTS)
        self.loop.chips.seats = SEATS
        for line in self.lines:
            self.loop.type(line, sure=True)

    def see(self, seconds: float = 3.0, **places: tuple[SeenChips, ...]) -> None:
        """Show chips at places for a while; ``at_2`` is in front of seat 2."""
        names = {"board": "board.bet", **{f"at_{seat}": f"{seat}.bet" for seat in SEATS}}
        self.look(seconds, LyingChips({names[name]: some for name, some in places.items()}))

    def look(self, seconds: float, lying: LyingChips) -> None:
        """Let the tracker report these chips for a while."""
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            self.loop.see(Seen(self.spots, frozenset(), (), self.now, chips=lying))

    @property
    def acts(self) -> list[str]:
        """The acts that stand."""
        return list(map(str, self.loop.state.acts))

    @property
    def offered(self) -> tuple[str, ...]:
        """The answers offered to the current question."""
        return tuple(self.loop.prompt.options)


def test_the_likely_amounts_of_a_range_are_offered_while_bets_are_open() -> None:
    table = Table()
    table.see(at_2=(chips("5", 2, 4),))
    assert table.loop.prompt.sentence == "Seat 2: how much is the bet?"
    amounts = ("15", "10", "20")
    assert table.offered == (*(f"Seat 2 bets {one}" for one in amounts), "Another amount…")
    assert table.acts == []


def test_what_a_person_says_of_a_bet_holds_until_its_chips_are_moved() -> None:
    table = Table()
    table.see(at_2=(chips("5", 2, 4),))
    table.loop.choose("Seat 2 bets 20")
    table.see(at_2=(chips("5", 2, 4),))
    assert (table.acts, table.offered) == (["2 bet 20"], ())
    table.see(at_2=(chips("5", 1, 2),))
    assert len(table.offered) == 2


def test_an_answer_tells_the_eyes_how_many_chips_are_in_each_stack() -> None:
    table = Table()
    red, white = chips("5", 2, 4), chips("1", 1, 3, at=(460.0, 300.0))
    table.see(at_2=(red, white))
    table.loop.choose("Seat 2 bets 17")
    assert table.loop.chips.counted == [(red, 3), (white, 2)]


def test_an_answer_that_leaves_open_which_stack_is_higher_tells_nothing_of_either() -> None:
    table = Table()
    table.see(at_2=(chips("5", 2, 4), chips("5", 1, 3, at=(460.0, 300.0))))
    table.loop.choose("Seat 2 bets 25")
    assert table.loop.chips.counted == []


def test_chips_that_are_counted_more_certainly_later_have_not_been_moved() -> None:
    table = Table()
    table.see(at_2=(chips("5", 2, 4),))
    table.loop.choose("Seat 2 bets 15")
    table.see(at_2=(chips("5", 2, 3),))
    assert (table.acts, table.offered) == (["2 bet 15"], ())


def test_any_other_amount_can_be_given_instead() -> None:
    table = Table()
    table.see(at_2=(chips("5", 2, 4),))
    table.loop.choose("Another amount…")
    assert all(set(option) & set("0123456789") for option in table.offered)
    for _ in range(3):
        if table.offered:
            table.loop.choose(table.offered[0])
    table.see(at_2=(chips("5", 2, 4),))
    assert (table.acts, table.offered) == (["2 bet 1"], ())


def test_closing_the_bets_is_heard_once_a_range_is_answered() -> None:
    table = Table()
    table.see(0.3, at_2=(chips("5", 2, 4),), at_3=(chips("1", 3, 3),))
    table.loop.type("close", sure=True)
    assert table.acts == []
    assert "Seat 2 bets 10" in table.offered
    table.loop.choose("Seat 2 bets 10")
    table.see(1.0, at_2=(chips("5", 2, 4),), at_3=(chips("1", 3, 3),))
    assert sorted(table.acts[:2]) == ["2 bet 10", "3 bet 3"]
    assert table.acts[2] == "close"


def test_what_closes_the_bets_is_taken_in_once() -> None:
    table = Table()
    table.see(0.3, at_2=(chips("5", 2, 4),), at_3=(chips("1", 3, 3),))
    table.loop.type("close", sure=True)
    table.loop.type("2 bet 10", sure=True)
    table.loop.type("close", sure=True)
    table.see(1.0, at_2=(chips("5", 2, 4),), at_3=(chips("1", 3, 3),))
    assert table.acts.count("close") == 1


def test_chips_that_are_taken_away_are_no_longer_asked_about() -> None:
    table = Table()
    table.see(at_2=(chips("5", 2, 4),))
    table.see(at_2=())
    assert table.offered == ()


def test_chips_that_nobody_will_name_are_no_bet() -> None:
    table = Table()
    table.see(at_2=(chips("5", 2, 4),))
    table.loop.button(Held(Button.FIX, table.now))
    table.see(at_2=(chips("5", 2, 4),))
    table.loop.type("close", sure=True)
    assert [act for act in table.acts if "bet" in act] == []


def _put_aside() -> Table:
    """A card that closes the bets has come, and nothing offered for a bet beside it was right."""
    table = _ziginette()
    table.see(board=_TALL)
    table.spots["board"] = (*table.spots["board"], card("6H", 750, 500))
    table.see(board=_TALL)
    assert table.loop.prompt.sentence == "Seat 2: how much is the bet?"
    table.loop.button(Held(Button.FIX, table.now))
    table.see(2.0, board=_TALL)
    return table


_TALL = (chips("1", 5, 20, (490.0, 520.0)),)


def test_a_bet_that_was_not_offered_may_still_be_said_before_the_next_card_counts() -> None:
    table = _put_aside()
    assert len(table.acts) == len(BOARD)
    table.loop.type("2 bet 14 7S", sure=True)
    table.see(1.0, board=_TALL)
    assert table.acts[len(BOARD) :] == ["2 bet 14 7S", "close", "deal board 6H"]


def test_a_card_does_not_wait_for_ever_for_a_bet_that_nobody_says() -> None:
    table = _put_aside()
    table.see(SAID_AFTER_S, board=_TALL)
    assert table.acts[len(BOARD) :] == ["close", "deal board 6H"]


def test_the_felt_shows_the_chips_in_front_of_a_seat_before_bets_are_closed() -> None:
    table = Table()
    table.see(at_3=(chips("5", 2, 2), chips("1", 3, 3, (470.0, 300.0))))
    shown = table.loop.snapshot()
    assert dict(shown.bets) == {3: 13}
    assert "Seat 3: chips for 13." in shown.facts


BOARD = ("deal board 7S", "deal board 2D", "deal banker KH")


def test_what_a_seat_lost_before_does_not_imply_that_the_bank_stands() -> None:
    lines = (
        "2 bet 5; 3 bet 9; close; deal 2 ??; deal 3 ??; deal 1 ??; 2 hit; deal 2 7H; "
        "2 show KS; 3 hit; deal 3 4S; 3 hit; deal 3 5H; 3 show JS; take 3 JS 4S 5H; 1 show 3H"
    )
    table = Table(lines=tuple(lines.split("; ")))
    before = table.acts
    assert before[-1] == "1 show 3H"
    table.see(at_2=(chips("5", 1, 1),))  # those of seat 3 were taken when it went out
    assert table.acts == before
    table.see(at_2=(chips("5", 2, 2),))
    assert table.acts == [*before, "1 stand"]


def _ziginette() -> Table:
    lying = {
        "board": (card("7S", 600, 500), card("2D", 900, 500)),
        "banker": (card("KH", 600, 900),),
    }
    return Table("ziginette", BOARD, lying)


def test_the_owner_of_chips_between_two_seats_is_asked_and_stays_so() -> None:
    table = _ziginette()
    between = chips("1", 3, 3, (510.0, 410.0))
    table.see(board=(between,))
    assert table.loop.prompt.sentence == "Whose bet is that?"
    [other] = [option for option in table.offered if "Seat 3" in option]
    table.loop.choose(other)
    table.see(board=(between,))
    assert table.acts[3:] == ["3 bet 3 7S"]
    table.loop.type("close", sure=True)
    assert table.acts[3:] == ["3 bet 3 7S", "close"]


def test_players_own_colours_decide_whose_chips_lie_side_by_side_on_one_card() -> None:
    table = _ziginette()
    table.see(board=(chips("1@2", 4, 4, (600.0, 395.0)), chips("1@3", 2, 2, (662.0, 395.0))))
    table.loop.type("close", sure=True)
    assert sorted(table.acts[3:5]) == ["2 bet 4 7S", "3 bet 2 7S"]


def _overlapping() -> Table:
    """Seat 3 bets on the far side of two cards, one of which was dealt onto the other."""
    table = _ziginette()
    table.spots["board"] = (card("7S", 600, 500), card("2D", 637, 500))
    return table


def test_which_of_two_overlapping_cards_a_bet_is_on_is_asked_and_stays_so() -> None:
    table = _overlapping()
    bet = chips("1", 3, 3, (640.0, 400.0))
    table.see(board=(bet,))
    assert table.loop.prompt.sentence == "Seat 3: which card is the bet on?"
    names = ("two of diamonds", "seven of spades")
    assert table.offered == tuple(f"Seat 3 bets 3 on {one}" for one in names)
    table.loop.choose("Seat 3 bets 3 on seven of spades")
    table.see(board=(bet,))
    table.loop.type("close", sure=True)
    assert table.acts[3:] == ["3 bet 3 7S", "close"]


@pytest.mark.parametrize("place", [(670, 500), (690, 400)])
def test_chips_stay_on_their_card_when_another_comes_to_lie_next_to_it(
    place: tuple[float, float],
) -> None:
    table = _ziginette()
    table.spots["board"] = (card("7S", 600, 500), card("2D", 900, 500))
    bet = chips("1", 3, 3, (650.0, 390.0))
    table.see(board=(bet,))
    table.spots["board"] = (card("7S", 600, 500), card("2D", *place))
    table.see(board=(bet,))
    table.loop.type("close", sure=True)
    assert table.acts[3:] == ["3 bet 3 7S", "close"]


def test_chips_laid_beside_those_of_another_do_not_become_theirs() -> None:
    """Between two seats, one player's row of stacks meets the other's."""
    table = _ziginette()
    hers = (chips("1", 3, 3, (505.0, 500.0)), chips("5", 1, 1, (505.0, 440.0)))
    table.see(board=hers)
    his = (chips("5", 2, 2, (545.0, 395.0)), chips("1", 1, 1, (605.0, 390.0)))
    table.see(board=(*hers, *his))
    table.loop.type("close", sure=True)
    assert sorted(table.acts[3:5]) == ["2 bet 8 7S", "3 bet 11 7S"]


def test_chips_added_to_ones_own_belong_to_them() -> None:
    table = _ziginette()
    first = chips("5", 1, 1, (500.0, 480.0))
    table.see(board=(first,))
    table.see(board=(first, chips("1", 2, 2, (503.0, 420.0))))
    table.loop.type("close", sure=True)
    assert table.acts[3:] == ["2 bet 7 7S", "close"]


def _bets(table: Table) -> Counter[int]:
    """What each seat has bet by the record."""
    amounts = Counter[int]()
    for act in table.loop.state.acts:
        if act.verb is Verb.BET:
            amounts[act.seat or 0] += act.amount or 0
    return amounts


def test_a_bet_that_is_laid_anew_in_a_longer_row_stays_that_of_its_seat() -> None:
    """One of its stacks comes to lie where another was, the last in the direction of a third seat,
    and the first between two seats."""
    table = _ziginette()
    hers = (chips("5", 3, 3, (505.0, 495.0)), chips("1", 2, 2, (520.0, 430.0)))
    table.see(board=hers)
    first = (chips("25", 1, 1, (612.0, 390.0)), chips("5", 4, 4, (675.0, 390.0)))
    table.see(board=(*hers, *first))
    row = (
        chips("25", 1, 1, (572.0, 390.0)),
        chips("5", 4, 4, (636.0, 392.0)),
        chips("1", 3, 3, (705.0, 420.0)),
    )
    table.see(board=(*hers, *row))
    assert table.loop.question is None
    table.loop.type("close", sure=True)
    assert _bets(table) == {2: 17, 3: 48}


def test_stacks_added_on_either_side_of_a_bet_belong_to_it() -> None:
    table = _ziginette()
    five = chips("5", 1, 1, (520.0, 498.0))
    table.see(board=(five,))
    ends = chips("1", 2, 2, (550.0, 430.0)), chips("25", 1, 1, (550.0, 566.0))
    table.see(board=(ends[0], five, ends[1]))
    assert table.loop.question is None
    table.loop.type("close", sure=True)
    assert _bets(table) == {2: 32}


def _stirred(table: Table) -> None:
    """A card is dealt to the board while hands may still be laying bets next to it."""
    table.spots["board"] = (*table.spots["board"], card("6H", 750, 500))
    for _ in range(3):
        table.look(2.0, COVERED)
        table.look(0.5, RESTING)


PLACE = frozenset({"board.bet"})
COVERED, RESTING = LyingChips({"board.bet": ()}, PLACE, PLACE), LyingChips({"board.bet": ()}, PLACE)


def test_a_card_waits_for_bets_that_several_hands_lay_one_after_the_other() -> None:
    table = _ziginette()
    _stirred(table)
    assert len(table.acts) == len(BOARD)
    table.see(board=(chips("5", 1, 1, (490.0, 520.0)),))
    assert table.acts[len(BOARD) :] == ["2 bet 5 7S", "close", "deal board 6H"]


def test_a_hand_that_rests_over_the_chips_is_not_waited_for() -> None:
    table = _ziginette()
    _stirred(table)
    table.look(8.0, COVERED)
    assert table.acts[-1] == "deal board 6H"
