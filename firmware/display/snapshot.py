"""What the program shows at one moment, with nothing that the table hides.

Every display (terminal, page, sheet) is redrawn from a `Snapshot`, so none can be stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from firmware.display.pads import Pad
from rules.spots import Spot


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Everything there is to show; whatever is in words is in the user's language."""

    game: str
    hand: int
    phase: str
    sentence: str
    """The current prompt: what the table waits for, or what is asked."""
    seats: tuple[int, ...]
    banker: int | None = None
    awaited: tuple[int, ...] = ()
    """The seats that must do something now."""
    waits: str = ""
    """What the table waits for, in words, even while `sentence` asks or answers something else."""
    lamps: Mapping[str, str] = field(default_factory=dict)
    """For ``ok``, ``fix`` and ``hold``: off, steady, slow or fast."""
    table: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The cards at each spot according to the rules: ``QS``, or ``??`` for a back."""
    busy: frozenset[str] = frozenset()
    """Spots with a hand over them, or where something is moving."""
    acts: tuple[str, ...] = ()
    """The latest acts as record lines, newest last."""
    calls: tuple[str, ...] = ()
    """The latest calls, in words."""
    money: tuple[tuple[int, int], ...] = ()
    """What each seat has won or lost, or its stack if stacks are kept."""
    warnings: tuple[str, ...] = ()
    """Open violations and camera trouble, in words."""
    options: tuple[str, ...] = ()
    """A menu on offer, in words; the first is the one that OK takes."""
    ok: str = ""
    """What OK does now, in words; empty if it does nothing."""
    count: int = 0
    """Number of acts of this hand that stand; the acts shown end with the newest of them."""
    spots: tuple[Spot, ...] = ()
    """The spots of this hand, in the order of `table`."""
    dealer: int | None = None
    limits: tuple[int, int] | None = None
    scores: tuple[tuple[int, int], ...] = ()
    """The score sheet, in games that keep one."""
    violated: tuple[int, ...] = ()
    """The numbers of the acts that revealed the open violations, in the order of `warnings`."""
    candidates: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The camera's candidates for the card at a spot, likeliest first, if there is a choice."""
    facts: tuple[str, ...] = ()
    """What applies to this hand, in words: trumps, a contract, the pot, bets in front of seats."""
    match: tuple[str, ...] = ()
    """What the match is played for, in words: teams, the goal, the number of the deal."""
    teams: tuple[tuple[int, ...], ...] = ()
    """The seats that play together."""
    bets: tuple[tuple[int, int], ...] = ()
    """The chips bet in front of the seats."""
    points: tuple[tuple[int, int], ...] = ()
    """Each seat's score including this hand's points so far, in scoring games."""
    pad: Pad = field(default_factory=Pad)
    """What may be said now, as buttons."""
    secret: bool | None = None
    """Whether the hand waits for a secret rule; None in games without one."""
    time: float = field(default=0.0, compare=False)
    """When it was made, in seconds of the loop's clock; it reveals a loop that has stalled."""


@dataclass(frozen=True)
class Correction:
    """A person's replacement for an act of the record.

    `was` is the act's line as it was shown: it may have changed since.
    """

    hand: int
    number: int
    was: str
    line: str


class Desk(Protocol):
    """Where a display gets its snapshots, and where it sends what a person does."""

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""

    def press(self, button: str, seconds: float = 0.1) -> None:
        """Press ``ok``, ``fix`` or ``hold`` for this many seconds, as a finger would."""

    def type(self, line: str, *, sure: bool = False) -> None:
        """Enter an act as its record line; an illegal one is confirmed first unless `sure`."""

    def undo(self) -> None:
        """Undo the last act, even while a question is open."""

    def choose(self, words: str) -> None:
        """Choose one of the offered options by its words."""

    @property
    def running(self) -> bool:
        """Whether the loop is still running."""


class Counter(Desk, Protocol):
    """A desk at which a person can also correct what was followed."""

    def correct(self, change: Correction) -> None:
        """Replace an act of the record with another."""

    def say(self, seat: int, line: str, count: int) -> None:
        """Handle what a player says, having seen the table after `count` acts."""

    def keep(self, rule: str) -> None:
        """Give the device a secret rule, unseen by the table."""
