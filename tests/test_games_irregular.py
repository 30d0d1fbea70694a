"""Irregular acts in every game: they are refused or kept, and a hand goes on to its end."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Act, Verb
from rules.cards import BACK, Card
from rules.errors import ActError
from rules.game import AnyGame
from rules.games import GAMES
from rules.match import Hand, Match
from rules.records import parse_record, print_match
from rules.spots import DECK
from rules.start import Level
from rules.state import State
from tests.draws import NIGHTLY, examples
from tests.every_game import EVERY_GAME, MOMENTS, ONE_LEVEL, a_hand, hands, seeds, some
from tests.play import start_for, variations


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
