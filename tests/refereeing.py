"""Hands of a game followed by a referee, who knows the rule document and nothing of the engine.

A referee is a small program written from the document alone. Random hands are dealt; before every
act the referee is asked about a number of other acts, most of which may not come now (another seat,
another amount, another card, a word of another phase), and the engine must flag the same ones. At
the end of each hand both must have settled it alike and begin the next one alike. Beside it the
same hand is followed at a level that knows less of the bets.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Protocol, TypeVar

import pytest

from rules.acts import Act, Verb
from rules.cards import Card
from rules.errors import ActError
from rules.game import AnyGame
from rules.match import Match
from rules.start import Start
from rules.state import State
from rules.turn import FROM_DECK
from tests.draws import NIGHTLY
from tests.play import ACTS_MOST, Dealer
from tests.refereed_levels import Shadow, shadow

PROBES = 6
"""Acts that the referee is asked about before each act of a hand; a choice."""
LET_STAND = 0.15
"""How often an irregular act is let stand where the referee knows what follows from it."""
NO_SENSE = "no sense"
REMEMBERED = 400
"""Acts once offered at this table that are tried again at another time."""


FIRST_NIGHTLY = 1000 * date.today().toordinal() if NIGHTLY else 1000
"""The first seed of the long run; every night has others, which its failures name."""


def seeded(ordinary: int, nightly: int) -> list[Any]:
    """The seeds of the ordinary run, and those of the nightly one, as a test's parameters."""
    fresh = range(FIRST_NIGHTLY, FIRST_NIGHTLY + nightly)
    return [range(ordinary), pytest.param(fresh, marks=pytest.mark.slow)]


R = TypeVar("R", bound="Referee")


class Referee(Protocol):
    """Who follows one hand by the document."""

    def allows(self, act: Act) -> bool | None:
        """Whether `act` may come now; None if the document does not say."""

    def stands(self, act: Act) -> bool:
        """Whether it is clear what follows from an act that is not allowed, if it is done."""

    def see(self, act: Act) -> None:
        """Take note of an act that was done."""

    def result(self) -> Mapping[int, int]:
        """What each seat has won or lost, in chips or points; the pot or the house is seat 0."""

    def following(self) -> Mapping[str, Any]:
        """What the next hand's start must hold, by the name of the field."""


@dataclass
class Deal:
    """A deal of so many cards to each spot, in any portions, and then one card turned up."""

    missing: Counter[str]
    upcard: str = ""

    @property
    def done(self) -> bool:
        return not +self.missing and not self.upcard

    def allows(self, act: Act) -> bool:
        if act.verb is not Verb.DEAL or act.spot is None:
            return False
        if not +self.missing:
            return act.spot == self.upcard and not act.down and len(act.cards) == 1
        return act.down and 1 <= len(act.cards) <= self.missing[act.spot]

    def see(self, act: Act) -> None:
        assert act.spot is not None
        if +self.missing:
            self.missing[act.spot] -= len(act.cards)
        else:
            self.upcard = ""


@dataclass
class Portions:
    """A deal in portions that the document fixes: so many cards to one place, then to the next."""

    due: list[tuple[str, int, bool]]
    """Place, number of cards, and whether they go face down."""

    def allows(self, act: Act) -> bool | None:
        """Whether these are the next cards; None for another player's, as no order is stated."""
        spot, count, down = self.due[0]
        if act.verb is not Verb.DEAL or act.down is not down:
            return False
        if act.spot != spot:
            return None if down and str(act.spot).isdecimal() else False
        return 1 <= len(act.cards) <= count

    def see(self, act: Act) -> None:
        spot, count, down = self.due[0]
        left = count - len(act.cards)
        self.due[:1] = [(spot, left, down)] if left else []


class DisagreementError(AssertionError):
    """The referee and the engine differ."""

    def __init__(self, what: str, state: State) -> None:
        acts = "\n".join(f"  {number} {act}" for number, act in enumerate(state.acts, 1))
        rules = ", ".join(f"{rule.name} {rule.text}" for rule in state.game.house_rules())
        super().__init__(f"{what}\n{state.game.name} ({rules})\n{state.start}\n{acts}")


Temper = Callable[[Act, State], bool]
"""What the players at a table are inclined to do."""
INCLINED = 0.9


@dataclass
class Inclined(Dealer):
    """A table whose players mostly do what they are inclined to, so that rare things happen."""

    temper: Temper | None = None
    front: Callable[[random.Random, Start], Sequence[Card]] | None = None
    """What is dealt first, if a table is to see rare hands."""

    def shuffle(self, game: AnyGame, start: Start) -> None:
        """Shuffle, and put the cards to be dealt first on top."""
        super().shuffle(game, start)
        first = list(self.front(self.dice, start)) if self.front else []
        for card in first:
            self.deck.remove(card)
        self.deck[:0] = first

    def choose(self, state: State) -> Act:
        """One of the acts that may come next, by temper if any is to it."""
        if self.temper is None or self.dice.random() > INCLINED:
            return super().choose(state)
        options = list(state.options(self.deck))
        likely = [act for act in options if self.temper(act, state)]
        return self.dice.choice(likely) if likely else super().choose(state)


def flagged(state: State, act: Act) -> str | None:
    """The rule that `act` breaks in `state` by what is known, or None; no sense is a fault too."""
    try:
        after = state.play(act)
    except ActError as error:
        return f"{NO_SENSE}: {error}"
    number = len(after.acts)
    found = [one.rule for one in after.violations if one.since == number]
    return found[0] if found else state.game.conceals(state, act)


def refereed(match: Match, referee: Referee, dealer: Dealer, known: deque[Act]) -> State:
    """Play one hand of `match` to its end; raises `DisagreementError`."""
    hand, dice = match.hand, dealer.dice
    wrong: dict[int, str] = {}
    dealer.shuffle(hand.game, hand.start)
    beside = shadow(hand.game, hand.start)
    while not hand.state.over:
        state = hand.state
        options = list(state.options(dealer.deck))
        known += dice.sample(options, min(len(options), 8))
        slips = [
            act
            for act in _tried(options, known, dealer, state)
            if _compare(referee, state, act) and referee.stands(act)
        ]
        if slips and dice.random() < LET_STAND:
            act = slips[0]
            wrong[len(state.acts) + 1] = flagged(state, act) or ""
        else:
            act = dealer.choose(state)
            _compare(referee, state, act)
        dealer.follow(state, act)
        referee.see(act)
        match.play(act)
        if beside is not None:
            _alike(beside, beside.follow(act, hand.state))
        if len(hand.state.acts) >= ACTS_MOST:
            raise DisagreementError("the hand does not end", state)
    last = hand.state
    _accused(wrong, last, hidden=any(state.table.at(str(seat)) for seat in last.start.seats))
    if not last.void:
        _settled(referee, last, match)
    if beside is not None:
        _alike(beside, beside.ends(last))
    return last


def _alike(beside: Shadow, differs: str | None) -> None:
    if differs is not None:
        raise DisagreementError(f"at level {beside.level}: {differs}", beside.state)


def _accused(wrong: Mapping[int, str], last: State, *, hidden: bool) -> None:
    """Every fault is flagged, unless it is `hidden` in a hand that nobody has seen, and no other.

    A card played against a duty is found when another card of the same player proves it.
    """
    found = {one.since for one in last.violations}
    missed = [number for number in wrong if number not in found]
    secret = [number for number in missed if wrong[number].startswith("tricks.")]
    if not found <= wrong.keys() or (missed != secret if hidden else missed):
        raise DisagreementError(f"wrong: {wrong}, flagged: {last.violations}", last)


def _compare(referee: Referee, state: State, act: Act) -> bool:
    """Whether both call `act` a fault that can be committed."""
    verdict = referee.allows(act)
    if verdict is None:
        return False
    fault = flagged(state, act)
    if verdict is not (fault is None):
        said = "allows" if verdict else "forbids"
        raise DisagreementError(f"the document {said} '{act}', the engine says {fault}", state)
    return not verdict and not (fault or "").startswith(NO_SENSE)


def _settled(referee: Referee, last: State, match: Match) -> None:
    due = {seat: sum_ for seat, sum_ in referee.result().items() if sum_}
    paid = {seat: sum_ for seat, sum_ in last.settlement.sums.items() if sum_}
    if due != paid:
        raise DisagreementError(f"the document settles {due}, the engine {paid}", last)
    for name, wanted in referee.following().items():
        pair = wanted, getattr(match.hand.start, name)
        if name == "scores":  # who has nothing may be written down or not
            pair = _noted(pair[0]), _noted(pair[1])
        if pair[0] != pair[1]:
            raise DisagreementError(f"next {name}: the document {pair[0]}, engine {pair[1]}", last)


def _noted(sheet: Iterable[tuple[int, int]]) -> dict[int, int]:
    return {seat: points for seat, points in sheet if points}


def _tried(options: list[Act], known: deque[Act], dealer: Dealer, state: State) -> Iterator[Act]:
    """Some acts that are or were offered, most of them changed a little."""
    dice = dealer.dice
    for _ in range(PROBES):
        act = dice.choice(options if dice.random() < 0.4 else known)
        if dice.random() < 0.7:
            act = _changed(act, state, dice)
        if act.verb in FROM_DECK or (act.verb is Verb.DRAW and act.spot == "stock"):
            cards = tuple(dealer.deck[: len(act.cards)])
            if len(cards) < len(act.cards) or not cards:
                continue
            act = replace(act, cards=cards)
        yield act


def _changed(act: Act, state: State, dice: random.Random) -> Act:
    """`act` with another seat, spot, amount or card, or somebody's word at another time."""
    choices: list[Callable[[], Act]] = []
    if act.seat is not None:
        choices.append(lambda: replace(act, seat=dice.choice(state.start.seats)))
    if act.spot is not None:
        choices.append(lambda: replace(act, spot=dice.choice([*state.spots])))
    if act.numbers and act.verb is not Verb.LIMITS:
        first, more = dice.choice((1, -1, act.numbers[0], 100)), act.numbers[1:]
        choices.append(lambda: replace(act, numbers=(max(1, act.numbers[0] + first), *more)))
    if act.cards and act.verb not in FROM_DECK:
        lying = [laid.card for _, laid in state.table]
        if lying:
            kept = list(act.cards)
            kept[dice.randrange(len(kept))] = dice.choice(lying)
            choices.append(lambda: replace(act, cards=tuple(kept)))
    return dice.choice(choices)() if choices else act


def match_refereed(
    game: AnyGame,
    start: Start,
    referee_of: Callable[[Start], R],
    seed: int,
    *,
    hands: int = 2,
    temper: Temper | None = None,
    front: Callable[[random.Random, Start], Sequence[Card]] | None = None,
) -> Iterator[tuple[R, State]]:
    """Each hand of a random match, with its referee, who agrees; raises `DisagreementError`."""
    dice, match, known = random.Random(seed), Match(game, start), deque[Act](maxlen=REMEMBERED)
    likings: dict[Any, float] | None = {} if seed % 2 else None
    for _ in range(hands):
        if match.state.over:
            return
        referee = referee_of(match.hand.start)
        dealer = Inclined(dice, likings=likings, temper=temper, front=front)
        try:
            last = refereed(match, referee, dealer, known)
        except DisagreementError as error:
            error.add_note(f"seed {seed}")
            raise
        yield referee, last
