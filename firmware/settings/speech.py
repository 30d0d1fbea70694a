"""How much the device says aloud."""

from __future__ import annotations

from enum import StrEnum


class SpeechLevel(StrEnum):
    """How much is spoken."""

    SILENT = "silent"
    ERRORS = "errors"
    """What is wrong, and questions."""
    CALLS = "calls"
    """That, and the moments that a dealer would call."""
    ALL = "all"
    """Every prompt too, as for somebody who cannot see the screen."""
