"""How much the device says aloud."""

from __future__ import annotations

from enum import StrEnum


class SpeechLevel(StrEnum):
    """How much is spoken."""

    SILENT = "silent"
    ERRORS = "errors"
    """Faults and questions."""
    CALLS = "calls"
    """Those, and the moments that a dealer would call."""
    ALL = "all"
    """Every prompt too, for somebody who cannot see the screen."""
