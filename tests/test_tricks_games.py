"""Tribello, Rams and Belote: the rule sheets' own examples, and what holds in any match."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.acts import Act
from rules.cards import SUITS, Card, Deck, Suit, parse_cards
from rules.games.belote import Belote, BeloteState
from rules.games.rams import Rams, RamsState
from rules.games.tribello import Tribello
from rules.match import Match
from rules.settlement import POT
from rules.start import Start
from rules.state import State
from rules.tricks.contracts import Count, Taken
from rules.tricks.declarations import Declaration, highest
from tests.play import play_hand, play_match, start_for
from tests.scripted import after, hands, shown, tricks

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


def test_with_a_pot_of_five_nobody_may_sit_out() -> None:
    """ "A player may only pass if the pot contains more than five counters." """
    for pot, may in ((0, False), (5, True)):
        state = after(Rams().open(Start(seats=(1, 2, 3), dealer=1, pot=pot)), "1 ante", *RAMS)
        assert state.allows(Act.parse("2 pass")) is may


def test_the_player_at_the_right_pays_a_dealer_whom_nobody_opposed() -> None:
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


def test_after_rams_a_pass_leaves_the_widow_and_nothing_more() -> None:
    """ "all players are obliged to play": a player who passes then only claims no widow."""
    state = after(Rams().open(Start(seats=(1, 2, 3), dealer=1, pot=10)), "1 ante", *RAMS)
    state = after(state, "2 bid rams", "3 pass", "1 pass")
    assert state.violations == ()
    assert state.phase == "playing"
    assert isinstance(state, RamsState)
    assert state.staying == (2, 3, 1)


def test_after_rams_bidding_ceases_and_a_card_may_be_led_at_once() -> None:
    """ "Bidding immediately ceases when a Rams bid is made" """
    state = after(Rams().open(Start(seats=(1, 2, 3), dealer=1, pot=10)), "1 ante", *RAMS)
    state = after(state, "2 bid rams", "2 play AS", "3 play 7H", "1 play 7D")
    assert state.violations == ()
    always = Rams(turn_up="always").open(Start(seats=(1, 2, 3), dealer=1, pot=10))
    led = after(always, "1 ante", *RAMS, "2 bid rams", "2 play AS")
    assert (led.phase, led.turn.seats) == ("playing", (3,)), "no card is exchanged in a trick"


def test_the_dealer_may_take_the_turn_up_first_and_then_discard() -> None:
    """ "entitled to discard any card and put the face-up trump card into their hand" """
    state = after(Rams().open(Start(seats=(1, 2, 3), dealer=1, pot=10)), "1 ante", *RAMS)
    state = after(state, "2 bid play", "3 pass", "1 bid play", "1 draw board 9S")
    assert state.phase == "turn-up"
    taken = after(state, "1 discard (7D)")
    assert taken.violations == ()
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
        assert state.taker is not None
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
    """A taker's side needs more; a loser keeps only belote; a capot scores 252, so 250."""
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
    """A player who has declared hearts and discards on a heart is caught at once."""
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


def test_a_combination_that_is_shown_is_known_to_be_held() -> None:
    """Seat 2 shows three hearts, and then does not follow a heart."""
    state = belote_hand(seen=True)
    state = after(state, "1 pass", "2 declare run-of-three KH", "2 pass", "3 pass", "4 pass")
    shown_at_once = after(state, "1 play 9H", "2 show KH QH JH")
    assert shown_at_once.violations == ()
    assert set(shown_at_once.public().table.view("2")) >= set(parse_cards("KH QH JH AH"))
    later = after(shown_at_once, "2 play 8D")
    assert [(v.rule, v.seat, v.cards[0]) for v in later.violations] == [
        ("tricks.follow", 2, Card.parse("8D"))
    ]


@pytest.mark.parametrize("cards", ["AH KH QH", "KH AH QH", "QH KH AH"])
def test_a_run_with_the_card_that_was_turned_up_can_be_shown(cards: str) -> None:
    state = belote_hand(seen=True)
    state = after(state, "1 pass", "2 declare run-of-three AH", "2 pass", "3 pass", "4 pass")
    state = after(state, f"2 show {cards}", "1 play 9H", "2 play JH")
    assert state.violations == ()
    view = state.public().table.view("2")
    assert len(view) == 7
    assert sorted(map(str, (card for card in view if not card.hidden))) == ["AH", "KH", "QH"]


def belote_to_bid(*lines: str) -> State:
    state: State = Belote().open(Start(seats=(1, 2, 3, 4), dealer=4))
    deals = [f"deal {seat} {backs}" for backs in ("?? ?? ??", "?? ??") for seat in (1, 2, 3, 4)]
    return after(state, *deals, "deal board AH", *lines)


def test_trump_and_taker_are_called() -> None:
    (call,) = belote_to_bid("1 pass", "2 bid hearts").calls
    assert (call.id, call["seat"], call["suit"]) == ("belote.taker", 2, "hearts")


def test_a_pass_said_twice_is_one_slip_and_changes_nothing() -> None:
    state = belote_to_bid("1 pass", "1 pass")
    assert [(v.rule, v.seat) for v in state.violations] == [("out-of-turn", 1)]
    state = after(state, "2 pass", "3 pass", "4 pass", "1 pass", "2 bid spades")
    assert len(state.violations) == 1
    assert isinstance(state, BeloteState)
    assert state.taker == 2


@pytest.mark.parametrize(
    ("lines", "rule"),
    [
        (("1 bid spades",), "belote.first-suit"),
        (("1 pass", "2 pass", "3 pass", "4 pass", "1 bid hearts"), "belote.second-suit"),
        (("2 bid hearts",), "out-of-turn"),
    ],
)
def test_an_impossible_bid_has_its_own_name(lines: tuple[str, ...], rule: str) -> None:
    assert [v.rule for v in belote_to_bid(*lines).violations] == [rule]


def called(states: list[State], identifier: str) -> list[Any]:
    return [call for state in states for call in state.calls if call.id == identifier]


def test_belote_and_rebelote_are_called_when_both_are_played() -> None:
    for seed in range(20):
        states = play_hand(Belote(), Start(seats=(1, 2, 3, 4), dealer=4), random.Random(seed))
        scored = {p.seat for p in states[-1].points if p.reason == "belote.belote"}
        said = called(states, "belote.rebelote")
        assert len(said) == bool(scored)
        assert all(call["seat"] in scored for call in said)


def test_the_score_is_called_with_what_is_still_needed() -> None:
    scores = ((1, 400), (2, 0), (3, 400), (4, 0))
    start = Start(seats=(1, 2, 3, 4), dealer=4, scores=scores)
    for seed in range(10):
        states = play_hand(Belote(), start, random.Random(seed))
        gained = states[-1].settlement.scores
        if gained:
            break
    said = {
        call["seats"]: (call["points"], call["wanted"]) for call in called(states, "sheet.standing")
    }
    for side, before in (((1, 3), 400), ((2, 4), 0)):
        points = before + gained.get(side[0], 0)
        assert said[side] == (points, 1000 - points)
