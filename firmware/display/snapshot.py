"""What the program shows: the whole picture at one moment, with nothing that the table hides.

Every display (terminal, page, sheet) is drawn anew from a `Snapshot`, so that none can be stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from firmware.display.pads import Pad
from rules.spots import Spot


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """What there is to show, in the user's language where it is in words."""

    game: str
    hand: int
    phase: str
    sentence: str
    """The one prompt: what the table waits for, or what is asked."""
    seats: tuple[int, ...]
    banker: int | None = None
    awaited: tuple[int, ...] = ()
    """The seats that must do something now."""
    waits: str = ""
    """What the table waits for, in words, whatever else is asked or answered in `sentence`."""
    lamps: Mapping[str, str] = field(default_factory=dict)
    """For ``ok``, ``fix`` and ``hold``: off, steady, slow or fast."""
    table: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What the rules hold to lie at each spot: ``QS``, ``??`` for a back."""
    busy: frozenset[str] = frozenset()
    """Spots where a hand is, or something moves."""
    acts: tuple[str, ...] = ()
    """The last acts as record lines, the newest last."""
    calls: tuple[str, ...] = ()
    """What was called last, in words."""
    money: tuple[tuple[int, int], ...] = ()
    """What each seat has won or lost (or its stack, where stacks are kept)."""
    warnings: tuple[str, ...] = ()
    """Open violations and camera trouble, in words."""
    options: tuple[str, ...] = ()
    """A menu being offered, in words; the first is what OK takes."""
    ok: str = ""
    """What OK does now, in words; empty where it does nothing."""
    count: int = 0
    """How many acts of this hand stand; the last acts shown end with this one."""
    spots: tuple[Spot, ...] = ()
    """The places of this hand, in the order of `table`."""
    dealer: int | None = None
    limits: tuple[int, int] | None = None
    scores: tuple[tuple[int, int], ...] = ()
    """What is on the score sheet, in games that keep one."""
    violated: tuple[int, ...] = ()
    """The numbers of the acts that brought the open violations to light, as in `warnings`."""
    candidates: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What the camera may take a card at a spot for, the likeliest first, where it has a choice."""
    facts: tuple[str, ...] = ()
    """What stands in this hand, in words: trumps, a contract, the pot, bets in front of seats."""
    points: tuple[tuple[int, int], ...] = ()
    """What each seat has on the score sheet with this hand's points so far, in games of points."""
    pad: Pad = field(default_factory=Pad)
    """What may be said now, as buttons."""
    secret: bool | None = None
    """Whether the hand waits for a secret rule; None in games without."""
    time: float = field(default=0.0, compare=False)
    """When it was made, in seconds of the loop's clock: a loop that stands still is seen by it."""


@dataclass(frozen=True)
class Correction:
    """Another act in the place of one that stands, as a person means it.

    `was` is the act's line as it was shown: meanwhile it may have become another.
    """

    hand: int
    number: int
    was: str
    line: str


class Desk(Protocol):
    """Where a display gets its snapshots from and sends what a person does."""

    def snapshot(self) -> Snapshot:
        """The newest picture."""

    def press(self, button: str, seconds: float = 0.1) -> None:
        """Press ``ok``, ``fix`` or ``hold`` for this many seconds, as a finger would."""

    def type(self, line: str, *, sure: bool = False) -> None:
        """Type an act as its record line; one against the rules is asked about unless `sure`."""

    def undo(self) -> None:
        """Take the last act back, whatever is being asked."""

    def choose(self, words: str) -> None:
        """Take one of the options that are offered, by its words."""

    @property
    def running(self) -> bool:
        """Whether the loop still runs."""


class Counter(Desk, Protocol):
    """A desk at which a person can also put right what was followed."""

    def correct(self, change: Correction) -> None:
        """Put another act in the place of one that stands."""

    def say(self, seat: int, line: str, count: int) -> None:
        """Take in what a player says of their own, who saw the table after `count` acts."""

    def keep(self, rule: str) -> None:
        """Tell the device a secret rule in private."""
