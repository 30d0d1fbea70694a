"""What a person undid or corrected: the same table is not explained that way again unasked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from firmware.follow.findings import Findings
from firmware.follow.unseen import Bag, bag
from firmware.follow.verdicts import Table
from rules.acts import Act


class Refused:
    """Remembers refusals until somebody wants everything looked at again."""

    def __init__(self) -> None:
        self._refused: list[tuple[Table, Bag]] = []

    def note(self, tables: Iterable[Table], acts: Sequence[Act]) -> None:
        """Note that these acts do not explain a table with these possible readings."""
        self._refused += [(cards, bag(acts)) for cards in tables]

    def forget(self) -> None:
        """Forget all: everything is looked at again."""
        self._refused.clear()

    def was(self, cards: Table, acts: Sequence[Act]) -> bool:
        """Whether a person has undone these acts with this table."""
        done = bag(acts)
        return any(
            refused == done and all(table.get(spot) == there for spot, there in cards.items())
            for table, refused in self._refused
        )

    def marked(self, cards: Table, findings: Findings) -> Findings:
        """The findings, with what a person has undone with this table marked to be asked about."""
        ways = tuple(
            replace(one, guessed=one.guessed or self.was(cards, one.acts))
            for one in findings.explanations
        )
        return replace(findings, explanations=ways)
