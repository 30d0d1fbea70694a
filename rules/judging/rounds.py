"""Rounds of deals: a match in which everybody deals once, whoever comes and goes meanwhile."""

from __future__ import annotations

from dataclasses import replace

from rules.start import Direction, Start

ROUND = "dealt"
"""Key of the note that counts the deals so far."""


def rounds_dealt(start: Start) -> int:
    """How many deals this match has had before."""
    return start.number(ROUND, 0)


def recounted(start: Start, before: Start) -> Start:
    """The `start` made from `before` with the deals counted among those who are there now.

    A player who has dealt and leaves takes nobody's deal along; one who sits down where the deal
    has passed waits for the next match.

    >>> before = Start(seats=(1, 2, 3, 4), dealer=3, notes=(("dealt", "2"),))
    >>> rounds_dealt(recounted(before.having(seats=(2, 3, 4)), before))
    1
    """
    if start.seats == before.seats or start.dealer is None or before.dealer is None:
        return start
    dealt = before.following(before.dealer, Direction.RIGHT)[: rounds_dealt(before)]
    passed = start.following(start.dealer, Direction.RIGHT)
    count = max((passed.index(seat) + 1 for seat in dealt if seat in passed), default=0)
    others = replace(start, notes=tuple(one for one in start.notes if one[0] != ROUND))
    return others.noting(**{ROUND: str(count)}) if count else others
