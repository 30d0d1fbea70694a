"""The appliance: the loop with its panel, eye and voice.

Pictures are taken and read in a worker that holds no state of the game; it and the loop talk by a
queue. On the simulated table the same parts are stepped in one thread.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Protocol

from firmware.display.effects import Sound, Speech
from firmware.display.prompts import Prompt
from firmware.display.snapshot import Correction, Snapshot
from firmware.eye import Eye, Look
from firmware.follow.loop import Loop
from firmware.follow.taking import Crop
from firmware.follow.tally import Tally
from firmware.table.optics import Optics
from firmware.table.places import Places
from hardware.buzzer import Tone
from hardware.errors import (
    EndOfPicturesError,
)
from hardware.lamps import Lamp, Pattern
from hardware.panel import Panel
from hardware.press import Button, Held, PanelEvent, Pressed, Timing
from rules.phrases import Phrase
from vision.picture.geometry import Polygon
from vision.sightings import Seen

STEP_S = 0.01
"""How often the panel and the queue are polled, so that a press reaches its lamp well within 80 ms.
A choice."""
TOLD_MOST = 5
"""Largest number of display messages handled in one step: each act is stored, which takes
milliseconds. A choice.
"""
REDRAWN_S = 0.25
"""How long after the last snapshot a new one is taken even if nothing has happened: displays treat
a loop as dead when the time in its snapshot stands still. A choice.
"""
MOVED_S = 8.0
"""How long the notice that the places have moved stays up: long enough to read it twice. A
choice."""


class Pace(Enum):
    """How fast a film is followed; either way the loop keeps to the film's own clock."""

    FAST = "fast"
    REAL = "real"


class Talker(Protocol):
    """Speaks at the table without keeping the caller waiting (`firmware.display.speaker`)."""

    def follow(self, prompt: Prompt, speeches: Sequence[Speech]) -> None:
        """Speak the parts of the prompt, and of what is announced with it, that must be heard."""

    def hush(self) -> None:
        """Fall silent."""


class Booth:
    """The loop wired to a panel and, if there is one, a voice; all in one thread.

    `clock` is the loop's, in seconds: the panel's, unless a film drives the loop.
    """

    def __init__(
        self,
        loop: Loop,
        panel: Panel,
        voice: Talker | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.loop = loop
        self.panel = panel
        self.voice = voice
        self.clock = clock or panel.clock
        self._prompted: Prompt | None = None

    def step(self, seen: Seen | None = None, crop: Crop | None = None) -> bool:
        """Handle button events and the tracker's report, and update lamps and sounds.

        Returns whether there may be something new to show.
        """
        events = self.panel.poll()
        if events and self.voice is not None:
            self.voice.hush()  # whoever presses a button has heard enough
        for event in events:
            self.press(event)
        self.loop.tick(self.clock())
        if seen is not None:
            self.loop.see(seen, crop)
        return self._show() or bool(events) or seen is not None

    def press(self, event: PanelEvent) -> None:
        """Handle a button event, timed by the loop's clock."""
        own = self.clock == self.panel.clock
        self.loop.button(event if own else replace(event, time=self.clock()))

    def _show(self) -> bool:
        """Set the lamps and sounds that the loop asks for; return whether the prompt changed."""
        prompt, effects = self.loop.prompt, self.loop.effects()
        self.panel.show({Lamp(name): Pattern(way) for name, way in prompt.lamps.items()})
        for effect in effects:
            if isinstance(effect, Sound):
                self.panel.sound(Tone[effect.name.upper()])
        if self.voice is not None:
            self.voice.follow(prompt, [one for one in effects if isinstance(one, Speech)])
        before, self._prompted = self._prompted, prompt
        return prompt != before


class Appliance:
    """A booth and an eye at a real table; it is the displays' `Desk`.

    With `places`, the eye looks where the spots of the current hand are. The methods of `Desk` may
    be called from any thread. A camera that is not live is followed in lock step, picture by
    picture: as fast as possible, or at its own `pace`.
    """

    def __init__(
        self,
        booth: Booth,
        eye: Eye,
        places: Places | None = None,
        optics: Optics | None = None,
        pace: Pace = Pace.FAST,
    ) -> None:
        self.booth = booth
        self.eye = eye
        self.places = places
        self.optics = optics
        self.pulse: Callable[[], None] = lambda: None
        """Called in the loop's thread after every turn of the loop."""
        self.tally = Tally()
        self._pace = pace
        self._outlines: Mapping[str, Polygon] | None = None
        if places is not None:
            self._outlines = places.outlines(booth.loop.state)
            booth.loop.chips.seats = places.seats(booth.loop.state)
        self.running = True
        self._told: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._snapshot = booth.loop.snapshot()

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    def press(self, button: str, seconds: float = 0.1) -> None:
        """Press a button from a display: timed and interpreted like one on the panel."""
        kind = Held if seconds >= Timing().hold_s else Pressed
        self._told.put(lambda: self.booth.press(kind(Button(button), self.booth.panel.clock())))

    def type(self, line: str, *, sure: bool = False) -> None:
        """Enter an act as its record line; an illegal one is confirmed first unless `sure`."""
        self._told.put(lambda: self.booth.loop.type(line, sure=sure))

    def undo(self) -> None:
        """Undo the last act, even while a question is open."""
        self._told.put(self.booth.loop.undo)

    def correct(self, change: Correction) -> None:
        """Replace an act of the record with another."""
        self._told.put(lambda: self.booth.loop.correct(change))

    def say(self, seat: int, line: str, count: int) -> None:
        """Handle what a player says from a telephone, having seen the table after `count` acts."""
        self._told.put(lambda: self.booth.loop.say(seat, line, count))

    def keep(self, rule: str) -> None:
        """Give the device a secret rule, unseen by the table."""
        self._told.put(lambda: self.booth.loop.keep(rule))

    def move(self, places: Places, why: Phrase) -> None:
        """Look at other places from the next step on, and tell the dealer why."""

        def moved() -> None:
            self.places = places
            self.booth.loop.notice = (why, self.booth.clock() + MOVED_S)

        self._told.put(moved)

    def choose(self, words: str) -> None:
        """Choose one of the offered options by its words."""
        self._told.put(lambda: self.booth.loop.choose(words))

    def run(self) -> None:
        """Follow the table until `stop`, or until the pictures end.

        Raises whatever makes looking impossible.
        """
        if not self.eye.camera.live:
            self._run_film()
            return
        self.eye.start()
        try:
            while self.running and self.eye.looking:
                self.step()
                self.pulse()
                time.sleep(STEP_S)
        finally:
            self.running = False
            self.eye.stop()
        if self.eye.failure is not None:
            raise self.eye.failure

    def _run_film(self) -> None:
        """Follow a film in lock step: each picture is handled before the next one is read."""
        began: float | None = None
        try:
            while self.running:
                look = self.eye.look()
                began = time.monotonic() - look.seen.time if began is None else began
                if self._pace is Pace.REAL:
                    self._wait(began + look.seen.time)
                self._round(look)
                self.pulse()
        except EndOfPicturesError:
            pass
        finally:
            self.running = False

    def _wait(self, until: float) -> None:
        """Keep serving the panel and the displays until that time (monotonic seconds)."""
        while self.running and time.monotonic() < until:
            self._round(None)
            self.pulse()
            time.sleep(STEP_S)

    def stop(self) -> None:
        """Make `run` return."""
        self.running = False

    def step(self) -> None:
        """Handle everything that has come in since the last step."""
        self._round(self._next_look())

    def _round(self, look: Look | None) -> None:
        told = self._remote()
        if look is not None:
            self.tally.see(look.seen)
            news = self.booth.step(look.seen, look.crop)
        else:
            news = self.booth.step()
        self._look_at_the_spots()
        if news or told or self.booth.clock() - self._snapshot.time >= REDRAWN_S:
            self._snapshot = self.booth.loop.snapshot()

    def _look_at_the_spots(self) -> None:
        """Point the eye at the spots of the current hand."""
        if self.places is None:
            return
        state, chips = self.booth.loop.state, self.booth.loop.chips
        if chips.counted:
            self.eye.count(chips.counted)
            chips.counted = []
        outlines = self.places.outlines(state)
        if outlines is not self._outlines:
            self._outlines = outlines
            bets = self.places.bets(state)
            self.eye.watch(outlines, state.game.deck(state.start), bets)
            if bets:
                chips.seats = self.places.seats(state)

    def _next_look(self) -> Look | None:
        try:
            return self.eye.looks.get_nowait()
        except queue.Empty:
            return None

    def _remote(self) -> bool:
        """Handle messages from the displays; return whether there were any.

        In a flood of messages, only as many are handled as keep the panel responsive.
        """
        for number in range(TOLD_MOST):
            try:
                told = self._told.get_nowait()
            except queue.Empty:
                return number > 0
            told()
        return True
