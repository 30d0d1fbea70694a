"""What people say about a pile before a camera has seen it: an equal card came on top, or went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from firmware.follow.tops import Cards, Top
from rules.cards import Card
from vision.sightings import Lying

Laid: TypeAlias = tuple[Lying, ...]


@dataclass
class Told:
    """Changes after which a pile shows the same card: told but not seen yet, in order."""

    _came: tuple[bool, ...] = ()
    """For each change, whether a card came, rather than went."""

    def note(self, was: Cards, held: Cards, since: Sequence[Top]) -> None:
        """Note that the state held `was` and holds `held` now, with `since` seen on top."""
        if was == held:
            return
        if was[-1:] != held[-1:] or (held[:-1] != was and was[:-1] != held):
            self.forget()
        elif all((top.card,) != held[-1:] for top in since):
            self._came += (len(held) > len(was),)

    def comes(self, card: Card | None, held: Cards) -> bool:
        """Whether such a card is said to come next onto a pile that shows an equal one."""
        return self._came[:1] == (True,) and (card,) == held[-1:]

    def apart(self, new: Laid, held: Cards) -> tuple[Laid, Laid]:
        """Of several `new` cards the one that was said to come next, if there is one, and the rest.

        A hand was over a deuce on a deuce until the next player's ace had come as well.
        """
        if len(new) < 2:
            return (), new
        told = next((one for one in new if self.comes(one.card, held)), None)
        if told is None:
            return (), new
        self.is_seen(told.card, held, came=True)
        return (told,), tuple(one for one in new if one is not told)

    def is_seen(self, card: Card | None, held: Cards, *, came: bool) -> bool:
        """Whether `card` was laid on top, or uncovered, as was said next; that change is then done.

        Anything else means that what was said is out of date.
        """
        next_one = self._came[:1] == (came,) and (card,) == held[-1:]
        self._came = self._came[1:] if next_one else ()
        return next_one

    def forget(self) -> None:
        """Forget all that was told."""
        self._came = ()
