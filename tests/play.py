"""Play any game at random: an honest table that knows every card, and a camera's view of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.acts import Act, Verb
from rules.cards import Card
from rules.errors import StartError
from rules.game import AnyGame
from rules.games import GAMES
from rules.match import Hand, Match
from rules.secret import OPEN_SEALS, sealing
from rules.spots import DECK
from rules.start import Level, Start
from rules.state import State

RARE = {Verb.END: 0.1, Verb.PASS: 0.3}
"""Probability of choosing an act that cuts a hand short when it is offered; others are always
candidates."""
TOGETHER = 6
"""Number of games tried with several house rules changed at once."""
SEALED = 0.8
"""How often a secret rule that everybody knows is sealed; otherwise the dealer judges by hand."""
LIKINGS = (0.02, 0.2, 1, 1, 5, 40)
"""How much a table with likings likes a kind of act, drawn once for each kind and hand."""
LIKED_MOST = 300
"""Acts after which such a table chooses like any other, so that its hand ends."""
ACTS_MOST = 800
"""Maximum length of a hand; one that is longer does not end."""


def start_for(game: AnyGame, level: Level = Level.AMOUNTS, seats: int = 4, **more: Any) -> Start:
    """A start that every game accepts: the first seat has the bank or the deal."""
    taken = tuple(range(1, max(game.players.start, min(seats, game.players.stop - 1)) + 1))
    limits = (1, 20) if level is Level.AMOUNTS else None
    who = {"banker": 1} if game.banked else {"dealer": 1}
    return Start(seats=taken, level=level, **{"limits": limits, **who, **more})


CHIP_GAMES = tuple(
    name for name, game in GAMES.items() if (rules := game()).betting_places(start_for(rules))
)
"""The games played for chips on the table: their rules say where the chips go."""


def variations(name: str, **preset: Any) -> Iterator[AnyGame]:
    """The game as it is, then with each house rule changed, and then with several of them changed.

    A variant is given by the house rules that it has `preset`.
    """
    kind = GAMES[name]
    rules = kind(**preset).house_rules()
    yield kind(**preset)
    for rule in rules:
        for value in _others(rule.value, rule.choices):
            yield from _valid(kind, {**preset, rule.name: value})
    dice = random.Random(name)
    for _ in range(TOGETHER if len(rules) > 1 else 0):
        chosen = {rule.name: dice.choice(_others(rule.value, rule.choices)) for rule in rules}
        some = {name: value for name, value in chosen.items() if dice.random() < 0.6}
        yield from _valid(kind, {**preset, **some})


def _others(value: Any, choices: Sequence[Any]) -> list[Any]:
    """Other values of a house rule: if there are many, both ends and one in between."""
    if isinstance(value, bool):
        return [not value]
    few = choices if len(choices) <= 4 else (choices[0], choices[len(choices) // 3], choices[-1])
    return [choice for choice in few if choice != value] or [value]


def _valid(kind: type[AnyGame], chosen: dict[str, Any]) -> Iterator[AnyGame]:
    try:
        yield kind(**chosen)
    except StartError:  # house rules that exclude each other
        return


@dataclass
class Dealer:
    """An honest table: a shuffled deck, and a random choice among the acts allowed."""

    dice: random.Random
    deck: list[Card] = field(default_factory=list)
    likings: dict[tuple[Verb, tuple[str, ...]], float] | None = None
    """How much each kind of act is liked; None if all kinds are liked alike.

    Chosen evenly, some never come: nobody ever bids low enough to make a contract of Fipsen, or
    takes the pile in Mille until the stock is out.
    """

    def shuffle(self, game: AnyGame, start: Start) -> None:
        """Shuffle all cards except those still out since an earlier hand."""
        cards = list(game.deck(start))
        for sighted in start.shoe:
            cards.remove(sighted.card)
        self.dice.shuffle(cards)
        self.deck = cards

    def choose(self, state: State) -> Act:
        """One of the acts that may come next."""
        secrecy = state.game.secrecy(state)
        if secrecy and secrecy.wanted and not state.acts and self.dice.random() < SEALED:
            return sealing(self.dice.choice(sorted(OPEN_SEALS)))
        options = list(state.options(self.deck))
        assert options, f"nothing to do in {state.phase}: {state.turn}"
        if self.likings is not None and len(state.acts) < LIKED_MOST:
            return self._liked(options)
        likely = [act for act in options if self.dice.random() < RARE.get(act.verb, 1)]
        verb = self.dice.choice(sorted({act.verb for act in likely or options}))
        return self.dice.choice([act for act in likely or options if act.verb == verb])

    def _liked(self, options: Sequence[Act]) -> Act:
        """One of the options, of a kind chosen by how much it is liked in this hand."""
        assert self.likings is not None
        kinds: dict[tuple[Verb, tuple[str, ...]], list[Act]] = {}
        for act in options:
            kinds.setdefault((act.verb, act.words[:1]), []).append(act)
        for kind in kinds:
            self.likings.setdefault(kind, self.dice.choice(LIKINGS))
        (kind,) = self.dice.choices([*kinds], [self.likings[kind] for kind in kinds])
        return self.dice.choice(kinds[kind])

    def follow(self, state: State, act: Act) -> None:
        """Update the deck after `act`, done in `state`."""
        moves = state.trace(act)
        for move in moves:
            if move.source == DECK:
                self.deck.remove(move.card)
        back = [move.card for move in moves if move.target == DECK]
        if back:
            self.deck += back
            self.dice.shuffle(self.deck)


def play_hand(
    game: AnyGame,
    start: Start,
    dice: random.Random,
    front: Sequence[Card] = (),
    *,
    likings: bool = False,
) -> list[State]:
    """Every state of one honest hand, including the first and the last; `front` is dealt first.

    With `likings`, each kind of act is likely in some hands and rare in others.
    """
    dealer = Dealer(dice, likings={} if likings else None)
    dealer.shuffle(game, start)
    for card in front:
        dealer.deck.remove(card)
    dealer.deck[:0] = front
    state: State = game.open(start)
    states = [state]
    while not state.over:
        act = dealer.choose(state)
        dealer.follow(state, act)
        state = state.play(act)
        states.append(state)
        assert len(states) < ACTS_MOST
    return states


def play_match(game: AnyGame, start: Start, dice: random.Random, hands: int) -> Match:
    """A match of several honest hands."""
    match = Match(game, start)
    for _ in range(hands):
        dealer, hand = Dealer(dice), match.hand
        dealer.shuffle(game, hand.start)
        while not hand.state.over:
            act = dealer.choose(hand.state)
            dealer.follow(hand.state, act)
            match.play(act)
            assert len(hand.acts) < ACTS_MOST
    return match


def observed(hand: Hand) -> Hand:
    """The same hand as the table showed it: hidden cards are backs until they are revealed."""
    return Hand(hand.game, hand.start, [act.observed() for act in hand.acts])
