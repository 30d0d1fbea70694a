"""Mille: its rule sheet's statements, one by one."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rules.acts import Act, Verb
from rules.cards import Rank, parse_cards
from rules.games.mille import DECK, Mille, MilleState, hundreds, value
from rules.start import Start
from tests.melding import backs, played, rules_of
from tests.play import play_hand, start_for

GAME = Mille()
TWO = Start(seats=(1, 2), dealer=1, limits=(1, 3))
DEAL = f"deal 2 {backs(15)}|deal 1 {backs(15)}"


def after(*text: str, game: Mille = GAME, start: Start = TWO) -> MilleState:
    return played(game, start, DEAL, *text)


def test_the_pack_counts_1140_points() -> None:
    assert len(DECK) == 104
    assert sum(map(value, DECK)) == 1140
    assert [value(card) for card in parse_cards("QS JD AC KH TS 9D 3C 2H")] == [
        100, 50, 15, 10, 10, 5, 5, 20,
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_the_1140_points_are_all_there_at_every_moment_of_a_hand(seed: int) -> None:
    for state in play_hand(GAME, start_for(GAME), random.Random(seed)):
        out = [laid.card for _, laid in state.table]
        left = Counter(DECK) - Counter(out)
        assert sum(map(value, out)) + sum(map(value, left.elements())) == 1140
        assert left.total() == state.remaining


def test_the_non_dealer_goes_first() -> None:
    assert after("deal discards 9H").actor == 2


def test_two_of_the_upcard_s_rank_take_the_whole_pile() -> None:
    state = after("deal discards 9H", "2 draw stock ??", "2 discard KC", "1 meld KC KD KH")
    assert not state.violations
    assert state.pile == ()
    assert len(state.hand(1)) == 15 - 2 + 1


def test_a_two_does_not_take_the_pile() -> None:
    assert rules_of(after("deal discards 9H", "2 meld 9H 9S 2C")) == ["mille.pile"]


def test_all_of_a_rank_that_one_player_lays_is_one_meld() -> None:
    text = "2 draw stock ??|2 meld KC KD KH|2 discard 3C|1 draw stock ??|1 discard 4C"
    state = after("deal discards 9H", text, "2 draw stock ??|2 meld KS KC KD")
    assert not state.violations
    assert [len(cards) for cards in state.melds(2).values()] == [6]


def test_twos_fill_other_melds_and_form_one_by_themselves() -> None:
    state = after("deal discards 9H", "2 draw stock ??|2 meld KC 2D 2H|2 meld 2S 2C 2D")
    assert not state.violations
    assert sorted(state.melds(2)) == ["2.meld-2", "2.meld-k"]
    strict = after("deal discards 9H", "2 draw stock ??|2 meld KC 2D 2H", game=Mille(naturals=2))
    assert rules_of(strict) == ["mille.no-meld"]


def test_sequences_are_not_melds() -> None:
    assert rules_of(after("deal discards 9H", "2 draw stock ??|2 meld 4C 5C 6C")) == [
        "mille.no-meld"
    ]


OUT = "2 meld KC KD KH KS|2 meld 3C 3D 3H|2 meld 4C 4D 4H|2 meld 5C 5D 5H|2 meld 6C 6D 6H"
HELD = "1 show AC AD AH AS 7C 7D 7H 8C 8D 8H 9C 9D 9H TC QS"


def scored(melds: str, show: str = HELD) -> MilleState:
    return after("deal discards 9S", "2 draw stock ??", melds, show)


def test_a_player_who_melds_no_two_scores_double_and_what_is_left_counts_against() -> None:
    state = scored(OUT)
    assert state.out == 2  # by melding everything, without a discard
    assert state.settlement.scores == {2: 2 * (40 + 4 * 15), 1: -(60 + 45 + 10 + 100)}
    assert state.marks == ((2, "naturals"), (1, "chapeaux"))


def test_a_two_in_a_meld_forfeits_the_bonus_and_twos_by_themselves_do_not() -> None:
    wild = scored(OUT.replace("KS", "2S"))
    assert wild.settlement.scores[2] == 30 + 20 + 60
    apart = scored(OUT.replace("6C 6D 6H", "2C 2D 2H"))
    assert apart.settlement.scores[2] == 2 * (40 + 45 + 60)


@pytest.mark.parametrize(
    ("others", "scores", "marks"),
    [
        ("3C 3D 3H 3S|2 meld 4C 4D 4H 4S", 4 * 80 + 2 * 40, 2),
        ("3C 3D 3H 3S|2 meld 4C 4D 4H 2S", 2 * 80 + 20 + 15 + 20, 1),
    ],
)
def test_all_eight_of_a_rank_are_a_natural(others: str, scores: int, marks: int) -> None:
    """Both kinds together count four times, the other melds double."""
    melds = f"2 meld KC KD KH KS KC KD KH KS|2 meld {others}"
    state = scored(melds)
    assert state.out == 2
    assert state.settlement.scores[2] == scores
    assert sum(1 for seat, kind in state.marks if (seat, kind) == (2, "naturals")) == marks


def test_the_queen_of_spades_counts_a_hundred_inside_a_meld_with_twos() -> None:
    melds = "2 meld QS QD 2H|" + OUT.split("|", 1)[1] + "|2 discard 7S"
    state = scored(melds, HELD.replace("QS", "JD"))
    assert state.settlement.scores == {2: 100 + 10 + 20 + 60, 1: -(60 + 45 + 10 + 50)}


def sheet(mine: int, theirs: int) -> Start:
    """Seat 2 goes on to win 200 with `OUT`, seat 1 loses 215."""
    notes = (("chapeaux", "1:1 2:5"), ("naturals", "1:7 2:2"))
    return TWO.having(scores=((1, theirs), (2, mine)), notes=notes)


@pytest.mark.parametrize(
    ("mine", "theirs", "house", "sum_paid"),
    [
        # 3 for the game, 3 each for three naturals and two chapeaux, 12 - 8 hundreds; the last hand
        # ended below zero: three times.
        (1000, 1015, "hand", 3 * (3 + 9 + 6 + 4)),
        # The same if the house counts the final score.
        (1000, 1015, "score", 3 + 9 + 6 + 4),
        # Below 600 (here 585, to the nearest hundred 600): twice.
        (1000, 800, "score", 2 * (3 + 9 + 6 + 6)),
        # -15 in the end: three times by either reading.
        (1000, 200, "score", 3 * (3 + 9 + 6 + 12)),
    ],
)
def test_the_loser_pays_by_the_rule_sheet_s_list(
    mine: int, theirs: int, house: str, sum_paid: int
) -> None:
    """The winner's naturals and the loser's chapeaux pay, the others do not."""
    game = Mille(double_skunk=house)
    state = after("deal discards 9S", "2 draw stock ??", OUT, HELD, game=game,
                  start=sheet(mine, theirs))  # fmt: skip
    assert state.settlement.net == {1: -sum_paid, 2: sum_paid}
    end = state.play(Act.parse("clear"))
    assert game.follow(end).scores == ()
    assert game.follow(end).notes == ()


@pytest.mark.parametrize(("house", "times"), [("all", 2), ("out", 1)])
def test_a_house_may_give_the_natural_without_twos_only_to_whoever_goes_out(
    house: str, times: int
) -> None:
    """Rulings, Mille (c): seat 1 has melded three kings and no two when seat 2 goes out."""
    lines = ("2 draw stock ??", "2 discard 3C", "1 draw stock ??", "1 meld KS KH KD",
             "1 discard 4C", "2 draw stock ??", OUT)  # fmt: skip
    state = after("deal discards 9S", *lines, game=Mille(no_twos=house))
    shown = state.play(Act.parse("1 show 7C 7D 7H 7S 8C 8D 8H 8S 9C 9D 9S TC"))
    assert shown.settlement.scores == {1: times * 30 - 65, 2: 200}
    assert ((1, "naturals") in shown.marks) is (times == 2)


def test_scores_go_to_the_nearest_hundred_half_up() -> None:
    assert [hundreds(score) for score in (1249, 1250, 550, 549, -50)] == [12, 13, 6, 5, 0]


def test_without_a_winner_the_marks_stay_on_the_sheet() -> None:
    state = after("deal discards 9S", "2 draw stock ??", OUT, HELD, "clear")
    start = GAME.follow(state)
    assert dict(start.notes) == {"chapeaux": "1:1 2:0", "naturals": "1:0 2:1"}
    assert start.scores == ((1, -215), (2, 200))


def test_a_two_turned_up_may_be_taken_if_the_house_says_so() -> None:
    house = Mille(first_two=True)
    assert not after("deal discards 2H", "2 draw discards 2H", game=house).violations
    assert after("deal discards 2H", "2 draw discards 2H").violations


def test_a_spent_stock_is_renewed_from_all_discards_but_the_upcard() -> None:
    deck = [card for card in DECK if card.rank is not Rank.TWO]
    turns = [f"{2 - n % 2} draw stock ??|{2 - n % 2} discard {deck[n + 1]}" for n in range(73)]
    state = after(f"deal discards {deck[0]}", *turns)
    assert state.remaining == 0
    state = state.play(Act.parse("shuffle"))
    assert (state.remaining, len(state.pile)) == (73, 1)


KINGS = "KC KC KD KD KH KH KS KS"


@pytest.mark.parametrize("laid", [f"{KINGS} 2C 2D", f"{KINGS} 2C", f"{KINGS} 2C 2D 2H 2S"])
def test_a_meld_may_have_any_number_of_cards_at_once(laid: str) -> None:
    """ "A meld consists of three or more cards of the same rank." """
    state = after("deal discards 9H", "2 draw stock ??", f"2 meld {laid}")
    assert rules_of(state) == []
    assert len(state.melds(2)["2.meld-k"]) == len(laid.split())


def test_the_pile_may_be_taken_with_any_number_of_cards_from_the_hand() -> None:
    nines = "9H 9H 9S 9S 9C 9C 9D 9D 2C"
    assert rules_of(after("deal discards 9H", f"2 meld {nines}")) == []


def test_several_cards_may_be_laid_on_a_meld_at_once() -> None:
    state = after("deal discards 9H", "2 draw stock ??|2 meld KC KD KH|2 lay 2.meld-k KS KS 2C")
    assert rules_of(state) == []


def test_a_meld_may_grow_past_nine_cards() -> None:
    """ "All cards of the same rank that are laid down by a player are considered one meld"."""
    kings = "2 draw stock ??|2 meld KC KD KH KS KC KD KH 2C 2D|2 discard 9C"
    later = "2 draw stock ??|2 lay 2.meld-k KS|2 lay 2.meld-k 2H 2S"
    state = after("deal discards 9H", kings, "1 draw stock ??|1 discard 3C", later)
    assert rules_of(state) == []


def test_the_upcard_may_still_take_the_pile_when_the_stock_is_out() -> None:
    deck = [card for card in DECK if card.rank is not Rank.NINE]
    turns = [f"{2 - n % 2} draw stock ??|{2 - n % 2} discard {deck[n]}" for n in range(72)]
    state = after("deal discards 9H", *turns, f"2 draw stock ??|2 discard {deck[72]}")
    assert state.remaining == 0
    assert {"meld", "shuffle"} <= {str(one.verb) for one in state.turn}


def emptied(*more: str) -> MilleState:
    """The stock drawn to its last card; seat 1 takes the pile and discards: one card lies there."""
    cards = [card for card in DECK if card.rank not in "29K"]
    thrown = [*map(str, cards[:72]), "9H"]
    turns = [
        f"{2 - at % 2} draw stock ??|{2 - at % 2} discard {card}" for at, card in enumerate(thrown)
    ]
    return after("deal discards TS", *turns, "1 meld 9H 9S 9D|1 discard KC", *more)


def test_with_no_card_to_draw_the_hand_ends_unless_the_pile_is_taken() -> None:
    state = emptied()
    assert (state.remaining, state.upcards) == (0, parse_cards("KC"))
    assert [one.verb for one in state.turn if one.required] == [Verb.END]
    taken = emptied("2 meld KC KD KH")
    assert (rules_of(taken), taken.phase) == ([], "melding")
    ended = emptied("end")
    assert (rules_of(ended), ended.phase) == ([], "showing")


def test_the_hand_does_not_end_while_there_is_a_card_to_draw() -> None:
    state = after("deal discards TS", "end")
    assert (rules_of(state), state.phase) == (["not-now"], "drawing")
