"""What is rehearsed: which game, on which table, watched by whom."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.errors import UsageError
from firmware.eye import Chips, crops_of, tracker_of
from firmware.follow.taking import Crop
from firmware.rehearsal.deck import Drawn
from firmware.rehearsal.handling import NONE, Manner
from firmware.rehearsal.slips import SLIPS
from firmware.rehearsal.staking import CHIP_SLIPS
from firmware.rehearsal.tabletop import Tabletop
from firmware.settings.settings import Settings
from firmware.table.optics import Optics
from firmware.table.places import Places
from rules.cards import Deck
from rules.game import AnyGame
from rules.games import GAMES
from rules.start import Level, Start
from vision.chips.seen import SeenChips
from vision.draw import annotate
from vision.picture.geometry import Polygon
from vision.picture.plane import Plane
from vision.reader import KnownDeck
from vision.scene.regional import Kind, forty
from vision.scene.sensor import SENSORS, Sensor
from vision.scene.sensor_camera import SimulatedCamera
from vision.sightings import Seen

RATE_HZ = 10.0
"""Pictures per second: a Raspberry Pi easily reads this many, and a hand is over the table for
several of them.
"""
SENSOR = "clean"
"""The camera above the table, unless another of `SENSORS` is chosen."""
LIMITS = (1, 20)
"""The smallest and the largest bet by default."""


class Watcher(Protocol):
    """Something that looks at the simulated table."""

    def look(self, now: float) -> tuple[Seen, Crop | None]:
        """What is where at `now` seconds, and how to cut pictures of it."""

    def watch(self, spots: Mapping[str, Polygon], deck: Deck) -> None:
        """Look at other spots from now on."""


class CameraWatcher:
    """The real reader behind the simulated camera; keeps the pictures in which something changed.

    `pictures` is a folder; the kept pictures are numbered, with the reader's answers drawn in.
    """

    def __init__(
        self,
        table: Tabletop,
        spots: Mapping[str, Polygon],
        deck: Deck,
        *,
        camera: SimulatedCamera | None = None,
        pictures: Path | None = None,
        known: KnownDeck | None = None,
        chips: Chips | None = None,
    ) -> None:
        self._table = table
        self._camera = camera or SimulatedCamera(SENSORS["clean"])
        self._tracker = tracker_of(spots, Plane(table.matrix), deck, known, chips)
        self._pictures = pictures
        self.optics = Optics()
        self._kept = 0
        self._last: Mapping[str, object] | None = None
        self._seen = Seen({}, frozenset(spots), (), 0.0)
        self._crop: Crop | None = None
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)

    def watch(self, spots: Mapping[str, Polygon], deck: Deck) -> None:
        """Look at other spots from now on."""
        self._tracker.watch(spots, deck)

    def watch_bets(self, places: Mapping[str, Polygon]) -> None:
        """Look for chips at other places from now on."""
        self._tracker.watch_bets(places)

    def count(self, counted: Sequence[tuple[SeenChips, int]]) -> None:
        """Take in how many chips are in stacks that were reported."""
        for chips, number in counted:
            self._tracker.count(chips, number)

    def look(self, now: float) -> tuple[Seen, Crop | None]:
        """What the tracker makes of the pictures that have come by `now`: usually one."""
        if not self._camera.locked:
            self._camera.lock()  # before each picture until the light has settled, as on a device
        still = not self._table.moving(now)
        for frame, time_s in self._camera.pictures(self._table.frame, now, still=still):
            self._take(frame, time_s)
        return self._seen, self._crop

    def _take(self, frame: NDArray[np.uint8], time_s: float) -> None:
        self.optics.show(frame)
        seen = self._tracker.update(frame, time_s)
        self._seen, self._crop = seen, crops_of(frame)
        if self._pictures is not None and not seen.busy and seen.spots != self._last:
            self._last = seen.spots
            self._kept += 1
            file = self._pictures / f"{self._kept:04d}.jpg"
            cv2.imwrite(str(file), annotate(frame, seen))


Watches = Callable[[Tabletop, Mapping[str, Polygon], Deck], Watcher]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is rehearsed: the game and table from the settings, and which slips are made."""

    settings: Settings
    game: AnyGame
    start: Start
    seed: int = 0
    slips: tuple[str, ...] = ()
    deck: Drawn | None = None
    """The deck without indices to play with; None for one with indices."""
    handling: str = NONE
    """How people handle cards: a manner, or one habit to be shown once (see `HABITS`)."""
    without: frozenset[str] = frozenset()
    """The habits that nobody has."""
    rate_hz: float = RATE_HZ
    sensor: Sensor = SENSORS[SENSOR]
    """The camera above the table."""
    unsure: float = 0.0
    """The share of stacks of chips that are reported only as a range."""

    @classmethod
    def of(
        cls,
        settings: Settings,
        *,
        seed: int = 0,
        slips: bool | Sequence[str] = False,
        deck: Drawn | None = None,
        handling: str = NONE,
        without: Collection[str] = (),
        sensor: str = SENSOR,
        unsure: float = 0.0,
    ) -> Plan:
        """A plan from a person's settings; without a game, the first one.

        `slips` names the slips to make (see `SLIPS`), or says whether to make all of them. Raises
        `UsageError`, `SettingsError` or `RulesError` for an impossible plan.
        """
        chosen = _chosen(slips, (*SLIPS, *(CHIP_SLIPS if settings.chips else ())))
        Manner.of(handling, seed)
        if sensor not in SENSORS:
            raise UsageError(f"no camera {sensor!r}; there are {', '.join(SENSORS)}")
        settings = _completed(settings)
        game, start = settings.rules(), settings.start
        game.open(start)
        strange = set(game.deck(start).cards) - set(forty())
        if isinstance(deck, Kind) and strange:
            first = min(map(str, strange))
            raise UsageError(f"{game.name} needs cards that a deck of forty does not have: {first}")
        return cls(
            settings=settings,
            game=game,
            start=start,
            seed=seed,
            slips=chosen,
            deck=deck,
            handling=handling,
            without=frozenset(without),
            sensor=SENSORS[sensor],
            unsure=unsure,
        )

    def again(self, settings: Settings) -> Plan:
        """The same people with the same camera at another table.

        They keep their deck if it has all the cards that the game needs.
        """
        rules = settings.rules()
        wanted = set(rules.deck(settings.start).cards)
        return Plan.of(
            settings,
            seed=self.seed,
            slips=self.slips,
            deck=self.deck if wanted <= set(forty()) else None,
            handling=self.handling,
            without=self.without,
            sensor=self.sensor.name,
            unsure=self.unsure,
        )

    @property
    def chips(self) -> bool:
        """Whether bets are laid with chips."""
        return bool(self.settings.chips)

    def places(self, plane: Plane) -> Places:
        """Where everything is, as a camera sees it."""
        settings = self.settings
        return Places(
            plane,
            around=settings.around,
            dealer_at=settings.dealer_at,
            moved=settings.moved,
            chips=self.chips,
        )


def _chosen(slips: bool | Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """The slips to make: all that are `known`, none, or those named."""
    chosen = tuple(known if slips else ()) if isinstance(slips, bool) else tuple(slips)
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise UsageError(f"no slip {unknown[0]!r}; there are {', '.join(known)}")
    return chosen


def _completed(settings: Settings) -> Settings:
    """The settings with a game and limits if they name none, and without a taught deck."""
    if settings.game is None:
        settings = replace(settings, game=next(iter(GAMES)))
    if settings.limits is None and settings.level is Level.AMOUNTS:
        settings = replace(settings, limits=LIMITS)
    return replace(settings, deck="")  # the drawn deck is not a taught one
