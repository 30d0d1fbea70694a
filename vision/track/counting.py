"""The numbers of chips at all places, judged together and over several pictures.

How large a face appears says how many chips are under it only by comparison with others, so that
each stack tells something about all of them, those that have left the table included.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from math import dist
from typing import Self

from vision.chips.chances import ranged
from vision.chips.chip_set import ChipSet
from vision.chips.gauge import Evidence, Gauge
from vision.chips.seen import SeenChips

SAME_PX = 3.0
"""Maximum distance between the tops of a stack in two pictures in which it was not touched, in
pixels. A choice: tops are found to a third of a pixel, and nobody puts a chip back so exactly."""
SAME_SIZE = 0.0015
"""Maximum difference between the logarithms of its face's sizes. A choice: under a camera 80 cm
above the table, a chip more makes a difference of 0.004."""
UNMOVED_PX, ALIKE = 0.7, 0.7
"""The same as `SAME_PX` if a hand may have touched it in between, and the minimum that both
pictures of its side have in common if its faces cannot be compared. A choice: of 136 drawn stacks
in two pictures with different noise, none seemed to move by more than 0.4 pixels, and 131 had 0.87
and more in common; of 138 in which one chip was added, 116 moved farther or had less in common. A
stack that is taken for another is only read anew.
"""
FADES = 0.01
"""How much less certain what was learned becomes with each stack that leaves, as a share of what an
evening does: a table that was leant on is learned anew from ten stacks. A choice."""
WEIGHED_MOST = 4
"""Maximum number of uncertain stacks of which it is worked out how many others an answer would
settle: each takes as long as judging all stacks. A choice."""

Chips = tuple[SeenChips, ...]


@dataclass(slots=True, eq=False)
class Counting:
    """The chips at each place as last read, and the sizes of faces on this table."""

    gauge: Gauge
    """What the stacks that have left taught."""
    _lying: dict[str, Chips] = field(default_factory=dict)
    _rested: dict[str, Chips] = field(default_factory=dict)

    @classmethod
    def of(cls, chips: ChipSet, gauge: Gauge | None = None, doubt: float = 0.0) -> Self:
        """What is known before any chip of a set was seen today; `gauge` if it was seen before.

        `doubt` is the relative standard deviation of the camera's focal length.
        """
        return cls(
            gauge if gauge is not None else Gauge.of(len(chips.values), doubt, chips.thick_doubt)
        )

    def see(
        self,
        place: str,
        chips: Sequence[SeenChips],
        *,
        first: bool = False,
        last: bool,
        unread: Sequence[SeenChips] = (),
    ) -> None:
        """Take in a reading of a place; the `last` one of chips that have come to rest, and the
        `first` one since something moved there.

        The readings of stacks that were not touched are averaged; those that were `unread` stay.
        """
        lying, rested = self._lying.get(place, ()), self._rested.get(place, ())
        known, before = ((), (*lying, *rested)) if first else (lying, rested)
        kept = [next((o for o in (*lying, *rested) if _same(o, one)), one) for one in unread]
        self._lying[place] = (*(_averaged(one, known, before) for one in chips), *kept)
        if last:
            self._rest(place, self._lying[place])

    def say(self, chips: SeenChips, number: int) -> None:
        """Take in how many chips a person has said are in a stack that was reported."""
        for lying in (self._lying, self._rested):
            for place, some in lying.items():
                lying[place] = tuple(
                    replace(one, evidence=one.evidence.said(number))
                    if one.evidence is not None and _same(one, chips)
                    else one
                    for one in some
                )

    def keep(self, places: Collection[str]) -> None:
        """Forget the chips at all other places."""
        for place in self._rested.keys() - set(places):
            self._rest(place, ())
        self._lying = {place: some for place, some in self._lying.items() if place in places}

    def _rest(self, place: str, lying: Chips) -> None:
        """Take in what has come to rest, and what the stacks that have left taught."""
        rested = self._rested.get(place, ())
        gone = [old for old in rested if not any(_untouched(old, one) for one in lying)]
        if gone:
            _, known = self.gauge.judged([one.evidence for one in gone if one.evidence])
            self.gauge = known.loosened(FADES * len(gone))
        self._rested[place] = lying

    def told(self) -> dict[str, Chips]:
        """The chips at each place, with the numbers that all stacks together allow."""
        every = [one for some in self._lying.values() for one in some if one.evidence is not None]
        evidence = [one.evidence for one in every if one.evidence is not None]
        ranges = self._ranges(evidence)
        settles = self._settling(evidence, ranges)
        counted = {
            id(one): replace(one, count=count, least=least, most=most, settles=number)
            for one, (count, least, most), number in zip(every, ranges, settles, strict=True)
        }
        return {
            place: tuple(counted.get(id(one), one) for one in some)
            for place, some in self._lying.items()
        }

    def _ranges(self, evidence: Sequence[Evidence]) -> list[tuple[int, int, int]]:
        """The likeliest number, the least and the most of stacks that are seen together."""
        judged = self.gauge.numbers(evidence)
        return [ranged(chances) for chances in judged]

    def _settling(
        self, evidence: Sequence[Evidence], ranges: Sequence[tuple[int, int, int]]
    ) -> list[int]:
        """How many uncertain stacks would be certain if a person said the likeliest number of each.

        0 for stacks that are certain, and for all if only one is not.
        """
        unsure = [number for number, (_, least, most) in enumerate(ranges) if least < most]
        settles = [0] * len(ranges)
        for number in unsure[:WEIGHED_MOST] if len(unsure) > 1 else ():
            said = list(evidence)
            said[number] = said[number].said(ranges[number][0])
            after = self._ranges(said)
            settles[number] = sum(after[one][1] == after[one][2] for one in unsure)
        return settles


def _averaged(now: SeenChips, known: Sequence[SeenChips], before: Sequence[SeenChips]) -> SeenChips:
    """A stack with the average of what this and earlier pictures show of it, those in which it is
    `known` since something last moved there, and those from `before`."""
    earlier = next((one for one in known if _same(one, now)), None)
    earlier = earlier or next((one for one in before if _untouched(one, now)), None)
    if earlier is None or earlier.evidence is None or now.evidence is None:
        return now
    return replace(now, evidence=earlier.evidence.averaged(now.evidence))


def _same(one: SeenChips, other: SeenChips) -> bool:
    """Whether a stack was not touched from one picture to another."""
    if one.value != other.value or dist(one.centre, other.centre) > SAME_PX:
        return False
    sizes = _sizes(one, other)
    return sizes is None or abs(sizes[0] - sizes[1]) < SAME_SIZE


def _untouched(before: SeenChips, now: SeenChips) -> bool:
    """The same if a hand was there in between, which may have laid another chip on top.

    What a person said of a stack is only given up for what certainly is another one.
    """
    if not _same(before, now) or before.evidence is None or now.evidence is None:
        return False
    if before.evidence.told:
        return True
    if dist(before.centre, now.centre) > UNMOVED_PX:
        return False
    return _sizes(before, now) is not None or before.evidence.alike(now.evidence) >= ALIKE


def _sizes(one: SeenChips, other: SeenChips) -> tuple[float, float] | None:
    """The sizes of the faces of two stacks, as logarithms; None unless both are known."""
    sizes = [e.evidence.sized for e in (one, other) if e.evidence is not None]
    known = [size.seen.ratio for size in sizes if size is not None]
    return (known[0], known[1]) if len(known) == 2 else None
