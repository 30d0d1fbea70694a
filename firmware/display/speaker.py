"""What is spoken at the table: what went wrong and what a dealer would call, and no more.

The voice runs in a thread of its own, so that neither a slow start of a program nor a loudspeaker
that hangs keeps a lamp waiting. What is newer takes the place of what is being spoken, and a
press of any button silences it.
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
"""The identifiers of what has gone wrong begin so."""
TOLD = ("trouble.", "resumed.", "found.")
"""Prompts that must be heard where there is no screen: what keeps the camera from seeing, and that
a hand goes on after the power was cut."""
ENDS_S = 2.0
"""How long a voice may take to fall silent at the end; it is no reason to wait longer. A choice."""


class Mouth(Protocol):
    """What speaks; see `hardware.voice`."""

    def say(self, text: str) -> object:
        """Begin to speak in place of what is being spoken."""

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
        """Speak this, however little else is spoken, unless all is to be silent."""
        if text and self.amount is not SpeechLevel.SILENT:
            self._due.put(text)

    def hush(self) -> None:
        """Fall silent, and forget what was still to be said."""
        self._due.put("")

    def close(self) -> None:
        """Say what is due and end; a loudspeaker that hangs is left to itself."""
        self._due.put(None)
        self._thread.join(ENDS_S)

    def _wanted(self, phrase: Phrase) -> bool:
        if self.amount in (SpeechLevel.CALLS, SpeechLevel.ALL):
            return True
        return phrase.id.startswith((*ERRORS, "ask."))

    def _prompted(self, prompt: Prompt) -> list[str]:
        """What of a new prompt is to be heard."""
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
        """The next thing to say; of several that wait, the newest, and the end after it."""
        text = self._due.get()
        while text is not None and not self._due.empty():
            newer = self._due.get()
            if newer is None:
                self._due.put(None)
                return text
            text = newer
        return text
