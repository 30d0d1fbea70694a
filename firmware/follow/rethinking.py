"""Second thoughts: a card of a pile that came about differently than was assumed.

If packs are shuffled together, the card under the topmost one may be uncovered, or an equal one
laid on both: from the pile alone, nobody can say which. The likelier is followed, and the other
kept in mind. Every act after it may be attributed to the wrong seat; once nothing explains the
table any more, the hand is gone through again as if the other had happened.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf

from firmware.follow.ambiguity import agreed
from firmware.follow.findings import Explanation, Findings
from firmware.follow.reconcile import explain
from firmware.follow.tops import Top
from firmware.follow.unseen import leading_to
from firmware.follow.verdicts import Rethought, Table
from firmware.store.ledger import Step
from rules.acts import Act, Verb
from rules.cards import Card
from rules.errors import ActError
from rules.spots import Shape
from rules.state import State

DOUBTS_MOST = 12
"""Number of such cards kept in mind, the latest ones. A choice: in three hands lost this way, the
misjudged card was never farther back than the third; `python -m tests.soak` judges it.
"""
COVERED_MOST = 24
"""Number of covered cards kept in mind of which each may have been drawn unseen. A choice: some six
turns of each of four players."""
RETHOUGHT_MOST = 2
"""Number of alternatives offered: what a dealer can compare with their memory. A choice."""
ACTS_A_LOOK = 8
"""Acts that are gone through again before the next look: a look may take 100 ms, an act a few. A
choice; `python -m tests.benchmarks looks` judges it.
"""

Look = Callable[[State], Findings]
"""What the table means now, after a given state."""


@dataclass(frozen=True)
class Doubt:
    """A card of a pile that nobody saw being uncovered or laid."""

    before: State
    after: State
    table: Table
    """The table at that moment."""
    pile: str
    laid: bool
    """Whether it was assumed to have been laid."""
    off: float = 0.0
    """How far it was from where it would have been uncovered, in shorter sides."""
    under: Card | None = None
    """The card that it covered, if what is in doubt is whether that one had been drawn before."""

    @property
    def chance(self) -> float:
        """How likely it was misjudged, as a sort key."""
        return -self.off if self.laid else self.off

    def stands(self, state: State) -> bool:
        """Whether `state` descends from it."""
        after = self.after.acts
        return self.before.start == state.start and state.acts[: len(after)] == after

    def other(self) -> Explanation | None:
        """How it came about if the assumption was wrong; None if it cannot have."""
        if self.under is not None:
            return self._drawn_before()
        pile = {self.pile}
        fresh, bared = (set[str](), pile) if self.laid else (pile, set[str]())
        found = explain(self.before, self.table, set(self.table), fresh=fresh, bared=bared)
        return agreed(self.before, found.explanations, 1)

    def _drawn_before(self) -> Explanation | None:
        """How the card was laid if the one that it covered had been drawn before."""
        *_, below, _ = (None, *self.before.table.view(self.pile))
        # Neither was seen before what else has come by now.
        tops = (
            Top(below, at=inf),
            Top(self.after.table.view(self.pile)[-1], came=True, at=inf),
        )
        found = explain(self.before, self.table, set(self.table), tops={self.pile: tops})
        return agreed(self.before, found.explanations, 1)


class Rethinking:
    """Keeps the latest doubts in mind, and goes through the hand again when necessary."""

    def __init__(self) -> None:
        self._kept: list[Doubt] = []
        self._covered: list[Doubt] = []
        self._key: object = None
        self._found: list[tuple[float, Rethought]] = []
        self._going: Iterator[None] = iter(())

    def note(self, before: State, after: State, table: Table, off: Callable[[str], float]) -> None:
        """Note what in a step, which led to this table, may have happened differently.

        `off` says for a pile how far its topmost card is from where it would have been uncovered.
        """
        for name, spot in before.spots.items():
            if spot.shape is Shape.PILE and name in table:
                was, now = before.table.view(name), after.table.view(name)
                if now and _doubtful(before, was, now):
                    laid = len(now) > len(was)
                    self._kept.append(Doubt(before, after, table, name, laid, off(name)))
                elif was and now[:-1] == was and _count(before, was[-1]) == 1:
                    self._covered.append(Doubt(before, after, table, name, True, under=was[-1]))
        self._kept = self._kept[-DOUBTS_MOST:]
        self._covered = self._covered[-COVERED_MOST:]

    def ways(self, state: State, key: object, look: Look) -> tuple[Rethought, ...] | None:
        """The ways in which the hand may have gone instead so that the table is explained.

        None while that is not known yet: the hand is gone through step by step, look after look,
        for as long as the table's `key` is the same.
        """
        if self._key != key:
            self._key, self._found = key, []
            self._going = self._rethink(state, look)
        for _ in self._going:
            return None
        ranked = sorted(self._found, key=lambda one: -one[0])
        return tuple(way for _, way in ranked[:RETHOUGHT_MOST])

    def told(self, state: State, look: Look, acts: Sequence[Act]) -> tuple[Rethought, ...]:
        """The ways in which the hand may have gone instead so that `acts` break no rule now.

        Somebody says that these are done, so everything is gone through at once.
        """
        self._key, self._found = None, []
        for _ in self._rethink(state, look):
            pass
        ranked = sorted(self._found, key=lambda one: -one[0])
        ways = (_lawfully(way, acts) for _, way in ranked)
        return tuple(way for way in ways if way is not None)[:RETHOUGHT_MOST]

    def never_taken(self, state: State, pile: str, look: Look, away: float) -> Rethought | None:
        """How the hand went if a card that counted as taken off a pile was there all the time.

        Its place shows that: what was uncovered then was laid on it, and has gone since. Nobody
        lays a card exactly where it was before they picked it up, except by chance; nor an equal
        card exactly on the one below. So the card, which is seen `away` shorter sides from where it
        was, must be nearer to that place than the uncovered card was to the card below.
        """
        for doubt in reversed(self._kept):
            if doubt.pile == pile and not doubt.laid:
                if away >= doubt.off:
                    return None
                return next(filter(None, _otherwise(doubt, state, look)), None)
        return None

    def drawn_unseen(self, state: State, came: Collection[Card], look: Look) -> Rethought | None:
        """How the hand went if a card that has come now was not covered on a pile, but drawn.

        The deck holds only one of it, and whoever lays it now had drawn it: what had come to light
        was covered at once.
        """
        for doubt in reversed(self._covered):
            if doubt.under in came:
                way = next(filter(None, _otherwise(doubt, state, look)), None)
                acts = () if way is None else way.explanation.acts
                seats = {act.seat for act in acts if doubt.under in act.cards}
                return way if len(seats) == 1 else None
        return None

    def _rethink(self, state: State, look: Look) -> Iterator[None]:
        """Find those ways; it pauses now and then."""
        for doubt in reversed(self._kept):
            for found in _otherwise(doubt, state, look):
                if found is not None:
                    self._found.append((doubt.chance, found))
                yield


def _otherwise(doubt: Doubt, state: State, look: Look) -> Iterator[Rethought | None]:
    """How the hand led to the table if the card came about the other way; yields None to pause."""
    other = doubt.other() if doubt.stands(state) else None
    yield None
    if other is None:
        return
    rest = state.acts[len(doubt.after.acts) :]
    way = yield from _again(other, doubt.after, rest)
    whole = None if way is None else _explaining(way, look)
    if whole is not None and len(whole.state.violations) <= len(state.violations):
        yield Rethought(len(doubt.before.acts), other.acts, whole)


def _lawfully(way: Rethought, acts: Sequence[Act]) -> Rethought | None:
    """The way with `acts` after it; None if they break a rule there."""
    whole = way.explanation
    for act in acts:
        further = _done_by(whole, act, own=True)
        if further is None:
            return None
        whole = further
    lawful = len(whole.state.violations) <= len(way.explanation.state.violations)
    return replace(way, explanation=whole) if lawful else None


def _explaining(way: Explanation, look: Look) -> Explanation | None:
    """The way, with what explains the table after it; None if nothing does."""
    found = look(way.state)
    if not found.difference:
        return way
    end = agreed(way.state, found.explanations, 1)
    return None if end is None else way.then(*end.steps, state=end.state)


def _doubtful(state: State, was: Sequence[Card], now: Sequence[Card]) -> bool:
    """Whether the new top may be the card below uncovered, or an equal one laid on both.

    Nobody saw which, if the deck holds several of it.
    """
    bared = now == was[:-1]
    laid = now[:-1] == was and was[-2:-1] == now[-1:]
    return (bared or laid) and _count(state, now[-1]) > 1


def _count(state: State, card: Card) -> int:
    """Number of such cards in the deck in play."""
    return state.game.deck(state.start).cards.count(card)


def _again(
    begin: Explanation, before: State, acts: Sequence[Act]
) -> Generator[None, None, Explanation | None]:
    """`begin`, continued with what was seen of these acts after `before`, whoever did it.

    None if it cannot have gone that way. It pauses every few acts.
    """
    way = begin
    for number, act in enumerate(acts, 1):
        if act.verb is not Verb.RULE and not (act.cards and all(c.hidden for c in act.cards)):
            further = _done_by(way, act, own=_own(before, act))
            if further is None:
                return None
            way = further
        before = before.play(act)
        if number % ACTS_A_LOOK == 0:
            yield
    return way


def _own(state: State, act: Act) -> bool:
    """Whether the place of its cards, or a voice, shows whose act it is."""
    if not act.cards:
        return True
    spots = [state.spots[name] for name in _places(state, act) if name in state.spots]
    return any(spot.owner == act.seat and spot.in_sight and not spot.held for spot in spots)


def _places(state: State, act: Act) -> set[str]:
    return {place for move in state.trace(act) for place in (move.source, move.target)}


def _done_by(way: Explanation, act: Act, *, own: bool) -> Explanation | None:
    """The way with the act by its own seat, or else by whoever is next."""
    seats = (act.seat,) if own or act.seat is None else way.state.turn.seats
    for seat in dict.fromkeys(seats):
        theirs = replace(act, seat=seat)
        for unseen in leading_to(way.state, theirs)[:1]:
            steps = [*(Step(one, implied=True) for one in unseen), Step(theirs)]
            try:
                state = way.state
                for step in steps:
                    state = state.play(step.act)
            except ActError:
                continue
            return way.then(*steps, state=state)
    return None
