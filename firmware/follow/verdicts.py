"""What a look at the table comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from firmware.follow.findings import Explanation, Findings
from firmware.follow.sight import Cards
from rules.acts import Act

Table: TypeAlias = dict[str, Cards]
"""One reading of the table: the cards by spot."""
Ways: TypeAlias = list[tuple[Table, Findings]]
"""The readings of a table, likeliest first, with what each of them means."""


def explanations(ways: Ways) -> list[Explanation]:
    """All explanations of the readings of a table."""
    return [one for _, findings in ways for one in findings.explanations]


@dataclass(frozen=True)
class Settled:
    """The table is as the state holds it."""


@dataclass(frozen=True)
class Commit:
    """An explanation is certain enough to be recorded."""

    explanation: Explanation


@dataclass(frozen=True)
class Ask:
    """Several explanations fit, or one that a person has undone before; likeliest first."""

    explained: tuple[Explanation, ...]
    table: Table


@dataclass(frozen=True)
class Rethought:
    """Another way in which the hand may have gone, from some point in it to the present table.

    `instead` is where it departs from what was followed.
    """

    number: int
    """Number of acts of the hand that it leaves as they are."""
    instead: tuple[Act, ...]
    explanation: Explanation
    """All acts after those, including `instead`."""


@dataclass(frozen=True)
class Lose:
    """Nothing explains the table after what was followed, except a `slip` or `rethought`."""

    table: Table
    rethought: tuple[Rethought, ...] = ()
    slip: Explanation | None = None


@dataclass(frozen=True)
class Retract:
    """The latest acts came about differently: a card was on its way, or a turn was over unseen."""

    explanation: Explanation
    """What happened instead of them, leading to the present table."""
    last: int
    """Number of latest acts that it replaces."""


Verdict: TypeAlias = Settled | Commit | Retract | Ask | Lose | None
"""What a look comes to; None if it has to wait for more."""
