"""The settings: what is played, who sits where, and what the appliance is made of.

They are kept in one small TOML file, every part of which may be left out; the files that it names
are relative to its own folder, wherever a command is run::

    language = "it"

    [table]
    game = "GAME"          # as `mazziere games` names it
    # variant = "VARIANT"  of that game, if it has one
    seats = [1, 2, 4]      # or a number: 3 is [1, 2, 3]
    around = 6             # chairs at the table, taken or not
    dealer = 1
    dealer_at = 1          # the chair at the dealer's place, if the dealer has one
    banker = 4
    limits = [1, 20]
    level = "amounts"      # or none, or who
    # chips = "NAME"       # the taught chips that bets are laid with, where the camera sees them

    [stacks]
    1 = 100

    [house_rules]
    late_bets = false

    [camera]
    source = "pi"          # or a device's number, a video, a folder of pictures, virtual
    corners = [[12, 8], [1900, 10], [1908, 1070], [10, 1068]]
    size_mm = [1200, 675]
    # height_mm = 820      the height of the camera above the table, for counting chips
    markers = true         # printed markers lie in the corners

    [spots.GAME]           # how far spots were moved from their proposed places, in mm
    board = [0, -40]

    [journal]
    file = "mazziere.journal"
    keep_pictures_days = 7
    evening_ends_hours = 8    # without an act; 0: only when somebody ends it
    keep_evenings_days = 0    # closed ones; 0: for ever

    [console]
    on = true
    listen = "0.0.0.0:8080"   # an address of this machine, or all of them, and a port
    access = "mazziere.access"  # where the PINs' hashes are kept

    [voice]
    says = "calls"         # or silent, errors, all
    volume = 100           # a percentage, if the speech program can be told

    [wiring.buttons]
    ok = 5

    [mqtt]                 # other tables and home automation; see firmware/settings/broker.py
    on = false
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from firmware.errors import SettingsError
from firmware.files import write_whole
from firmware.settings.broker import Broker
from firmware.settings.entries import ENTRIES, WHOLE_TABLES, EntryReader, Point, table_lines
from firmware.settings.network import HOST, PORT
from firmware.settings.speech import SpeechLevel
from firmware.texts import DEFAULT
from rules.errors import RulesError
from rules.game import AnyGame
from rules.games import GAMES, called, find_game
from rules.start import Level, Start, pairs

FILE_MOST = 1_000_000
"""Largest settings file, in bytes: ours have fewer than two thousand. A choice."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that a person has configured for one table.

    >>> settings = Settings.from_mapping({"table": {"seats": 3, "limits": [1, 20]}})
    >>> settings.seats, settings.limits, settings.language
    ((1, 2, 3), (1, 20), 'en')
    >>> Settings.from_mapping({"table": {"seats": 900, "limits": [0, 5]}, "color": 1}, "my.toml")
    Traceback (most recent call last):
    firmware.errors.SettingsError: my.toml: table.seats: expected seats from 1 to 22, got 900;
    table.limits: limits want a minimum of at least 1 and a maximum not below it, got 0 5;
    color: no such setting
    """

    game: str | None = None
    variant: str | None = None
    seats: tuple[int, ...] = (1, 2, 3, 4)
    around: int | None = None
    dealer: int | None = None
    dealer_at: int | None = None
    banker: int | None = None
    limits: tuple[int, int] | None = None
    level: Level = Level.AMOUNTS
    chips: str | None = None
    """The name of the taught chips that bets are laid with; None if bets are spoken."""
    stacks: Mapping[int, int] = field(default_factory=dict)
    house_rules: Mapping[str, str] = field(default_factory=dict)
    language: str = DEFAULT
    camera: str = "pi"
    deck: str | None = None
    """The name of a regional or taught deck; None for cards with indices."""
    corners: tuple[Point, ...] = ()
    """The view's four corners in the picture, in pixels, clockwise from the upper left."""
    size_mm: Point = (1200.0, 675.0)
    height_mm: int | None = None
    """The camera's height above the table; None if nobody has measured it."""
    markers: bool = False
    """Whether markers lie in the corners, so that a moved camera is noticed."""
    spots: Mapping[str, Mapping[str, Point]] = field(default_factory=dict)
    """By game and spot, how far a spot was moved right and down, in mm."""
    journal: str = "mazziere.journal"
    keep_pictures_days: int = 7
    """How long the small pictures that explain an act are kept."""
    evening_ends_hours: int = 8
    """Hours without an act after which the evening is closed, between hands; 0 for never."""
    keep_evenings_days: int = 0
    """How long closed evenings are kept; 0 for ever."""
    console: bool = True
    """Whether the page for telephones and tablets is served."""
    listen: str = f"{HOST}:{PORT}"
    access: str = "mazziere.access"
    """The file with the hashes of the console's PINs."""
    says: SpeechLevel = SpeechLevel.CALLS
    """How much is spoken aloud."""
    volume: int = 100
    wiring: Mapping[str, object] = field(default_factory=dict)
    mqtt: Mapping[str, object] = field(default_factory=dict)
    folder: Path = field(default=Path(), compare=False)
    """The folder of the settings file; the paths in it are relative to this."""

    @classmethod
    def load(cls, path: Path | str) -> Settings:
        """The settings in a file; raises `SettingsError` listing every fault on one line."""
        return cls.from_mapping(read_table(path), str(path)).lying_in(Path(path).parent)

    @classmethod
    def from_mapping(cls, table: Mapping[str, object], where: str = "settings") -> Settings:
        """The settings in a table such as this module's example."""
        reader = EntryReader(table)
        values = reader.values()
        if "game" in values:
            values["game"] = called(values["game"])
        game = GAMES.get(values.get("game", ""))
        if game is not None:
            values.setdefault("seats", usual_seats(game))
        settings = cls(**values)
        faults = [*reader.faults, *(() if reader.faults else settings._joint_faults())]
        if faults:
            raise SettingsError(f"{where}: " + "; ".join(faults))
        return settings

    def _joint_faults(self) -> list[str]:
        """Report faults of settings that are each valid but do not go together."""
        faults = []
        try:
            rules = self.rules() if self.game else None
            start = self.start
            if rules is not None:
                rules.open(start)
        except RulesError as error:
            faults.append(f"table: {error}")
        most = max(self.seats)
        if self.around is not None and self.around < most:
            faults.append(f"table.around: expected at least {most} chairs, got {self.around}")
        if self.dealer_at is not None and self.dealer_at > (self.around or most):
            faults.append(f"table.dealer_at: the table has no chair {self.dealer_at}")
        return faults

    @property
    def start(self) -> Start:
        """How the first hand starts; raises `StartError` if it cannot.

        Unless somebody else is named, the first seat deals, and holds the bank if there is one.
        """
        banked = self.game in GAMES and GAMES[self.game].banked
        return Start(
            seats=self.seats,
            dealer=self.dealer or (None if banked else self.seats[0]),
            banker=self.banker or (self.seats[0] if banked else None),
            limits=self.limits,
            level=self.level,
            stacks=pairs(self.stacks),
        )

    @property
    def moved(self) -> Mapping[str, Point]:
        """How far the spots of the chosen game were moved, in mm."""
        return self.spots.get(self.game or "", {})

    @property
    def broker(self) -> Broker:
        """The broker that the table publishes to, if any."""
        broker = Broker.from_mapping(self.mqtt)
        return replace(
            broker,
            password_file=self._beside(broker.password_file),
            ca_file=self._beside(broker.ca_file),
        )

    def _beside(self, file: str) -> str:
        return str(self.folder / file) if file else ""

    @property
    def journal_file(self) -> Path:
        """The journal's file."""
        return self.folder / self.journal

    @property
    def access_file(self) -> Path:
        """The file with the hashes of the console's PINs."""
        return self.folder / self.access

    def lying_in(self, folder: Path) -> Settings:
        """The same settings, read from a file in that folder.

        >>> Settings().lying_in(Path("/var/lib/table")).journal_file.as_posix()
        '/var/lib/table/mazziere.journal'
        """
        return replace(self, folder=folder)

    def plays_as(self, other: Settings) -> bool:
        """Whether these settings differ from the `other` ones only in what the camera sees."""
        seeing = ("corners", "size_mm", "markers", "spots", "chips", "deck")
        return replace(self, **{name: getattr(other, name) for name in seeing}) == other

    def rules(self) -> AnyGame:
        """The game with its house rules; raises `SettingsError` if none is chosen."""
        if self.game is None:
            raise SettingsError("no game is chosen: name one, or set table.game in the settings")
        return find_game(self.game, self.house_rules, self.variant or "")

    def save(self, path: Path | str) -> None:
        """Write the settings atomically: a power cut leaves either the old file or the new one."""
        target = Path(path)
        try:
            write_whole(target, self.text())
        except OSError as error:
            raise SettingsError(f"{path}: cannot be written: {error.strerror}") from error

    def text(self) -> str:
        """The settings as TOML, defaults omitted."""
        plain, tables = Settings(), dict[str, dict[str, object]]()
        for entry in ENTRIES:
            value = getattr(self, entry.field)
            if value != getattr(plain, entry.field):
                tables.setdefault(entry.section, {})[entry.key] = value
        for name in WHOLE_TABLES:
            if getattr(self, name):
                tables[name] = dict(getattr(self, name))
        return "\n".join(table_lines(name, table) for name, table in tables.items())


def read_table(path: Path | str) -> dict[str, object]:
    """The raw contents of a settings file; raises `SettingsError` if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(FILE_MOST + 1)
        if len(data) > FILE_MOST:
            raise SettingsError(f"{path}: expected settings of up to {FILE_MOST} bytes")
        return tomllib.loads(data.decode("utf-8"))
    except SettingsError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SettingsError(f"{path}: cannot be read: {reason}") from error


def usual_seats(game: type[AnyGame]) -> tuple[int, ...]:
    """Four seats, or as close to four as the game allows."""
    count = min(max(4, game.players.start), game.players.stop - 1)
    return tuple(range(1, count + 1))
