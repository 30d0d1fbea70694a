"""Games of tricks and of climbing: the rule sheets' own examples, and what holds in any match."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest

from rules.acts import Act, Verb
from rules.auctions import Duel
from rules.cards import SUITS, Card, Deck, Suit, parse_cards
from rules.climbing import combination, plays
from rules.contracts import Count, Taken
from rules.declarations import Declaration, highest
from rules.doubling import Bid
from rules.games.belote import Belote, BeloteState
from rules.games.big_three import BigThree
from rules.games.democracy import Democracy, DemocracyState, points, winners
from rules.games.fipsen import Fipsen
from rules.games.rams import Rams
from rules.games.tribello import Tribello
from rules.match import Match
from rules.settlement import POT
from rules.start import Start
from rules.state import State
from tests.play import play_hand, play_match, start_for


def after(state: State, *lines: str) -> State:
    """The state after acts given as lines."""
    for line in lines:
        state = state.play(Act.parse(line))
    return state


def tricks(leaders: Iterable[tuple[int, str]], seats: int) -> list[str]:
    """The lines of tricks, each given by its leader and the cards in the order of play."""
    lines = []
    for leader, cards in leaders:
        for place, card in enumerate(cards.split()):
            lines.append(f"{(leader - 1 + place) % seats + 1} play {card}")
        lines.append("gather")
    return lines


def shown(hand: str) -> str:
    """Cards as they are dealt face down with their faces known."""
    return " ".join(f"({card})" for card in hand.split())


def hands(name: str, count: int, **rules: Any) -> Iterable[State]:
    """The last states of random honest hands."""
    kinds = {g.name: g for g in (Belote, BigThree, Democracy, Fipsen, Rams, Tribello)}
    game = kinds[name](**rules)
    for seed in range(count):
        dice = random.Random(f"{name}{seed}")
        yield play_hand(game, start_for(game, seats=dice.randint(2, 6)), dice)[-1]


# Tribello.


def test_contracts_add_up_to_the_tricks_so_scores_add_up_to_zero() -> None:
    """ "the three players' scores should always add up to zero", in all four phases."""
    match = play_match(Tribello(), start_for(Tribello()), random.Random(1), 12)
    finished = [hand.state for hand in match.hands if hand.state.over]
    assert len(finished) == 12
    for state in finished:
        assert sorted(state.settlement.scores) == [1, 2, 3]
        assert sum(state.settlement.scores.values()) == 0
    assert [hand.start.dealer for hand in match.hands[:4]] == [1, 2, 3, 1]


def test_in_the_fourth_phase_tricks_count_against_their_winner() -> None:
    game = Tribello()
    for deal, contracts, sign in ((7, (6, 4, 3), 1), (10, (3, 4, 6), -1)):
        start = Start(seats=(1, 2, 3), dealer=1).noting(deal=str(deal))
        state = play_hand(game, start, random.Random(deal))[-1]
        won = [state.winners.count(seat) for seat in (1, 2, 3)]  # type: ignore[attr-defined]
        over = {s: sign * (w - c) for s, w, c in zip((1, 2, 3), won, contracts, strict=True)}
        assert state.settlement.scores == over


def test_after_twelve_deals_the_highest_score_wins_and_a_tie_is_shared() -> None:
    start = Start(seats=(1, 2, 3), dealer=3, scores=((1, 40), (2, 40), (3, -80)))
    state = play_hand(Tribello(), start.noting(deal="12"), random.Random(2))[-1]
    match = Match(state.game, state.start)
    told = [match.play(act).calls for act in state.acts]
    best = next(call for calls in told for call in calls if call.id == "tribello.match")
    totals = {s: dict(start.scores)[s] + n for s, n in state.settlement.scores.items()}
    most = max(totals.values())
    assert best["seats"] == tuple(s for s in (1, 2, 3) if totals[s] == most)
    assert match.hand.start.scores == ()
    assert match.hand.start.note("deal") == "1"


# Rams.

RAMS = [
    "deal 2 " + shown("AS KS QS JS TS"),
    "deal 3 " + shown("7H 8H 9H TC JC"),
    "deal 1 " + shown("7D 8D 9D TD JD"),
    "deal widow " + shown("AC KC QC 9C 8C"),
    "deal board 9S",
]


def test_rams_lost_doubles_the_pot() -> None:
    """ "if it contained 30 chips, add 30 more chips to the pot" and five to each opponent."""
    state = Rams().open(Start(seats=(1, 2, 3), dealer=1, pot=25))
    dealt = after(state, "1 ante", *RAMS, "2 pass", "3 bid rams", "1 draw widow ?? ?? ?? ?? ??")
    lost = after(dealt, *tricks([(2, "AS 7H 8C")], 3)[:-1], "clear")
    paid = [(p.payer, p.payee, p.amount) for p in lost.settlement.payments[1:]]
    assert paid == [(3, POT, 30), (3, 2, 5), (3, 1, 5)]
    assert lost.over
    assert lost.game.follow(lost).pot == 60


def test_rams_made_takes_the_pot_and_five_from_everybody() -> None:
    state = after(Rams().open(Start(seats=(1, 2, 3), dealer=1, pot=25)), "1 ante", *RAMS)
    dealt = after(state, "2 bid rams", "3 bid play", "1 bid play")
    rounds = [(2, f"{c} {h} {d}") for c, h, d in zip(
        ("AS", "KS", "QS", "JS", "TS"), ("7H", "8H", "9H", "TC", "JC"),
        ("7D", "8D", "9D", "TD", "JD"), strict=True,
    )]  # fmt: skip
    made = after(dealt, *tricks(rounds, 3), "clear")
    assert made.settlement.net == {0: 5 - 30, 1: -5 - 5, 2: 40, 3: -5}
    assert made.violations == ()


def test_a_pot_of_five_lets_nobody_sit_out() -> None:
    """ "A player may only pass if the pot contains more than five counters." """
    for pot, may in ((0, False), (5, True)):
        state = after(Rams().open(Start(seats=(1, 2, 3), dealer=1, pot=pot)), "1 ante", *RAMS)
        assert state.allows(Act.parse("2 pass")) is may


def test_the_player_at_the_right_pays_a_dealer_whom_nobody_stood_up_to() -> None:
    state = after(Rams().open(Start(seats=(1, 2, 3), dealer=1, pot=10)), "1 ante", *RAMS)
    over = after(state, "2 pass", "3 pass", "clear")
    assert over.settlement.net == {0: 5, 1: 0, 3: -5}
    assert over.game.follow(over).pot == 15


def test_the_dealer_with_one_other_must_play_and_may_take_the_turn_up() -> None:
    state = after(Rams().open(Start(seats=(1, 2, 3), dealer=1, pot=10)), "1 ante", *RAMS)
    state = after(state, "2 bid play", "3 pass")
    assert not state.allows(Act.parse("1 pass"))
    taken = after(state, "1 bid play", "1 discard (7D)", "1 draw board 9S")
    assert taken.violations == ()
    assert Card.parse("9S") in taken.table.cards("1")
    assert taken.turn.seats == (2,)


@pytest.mark.parametrize("once", [False, True])
def test_the_pot_of_rams_is_always_a_multiple_of_five(once: bool) -> None:
    game = Rams(first_dealer_only=once)
    for seed in range(4):
        match = play_match(game, start_for(game, seats=3 + seed % 3), random.Random(seed), 6)
        assert all(hand.start.pot % 5 == 0 for hand in match.hands)
        house = sum(settlement.net.get(POT, 0) for settlement in match.settlements)
        assert house == match.hand.start.pot


# Belote.


def test_the_cards_hold_152_points_and_the_last_trick_ten() -> None:
    """ "There are 152 possible points available through tricks, plus the ten for dix de der"."""
    game = Belote()
    for trump in SUITS:
        state = BeloteState(game=game, start=start_for(game), trump=trump)
        assert sum(state.worth(card) for card in Deck.short("7")) == 152


def test_points_and_roundings_of_random_hands_add_up() -> None:
    """152 and 10, or 252; by default the rounded points come to 160, or 250."""
    for state in hands("belote", 25):
        assert isinstance(state, BeloteState)
        if state.taker is None:
            assert state.settlement.scores == {}
            continue
        sides = (state.start.seats[0::2], state.start.seats[1::2])
        assert sum(state.taken(side) for side in sides) == 162
        written = [p for p in state.points if p.reason == "belote.tricks" and p.seat in (1, 2)]
        capot = 0 in (state.won(*side) for side in sides)
        assert sum(p.points for p in written) == (250 if capot else 160)


@pytest.mark.parametrize(
    ("takers", "others", "scores"),
    [
        (Taken(82, 5), Taken(80, 3), (80, 80)),
        (Taken(96, 5), Taken(66, 3), (100, 60)),
        (Taken(95, 5), Taken(67, 3), (90, 70)),
        (Taken(81, 4), Taken(81, 4), (0, 160)),
        (Taken(60, 3, declared=50), Taken(102, 5), (0, 210)),
        (Taken(60, 3, royal=20), Taken(102, 5, declared=20), (20, 180)),
        (Taken(162, 8, declared=100, royal=20), Taken(0, 0), (370, 0)),
        (Taken(162, 8), Taken(0, 0, declared=100, royal=20), (250, 20)),
        (Taken(0, 0, declared=50, royal=20), Taken(162, 8), (20, 300)),
    ],
)
def test_contracts_score_as_the_rule_sheet_says(
    takers: Taken, others: Taken, scores: tuple[int, int]
) -> None:
    """A taker's side needs more; who fails loses all but belote; a capot scores 252, so 250."""
    assert Count().outcome(takers, others).scores == scores


def test_the_house_rules_of_the_count() -> None:
    tie = Taken(81, 4, declared=20), Taken(81, 4)
    put_off = Count(tie_put_off=True).outcome(*tie)
    assert (put_off.scores, put_off.carried) == ((0, 80), 100)
    assert Count(everything=True).outcome(*tie).scores == (100, 80)
    assert Count(keeps_sum=False).outcome(Taken(96, 5), Taken(66, 3)).scores == (100, 70)
    failed = Count(royal_lost=True).outcome(Taken(60, 3, royal=20), Taken(102, 5))
    assert failed.scores == (0, 180)


def test_declarations_score_and_compare_as_the_rule_sheet_says() -> None:
    """Jacks 200, nines 150, others 100; runs of five or more 100, four 50, three 20."""

    def said(seat: int, kind: str, card: str) -> Declaration:
        return Declaration(seat, kind, Card.parse(card), seat)

    four = {rank: said(1, "four-of-a-kind", f"{rank}S").points for rank in "J9ATKQ"}
    assert four == {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100}
    assert not said(1, "four-of-a-kind", "8S").possible
    assert not said(1, "run-of-three", "8S").possible
    runs = [said(1, f"run-of-{n}", "AS").points for n in ("three", "four", "five", "eight")]
    assert runs == [20, 50, 100, 100]
    longer, higher = said(1, "run-of-four", "JS"), said(2, "run-of-three", "AH")
    assert highest((higher, longer), None) == longer
    first, trumps = said(1, "run-of-three", "KH"), said(2, "run-of-three", "KS")
    assert highest((first, trumps), Suit.SPADES) == trumps
    assert highest((first, trumps), Suit.CLUBS) == first
    assert highest((trumps, said(3, "four-of-a-kind", "Q?")), None).seat == 3  # type: ignore[union-attr]


def belote_hand(*, seen: bool) -> State:
    """Seat 2 holds a run to the king of hearts and takes; as it is, or as the table shows it."""
    state: State = Belote().open(Start(seats=(1, 2, 3, 4), dealer=4))
    batches = (
        ("AS KS QS", "KH QH JH", "7C 8C 9C", "AC KC QC"),
        ("JS TS", "7D 8D", "TC JC", "9S 8S"),
        ("9H 8H 7H", "9D TD", "AD KD QD", "7S TH JD"),
    )
    *deals, rest = (
        [Act.parse(f"deal {seat} {shown(cards)}") for seat, cards in enumerate(batch, 1)]
        for batch in batches
    )
    for act in (*deals[0], *deals[1]):
        state = state.play(act.observed() if seen else act)
    state = after(state, "deal board AH", "1 pass", "2 bid hearts", "2 draw board AH")
    for act in rest:
        state = state.play(act.observed() if seen else act)
    return state


def test_a_false_declaration_is_reported_when_another_plays_its_card() -> None:
    lie = Act.parse("1 declare run-of-four TH")
    assert Belote().conceals(belote_hand(seen=False), lie) == "belote.false-declaration"  # type: ignore[arg-type]
    state = after(belote_hand(seen=True), str(lie), "1 pass", "2 pass", "3 pass", "4 pass")
    assert state.violations == ()
    state = after(state, "1 play 7H", "2 play KH", "3 play 7C", "4 play TH")
    (found,) = state.violations
    assert (found.rule, found.seat) == ("belote.false-declaration", 1)
    assert state.acts[found.since - 1] == lie
    assert found.cards == (Card.parse("TH"),)


def test_what_was_declared_counts_as_held() -> None:
    """Who has declared hearts and discards on a heart is caught at once."""
    state = belote_hand(seen=True)
    state = after(state, "1 pass", "2 declare run-of-four AH", "2 pass", "3 pass", "4 pass")
    state = after(state, "1 play 9H", "2 play 7D")
    assert [(v.rule, v.since, v.found) for v in state.violations] == [
        ("tricks.follow", len(state.acts), len(state.acts))
    ]


def test_king_and_queen_of_trumps_always_score_twenty() -> None:
    for state in hands("belote", 30):
        assert isinstance(state, BeloteState)
        royal = {p.seat for p in state.points if p.reason == "belote.belote"}
        plays = [p for trick in state.tricks for p in trick if p.card.suit is state.trump]
        holders = {p.seat for p in plays if p.card.rank in ("K", "Q")}
        assert royal == (set(state.side(*holders)) if len(holders) == 1 else set())


@pytest.mark.parametrize(("rule", "winners_"), [("tie", (1, 2, 3, 4)), ("highest", (1, 3))])
def test_both_sides_over_a_thousand_tie_unless_the_house_says_otherwise(
    rule: str, winners_: tuple[int, ...]
) -> None:
    scores = ((1, 1000 - 10), (2, 1000 - 10), (3, 1000 - 10), (4, 1000 - 10))
    game = Belote(both_reach=rule, declarations="none")
    for seed in range(300):
        start = Start(seats=(1, 2, 3, 4), dealer=4, scores=scores)
        state = play_hand(game, start, random.Random(seed))[-1]
        gained = state.settlement.scores
        if len(gained) == 4 and gained[1] > gained[2]:
            break
    called: list[Any] = []
    now: State = game.open(start)
    for act in state.acts:
        now = now.play(act)
        called += [call["seats"] for call in now.calls if call.id == "belote.match"]
    assert called == [winners_]
    assert game.follow(state).scores == ()  # type: ignore[arg-type]


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


def test_who_passes_at_once_leaves_the_opening_to_the_next() -> None:
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


def test_playing_on_doubles_and_wants_all_tricks_that_are_left() -> None:
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


def test_a_kieker_with_face_cards_comes_to_light_when_one_is_played() -> None:
    """Seat 1 bids it with a hand of court cards and is outbid: all that it plays it had then."""
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


def test_a_suit_holds_25_points_captured_discarded_or_undealt() -> None:
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


def test_the_cards_go_round_for_every_number_of_players() -> None:
    """Two days of hands and a pool, from 48, 48, 50, 48 and 49 cards; six players leave seven."""
    game, left = Democracy(), {2: 0, 3: 0, 4: 0, 5: 0, 6: 7}
    for count, rest in left.items():
        start = Start(seats=tuple(range(1, count + 1)), dealer=1)
        pool = next(spot for spot in game.spots(start) if spot.role == "pool")
        assert len(game.deck(start)) - 2 * pool.capacity * (count + 1) == rest


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
def test_the_rule_sheets_combinations(cards: str, width: int, length: int) -> None:
    made = combination(parse_cards(cards))
    assert made is not None
    assert (made.width, made.length) == (width, length)


@pytest.mark.parametrize(
    "cards", ["QS KH AD", "2S 3H AD", "4S 5H", "4S 4H 5D 5C", "4S 4H 5D", "JOKER"]
)
def test_what_is_no_combination(cards: str) -> None:
    """Aces, twos and threes are in no straight, and two pairs are no run."""
    assert combination(parse_cards(cards)) is None


def test_a_straight_is_followed_by_one_of_its_length_only() -> None:
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
