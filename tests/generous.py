"""A deliberately generous reading of the rule documents: whatever they leave open, somebody does.

Any order that a document does not fix, any number that it does not limit and every liberty that it
gives is chosen from what is on the table, not from what the engine expects; nothing of it may be
flagged. `tests.liberties` has a reading of each document; here these are played, with cards moving
in any portions as well. To play 500 matches of every game and variant::

python -m tests.generous --matches 500

It notes its progress and resumes there after an interruption; after a change of the code it starts
afresh.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from rules.acts import Act, Verb
from rules.cards import parse_cards
from rules.errors import ActError, StartError
from rules.game import AnyGame
from rules.games import GAMES
from rules.start import Level, Start, pairs
from rules.state import State
from rules.stock import StockGame
from rules.turn import FROM_DECK, Awaited
from tests.liberties import READINGS
from tests.nightly import ROOT, commit
from tests.play import ACTS_MOST, CHIP_GAMES, Dealer, start_for, variations

OFTEN = 0.6
"""How often a liberty is taken if a document gives one; otherwise play takes its usual course."""
PORTIONED = 0.3
"""How often an act that may move fewer or more cards than usual does."""
CROWDED = 0.05
"""How often the table is as full as allowed; large tables take longer."""
IN_PORTIONS = frozenset(
    {Verb.DEAL, Verb.SHOW, Verb.TURN, Verb.LAY, Verb.TAKE, Verb.DISCARD, Verb.MOVE}
)
"""Acts whose cards no document requires to be moved at once."""
MELDED = frozenset(name for name, game in GAMES.items() if issubclass(game, StockGame))
"""Games in which cards must go together: only their deal has portions."""
SHORT = frozenset(name for name in CHIP_GAMES if not GAMES[name].banked)
"""Games in which chips may run out in the middle of a hand."""
NATURALS = tuple(
    map(
        parse_cards,
        (
            "2C 3D 4H 5S 6C 7D 8H 9S TC JD QH KS AC",
            "2D 2H 4C 4S 6D 6H 8C 8S TD TH QC QS KC",
            "3C 7C 9C 2S 4S 7S 8S TS 2H 3H 6H 9H JH",
        ),
    )
)
"""A dragon, six pairs and three flushes: rare hands, to which the document devotes much space."""
LEVELS = (Level.AMOUNTS, Level.AMOUNTS, Level.AMOUNTS, Level.WHO, Level.NONE)
STEP = 25
"""Number of tables between two lines of the log."""


@dataclass
class Generous(Dealer):
    """A table where every liberty that a document gives is taken."""

    often: float = OFTEN
    portioned: float = PORTIONED
    taken: int = 0

    def shuffle(self, game: AnyGame, start: Start) -> None:
        """Where naturals count, put one in front now and then."""
        super().shuffle(game, start)
        if game.name == "chinese-poker":
            for natural in self.dice.sample(NATURALS, self.dice.randint(0, 2)):
                rest = [card for card in self.deck if card not in natural]
                if len(rest) + len(natural) == len(self.deck):
                    self.deck = [*natural, *rest]

    def choose(self, state: State) -> Act:
        """A liberty, another portion, any amount between two bounds, or the usual act."""
        found = list(READINGS[state.game.name](state, self.deck, self.dice))
        if found and self.dice.random() < self.often:
            self.taken += 1
            return self.dice.choice(found)
        if self.dice.random() < self.portioned:
            acts = [act for one in state.turn for act in self._portioned(state.game.name, one)]
            if acts := [act for act in acts if self._meant(state, act)]:
                return self.dice.choice(acts)
        return self._amount(state, super().choose(state))

    def _portioned(self, game: str, one: Awaited) -> Iterator[Act]:
        """The same acts with other numbers of cards."""
        if one.verb not in IN_PORTIONS or one.from_deck:
            return
        if game in MELDED and one.verb is not Verb.DEAL:
            return
        count = self.dice.randint(1, max(one.pick, *(one.counts or (1,))))
        if one.verb in FROM_DECK:
            cards = self.deck[:count]
        else:
            cards = self.dice.sample(list(one.among or ()), min(count, len(one.among or ())))
        for spot in one.spots or (None,):
            for seat in one.seats or (None,):
                if (
                    cards
                    and len(cards) == count
                    and (one.among is None or set(cards) <= set(one.among))
                ):
                    yield one.fill(cards, seat=seat, spot=spot)

    def _meant(self, state: State, act: Act) -> bool:
        """Whether the cards are there and the act breaks no rule out of sight, now or later."""
        try:
            state.verify(act)
        except ActError:
            return False
        if state.game.conceals(state, act) is not None:
            return False
        return act.verb is not Verb.LAY or self._completed(state.play(act), act.seat)

    def _completed(self, state: State, seat: int | None) -> bool:
        """Whether `seat` can still lay everything it has to without breaking a rule."""
        if not any(one.verb is Verb.LAY and seat in one.seats for one in state.turn.awaited):
            return True
        lays = (one for one in state.options(self.deck) if one.verb is Verb.LAY)
        return any(self._completed(state.play(one), seat) for one in lays if one.seat == seat)

    def _amount(self, state: State, usual: Act) -> Act:
        """Any number from the least to the greatest."""
        ranges = [one.numbers for one in state.turn if one.admits(usual) and one.numbers]
        if not ranges or len(usual.numbers) != 1 or usual.words:
            return usual
        other = replace(usual, numbers=(self.dice.randint(*ranges[0]),))
        return other if state.allows(other) else usual


def flagged(game: AnyGame, start: Start, dice: random.Random) -> tuple[list[str], int]:
    """Everything flagged in one hand, with what led to it, and the number of liberties taken."""
    table = Generous(dice)
    table.shuffle(game, start)
    state: State = game.open(start)
    while not state.over and len(state.acts) < ACTS_MOST:
        chosen = table.choose(state)
        try:
            after = state.play(chosen)
        except ActError as error:
            return [f"{game}: {error}"], table.taken
        if after.open_violations:
            rules = ", ".join(one.rule for one in after.open_violations)
            return [f"{game}, {state.phase}: '{chosen}' is flagged as {rules}"], table.taken
        table.follow(state, chosen)
        state = after
    return [] if state.over else [f"{game}: no end after {ACTS_MOST} acts"], table.taken


def units() -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Every game and every variant, with its house rules."""
    return {
        f"{name}/{variant}" if variant else name: (name, rules)
        for name in sorted(GAMES)
        for variant, rules in (("", {}), *GAMES[name].variants.items())
    }


def table(unit: str, number: int) -> tuple[AnyGame, Start, random.Random]:
    """Table `number` of a unit, cycling over its variations, levels and numbers of players."""
    name, preset = units()[unit]
    dice = random.Random(f"{unit}{number}")
    games = list(variations(name, **preset))
    game = games[number % len(games)]
    most = game.players.stop - 1
    more: dict[str, Any] = {}
    if name == "three-thirteen":
        more["notes"] = (("cards", str(dice.randint(3, 13))),)
    if name == "rams":
        more["pot"] = 5 * dice.randint(0, 4)
    if name in ("tribello", "fipsen"):
        more["notes"] = (("deal", str(dice.randint(1, 12))),)
    level = Level.AMOUNTS if "pot" in more else dice.choice(LEVELS)
    seats = most if dice.random() < CROWDED else dice.randint(2, 6)
    return game, _rarely(_seated(game, level, seats, more), name, dice), dice


def _rarely(start: Start, name: str, dice: random.Random) -> Start:
    """Add what is rare at a table: few chips, or a hand in fantasyland."""
    if name in SHORT and start.level is Level.AMOUNTS and dice.random() < 0.3:
        return replace(start, stacks=pairs({seat: dice.randint(1, 40) for seat in start.seats}))
    due = [str(seat) for seat in start.seats if dice.random() < 0.3]
    dreams = name == "open-face-chinese-poker" and due
    return start.noting(fantasyland=" ".join(due)) if dreams else start


def _seated(game: AnyGame, level: Level, seats: int, more: dict[str, Any]) -> Start:
    """A start with `seats` players, or as many as the house rules allow."""
    start = start_for(game, level, seats=seats, **more)
    try:
        game.open(start)
    except StartError:
        return _seated(game, level, seats - 1, more)
    return start


def tables(unit: str, matches: int) -> Iterator[tuple[AnyGame, Start, random.Random]]:
    """The first tables of a unit."""
    return (table(unit, number) for number in range(matches))


@dataclass
class Tally:
    """The progress of one unit."""

    unit: str
    hands: int = 0
    liberties: int = 0
    faults: list[str] = field(default_factory=list)

    def play(self) -> None:
        """Play one more table."""
        faults, taken = flagged(*table(self.unit, self.hands))
        self.hands += 1
        self.liberties += taken
        self.faults += [f"{self.hands - 1}: {fault}" for fault in faults]

    def line(self) -> str:
        """The line printed for the unit."""
        told = f"{self.hands} hands, {self.liberties} liberties, {len(self.faults)} flagged"
        return f"{self.unit:28} {told}"


def noted(log: Path) -> dict[str, Tally]:
    """The progress of an interrupted run."""
    lines = log.read_text().splitlines() if log.exists() else []
    return {one.unit: one for one in (Tally(**json.loads(line)) for line in lines)}


def run(unit: str, matches: int, log: Path, tally: Tally) -> Tally:
    """Play a unit to its end, noting the progress every few tables."""
    while tally.hands < matches:
        tally.play()
        if tally.hands % STEP == 0 or tally.hands >= matches:
            with log.open("a") as lines:
                print(json.dumps(asdict(tally)), file=lines)
            if tally.hands < matches:
                print(tally.line(), end="\r", flush=True)
    return tally


def main() -> int:
    """Play and print; the exit status is 1 if anything was flagged."""
    parser = argparse.ArgumentParser("python -m tests.generous", description=__doc__)
    parser.add_argument("--matches", type=int, default=500, help="tables of each game and variant")
    parser.add_argument("--game", action="append", choices=units(), help="these only")
    parser.add_argument("--log", type=Path, help="where to note the progress")
    options = parser.parse_args()
    log = options.log or ROOT / "build" / "generous" / f"{commit()}.jsonl"
    log.parent.mkdir(parents=True, exist_ok=True)
    before, wrong = noted(log), 0
    for unit in options.game or units():
        tally = run(unit, options.matches, log, before.get(unit, Tally(unit)))
        wrong += len(tally.faults)
        print(tally.line(), flush=True)
        for one in tally.faults[:3]:
            print(f"    {one}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
