"""What must hold for every registered game, whatever its rules."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given

from rules.acts import Act, Verb
from rules.cards import BACK
from rules.game import AnyGame
from rules.games import GAMES, find_game
from rules.match import Hand, Match
from rules.records import parse_record, print_match
from rules.start import Level
from rules.state import State
from tests.draws import NIGHTLY
from tests.every_game import (
    EVERY_GAME,
    EVERY_LEVEL,
    MOMENTS,
    ONE_LEVEL,
    ONE_LEVEL_OF_MONEY,
    a_hand,
    hands,
    once,
    seeds,
    settled,
    some,
)
from tests.play import observed, play_hand, play_match, start_for, variations

UNSEEN = frozenset({Verb.CLOSE, Verb.HIT, Verb.STAND})
"""What players and the dealer say and the table does not show."""


@EVERY_GAME
@EVERY_LEVEL
@hands
@given(seed=seeds)
def test_honest_hands_end_without_a_violation(name: str, level: Level, seed: int) -> None:
    last = a_hand(name, seed, level)[-1]
    assert last.over
    assert last.violations == ()


@EVERY_GAME
@EVERY_LEVEL
@hands
@given(seed=seeds)
def test_a_hand_is_cleared_only_once_it_is_decided(name: str, level: Level, seed: int) -> None:
    *_, before, _ = a_hand(name, seed, level)
    assert before.phase in ("paying", "paid", "scored")


@EVERY_GAME
@EVERY_LEVEL
@hands
@given(seed=seeds)
def test_cards_and_chips_are_conserved(name: str, level: Level, seed: int) -> None:
    for state in a_hand(name, seed, level):
        deck = Counter(state.game.deck(state.start))
        out = Counter(laid.card for _, laid in state.table)
        assert out <= deck
        assert state.remaining == deck.total() - out.total()
        assert sum(state.settlement.net.values()) == 0


@ONE_LEVEL_OF_MONEY
def test_a_match_s_chips_are_conserved(name: str, level: Level) -> None:
    for seed, game in enumerate(some(variations(name), most=400 if NIGHTLY else 2)):
        start = start_for(game, level, stacks=tuple((seat, 60) for seat in (1, 2, 3, 4)))
        match = play_match(game, start, random.Random(seed), 3 if NIGHTLY else 2)
        house = sum(settlement.net.get(0, 0) for settlement in match.settlements)
        assert sum(chips for _, chips in match.hand.start.stacks) + house == 240
        assert all(chips >= 0 for seat, chips in match.hand.start.stacks if seat != 1) or any(
            hand.start.banker != 1 for hand in match.hands
        )


@ONE_LEVEL
@hands
@given(seed=seeds)
def test_the_table_record_of_an_honest_hand_settles_the_same(
    name: str, level: Level, seed: int
) -> None:
    world = a_hand(name, seed, level)[-1]
    seen = observed(Hand(world.game, world.start, list(world.acts))).state
    assert seen.over
    assert seen.violations == ()
    assert settled(seen) == settled(world)
    assert world.game.follow(seen) == world.game.follow(world)


@EVERY_GAME
@hands
@given(seed=seeds)
def test_the_turn_is_the_same_for_somebody_who_sees_only_the_table(name: str, seed: int) -> None:
    for state in a_hand(name, seed):
        seen = state.public()
        assert seen.phase == state.phase
        assert [(one.verb, one.seats, one.spots, one.pick) for one in seen.turn] == [
            (one.verb, one.seats, one.spots, one.pick) for one in state.turn
        ]


@EVERY_GAME
@hands
@given(seed=seeds)
def test_public_shows_no_card_that_lies_face_down(name: str, seed: int) -> None:
    for state in a_hand(name, seed):
        public = state.public()
        told = repr(public) + repr(public.turn) + repr(public.open_violations)
        down = {laid.card for _, laid in state.table if not laid.up}
        up = {laid.card for _, laid in state.table if laid.up}
        told_before = {card for act in state.acts if not act.down for card in act.cards}
        assert all(laid.card == BACK for _, laid in public.table if not laid.up)
        for card in down - up - told_before:
            assert f"Act.parse('deal' {card!r}" not in told
            assert all(card not in act.cards for act in public.acts if act.verb != Verb.SHOW)


@ONE_LEVEL
@hands
@given(seed=seeds)
def test_every_moment_before_the_end_waits_for_something_that_can_be_said(
    name: str, level: Level, seed: int
) -> None:
    *states, last = a_hand(name, seed, level)
    for state in states:
        assert state.turn.awaited
        for one in state.turn:
            assert one.says.id.startswith(("turn.", state.game.name.split("-")[0]))
            assert set(one.spots) <= set(state.spots)
            assert set(one.seats) <= set(state.start.seats)
    assert not last.turn.awaited


@EVERY_GAME
@once
@given(seed=seeds)
def test_undo_gives_every_state_back(name: str, seed: int) -> None:
    states = a_hand(name, seed)
    match = Match(states[0].game, states[0].start)
    for act in states[-1].acts:
        match.play(act)
    for state in reversed(states[-1 - MOMENTS : -1]):
        match.undo()
        assert match.state == state


@EVERY_GAME
def test_undo_gives_a_state_back_at_any_moment(name: str) -> None:
    states = a_hand(name, 1)
    for before, after in some(pairwise(states)):
        match = Match(before.game, before.start)
        for act in after.acts:
            match.play(act)
        match.undo()
        assert match.state == before


def two_short_hands(game: AnyGame, dice: random.Random) -> Match:
    """Two hands that each end in a misdeal after some acts; the third has not begun."""
    match = Match(game, start_for(game))
    for most in (MOMENTS, MOMENTS // 2):
        for act in play_hand(game, match.hand.start, dice)[-1].acts[:most]:
            match.play(act)
        for line in ("misdeal", "clear"):
            if match.hand.acts:
                match.play(Act.parse(line))
    return match


@EVERY_GAME
def test_undo_reaches_back_over_the_start_of_a_hand(name: str) -> None:
    game = find_game(name)
    match = two_short_hands(game, random.Random(name))
    room = len(match.hand.start.seats) + 1 in game.players
    act = Act.parse("join 9" if room else "chips 1 9")
    untouched = match.hand.start
    match.play(act)
    before = [hand.state for hand in match.hands[:-1]]
    assert match.hand.start != untouched
    assert match.undo() == act
    assert match.hand.start == untouched
    while len(match.hands) > 1 or match.hand.acts:
        match.undo()
        if match.state.over:
            before.remove(match.state)
    assert match.state == game.open(start_for(game))


@ONE_LEVEL
@once
@given(seed=seeds)
def test_printing_and_parsing_are_inverse(name: str, level: Level, seed: int) -> None:
    dice = random.Random(seed)
    game = dice.choice(list(variations(name)))
    match = play_match(game, start_for(game, level), dice, 2)
    text = print_match(match)
    again = parse_record(text)
    assert again.record() == text
    assert [hand.state for hand in again.match.hands] == [hand.state for hand in match.hands]


@EVERY_GAME
def test_the_record_of_every_beginning_replays(name: str) -> None:
    for state in some(a_hand(name, 0)):
        hand = Hand(state.game, state.start, list(state.acts))
        text = print_match(Match.of([hand]))
        assert parse_record(text).match.hands[0].state == state


@EVERY_GAME
def test_a_hand_replays_alone_from_its_header(name: str) -> None:
    game = find_game(name)
    match = play_match(game, start_for(game), random.Random(3), 12 if NIGHTLY else 2)
    for hand in match.hands[:-1]:
        alone = parse_record(print_match(Match.of([hand]))).match.hands[0]
        assert alone.state == hand.state


@ONE_LEVEL
def test_every_act_that_is_awaited_can_be_written_as_a_line(name: str, level: Level) -> None:
    for state in a_hand(name, 2, level):
        for act in state.options(state.game.deck(state.start).cards[:9]):
            assert Act.parse(str(act)) == act


def runs(state: State, card: Act, longest: int) -> list[tuple[Act, ...]]:
    """The shortest runs of spoken acts that make `card` legal; several if they differ."""
    waiting: list[tuple[State, tuple[Act, ...]]] = [(state, ())]
    for _ in range(longest):
        if found := [said for reached, said in waiting if reached.allows(card)]:
            return found
        waiting = [
            (reached.play(act), (*said, act))
            for reached, said in waiting
            for one in reached.turn
            if one.spoken
            for act in one.acts()
            if reached.allows(act)
        ]
    return []


@pytest.mark.parametrize("name", [name for name in sorted(GAMES) if GAMES[name].banked])
@hands
@given(seed=seeds)
def test_a_hand_against_the_bank_needs_no_words_except_the_bets(name: str, seed: int) -> None:
    """Everything said follows from the cards after it, and in only one way."""
    last = a_hand(name, seed)[-1]
    state: State = last.game.open(last.start)
    for act in last.acts:
        if act.verb in UNSEEN and not state.trace(act):
            continue
        (said,) = runs(state, act, longest=2 * len(last.start.seats) + 2)
        for one in said:
            state = state.play(one)
        state = state.play(act)
    assert state.settlement == last.settlement
