"""What is spoken at the table: what went wrong and what a dealer would call, and no more.

The voice runs in its own thread, so that no lamp waits for a slow speech program or a hanging
loudspeaker. Newer speech replaces what is being spoken, and any button silences it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from typing import Protocol

from firmware.display.effects import Speech
from firmware.display.prompts import Prompt
from firmware.settings.speech import SpeechLevel
from rules.phrases import Phrase

ERRORS = ("rule.", "journal.", "panel.")
"""The prefixes of identifiers that report something wrong."""
TOLD = ("trouble.", "resumed.", "found.")
"""Prompts that must be heard if there is no screen: what keeps the camera from seeing, and that a
hand resumes after a power cut.
"""
ENDS_S = 2.0
"""Longest time for a voice to fall silent when the program ends. A choice: waiting longer helps
nobody.
"""


class Mouth(Protocol):
    """Something that speaks; see `hardware.voice`."""

    def say(self, text: str) -> object:
        """Start speaking, cutting off what is being spoken."""

    def hush(self) -> None:
        """Fall silent."""


class Speaker:
    """Chooses what is worth hearing, and has it spoken without waiting for it.

    >>> class Paper:
    ...     def say(self, text: str) -> None: print(text)
    ...     def hush(self) -> None: pass
    >>> speaker = Speaker(Paper(), SpeechLevel.ERRORS)
    >>> speaker.say("The camera gives no picture.")
    >>> speaker.close()
    The camera gives no picture.
    """

    def __init__(self, mouth: Mouth, amount: SpeechLevel = SpeechLevel.CALLS) -> None:
        self.amount = amount
        self._mouth = mouth
        self._said = Prompt(Phrase(""), "", {})
        self._due: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def follow(self, prompt: Prompt, speeches: Sequence[Speech]) -> None:
        """Speak what is new: the `speeches` of this moment, and the prompt if it must be heard."""
        sentences = [one.sentence for one in speeches if self._wanted(one.phrase)]
        if prompt != self._said:
            sentences += [one for one in self._prompted(prompt) if one not in sentences]
            self._said = prompt
        self.say(" ".join(sentences))

    def say(self, text: str) -> None:
        """Speak this at any level except silence."""
        if text and self.amount is not SpeechLevel.SILENT:
            self._due.put(text)

    def hush(self) -> None:
        """Fall silent, and drop what was still to be said."""
        self._due.put("")

    def close(self) -> None:
        """Say what is due and end; a loudspeaker that hangs is abandoned."""
        self._due.put(None)
        self._thread.join(ENDS_S)

    def _wanted(self, phrase: Phrase) -> bool:
        if self.amount in (SpeechLevel.CALLS, SpeechLevel.ALL):
            return True
        return phrase.id.startswith((*ERRORS, "ask."))

    def _prompted(self, prompt: Prompt) -> list[str]:
        """The parts of a new prompt that must be heard."""
        asked = list(prompt.options[:1])
        same = prompt.phrase == self._said.phrase
        if self.amount is SpeechLevel.ALL or prompt.phrase.id.startswith(TOLD):
            return [*([] if same else [prompt.sentence]), *asked]
        return asked if prompt.options != self._said.options else []

    def _run(self) -> None:
        text: str | None = ""
        while text is not None:
            text = self._newest()
            if text:
                self._mouth.say(text)
            elif text == "":
                self._mouth.hush()

    def _newest(self) -> str | None:
        """The next thing to say: the newest of those waiting; the end comes last."""
        text = self._due.get()
        while text is not None and not self._due.empty():
            newer = self._due.get()
            if newer is None:
                self._due.put(None)
                return text
            text = newer
        return text
