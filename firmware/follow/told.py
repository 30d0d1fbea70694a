"""What people say of a pile before a camera has seen it: the topmost card's like came, or went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.follow.tops import Cards, Top
from rules.cards import Card


@dataclass
class Told:
    """Changes after which a pile shows the same card, told and not seen yet, in order."""

    _came: tuple[bool, ...] = ()
    """Of each, whether a card has come, and not gone."""

    def note(self, was: Cards, held: Cards, since: Sequence[Top]) -> None:
        """The state held `was` of the pile and holds `held` now, where `since` was seen on top."""
        if was == held:
            return
        if was[-1:] != held[-1:] or (held[:-1] != was and was[:-1] != held):
            self.forget()
        elif all((top.card,) != held[-1:] for top in since):
            self._came += (len(held) > len(was),)

    def comes(self, card: Card | None, held: Cards) -> bool:
        """Whether such a card is told to come next onto a pile that shows its like."""
        return self._came[:1] == (True,) and (card,) == held[-1:]

    def is_seen(self, card: Card | None, held: Cards, *, came: bool) -> bool:
        """Whether `card` has come on top, or to light there, as was told next: that is over then.

        Anything else means that what was told is past.
        """
        next_one = self._came[:1] == (came,) and (card,) == held[-1:]
        self._came = self._came[1:] if next_one else ()
        return next_one

    def forget(self) -> None:
        """Nothing is told that is not seen."""
        self._came = ()
