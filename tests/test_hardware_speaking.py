"""What is spoken, how much of it, and that nobody waits for a voice."""

from __future__ import annotations

import threading

import pytest

from firmware.appliance import Booth
from firmware.display.effects import Speech
from firmware.display.prompts import DARK, Prompt
from firmware.display.speaker import Speaker
from firmware.follow.loop import Loop
from firmware.settings.speech import SpeechLevel
from firmware.store.ledger import Ledger
from firmware.texts import Texts
from hardware.press import Button
from hardware.rig import ManualClock, PanelRig
from hardware.voice import Voice
from rules.games import GAMES
from rules.match import Match
from rules.phrases import Phrase
from rules.start import Start
from vision.sightings import Seen

TEXTS = Texts.load("en")


class Mouth:
    """Notes what it is told to say; `stuck` makes it hang, as an unplugged loudspeaker does."""

    def __init__(self, stuck: threading.Event | None = None) -> None:
        self.said: list[str] = []
        self._stuck = stuck
        self.speaks = threading.Event()

    def say(self, text: str) -> None:
        self.said.append(text)
        self.speaks.set()
        if self._stuck is not None:
            self._stuck.wait()

    def hush(self) -> None:
        self.said.append("")


def speech(phrase: Phrase) -> Speech:
    return Speech(phrase, TEXTS.say(phrase))


WRONG = speech(Phrase.of("rule.out-of-turn", seat=3))
CALLED = speech(Phrase("call.misdeal"))
ASKED = Prompt(Phrase("ask.which"), "Which?", DARK, ("queen of spades", "queen of clubs"))
QUIET = Prompt(Phrase("turn.bet"), "Bets, please.", DARK)


def said(amount: SpeechLevel, prompt: Prompt, *speeches: Speech) -> str:
    mouth = Mouth()
    speaker = Speaker(mouth, amount)
    speaker.follow(prompt, speeches)
    speaker.close()
    return " ".join(mouth.said)


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (SpeechLevel.SILENT, ""),
        (SpeechLevel.ERRORS, "Seat 3 is out of turn."),
        (SpeechLevel.CALLS, "Seat 3 is out of turn. Misdeal. All bets go back."),
        (SpeechLevel.ALL, "Seat 3 is out of turn. Misdeal. All bets go back. Bets, please."),
    ],
)
def test_how_much_is_said_is_a_setting(amount: SpeechLevel, expected: str) -> None:
    assert said(amount, QUIET, WRONG, CALLED) == expected


def test_a_menu_s_option_is_spoken_and_its_next_one_too() -> None:
    mouth = Mouth()
    speaker = Speaker(mouth, SpeechLevel.ERRORS)
    speaker.follow(ASKED, [])
    mouth.speaks.wait(60)
    mouth.speaks.clear()
    turned = Prompt(ASKED.phrase, ASKED.sentence, DARK, ASKED.options[::-1])
    speaker.follow(turned, [])
    speaker.follow(turned, [])
    speaker.close()
    assert mouth.said == ["queen of spades", "queen of clubs"]


def test_a_camera_that_sees_nothing_is_announced_without_a_screen() -> None:
    blind = Prompt(Phrase("trouble.camera"), TEXTS.say(Phrase("trouble.camera")), DARK)
    assert said(SpeechLevel.ERRORS, blind) == "No picture from the camera: check its cable."
    assert said(SpeechLevel.SILENT, blind) == ""


def test_a_voice_that_hangs_keeps_nobody_waiting_and_says_the_newest_afterwards() -> None:
    stuck = threading.Event()
    mouth = Mouth(stuck)
    speaker = Speaker(mouth)
    speaker.say("first")
    assert mouth.speaks.wait(60)
    for number in range(10_000):
        speaker.say(f"{number}")  # returns although the mouth hangs
    stuck.set()
    speaker.close()
    assert mouth.said == ["first", "9999"]


def test_trouble_is_spoken_once_and_a_press_silences() -> None:
    game = GAMES["ziginette"]()
    match = Match(game, Start(seats=(1, 2, 3), banker=1, limits=(1, 20)))
    mouth = Mouth()
    speaker = Speaker(mouth, SpeechLevel.ERRORS)
    clock = ManualClock()
    with PanelRig(clock=clock) as rig:
        booth = Booth(Loop(Ledger(match, now=clock), TEXTS), rig.panel, speaker)
        booth.step()
        for _ in range(3):
            booth.step(Seen({}, frozenset(), ("camera",), clock.now))
            clock.now += 1.5
        assert mouth.speaks.wait(60)
        rig.press(Button.HOLD)
        for _ in range(10):
            clock.now += 0.02
            rig.tick()
            booth.step()
    speaker.close()
    assert mouth.said[0] == "No picture from the camera: check its cable."
    assert set(mouth.said[1:]) == {""}


def test_loudness_is_passed_to_programs_that_support_it() -> None:
    class Silent:
        def poll(self) -> int | None:
            return 0

        def terminate(self) -> None:
            """There is nothing to end."""

    commands: list[list[str]] = []

    def run(command: object) -> Silent:
        assert isinstance(command, list)
        commands.append(command)
        return Silent()

    for installed in ("espeak-ng", "flite"):
        voice = Voice("en", volume=40, run=run, which={installed: installed}.get)
        assert voice.say("Bets, please.")
    assert commands[0][:3] == ["espeak-ng", "-a", "80"]
    assert "80" not in commands[1]
