"""The chips at rest, by owner: how long they have been unchanged, and what was said about them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from firmware.follow.heaps import Ground, Heap, Key, heaps, worth_of
from rules.acts import Act
from rules.state import State
from vision.chips.seen import Lot, SeenChips, narrowed
from vision.picture.geometry import Point
from vision.sightings import Seen

CHANGED_AFTER_S = 0.8
"""Minimum time for which chips must have been there before others in their place count as change:
until then, people are still counting. A choice; `python -m tests.chip_tables` judges it."""


@dataclass
class _Kept:
    """The chips at a place: since when they are unchanged, and whether they have been settled."""

    chips: tuple[Lot, ...] = ()
    since: float = 0.0
    said: bool = False
    """Whether a person, or the record, has settled what they are."""
    before: tuple[Lot, ...] = ()
    """What certainly lay there before, as long as it is not certain what lies there now."""


@dataclass
class ChipsInSight:
    """The chips at rest, by owner; `seats` says where in the picture each seat is."""

    seats: Mapping[int, Point] = field(default_factory=dict)
    heaps: dict[Key, Heap] = field(default_factory=dict)
    changed: tuple[int, int, int] | None = None
    """The last wrong change: whose chips, what they got, and for what."""
    counted: list[tuple[SeenChips, int]] = field(default_factory=list)
    """Stacks whose number follows from what a person has said, until the eyes have been told."""
    _ground: Ground = field(default_factory=Ground)
    _kept: defaultdict[Key, _Kept] = field(default_factory=lambda: defaultdict(_Kept))

    def see(self, state: State, seen: Seen, now: float) -> None:
        """Update from what is seen."""
        self.heaps = heaps(state, seen, self.seats, self._ground)
        for key in {*self.heaps, *self._kept}:
            heap = self.heaps.get(key)
            chips = heap.lots if heap else ()
            kept = self._kept[key]
            if narrowed(kept.chips, chips):
                kept.chips = chips
                if kept.before and _exact(chips):
                    self._note_change(key, kept.before, chips)
                    kept.before = ()
            elif chips != kept.chips:
                before: tuple[Lot, ...] = ()
                if now - kept.since >= CHANGED_AFTER_S:
                    self._note_change(key, kept.chips, chips)
                    before = kept.chips if _exact(kept.chips) and not _exact(chips) else ()
                self._kept[key] = _Kept(chips, now, before=before)

    def _note_change(self, key: Key, before: tuple[Lot, ...], after: tuple[Lot, ...]) -> None:
        """Note chips that were exchanged for others of a different value, by a chip or less.

        Whoever lays a chip of 25 for one of 5 has not got change but bets 20 more.
        """
        if key[0] is None or not _exact((*before, *after)):
            return
        was, lies = (Counter({value: n for value, n, _ in lots}) for lots in (before, after))
        gone, came = was - lies, lies - was
        if not gone or not came:
            return
        given, due = _total(came), _total(gone)
        small, large = sorted((gone, came), key=lambda lots: max(map(worth_of, lots)))
        finer = max(map(worth_of, small)) < min(map(worth_of, large))
        if finer and 0 < abs(given - due) <= max(map(worth_of, small)):
            self.changed = (key[0], given, due)

    def rested(self, key: Key, now: float) -> float:
        """How long they have been unchanged, in seconds."""
        return now - self._kept[key].since

    def hold(self, key: Key) -> None:
        """Let what was said about these chips hold until they are moved."""
        self._kept[key].said = True

    def count(self, key: Key, amount: int) -> None:
        """Note what a person has said these chips are worth, as far as it tells their numbers."""
        heap = self.heaps.get(key)
        counts = heap.counts(amount) if heap is not None and not heap.exact else None
        if heap is not None and counts is not None:
            self.counted += zip(heap.chips, counts, strict=True)

    def belong(self, heap: Heap, said: Act) -> None:
        """Attribute chips with several possible owners or cards as somebody has said."""
        if said.seat is not None:
            self._ground.belong(heap.chips, said.seat)
        if said.cards:
            self._ground.lie_on(heap.chips, str(said.card))

    def said(self, key: Key) -> bool:
        """Whether somebody has said what they are."""
        return self._kept[key].said

    def total(self, key: Key) -> int:
        """Their most likely value."""
        return self.heaps[key].likely if key in self.heaps else 0


def _exact(lots: Sequence[Lot]) -> bool:
    """Whether all numbers are certain."""
    return all(least == most for _, least, most in lots)


def _total(lots: Counter[str]) -> int:
    return sum(worth_of(value) * count for value, count in lots.items())
