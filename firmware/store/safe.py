"""The safe: what the dealer has entered in private, until it is revealed.

A game may have a secret rule, which the dealer gives the device before the hand so that the device
can judge by it. The journal gets only the rule's seal. The rule itself and its salt are kept here,
in a small file next to the journal that only its owner can read, from the moment they are entered
until they are revealed at the table; a power cut leaves either the old file or the new one.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.errors import SafeError
from firmware.files import write_whole
from firmware.store.chain import Entry
from rules.acts import Act
from rules.cards import RANKS, SUITS, Card
from rules.errors import RulesError
from rules.secret import LETTERS, Secrets, revealed, revealing, seal, sealing, tidied
from rules.state import State
from rules.wording import Secret
from rules.wording.meaning import Condition
from rules.wording.saying import sentence

SALT_LETTERS = 32
"""Letters of a salt, four bits each: enough that no list of possible rules can be sealed in advance
for comparison. A choice.
"""
SUFFIX = ".secret"
"""The suffix that turns the journal's file name into the safe's."""
OLD_MOST = 8
"""Number of rules remembered for an undo that reaches back to them. A choice."""


def beside(journal: Path | str) -> Path:
    """The file that holds the rule belonging to a journal."""
    return Path(f"{journal}{SUFFIX}")


@dataclass(frozen=True)
class Told:
    """A rule as entered, with the salt that seals it; never shown."""

    salt: str
    text: str

    @property
    def seal(self) -> str:
        """The seal: all that anybody may know about the rule."""
        return seal(self.salt, self.text)

    def __repr__(self) -> str:
        return f"Told(seal={self.seal!r})"


class Safe:
    """Keeps one secret rule, in a file or, without one, in memory only.

    >>> safe = Safe(salts=lambda: "quill")
    >>> safe.tell("two from last")
    'aejplfaepckijkgeodjkjjhhgkdeipjaphnbhdcbbandellkjhchfmfbpfbeidof'
    >>> safe.tell("two from lost")
    Traceback (most recent call last):
    rules.errors.SecretError: 'lost' (word 3): expected card, last, second last, third last
    """

    def __init__(self, file: Path | None = None, *, salts: Callable[[], str] | None = None) -> None:
        self.file = file
        self._salts = salts or _salt
        self._now: Told | None = None
        """The rule that is waiting for its hand, or whose hand is in play."""
        self._used = False
        """Whether a hand was sealed with it."""
        self._old: dict[str, Told] = {}
        """The rules that an undo may bring back, by their seals."""
        self._secrets = Secrets()
        self._stamp: object = None
        self._load()

    def _load(self) -> None:
        """Reload the file, which another program may have written."""
        stamp = self._stamped()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        found = read(self.file) if self.file is not None and stamp is not None else None
        if found is not None and found != self._now:
            self._hold(found, used=False)

    def _stamped(self) -> object:
        if self.file is None:
            return None
        try:
            found = self.file.stat()
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_ino, found.st_size)

    def _hold(self, told: Told, *, used: bool) -> None:
        self._now, self._used = told, used
        self._remember(told)

    def _remember(self, told: Told) -> None:
        self._old.pop(told.seal, None)
        self._old[told.seal] = told
        while len(self._old) > OLD_MOST:
            del self._old[next(iter(self._old))]
        self._secrets = Secrets.of((seal, told.text) for seal, told in self._old.items())

    @property
    def secrets(self) -> Secrets:
        """All that the match followed by this device may know."""
        return self._secrets

    # What people and hands ask of it.

    def tell(self, text: str) -> str:
        """Keep a rule for the next hand that needs one; returns its seal.

        What is kept and sealed is the rule in words only, as it was understood. Raises
        `SecretError` pointing at the word that does not fit, and `SafeError` if it cannot be
        written.
        """
        told = Told(self._salts(), Secret.parse(text).text)
        self._write(told)
        self._hold(told, used=False)
        return told.seal

    def sealing(self, state: State) -> Act | None:
        """The act that seals the rule in a hand that needs one, if there is a rule to seal."""
        secrecy = state.game.secrecy(state)
        if secrecy is None or not secrecy.wanted:
            return None
        self._load()
        return sealing(self._now.seal) if self._now is not None and not self._used else None

    def revealing(self, state: State) -> Act | None:
        """The act that reveals the rule at a hand's end, if it is known here."""
        secrecy = state.game.secrecy(state)
        if secrecy is None or not secrecy.due or secrecy.seal not in self._old:
            return None
        told = self._old[secrecy.seal]
        return revealing(told.salt, told.text)

    def follow(self, state: State) -> None:
        """Keep what the hand in play still hides, and nothing else.

        After an undo of the reveal, the rule is a secret again.
        """
        secrecy = state.game.secrecy(state)
        hidden = self._old.get(secrecy.seal) if secrecy is not None else None
        if hidden is not None:
            if self._now != hidden:
                with suppress(SafeError):  # it is in the journal, or was never entered here
                    self._write(hidden)
            self._hold(hidden, used=True)
        elif self._used:
            self._now, self._used = None, False
            self._delete()

    def recall(self, entries: Iterable[Entry]) -> None:
        """Learn the rules that a journal says were revealed: an undo may reach back to them."""
        for entry in entries:
            for line in _lines(entry):
                told = _told_by(line)
                if told is not None:
                    self._remember(told)

    # The file.

    def _write(self, told: Told) -> None:
        if self.file is None:
            return
        try:
            write_whole(self.file, json.dumps({"salt": told.salt, "rule": told.text}) + "\n")
        except OSError as error:
            raise SafeError(f"{self.file}: cannot be written: {error.strerror}") from error
        self._stamp = self._stamped()

    def _delete(self) -> None:
        if self.file is not None:
            with suppress(OSError):
                self.file.unlink(missing_ok=True)
            self._stamp = self._stamped()


def _salt() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(SALT_LETTERS))


def read(file: Path) -> Told | None:
    """The rule that a file holds; None if there is no such file, or it is not one of ours."""
    try:
        value = json.loads(file.read_text("utf-8"))
        told = Told(str(value["salt"]), tidied(str(value["rule"])))
        Secret.parse(told.text)
    except (OSError, ValueError, LookupError, TypeError, RecursionError, RulesError):
        return None
    return told


def _lines(entry: Entry) -> list[str]:
    """The lines of the acts in an entry."""
    if entry.kind == "replace":
        return [one["line"] for one in entry.payload["acts"]]
    return [entry.payload["line"]] if entry.kind == "act" else []


def _told_by(line: str) -> Told | None:
    try:
        found = revealed(Act.parse(line))
        if found is not None:
            Secret.parse(found[1])
    except RulesError:
        return None
    return Told(*found) if found is not None else None


# Trying a rule.


@dataclass(frozen=True)
class Trial:
    """How a rule was understood, and which cards it would let follow a line."""

    text: str
    meaning: Condition
    line: tuple[Card, ...]
    right: tuple[Card, ...]
    wrong: tuple[Card, ...]

    def says(self, language: str) -> str:
        """The rule as one plain sentence, so that its maker sees how it was understood."""
        return sentence(self.meaning, language)

    def told(self, language: str) -> dict[str, Any]:
        """The trial as plain values, with the cards as written in records."""
        return {
            "rule": self.text,
            "says": self.says(language),
            "after": list(map(str, self.line)),
            "right": list(map(str, self.right)),
            "wrong": list(map(str, self.wrong)),
        }


def trial(text: str, line: tuple[Card, ...]) -> Trial:
    """A rule tried on every card after a line, suit by suit.

    Raises `SecretError` pointing at the word that does not fit.

    >>> from rules.cards import parse_cards
    >>> found = trial("Two from LAST", parse_cards("5H"))
    >>> found.text, found.right[:2], len(found.wrong)
    ('two from last', (<3C>, <7C>), 44)
    """
    rule = Secret.parse(text)
    cards = [Card(rank, suit) for suit in SUITS for rank in RANKS]
    right = tuple(card for card in cards if rule.allows(line, card))
    wrong = tuple(card for card in cards if card not in right)
    return Trial(rule.text, rule.meaning, line, right, wrong)
