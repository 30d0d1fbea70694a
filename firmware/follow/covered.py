"""What may still come: from under a hand, or from a player who has laid only some of the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from firmware.follow.candidates import TURNS_UP
from firmware.follow.differences import Cards, Difference, difference
from firmware.follow.findings import Explanation
from firmware.follow.hiding import RESTS_S, Hiding
from firmware.follow.passed_turns import PASSED_S
from firmware.follow.pile import HIDDEN_S
from firmware.follow.unseen import closing, forced_run
from firmware.store.ledger import Step
from rules.acts import Act, Verb
from rules.cards import BACK, Card
from rules.errors import ActError
from rules.spots import Shape
from rules.state import State
from rules.turn import Awaited
from vision.sightings import Seen

LAYING = frozenset({Verb.MELD, Verb.LAY})
"""What a player may do on the way to the end of a turn, besides acting in their own place."""
COVERED_AFTER_S = 7.0
"""How long an explanation waits while a hand covers a place where something is awaited: the hand
may hide what came first. A choice: hands rest for some seconds, the simulated ones for six at most.
"""
GESTURE_S = 0.8
"""Longest movement of a hand over a place that counts as one player's. A choice: simulated hands
that lay some cards there move over it for half a second, and two of them for one; `python -m
tests.soak` judges it.
"""


@dataclass
class Hidden:
    """The places over which a hand has moved for long since the table was last understood.

    If more than one thing differs there, it was done unseen, and is not a slip.
    """

    _hands: dict[str, Hiding] = field(default_factory=dict)
    _longest: dict[str, float] = field(default_factory=dict)
    """How long a hand has moved at most over each place."""
    _there: dict[str, float] = field(default_factory=dict)
    """How long a hand has been at most over each place, also at rest."""
    _came: Counter[str] = field(default_factory=Counter)
    """Number of times a hand came to each place."""
    _twice: frozenset[str] = frozenset()
    """The places over which a hand moved for longer than a gesture, until all was as before."""
    _passed: frozenset[str] = frozenset()
    _told: frozenset[str] = frozenset()
    """The places at which cards have since come or gone, as people said."""
    _state: State | None = None

    def see(self, state: State, seen: Seen) -> None:
        """Note which places are hidden, and for how long something has moved there."""
        self._told |= _changed(self._state, state)
        self._state = state
        self._came.update(seen.busy - self._hands.keys())
        self._hands = {name: self._hands.get(name) or Hiding() for name in seen.busy}
        for name, hand in self._hands.items():
            hand.see(seen.time, still=name in seen.still)
            self._longest[name] = max(self._longest.get(name, 0.0), hand.moved_s)
            self._there[name] = max(self._there.get(name, 0.0), hand.there_s)

    def uncovered(self, seen: Seen, acted: float) -> Seen:
        """`seen`, but with places under a resting hand holding what they held before.

        A hand counts as resting if it has been still since before the last act, done at `acted`
        (seconds).
        """
        rests = {
            name
            for name, hand in self._hands.items()
            if hand.still_since is not None and hand.still_since <= acted - RESTS_S
        }
        return replace(seen, busy=seen.busy - rests) if rests else seen

    def longer_than(self, seconds: float) -> frozenset[str]:
        """The places over which a hand moved for longer than this without leaving them."""
        return frozenset(name for name, lasted in self._longest.items() if lasted > seconds)

    def one_hand(self, change: Difference) -> bool:
        """Whether a single brief hand came to each place where cards came.

        Under one that rested there, another may have come.
        """
        once = (name for name, times in self._came.items() if times == 1)
        brief = {
            name
            for name in once
            if self._longest.get(name, 0.0) <= GESTURE_S
            and self._there.get(name, 0.0) <= GESTURE_S + RESTS_S
        }
        return change.came.keys() <= brief

    @property
    def once(self) -> frozenset[str]:
        """The places that a hand hid for long enough to lay a card there, but not for two turns."""
        return self.longer_than(HIDDEN_S) - self.passed

    @property
    def twice(self) -> frozenset[str]:
        """The places over which a hand moved for longer than one gesture takes."""
        return self.longer_than(GESTURE_S)

    @property
    def twice_since(self) -> frozenset[str]:
        """The places over which one did since the last recorded act, though all was as before."""
        return self._twice | self.twice

    def touches(self, change: Difference) -> bool:
        """Whether something has changed at one of them."""
        return not self.longer_than(HIDDEN_S).isdisjoint({*change.came, *change.left})

    @property
    def passed(self) -> frozenset[str]:
        """The places at which two turns may have passed since the last recorded act."""
        return self._passed | self.longer_than(PASSED_S)

    def settle(self, waits: Collection[str]) -> None:
        """Note that the table is understood, though a card may have come and gone unseen.

        That is not so where a hand did what people have said; at places that are still in `waits`,
        it is yet to do it.
        """
        self._passed, told = self.passed - self._told, self._told.intersection(waits)
        self._twice = self.twice_since
        self._forget()
        self._told = told

    def restart(self, seen: State | None = None) -> None:
        """Note that what happened is known; what was `seen` to happen has led to this state."""
        self._passed, self._twice = frozenset(), frozenset()
        self._state = seen or self._state
        self._forget()

    def _forget(self) -> None:
        self._told = frozenset()
        self._longest.clear()
        self._there.clear()
        self._came.clear()


def _changed(before: State | None, state: State) -> frozenset[str]:
    """Where the cards differ from those of the state before, in the same hand."""
    if before is None or before is state or before.start != state.start:
        return frozenset()
    was, now = before.table, state.table
    return frozenset(name for name in state.spots if was.cards(name) != now.cards(name))


@dataclass
class HeldBack:
    """An explanation that was certain, except that a hand might hide a similar act.

    Once its cards leave the places where they were seen, they have moved on; while some of those
    places are hidden and the others are as it says, they are still there: the table is then
    explained from that explanation on.
    """

    _way: Explanation | None = None
    _from: State | None = None
    _since: float = 0.0

    def hold(self, state: State, way: Explanation, now: float) -> None:
        """Note what would have been recorded after `state`."""
        if self._from is not state or self._way is None or self._way.acts != way.acts:
            self._way, self._from, self._since = way, state, now

    def release(self) -> None:
        """Drop it: the table is understood."""
        self._way = None

    def gone_on(self, state: State, seen: Mapping[str, Cards], now: float) -> Explanation | None:
        """The explanation held back, if it can now be taken as having happened.

        It can if one of its cards was seen to move on from where it lay, or if something that it
        changed is hidden now and the rest is as it says.
        """
        way = self._way
        if way is None or self._from is not state or now - self._since >= COVERED_AFTER_S:
            return None
        changed = {n for n in state.spots if _shows(way.state, n) != _shows(state, n)}
        shown = changed & seen.keys()
        if shown != changed and not difference(way.state, seen, shown):
            return way
        came = difference(way.state, {n: _shows(state, n) for n in seen}, seen.keys()).left
        left = difference(way.state, seen, seen.keys()).left
        singly = (name for name in came if way.state.spots[name].shape is not Shape.PILE)
        gone = (card for name in singly for card in came[name] if card in left.get(name, ()))
        return way if any(not card.hidden for card in gone) else None


def _shows(state: State, name: str) -> Cards:
    return state.spots[name].shows(state.table)


def hides_awaited(state: State, busy: Collection[str]) -> bool:
    """Whether a hand hides a place where something is awaited, which may already be there.

    What is dealt out of sight may be done by now, and what nobody says may have been meant; what
    comes after that is awaited as well. So is a card that must be shown once all players stand:
    where a hand rests over the banker's, the others show theirs after it.
    """
    if not busy:
        return False
    if any(_hides_due(one, busy) for one in _by_now(state)):
        return True
    return any(
        _hides(after, [one for one in after.turn.awaited if one.required and one.pick], busy)
        for after in _said_by_now(state)
    )


def _by_now(state: State) -> Iterator[State]:
    """The state, and those that may have been reached from it without a trace."""
    yield state
    _, dealt = forced_run(state)
    yield dealt
    said = closing(dealt)
    if said is not None:
        yield dealt.play(said)


def _said_by_now(state: State) -> Iterator[State]:
    """The states after each seat in turn has said what it must, one after the other."""
    for _ in state.start.seats:
        said = state.turn.due
        if said is None or not said.seat:
            return
        state = state.play(said)
        yield state


def _hides_due(state: State, busy: Collection[str]) -> bool:
    return _hides(state, tuple(state.turn), busy)


def _hides(state: State, due: Sequence[Awaited], busy: Collection[str]) -> bool:
    """Whether a hand hides a place of those who are due to act, or one that they act on."""
    seats = {seat for one in due for seat in one.seats}
    places = {name for one in due for name in (*one.spots, *one.to)}
    return any(
        spot.in_sight and (name in places or spot.owner in seats)
        for name, spot in state.spots.items()
        if name in busy
    )


def may_hide(state: State, way: Explanation, busy: Collection[str]) -> bool:
    """Whether an act like the explained one may have continued to a place that a hand hides.

    Then that was the awaited act, and what is seen came after it. So, too, if a hand hides where
    something must come first, and what is explained need not.
    """
    if _must_come_first(state, way, busy):
        return True
    for step in way.steps if busy else ():
        if step.act.seat and _could_lay(state, step.act, busy):
            return True
        laid = {move.target for move in state.trace(step.act)}
        state = state.play(step.act)
        onward = (act for one in state.turn if one.spoken for act in one.acts())
        for move in (move for act in onward for move in state.trace(act)):
            if move.source in laid and move.target in busy:
                return True
    return False


def _must_come_first(state: State, way: Explanation, busy: Collection[str]) -> bool:
    """Whether a hand is over a named place where a player must act first, and this begins with
    something else of theirs."""
    seen = next((step.act for step in way.steps if not step.implied), None)
    if seen is None or seen.seat is None:
        return False
    due = [one for one in state.turn if one.required and seen.seat in one.seats]
    hidden = any(not set(busy).isdisjoint(one.spots) for one in due)
    return hidden and not any(one.admits(seen) for one in due)


def passes_over(state: State, way: Explanation, busy: Collection[str]) -> bool:
    """Whether it takes a player to have done something that nobody could see in place of what they
    must do where a hand is now."""
    for step in way.steps if busy else ():
        if step.free and any(
            step.act.seat in one.seats and not _places(state, one).isdisjoint(busy)
            for one in state.turn.awaited
            if one.required and not one.admits(step.act)
        ):
            return True
        state = state.play(step.act)
    return False


def _places(state: State, due: Awaited) -> set[str]:
    """Where an act that is due takes place."""
    seat = next(iter(due.seats), None)
    cards = (due.among or (BACK,))[: due.pick]
    try:
        moved = {move.target for move in state.trace(due.fill(cards, seat=seat))}
    except ActError:
        moved = set()
    return moved.union(due.spots, due.to)


def unfinished(state: State, way: Explanation) -> bool:
    """Whether it leads a card through a place where nobody saw it, and more must follow.

    Then the card may be the first of several that come to the same place together.
    """
    before: dict[str, set[Card]] = {}
    through = False
    for step in way.steps:
        trace = state.trace(step.act)
        through |= any(move.card in before.get(move.source, ()) for move in trace if move.up)
        before = {}
        for move in trace if not step.implied else ():
            before.setdefault(move.target, set()).add(move.card)
        state = state.play(step.act)
    due = {name for one in state.turn.awaited if one.required for name in one.spots}
    return through and not due.isdisjoint(before)


def half_turned(state: State, way: Explanation) -> bool:
    """Whether it turns up some of the cards that are due to be turned up together.

    They come into view one after another, and are read one after another.
    """
    for step in way.steps:
        act = step.act
        rest = [one for one in state.turn if one.admits(act) and len(act.cards) < one.pick]
        if rest and act.verb in TURNS_UP and not step.implied:
            places = {(one.seats, one.spots) for one in rest}
            due = way.state.turn
            if any(one.verb is act.verb and (one.seats, one.spots) in places for one in due):
                return True
        state = state.play(act)
    return False


def laid_together(state: State, change: Difference, doubted: Collection[str]) -> Explanation | None:
    """The one act by which a player lays several hidden cards, of which fewer are made out.

    They lie over each other in one of the `doubted` places, where hidden cards cannot be told apart
    with confidence: as many lie there as are due.
    """
    places = [name for name in change.came if name in doubted]
    if change.left or len(change.came) != 1 or not places:
        return None
    (name,) = places
    came = change.came[name]
    if set(came) != {BACK} or state.spots[name].owner is None or state.spots[name].held:
        return None
    found = {
        one.fill((BACK,) * one.pick, seat=seat, spot=name)
        for one in state.turn.awaited
        if one.verb in LAYING and one.down and name in one.spots
        if len(came) < one.pick < 2 * len(came)  # most of them
        for seat in one.seats
        if seat == state.spots[name].owner
    }
    if len(found) != 1:
        return None
    (act,) = found
    try:
        after = state.play(act)
    except ActError:
        return None
    lawful = len(after.violations) == len(state.violations)
    return Explanation((Step(act),), after) if lawful else None


def _could_lay(state: State, act: Act, busy: Collection[str]) -> bool:
    """Whether before `act`, which ends a turn, its seat could lay cards where a hand is now."""
    try:
        after = state.play(act)
    except ActError:
        return False
    if act.seat in {seat for one in after.turn.awaited for seat in one.seats}:
        return False
    own = {name for name in busy if name in state.spots and state.spots[name].owner == act.seat}
    shown = {name for name in own if state.spots[name].in_sight and not state.spots[name].held}
    return bool(shown) and any(
        one.pick and act.seat in one.seats and one.verb in LAYING for one in state.turn
    )
