"""What must hold for every registered game, whatever its rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from itertools import cycle, pairwise, permutations, product
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Act, Verb
from rules.cards import BACK, Card
from rules.errors import ActError
from rules.game import AnyGame
from rules.games import GAMES, find_game
from rules.match import Hand, Match
from rules.records import parse_record, print_match
from rules.spots import DECK
from rules.start import Level
from rules.state import State
from tests.draws import NIGHTLY, examples, mostly_nightly
from tests.play import observed, play_hand, play_match, start_for, variations

T = TypeVar("T")
EVERY_GAME = pytest.mark.parametrize("name", sorted(GAMES))
EVERY_LEVEL = pytest.mark.parametrize("level", list(Level))
ONE_LEVEL = pytest.mark.parametrize(
    ("name", "level"),
    mostly_nightly(product(sorted(GAMES), Level), *zip(sorted(GAMES), cycle(Level), strict=False)),
)
"""Each game at one level in turn, and at every level in a nightly run."""
OF_MONEY = (Level.AMOUNTS, Level.WHO)
ONE_LEVEL_OF_MONEY = pytest.mark.parametrize(
    ("name", "level"),
    mostly_nightly(
        product(sorted(GAMES), OF_MONEY), *zip(sorted(GAMES), cycle(OF_MONEY), strict=False)
    ),
)
SHARED = 1
"""Number of hands of a game and level that all tests of an ordinary run share."""
seeds = st.integers(0, 2**32) if NIGHTLY else st.integers(0, SHARED - 1)
hands = examples(SHARED)
once = examples(1)
"""For tests in which one case takes as many steps as the square of its hand's length."""
MOMENTS = 400 if NIGHTLY else 8
"""How many moments of a hand are looked at if each is replayed from the start."""
UNSEEN = frozenset({Verb.CLOSE, Verb.HIT, Verb.STAND})
"""What players and the dealer say and the table does not show."""
HISTORY = ("acts", "calls")
"""The parts of a state that depend on the order of acts that commute."""


def some(items: Iterable[T], most: int = MOMENTS) -> list[T]:
    """At most `most` of `items`, evenly spread and including the first and the last."""
    kept = list(items)
    step = max(1, -(-(len(kept) - 1) // max(1, most - 1)))
    return [*kept[:-1:step], *kept[-1:]]


@lru_cache(maxsize=512)
def a_hand(name: str, seed: int, level: Level = Level.AMOUNTS) -> tuple[State, ...]:
    """A hand with house rules, seats and cards chosen by `seed`; every second has likings."""
    dice = random.Random(seed)
    game = dice.choice(list(variations(name)))
    start = start_for(game, level, seats=dice.randint(2, 7))
    return tuple(play_hand(game, start, dice, likings=bool(seed % 2)))


def settled(state: State) -> list[tuple[Any, ...]]:
    """The payments, as far as they are independent of the order of simultaneous acts."""
    return sorted((p.payer or 0, p.payee or 0, p.amount or 0, p.reason) for p in state.payments)


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


def bare(state: State) -> dict[str, Any]:
    """The state without its history."""
    told = {f.name: getattr(state, f.name) for f in fields(state) if f.compare}
    told["payments"] = settled(state)
    return {key: value for key, value in told.items() if key not in HISTORY}


TOGETHER = {
    **dict.fromkeys(("ace-deuce-jack", "ziginette"), OF_MONEY),
    **dict.fromkeys(
        (
            "anaconda", "chinese-poker", "democracy", "guts", "oklahoma-rummy",
            "open-face-chinese-poker", "pai-gow-poker", "pineapple", "seven-and-a-half", "soko",
            "three-thirteen",
        ),
        tuple(Level),
    ),
}  # fmt: skip
"""The games in which several players may act at once, with the levels at which they do."""
TRIED = 40
"""Hands among which at least one comes to such a step: about one in five does where it is rare."""


@pytest.mark.parametrize(
    ("name", "level"), [(name, level) for name, levels in TOGETHER.items() for level in levels]
)
@hands
@given(seed=seeds)
def test_simultaneous_acts_commute(name: str, level: Level, seed: int) -> None:
    dice = random.Random(seed)
    together = _together(name, level, seed)
    assert together, f"in none of {TRIED} hands several may act at once"
    for state in dice.sample(together, min(4, len(together))):
        acts = [_act_of(state, seat, dice) for seat in _several(state, dice)]
        ends = [_after(state, order) for order in permutations(acts)]
        assert len(ends) > 1
        assert all(bare(end) == bare(ends[0]) for end in ends)


@pytest.mark.parametrize("name", sorted(GAMES.keys() - TOGETHER))
def test_in_all_other_games_one_acts_after_another(name: str) -> None:
    states = [state for level in Level for state in a_hand(name, 0, level)]
    assert not any(state.turn.together and len(_seats(state)) > 1 for state in states)


def _together(name: str, level: Level, seed: int) -> list[State]:
    """The moments at which several may act at once, of the first hand that has any."""
    for number in range(seed, seed + TRIED):
        states: Sequence[State] = a_hand(name, number, level)
        if name == "open-face-chinese-poker":  # only players in fantasyland set their hands at once
            start = start_for(states[0].game, level, seats=3, notes=(("fantasyland", "1 2"),))
            states = play_hand(states[0].game, start, random.Random(number))
        if found := [one for one in states if one.turn.together and len(_seats(one)) > 1]:
            return found
    return []


def _seats(state: State) -> list[int]:
    return sorted({seat for one in state.turn.awaited for seat in one.seats})


def _several(state: State, dice: random.Random) -> list[int]:
    seats = _seats(state)
    return dice.sample(seats, min(3, len(seats)))


def _act_of(state: State, seat: int, dice: random.Random) -> Act:
    own = [one for one in state.turn.awaited if seat in one.seats]
    acts = [act for one in own for act in one.acts() if act.seat == seat and state.allows(act)]
    return dice.choice(acts)


def _after(state: State, acts: tuple[Act, ...]) -> State:
    for act in acts:
        assert state.allows(act)
        state = state.play(act)
    return state


def mutations(act: Act, state: State, dice: random.Random) -> list[Act]:
    """Acts that are almost `act`, and some that are not; each can be written as a line."""
    return [other for other in _mutations(act, state, dice) if _reads_back(other)]


def _reads_back(act: Act) -> bool:
    try:
        return Act.parse(str(act)) == act
    except ActError:
        return False


def _mutations(act: Act, state: State, dice: random.Random) -> list[Act]:
    card = dice.choice(state.game.deck(state.start).cards)
    part = Card.parse(
        dice.choice((f"{card.rank[0]}?", f"?{card.suit or 'H'}", "??", "8H", "JOKER"))
    )
    seat = dice.choice((*state.start.seats, None, 21))
    verb = dice.choice(list(Verb))
    return [
        replace(act, seat=seat),
        replace(act, cards=(card,)),
        replace(act, cards=(part,)),
        replace(act, cards=(card, card)),
        replace(act, down=not act.down),
        replace(act, numbers=(dice.choice((0, 1, 21, 10**9)),)),
        replace(act, spot=dice.choice((*state.spots, "nowhere"))),
        replace(act, verb=verb),
        Act(verb, seat, dice.choice([*state.spots]), dice.choice([*state.spots]), (card,)),
        Act(Verb.RULE, numbers=(dice.randint(0, 9),), words=(dice.choice(("stand", "correct")),)),
    ]


@ONE_LEVEL
@hands
@given(seed=seeds)
def test_irregular_acts_are_refused_or_kept_but_never_lost(
    name: str, level: Level, seed: int
) -> None:
    dice = random.Random(seed)
    for state in some(a_hand(name, seed, level)[:-1], most=MOMENTS if NIGHTLY else 3 * MOMENTS):
        honest = next(iter(state.options(state.game.deck(state.start).cards)), None)
        for act in mutations(honest or Act(Verb.CLEAR), state, dice):
            _do_anyway(state, act)


def _means_something(state: State, act: Act) -> bool:
    try:
        state.verify(act)
    except ActError:
        return False
    return True


def _do_anyway(state: State, act: Act) -> None:
    if not _means_something(state, act):
        with pytest.raises(ActError, match=r"^[^\n]+$"):
            state.play(act)
        return
    legal, after = state.allows(act), state.play(act)
    assert after.acts == (*state.acts, act)
    assert after.over or after.turn.awaited
    assert sum(after.settlement.net.values()) == 0
    news = len(after.violations) - len(state.violations)
    assert legal or news > 0 or act.verb is Verb.RULE
    moved = {move.card for move in state.trace(act) if move.target != DECK}
    assert moved <= {laid.card for _, laid in after.table} | {BACK}


@EVERY_GAME
def test_face_up_and_face_down_cards_make_different_acts(name: str) -> None:
    game = GAMES[name]()
    state = game.open(start_for(game, Level.NONE))
    cards = Card.parse("??"), *game.deck(state.start).cards[:1]
    with pytest.raises(ActError, match="all face up or all face down"):
        state.play(Act(Verb.PUT, spot=next(iter(state.spots)), cards=cards))


@ONE_LEVEL
@examples(2)
@given(seed=st.integers(0, 2**32))
def test_a_wild_table_is_followed_to_the_end(name: str, level: Level, seed: int) -> None:
    """A third of the acts make no sense: everything possible is kept and can be read again."""
    dice = random.Random(seed)
    game: AnyGame = dice.choice(list(variations(name)))
    state: State = game.open(start_for(game, level))
    for _ in range(60):
        out = {laid.card for _, laid in state.table}
        deck = [card for card in game.deck(state.start) if card not in out]
        dice.shuffle(deck)
        options = list(state.options(deck)) or [Act(Verb.CLEAR)]
        act = dice.choice(options)
        if dice.random() < 1 / 3:
            act = dice.choice(mutations(act, state, dice))
        try:
            state = state.play(act)
        except ActError:
            continue
        if state.over:
            break
        assert state.turn.awaited
    hand = Hand(game, state.start, list(state.acts))
    assert hand.state == state
    text = print_match(Match.of([hand]))
    assert parse_record(text).match.hands[0].state == state
