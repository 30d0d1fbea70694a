"""`mazziere new-game`: the skeleton of a game, in a checkout of the source.

It writes a small complete game (one card each, everybody pays the highest), so that every test
passes before the first change: its rules, its sentences in both languages, six records with their
settlements, a test file, and its entries in the register and the README. From there,
``rules/ADDING-A-GAME.md`` is the guide.
"""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from firmware.errors import UsageError
from rules import games
from rules.game import AnyGame
from rules.games import GAMES
from rules.match import Match
from rules.records import print_match
from rules.settlement import Settlement
from rules.spots import DECK
from rules.start import Level, Start
from rules.state import State

SKELETON = Path(__file__).parent / "skeleton"
RECORDS = 6
"""The number of records that the tests require of each game. Follows from the tests."""
Mark: TypeAlias = tuple[str, str]
"""A text in a file, and its replacement."""
_PLAYED = re.compile(r"hand-[1-6]\]")
_IMPORT = re.compile(r"^from rules\.games\..*\n", re.MULTILINE)
_ROW = re.compile(r"^\| `[a-z-]+` \|.*\n", re.MULTILINE)
NOT_TRIED = " not tried |"
"""A cell of the README's table of games before the game has been measured."""
_NAME = re.compile(r"[a-z]+(-[a-z]+)*")


@dataclass(frozen=True)
class Skeleton:
    """A new game to be written into the source at `root`.

    >>> Skeleton("high-card", Path()).module, Skeleton("high-card", Path()).kind
    ('high_card', 'HighCard')
    """

    name: str
    root: Path

    @property
    def module(self) -> str:
        """The name of its file in `rules.games`."""
        return self.name.replace("-", "_")

    @property
    def title(self) -> str:
        """The name as a heading."""
        return self.name.replace("-", " ").title()

    @property
    def kind(self) -> str:
        """The name of its class."""
        return self.title.replace(" ", "")

    @property
    def prefix(self) -> str:
        """The prefix of its identifiers: the first word, as in every game."""
        return self.name.split("-", maxsplit=1)[0]

    def check(self) -> None:
        """Raise `UsageError` unless the game can be written here."""
        if not _NAME.fullmatch(self.name):
            raise UsageError(f"expected a name of small letters and hyphens, got {self.name!r}")
        if self.name in GAMES:
            raise UsageError(f"there is a game {self.name!r} already")
        for part in ("rules/games/__init__.py", "tests/records", "README.md"):
            if not (self.root / part).exists():
                raise UsageError(f"expected a checkout of the source in {self.root}: no {part}")
        if not (self.root / "rules/games/__init__.py").samefile(games.__file__):
            # The running program plays its six hands, so it has to be the one that will know the
            # game.
            raise UsageError(
                f"expected the program of {self.root}, got that of "
                f"{Path(games.__file__).parents[2]}: in the former, run "
                f"python -m firmware new-game {self.name}"
            )

    def filled(self, template: str) -> str:
        """A file of the skeleton with the game's names filled in."""
        text = (SKELETON / f"{template}.txt").read_text("utf-8")
        marks = {"NAME": self.name, "TITLE": self.title, "CLASS": self.kind}
        marks |= {"MODULE": self.module, "PREFIX": self.prefix}
        for mark, value in marks.items():
            text = text.replace(f"@{mark}@", value)
        return text


def new_game(name: str, root: Path) -> Iterator[str]:
    """Write the skeleton of game `name`; yields each path written or changed.

    Raises `UsageError` if the name is taken or `root` is not a checkout.
    """
    skeleton = Skeleton(name, root)
    skeleton.check()
    files = {
        f"rules/games/{skeleton.module}.py": "game",
        f"tests/test_rules_{skeleton.module}.py": "test",
        f"firmware/texts/en.{skeleton.module}.toml": "en",
        f"firmware/texts/it.{skeleton.module}.toml": "it",
    }
    for path, template in files.items():
        (root / path).write_text(skeleton.filled(template), "utf-8")
        yield path
    yield from _entered(skeleton)
    module = importlib.import_module(f"rules.games.{skeleton.module}")
    yield from _recorded(getattr(module, skeleton.kind)(), root)


def recorded(name: str, root: Path) -> Iterator[str]:
    """Play six hands of game `name` and write them down; yields each path written.

    The game's other records, and their settlements, are kept. Raises `UsageError` if there is no
    such game, or if `root` is not a checkout.
    """
    if name not in GAMES:
        raise UsageError(f"there is no game {name!r} in the register")
    if not (root / "tests/records").exists():
        raise UsageError(f"expected a checkout of the source in {root}: no tests/records")
    return _recorded(GAMES[name](), root)


def _entered(skeleton: Skeleton) -> Iterator[str]:
    """The game's entries in the files that list every game."""
    register = skeleton.root / "rules/games/__init__.py"
    _change(register, [_imported(register.read_text("utf-8"), skeleton)])
    for path, *marks in _entries(skeleton.name, skeleton.kind):
        _change(skeleton.root / path, marks)
        yield path
    row = _last_row(skeleton.root / "README.md")
    _change(skeleton.root / "README.md", [(row, row + f"| `{skeleton.name}` |{NOT_TRIED * 5}\n")])
    yield "README.md"


def _imported(register: str, skeleton: Skeleton) -> Mark:
    """Where the register imports the game, in alphabetical order."""
    line = f"from rules.games.{skeleton.module} import {skeleton.kind}\n"
    later = next((one for one in _IMPORT.findall(register) if one > line), "\nGAMES: dict")
    return later, line + later


def _entries(name: str, kind: str) -> Iterator[tuple[str, *tuple[Mark, ...]]]:
    """The files that list every game, each with its marks and their replacements."""
    yield "rules/games/__init__.py", ("    )\n}", f"        {kind},\n    )\n}}")
    yield "tests/test_readme.py", ("    ]\n)", f'        "{name}",\n    ]\n)')
    readings = "READINGS: dict[str, Reading] = {\n"
    yield "tests/liberties/__init__.py", (readings, f'{readings}    "{name}": none_given,\n')
    house = f'[house.{name}]\nstake = "Quanto paga ciascuno alla carta più alta."\n\n[values]'
    yield "firmware/texts/console.it.toml", ("[values]", house)


def _last_row(readme: Path) -> str:
    """The last row of the table of games; raises `UsageError` if there is no such table."""
    rows = _ROW.findall(readme.read_text("utf-8"))
    if not rows:
        raise UsageError(f"{readme}: expected a table of games, where the game is entered")
    return str(rows[-1])


def _change(path: Path, changes: Iterable[Mark]) -> None:
    """Replace the first occurrence of each mark; raises `UsageError` if one is missing."""
    text = path.read_text("utf-8")
    for mark, instead in changes:
        if mark not in text:
            raise UsageError(f"{path}: expected {mark.strip()!r}, where the game is entered")
        text = text.replace(mark, instead, 1)
    path.write_text(text, "utf-8")


def _recorded(game: AnyGame, root: Path) -> Iterator[str]:
    """Play six hands at random and write them with their settlements."""
    folder = root / "tests" / "records" / game.name
    folder.mkdir(exist_ok=True)
    settled = [_others(folder / "settlements.toml")]
    matches = [_played(game, seed) for seed in range(1, RECORDS + 1)]
    for seed, match in enumerate(matches, 1):
        (folder / f"hand-{seed}.txt").write_text(print_match(match), "utf-8")
        settled.append(f"\n[hand-{seed}]\n{_settled(match.settlements[0])}")
        yield f"tests/records/{game.name}/hand-{seed}.txt"
    (folder / "settlements.toml").write_text("\n".join(settled) + "\n", "utf-8")
    yield f"tests/records/{game.name}/settlements.toml"


def _settled(settlement: Settlement) -> str:
    """What a hand settles, as an entry in the table of settlements: chips, and points if any."""
    entry = f"net = [{_by_seat(settlement.net)}]"
    return f"{entry}\nscores = [{_by_seat(settlement.scores)}]" if settlement.scores else entry


def _by_seat(amounts: Mapping[int, int]) -> str:
    """A TOML table with each seat's amount."""
    return f"{{{', '.join(f'{seat} = {amount}' for seat, amount in amounts.items())}}}"


def _others(file: Path) -> str:
    """The settlements of the records that were written by hand."""
    if not file.exists():
        return "# What the records beside this file settle; check each by hand."
    first, *entries = file.read_text("utf-8").rstrip().split("\n\n[")
    kept = [entry for entry in entries if not _PLAYED.match(entry)]
    return "\n\n[".join([first, *kept])


def _played(game: AnyGame, seed: int) -> Match:
    """One hand of legal acts chosen at random; raises `UsageError` if the rules leave no act."""
    dice = random.Random(seed)
    seats = tuple(range(1, max(3, game.players.start) + 1))
    bank, deal = (1, None) if game.banked else (None, 1)
    start = Start(seats=seats, dealer=deal, banker=bank, level=Level.AMOUNTS, limits=(1, 20))
    match = Match(game, start)
    deck = list(game.deck(match.hand.start))
    dice.shuffle(deck)
    while len(match.hands) == 1:
        state: State = match.state
        options = list(state.options(deck))
        if not options:
            raise UsageError(_stuck(state, seed))
        act = dice.choice(options)
        for move in state.trace(act):
            if move.source == DECK:
                deck.remove(move.card)
        match.play(act)
    return match


def _stuck(state: State, seed: int) -> str:
    """Where a hand played at random gets stuck, and what the rules are waiting for."""
    waits = ", ".join(one.verb.value for one in state.turn) or "nothing"
    last = "; ".join(str(act) for act in state.acts[-3:])
    return (
        f"hand {seed} stops after {len(state.acts)} acts ({last}), while {state.phase}: "
        f"the turn awaits {waits}, and no card in play fits"
    )
