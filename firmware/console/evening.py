"""The evening so far: what each hand brought each seat, how long it took, what was corrected.

It follows a journal entry by entry, keeps a few numbers per hand, and returns them as a table or a
chart.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise

from firmware.console.book import Book, Pages
from firmware.errors import MessageError
from firmware.store.chain import Entry
from firmware.store.ledger import ASKED, CHANGES
from rules.match import Hand
from rules.start import Level

COUNTED = ("correct", "replace", "undo", ASKED)
GAP_MOST_S = 3600.0
"""A longer gap between two acts of a hand does not count: the clock may have been set in it. A
choice: no hand waits an hour for an act.
"""


@dataclass(frozen=True)
class Row:
    """One hand in numbers. `Evening.of_points` says whether amounts are chips or points."""

    hand: int
    game: str
    began: float | None
    """Time of the first act, in seconds since 1970."""
    seconds: float
    acts: int
    change: Mapping[int, int]
    """What it brought each seat."""
    standing: Mapping[int, int]
    """What each seat has after it: its stack, or its total of chips or points."""
    over: bool
    void: bool
    corrections: int = 0
    undone: int = 0
    questions: int = 0


@dataclass(frozen=True)
class _Played:
    """The part of a row that follows from the hand alone."""

    game: str
    began: float | None
    seconds: float
    acts: int
    seats: tuple[int, ...]
    stacks: Mapping[int, int]
    scores: Mapping[int, int]
    net: Mapping[int, int]
    points: Mapping[int, int]
    over: bool
    void: bool
    kept: bool


class Evening:
    """The hands of one match, from the entry that began it."""

    def __init__(self, base: Entry) -> None:
        self._begin(base)

    def _begin(self, base: Entry) -> None:
        self._pages = Pages(base)
        self._hands: dict[int, _Played] = {}
        self._counts: dict[int, Counter[str]] = {}

    def take(self, entry: Entry) -> None:
        """Add the next entry."""
        number = self._pages.hands[-1].start.hand
        if entry.kind in COUNTED:
            self._counts.setdefault(number, Counter())[entry.kind] += 1
        if entry.kind == "match":
            self._begin(entry)
            return
        self._pages.take(entry)
        if entry.kind in CHANGES:
            self._look()

    def _look(self) -> None:
        """Update the hands that may have changed; undone ones no longer count."""
        last = self._pages.hands[-1].start.hand
        while self._hands and next(reversed(self._hands)) > last:
            self._hands.popitem()
        for hand in self._pages.hands[-2:]:
            if hand.acts:
                self._hands[hand.start.hand] = self._played(hand)
            else:
                self._hands.pop(hand.start.hand, None)

    def _played(self, hand: Hand) -> _Played:
        marks = self._pages.marks(hand)
        settled, start = hand.state.settlement, hand.start
        return _Played(
            game=hand.game.name,
            began=marks[0].time if marks else None,
            seconds=lasted([mark.time for mark in marks]),
            acts=len(hand.acts),
            seats=start.seats,
            stacks=dict(start.stacks),
            scores=dict(start.scores),
            net={seat: sum_ for seat, sum_ in settled.net.items() if seat in start.seats},
            points=settled.scores,
            over=hand.state.over,
            void=bool(hand.acts) and hand.acts[-1].verb == "misdeal",
            kept=start.level is Level.AMOUNTS,
        )

    @property
    def of_points(self) -> bool:
        """Whether points are listed: nothing was won or lost, and something was scored."""
        hands = self._hands.values()
        moved = any(any(one.net.values()) for one in hands)
        return not moved and any(one.points or one.scores for one in hands)

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat that has played."""
        return tuple(sorted({seat for one in self._hands.values() for seat in one.seats}))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The hands in order."""
        return tuple(self._rows())

    def _rows(self) -> Iterator[Row]:
        points, sums = self.of_points, dict[int, int]()
        for number, one in sorted(self._hands.items()):
            change = {seat: (one.points if points else one.net).get(seat, 0) for seat in one.seats}
            before = one.scores if points else one.stacks or sums
            sums = {**sums, **{seat: before.get(seat, 0) + change[seat] for seat in one.seats}}
            counts = self._counts.get(number, Counter())
            yield Row(
                number,
                one.game,
                one.began,
                one.seconds,
                one.acts,
                change,
                dict(sums),
                one.over,
                one.void,
                counts["correct"] + counts["replace"],
                counts["undo"],
                counts[ASKED],
            )


def as_csv(rows: Sequence[Row], seats: Sequence[int]) -> str:
    """One row per hand: when, how long, what it brought each seat, what each seat then has.

    >>> row = Row(1, "a game", None, 90.0, 12, {1: -2, 2: 2}, {1: -2, 2: 2}, True, False)
    >>> print(as_csv([row], [1, 2]))  # doctest: +NORMALIZE_WHITESPACE
    hand,game,began,seconds,acts,corrections,undone,questions,change 1,change 2,after 1,after 2
    1,a game,,90,12,0,0,0,-2,2,-2,2
    <BLANKLINE>
    """
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    told = ("hand", "game", "began", "seconds", "acts", "corrections", "undone", "questions")
    table.writerow([*told, *(f"change {s}" for s in seats), *(f"after {s}" for s in seats)])
    for row in rows:
        began = "" if row.began is None else round(row.began)
        own = [row.hand, row.game, began, round(row.seconds), row.acts]
        counts = [row.corrections, row.undone, row.questions]
        sums = [by.get(seat, "") for by in (row.change, row.standing) for seat in seats]
        table.writerow([*own, *counts, *sums])
    return out.getvalue()


def lasted(times: Sequence[float]) -> float:
    """Duration of a hand whose acts were stored at these times of day, in seconds.

    If the clock was set between two acts, the time between them is unknown and does not count.

    >>> lasted([10.0, 14.0, 9_000_000.0, 9_000_006.0]), lasted([10.0, 4.0]), lasted([])
    (10.0, 0.0, 0.0)
    """
    gaps = (later - earlier for earlier, later in pairwise(times))
    return sum((gap for gap in gaps if 0 < gap <= GAP_MOST_S), 0.0)


@dataclass(frozen=True)
class Swing:
    """The largest win and loss of a seat in one hand."""

    seat: int
    best: int
    best_hand: int
    worst: int
    worst_hand: int


def swings(rows: Sequence[Row], seats: Sequence[int]) -> list[Swing]:
    """The largest win and loss of each seat; 0 in hand 0 if there was none."""
    found = []
    for seat in seats:
        changes = [(row.change.get(seat, 0), row.hand) for row in rows if row.over]
        best = max([*changes, (0, 0)], key=lambda one: one[0])
        worst = min([*changes, (0, 0)], key=lambda one: one[0])
        found.append(Swing(seat, *best, *worst))
    return found


def begun(book: Book) -> tuple[Evening, int]:
    """The evening as of the first entry of a journal's match, with that entry's number."""
    first = next(book.match_entries, None)
    if first is None:
        raise MessageError("nothing was played yet")
    return Evening(first), first.number


@dataclass(frozen=True)
class Told:
    """The evening for a page: plain values."""

    points: bool
    seats: tuple[int, ...]
    rows: list[dict[str, object]] = field(default_factory=list)
    swings: list[dict[str, object]] = field(default_factory=list)


def told(evening: Evening) -> Told:
    """The evening as plain values."""
    rows, seats = evening.rows, evening.seats
    best = [asdict(one) for one in swings(rows, seats)]
    return Told(evening.of_points, seats, [asdict(row) for row in rows], best)
