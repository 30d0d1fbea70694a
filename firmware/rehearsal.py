"""The rehearsal: the whole appliance at a simulated table.

The camera's pictures are drawn, everything behind them is real: reader, tracker, loop, rules,
panel on simulated pins. The dealer is a program that sees lamps and a screen. What was followed
is compared with what was dealt.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TextIO

import cv2
import numpy as np

from firmware.appliance import Booth, crops_of, tracker_of
from firmware.errors import UsageError
from firmware.journal import Journal
from firmware.ledger import Ledger
from firmware.loop import Crop, Loop
from firmware.optics import Optics
from firmware.places import Places
from firmware.rehearsal_dealer import Counts, SimulatedDealer
from firmware.rehearsal_deck import taught_deck
from firmware.rehearsal_judge import Judge
from firmware.rehearsal_policy import Policy
from firmware.rehearsal_report import HandReport, closing, transcript
from firmware.rehearsal_secret import Salts
from firmware.rehearsal_slips import SLIPS
from firmware.rehearsal_world import World
from firmware.safe import Safe
from firmware.settings import Settings
from firmware.snapshot import Correction, Snapshot
from firmware.tabletop import Tabletop, setting
from firmware.texts import Texts
from hardware.lamps import Lamp, Pattern
from hardware.press import Button
from hardware.rig import ManualClock, PanelRig
from rules.cards import Deck
from rules.game import Game
from rules.games import GAMES
from rules.match import Match
from rules.start import Level, Start
from vision.draw import annotate
from vision.geometry import Polygon
from vision.plane import Plane
from vision.profiles import Profile
from vision.scene.regional import Kind, forty
from vision.sightings import Seen

RATE_HZ = 10.0
"""Pictures a second: what a Raspberry Pi reads with ease, and a hand is over the table for
several of them."""
PANEL_S = 0.025
"""How often the panel is looked at between two pictures."""
HAND_MOST_S = 900.0
"""A hand that lasts longer is stuck: the longest lawful ones take a few minutes."""
UNHEEDED_MOST = 3
"""After so many acts of a hand that the appliance never followed, its dealer gives it up."""
LATE_S = 1.0
"""How much of a delay is caught up with when a table is played in real time."""
HANDS = 3
LIMITS = (1, 20)
"""The least and the greatest bet, where nobody has said others."""


class Watcher(Protocol):
    """Whatever looks at the simulated table."""

    def look(self, now: float) -> tuple[Seen, Crop | None]:
        """What lies where at `now` seconds, and how to cut pictures of it."""

    def watch(self, spots: Mapping[str, Polygon], deck: Deck) -> None:
        """Look at other spots from now on."""


class CameraWatcher:
    """The real reader behind the simulated camera; keeps the pictures in which something changed.

    `pictures` is a folder; the kept ones are numbered, with the reader's answers drawn in.
    """

    def __init__(
        self,
        table: Tabletop,
        spots: Mapping[str, Polygon],
        deck: Deck,
        pictures: Path | None,
        profile: Profile | None = None,
    ) -> None:
        self._table = table
        self._tracker = tracker_of(spots, Plane(table.matrix), deck, profile)
        self._pictures = pictures
        self.optics = Optics()
        self._kept = 0
        self._last: Mapping[str, Any] | None = None
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)

    def watch(self, spots: Mapping[str, Polygon], deck: Deck) -> None:
        """Look at other spots from now on."""
        self._tracker.watch(spots, deck)

    def look(self, now: float) -> tuple[Seen, Crop | None]:
        """What the tracker makes of the picture at `now`."""
        frame = self._table.frame(now)
        self.optics.show(frame)
        seen = self._tracker.update(frame, now)
        if self._pictures is not None and not seen.busy and seen.spots != self._last:
            self._last = seen.spots
            self._kept += 1
            file = self._pictures / f"{self._kept:04d}.jpg"
            cv2.imwrite(str(file), annotate(frame, seen))
        return seen, crops_of(frame)


Watches = Callable[[Tabletop, Mapping[str, Polygon], Deck], Watcher]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is rehearsed: the game and the table that the settings name, and with which slips."""

    settings: Settings
    game: Game[Any]
    start: Start
    seed: int = 0
    slips: tuple[str, ...] = ()
    deck: Kind | None = None
    """A deck without an index that is played with; by default one with indices."""
    rate_hz: float = RATE_HZ

    @classmethod
    def of(
        cls,
        settings: Settings,
        *,
        seed: int = 0,
        slips: bool | Sequence[str] = False,
        deck: Kind | None = None,
    ) -> Plan:
        """A plan from what a person has set; where no game is named, the first of all.

        `slips` names those to be made (see `SLIPS`), or says whether to make all of them. Raises
        `UsageError`, `SettingsError` or `RulesError` for a plan that cannot be.
        """
        chosen = (tuple(SLIPS) if slips else ()) if isinstance(slips, bool) else tuple(slips)
        unknown = [name for name in chosen if name not in SLIPS]
        if unknown:
            raise UsageError(f"no slip {unknown[0]!r}; there are {', '.join(SLIPS)}")
        if settings.game is None:
            settings = replace(settings, game=next(iter(GAMES)))
        if settings.limits is None and settings.level is Level.AMOUNTS:
            settings = replace(settings, limits=LIMITS)
        game, start = settings.rules(), settings.start
        game.open(start)
        strange = set(game.deck(start).cards) - set(forty())
        if deck is not None and strange:
            first = min(map(str, strange))
            raise UsageError(f"{game.name} wants cards that a deck of forty has not: {first}")
        return cls(settings=settings, game=game, start=start, seed=seed, slips=chosen, deck=deck)

    def places(self, plane: Plane) -> Places:
        """Where everything lies, as a camera sees it."""
        settings = self.settings
        return Places(
            plane, around=settings.around, dealer_at=settings.dealer_at, moved=settings.moved
        )


class Rehearsal:
    """A table, an appliance and a dealer, stepped in one thread; the same seed plays the same.

    `watches` makes what looks at the table, by default the real reader.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        watches: Watches | None = None,
        journal: Journal | None = None,
        pictures: Path | None = None,
    ) -> None:
        self.plan = plan
        self.clock = ManualClock()
        self.rig = PanelRig(clock=self.clock)
        streams = [np.random.default_rng((plan.seed, stream)) for stream in (3, 4)]
        around, profile = setting(plan.seed), None
        if plan.deck is not None:
            art, profile = taught_deck(plan.deck, plan.seed)
            around = replace(around, deck=art)
        self.table = Tabletop(around, seed=plan.seed)
        dealt, followed = Match(plan.game, plan.start), Match(plan.game, plan.start)
        self._places = plan.places(Plane(self.table.matrix))
        self.world = World(dealt, self.table, self._places.layout, streams[0])
        texts = Texts.load(plan.settings.language).called(profile.names if profile else {})
        safe = Safe(salts=Salts(plan.seed))
        self.loop = Loop(Ledger(followed, journal, now=self.clock, safe=safe), texts)
        self.booth = Booth(self.loop, self.rig.panel)
        self.judge = Judge(dealt, followed)
        self._outlines = self._places.outlines(self.loop.state)
        deck = plan.game.deck(plan.start)
        make = watches or (lambda t, s, d: CameraWatcher(t, s, d, pictures, profile))
        self._watcher = make(self.table, self._outlines, deck)
        self._screen = self.loop.snapshot()
        self.dealer = SimulatedDealer(
            self.world, Policy(streams[1]), self, self, texts, list(plan.slips)
        )

    @property
    def optics(self) -> Optics | None:
        """The simulated camera's view; who knows the truth needs none."""
        return self._watcher.optics if isinstance(self._watcher, CameraWatcher) else None

    # What the dealer has to do with.

    def lamps(self) -> dict[Lamp, Pattern]:
        """What each lamp does, as somebody at the table sees it."""
        return self.rig.lamps()

    def screen(self) -> Snapshot:
        """What the screen shows."""
        return self._screen

    def press(self, button: Button, seconds: float) -> None:
        """Put a finger on a button."""
        self.rig.press(button, seconds)

    def type(self, line: str) -> None:
        """Type an act line."""
        self.loop.type(line)

    def keep(self, rule: str) -> None:
        """Tell the appliance a secret rule in private."""
        self.loop.keep(rule)

    # Time.

    def step(self) -> None:
        """Everything between one picture and the next."""
        span = 1.0 / self.plan.rate_hz
        steps = max(1, round(span / PANEL_S))
        for _ in range(steps):
            self.clock.now += span / steps
            self.rig.tick()
            self.booth.step()
        self.booth.see(*self._watcher.look(self.clock.now))
        self._look_at_the_spots()
        self.judge.watch()
        self._screen = self.loop.snapshot()
        self.dealer.step(self.clock.now)

    def _look_at_the_spots(self) -> None:
        """Let the camera's pictures be read where the hand that is followed has its spots."""
        state = self.loop.state
        outlines = self._places.outlines(state)
        if outlines is not self._outlines:
            self._outlines = outlines
            self._watcher.watch(outlines, state.game.deck(state.start))

    def play(self, hands: int, pause: Callable[[], None] = lambda: None) -> Iterator[HandReport]:
        """Play so many hands, and tell of each when both sides have come to its end.

        A hand that its dealer gave up is the last one. `pause` is called before each picture.
        """
        for number in range(1, hands + 1):
            began, before = self.clock.now, self.dealer.counts.copy()
            wrong, told = len(self.judge.wrong), len(self.dealer.told)
            while self._hand_is_open(number) and not self._hopeless(began, before):
                pause()
                self.step()
            yield self._report(number, before, wrong, told, self.clock.now - began)
            if self.world.state.start.hand <= number:
                return

    def _hand_is_open(self, number: int) -> bool:
        """Whether the hand goes on, at the table or in a loop that may still catch up."""
        if self.world.state.start.hand <= number:
            return True
        return self.loop.state.start.hand <= number and not self.world.state.acts

    def _hopeless(self, began: float, before: Counts) -> bool:
        unheeded = self.dealer.counts.unheeded - before.unheeded
        return self.clock.now - began > HAND_MOST_S or unheeded > UNHEEDED_MOST

    def _report(
        self, number: int, before: Counts, wrong: int, told: int, seconds: float
    ) -> HandReport:
        hand = next(h for h in self.world.match.hands if h.start.hand == number)
        return HandReport(
            hand=hand,
            counts=self.dealer.counts - before,
            implied=frozenset(self.dealer.implied.get(number, ())),
            wrong=tuple(self.judge.wrong[wrong:]),
            differences=tuple(self.judge.differences(number)),
            slips=tuple(self.dealer.told[told:]),
            seconds=seconds,
        )

    def close(self) -> None:
        """Give the pins back."""
        self.rig.close()


def demo(
    settings: Settings,
    *,
    hands: int | None = None,
    seed: int = 0,
    headless: bool = False,
    slips: bool | Sequence[str] = False,
    pictures: Path | None = None,
    journal: Path | None = None,
    watches: Watches | None = None,
    deck: Kind | None = None,
    out: TextIO | None = None,
) -> int:
    """Rehearse so many hands; the exit status is 1 if what was followed is not what was dealt.

    Headless, the transcript is printed to `out` as fast as it can be played. Otherwise the table is
    shown in the terminal and on the console, in real time, and the transcript is printed
    afterwards.
    """
    plan = Plan.of(settings, seed=seed, slips=slips, deck=deck)
    if not headless:
        # The terminal's and the console's libraries are slow to import.
        from firmware.rehearsal_live import played_live  # noqa: PLC0415

        told = played_live(
            plan, hands or HANDS, journal=journal, pictures=pictures, watches=watches
        )
        return _printed(told, out or sys.stdout)
    book = Journal(journal) if journal is not None else None
    rehearsal = Rehearsal(plan, watches=watches, journal=book, pictures=pictures)
    try:
        return _printed(rehearsal.play(hands or HANDS), out or sys.stdout)
    finally:
        rehearsal.close()
        if book is not None:
            book.close()


def _printed(reports: Iterable[HandReport], out: TextIO) -> int:
    """Print each report as it comes, and the sum of all; gives the exit status."""
    told = []
    for report in reports:
        told.append(report)
        print("\n".join(transcript(report)), file=out, flush=True)
    if told:  # somebody may leave the view before the first hand is over
        print(closing(told), file=out, flush=True)
    return 0 if all(report.faithful for report in told) else 1


class LiveDesk:
    """A rehearsal in real time, in a thread of its own, as a display's `Desk`.

    `now` is the clock it keeps to, in seconds.
    """

    def __init__(
        self, rehearsal: Rehearsal, hands: int, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.reports: list[HandReport] = []
        self.failure: BaseException | None = None
        self._rehearsal = rehearsal
        self._hands = hands
        self._now = now
        self._done: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rehearsal", daemon=True)
        self._due = 0.0

    def start(self) -> None:
        """Begin to play."""
        self._due = self._now()
        self._thread.start()

    def end(self) -> None:
        """Let the playing come to its end."""
        self._ended.set()

    def stop(self) -> None:
        """Stop playing; raises what has ended it before its time."""
        self.end()
        self._thread.join()
        if self.failure is not None:
            raise self.failure

    @property
    def running(self) -> bool:
        """Whether there are hands left to play."""
        return self._thread.is_alive()

    def snapshot(self) -> Snapshot:
        """The newest picture."""
        return self._rehearsal.screen()

    @property
    def optics(self) -> Optics | None:
        """The simulated camera's view, where there is one."""
        return self._rehearsal.optics

    def press(self, button: str, seconds: float = 0.1) -> None:
        """Press a button, as a second person at the table."""
        self._done.put(lambda: self._rehearsal.press(Button(button), seconds))

    def type(self, line: str) -> None:
        """Type an act as its record line."""
        self._done.put(lambda: self._rehearsal.type(line))

    def correct(self, change: Correction) -> None:
        """Put another act in the place of one that stands."""
        self._done.put(lambda: self._rehearsal.loop.correct(change))

    def keep(self, rule: str) -> None:
        """Tell the device a secret rule in private."""
        self._done.put(lambda: self._rehearsal.loop.keep(rule))

    def choose(self, words: str) -> None:
        """Take one of the options that are offered, by its words."""
        self._done.put(lambda: self._rehearsal.loop.choose(words))

    def _run(self) -> None:
        try:
            for report in self._rehearsal.play(self._hands, self._pause):
                self.reports.append(report)
        except _StoppedError:
            return
        except BaseException as error:  # whoever stops the desk must hear of it
            self.failure = error

    def _pause(self) -> None:
        """Do what people have done meanwhile, and wait for the next picture's time."""
        while not self._done.empty():
            self._done.get()()
        # A table that cannot be drawn in time runs late rather than jumping.
        self._due = max(self._due + 1 / self._rehearsal.plan.rate_hz, self._now() - LATE_S)
        if self._ended.wait(max(0.0, self._due - self._now())):
            raise _StoppedError


class _StoppedError(Exception):
    """The display was left."""
