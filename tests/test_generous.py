"""What a rule document leaves open is never flagged: orders, portions, numbers of players.

The other generic tests play what the turns list. Here the same hands are done as people do them:
several cards are dealt, shown, laid, taken, thrown away or passed on together or one by one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.errors import ActError
from rules.games import GAMES
from rules.start import Level
from rules.state import State
from rules.turn import FROM_DECK, Awaited
from tests.play import ACTS_MOST, Dealer, start_for, variations

HANDS = 12
"""How many hands of each game and level are played in an ordinary run."""
PORTIONED = 0.5
"""How often an act that may name fewer or more cards than usual does."""
GENEROUS = (
    "ziginette",
    "seven-and-a-half",
    "ace-deuce-jack",
    "guts",
    "pai-gow-poker",
    "paiute",
    "soko",
    "anaconda",
    "pineapple",
    "chinese-poker",
    "open-face-chinese-poker",
    "belote",
)
"""The games whose documents were read for what they leave open."""
ANY_NUMBER = {"ziginette": 22, "ace-deuce-jack": 22, "guts": 22}
"""The games that any number may play."""
IN_PORTIONS = frozenset(
    {Verb.DEAL, Verb.SHOW, Verb.TURN, Verb.LAY, Verb.TAKE, Verb.DISCARD, Verb.MOVE}
)


def portioned(one: Awaited, dealer: Dealer) -> Iterator[Act]:
    """The same acts with another number of cards: no document says that they move at once."""
    if one.verb not in IN_PORTIONS or one.from_deck:
        return
    count = dealer.dice.randint(1, max(one.pick, *(one.counts or (1,))))
    if one.verb in FROM_DECK:
        cards: list[Card] = dealer.deck[:count]
    else:
        cards = dealer.dice.sample(list(one.among or ()), min(count, len(one.among or ())))
    for spot in one.spots or (None,):
        for seat in one.seats or (None,):
            if len(cards) == count and (one.among is None or set(cards) <= set(one.among)):
                yield one.fill(cards, seat=seat, spot=spot)


def choose(state: State, dealer: Dealer) -> Act:
    """One of the acts that may come now, perhaps in another portion."""
    if dealer.dice.random() < PORTIONED:
        acts = [act for one in state.turn for act in portioned(one, dealer)]
        acts = [act for act in acts if _meant(state, act, dealer.deck)]
        if acts:
            return dealer.dice.choice(acts)
    return dealer.choose(state)


def _meant(state: State, act: Act, deck: list[Card]) -> bool:
    """Whether the cards are there, and the act breaks no rule out of sight, now or later."""
    try:
        state.verify(act)
    except ActError:
        return False
    if state.game.conceals(state, act) is not None:
        return False
    return act.verb is not Verb.LAY or any(True for _ in state.play(act).options(deck))


def generous_hand(name: str, level: Level, seed: int) -> State:
    dice = random.Random(f"{name} {level} {seed}")
    game = dice.choice(list(variations(name)))
    most = ANY_NUMBER.get(name, min(7, game.players.stop - 1))
    start = start_for(game, level, seats=dice.randint(game.players.start, most))
    dealer = Dealer(dice)
    dealer.shuffle(game, start)
    state: State = game.open(start)
    while not state.over:
        act = choose(state, dealer)
        dealer.follow(state, act)
        state = state.play(act)
        assert not state.violations, (str(act), state.violations, [str(a) for a in state.acts])
        assert len(state.acts) < ACTS_MOST
    return state


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("name", GENEROUS)
def test_nothing_that_the_document_leaves_open_is_flagged(name: str, level: Level) -> None:
    assert name in GAMES
    for seed in range(HANDS):
        generous_hand(name, level, seed)


@pytest.mark.slow
@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("name", GENEROUS)
def test_hundreds_of_hands_as_people_play_them(name: str, level: Level) -> None:
    for seed in range(500):
        generous_hand(name, level, seed)
