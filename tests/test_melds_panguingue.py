"""Panguingue: its rule sheet's statements, one by one."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rules.acts import Act, Verb
from rules.cards import parse_cards
from rules.games.panguingue import Panguingue
from rules.melds.spreads import RULES, SpreadState, condition, stands
from rules.start import Start
from tests.melding import lines, played, rules_of
from tests.play import play_hand, start_for

GAME = Panguingue()
START = Start(seats=(1, 2, 3), dealer=1, limits=(1, 20))
DEAL = "ante|" + "|".join(f"deal {seat} ?? ??" for _ in range(5) for seat in (3, 2, 1))


def after(*text: str, upcard: str = "4H", game: Panguingue = GAME) -> SpreadState:
    return played(game, START, DEAL, f"deal discards {upcard}", *text)


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


def net(state: SpreadState) -> dict[int, int]:
    """Chips won or lost by each seat since the antes."""
    paid = [p for p in state.payments if p.reason != "panguingue.ante"]
    return {
        seat: sum((p.amount or 0) * ((p.payee == seat) - (p.payer == seat)) for p in paid)
        for seat in (1, 2, 3)
    }


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


ROPE = (
    "3 draw stock 2D|3 meld 2D 3D 4D|3 lay 3.meld-1 5D|3 discard KD|2 draw stock QC|2 discard QC|"
    "1 draw stock QC|1 discard QC|3 draw stock 4S"
)


def test_the_four_of_two_three_four_five_cannot_be_borrowed() -> None:
    """ "2-3-5 is not a valid sequence" """
    state = after(ROPE, "3 move 3.meld-1 3.meld-2 4D")
    assert rules_of(state) == ["panguingue.borrow"]


def test_an_end_of_a_rope_can_be_borrowed_and_the_new_condition_is_paid() -> None:
    state = after(ROPE.replace("draw stock 4S", "draw stock 5S"), "3 move 3.meld-1 3.meld-2 5D")
    assert [one.verb for one in state.turn.awaited] == [Verb.LAY]
    before = net(state)[3]
    state = state.play(Act.parse("3 lay 3.meld-2 5S 5H"))
    assert not state.violations
    assert net(state)[3] == before + 2  # fives of three suits: a chip from both
    assert state.melds(3)["3.meld-1"] == parse_cards("2D 3D 4D")


def test_a_meld_of_six_may_be_split_and_pays_for_what_is_new() -> None:
    spread = "3 draw stock 5S|3 meld 5S 5S 5S|3 lay 3.meld-1 5S|3 lay 3.meld-1 5S|3 lay 3.meld-1 5S"
    state = after(spread)
    before = net(state)[3]
    state = state.play(Act.parse("3 move 3.meld-1 3.meld-2 5S 5S 5S"))
    assert not state.violations
    assert net(state)[3] == before + 8


@pytest.mark.parametrize(
    ("first", "added", "half", "made"),
    [
        ("JH JD JS", "JH JH JC", "JD JS JC", 1),  # what stays has become three jacks of hearts
        ("JH JD JS", "JH JH JC", "JH JH JH", 1),
        ("KS KH KH", "KS KS KH", "KH KH KH", 2 + 1),  # both halves are of one suit now
        ("AH 2H 3H", "4H 5H 6H", "AH 2H 3H", 0),  # the condition was there before
        ("AH 2H 3H", "4H 5H 6H", "4H 5H 6H", 0),
    ],
)
def test_a_split_meld_pays_alike_whichever_half_is_moved(
    first: str, added: str, half: str, made: int
) -> None:
    """ "When borrowing creates a new condition" it is paid, in either half of the meld."""
    lays = [f"3 lay 3.meld-1 {card}" for card in added.split()]
    state = after(f"3 draw stock {first[:2]}|3 meld {first}", *lays)
    before = net(state)[3]
    state = state.play(Act.parse(f"3 move 3.meld-1 3.meld-2 {half}"))
    assert not state.violations
    assert net(state)[3] == before + 2 * made


@pytest.mark.parametrize(
    ("first", "added", "half"),
    [
        ("JH JD JS", "JH JH JC", "JD JS JC"),
        ("KS KH KH", "KS KS KH", "KS KS KS"),
        ("5S 5S 5S", "5S 5S 5S", "5S 5S 5S"),
        ("AH 2H 3H", "4H 5H 6H", "AH 2H 3H"),
        ("AH 2H 3H", "4H 5H 6H", "6H 5H 4H"),
    ],
)
def test_cards_lent_one_by_one_pay_as_if_they_went_at_once(
    first: str, added: str, half: str
) -> None:
    """A person's hand takes them one after the other, or several at once."""
    lays = [f"3 lay 3.meld-1 {card}" for card in added.split()]
    begun = after(f"3 draw stock {first[:2]}|3 meld {first}", *lays)
    once = begun.play(Act.parse(f"3 move 3.meld-1 3.meld-2 {half}"))
    state = begun
    for card in half.split():
        act = Act.parse(f"3 move 3.meld-1 3.meld-2 {card}")
        assert any(one.admits(act) for one in state.turn.awaited)
        state = state.play(act)
    assert not state.violations
    assert net(state) == net(once)
    assert state.table.cards("3.meld-2") == parse_cards(half)
    assert {one.verb for one in state.turn.awaited} >= {Verb.DISCARD}


def test_a_meld_lends_no_more_once_another_card_has_come() -> None:
    """A card of the hand ends the loan."""
    spread = "3 draw stock 5S|3 meld 5S 5S 5S" + 4 * "|3 lay 3.meld-1 5S"
    state = after(spread, "3 move 3.meld-1 3.meld-2 5S")
    assert {one.verb for one in state.turn.awaited} == {Verb.LAY, Verb.MOVE}
    state = state.play(Act.parse("3 lay 3.meld-2 5D"))
    assert {one.verb for one in state.turn.awaited} == {Verb.LAY}


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


ROUND = "3 discard KD|2 draw stock QC|2 discard QC|1 draw stock QC|1 discard QC"
"""Seat 3 discards a king, and the others turn over queens."""


@pytest.mark.parametrize(
    ("rope", "borrowed", "more", "paid"),
    [
        # A rope from ace to five is a condition of 1; three aces of hearts are one of 1.
        ("AH 2H 3H 4H 5H", "AH", "AH AH", 1 + 1),
        # J-Q-K of spades is one of 2, and so are three kings of spades.
        ("7S JS QS KS", "KS", "KS KS", 2 + 2),
    ],
)
def test_borrowing_pays_as_if_the_meld_came_from_the_hand(
    rope: str, borrowed: str, more: str, paid: int
) -> None:
    """ "opponents pay them exactly as if they had just played the meld from the hand" """
    first = rope.split(maxsplit=1)[0]
    text = f"3 draw stock {first}|3 meld {rope}|3 move 3.meld-1 3.meld-2 {borrowed}"
    state = after(text, f"3 lay 3.meld-2 {more}")
    assert rules_of(state) == []
    assert net(state) == {1: -paid, 2: -paid, 3: 2 * paid}


def test_a_borrowed_card_may_be_joined_by_the_others_one_by_one() -> None:
    text = "3 draw stock 7S|3 meld 7S JS QS KS|3 move 3.meld-1 3.meld-2 KS|3 lay 3.meld-2 KS"
    state = after(text, "3 lay 3.meld-2 KS")
    assert rules_of(state) == []
    assert net(state)[3] == 2 * (2 + 2)


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


LENDING = (
    "3 draw stock 5C|3 meld 2C 3C 4C 5C|3 discard KD|2 draw stock QC|2 discard QC|"
    "1 draw stock 5H|1 discard 5H"
)
"""Seat 3 has a rope of clubs to the five, and faces the five of hearts."""


@pytest.mark.parametrize(
    "taken",
    [
        "3 draw discards 5H|3 move 3.meld-1 3.meld-2 5C|3 lay 3.meld-2 5H 5D",
        "3 draw discards 5H|3 move 3.meld-1 3.meld-2 5C|3 lay 3.meld-2 5H|3 lay 3.meld-2 5D",
        "3 move 3.meld-1 3.meld-2 5C|3 lay 3.meld-2 5H 5D",
    ],
)
def test_an_upcard_may_be_melded_with_a_borrowed_card(taken: str) -> None:
    """Borrowing: "to form a new meld with cards from the hand"; fives of three suits pay one."""
    state = after(LENDING, taken, "3 discard KC")
    assert rules_of(state) == []
    assert net(state) == {1: -1, 2: -1, 3: 2}
    assert state.melds(3) == {
        "3.meld-1": parse_cards("2C 3C 4C"),
        "3.meld-2": parse_cards("5C 5H 5D"),
    }


def test_an_upcard_that_melds_with_a_borrowed_card_may_be_taken_and_forced() -> None:
    """ "faced with an upcard that they can meld" """
    hands = {3: "2C 3C 4C 5D QS QD AH 6S 2S KD", 2: "QC " * 10, 1: "QH " * 10}
    pairs = {seat: hand.split() for seat, hand in hands.items()}
    deal = [
        f"deal {seat} ({pairs[seat][at]}) ({pairs[seat][at + 1]})"
        for at in range(0, 10, 2)
        for seat in (3, 2, 1)
    ]
    state = played(GAME, START, "ante", *deal, "deal discards 4H", LENDING)
    assert {"2 declare force", "3 draw discards 5H"} <= lines(state)
    state = played(GAME, START, *map(str, state.acts), "2 declare force", "3 draw discards 5H")
    assert lines(state) == {"3 move 3.meld-1 3.meld-2 5C"}
    state = played(GAME, START, *map(str, state.acts), "3 move 3.meld-1 3.meld-2 5C")
    assert lines(state) == {"3 lay 3.meld-2 5D 5H"}
