"""Pif Paf: its rule sheet's statements, one by one."""

from __future__ import annotations

import pytest

from rules.acts import Act, Verb
from rules.cards import parse_cards
from rules.games.pif_paf import PifPaf, PifPafState
from rules.start import Start
from tests.melding import backs, lines, played, rules_of

GAME = PifPaf()
START = Start(seats=(1, 2, 3, 4), dealer=4, limits=(5, 20))
DEAL = "ante|" + "|".join(f"deal {seat} {backs(9)}" for seat in (1, 2, 3, 4))
CHECKS = "1 check|2 check|3 check|4 check"
GROUPS = "QS QH QD QD 4S 5S 6S 7S 8S"


def after(*text: str, game: PifPaf = GAME, start: Start = START) -> PifPafState:
    return played(game, start, DEAL, *text)


def melds(text: str, game: PifPaf = GAME) -> bool:
    return played(game, START, "ante").rules.allows(parse_cards(text))


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        # "Q♠-Q♥-Q♦ and Q♠-Q♥-Q♦-Q♦ are both groups, but Q♠-Q♦-Q♦ is not, and neither is
        # Q♠-Q♥-Q♦-Q♣."
        ("QS QH QD", True),
        ("QS QH QD QD", True),
        ("QS QD QD", False),
        ("QS QH QD QC", False),
        ("QS QS QH QH QD QD", True),
        ("AC 2C 3C", True),
        ("QC KC AC", False),  # aces are low
        ("4C 5C 6D", False),
    ],
)
def test_groups_have_three_suits_and_sequences_one(cards: str, meld: bool) -> None:
    assert melds(cards) is meld


def test_the_ace_may_be_high_as_well_if_the_house_says_so() -> None:
    assert melds("QC KC AC", PifPaf(high_ace=True))
    assert not melds("KC AC 2C", PifPaf(high_ace=True))


def bounds(state: PifPafState) -> dict[str, tuple[int, int] | None]:
    return {str(one.verb): one.numbers for one in state.turn}


def test_with_an_ante_of_five_and_four_players_twenty_is_the_limit() -> None:
    assert bounds(after())["bet"] == (5, 20)
    assert bounds(after("1 bet 5|2 raise 15"))["raise"] == (20, 20)
    assert "raise" not in bounds(after("1 bet 20"))
    assert rules_of(after("1 bet 21")) == ["beyond-limits"]


def test_the_house_may_limit_each_raise_instead() -> None:
    state = after("1 bet 20", game=PifPaf(bound="raise"))
    assert bounds(state)["raise"] == (40, 40)


def test_all_but_one_folding_ends_the_hand() -> None:
    state = after("1 bet 10|2 fold|3 call|4 fold|1 check")
    assert state.violations  # seat 1 has bet already: the round is over
    state = after("1 bet 10|2 fold|3 fold|4 fold")
    assert state.phase == "paying"
    assert state.settlement.net == {0: 0, 1: 15, 2: -5, 3: -5, 4: -5}


def test_the_first_player_draws_from_the_stock() -> None:
    state = after(CHECKS)
    assert state.actor == 1
    assert [one.spots for one in state.turn if one.verb is Verb.DRAW] == [("stock",)]
    state = after(CHECKS, "1 draw stock ??|1 discard 9C")
    assert [one.spots for one in state.turn if one.verb is Verb.DRAW] == [
        ("stock",),
        ("discards",),
    ]


def test_a_player_who_folded_neither_plays_nor_claims() -> None:
    state = after("1 fold|2 check|3 check|4 check")
    assert state.actor == 2
    state = state.play(Act.parse("2 draw stock ??")).play(Act.parse("2 discard QD"))
    claims = [one for one in state.turn if one.words == (("claim",),)]
    assert [one.seats for one in claims] == [(3, 4)]


def test_the_next_in_turn_gets_the_card_that_several_claim() -> None:
    state = after(CHECKS, "1 draw stock ??|1 discard QD|4 declare claim|3 declare claim")
    assert [(one.verb, one.seats) for one in state.turn.awaited] == [(Verb.DRAW, (3,))]
    won = state.play(Act.parse("3 draw discards QD")).play(Act.parse("3 discard KC"))
    won = won.play(Act.parse(f"3 show {GROUPS}"))
    assert won.winner == 3
    assert won.settlement.net == {0: 0, 1: -5, 2: -5, 3: 15, 4: -5}
    assert GAME.follow(won.play(Act.parse("clear"))).dealer == 3


def test_after_a_false_claim_play_resumes_where_it_was() -> None:
    text = "1 draw stock ??|1 discard QD|4 declare claim|4 draw discards QD|4 discard KC"
    state = after(CHECKS, text, "4 show QS QC QD QH 4S 5S 6S 7S 8S")
    assert rules_of(state) == ["pif.not-out"]
    assert str(state.acts[state.violations[0].since - 1]) == "4 draw discards QD"
    assert state.actor == 2
    assert 4 not in state.live


def test_an_honest_table_claims_only_what_makes_a_hand() -> None:
    hand = "QS QH 9D 4S 5S 6S 7S 8S 9S"
    known = "|".join(
        f"deal {seat} {backs(9)}" if seat != 3 else f"deal 3 ({') ('.join(hand.split())})"
        for seat in (1, 2, 3, 4)
    )
    state = played(GAME, START, "ante", known, CHECKS, "1 draw stock (KC)")
    helps, does_not = (state.play(Act.parse(f"1 discard {card}")) for card in ("QD", "KC"))
    assert "3 declare claim" in lines(helps)
    assert "3 declare claim" not in lines(does_not)


def test_a_spent_stock_is_made_of_all_discards_and_leaves_no_upcard() -> None:
    deck = list(GAME.deck(START))
    turns = [f"{n % 4 + 1} draw stock ??|{n % 4 + 1} discard {deck[n]}" for n in range(104 - 36)]
    state = after(CHECKS, *turns)
    assert state.remaining == 0
    turned = state.play(Act.parse("shuffle"))
    assert (turned.remaining, turned.pile) == (68, ())
    assert [one.spots for one in turned.turn if one.verb is Verb.DRAW] == [("stock",)]
    assert not {card for _, laid in turned.public().table for card in [laid.card]} & set(deck)


def test_ten_cards_in_melds_are_out_without_a_discard_where_the_house_says_so() -> None:
    text = (CHECKS, "1 draw stock ??|1 declare out", f"1 show {GROUPS} 9S")
    assert after(*text, game=PifPaf(ten_out=True)).winner == 1
    assert after(*text).violations


def test_a_hand_cleared_away_in_the_middle_of_a_turn_still_has_one() -> None:
    state = after(CHECKS, "1 draw stock (??)|clear")
    assert not state.hand(1)
    assert state.turn.awaited


OUT = "1 draw stock ??|1 discard KC"
"""Seat 1 has drawn and thrown the tenth card away."""


def test_they_discard_and_then_reveal_their_hand() -> None:
    """ "They discard and then reveal their hand, broken out into melds." """
    state = after(CHECKS, OUT, f"1 show {GROUPS}")
    assert rules_of(state) == []
    assert state.winner == 1


@pytest.mark.parametrize(
    "said",
    [
        "1 draw stock ??|1 declare out|1 discard KC|1 show {}",
        "1 draw stock ??|1 discard KC|1 declare out|1 show {}",
        "1 draw stock ??|1 show {}|1 discard KC",
        "1 draw stock ??|1 declare out|1 show {}|1 discard KC",
    ],
)
def test_going_out_may_be_said_and_shown_in_any_order(said: str) -> None:
    state = after(CHECKS, said.format(GROUPS))
    assert rules_of(state) == []
    assert state.winner == 1


def test_going_out_is_too_late_once_the_next_player_has_drawn() -> None:
    assert rules_of(after(CHECKS, OUT, "2 draw stock ??", "1 declare out")) == ["out-of-turn"]


def test_going_out_comes_before_claiming_the_discard() -> None:
    state = after(CHECKS, OUT, "3 declare claim|1 declare out", f"1 show {GROUPS}")
    assert (rules_of(state), state.winner) == ([], 1)


def test_after_falsely_going_out_the_discard_may_still_be_claimed() -> None:
    wrong = GROUPS.replace("QH", "9C")
    state = after(CHECKS, OUT, f"1 declare out|1 show {wrong}")
    assert rules_of(state) == ["pif.not-out"]
    assert state.actor == 2
    assert [one.seats for one in state.turn if one.words == (("claim",),)] == [(2, 3, 4)]


CLAIMED = "1 draw stock ??|1 discard QD|3 declare claim|4 declare claim|3 draw discards QD"


def test_when_the_first_claim_is_wrong_the_second_gets_the_card() -> None:
    state = after(CHECKS, CLAIMED, "3 discard KC|3 show QS QC QD QH 4S 5S 6S 7S 8S")
    assert rules_of(state) == ["pif.not-out"]
    assert [str(one.fill(one.among or ())) for one in state.turn.awaited] == ["move 3 4 QD"]
    for line in ("move 3 4 QD", "4 discard 2H", f"4 show {GROUPS}"):
        state = state.play(Act.parse(line))
    assert state.winner == 4
    assert rules_of(state) == ["pif.not-out"]


def test_when_both_claims_are_wrong_play_resumes_where_it_was() -> None:
    state = after(CHECKS, CLAIMED, "3 discard KC|3 show QS QC QD QH 4S 5S 6S 7S 8S|move 3 4 QD")
    for line in ("4 discard 2H", "4 show QS QC QD QH 4S 5S 6S 7S 8S"):
        state = state.play(Act.parse(line))
    assert state.live == (1, 2)
    assert (state.actor, state.drawn) == (2, False)


def test_the_discards_are_turned_over_without_shuffling() -> None:
    deck = list(GAME.deck(START))
    turns = [f"{n % 4 + 1} draw stock ??|{n % 4 + 1} discard {deck[n]}" for n in range(104 - 36)]
    state = after(CHECKS, *turns)
    assert [one.says.id for one in state.turn if one.verb is Verb.SHUFFLE] == ["turn.turn-over"]
