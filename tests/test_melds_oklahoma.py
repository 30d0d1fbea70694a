"""Oklahoma Rummy: its rule sheet's statements, one by one."""

from __future__ import annotations

import pytest

from rules.acts import Act
from rules.cards import parse_cards
from rules.errors import StartError
from rules.games.oklahoma_rummy import OklahomaRummy, OklahomaState, in_hand
from rules.start import Start
from tests.melding import backs, lines, played, rules_of

GAME = OklahomaRummy()
TWO = Start(seats=(1, 2), dealer=1)
DEAL = f"deal 2 {backs(13)}|deal 1 {backs(13)}"


def after(*text: str, game: OklahomaRummy = GAME, start: Start = TWO) -> OklahomaState:
    return played(game, start, DEAL, *text)


@pytest.mark.parametrize(
    ("meld", "points"),
    [
        ("QS QD QH", 70),  # the queen of spades 50, others 10
        ("AC AD AH", 60),
        ("QH KH AH", 40),
        (
            "AH 2H 3H",
            30,
        ),  # the two stands for the ace above the king or the four: the better one is announced
        ("8C 9C TC JC", 40),
        ("3D 4D 5D", 15),
        ("2C 2D 2H", 75),  # 25 each among twos alone
        ("KS 2C KD", 30),
        ("JS 2C KS", 70),  # the only two of a run may be the queen of spades
    ],
)
def test_cards_count_as_the_rule_sheet_says(meld: str, points: int) -> None:
    assert GAME.makes(parse_cards(meld))
    assert GAME.worth(parse_cards(meld)) == points


def test_what_is_left_counts_twenty_a_two_and_a_hundred_the_queen_of_spades() -> None:
    left = parse_cards("2C QS QD KC 8S 7S 3H AC")
    assert [in_hand(card) for card in left] == [20, 100, 10, 10, 10, 5, 5, 20]


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("KC AC 2H", True),
        ("KC AC 3C", False),  # not around the corner
        ("5C 6C 7C 8C", True),
        ("5C 6C 7C 8C 9C", False),  # never five
        ("9C 9C 9D", True),  # two packs: copies may be together
        ("TS 2C 2D KS", False),  # the queen of spades only if the two is alone
    ],
)
def test_melds_are_three_or_four(cards: str, meld: bool) -> None:
    assert GAME.makes(parse_cards(cards)) is meld


def test_twos_alone_are_a_meld_unless_the_house_wants_a_natural() -> None:
    assert GAME.makes(parse_cards("2C 2D 2H"))
    assert not OklahomaRummy(all_twos=False).makes(parse_cards("2C 2D 2H"))


def test_the_pile_is_taken_whole_with_a_meld_of_the_upcard() -> None:
    state = after("deal discards 9H", "2 draw stock ??", "2 discard KC", "1 meld KC 2D KS")
    assert len(state.hand(1)) == 13 - 2 + 1  # the nine under the king
    assert state.pile == ()
    assert state.drawn
    assert not state.violations


def test_a_pile_is_not_taken_without_its_upcard() -> None:
    state = after("deal discards 9H", "2 meld KC KD KS")
    assert rules_of(state) == ["melds.before-draw"]
    assert state.pile == parse_cards("9H")


def test_nobody_adds_a_fifth_card_or_to_another_s_meld() -> None:
    start = ("deal discards 9H", "2 meld 9H 9S 9D", "2 lay 2.meld-1 9C")
    assert not after(*start).violations
    assert "oklahoma.no-meld" in rules_of(after(*start, "2 lay 2.meld-1 9C"))
    state = after(*start[:2], "2 discard KC", "1 draw stock ??", "1 lay 2.meld-1 9C")
    assert "melds.foreign" in rules_of(state)


def test_the_queen_of_spades_is_never_discarded() -> None:
    text = "deal discards 9H", "2 draw stock (QS)"
    hand = ["AC", "3C", "4D", "5H", "6S", "7C", "8D", "TH", "JS", "QC", "KD", "AH", "KS"]
    known = f"deal 2 {' '.join(f'({card})' for card in hand)}|deal 1 {backs(13)}"
    state = played(GAME, TWO, known, *text)
    assert "2 discard QS" not in lines(state)
    assert rules_of(state.play(Act.parse("2 discard QS"))) == ["oklahoma.queen"]


def test_a_player_holding_only_the_queen_of_spades_shows_it_and_play_goes_on() -> None:
    melds = "2 meld 9H 9S 9D|2 meld 3C 4C 5C|2 meld 6D 7D 8D|2 meld KC KD KH|2 discard 4S"
    state = after("deal discards 9H", melds)
    assert len(state.hand(2)) == 1
    state = state.play(Act.parse("1 draw stock ??")).play(Act.parse("1 discard 5S"))
    for line in ("2 draw stock ??", "2 discard 6S", "1 draw stock ??", "1 discard 7S"):
        state = state.play(Act.parse(line))
    state = state.play(Act.parse("2 draw stock ??")).play(Act.parse("2 show QS QS"))
    assert state.actor == 1
    assert not state.violations
    assert not state.ended


def test_going_out_scores_a_hundred_and_the_last_card_may_be_melded_or_discarded() -> None:
    melds = "2 meld 9H 9S 9D|2 meld 3C 4C 5C|2 meld 6D 7D 8D|2 meld KC KD KH|2 lay 2.meld-2 6C"
    melded = after("deal discards 9H", melds, "2 lay 2.meld-4 KS")
    assert melded.out == 2
    discarded = after("deal discards 9H", melds, "2 discard 4S")
    assert discarded.out == 2
    shown = discarded.play(Act.parse("1 show AC AD AS 3D 4D 5D 6S 7S 8S 9C TC JC QC"))
    assert shown.settlement.scores == {2: 30 + 20 + 20 + 30 + 100, 1: -(60 + 25 + 50)}


def test_a_match_goes_to_a_thousand_and_a_tie_plays_on() -> None:
    melds = "2 meld 9H 9S 9D|2 meld 3C 4C 5C|2 meld 6D 7D 8D|2 meld KC KD KH|2 lay 2.meld-2 6C"
    show = "1 show AC AD AS 3D 4D 5D 6S 7S 8S 9C TC JC QC"
    for mine, theirs, sheet in ((800, 900, ()), (800, 1135, ((1, 1000), (2, 1000)))):
        start = TWO.having(scores=((1, theirs), (2, mine)))
        state = after("deal discards 9H", melds, "2 discard 4S", show, "clear", start=start)
        assert GAME.follow(state).scores == sheet


def test_eight_players_need_a_third_pack() -> None:
    eight = Start(seats=tuple(range(1, 9)), dealer=1)
    with pytest.raises(StartError, match="eight players need the house rule packs 3"):
        GAME.open(eight)
    assert len(OklahomaRummy(packs=3).open(eight).game.deck(eight)) == 156


def test_the_hand_ends_with_the_stock_if_the_house_says_so() -> None:
    start = Start(seats=tuple(range(1, 8)), dealer=7)
    deal = "|".join(f"deal {seat} {backs(13)}" for seat in range(1, 8))
    cards = ["AC", "AD", "AH", "3C", "3D", "3H", "4C", "4D", "4H", "5C", "5D", "5H"]
    seats = (*range(1, 8), *range(1, 6))
    turns = [
        f"{seat} draw stock ??|{seat} discard {card}"
        for seat, card in zip(seats, cards, strict=True)
    ]
    text = (deal, "deal discards 9H", *turns)
    ended = played(OklahomaRummy(stock_out="end"), start, *text)
    assert ended.phase == "showing"
    again = played(GAME, start, *text)
    assert "shuffle" in {str(one.verb) for one in again.turn}
    one_left = played(GAME, start, *text, "6 meld 5H 5S 5S|6 discard KC")
    assert [str(one.verb) for one in one_left.turn if one.required] == ["end"]
    taken = played(GAME, start, *map(str, one_left.acts), "7 meld KC KD KH")
    assert (rules_of(taken), taken.phase) == ([], "melding")
    assert played(GAME, start, *map(str, one_left.acts), "end").phase == "showing"


@pytest.mark.parametrize(
    ("meld", "points"),
    [
        ("QD QH 2C", 10 + 10 + 50),  # the two may be the queen of spades, in a set
        ("QS QD 2C", 50 + 10 + 50),
        ("QD 2C 2H", 10 + 50 + 50),
        ("6C 7C 2D", 5 + 5 + 10),  # the eight counts more than the five
    ],
)
def test_a_two_that_may_stand_for_several_cards_stands_for_the_highest(
    meld: str, points: int
) -> None:
    assert GAME.worth(parse_cards(meld)) == points


def melded(*text: str) -> int:
    """What seat 2's melds count when the hand is over."""
    rest = "2 meld 9C 9D 9S|2 meld 3C 4C 5C|2 meld KC KD KH|2 discard 4S"
    left = "1 show AC AD AS 3D 4D 5D 6S 7S 8S 9C TC JC QC"
    state = after("deal discards 9H", "2 draw stock ??", *text, rest, left)
    assert rules_of(state) == []
    return state.settlement.scores[2] - 100 - 30 - 15 - 30


def test_a_player_may_say_what_a_two_stands_for() -> None:
    assert melded("2 meld QD QH QH 2C") == 80
    assert melded("2 meld QD QH QH 2C|2 declare as QC") == 40


def test_a_two_that_was_named_does_not_become_another_card_later() -> None:
    text = "2 draw stock ??|2 meld 6C 7C 2D|2 declare as 5C|2 discard KD|1 draw stock ??"
    later = "1 discard KH|2 draw stock ??"
    assert rules_of(after("deal discards 9H", text, later, "2 lay 2.meld-1 8C")) == []
    assert rules_of(after("deal discards 9H", text, later, "2 lay 2.meld-1 9C")) == [
        "oklahoma.no-meld"
    ]


def test_a_two_cannot_be_named_as_what_it_is_not() -> None:
    text = "2 draw stock ??|2 meld 6C 7C 2D|2 declare as QS"
    assert rules_of(after("deal discards 9H", text)) == ["oklahoma.stands-for"]
