"""Secrets at a table: a rule that one person has made, sealed before a hand and revealed after it.

A seal is a hash, so that a record proves that the rule existed and has not changed, without
revealing what it says. Whoever was told a rule keeps it in `Secrets`, which a match is given from
outside: a table that was not told the rule cannot judge by it, and two tables know nothing of each
other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from rules.acts import Act, Verb
from rules.wording import Secret

PRESETS = {
    "alternating": "if last is red then black else red",
    "two-apart": "two from last",
    "twos-and-threes": "runs two three of color",
    "suits": "cycle spades clubs diamonds hearts",
}
"""The four examples of the rule sheet."""
OPEN = "open"
"""The salt of rules that are not secret, so that a table without a dealer can play them."""
LETTERS = "abcdefghijklmnop"
SEAL, REVEAL = "seal", "reveal"


def seal(salt: str, text: str) -> str:
    """A SHA-256 hash of a rule as sixty-four letters, each of four bits.

    >>> seal("quill", "two from last")[:12]
    'aejplfaepcki'
    """
    digest = sha256(f"{salt} {' '.join(text.split())}".encode()).hexdigest()
    return "".join(LETTERS[int(digit, 16)] for digit in digest)


OPEN_SEALS = {seal(OPEN, text): text for text in PRESETS.values()}
"""The presets as rules that everybody knows."""


@dataclass(frozen=True)
class Secrets:
    """The rules that somebody knows, by their seals.

    >>> told = Secrets().told("quill", "two from last")
    >>> told.opened(seal("quill", "two from last")).text
    'two from last'
    >>> Secrets().opened(seal("quill", "two from last")), told
    (None, Secrets(1 kept))
    """

    kept: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Seals, each with the text of its rule."""

    @classmethod
    def of(cls, kept: Iterable[tuple[str, str]]) -> Secrets:
        """The given seals and texts, regardless of the order in which they were told."""
        return cls(tuple(sorted(dict(kept).items())))

    def told(self, salt: str, text: str) -> Secrets:
        """These secrets and one more."""
        return Secrets.of((*self.kept, (seal(salt, text), text)))

    def opened(self, sealed: str) -> Secret | None:
        """The rule that a seal stands for, if it was entered here or is public knowledge."""
        text = dict(self.kept).get(sealed) or OPEN_SEALS.get(sealed)
        return None if text is None else Secret.parse(text)

    def __repr__(self) -> str:
        return f"Secrets({len(self.kept)} kept)"


NOTHING = Secrets()
"""No rule is known."""

# What the table knows about it.


@dataclass(frozen=True, slots=True)
class Secrecy:
    """The state of a hand's secret rule."""

    wanted: bool = False
    """Whether the dealer may seal a rule now."""
    seal: str = ""
    """The seal of the rule that has not been revealed yet."""
    due: bool = False
    """Whether it has to be revealed now."""
    verdict: bool | None = None
    """What a device that knows the rule calls after an act; None if it calls nothing."""


def tidied(text: str) -> str:
    """A rule as it is parsed: in lower case, with single spaces."""
    return " ".join(text.lower().split())


def sealing(sealed: str) -> Act:
    """The act that seals a rule at the table."""
    return Act(Verb.DECLARE, words=(SEAL, sealed))


def revealing(salt: str, text: str) -> Act:
    """The act that reveals a sealed rule.

    >>> str(revealing("quill", "two from last"))
    'declare reveal quill two from last'
    """
    return Act(Verb.DECLARE, words=(REVEAL, salt, *text.split()))


def revealed(act: Act) -> tuple[str, str] | None:
    """The salt and the rule that an act reveals."""
    if act.verb is not Verb.DECLARE or act.words[:1] != (REVEAL,) or len(act.words) < 3:
        return None
    return act.words[1], " ".join(act.words[2:])
