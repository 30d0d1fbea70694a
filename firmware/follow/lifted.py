"""Players' hidden cards that are not seen where they should be: picked up, or under one another.

A player looks at the cards and lays them back, squares them up, or gives them up; an empty place
does not say which. It becomes clear when the cards turn up again, or from how the table goes on:
until then the rest of the table is followed as if they were still there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from firmware.follow.differences import Difference, unmatched
from firmware.follow.findings import Explanation
from firmware.follow.outlines import PEEPING, all_among
from rules.acts import Verb
from rules.cards import BACK
from rules.spots import Shape
from rules.state import State
from rules.turn import FROM_DECK
from vision.sightings import Lying, Seen

LIFTED_S = 4.0
"""How long hidden cards may be away before somebody is asked what became of them. A choice: people
look for a second or two, the simulated ones for 3 s at most plus 0.5 s each way.
"""
Counts = Mapping[str, int]
"""Number of cards, by place."""

UNDER_S = 1.2
"""How long a card may be missing among others before it counts as lying under them: longer than a
card takes from there to another place. A choice; `python -m tests.soak` judges it.
"""

DEALT_S = 0.3
"""The same if a card may be dealt there next: dealt onto the others, it looks as if they had been
spread out again. A choice, three looks; `python -m tests.soak` judges it.
"""


@dataclass(frozen=True)
class Away:
    """Where hidden cards are not seen.

    Either all are `gone` from a place; or some of them are known to be `under` the others there, or
    may be (`perhaps`).
    """

    gone: frozenset[str] = frozenset()
    under: Counts = field(default_factory=dict)
    perhaps: Counts = field(default_factory=dict)
    due: frozenset[str] = frozenset()
    """The places to which a card may be dealt next."""
    dealt: Counts = field(default_factory=dict)
    """Number of cards that may have been dealt to places that are complete again, although some
    cards there lay under others at the last look.
    """

    @property
    def beneath(self) -> Counts:
        """Number of cards under others, including those that only may be."""
        return Counter(self.under) + Counter(self.perhaps)

    @property
    def heaps(self) -> frozenset[str]:
        """Places where cards are known to be under others, and one more is missing.

        Players square up such a heap: the missing one may be under the others as well.
        """
        return frozenset(self.perhaps.keys() & self.under.keys())

    def squared(self) -> Away:
        """The same if the cards that are missing in heaps are under the others there."""
        heaps = self.heaps
        beneath = {n: k for n, k in self.beneath.items() if n in self.under}
        perhaps = {n: k for n, k in self.perhaps.items() if n not in heaps}
        return replace(self, under=beneath, perhaps=perhaps)


class Lifted:
    """The places where players' hidden cards are not seen, and since when (seconds).

    A place that a hand covers stays as it was last seen, unless what has been followed since makes
    it complete.
    """

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._under: dict[str, int] = {}
        self._doubted: dict[str, tuple[int, int]] = {}
        """By place, the number of hidden cards it should hold, and of those perhaps under
        others.
        """
        self._lay: dict[str, tuple[Lying, ...]] = {}
        """What was at each place when all of it was last seen."""
        self._hand: int | None = None

    def see(self, state: State, seen: Seen, watched: frozenset[str], now: float) -> Away:
        """Note at which of the `watched` places cards are not seen."""
        if state.start.hand != self._hand:
            self._hand, self._under = state.start.hand, {}
            self._doubted, self._lay = {}, {}
        missing = {name: number for name in watched if (number := unseen(state, name, seen))}
        gone = frozenset(name for name in missing if not _backs(seen, name))
        short = {name: number for name, number in missing.items() if name not in gone}
        self._forget(state, seen, watched, short)
        under = {name: number for name, number in self._under.items() if name in watched}
        more = {name: number - under.get(name, 0) for name, number in short.items()}
        perhaps = {name: number for name, number in more.items() if number > 0}
        dealt = self._dealt_onto(state, seen, watched, perhaps)
        away = Away(gone, under, perhaps, _due(state), dealt)
        covered = self._since.keys() & state.spots.keys() & seen.spots.keys() - set(watched)
        still = {name for name in covered if unseen(state, name, seen)}
        named = {*gone, *away.perhaps, *still}
        self._since = {name: self._since.get(name, now) for name in named}
        return away

    def gone_before(self, state: State, seen: Seen, watched: frozenset[str]) -> frozenset[str]:
        """The places not `watched` now, as under a hand, that were without cards when last seen."""
        covered = self._since.keys() & state.spots.keys() & seen.spots.keys() - watched
        return frozenset(name for name in covered if not seen.spots[name])

    def _dealt_onto(
        self, state: State, seen: Seen, watched: frozenset[str], perhaps: Counts
    ) -> Counts:
        """Where cards may have been dealt just after others had been squared up there.

        Not where all cards are as they were before: those have been uncovered again.
        """
        held = {n: state.table.view(n).count(BACK) for n in (*self._doubted, *perhaps)}
        for name in self._doubted.keys() & watched - perhaps.keys():
            as_before = all_among(seen.spots[name], self._lay.get(name, ()), PEEPING)
            if as_before or self._doubted[name][0] != held[name] or name not in _due(state):
                del self._doubted[name]
        self._doubted.update({name: (held[name], n) for name, n in perhaps.items()})
        doubted = self._doubted.keys() & watched - perhaps.keys()
        self._lay |= {n: seen.spots[n] for n in watched - perhaps.keys() - self._doubted.keys()}
        return {name: self._doubted[name][1] for name in sorted(doubted)}

    def settle(self) -> None:
        """Note that a person says that all cards are where the state holds them."""
        self._doubted.clear()

    def _forget(self, state: State, seen: Seen, watched: Collection[str], missing: Counts) -> None:
        """Forget cards under others at places where the cards were spread out again.

        So are some of them where more show than before. A card dealt onto squared-up cards makes
        them look like cards that were spread.
        """
        for name in [name for name in self._under if name in watched]:
            every = len(seen.spots[name]) >= len(state.table.view(name))
            spread = every and name not in missing and name not in _due(state)
            if spread or not _backs(seen, name):
                del self._under[name]
            elif name in missing and name not in _due(state):
                self._under[name] = min(self._under[name], missing[name])
        self._under = {name: n for name, n in self._under.items() if name in state.spots}

    def accept(self, away: Away, now: float) -> None:
        """Assume that cards that have perhaps been under others for a while are there."""
        waits = {name: DEALT_S if name in away.due else UNDER_S for name in away.perhaps}
        lasting = [name for name, wait in waits.items() if now - self._since[name] >= wait]
        self._under.update({name: away.beneath[name] for name in lasting})
        for name in self._doubted.keys() & lasting:
            del self._doubted[name]

    @property
    def under(self) -> Counts:
        """Number of cards known to be under others, by place."""
        return dict(self._under)

    def for_long(self, places: Iterable[str], now: float) -> bool:
        """Whether any of these places has missed cards for too long for a mere look at them."""
        return any(now - self._since[name] >= LIFTED_S for name in places)


def unseen(state: State, name: str, seen: Seen) -> int:
    """Number of hidden cards of a place that are not seen, if everything else there is right.

    Others may have been turned up. All of what is nobody's cannot be gone: that would be an act.
    """
    spot = state.spots[name]
    if spot.held or spot.shape is Shape.PILE or (spot.owner is None and not _backs(seen, name)):
        return 0
    expected = spot.shows(state.table)
    if BACK not in expected:
        return 0
    missing, more = unmatched(expected, [one.card for one in seen.spots[name]])
    turned = len(more) if BACK not in more else len(missing)
    return max(0, len(missing) - turned) if set(missing) == {BACK} else 0


def _due(state: State) -> frozenset[str]:
    """The places to which a card may come from the deck next."""
    return frozenset(s for one in state.turn if one.verb in FROM_DECK for s in one.spots)


def _backs(seen: Seen, name: str) -> int:
    return sum(one.card == BACK for one in seen.spots[name])


def further_under(state: State, change: Difference, under: Counts) -> Iterator[Counts]:
    """Number of cards under others, by place, if some lie under hidden ones that came, fewest
    first: of a careless fan of five, four may show.

    Nothing else may have changed, and at least half of those that came show.
    """
    if change.left or len(change.came) != 1:
        return
    ((name, came),) = change.came.items()
    spot = state.spots[name]
    if set(came) == {BACK} and spot.shape is not Shape.PILE and not spot.held:
        for more in range(1, len(came) + 1):
            yield {**under, name: under.get(name, 0) + more}


def goes_on(state: State, way: Explanation) -> bool:
    """Whether it contains an act that was due, so that the cards were not just picked up."""
    for step in way.steps:
        if not step.implied and any(one.required and one.admits(step.act) for one in state.turn):
            return True
        state = state.play(step.act)
    return False


def laid_elsewhere(state: State, way: Explanation, away: Away) -> bool:
    """Whether it says where the cards that are `away` are now, or corrects an act."""
    for step in way.steps:
        for move in state.trace(step.act):
            from_there = move.source in away.gone or move.source in away.perhaps
            if from_there and move.target in state.spots and state.spots[move.target].in_sight:
                return True
        if step.act.verb is Verb.RULE:
            return True
        state = state.play(step.act)
    return False


def gave_up(
    state: State, whole: Sequence[Explanation], rest: Sequence[Explanation], away: Away
) -> bool:
    """Whether the players whose cards are gone have folded and others went on.

    That is likelier than that they checked with no cards in front of them, as the `rest` says.
    """
    seats = {state.spots[name].owner for name in away.gone if name in state.spots}
    return (
        bool(whole)
        and all(_says(one, Verb.FOLD, seats) for one in whole)
        and any(_says(one, Verb.CHECK, seats) for one in rest)
    )


def _says(way: Explanation, verb: Verb, seats: Collection[int | None]) -> bool:
    return any(act.verb is verb and act.seat in seats for act in way.acts)
