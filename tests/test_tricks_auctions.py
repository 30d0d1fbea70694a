"""Fipsen, Democracy and Big Three: the rule sheets' examples, and what holds in any match."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from rules.acts import Verb
from rules.cards import SUITS, Card, Deck, Suit, parse_cards
from rules.games.democracy import Democracy, DemocracyState, points, winners
from rules.games.fipsen import Fipsen
from rules.start import Start
from rules.state import State
from rules.tricks.auctions import Duel
from rules.tricks.climbing import combination, plays
from rules.tricks.doubling import Bid
from tests.scripted import after, hands, shown, tricks

# Fipsen.


def test_bids_are_worth_what_the_rule_sheet_says() -> None:
    """ "Three has a value of three, Three Hand is valued at six, Three Hand Durch ... twelve"."""
    assert Bid(3).value == 3
    assert Bid(3, ("hand",)).value == 6
    assert Bid(3, ("hand", "durch")).value == 12
    assert Bid(5).value == Bid(5, ("durch",)).value == 10
    sets = [(), ("hand",), ("ruten",), ("durch",), ("hand", "ruten"), ("hand", "durch")]
    sets += [("ruten", "durch"), ("hand", "ruten", "durch")]
    values = {Bid(number, words).auction for number in range(2, 6) for words in sets}
    assert values == {2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40}
    assert Bid(5, kieker=True).auction == Fraction(9, 2)


def test_the_earlier_player_may_hold_and_the_later_must_raise() -> None:
    duel = Duel.among((1, 2, 3, 4)).bid(4)
    assert not duel.may(4)
    duel = duel.bid(6)
    assert duel.bidder == 1
    assert duel.may(6)
    assert not duel.may(4)
    held = duel.bid(6)
    assert held.bidder == 2
    assert not held.may(6)
    third = held.passed()
    assert (third.bidder, third.may(6), third.may(8)) == (3, False, True)


def test_passing_at_once_leaves_the_opening_to_the_next_player() -> None:
    duel = Duel.among((1, 2, 3, 4)).passed()
    assert duel.bidder == 2
    assert duel.may(2)
    assert duel.passed().passed().passed().over
    assert duel.passed().passed().passed().winner is None


FIPSEN = [
    "deal 1 " + shown("AH KH QH"), "deal 2 " + shown("AC KC QC"), "deal 3 " + shown("AS KS QS"),
    "deal 4 " + shown("7H 8H 9H"), "deal skat " + shown("7D JS"), "deal 1 " + shown("JH TH"),
    "deal 2 " + shown("JC TC"), "deal 3 " + shown("TS 9S"), "deal 4 " + shown("7C 8C"),
    "deal rest " + shown("9C 7S 8S"),
]  # fmt: skip
"""Seat 1 holds five hearts from the ace; seat 4 has no face card."""


def fipsen(*lines: str) -> State:
    return after(Fipsen().open(Start(seats=(1, 2, 3, 4), dealer=4)), *FIPSEN, *lines)


def score(state: State) -> dict[int, int]:
    assert state.violations == ()
    assert state.settlement.points
    return state.settlement.scores


def test_three_ruten_scores_six_or_costs_twelve() -> None:
    """ "a fulfilled contract of Three Ruten would score +6 ... -12 if it was broken"."""
    bid = ("1 bid 3 ruten", "2 pass", "3 pass", "4 pass")
    ready = fipsen(*bid, "1 draw skat (7D) (JS)", "1 discard (JS) (TH)")
    made = [(1, "AH TC TS 7H"), (1, "KH JC 9S 8H"), (1, "QH QC QS 9H")]
    assert score(after(ready, *tricks(made, 4), "1 stand")) == {1: 6}
    hand = fipsen("1 bid 3 hand ruten", "2 pass", "3 pass", "4 pass")
    assert score(after(hand, *tricks(made, 4), "1 stand")) == {1: 12}
    other = fipsen("1 pass", "2 pass", "3 pass", "4 bid 3 ruten")
    other = after(other, "4 draw skat (7D) (JS)", "4 discard (7C) (8C)")
    broken = [(1, "AH AC AS 7H"), (1, "KH KC KS 8H"), (1, "QH QC QS 9H")]
    assert score(after(other, *tricks(broken, 4))) == {4: -12}


def test_diamonds_chosen_late_double_as_if_they_had_been_bid() -> None:
    ready = fipsen("1 bid 3", "2 pass", "3 pass", "4 pass", "1 draw skat (7D) (JS)")
    named = after(ready, "1 discard (JS) (TH)", "1 declare diamonds")
    made = [(1, "AH TC TS 7H"), (1, "KH JC 9S 8H"), (1, "QH QC QS 9H")]
    assert score(after(named, *tricks(made, 4), "1 stand")) == {1: 6}


def test_playing_on_doubles_and_requires_all_tricks_that_are_left() -> None:
    bid = ("1 bid 2 hand", "2 pass", "3 pass", "4 pass", "1 declare hearts")
    two = [(1, "AH TC TS 7H"), (1, "KH JC 9S 8H")]
    on = after(fipsen(*bid), *tricks(two, 4), "1 declare durch")
    rest = [(1, "QH QC QS 9H"), (1, "JH KC KS 7C"), (1, "TH AC AS 8C")]
    assert score(after(on, *tricks(rest, 4))) == {1: 8}


KIEKER = ("1 pass", "2 pass", "3 pass", "4 bid kieker")


def kieker() -> State:
    """Seat 4 has bid Kieker and named clubs, with five cards as bad as before."""
    taken = fipsen(*KIEKER, "4 draw skat (7D) (JS)", "4 draw rest (9C) (7S) (8S)")
    return after(taken, "4 discard (7D) (7S) (7H) (8H) (9H)", "4 declare clubs")


def test_a_kieker_costs_twenty_or_five_if_it_is_given_up() -> None:
    """ "scoring +10 if fulfilled and -20 if broken"; "a penalty of five points"."""
    assert score(after(kieker(), "1 play AH", "2 play TC", "3 play TS", "4 play 9C")) == {4: -20}
    taken = fipsen(*KIEKER, "4 draw skat (7D) (JS)", "4 draw rest (9C) (7S) (8S)", "4 fold")
    assert score(taken) == {4: -5}


def test_a_kieker_is_shown_to_the_player_at_the_left() -> None:
    """ "upon making the bid, they reveal their hand to the player to their left" """
    (call,) = fipsen("1 pass", "2 pass", "3 pass", "4 bid kieker").calls
    assert (call.id, dict(call.values)["seats"]) == ("fipsen.kieker", (1,))


def test_a_kieker_with_face_cards_comes_to_light_when_one_is_played() -> None:
    """Seat 1 bids it with a hand of court cards and is outbid; everything it plays it held then."""
    state = fipsen("1 pass", "2 bid kieker", "3 bid 3 hand durch", "2 pass", "4 pass")
    lie = next(n for n, act in enumerate(state.acts, 1) if act.words == ("kieker",))
    state = after(state, "3 declare spades", "1 play AH", "2 play TC")
    assert state.violations == ()
    state = after(state, "3 play 9S", "4 play 7H", "gather", "3 play AS", "4 play 8H", "1 play TH")
    state = after(state, "2 play QC")
    (found,) = state.violations
    assert (found.rule, found.seat, found.since) == ("fipsen.false-kieker", 2, lie)
    assert found.cards == parse_cards("QC")


def test_when_all_pass_the_same_dealer_deals_again_and_no_deal_is_counted() -> None:
    over = after(fipsen("1 pass", "2 pass", "3 pass", "4 pass"), "clear")
    again = over.game.follow(over)
    assert (again.dealer, again.note("deal", "1")) == (4, "1")
    played = next(s for s in hands("fipsen", 50) if s.settlement.points)
    following = played.game.follow(played)
    assert (following.dealer, following.note("deal")) == (2, "2")


# Democracy.


def test_a_suit_has_25_points_captured_discarded_or_undealt() -> None:
    """Five, four, three, three, two, two, two, one, one, one, one and nothing."""
    assert set(points(Deck.of("3456789TJQKA")).values()) == {25}
    for state in hands("democracy", 12):
        assert isinstance(state, DemocracyState)
        captured = [card for _, card in state.captured]
        deck = Counter(state.game.deck(state.start))
        undealt = list((deck - Counter(captured)).elements())
        assert Counter(captured) <= deck
        assert set(points([*captured, *undealt]).values()) == {25}
        won = Counter(seat for seat, _ in state.captured)
        for seat in state.start.seats:
            tribes = points(c for s, c in state.captured if s == seat)
            assert won[seat] or not tribes
            most = sum(tribes[suit] >= 13 for suit in SUITS)
            assert state.settlement.scores.get(seat, 0) == most


def test_the_cards_suffice_for_every_number_of_players() -> None:
    """Two rounds of hands and a pool, from 48, 48, 50, 48 and 49 cards; six players leave seven."""
    game, left = Democracy(), {2: 0, 3: 0, 4: 0, 5: 0, 6: 7}
    for count, rest in left.items():
        start = Start(seats=tuple(range(1, count + 1)), dealer=1)
        pool = next(spot for spot in game.spots(start) if spot.role == "pool")
        assert len(game.deck(start)) - 2 * pool.capacity * (count + 1) == rest


def test_of_two_jokers_in_the_pool_the_upper_one_is_turned_and_gathered() -> None:
    start = Start(seats=(1, 2, 3, 4), dealer=4)
    dealt = {1: "3H 6H 7H 8H 9H", 2: "4H TH JH QH KH", 3: "AH 3S 4S 5S 6S", 4: "7S 8S 9S TS JS"}
    state: State = Democracy().open(start)
    state = after(state, *(f"deal {seat} {shown(cards)}" for seat, cards in dealt.items()))
    state = after(state, "deal pool " + shown("JOKER 3C 4C 5C JOKER"), "turn pool JOKER")
    assert [laid.up for laid in state.table.at("pool")] == [False] * 4 + [True]
    votes = [f"{seat} play ({cards[:2]})" for seat, cards in dealt.items()]
    turned = [f"turn {seat}.trick {cards[:2]}" for seat, cards in dealt.items()]
    state = after(state, *votes, *turned, "gather")
    assert isinstance(state, DemocracyState)
    assert state.pool == parse_cards("JOKER 3C 4C 5C")
    assert after(state, "turn pool 5C").violations == ()


@pytest.mark.parametrize(
    ("cards", "trump", "best"),
    [
        ("KH QH JS", "H", (1,)),  # "a king still beats a queen"
        ("5H 6H 4H", "H", (2,)),  # the six over the five of trumps
        ("5H 6S 4H", "H", (1,)),
        ("6H AS 5S", "H", (1,)),
        ("5S 5D KC", "H", (1, 2)),  # "two cards of different suits tie for highest"
        ("JOKER 5D KC", "H", (1, 2)),
        ("JOKER 6H 5D", "H", (2,)),
        ("3C AS 4D", "H", (3,)),
    ],
)
def test_votes_are_won_as_the_rule_sheet_says(
    cards: str, trump: str, best: tuple[int, ...]
) -> None:
    votes = dict(enumerate(parse_cards(cards), 1))
    assert winners(votes, Suit(trump)) == best


# Big Three.


@pytest.mark.parametrize(
    ("cards", "width", "length"),
    [
        ("3S", 1, 1),
        ("4S 5H 6D", 1, 3),
        ("4S 4H 5D 5C 6S 6H", 2, 3),
        ("6S 6H 6D 7S 7H 7D 8S 8H 8D", 3, 3),
        ("AS AH AD AC", 4, 1),
    ],
)
def test_the_rule_sheet_s_combinations(cards: str, width: int, length: int) -> None:
    made = combination(parse_cards(cards))
    assert made is not None
    assert (made.width, made.length) == (width, length)


@pytest.mark.parametrize(
    "cards", ["QS KH AD", "2S 3H AD", "4S 5H", "4S 4H 5D 5C", "4S 4H 5D", "JOKER"]
)
def test_what_is_not_a_combination(cards: str) -> None:
    """Aces, twos and threes are in no straight, and two pairs are no run."""
    assert combination(parse_cards(cards)) is None


def test_a_straight_is_followed_only_by_one_of_its_length() -> None:
    low = combination(parse_cards("4S 5H 6D 7C"))
    assert low is not None
    higher = {text: combination(parse_cards(text)) for text in ("5S 6H 7D 8C", "8S 9H TD JC QS")}
    beats = {text: made is not None and made.beats(low) for text, made in higher.items()}
    assert beats == {"5S 6H 7D 8C": True, "8S 9H TD JC QS": False}


def test_all_combinations_of_a_hand_are_found() -> None:
    """By brute force over every handful of up to six cards, equal ones counted once."""
    dice = random.Random(3)
    for _ in range(6):
        hand = dice.sample(Deck.standard().cards, 9)
        found = {combination(cards) for cards in plays(hand)}
        wanted = set()
        for mask in range(1, 2**9):
            made = combination([card for bit, card in enumerate(hand) if mask >> bit & 1])
            wanted |= {made} if made else set()
        assert found == wanted


def test_settlements_of_big_three_pay_the_bid_by_or_to_one_player() -> None:
    for state in hands("big-three", 12):
        net = state.settlement.net
        assert sum(net.values()) == 0
        bid = max(act.amount or 0 for act in state.acts if act.verb is Verb.BID)
        assert sorted(abs(chips) for chips in net.values()) == [bid, bid, 2 * bid]
        assert sum(len(cards) for _, cards in state.table.spots.items()) == 52


def sheet_combination(cards: list[Card]) -> bool:
    """The rule sheet once more: several of a rank, or three or more in a row up to the king."""
    counts = Counter(card.rank for card in cards)
    if len(set(counts.values())) != 1:
        return False
    row = "".join(rank for rank in "456789TJQK" if rank in counts)
    return len(counts) == 1 or (len(row) == len(counts) >= 3 and row in "456789TJQK")


def test_combinations_are_those_of_the_rule_sheet() -> None:
    dice, seen = random.Random(5), Counter[bool]()
    for _ in range(4000):
        ranks = dice.choice(NEAR)
        near = [card for card in Deck.standard() if str(card.rank) in ranks]
        handful = dice.sample(near, min(len(near), dice.choice((1, 2, 3, 4, 6))))
        right = sheet_combination(handful)
        assert (combination(handful) is not None) is right, handful
        seen[right] += 1
    assert min(seen.values()) > 200


NEAR = ("456", "89", "TJQ", "JQK", "QKA", "A23", "7")
"""Adjacent ranks, so that combinations come up often."""
