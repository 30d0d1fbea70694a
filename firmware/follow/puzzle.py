"""How long a difference between the table and the state has been the same."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.follow.verdicts import Table


@dataclass
class Puzzle:
    """What nothing explains yet, and since when (seconds) it has been so."""

    _key: object = None
    _since: float | None = None

    def lasted(self, key: object, now: float) -> float:
        """How long it has been this."""
        if self._since is None or self._key != key:
            self._key, self._since = key, now
        return now - self._since

    def restart(self) -> None:
        """Start over: something else has happened."""
        self._since = None


def key_of(cards: Table) -> object:
    """What distinguishes one reading of a table from another."""
    return tuple(sorted(cards.items()))
