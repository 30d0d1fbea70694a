"""Three Thirteen: its rule sheet's statements, one by one."""

from __future__ import annotations

import pytest

from rules.acts import Act
from rules.cards import parse_cards
from rules.errors import StartError
from rules.games.three_thirteen import ThreeThirteen, ThreeThirteenState, as_shown, meld_rules
from rules.match import Hand
from rules.melds.arranging import arrange, pips
from rules.start import Start


def played(start: Start, *lines: str, game: ThreeThirteen | None = None) -> ThreeThirteenState:
    hand = Hand(game or ThreeThirteen(), start, [Act.parse(line) for line in lines])
    state = hand.state
    assert isinstance(state, ThreeThirteenState)
    return state


def two(cards: int = 3) -> Start:
    return Start(seats=(1, 2), dealer=1, notes=(("cards", str(cards)),))


@pytest.mark.parametrize(("players", "cards"), [(2, 52), (3, 104), (4, 104), (5, 156), (6, 156)])
def test_the_number_of_packs_depends_on_the_players(players: int, cards: int) -> None:
    start = Start(seats=tuple(range(1, players + 1)), dealer=1)
    assert len(ThreeThirteen().deck(start)) == cards


def test_eleven_hands_of_three_to_thirteen_cards_the_wild_rank_going_with_them() -> None:
    assert [meld_rules(size).wild for size in range(3, 14)] == list("3456789TJQK")
    for wrong in ("2", "14", "many"):
        with pytest.raises(StartError, match=r"the note cards is a number from 3 to 13, got"):
            ThreeThirteen().open(two().noting(cards=wrong))


def test_leftover_wild_cards_count_as_if_they_were_not_wild() -> None:
    best = arrange(parse_cards("KC KD 4S 9H"), meld_rules(13), pips)
    assert best.points == 4  # two wild kings and the nine are a set
    assert arrange(parse_cards("KC 4S 9H"), meld_rules(13), pips).points == 23


def test_everybody_else_has_one_more_turn_after_a_player_goes_out() -> None:
    state = played(
        two(),
        "deal 2 ?? ?? ??",
        "deal 1 ?? ?? ??",
        "deal discards 9H",
        "2 draw stock ??",
        "2 declare out",
        "2 discard KC",
    )
    assert state.phase == "drawing"
    assert state.actor == 1
    for line in ("1 draw discards KC", "1 discard 2D"):
        state = state.play(Act.parse(line))
    assert state.phase == "showing"
    for line in ("2 show 5H 6H 3C", "1 show KC KD JS"):
        state = state.play(Act.parse(line))
    assert state.settlement.scores == {1: 30, 2: 0}
    assert not state.violations


def test_a_false_claim_to_be_out_is_found_when_the_hand_is_shown() -> None:
    game, start = ThreeThirteen(), two()
    lines = "deal 2 ?? ?? ??|deal 1 ?? ?? ??|deal discards 9H|2 draw stock ??|2 declare out"
    rest = "2 discard KC|1 draw stock ??|1 discard 2D|2 show 5H 6H 8C"
    state = played(start, *lines.split("|"), *rest.split("|"), game=game)
    (violation,) = state.violations
    assert (violation.rule, violation.since, violation.seat) == ("three.not-out", 5, 2)


def test_an_honest_table_does_not_go_out_with_deadwood() -> None:
    state = played(
        two(),
        "deal 2 (5H) (6H) (8C)",
        "deal 1 (AH) (2H) (9S)",
        "deal discards 9H",
        "2 draw stock (QD)",
    )
    assert "declare out" not in [str(act).partition(" ")[2] for act in state.options(())]


def test_the_stock_is_renewed_from_the_discards_except_the_upcard() -> None:
    start = two(13)
    deck = list(ThreeThirteen().deck(start))
    lines = [f"deal {seat} " + " ".join(["??"] * 13) for seat in (2, 1)]
    lines.append(f"deal discards {deck[0]}")
    seat = 2
    for card in deck[1:26]:
        lines += [f"{seat} draw stock ??", f"{seat} discard {card}"]
        seat = 3 - seat
    state = played(start, *lines)
    assert state.remaining == 0
    assert [str(one.verb) for one in state.turn if one.required] == ["shuffle"]
    assert not any(one.spots == ("stock",) for one in state.turn)
    state = state.play(Act.parse("shuffle"))
    assert state.remaining == 25
    assert state.pile == (deck[25],)


def test_the_house_may_count_melds_as_they_are_laid() -> None:
    rules = meld_rules(6)
    assert as_shown(parse_cards("2H 3H 4H 9C 9D 9S"), rules).points == 0
    assert as_shown(parse_cards("2H 9C 3H 9D 4H 9S"), rules).points == 36
    assert as_shown(parse_cards("AS 2H 3H 4H 4C 4D"), rules).points == 6


def test_the_lowest_score_after_the_eleventh_hand_wins_and_equals_share() -> None:
    start = two(13).having(scores=((1, 20), (2, 0)))
    deal = [f"deal {seat} " + " ".join(["??"] * 13) for seat in (2, 1)]
    out = "AC AD AH 2C 2D 2H 3C 3D 3H 4C 4D 4H 4S"
    low = "5C 5D 5H 6C 6D 6H 7C 7D 7H 8C 8D TH TC"
    state = played(
        start, *deal, "deal discards 9H", "2 draw stock ??", "2 discard 9S",
        "1 draw stock ??", "1 declare out", "1 discard QD", "2 draw stock ??", "2 discard JS",
        f"1 show {out}", f"2 show {low}",
    )  # fmt: skip
    assert state.settlement.scores == {1: 0, 2: 20}  # three runs of 5-6-7, two of them with the 8
    assert [(call.id, call["seats"]) for call in state.calls] == [("three.match", (1, 2))]
    assert state.game.follow(state).scores == ()


DEALT = ("deal 2 ?? ?? ??", "deal 1 ?? ?? ??", "deal discards 9H")


@pytest.mark.parametrize(
    "said",
    [
        ("2 declare out", "2 discard KC"),
        ("2 discard KC", "2 declare out"),
        ("2 discard KC", "2 show 4C 5C 3D"),
        ("2 show 4C 5C 3D", "2 discard KC"),
    ],
)
def test_they_announce_going_out_as_they_are_discarding(said: tuple[str, str]) -> None:
    """ "They discard as normal, announcing that they are going out as they are doing so." """
    state = played(two(), *DEALT, "2 draw stock ??", *said, "1 draw stock ??", "1 discard 2D")
    assert state.violations == ()
    assert state.phase == "showing"
    assert [seat for seat, _ in state.out] == [2]


def test_showing_a_hand_that_is_not_out_is_found_at_the_end() -> None:
    out = ("2 draw stock ??", "2 discard KC", "2 show 4C 5D 3D", "1 draw stock ??", "1 discard 2D")
    state = played(two(), *DEALT, *out)
    assert [violation.rule for violation in state.violations] == ["three.not-out"]
    assert state.violations[0].since == 6


def test_going_out_is_too_late_once_the_next_player_has_drawn() -> None:
    late = ("2 draw stock ??", "2 discard KC", "1 draw stock ??", "2 declare out")
    state = played(two(), *DEALT, *late)
    assert [violation.rule for violation in state.violations] == ["out-of-turn"]


def test_the_upcard_may_be_taken_before_an_empty_stock_is_renewed() -> None:
    """ "They may take either the top card of the discard pile, or the top card of the stock." """
    start = Start(seats=(1, 2), dealer=1, notes=(("cards", "13"),))
    hands = [f"deal {seat} {' '.join(['??'] * 13)}" for seat in (2, 1)]
    suits = [f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQK"]
    lines = []
    for turn, card in enumerate(suits[:25]):
        lines += [f"{2 - turn % 2} draw stock ??", f"{2 - turn % 2} discard {card}"]
    state = played(start, *hands, "deal discards KS", *lines)
    assert state.remaining == 0
    assert str(state.turn.due) == "shuffle"
    taken = state.play(Act.parse(f"1 draw discards {suits[24]}"))
    assert taken.violations == ()


def test_two_or_more_may_play() -> None:
    """ "a simple rummy game for two or more players" """
    nine = Start(seats=tuple(range(1, 10)), dealer=1)
    assert ThreeThirteen().open(nine).phase == "dealing"
    assert len(ThreeThirteen().deck(nine)) == 5 * 52


@pytest.mark.parametrize("held", ["(9H)", "??"])
def test_a_player_who_has_shown_a_hand_discards_the_card_that_was_not_shown(held: str) -> None:
    """With two packs it may equal one that was shown; the melds stay as they were laid."""
    start = Start(seats=(1, 2, 3, 4), dealer=1, notes=(("cards", "3"),))
    dealt = ["deal 2 ?? ?? ??", *(f"deal {seat} ?? ?? ??" for seat in (3, 4, 1))]
    turn = (f"2 draw stock {held}", "2 show 9H 9S 9C", "2 discard 9H")
    game = ThreeThirteen(deadwood="shown")
    state = played(start, *dealt, "deal discards KD", *turn, game=game)
    assert state.shown(2) == parse_cards("9H 9S 9C")
    assert state.covered(2) == ()
    assert not state.violations


def test_who_has_said_out_may_show_the_hand_at_once() -> None:
    """Ending the hand: the hand is revealed to prove it; sooner than the others is no fault."""
    drawn = (*DEALT, "2 draw stock ??", "2 declare out")
    for said in (("2 show 9C 3S 3C", "2 discard KC"), ("2 discard KC", "2 show 9C 3S 3C")):
        assert not played(two(), *drawn, *said).violations
