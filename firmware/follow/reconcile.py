"""Explains what is on the table as acts.

Nothing here waits for an event. Whatever happened (a hand in the way, a missed frame, an undo, a
restart), the table that the state holds is compared with the table that the camera sees, and the
difference is explained by the acts that the rules allow: those whose trace is seen, and between
them the spoken ones without which they could not have come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from firmware.follow.any_order import at_a_time
from firmware.follow.candidates import Candidates
from firmware.follow.differences import (
    Cards,
    Difference,
    change_by,
    difference,
    effect,
    uncovered,
)
from firmware.follow.findings import Explanation, Findings
from firmware.follow.groups import are_parts_of_groups
from firmware.follow.hypotheses import Hypothesis, Tops, Without, carried, doubled, hypotheses
from firmware.follow.resting import Rest, resting
from firmware.follow.said import VOICED, only_one, unshown_acts
from firmware.follow.unseen import bag, contained, forced_run
from firmware.store.ledger import Step
from rules.acts import Act, Verb
from rules.errors import ActError
from rules.spots import Table, Trace
from rules.state import State
from rules.violations import Ruling

SPOKEN_MOST = 10
"""Largest number of acts said between two looks: every seat of a full table stands. A choice;
`python -m tests.soak` judges it.
"""
TRACED_MOST = 12
"""Largest number of cards laid between two looks. A choice; `python -m tests.soak` judges it."""
NODES_MOST = 200
"""Number of states tried before a difference counts as unexplained. In three hands of every game,
brisk and sloppy (truthful eyes, seed 62000), the longest honest look took 89, and no other game's
more than 22; with an unseen draw, a meld of all eight cards of a rank and a second one, it takes
more than 150. A state of the costliest game took 0.7 ms. The time is measured by `python -m
tests.benchmarks looks`.
"""
TOLERANT_NODES_MOST = NODES_MOST // 2
"""The same if slips are looked for too: one slip is one act, and what a hundred states do not
explain was lost. With twice as many, the slowest looks of the two slowest games took 1.6 times the
100 ms that a look may take (``python -m tests.benchmarks looks``).
"""
NODES_SPARE = 100
"""Number of further states that are checked, but not continued from, before the search ends. A
choice: without an end, a look at a wholly different table took minutes.
"""
ACTS_A_NODE = 10
"""Number of acts whose comparison with what is seen takes as long as trying a state. Measured by
`python -m tests.benchmarks looks`.
"""


def explain(
    state: State,
    seen: Mapping[str, Cards],
    watched: Collection[str],
    *,
    tolerant: bool = False,
    tops: Tops | None = None,
    fresh: Collection[str] = (),
    bared: Collection[str] = (),
    chance: Collection[str] = (),
    keyed: Collection[str] = (),
    chips: bool = False,
    hidden: Collection[str] = (),
    without: Without | None = None,
    gone: Collection[str] = (),
) -> Findings:
    """How what is `seen` (cards by spot) at the `watched` spots has come about since `state`.

    A `tolerant` look also allows acts that come at the right time but reveal something irregular,
    such as a card that the deck does not have. What was on the `tops` of piles came in that order;
    if that leads nowhere, only what is there now counts. On `fresh` piles the topmost card was
    laid, not uncovered; on `bared` piles it was uncovered, not laid, unless it only looks so by
    `chance`. `keyed` spots have no place on the table. If `chips` are seen, whoever has laid none
    has not bet. On a pile that was `hidden` while a card was laid there, the card that was
    uncovered and then went was that one. A spot was seen `without` some of its cards until a
    moment: what was on top of a pile by then came before them. The topmost cards of `gone` piles
    are nowhere on them any more.
    """
    change = difference(state, seen, watched)
    tops = tops or {}
    told = bool(tops) and all(n in hidden or doubled(state, n, tops[n]) for n in tops)
    if not change and not told:
        return Findings(change)
    seen = {spot: uncovered(state.table, state.spots[spot], seen.get(spot, ())) for spot in watched}
    begun, half, gathers, tried = None, False, False, 0.0
    groups = hypotheses(
        seen, frozenset(watched), tops, fresh=fresh, bared=bared, chance=chance, without=without,
        carried=carried(state, change, tops, gone),
    )  # fmt: skip
    shown = {*bared, *(name for name, found in tops.items() if found[-1].may_be_bared)}
    for group in groups:
        if group[0].passing and not _from_nowhere(change):
            break
        searches = [_Search(one, tolerant, keyed, shown, chips=chips) for one in group]
        ways = [search.run(state) for search in searches]
        tried += sum(search.tried for search in searches)
        found = tuple(_in_full(state, way) for some in ways for way in some)
        begun = begun if group[0].passing else searches[0].begun
        half = half or any(search.half_taken for search in searches)
        gathers = gathers or any(search.gathers for search in searches)
        doubtful = any(s.obscured and not some for s, some in zip(searches, ways, strict=True))
        maybe = tuple(_in_full(state, way) for search in searches for way in search.maybe)
        if (found and doubtful) or maybe:
            # A hand hides what may decide between them.
            return Findings(change, (), 0, obscured=(*found, *maybe), tried=tried)
        if found and not any(one.idle for one in group):
            change = change or group[0].change(state, group[0].begin)
        if found or not change:
            return Findings(change, found, begun, half, tried=tried)
    return Findings(change, (), begun, half, gathers=gathers, tried=tried)


def _in_full(state: State, way: Explanation) -> Explanation:
    """The explanation with each act preceded by the one that it contains."""
    steps: list[Step] = []
    for step in way.steps:
        first = contained(state, step.act)
        for one in (step,) if first is None else (Step(first, implied=True), step):
            steps.append(one)
            state = state.play(one.act)
    return way if len(steps) == len(way.steps) else replace(way, steps=tuple(steps), state=state)


def _from_nowhere(change: Difference) -> bool:
    """Whether a card has come to each of some places, and none has left another for them."""
    return bool(change.came) and not change.left and not any(c[1:] for c in change.came.values())


class _Search:
    """Breadth first by the number of unshown acts, so that no act is implied without need."""

    def __init__(
        self,
        hypothesis: Hypothesis,
        tolerant: bool,
        keyed: Collection[str],
        bared: Collection[str],
        *,
        chips: bool,
    ) -> None:
        self.chips = chips
        self.hypothesis = hypothesis
        self.tolerant = tolerant
        self.keyed = frozenset(keyed)
        self.bared = bared
        self.half_taken = False
        self.seen = hypothesis.seen
        self.watched = hypothesis.watched
        self.begun: int | None = None
        self.gathers = False
        self.obscured = False
        self.maybe: tuple[Explanation, ...] = ()
        """What explains the table if a hand is not hiding something else."""
        self._most = TOLERANT_NODES_MOST if tolerant else NODES_MOST
        self._nodes, self._guesses = 0.0, 0.0
        self._found: dict[object, Explanation] = {}
        self._least: tuple[int, int] | None = None
        self._reached: set[object] = set()
        self._rights: Sequence[Explanation] | None = None
        self._effects: dict[tuple[int, Trace], tuple[Difference | None, Table]] = {}

    @property
    def tried(self) -> float:
        """Number of states tried, including guesses."""
        return self._nodes + self._guesses

    def run(self, state: State) -> tuple[Explanation, ...]:
        righted = tuple(way for way in self._righted(state) if self._explains(way))
        if righted:
            return righted
        level = [Explanation((), state, passed=self.hypothesis.begin)]
        for spoken in range(SPOKEN_MOST + 1):
            reached = list(self._each(level, self._traced))
            # What a hand may hide could be another act: then wait until the hand has left.
            if self._found and not self.obscured:
                return tuple(self._best())
            if self._found:
                self.begun, self.maybe = 0, tuple(self._best())
                break
            if self.begun is None and (
                self.obscured or any(self._begins(way.state) for way in reached)
            ):
                self.begun = spoken
            self.gathers = self.gathers or any(self._gathers(way.state) for way in reached)
            level = _unlike(self._each(reached, self._said))
            if not level or self._nodes > self._most:
                break
        return ()

    def _best(self) -> Iterator[Explanation]:
        """The shortest explanations found; if not all could be tried, there may be others."""
        ended = self._nodes > self._most
        for way in self._found.values():
            if way.cost == self._least:
                yield replace(way, guessed=way.guessed or ended)

    def _each(
        self,
        ways: Iterable[Explanation],
        further: Callable[[Explanation], Iterator[Explanation]],
    ) -> Iterator[Explanation]:
        """All continuations of each; guesses come last, and get at most a quarter of the states.

        If much may be said, guesses must not keep the search from what is certain.
        """
        for way in sorted(ways, key=lambda one: one.guessed):
            spent = self._nodes
            if way.guessed and self._guesses > self._most / 4:
                return
            yield from further(way)
            if way.guessed:
                self._guesses += self._nodes - spent
                self._nodes = spent

    def _traced(
        self, start: Explanation, depth: int = 0, rest: Rest | None = None
    ) -> Iterator[Explanation]:
        """All continuations by acts whose traces are seen, including the start itself.

        A card that moves on from where it came to `rest` does so next, nearer to what is seen.
        """
        where = (_meaning(start), rest)
        if where in self._reached:
            return
        self._reached.add(where)
        self._nodes += 1
        change = self.hypothesis.change(start.state, start.passed)
        if not change:
            whole = self.hypothesis.whole(start.passed)
            if whole and start.steps and not start.steps[-1].implied:
                self._found.setdefault(_meaning(start), start)
                self._least = min(self._least or start.cost, start.cost)
            return
        free, acts = start.cost
        if self._least is not None and (free, acts + 1) > self._least:
            return
        if rest is None:
            yield start
        if depth >= TRACED_MOST or self._nodes > self._most:
            return
        seen = self._seen_acts(start.state, change, rest)
        for act, onward in at_a_time(start.state, seen) if rest is None else seen:
            if self._nodes > self._most + NODES_SPARE:
                return
            after = _after(start.state, act, tolerant=self.tolerant)
            if after is None:
                continue
            rests = {one.spot for one in (rest, onward) if one is not None}
            unseen = rests if self.hypothesis.passing else ()
            passed = self.hypothesis.onward(start.state, after, start.passed, unseen)
            if passed is not None:
                way = start.then(Step(act), state=after, passed=passed)
                yield from self._traced(way, depth + 1, onward)

    def _seen_acts(
        self, state: State, change: Difference, rest: Rest | None
    ) -> Iterator[tuple[Act, Rest | None]]:
        """The awaited acts whose whole trace is among the changes.

        If a card is seen at its final place, rather than where the game lets it rest on the way,
        the act that would rest it there is included, with that place.
        """
        likely = self._candidates(state, change)
        # The act that explains most is tried first: nothing longer than it has to be tried.
        for one in sorted(state.turn, key=lambda one: -one.pick):
            for act in likely.acts(one):
                self._nodes += 1 / ACTS_A_NODE
                wanted = self._effect(state, act)
                if wanted is None:
                    self.obscured |= self._partly(state, act, change)
                    continue
                still = rest and rest.after(wanted)
                if not wanted or (rest is not None and still is None):
                    continue
                if wanted.within(change):
                    due = one in state.turn.awaited  # giving the hand up is not
                    self.half_taken |= due and self._half_takes(state, act)
                    yield act, still if still is not None and still.cards else None
                elif rest is None or self.hypothesis.passing:
                    onward = resting(wanted, change, atop=self.hypothesis.passing)
                    if onward is not None:
                        yield act, onward

    def _candidates(self, state: State, change: Difference) -> Candidates:
        places = self.watched - self.keyed
        return Candidates(state, change, frozenset(s for s in places if state.spots[s].in_sight))

    def _effect(self, state: State, act: Act) -> Difference | None:
        """What an act changes visibly: the same again after words, which move no card."""
        try:
            trace = state.trace(act)
            key = id(state.table), trace
            if key not in self._effects:
                wanted = change_by(
                    state, trace, self.watched, keyed=self.keyed, piles=self.hypothesis.tops
                )
                # The table is kept so that no other can get the same id.
                self._effects[key] = wanted, state.table
        except ActError:
            return None
        return self._effects[key][0]

    def _half_takes(self, state: State, act: Act) -> bool:
        """Whether `act` takes several cards of a pile, and the next of them has been uncovered."""
        for name in self.bared:
            taken = [move.card for move in state.trace(act) if move.source == name]
            shown = self.seen.get(name, ())
            if len(taken) > 1 and shown and set(shown) <= set(taken):
                return True
        return False

    def _partly(self, state: State, act: Act, change: Difference) -> bool:
        """Whether what can be seen of `act` is among the changes while a hand covers the rest."""
        wanted = effect(state, act, self.watched, in_part=True, keyed=self.keyed)
        return wanted is not None and bool(wanted) and wanted.within(change)

    def _said(self, start: Explanation) -> Iterator[Explanation]:
        """All continuations by one spoken act, or by taking an irregular act as corrected."""
        for act in unshown_acts(start.state):
            after = _after(start.state, act)
            if after is None:
                continue
            passed = self.hypothesis.onward(start.state, after, start.passed)
            if passed is not None:
                self._nodes += 1
                free = not any(one.required and one.admits(act) for one in start.state.turn)
                # Cards dealt into one hand after another count as one.
                more, after = forced_run(after) if act.cards else ((), after)
                first = Step(act, implied=True, free=free)
                steps = (first, *(Step(one, implied=True) for one in more))
                shown = self.chips and act.verb is Verb.CHECK
                guessed = act.verb in VOICED and not shown and not only_one(start.state, act)
                yield start.then(*steps, state=after, guessed=guessed, passed=passed)
        # A correction comes before anything else.
        if not start.steps:
            yield from self._righted(start.state)

    def _righted(self, state: State) -> Sequence[Explanation]:
        """The ways to take an irregular act as corrected; cached, as replaying takes time."""
        if self._rights is None:
            after = [(act, state.play(act)) for act in _put_right(state)]
            open_now = len(state.open_violations)
            fewer = [(act, then) for act, then in after if len(then.open_violations) < open_now]
            self._nodes += len(fewer)
            self._rights = [self._right(state, act, then) for act, then in fewer]
        return self._rights

    def _right(self, before: State, act: Act, after: State) -> Explanation:
        begin = self.hypothesis.begin
        passed = self.hypothesis.onward(before, after, begin) or begin
        return Explanation((Step(act),), after, passed=passed)

    def _explains(self, way: Explanation) -> bool:
        """Whether the table would then be as it is seen.

        Taking a wrong card away is not clearing the table, nor laying the card on an equal one.
        """
        laid = any(
            top.came and top.perhaps
            for name, tops in self.hypothesis.tops.items()
            for top in tops[way.passed[name] :]
        )
        return not laid and not difference(way.state, self.seen, self.watched)

    def _begins(self, state: State) -> bool:
        """Whether what is seen is part of one act's trace, as far as that is visible."""
        change = difference(state, self.seen, self.watched)
        changed = {*change.came, *change.left}
        likely = self._candidates(state, change)
        looked = partial(
            effect, watched=self.watched, in_part=True, keyed=self.keyed, least=changed
        )
        for one in state.turn:
            for act in likely.begun(one):
                wanted = looked(state, act)
                if wanted is not None and change.within(wanted):
                    return True
        return False

    def _gathers(self, state: State) -> bool:
        """Whether what is seen is part of what is laid together, as far as that is visible."""
        change = difference(state, self.seen, self.watched)
        looked = partial(effect, watched=self.watched, in_part=True, keyed=self.keyed)
        return bool(change.came) and are_parts_of_groups(state, change, looked)


def _unlike(ways: Iterable[Explanation]) -> list[Explanation]:
    """The explanations without those that differ only in an order that changes nothing."""
    first: dict[object, Explanation] = {}
    for way in ways:
        first.setdefault(_meaning(way), way)
    return list(first.values())


def _meaning(way: Explanation) -> object:
    """The acts regardless of order, and what their order has decided: money, a turn, a duty."""
    state = way.state
    paid = frozenset(Counter(map(str, state.payments)).items())
    waits = tuple((one.verb, one.seats, one.spots) for one in state.turn.awaited)
    passed = frozenset(way.passed.items())
    return bag(way.acts), paid, state.points, len(state.violations), state.over, waits, passed


def _after(state: State, act: Act, *, tolerant: bool = False) -> State | None:
    """The state after `act`, or None if it cannot come now or (unless tolerated) breaks a rule."""
    try:
        if not state.turn.admits(act):
            return None
        after = state.play(act)
    except ActError:
        return None
    return after if tolerant or len(after.violations) == len(state.violations) else None


def _put_right(state: State) -> Iterator[Act]:
    if state.over:
        return
    numbers = dict.fromkeys(violation.found for violation in state.open_violations)
    for number in numbers:
        yield Act(Verb.RULE, numbers=(number,), words=(str(Ruling.CORRECT),))
