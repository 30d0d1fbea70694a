"""Do anything in any order, and compare with the journal: ``python -m tests.model``.

Each run takes one game and one seed: legal acts, acts before and between hands, typed nonsense,
corrections, undos, misdeals, restarts, and writes that fail for a while. After every step the match
in memory must equal the one replayed from the journal. A run's steps are decided by its seed; the
log has one line per run, and the command resumes after its last line.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from firmware.errors import JournalError
from firmware.store import ledger as storing
from firmware.store.journal import Journal
from firmware.store.ledger import PANEL, TYPED, Ledger, Step
from rules.acts import Act, Verb
from rules.errors import NothingToUndoError, RulesError
from rules.games import GAMES
from rules.match import Match
from rules.records import print_hand
from rules.start import Level
from tests.logs import resumed
from tests.play import Dealer, start_for
from tests.resuming import layout_of

STEPS = 100
"""Steps in one run: enough for some hands, several undos across their ends, and restarts."""
KEPT = 1
"""Number of hands between two checkpoints of the match here: a run passes several."""


class Model:
    """A ledger under test and its journal."""

    def __init__(self, game: str, seed: int) -> None:
        self.dice = Random(f"{game} {seed}")
        rules = GAMES[game]()
        level = self.dice.choice([Level.NONE, Level.AMOUNTS])
        self.journal = Journal(":memory:")
        self.failing = False
        self._real = self.journal.append_all
        self.journal.append_all = self._append_all  # type: ignore[method-assign]
        match = Match(rules, start_for(rules, level))
        self.ledger = Ledger(match, self.journal, now=lambda: 0.0)
        self.counts: dict[str, int] = {}
        self.dealer = Dealer(self.dice)
        self._hand: object = None

    def _append_all(self, drafts: Any) -> Any:
        if self.failing:
            raise JournalError("the journal cannot be written: no luck")
        return self._real(drafts)

    # Steps.

    def step(self) -> str:
        """Take one random step; return its name."""
        does = {
            self.act: 50, self.header: 12, self.undo: 12, self.correct: 6, self.misdeal: 9,
            self.nonsense: 3, self.restart: 4, self.fail: 4, self.resume: 4,
        }  # fmt: skip
        (done,) = self.dice.choices(list(does), list(does.values()))
        with suppress(RulesError, NothingToUndoError):
            done()
        self.counts[done.__name__] = self.counts.get(done.__name__, 0) + 1
        return done.__name__

    def act(self) -> None:
        """Do a legal act, or several that come together."""
        state = self.ledger.match.state
        if self._hand is not self.ledger.match.hand or not state.acts:
            self._hand = self.ledger.match.hand
            self.dealer.shuffle(state.game, state.start)
        steps = []
        for _ in range(self.dice.choice([1, 1, 2, 3])):
            if state.over or not list(state.options(self.dealer.deck)):
                break
            act = self.dealer.choose(state)
            self.dealer.follow(state, act)
            steps.append(Step(act))
            state = state.play(act)
        if steps:
            self._hand = None  # were it refused, the cards would not be where it says
            self.ledger.take(steps, self.dice.choice([PANEL, TYPED]))
            self._hand = self.ledger.match.hand

    def header(self) -> None:
        """Do an act that belongs before the first card, or between two hands."""
        seat, other = self.dice.randint(1, 8), self.dice.randint(1, 8)
        lines = (
            f"limits {seat} {seat + 9}", f"join {seat}", f"leave {seat}", f"banker {seat}",
            f"chips {seat} {other * 10}", "shuffle", f"dealer {seat}", f"join {seat} {other * 10}",
            "new-deck", f"sit-out {seat}", f"pot {other * 5}",
        )  # fmt: skip
        self.ledger.take([Step(Act.parse(self.dice.choice(lines)))], TYPED)

    def undo(self) -> None:
        """Undo one or several steps, possibly across the ends of hands."""
        for _ in range(self.dice.choice([1, 1, 1, 2, 9])):
            self.ledger.undo()
        self._hand = None

    def correct(self) -> None:
        """Change a card of an act, or remove the act."""
        acts = self.ledger.match.hand.acts
        if not acts:
            return
        number = self.dice.randint(1, len(acts))
        other = None if self.dice.random() < 0.3 else self.dice.choice(acts)
        self.ledger.correct(number, other)
        self._hand = None

    def resume(self) -> None:
        """Resume the hand from the table as it lies, and count the pot if there is one."""
        state = self.ledger.match.state
        acts = [Act(Verb.RESUME, numbers=(len(state.acts),), layout=layout_of(state))]
        if state.game.potted and self.dice.random() < 0.7:
            acts.append(Act(Verb.POT, numbers=(state.game.pot(state) + self.dice.randint(0, 9),)))
        self.ledger.take([Step(act) for act in acts], PANEL)

    def misdeal(self) -> None:
        """Declare a misdeal, and take up the cards."""
        self.ledger.take([Step(Act.parse("misdeal"))], PANEL)
        self.ledger.take([Step(Act.parse("clear"))], PANEL)

    def nonsense(self) -> None:
        """Do two acts at once of which the second is impossible."""
        self.ledger.take([Step(Act.parse("rule 99 stand")), Step(Act.parse("limits 5 1"))], TYPED)

    def restart(self) -> None:
        """Cut the power while nothing waits to be written, and restart."""
        self.write()
        self.ledger = self.replayed()
        self._hand = None

    def fail(self) -> None:
        """Make all writes fail from now on, or work again."""
        self.failing = not self.failing
        self.ledger.retry()

    def write(self) -> None:
        """Write what waits."""
        self.failing = False
        if not self.ledger.retry():
            raise AssertionError(f"what waited cannot be written: {self.ledger.failure}")

    # Invariants.

    def replayed(self) -> Ledger:
        """The match as a fresh start would find it."""
        return Ledger.resumed(self.journal, now=lambda: 0.0)

    def check(self) -> None:
        """Raise `AssertionError` unless memory and journal tell the same match."""
        if self.ledger.failure:
            return
        live, again = told(self.ledger), told(self.replayed())
        for name, value in live.items():
            if again[name] != value:
                raise AssertionError(f"{name}: {value!r} lives, {again[name]!r} is replayed")


def told(ledger: Ledger) -> dict[str, Any]:
    """Everything by which one match can be distinguished from another."""
    match = ledger.match
    return {
        "hands before": ledger.hand_index,
        "hands": [print_hand(hand) for hand in match.hands],
        "steps": ledger.taken,
        "start": match.hand.start,
        "table": list(match.state.table),
        "violations": match.state.violations,
        "settlement": match.state.settlement,
        "awaited": match.state.turn,
    }


def happen(game: str, seed: int, steps: int = STEPS) -> dict[str, Any]:
    """Do one run; return what went wrong, and at which step."""
    kept, storing.HANDS_KEPT = storing.HANDS_KEPT, KEPT
    model, harm, number, done = Model(game, seed), "", 0, ""
    try:
        while number < steps:
            number += 1
            done = model.step()
            model.check()
        model.write()
        model.check()
        if not model.journal.verify(model.journal.head).whole:
            harm = "the chain is broken"
    except Exception as error:  # the next run is tried all the same
        harm = f"step {number}, {done}: {type(error).__name__}: {error}"
    finally:
        storing.HANDS_KEPT = kept
        model.journal.close()
    hands = model.ledger.hand_index
    return {"game": game, "seed": seed, "steps": number, "hands": hands, "harm": harm[:800]}


def runs(steps: int) -> list[tuple[str, int]]:
    """The games and seeds that make up that many steps, alternating between games."""
    names = list(GAMES)
    return [(names[n % len(names)], n // len(names)) for n in range(-(-steps // STEPS))]


def main(arguments: Sequence[str] | None = None) -> int:
    """Resume the log until that many steps were made; exit status 1 if any went wrong."""
    parser = argparse.ArgumentParser("python -m tests.model", description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--log", type=Path, required=True)
    options = parser.parse_args(arguments)
    done = resumed(options.log)
    with options.log.open("a") as log:
        for game, seed in runs(options.steps)[len(done) :]:
            done.append(happen(game, seed))
            log.write(json.dumps(done[-1]) + "\n")
            log.flush()
    harm = [one for one in done if one["harm"]]
    steps, hands = sum(one["steps"] for one in done), sum(one["hands"] for one in done)
    print(f"{len(done)} runs, {steps} steps, {hands} hands over; harm done: {len(harm)}")
    for one in harm[:20]:
        print(f"  {one['game']} {one['seed']}: {one['harm']}")
    return int(bool(harm))


if __name__ == "__main__":
    sys.exit(main())
