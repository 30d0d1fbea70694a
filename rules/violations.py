"""Violations of the rules, and the dealer's rulings on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from rules.cards import Card
from rules.phrases import Phrase


class Ruling(StrEnum):
    """How the dealer rules on a violation."""

    STAND = "stand"
    """The act stands as it is."""
    CORRECT = "correct"
    """The act is corrected: the hand is replayed with another act, or none, in its place."""
    MISDEAL = "misdeal"
    """The hand is void, and all bets are returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """An irregular act: it is on the felt whatever the engine thinks, and awaits a ruling."""

    rule: str
    since: int
    """The number of the act that broke the rule, from 1."""
    found: int
    """The number of the act that brought it to light, which is often the same."""
    seat: int | None = None
    cards: tuple[Card, ...] = ()
    values: tuple[tuple[str, int], ...] = ()
    ruling: Ruling | None = None
    put_right: int | None = None
    """The number of the act that put the table right, so that no ruling is needed."""

    @property
    def open(self) -> bool:
        """Whether the dealer has not ruled yet, and the table has not been put right."""
        return self.ruling is None and self.put_right is None

    def ruled(self, ruling: Ruling) -> Violation:
        """The same violation with the dealer's ruling on it."""
        return replace(self, ruling=ruling)

    @property
    def phrase(self) -> Phrase:
        """What to say about it: the rule's identifier, its values and where it happened."""
        return Phrase.of(
            f"rule.{self.rule}",
            seat=self.seat,
            cards=self.cards,
            since=self.since,
            found=self.found,
            **dict(self.values),
        )
