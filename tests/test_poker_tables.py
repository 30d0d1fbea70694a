"""The rule sheets' own cases and published odds, game by game (Denexa Games; pagat.com)."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from math import comb
from typing import Any

import pytest

from rules.acts import Act
from rules.cards import Card, Deck, Rank, parse_cards
from rules.errors import ActError, StartError
from rules.games import find_game
from rules.games.ace_deuce_jack import LOSING
from rules.games.chinese_poker import ChinesePoker
from rules.games.open_face_chinese_poker import OpenFaceChinesePoker
from rules.games.pai_gow_poker import PaiGowPoker
from rules.poker.rows import Rows
from rules.start import Level, Start
from rules.state import State

DECK = Deck.standard()
BLANK = ("9H 8C 7S 6D 4C", "9C 8D 7H 6S 4D")
"""A middle and a back row without royalties."""


def table(game: str, *lines: str, rules: dict[str, str] | None = None, **start: Any) -> State:
    """The state after the acts in `lines`."""
    given = {"seats": (1, 2, 3), "dealer": 3, "limits": (2, 4), **start}
    state: State = find_game(game, rules).open(Start(**given))
    for line in lines:
        state = state.play(Act.parse(line))
    return state


def broken(state: State) -> list[str]:
    return [violation.rule for violation in state.violations]


# Ace-Deuce-Jack.


def test_a_player_of_ace_deuce_jack_wins_38_times_in_85() -> None:
    safe = [card for card in DECK if card.rank not in LOSING]
    assert Fraction(comb(len(safe), 3), comb(52, 3)) == Fraction(38, 85)


@pytest.mark.parametrize(("card", "wins"), [("AS", 5), ("2D", 5), ("JC", 5), ("QC", -5)])
def test_the_bank_wins_with_ace_two_and_jack_only(card: str, wins: int) -> None:
    deals = [f"deal {pile} ??" for pile in ("left", "middle", "right")]
    turned = ["turn left 9H", "turn middle TD", f"turn right {card}"]
    state = table("ace-deuce-jack", *deals, "2 bet 5", "close", *turned, dealer=None, banker=1,
                  limits=(1, 20))  # fmt: skip
    assert state.settlement.net == {1: wins, 2: -wins}


# Open-Face Chinese Poker: the royalty table, line by line.

ROYALTIES = {
    "AS KS QS JS TS": (50, 25),
    "9S KS QS JS TS": (30, 15),
    "8S 8D 8H 8C 2D": (20, 10),
    "8S 8D 8H 2C 2D": (12, 6),
    "AS 9S 7S 4S 2S": (8, 4),
    "9S 8D 7H 6C 5D": (4, 2),
    "8S 8D 8H 6C 5D": (0, 0),
}


@pytest.mark.parametrize("hand", ROYALTIES)
def test_royalties_in_the_middle_and_at_the_back(hand: str) -> None:
    front, cards = parse_cards("2S 3D 4H"), parse_cards(hand)
    game = OpenFaceChinesePoker()
    middle, back = ROYALTIES[hand]
    assert game.royalties(Rows(front, cards, parse_cards(BLANK[1]))) == middle
    assert game.royalties(Rows(front, parse_cards(BLANK[0]), cards)) == back


@pytest.mark.parametrize(
    ("rank", "points"),
    [("A", 9), ("K", 8), ("Q", 7), ("J", 6), ("T", 5), ("9", 4), ("8", 3), ("7", 2), ("6", 1),
     ("5", 0), ("2", 0)],
)  # fmt: skip
def test_royalties_in_front(rank: str, points: int) -> None:
    front = parse_cards(f"{rank}S {rank}D 3C")
    middle, back = map(parse_cards, BLANK)
    assert OpenFaceChinesePoker().royalties(Rows(front, middle, back)) == points


def test_three_of_a_kind_in_front_are_twenty_or_graded() -> None:
    middle, back = map(parse_cards, BLANK)
    twos, aces = (Rows(parse_cards(text), middle, back) for text in ("2S 2D 2H", "AS AD AH"))
    graded = OpenFaceChinesePoker(trips="standard")
    assert [OpenFaceChinesePoker().royalties(rows) for rows in (twos, aces)] == [20, 20]
    assert [graded.royalties(rows) for rows in (twos, aces)] == [10, 22]


def test_a_row_takes_no_more_cards_than_it_has_room_for() -> None:
    deal = ("deal 2 (AS) (AD) (KC) (7D) (2H)", "deal 1 (QS) (QD) (9C) (8D) (3H)")
    lays = [f"2 lay 2.front {card}" for card in ("AS", "AD", "KC")]
    state = table("open-face-chinese-poker", *deal, "2 show AS AD KC 7D 2H", *lays,
                  seats=(1, 2), dealer=1)  # fmt: skip
    full = state.play(Act.parse("2 lay 2.front 7D"))
    assert broken(state) == []
    assert set(broken(full)) >= {"too-many"}


def test_a_card_too_many_belongs_to_no_turn_once_all_rows_are_full() -> None:
    """The next player's cards are awaited; the extra one stays where it is, and is reported."""
    deal = ("deal 2 (AS) (AD) (KC) (7D) (2H)", "deal 1 (QS) (QD) (9C) (8D) (3H)")
    lays = ["2 lay 2.back AS", "2 lay 2.back AD", "2 lay 2.middle KC", "2 lay 2.middle 7D"]
    rows = [("back", "4S 4D 5S"), ("middle", "5H 6S 6H"), ("front", "7S 7C")]
    deals = [f"deal 2.{row} {card}" for row, cards in rows for card in cards.split()]
    state = table("open-face-chinese-poker", *deal, "2 show AS AD KC 7D 2H", *lays,
                  "2 lay 2.front 2H", *deals, "deal 2 TC", seats=(1, 2), dealer=1)  # fmt: skip
    assert broken(state)
    assert {awaited.seats for awaited in state.turn.awaited} == {(1,)}


# Chinese Poker.


def test_a_dragon_can_be_dealt_in_67108864_ways() -> None:
    assert (4**13, comb(52, 13)) == (67_108_864, 635_013_559_600)


def test_equal_rows_are_a_foul_by_house_rule_only() -> None:
    rows = Rows(*map(parse_cards, ("AS KD 2C", "9S 9D 8C 7S 6H", "9H 9C 8D 7H 6C")))
    assert (rows.fouled(), rows.fouled(strict=True)) == (False, True)


def test_six_pairs_with_four_of_a_kind() -> None:
    hand = "AC AD AH AS KC KD QC QD 9C 9D 4C 4H 2S"
    for how, counts in (("quads", True), ("distinct", False), ("any", True)):
        state = table("chinese-poker", f"deal 1 {_down(hand)}", f"deal 2 {_down(OTHERS)}",
                      rules={"six_pair": how}, seats=(1, 2), dealer=2)  # fmt: skip
        declared = Act.parse("1 declare six-pair")
        assert (state.game.conceals(state, declared) is None) is counts


OTHERS = "AS KS QS JS TS 8C 8D 7C 7D 6C 6D 5C 5H"


def _down(cards: str) -> str:
    return " ".join(f"({card})" for card in cards.split())


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("AS 2D 3C 4H 5S 6D 7C 8H 9S TD JC QH KS", "dragon"),
        ("AC AD KC KD QC QD 9C 9D 6C 6D 4C 4H 2S", "six-pair"),
    ],
)
def test_naturals_are_what_their_names_say(cards: str, name: str) -> None:
    state = table("chinese-poker", f"deal 1 {_down(cards)}", f"deal 2 {_down(OTHERS)}",
                  seats=(1, 2), dealer=2)  # fmt: skip
    told = {word: state.game.conceals(state, Act.parse(f"1 declare {word}"))
            for word in ("dragon", "six-pair")}  # fmt: skip
    assert [word for word, rule in told.items() if rule is None] == [name]


def test_units_of_two_players_must_be_readable() -> None:
    game = ChinesePoker()
    for note in ("1-2", "1-9:5", "1-2:0", "x-y:5"):
        with pytest.raises(StartError):
            game.open(Start(seats=(1, 2), dealer=1).noting(units=note))


# Pai Gow Poker.


def test_a_pair_of_aces_needs_two_pair_or_better_behind_it() -> None:
    """pagat.com, Pai Gow Poker: "the five card hand would have to contain two pairs or better"."""
    game = PaiGowPoker()
    lines = ("2 bet 1", "close", f"deal 2 {_down('AC AD AH JOKER 9S 3C 4D')}")
    state = table("pai-gow-poker", *lines, seats=(1, 2), dealer=None, banker=1)
    pair = Act.parse("2 lay 2.two (AC) (AD)")
    assert game.conceals(state, pair) == "pai-gow.foul"  # type: ignore[arg-type]
    assert PaiGowPoker(equal="allowed").conceals(state, pair) is None  # type: ignore[arg-type]


def test_five_aces_beat_a_royal_flush() -> None:
    game = PaiGowPoker()
    aces, royal = parse_cards("AC AD AH AS JOKER"), parse_cards("KS QS JS TS JOKER")
    assert game.worth(aces) > game.worth(royal)


# Pineapple and Soko: the order of streets and of betting.

HOLES = [f"deal {seat} ({card})" for seat, cards in
         ((1, "AS AD 7C"), (2, "KC KD 3H"), (3, "2C 3D 4H")) for card in cards.split()]  # fmt: skip


def phases(game: str, rules: dict[str, str] | None = None) -> list[str]:
    """What a hand of three waits for, in order, if everybody calls and checks."""
    state, seen = table(game, "ante", *HOLES, rules=rules), []
    board = parse_cards("KH 8C 4S JC 8D")
    while state.phase not in ("showdown", "paying"):
        one = state.turn.awaited[0]
        seen.append(one.says.id.removeprefix("turn."))
        cards: tuple[Card, ...] = ()
        if one.verb == "deal":
            cards, board = board[: one.pick], board[one.pick :]
        elif one.verb == "burn":
            cards = parse_cards("??")
        elif one.pick and one.among is not None:
            cards = one.among[-1:]
        state = state.play(one.fill(cards))
    return [one for one, _ in groupby(seen)]


STREETS = {
    "flop": ["burn", "street.flop", "act"],
    "late": ["burn", "street.turn", "act", "burn", "street.river", "act"],
}


def test_pineapple_discards_before_the_flop() -> None:
    assert phases("pineapple") == ["act", "discard", *STREETS["flop"], *STREETS["late"]]


def test_crazy_pineapple_discards_before_the_turn() -> None:
    crazy = phases("pineapple", {"discard": "flop"})
    assert crazy == ["act", *STREETS["flop"], "discard", *STREETS["late"]]


def test_a_raise_over_the_cap_stays_there_and_waits_for_a_ruling() -> None:
    raised = ["3 raise 4", "1 raise 6", "2 raise 8"]
    state = table("pineapple", "ante", *HOLES, *raised)
    assert broken(state) == []
    over = state.play(Act.parse("3 raise 10"))
    assert broken(over) == ["poker.capped"]
    assert over.play(Act.parse("rule 14 stand")).open_violations == ()


def test_a_bet_before_ones_turn_is_out_of_turn() -> None:
    assert broken(table("pineapple", "ante", *HOLES, "1 raise 4")) == ["out-of-turn"]


def test_bets_mean_nothing_without_a_seat_or_if_none_are_tracked() -> None:
    state = table("pineapple", "ante", *HOLES)
    with pytest.raises(ActError, match="expected a seat"):
        state.play(Act.parse("call"))
    unkept = table("pineapple", *HOLES, level=Level.NONE, limits=None)
    with pytest.raises(ActError, match="tracks no bets"):
        unkept.play(Act.parse("3 call"))


def test_the_lowest_visible_card_brings_it_in_and_ties_go_by_the_dealer_s_left() -> None:
    holes = ["deal 1 (AS)", "deal 2 (KC)", "deal 3 (5D)"]
    low = table("soko", "ante", *holes, "deal 1 9H", "deal 2 4C", "deal 3 QD")
    tied = table("soko", "ante", *holes, "deal 1 9H", "deal 2 4C", "deal 3 4D")
    assert [low.turn.seats, tied.turn.seats] == [(2,), (2,)]
    assert [one.numbers for one in low.turn] == [(1, 4)]


def test_anaconda_passes_to_the_second_seat_on_the_right_that_is_still_in() -> None:
    """Rulings: folded seats do not count, and of two players each is the other's neighbour."""
    state = table("anaconda", seats=(1, 2, 3, 4), dealer=4)
    neighbour: Any = state
    assert [neighbour.neighbour(1, 1), neighbour.neighbour(1, -2)] == [2, 3]
    fewer = neighbour.play(Act.parse("2 fold"))
    assert [fewer.neighbour(1, 1), fewer.neighbour(1, -2)] == [3, 3]
    two = fewer.play(Act.parse("4 fold"))
    assert [two.neighbour(1, 1), two.neighbour(1, -2)] == [3, 3]


def test_all_cards_of_the_turned_rank_are_wild() -> None:
    lines = [f"deal {s} ?? ?? ?? ?? ??" for s in (1, 2, 3)]
    state: Any = table("paiute", "ante", *lines, "deal wild 2H", limits=None)
    assert state.wild is Rank.TWO


def test_when_the_stock_is_out_all_discards_except_the_top_one_are_shuffled() -> None:
    """Denexa Games, "Paiute": the top card stays, and the wild card is never dealt again."""
    cards = [card for card in DECK if str(card) not in ("2H", "KS")]
    hands = [" ".join(f"({card})" for card in cards[i : i + 5]) for i in (0, 5)]
    dealt = [f"deal 1 {hands[0]}", f"deal 2 {hands[1]}", "deal wild 2H", "deal discards KS"]
    state = table("paiute", "ante", *dealt, seats=(1, 2), dealer=2, limits=None)
    for turn, card in enumerate(cards[10:]):
        seat = turn % 2 + 1
        state = state.play(Act.parse(f"{seat} draw stock ({card})"))
        state = state.play(Act.parse(f"{seat} discard {card}"))
    assert state.remaining == 0
    top = state.table.cards("discards")[-1]
    again = state.play(Act.parse("shuffle"))
    assert again.table.cards("discards") == (top,)
    assert again.table.cards("wild") == parse_cards("2H")
    assert again.remaining == 52 - 2 * 5 - 2
    assert again.violations == ()


def test_blinds_lie_in_the_pot_from_when_they_are_posted() -> None:
    """Section 'Game play': who is left alone wins the pot, and so the blinds before any betting."""
    posted = table("pineapple", "ante", "deal 1 ??")
    assert posted.game.pot(posted) == 3
    assert [fact["amount"] for fact in posted.game.facts(posted) if fact.id == "facts.pot"] == [3]
    state = table("pineapple", "ante", "deal 1 ??", "3 fold", "1 fold")
    assert state.settlement.net == {0: 0, 1: -1, 2: 1}
