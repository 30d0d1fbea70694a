"""The loop's audible effects: tones, and sentences to speak."""

from __future__ import annotations

from dataclasses import dataclass

from rules.phrases import Phrase


@dataclass(frozen=True)
class Sound:
    """A tone to play: ``tick``, ``error`` or ``alarm``."""

    name: str


@dataclass(frozen=True)
class Speech:
    """A sentence to speak."""

    phrase: Phrase
    sentence: str


Effect = Sound | Speech
