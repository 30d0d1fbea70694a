"""The desk that asks what must be known before the first hand, one question at a time.

It is a `Desk` like a table's, so the same question appears on the page, in the terminal and on the
panel: a touch, a number key, or OK and FIX answer it. It ends once nothing is missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from firmware.display.snapshot import Correction, Snapshot
from firmware.lobby.questions import Answer, Asked, which_game, which_table
from firmware.settings.settings import Settings
from firmware.table.cameras import RIBBON
from firmware.texts.words import Words
from hardware.finding import FoundCamera
from hardware.press import Timing

STEP_S = 0.02
"""Interval between polls of buttons and cameras: a press reaches its lamp well within 80 ms. A
choice.
"""
LOOKS_S = 2.0
"""Interval between looks for a missing camera: plugging one in takes longer. A choice."""
Finds = Callable[[], Sequence[FoundCamera]]


def wants_camera(settings: Settings, found: Sequence[FoundCamera]) -> bool:
    """Whether the user has to say which camera looks at the table."""
    return settings.camera == RIBBON and all(one.source != RIBBON for one in found)


class Lobby:
    """Asks for a game, and for a camera if `finds` is given and there is not exactly one.

    It also ends when another language is chosen, so that a new lobby can ask in it.

    >>> lobby = Lobby(Settings())
    >>> lobby.snapshot().sentence, len(lobby.snapshot().options) > 20
    ('What is played?', True)
    """

    def __init__(self, settings: Settings, finds: Finds | None = None) -> None:
        self.settings = settings
        self.pulse: Callable[[], None] = lambda: None
        """Called repeatedly while it runs."""
        self.running = True
        self._done = False
        self._finds = finds
        self._looked = float("-inf")
        self._path: list[Asked] = []
        self._begun = settings.game is not None
        self._ask()

    @property
    def answered(self) -> Settings | None:
        """The settings, once nothing is missing."""
        return self.settings if self._done else None

    # The methods of a desk.

    def snapshot(self) -> Snapshot:
        """The current question."""
        asked = self._path[-1] if self._path else Asked("", ())
        options = asked.options
        lamps = {"ok": "slow" if options else "off", "fix": "steady" if options[1:] else "off"}
        return Snapshot(
            game=self.settings.game or "",
            hand=0,
            phase="",
            sentence=asked.sentence,
            seats=(),
            lamps={**lamps, "hold": "off"},
            options=options,
            ok=options[0] if options else "",
            time=time.monotonic(),
        )

    def press(self, button: str, seconds: float = 0.1) -> None:
        """OK takes the first answer, FIX turns to the next one, holding FIX goes back a step."""
        if not self._path:
            return
        if button == "fix" and seconds >= Timing().hold_s:
            self._back()
        elif button == "fix":
            self._path[-1] = self._path[-1].turned()
        elif button == "ok":
            self.choose(self.snapshot().ok)

    def choose(self, words: str) -> None:
        """Choose the answer with these words."""
        answers = self._path[-1].answers if self._path else ()
        answer = next((one for one in answers if one.label == words), None)
        if answer is None:
            return
        if answer.opens is not None:
            self._path.append(answer.opens)
        elif answer.settings is not None:
            self._begun = self._begun or answer.begins
            spoken, self.settings = self.settings.language, answer.settings
            self._ask()
            self.running = self.running and spoken == self.settings.language

    def type(self, line: str, *, sure: bool = False) -> None:
        """Do nothing: nothing is typed here."""

    def undo(self) -> None:
        """Return to the previous question."""
        self._back()

    def correct(self, change: Correction) -> None:
        """Do nothing: there is nothing to correct yet."""

    def say(self, seat: int, line: str, count: int) -> None:
        """Do nothing: no player has anything to say yet."""

    def keep(self, rule: str) -> None:
        """Do nothing: no hand needs a secret rule yet."""

    # The methods of something that can be followed.

    def run(self) -> None:
        """Wait until everything is known, or until `stop`."""
        while self.running:
            self.pulse()
            self.look()
            time.sleep(STEP_S)

    def stop(self) -> None:
        """End, even if questions are left."""
        self.running = False

    def look(self) -> None:
        """Take a camera that was connected in the meantime."""
        waits = bool(self._path) and self._path[-1].camera
        if waits and time.monotonic() - self._looked >= LOOKS_S:
            self._ask()

    # Questions.

    def _back(self) -> None:
        if len(self._path) > 1:
            self._path.pop()
        elif self.settings.game is not None and not self._begun:
            self.settings = replace(self.settings, game=None, variant=None, house_rules={})
            self._ask()

    def _ask(self) -> None:
        """Ask for the next thing that is missing, or end if nothing is."""
        words = Words.load(self.settings.language)
        if self.settings.game is None:
            self._path = [which_game(self.settings, words)]
        elif not self._begun:
            self._path = [which_table(self.settings, words)]
        elif (asked := self._camera(words)) is not None:
            waiting = self._path[-1].labels if self._path else ()
            self._path = self._path if waiting == asked.labels else [asked]
        else:
            self._path, self._done, self.running = [], True, False

    def _camera(self, words: Words) -> Asked | None:
        """Ask which of several cameras to use; a single one is taken."""
        if self._finds is None:
            return None
        self._looked = time.monotonic()
        found = self._finds()
        if not wants_camera(self.settings, found):
            return None
        if len(found) == 1:
            self.settings = replace(self.settings, camera=found[0].source)
            return None
        names = [one.name for one in found]
        answers = [
            Answer(
                one.name if names.count(one.name) == 1 else f"{one.name} ({one.source})",
                replace(self.settings, camera=one.source),
            )
            for one in found
        ]
        again = Answer(words.page["first-look-again"], self.settings)
        sentence = words.page["first-camera"] if found else words.page["first-no-camera"]
        return Asked(sentence, (*answers, again), camera=True)
