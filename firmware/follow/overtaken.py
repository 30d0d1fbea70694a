"""What a hand hid when somebody spoke out of turn: the turn before may already have been over.

A player gives up their cards and leaves a hand on them; everybody sees it, and the next player
speaks. The camera sees it only once the hand is gone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from firmware.follow.ambiguity import agreed
from firmware.follow.findings import Explanation
from firmware.follow.reconcile import explain
from firmware.follow.verdicts import Table
from firmware.store.ledger import Step
from rules.acts import Act, Verb
from rules.errors import ActError
from rules.state import State
from vision.sightings import Seen

SPOKEN_MOST = 8
"""Number of acts that may come while the hand rests. A choice: a round of bets at a full table."""


@dataclass
class Overtaken:
    """Remembers, for each of the latest acts, what a hand hid when it came."""

    _state: State | None = None
    _covered: frozenset[str] = frozenset()
    _hidden: tuple[frozenset[str], ...] = ()
    """What was hidden, by act of the hand."""

    def see(self, state: State, seen: Seen) -> None:
        """Note which places are hidden, and which were when the acts since the last look came.

        Where cards lie in view after all, none were given up under that hand.
        """
        before = self._state
        if before is None or before.start != state.start:
            self._hidden, self._covered = (), frozenset()
        there = {name for name, lying in seen.spots.items() if lying and name not in seen.busy}
        kept = tuple(hidden - there for hidden in self._hidden[: len(state.acts)])
        self._hidden = kept + (self._covered,) * (len(state.acts) - len(kept))
        self._state, self._covered = state, seen.busy

    def way(self, gone: Collection[str], table: Table) -> tuple[Explanation, int] | None:
        """How the hand went if cards now `gone` were given up under a hand before others spoke.

        Comes with the number of latest acts that it replaces. None unless it breaks fewer rules,
        and nothing else can have happened.
        """
        state = self._state
        if state is None or not state.violations:
            return None
        first = min(one.found for one in state.violations[-SPOKEN_MOST:])
        last = min(len(state.acts) - first + 1, SPOKEN_MOST)
        for number, before in enumerate(state.history(last), len(state.acts) - last):
            if not gone or not self._hidden[number].intersection(gone):
                continue
            found = agreed(before, explain(before, table, set(table)).explanations, 1)
            way = None if found is None else _spoken_after(found, state.acts[number:])
            if way is not None and len(way.state.violations) < len(state.violations):
                return way, len(state.acts) - number
        return None


def _spoken_after(way: Explanation, acts: Collection[Act]) -> Explanation | None:
    """The way followed by what was said, without rulings; None if that is impossible."""
    said = [Step(act) for act in acts if act.verb is not Verb.RULE]
    state = way.state
    try:
        for step in said:
            if step.act.cards:
                return None
            state = state.play(step.act)
    except ActError:
        return None
    return way.then(*said, state=state)
