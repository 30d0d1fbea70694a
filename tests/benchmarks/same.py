"""Time the same hands in two trees; `beside --same` runs this script in each of them.

python -P same.py play|keep|time FOLDER

`play` writes a tree's own hands into the folder, `keep` drops those that this tree does not accept
without an error, and `time` measures both trees on what is left: acts, an undo, and reading a
record. It imports only what every older tree has as well.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

from rules.acts import Act
from rules.games import GAMES, find_game
from rules.match import Hand
from rules.records import parse_record, print_match
from rules.state import State
from tests.play import play_hand, play_match, start_for

HANDS, RECORDED = 20, 10
SEATS = 6
REPEATS = 5
"""Number of runs, of which the fastest counts: the machine may be busy."""
DEPTH = 100
"""Number of acts after which an undo is measured."""


def play(folder: Path) -> None:
    """Write the acts of some hands of every game, and the record of a match."""
    for name in sorted(GAMES):
        game = find_game(name)
        start = start_for(game, seats=SEATS)
        hands = [play_hand(game, start, random.Random(seed))[-1] for seed in range(HANDS)]
        lines = [[str(act) for act in hand.acts] for hand in hands]
        (folder / f"{name}.json").write_text(json.dumps(lines))
        match = play_match(game, start, random.Random(1), RECORDED)
        (folder / f"{name}.record").write_text(print_match(match))


def keep(folder: Path) -> None:
    """Keep only the hands that end here without an error, and the records that can be read."""
    for file in folder.glob("*.json"):
        kept = [lines for lines in json.loads(file.read_text()) if _fair(file.stem, lines)]
        file.write_text(json.dumps(kept))
        record = file.with_suffix(".record")
        if not kept or not _readable(record.read_text()):
            record.unlink()


def _fair(name: str, lines: list[str]) -> bool:
    try:
        last = _replayed(name, list(map(Act.parse, lines)))
    except ValueError:
        return False
    return last.over and not last.violations


def _readable(record: str) -> bool:
    try:
        parse_record(record)
    except ValueError:
        return False
    return True


def _replayed(name: str, acts: list[Act]) -> State:
    game = find_game(name)
    state: State = game.open(start_for(game, seats=SEATS))
    for act in acts:
        state = state.play(act)
    return state


def time(folder: Path) -> None:
    """Print one line per figure."""
    for file in sorted(folder.glob("*.json")):
        name = file.stem
        hands = [list(map(Act.parse, lines)) for lines in json.loads(file.read_text())]
        if not hands:
            continue
        acts, all_of = sum(map(len, hands)), partial(_all, name, hands)
        _tell(f"{name}: an act of {len(hands)} equal hands", seconds(all_of) / acts * 1e6, "µs")
        last = _replayed(name, max(hands, key=len))
        _tell(f"{name}: undo of the hundredth act", undone(last) * 1e3, "ms")
        record = file.with_suffix(".record")
        if record.exists():
            spent = seconds(partial(parse_record, record.read_text()))
            _tell(f"{name}: reading an equal record of {RECORDED} hands", spent * 1e3, "ms")


def _all(name: str, hands: list[list[Act]]) -> None:
    for acts in hands:
        _replayed(name, acts)


def undone(last: State) -> float:
    """Seconds for an undo at the end of a hand of `DEPTH` acts."""

    def work() -> None:
        hand = Hand(last.game, last.start)
        hand.acts, hand.state = list(last.acts), last
        hand.undo()

    return seconds(work) / len(last.acts) * DEPTH


def seconds(work: Callable[[], object]) -> float:
    """Processor time of the fastest of several runs."""
    spent = []
    for _ in range(REPEATS):
        begun = process_time()
        work()
        spent.append(process_time() - begun)
    return min(spent)


def _tell(what: str, value: float, unit: str) -> None:
    print(f"{what:<64} {value:10.3g} {unit}", flush=True)


if __name__ == "__main__":
    {"play": play, "keep": keep, "time": time}[sys.argv[1]](Path(sys.argv[2]))
