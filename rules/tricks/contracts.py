"""Contracts of two sides over card points: won, lost, tied, and all tricks to one side.

>>> count = Count()
>>> count.outcome(Taken(96, 5), Taken(66, 3)).tricks
(100, 60)
>>> count.outcome(Taken(81, 4), Taken(81, 4, declared=50)).tricks
(0, 160)
>>> count.outcome(Taken(162, 8, declared=20), Taken(0, 0, royal=20)).scores
(270, 20)
"""

from __future__ import annotations

from dataclasses import dataclass

ALL_POINTS, CAPOT = 162, 252
"""What the tricks hold including the last one's ten, and what all of them score for one side."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What one side contributes to the count."""

    points: int
    """Card points won in tricks."""
    tricks: int
    declared: int = 0
    """The value of its declarations; zero for a side that may not score them."""
    royal: int = 0
    """King and queen of trumps, which score in any case."""

    @property
    def everything(self) -> int:
        """All points together."""
        return self.points + self.declared + self.royal


@dataclass(frozen=True, slots=True)
class Outcome:
    """What both sides score, takers first."""

    made: bool | None
    """Whether the takers fulfilled the contract; None for a tie held over."""
    tricks: tuple[int, int]
    declared: tuple[int, int]
    royal: tuple[int, int]
    carried: int = 0
    """The points held over for the winners of the next hand."""

    @property
    def scores(self) -> tuple[int, int]:
        """The total that each side scores."""
        parts = (self.tricks, self.declared, self.royal)
        return sum(takers for takers, _ in parts), sum(others for _, others in parts)


@dataclass(frozen=True, slots=True)
class Count:
    """How the points of a hand are counted."""

    keeps_sum: bool = True
    """Whether rounded points add up to 160; otherwise each side is rounded alone."""
    everything: bool = False
    """Whether the contract is judged on declarations too."""
    tie_put_off: bool = False
    """Whether the takers' half of a tie is held over for the next winners."""
    royal_lost: bool = False
    """Whether takers who fail also lose king and queen of trumps."""
    combinations: bool = True
    """Whether declared combinations score."""
    shown_only: bool = False
    """Whether they score only if everybody has seen them in time."""
    royal: bool = True
    """Whether king and queen of trumps score."""

    def outcome(self, takers: Taken, others: Taken) -> Outcome:
        """What the two sides score."""
        royal = (takers.royal, others.royal)
        if takers.tricks and not others.tricks:
            return Outcome(True, (nearest_ten(CAPOT), 0), (takers.declared, 0), royal)
        if not takers.tricks:
            return self._lost(takers, others, CAPOT if others.tricks else ALL_POINTS)
        mine = takers.everything if self.everything else takers.points
        theirs = others.everything if self.everything else others.points
        if mine == theirs and self.tie_put_off:
            half, rest = self.rounded(takers.points, others.points)
            put_off = half + takers.declared
            return Outcome(None, (0, rest), (0, others.declared), royal, put_off)
        if mine <= theirs:
            return self._lost(takers, others, ALL_POINTS)
        tricks = self.rounded(takers.points, others.points)
        return Outcome(True, tricks, (takers.declared, others.declared), royal)

    def _lost(self, takers: Taken, others: Taken, points: int) -> Outcome:
        royal = (
            (0, takers.royal + others.royal) if self.royal_lost else (takers.royal, others.royal)
        )
        declared = takers.declared + others.declared
        return Outcome(False, (0, nearest_ten(points)), (0, declared), royal)

    def rounded(self, takers: int, others: int) -> tuple[int, int]:
        """Trick points rounded to ten: the higher side's and the remainder, or each side alone."""
        if not self.keeps_sum:
            return nearest_ten(takers), nearest_ten(others)
        whole = nearest_ten(ALL_POINTS)
        if takers >= others:
            return nearest_ten(takers), whole - nearest_ten(takers)
        return whole - nearest_ten(others), nearest_ten(others)


def nearest_ten(points: int) -> int:
    """The points rounded to the nearest ten, a five down.

    >>> [nearest_ten(points) for points in (85, 86, 81, 162, 252)]
    [80, 90, 80, 160, 250]
    """
    return (points + 4) // 10 * 10
