"""The page on which a dealer gives the device a secret rule, for the dealer alone.

Nothing about a rule goes back to any page but the one that sent it, and nothing at all once it is
sealed.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware.console.messages import text
from firmware.console.picture import Values
from firmware.display.snapshot import Snapshot
from firmware.store.safe import trial
from rules.cards import parse_cards
from rules.secret import PRESETS

STARTER = "5H"
"""The card after which a rule is tried by default: one in the middle of its suit."""


def form(snapshot: Snapshot) -> Values:
    """What the page offers, and whether a rule may be sealed now."""
    return {
        "has": snapshot.secret is not None,
        "wanted": bool(snapshot.secret),
        "presets": [{"name": name, "text": rule} for name, rule in PRESETS.items()],
        "after": STARTER,
    }


def tried(sent: Mapping[str, object], language: str) -> Values:
    """How a rule was understood, and which cards it allows next.

    Raises an error that points at the word or card that does not fit.
    """
    line = parse_cards(text(dict(sent), "after")) if sent.get("after") else ()
    return trial(text(dict(sent), "rule"), line).told(language)
