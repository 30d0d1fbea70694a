"""Panguingue: its rule sheet's statements, one by one."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rules.acts import Act
from rules.cards import parse_cards
from rules.games.panguingue import Panguingue
from rules.melds.spreads import RULES, condition, stands
from tests.melding import lines, played, rules_of
from tests.panguingue import GAME, START, after, net
from tests.play import play_hand, start_for


@pytest.mark.parametrize("packs", [5, 8, 11])
def test_there_are_forty_cards_per_pack(packs: int) -> None:
    deck = Panguingue(packs=packs).deck(START)
    assert len(deck) == 40 * packs
    assert not {card.rank for card in deck} & set("89T")
    assert set(Counter(deck).values()) == {packs}


@pytest.mark.parametrize("seed", range(4))
def test_all_forty_cards_of_every_pack_are_there_at_every_moment(seed: int) -> None:
    for state in play_hand(GAME, start_for(GAME), random.Random(seed)):
        out = Counter(laid.card for _, laid in state.table)
        assert state.remaining == 320 - out.total()
        assert all(count <= 8 for count in out.values())


def test_play_goes_to_the_right() -> None:
    state = after()
    assert state.actor == 3
    assert after("3 draw stock KD|3 discard KD").actor == 2


@pytest.mark.parametrize(
    ("cards", "meld"),
    [
        ("5S 5S 5S", True),  # "three copies of the 5♠"
        ("5S 5S 5D", False),  # "5♠-5♠-5♦, is not a valid spread"
        ("5S 5D 5C 5H", True),
        ("5S 5D 5C 5C", False),  # not at first
        ("KS KS KH", True),  # "any three kings or aces may form a valid meld"
        ("AS AH AH", True),
        ("5H 6H 7H", True),  # "5-6-7♥"
        ("6D 7D JD", True),  # "6-7-J♦"
        ("QD KD AD", False),
    ],
)
def test_spreads_and_ropes(cards: str, meld: bool) -> None:
    assert RULES.allows(parse_cards(cards)) is meld


def test_a_mixed_spread_may_repeat_a_suit_later_and_one_of_a_suit_not() -> None:
    assert stands(parse_cards("5S 5D 5C 5C"))
    assert not stands(parse_cards("5S 5S 5S 5D"))


@pytest.mark.parametrize(
    ("cards", "chips"),
    [
        ("3S 3D 3C", 1),
        ("7D 7D 7D", 2),
        ("5S 5S 5S", 4),
        ("4S 4D 4C", 0),
        ("4H 4H 4H", 1),
        ("QS QS QS", 2),
        ("KS KS KH", 0),  # not listed
        ("KC KC KC", 1),
        ("AH 2H 3H", 1),
        ("JS QS KS", 2),
        ("AS 2S 3S 4S", 2),
        ("4S 5S 6S", 0),
    ],
)
def test_conditions_pay_by_the_rule_sheet_s_list(cards: str, chips: int) -> None:
    assert condition(parse_cards(cards)) == chips


def test_every_opponent_pays_a_condition_at_once_and_again_for_each_card_added() -> None:
    spread = after("3 draw stock 5S|3 meld 5S 5S 5S")
    assert net(spread) == {1: -4, 2: -4, 3: 8}
    text = "3 discard KD|2 draw stock QC|2 discard QC|1 draw stock QC|1 discard QC"
    more = "3 draw stock 5S|3 lay 3.meld-1 5S"
    assert net(after("3 draw stock 5S|3 meld 5S 5S 5S", text, more))[3] == 16
    house = Panguingue(added_pays=False)
    assert net(after("3 draw stock 5S|3 meld 5S 5S 5S", text, more, game=house))[3] == 8


def test_a_rope_with_a_condition_pays_again_unless_the_house_says_no() -> None:
    text = "3 draw stock AH|3 meld AH 2H 3H|3 lay 3.meld-1 4H"
    assert net(after(text))[3] == 4
    assert net(after(text, game=Panguingue(rope_pays=False)))[3] == 2


def test_a_player_who_dropped_out_pays_no_conditions() -> None:
    assert net(after("2 fold|3 draw stock 5S|3 meld 5S 5S 5S")) == {1: -4, 2: -2, 3: 4}


def test_dropping_costs_two_and_is_impossible_after_the_first_draw() -> None:
    alone = after("3 fold|1 fold")
    assert alone.settled
    assert alone.settlement.net == {0: 0, 1: -3, 2: 6, 3: -3}
    assert after("3 fold").actor == 2
    assert rules_of(after("3 draw stock KD|2 fold")) == ["not-now"]


def test_a_drawn_card_is_melded_or_discarded() -> None:
    assert not after("3 draw stock KD|3 discard KD").violations
    kept = after("3 draw stock KD|3 discard 2C")
    assert rules_of(kept) == ["panguingue.kept"]
    assert len(kept.hand(3)) == 10


TEN = (
    "3 draw stock 5S|3 meld 5S 5S 5S|3 discard KD|2 draw stock QC|2 discard QC|1 draw stock QC|"
    "1 discard QC|3 draw stock JH|3 meld JH QH KH|3 meld 2C 3C 4C|3 discard 2D"
)
"""Seat 3 has melded nine and holds one card."""


def test_a_card_with_which_the_next_player_would_go_out_may_be_kept() -> None:
    state = after(TEN.replace("3 discard 2D", "3 lay 3.meld-3 5C|3 discard 2D"))
    assert (state.melded(3), len(state.hand(3))) == (10, 0)
    far = state.play(Act.parse("2 draw stock AC")).play(Act.parse("2 discard 6H"))
    assert rules_of(far) == ["panguingue.kept"]  # seat 1 is next, not seat 3
    state = state.play(Act.parse("2 draw stock QC")).play(Act.parse("2 discard QC"))
    state = state.play(Act.parse("1 draw stock AC"))
    assert not state.play(Act.parse("1 discard 6H")).violations
    harmless = after(TEN, "2 draw stock QC|2 discard QC|1 draw stock AC|1 discard 6H")
    assert rules_of(harmless) == ["panguingue.kept"]


def test_an_upcard_is_taken_only_to_be_melded_at_once() -> None:
    assert not after("3 draw discards 4H|3 meld 4H 4D 4C").violations
    assert rules_of(after("3 draw discards 4H|3 discard 4H")) == ["panguingue.upcard"]


def test_a_player_may_be_forced_to_take_an_upcard() -> None:
    hand = ["4D", "4C", "2S", "2D", "6H", "6C", "JS", "JD", "QH", "AH"]
    deal = [
        f"deal 3 ({one}) ({two})|deal 2 ?? ??|deal 1 ?? ??"
        for one, two in zip(hand[::2], hand[1::2], strict=True)
    ]
    can = played(GAME, START, "ante", *deal, "deal discards 4H", "1 declare force")
    for refused in ("3 draw stock KD", "3 discard KD"):
        assert GAME.conceals(can, Act.parse(refused)) == "panguingue.forced"
        later = can.play(Act.parse(refused))
        assert rules_of(later) == []  # the hand is not open to anybody
    assert not after("1 declare force|3 draw discards 4H|3 meld 4H 4D 4C").violations


def test_an_upcard_from_a_hand_is_not_taken_if_the_house_says_so() -> None:
    text = "3 draw stock 5S|3 meld 5S 5S 5S|3 discard KD|2 draw discards KD"
    assert not after(text).violations
    assert rules_of(after(text, game=Panguingue(upcard="stock")))


def test_a_force_ends_when_the_forced_player_drops_out() -> None:
    """Game play: the current player is compelled; whoever plays instead has not been."""
    state = after("2 declare force|3 fold")
    assert not state.forced
    assert after("2 declare force|1 fold").forced


def test_eleven_melded_cards_win_the_pot_a_chip_from_each_and_the_conditions_again() -> None:
    state = after(TEN.replace("3 discard 2D", "3 lay 3.meld-3 5C|3 lay 3.meld-3 6C"))
    assert state.out == 3
    # Fives of spades 4, J-Q-K of hearts 1: paid once before, once more now; then the pot.
    assert net(state)[3] == 2 * (4 + 1) * 2 + 3 + 2
    assert state.settlement.net == {0: 0, 1: -12, 2: -12, 3: 24}


def test_ten_melded_cards_and_no_hand_are_not_out() -> None:
    state = after(TEN.replace("3 discard 2D", "3 lay 3.meld-3 5C|3 discard 2D"))
    assert not state.ended
    text = "2 draw stock QC|2 discard QC|1 draw stock QC|1 discard QC|3 draw stock QD"
    for line in text.split("|"):
        state = state.play(Act.parse(line))
    assert lines(state) == {"3 discard QD"}


def test_a_payment_that_is_not_owed_is_found_at_once() -> None:
    text = "3 draw stock 5S|3 meld 5S 5S 5S"
    assert not after(text, "2 pay 3 4|1 pay 3 4").violations
    assert rules_of(after(text, "2 pay 3 2")) == ["panguingue.payment"]


def test_three_sevens_or_more_are_no_meld_with_a_gap() -> None:
    assert rules_of(after("3 draw stock 5H|3 meld 5H 6H JH")) == ["panguingue.meld"]


def test_two_cards_may_be_laid_on_a_meld_at_once_and_each_pays() -> None:
    """ "the prescribed amount again for each card added to it" """
    state = after("3 draw stock 5S|3 meld 5S 5S 5S|3 lay 3.meld-1 5S 5S")
    assert rules_of(state) == []
    assert net(state)[3] == 2 * (4 + 4 + 4)


def test_a_king_of_another_suit_keeps_the_meld_and_ends_its_condition() -> None:
    state = after("3 draw stock KS|3 meld KS KS KS|3 lay 3.meld-1 KH")
    assert rules_of(state) == []
    assert (net(state)[3], state.conditions(3)) == (4, 0)


def test_a_stock_card_may_be_discarded_at_once() -> None:
    state = after("3 discard KD")
    assert rules_of(state) == []
    assert (len(state.hand(3)), state.remaining, state.actor) == (10, 320 - 32, 2)


def test_a_card_may_be_melded_straight_from_the_stock_or_the_discards() -> None:
    stock, pile = after("3 meld 5S 5D 5C"), after("3 meld 4H 4D 4C")
    for state, remaining, upcards in ((stock, 320 - 32, 1), (pile, 320 - 31, 0)):
        assert rules_of(state) == []
        assert (len(state.hand(3)), state.remaining) == (8, remaining)
        assert len(state.pile) == upcards
        assert rules_of(state.play(Act.parse("3 discard KD"))) == []


@pytest.mark.parametrize("meld", ["5S 5C 5D", "5C 5S 5D", "5C 5D 5S"])
def test_a_meld_may_name_the_upcard_in_any_position(meld: str) -> None:
    assert rules_of(after(f"3 meld {meld}", upcard="5S")) == []


def test_a_card_may_be_laid_straight_from_the_stock_or_the_discards_on_a_meld() -> None:
    start = "3 meld 5S 5D 5C|3 discard KD|2 discard QC"
    stock, pile = after(start, "1 discard QC|3 lay 3.meld-1 5H"), after(
        start, "1 discard 5D|3 lay 3.meld-1 5D")  # fmt: skip
    for state in (stock, pile):
        assert rules_of(state) == []
        assert len(state.hand(3)) == 7
    assert len(pile.pile) == len(stock.pile) - 1


def test_a_kept_hand_card_is_still_found_when_nothing_was_turned_over() -> None:
    state = after("3 discard KD|2 discard QC|1 draw stock 2C|1 discard 3C")
    assert rules_of(state) == ["panguingue.kept"]


def test_a_force_by_someone_not_entitled_to_it_is_void() -> None:
    own, dropped = after("3 declare force"), after("2 fold|2 declare force")
    for state in (own, dropped):
        assert rules_of(state) == ["out-of-turn"]
        assert not state.forced
        assert rules_of(state.play(Act.parse("3 draw stock KD"))) == ["out-of-turn"]


def test_a_forced_player_whose_hand_is_not_seen_is_not_accused() -> None:
    """ "an upcard that they can meld": nobody knows yet whether they can."""
    state = after("1 declare force|3 draw stock KD|3 discard KD")
    assert rules_of(state) == []


def test_failing_to_meld_the_upcard_is_found_when_the_cards_come_to_light() -> None:
    text = "1 declare force|3 draw stock KD|3 discard KD|2 discard QC|1 discard QC"
    state = after(text, "3 draw stock 5S|3 meld 5S 5C 5D|3 discard 4D|2 discard QC|1 discard QC")
    assert rules_of(state) == []
    state = state.play(Act.parse("3 draw stock 6C")).play(Act.parse("3 meld 6C 4C 5C"))
    assert rules_of(state) == ["panguingue.forced"]
    assert str(state.acts[state.violations[0].since - 1]) == "3 draw stock KD"


def test_a_player_who_sees_a_place_for_the_upcard_on_the_table_has_to_take_it() -> None:
    text = "3 meld 5S 5D 5C|3 discard KD|2 discard QC|1 discard 5H|1 declare force"
    assert rules_of(after(text, "3 draw stock KD")) == ["panguingue.forced"]
    assert rules_of(after(text, "3 discard KD")) == ["panguingue.forced"]
    assert rules_of(after(text, "3 draw discards 5H|3 lay 3.meld-1 5H")) == []


@pytest.mark.parametrize(
    ("layout", "paid"),
    [
        ("3.meld-1 5S 5S 5S", 4),  # a condition of spades from the valle
        ("3.meld-1 AH 2H 3H 4H", 1),  # at once, for all that is known
        ("3.meld-1 KS KS KH", 0),
        ("3.meld-1 5S 5S", 0),  # the rest is still to come
        ("3.meld-1 5S 5S 5S 3.meld-2 7H 7C 7D", 5),
    ],
)
def test_conditions_laid_unseen_are_paid_once_the_table_is_taken_as_it_lies(
    layout: str, paid: int
) -> None:
    state = after("3 draw stock KD")
    number = len(state.acts)
    state = state.play(Act.parse(f"3 resume {number} discards 4H {layout}"))
    assert net(state) == {1: -paid, 2: -paid, 3: 2 * paid}
    assert rules_of(state) == []


def test_what_was_paid_before_is_not_paid_again() -> None:
    state = after("3 draw stock 5S|3 meld 5S 5S 5S")
    number, paid = len(state.acts), net(state)
    again = state.play(Act.parse(f"3 resume {number} discards 4H 3.meld-1 5S 5S 5S"))
    assert net(again) == paid == {1: -4, 2: -4, 3: 8}
    more = state.play(Act.parse(f"3 resume {number} discards 4H 3.meld-1 5S 5S 5S 5S"))
    assert net(more) == {1: -8, 2: -8, 3: 16}
    assert net(more) == net(state.play(Act.parse("3 lay 3.meld-1 5S")))
    earlier = state.play(Act.parse(f"3 resume {number - 1} discards 4H 3.meld-1 5S 5S 5S"))
    assert net(earlier) == paid


def test_melds_that_have_lent_cards_unseen_pay_for_what_conditions_there_are_more() -> None:
    state = after("3 draw stock 5S|3 meld 5S 5H 5C 5D|3 lay 3.meld-1 5S 5S|3 discard KS")
    assert net(state) == {1: -3, 2: -3, 3: 6}
    split = "3.meld-1 5S 5S 5S 3.meld-2 5H 5C 5D"
    state = state.play(Act.parse(f"2 resume {len(state.acts)} discards 4H KS {split}"))
    assert net(state) == {1: -7, 2: -7, 3: 14}


def test_a_player_who_has_melded_all_unseen_is_out() -> None:
    melds = "3.meld-1 5S 5S 5S 3.meld-2 7H 7C 7D 3.meld-3 KS KS KH 3.meld-4 2H 3H"
    state = after("3 draw stock KD")
    number = len(state.acts)
    assert not state.play(Act.parse(f"3 resume {number} discards 4H {melds}")).ended
    state = state.play(Act.parse(f"3 resume {number} discards 4H {melds} 4H"))
    assert state.ended
    assert state.out == 3
    # Both conditions twice, and a chip for going out; three antes are in the pot.
    assert net(state) == {1: -11, 2: -11, 3: 25}


def test_two_melds_as_dear_as_each_other_that_came_as_one_lent_cards_are_both_paid() -> None:
    state = after("3 draw stock 5S|3 meld 5S 5H 5C 5D|3 lay 3.meld-1 5S 5S|3 discard KS")
    grown = "3.meld-1 5H 5C 5D 3.meld-2 5S 5S 5S 3.meld-3 7S 7S 7S"
    state = state.play(Act.parse(f"2 resume {len(state.acts)} discards 4H KS {grown}"))
    # Two of spades pay four each beside the one that was there, for which three are paid already.
    assert net(state) == {1: -11, 2: -11, 3: 22}
