"""Lose random hands, and recover them by presses alone.

    python -m tests.lost --hands 1000 --log lost.log

A hand is followed to some moment; then the table is shown as it was at another moment, or with a
few cards changed, as after a covered camera. The loop looks at it, and OK is pressed whenever its
lamp blinks. Each hand is one line of the log; hands already logged are skipped.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware.follow.anew import LOST
from firmware.follow.differences import difference
from firmware.follow.homes import Homes
from firmware.follow.lifted import unseen
from firmware.follow.loop import Loop
from firmware.store.ledger import TYPED, Ledger, Step
from hardware.press import Button, Held, Pressed
from rules.acts import Layout
from rules.cards import BACK
from rules.game import AnyGame
from rules.match import Match
from rules.records import parse_record, print_match
from rules.start import Level
from tests.felt import FRAME_S, Plain, lying
from tests.play import play_hand, start_for
from tests.resuming import every_game, layout_of, perturbed
from vision.sightings import Seen

TOLD_S = 5.0
"""The latest that a table that is not understood may be reported after it has come to rest."""
WAITED_S = 15.0
"""How long to wait for a report."""
PRESSES_MOST = 6


@dataclass(frozen=True)
class Outcome:
    """The outcome of one hand: how and when it was reported, and how many presses it took."""

    how: str
    seconds: float
    presses: int
    back: bool

    def __str__(self) -> str:
        return f"{self.how} {self.seconds:.1f} {self.presses} {'back' if self.back else 'NOT-BACK'}"


@dataclass(frozen=True)
class Commit:
    """How many cards differed before and after acts were taken in, and the spots explained."""

    before: int
    after: int
    places: frozenset[str]


class Table:
    """A loop and the table that it sees."""

    def __init__(self, match: Match, layout: Layout) -> None:
        self.loop = Loop(Ledger(match, now=lambda: 0.0), Plain())
        self.time = 0.0
        self._homes = Homes()
        self.show(layout)

    def show(self, layout: Layout) -> None:
        """Show this layout from now on."""
        self.spots = {
            spot: tuple(lying(str(card), place) for place, card in enumerate(cards))
            for spot, cards in layout
        }

    def commits(self, looks: int) -> list[Commit]:
        """The commits made during this many looks."""
        found = []
        for _ in range(looks):
            before, off, acts = self.off_by, self._off, len(self.loop.ledger.taken)
            self.look()
            if len(self.loop.ledger.taken) > acts:
                explained = frozenset(off - self._off)
                found.append(Commit(before, self.off_by, explained))
        return found

    @property
    def _off(self) -> Counter[str]:
        """How many cards differ between the table and the followed hand, by spot."""
        state, known = self.loop.state, self.loop.looking.under
        seen = {
            spot: (*(one.card for one in cards), *[BACK] * known.get(spot, 0))
            for spot, cards in self._named.spots.items()
        }
        change = difference(state, seen, seen.keys() & state.spots.keys())
        heaps = (*change.came.items(), *change.left.items())
        return Counter(spot for spot, cards in heaps for _ in cards)

    def look(self) -> None:
        self.time += FRAME_S
        self.loop.see(self.seen)

    @property
    def lies_as_followed(self) -> bool:
        return not self.off_by

    @property
    def off_by(self) -> int:
        """How many cards differ between the table and the followed hand.

        A player's hidden cards may lie under one another: one visible back stands for all of them,
        and cards known to be underneath count as present.
        """
        state, look, known = self.loop.state, self._named, self.loop.looking.under
        seen = {
            spot: (*(one.card for one in cards), *[BACK] * known.get(spot, 0))
            for spot, cards in look.spots.items()
        }
        places = look.spots.keys() & state.spots.keys() - known.keys()
        under = sum(unseen(state, spot, look) for spot in places if BACK in seen[spot])
        return difference(state, seen, {*places, *known} & state.spots.keys()).size - under

    @property
    def _named(self) -> Seen:
        """What is seen, with each meld under the name of the spot that it belongs to."""
        return self._homes.named(self.loop.state, self.seen)

    @property
    def seen(self) -> Seen:
        return Seen(self.spots, frozenset(), (), self.time)

    def wait(self) -> str:
        """Look until the table matches the followed hand or something is reported; return which."""
        until = self.time + WAITED_S
        while self.time < until:
            self.look()
            if self.loop.question is not None:
                key = self.loop.question.key
                return "lost" if isinstance(key, tuple) and key[0] == LOST else "asked"
            if self.lies_as_followed:
                return "slip" if self.loop.state.open_violations else "followed"
        return "silent"

    def press(self, button: Button = Button.OK) -> None:
        self.loop.button(Pressed(button, self.time))


def lose(game: AnyGame, seed: int) -> Outcome:
    """Lose one hand and recover it."""
    dice = random.Random(f"{game}-{seed}")
    states = play_hand(game, start_for(game, level=dice.choice(list(Level))), dice)
    here, there = dice.randrange(1, len(states) - 1), dice.choice(states)
    layout = layout_of(there)
    if dice.random() < 0.5:
        layout = perturbed(layout, list(game.deck(there.start)), dice)
    match = Match(game, states[0].start)
    table = Table(match, layout)
    table.loop.ledger.take([Step(act.observed()) for act in states[-1].acts[:here]], TYPED)
    how, presses = table.wait(), 0
    seconds = table.time
    while not table.lies_as_followed and presses < PRESSES_MOST:
        table.press()
        presses += 1
        table.wait()
    back = table.lies_as_followed
    assert _repeats(table), "the record is not what was followed"
    return Outcome(how, seconds, presses, back)


def _repeats(table: Table) -> bool:
    """Whether the record reads back as the same match, and the last step can be undone."""
    text, state = print_match(table.loop.match), table.loop.state
    if parse_record(text).match.state != state:
        return False
    before = len(table.loop.ledger.taken)
    table.loop.button(Held(Button.FIX, table.time))
    return table.loop.question is None or len(table.loop.ledger.taken) <= before


def _done(log: Path | None) -> set[tuple[str, int]]:
    if log is None or not log.exists():
        return set()
    words = (line.split() for line in log.read_text("utf-8").splitlines())
    return {(game, int(seed)) for game, seed, *_ in words}


def _tries(hands: int, first: int, only: str | None) -> Iterator[tuple[str, AnyGame, int]]:
    for seed in range(first, first + hands):
        for game in every_game():
            name = game.name + "".join(f"+{rule}" for rule in _variant(game))
            if only in (None, name):
                yield name, game, seed


def _variant(game: AnyGame) -> Iterator[str]:
    for name, rules in game.variants.items():
        if type(game)(**rules) == game:
            yield name


def main() -> int:
    """Try the hands asked for of every game; exit status 1 if one is reported late or not
    recovered.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--game")
    parser.add_argument("--shard", default="1/1", help="the share of the work to do, as 1/4")
    parser.add_argument("--log", type=Path)
    asked = parser.parse_args()
    done, told, bad = _done(asked.log), Counter[str](), 0
    part, parts = map(int, asked.shard.split("/"))
    tries = list(_tries(asked.hands, asked.first, asked.game))[part - 1 :: parts]
    for name, game, seed in tries:
        if (name, seed) in done:
            continue
        outcome = lose(game, seed)
        line = f"{name} {seed} {outcome}"
        if asked.log is not None:
            with asked.log.open("a", encoding="utf-8") as file:
                print(line, file=file)
        told[outcome.how] += 1
        late = outcome.seconds > TOLD_S + FRAME_S
        bad += not outcome.back or late
        if not outcome.back or late:
            print(line, flush=True)
    print(f"{sum(told.values())} hands, {bad} reported late or not recovered: {dict(told)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
