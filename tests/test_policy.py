"""What the people of a simulated table do: every verb of every game, within some hundred hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import cycle

import numpy as np
import pytest

from firmware.rehearsal.policy import Policy
from rules.acts import Verb
from rules.cards import Card
from rules.errors import RulesError
from rules.game import AnyGame
from rules.games import GAMES
from rules.match import Match
from rules.spots import DECK
from rules.start import Level, Start
from tests.draws import mostly_nightly
from tests.play import start_for, variations

TABLES_MOST, HANDS = 80, 4
"""Some hundred hands of a game, after which a missing verb cannot be put down to chance."""
CAREFUL = 0.4
"""Careful players draw more hands to the end of the stock, so that fewer hands are needed."""
UNAWAITED = {
    ("anaconda", Verb.SHOW): "the five cards rolled are turned one by one, which is another verb",
    ("ziginette", Verb.DECLARE): "names which of two cards came first, where both came at once",
    ("chinese-poker", Verb.UNIT): "said between hands, by a pair that agrees on other chips",
    ("open-face-chinese-poker", Verb.UNIT): "said between hands, as in Chinese Poker",
    ("panguingue", Verb.PAY): "keyed only by who wants a payment checked: it names seat and amount",
}
"""Verbs that have a meaning in a game, but that its turn never asks a person for."""
ACTS_MOST = 1500
"""No hand played by people is longer."""


def _tables(name: str) -> Iterator[tuple[AnyGame, Start]]:
    """The game as people set it up: mostly as it is, and with other seats, bets and house rules."""
    kind = GAMES[name]
    games = cycle(variations(name))
    for number in range(TABLES_MOST):
        game = kind() if number % 2 else next(games)
        seats = (4, 3, kind.players.stop - 1, 2)[number % 4]
        level = Level.NONE if number % 8 == 2 else Level.AMOUNTS
        more = {"limits": None} if number % 8 == 3 else {}
        try:
            start = start_for(game, level, seats, **more)
            game.open(start)
        except RulesError:  # a house rule that needs other seats, or a game that needs limits
            continue
        yield game, start


def _verbs(game: AnyGame, start: Start, seed: int, hands: int = HANDS) -> Iterator[Verb]:
    """The verbs used in consecutive hands by the people of a simulated table."""
    rng = np.random.default_rng((seed, 1))
    policy = Policy(np.random.default_rng((seed, 2)), careful=CAREFUL)
    match = Match(game, start)
    hand, deck, acts = match.hand, _shuffled(match, rng), 0
    while match.state.start.hand < start.hand + hands:
        act = policy.choose(match.state, deck)
        assert acts < ACTS_MOST, f"{game.name}, seed {seed}: no end after {acts} acts"
        if act is None:
            return
        acts += 1
        del deck[: sum(move.source == DECK for move in match.state.trace(act))]
        match.play(act)
        yield act.verb
        if match.hand is not hand or act.verb is Verb.SHUFFLE:
            acts = acts if match.hand is hand else 0
            hand, deck = match.hand, _shuffled(match, rng)


def _shuffled(match: Match, rng: np.random.Generator) -> list[Card]:
    cards = Counter(match.state.game.deck(match.state.start))
    cards -= Counter(laid.card for _, laid in match.state.table)
    cards -= Counter(sighted.card for sighted in match.state.start.shoe)
    left = sorted(cards.elements(), key=str)
    return [left[place] for place in rng.permutation(len(left))]


QUICK = [name for name in [*GAMES][::3] if name not in ("pif-paf", "chinese-poker")]
"""Games that use all their verbs within a few hands; a choice, to save time."""


@pytest.mark.parametrize("name", mostly_nightly(GAMES, *QUICK))
def test_people_use_every_verb_of_the_game(name: str) -> None:
    missing = {verb for verb in GAMES[name].vocabulary if (name, verb) not in UNAWAITED}
    for seed, (game, start) in enumerate(_tables(name)):
        for verb in _verbs(game, start, seed):
            missing.discard(verb)
            if not missing:
                return
    assert not missing, f"never done in {TABLES_MOST * HANDS} hands: {sorted(missing)}"


@pytest.mark.parametrize("name", ["pineapple", "soko", "guts"])
def test_players_fold_and_stay_as_people_do(name: str) -> None:
    """In at least a tenth of the hands somebody gives up, and in as many cards are shown."""
    game = GAMES[name]()
    hands = [set(_verbs(game, start_for(game), seed, hands=1)) for seed in range(20)]
    assert sum(Verb.FOLD in verbs for verbs in hands) >= 2
    assert sum(Verb.SHOW in verbs for verbs in hands) >= 2
