"""`mazziere secret`: try a secret rule, or give it to the device before the hand, in private."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from getpass import getpass
from pathlib import Path

from firmware.errors import JournalError, UsageError
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.store.safe import Safe, beside, read, trial
from firmware.table.reporting import Report
from firmware.texts.plain import native
from rules.acts import Act
from rules.cards import RANKS, SUITS, Card, parse_cards
from rules.secret import PRESETS, sealing

UNSEEN = "-"
"""Stands for a rule typed at a hidden prompt, or piped in from another program."""
OPEN_TO_OTHERS = (
    "a rule on a command line can be read by others in the shell's history and the list of "
    "processes; give - to type it at a hidden prompt"
)


def command(options: argparse.Namespace, settings: Settings) -> Report:
    """Try the given rule, or keep it for the next hand that needs one.

    Raises `SecretError` naming the word that does not fit, and `UsageError` or `SafeError` if it
    cannot be kept.
    """
    rule = _rule(options)
    if options.rule and options.rule != [UNSEEN]:
        print(native(OPEN_TO_OTHERS), file=sys.stderr)
    if rule is None:
        return {"presets": dict(PRESETS)}
    found = trial(rule, parse_cards(options.after))
    if not options.keep:
        return found.told(settings.language)
    file = beside(settings.journal_file)
    _check(settings, file)
    return {"seal": Safe(file).tell(found.text), "file": str(file)}


def _rule(options: argparse.Namespace) -> str | None:
    typed = " ".join(options.rule)
    if options.preset and typed:
        raise UsageError("expected a rule or a preset, got both")
    if options.preset:
        if options.preset not in PRESETS:
            raise UsageError(f"no preset {options.preset!r}; there are {', '.join(PRESETS)}")
        return PRESETS[options.preset]
    if typed == UNSEEN:
        return getpass("") if sys.stdin.isatty() else sys.stdin.readline()
    if not typed and options.keep:
        raise UsageError("--keep needs a rule, a --preset, or - to type it at a hidden prompt")
    return typed or None


def _check(settings: Settings, file: Path) -> None:
    """Raise `UsageError` if no rule is needed now, or if one is already in use."""
    if settings.game is not None:
        game = settings.rules()
        if game.secrecy(game.open(settings.start)) is None:
            raise UsageError(f"{game.name} has no secret rule to keep")
    told = read(file)
    if told is not None and _in_use(sealing(told.seal), settings.journal_file):
        raise UsageError(f"{file}: it already holds a rule, until its hand reveals it")


def _in_use(act: Act, path: Path) -> bool:
    """Whether a journal records that a hand was sealed by this act."""
    try:
        with Journal.following(path) as journal:
            return any(entry.payload.get("line") == str(act) for entry in journal.entries())
    except JournalError:
        return False


def lines(found: Report) -> Iterator[str]:
    """The same in words: the known rules, the seal, or every card with its verdict."""
    if "presets" in found:
        yield from (f"{name:16} {rule}" for name, rule in found["presets"].items())
    elif "seal" in found:
        yield f"kept for the next hand that needs a rule, in {found['file']}"
        yield f"seal: {found['seal']}"
    else:
        yield found["says"]
        yield f"after {' '.join(found['after'])}: {len(found['right'])} of 52 are right"
        yield "   " + " ".join(f"{rank:>2}" for rank in RANKS)
        right = set(found["right"])
        for suit in SUITS:
            row = (" x" if str(Card(rank, suit)) in right else " ." for rank in RANKS)
            yield f"{suit:>2} {' '.join(row)}"
