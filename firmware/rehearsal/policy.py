"""How a simulated table plays: lawful acts, chosen as people might choose them.

The choices are plausible, not clever; they know verbs but no particular game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from firmware.display.prompts import verdict_of
from rules.acts import Act, Verb
from rules.cards import JOKER, Card, Rank
from rules.errors import ActError
from rules.secret import PRESETS
from rules.state import State
from rules.turn import Awaited, Turn

ACTS_TRIED = 60
"""Most acts of one kind considered before another kind is chosen."""
LIBERTIES = {
    Verb.SHOW: 0.9,
    Verb.DECLARE: 0.8,
    Verb.CALL: 0.9,
    Verb.BID: 0.35,
    Verb.MELD: 0.9,
    Verb.LAY: 0.9,
    Verb.MOVE: 0.5,
    Verb.FOLD: 0.2,
    Verb.RAISE: 0.12,
    Verb.DRAW: 0.45,
    Verb.DISCARD: 0.4,
    Verb.GATHER: 0.6,
    Verb.PAY: 0.1,
    Verb.PASS: 0.2,
    Verb.END: 0.06,
}
"""Probability, at each moment, of an act that nobody has to do; verbs not listed come only if
needed. A choice: whoever may lawfully show or declare something has a reason to, now or a little
later; a player folds about one bet in five, as at a friendly table, and raises one in eight.
"""
HELD_BACK = frozenset({Verb.MELD, Verb.LAY, Verb.DECLARE, Verb.CALL, Verb.SHOW})
"""What a careful player holds back for a while, though it could be done."""
CAREFUL = 0.04
"""Share of hands in which all players are so careful that even a large stock runs out."""
CAREFUL_ACTS = 260
"""Number of acts for which they stay careful: more than a stock of two packs lasts."""
BOLD = 0.3
"""Share of bids that are any permitted one rather than the lowest."""
FOR_NOTHING = 0.01
"""How often somebody folds who could check, or stay in, at no cost."""
BETS = (1, 1, 2, 0)
"""Number of bets that a player makes in a hand; each number is as likely as it occurs here."""
EAGER = 0.75
"""Share of bets that come at the first opportunity rather than after more cards."""
ENOUGH = 5.0
"""Points from which a player stands, with courts counting half: common caution in games where too
many points lose.
"""


SECRETS_TOLD = 0.5
"""How often a dealer gives the device the secret rule, if there may be one; otherwise everybody
knows the rule, or only the dealer.
"""
SEEN_THROUGH = 0.7
"""How often a player has seen through a secret rule."""


class Policy:
    """What the players and the dealer of a simulated table do next, chosen by a seeded `rng`.

    `careful` is the share of hands in which everybody holds back what could be melded or declared.
    """

    def __init__(self, rng: np.random.Generator, *, careful: float = CAREFUL) -> None:
        self._rng = rng
        self._share_careful = careful
        self._careful: dict[int, bool] = {}
        self._wanted: dict[tuple[int, int], int] = {}
        self._late: dict[tuple[int, int, int], bool] = {}

    def choose(self, state: State, deck: Sequence[Card], *, liberties: bool = True) -> Act | None:
        """A lawful act for `state`, with `deck` the next cards; None if there is none.

        Without `liberties`, optional acts are chosen only if nothing else is left.
        """
        turn = state.turn
        required = [one for one in turn.awaited if one.required]
        free = [one for one in turn if liberties and not one.required]
        liked = self._liked(state, free)
        decided = self._drawing(state, turn)
        rest = [one for one in turn if one not in required]
        for choice in (liked, decided, required, rest):
            act = self._any(state, choice, deck)
            if act is not None:
                return act
        return None

    def secret(self) -> str | None:
        """The rule that the dealer gives the device in private, in hands that have one."""
        if self._rng.random() >= SECRETS_TOLD:
            return None
        return str(self._rng.choice(list(PRESETS.values())))

    def _any(self, state: State, choice: Sequence[Awaited], deck: Sequence[Card]) -> Act | None:
        acts: list[Act] = []
        for place in self._rng.permutation(len(choice)):
            some = list(islice(choice[int(place)].acts(deck), ACTS_TRIED))
            acts += [some[int(number)] for number in self._rng.permutation(len(some))]
        insight = self._insight(state, acts)
        bold = bool(self._rng.random() < BOLD)
        wanted = sorted(
            acts,
            key=lambda a: (_height(a) if not bold else (), -fondness(state, a) - (a in insight)),
        )
        return next((act for act in wanted if lawful(state, act)), None)

    def _insight(self, state: State, acts: Sequence[Act]) -> list[Act]:
        """The plays that fit a secret rule, for a player who has seen through it."""
        plays = [act for act in acts if act.verb is Verb.PLAY]
        if not plays or state.game.secrecy(state) is None or self._rng.random() >= SEEN_THROUGH:
            return []
        return [act for act in plays if lawful(state, act) and verdict_of(state.play(act))]

    def _liked(self, state: State, free: Sequence[Awaited]) -> list[Awaited]:
        """The acts to choose from: a verb is liked or not, however many forms it has."""
        kinds_of = {(one.verb, one.seats, one.spots, one.to): one for one in free}
        liked = {kind for kind, one in kinds_of.items() if self._likes(state, one)}
        return [one for one in free if (one.verb, one.seats, one.spots, one.to) in liked]

    def _likes(self, state: State, one: Awaited) -> bool:
        if one.verb is Verb.BET:
            return self._bets(state, one.seats[0])
        if one.verb in HELD_BACK and self._holds_back(state):
            return False
        free = one.verb is Verb.FOLD and any(kinds(state, Verb.CHECK))
        likely = FOR_NOTHING if free else LIBERTIES.get(one.verb, 0.0)
        return bool(self._rng.random() < likely)

    def _holds_back(self, state: State) -> bool:
        """Whether nobody is in a hurry to end this hand."""
        hand = state.start.hand
        if hand not in self._careful:
            self._careful[hand] = bool(self._rng.random() < self._share_careful)
        return self._careful[hand] and len(state.acts) < CAREFUL_ACTS

    def _bets(self, state: State, seat: int) -> bool:
        """Whether the seat bets now; if nobody can check, at least one seat bets in every hand."""
        hand = state.start.hand
        made = Counter(act.seat for act in state.acts if act.verb is Verb.BET)
        wanted = self._wanted.setdefault((hand, seat), int(self._rng.choice(BETS)))
        may_check = any(kinds(state, Verb.CHECK))
        if not made and seat == _first(state.turn) and not may_check:
            return True
        out = sum(len(laid) for laid in state.table.spots.values())
        moment = (hand, seat, out)
        if moment not in self._late:
            self._late[moment] = bool(self._rng.random() > EAGER)
        return made[seat] < wanted and not self._late[moment]

    def _drawing(self, state: State, turn: Turn) -> list[Awaited]:
        """If somebody may draw or stand, the sensible one of the two."""
        stand = next((one for one in turn.awaited if one.verb is Verb.STAND), None)
        if stand is None:
            return []
        seat = stand.seats[0]
        more = [
            one
            for one in turn.awaited
            if (one.verb is Verb.HIT and seat in one.seats)
            or (one.verb is Verb.DEAL and str(seat) in one.spots)
        ]
        points = sum(map(_points, state.table.cards(str(seat))))
        return more if more and points < ENOUGH else [stand]


def _first(turn: Turn) -> int | None:
    return next((one.seats[0] for one in turn if one.verb is Verb.BET), None)


def _height(act: Act) -> tuple[float, int]:
    """How much a bid promises; one without a number needs cards that few hands have."""
    if act.verb is not Verb.BID:
        return 0.0, 0
    return float(act.amount or 0), len(act.words)


def _points(card: Card) -> float:
    if card.rank.court:
        return 0.5
    return list(Rank).index(card.rank) + 1.0


def fondness(state: State, act: Act) -> float:
    """How much a player would like an act: to draw what fits the hand, to discard what does not."""
    hand = state.table.cards(str(act.seat))
    if act.verb is Verb.DISCARD:
        return -sum(kinship(card, other) for card in act.cards for other in hand if other != card)
    if act.verb is Verb.DRAW and act.spot is not None and act.spot in state.spots:
        shown = [card for card in state.spots[act.spot].shows(state.table) if not card.hidden]
        return sum(kinship(card, other) for card in shown for other in hand) - 2.5 if shown else 0
    return 0


def kinship(card: Card, other: Card) -> int:
    """How well two cards go together: three for a pair, less for neighbours of a suit.

    >>> [kinship(Card.parse("7D"), Card.parse(other)) for other in ("7S", "8D", "5D", "QH")]
    [3, 2, 1, 0]
    """
    if not (card.known and other.known) or JOKER in (card, other):
        return 0
    if card.rank == other.rank:
        return 3
    apart = abs(list(Rank).index(card.rank) - list(Rank).index(other.rank))
    return max(0, 3 - apart) if card.suit == other.suit else 0


def lawful(state: State, act: Act) -> bool:
    """Whether `act` can come now and breaks no rule, not even one that nobody would notice yet."""
    try:
        honest = state.turn.admits(act) and state.game.conceals(state, act) is None
        return honest and not broken(state, act)
    except ActError:
        return False


def broken(state: State, act: Act) -> int:
    """Number of rules that `act` would break; raises `ActError` if it means nothing here."""
    after = state.play(act)
    return len(after.violations) - len(state.violations)


def kinds(state: State, verb: Verb) -> Iterator[Awaited]:
    """What is awaited of one verb."""
    return (one for one in state.turn if one.verb is verb)
