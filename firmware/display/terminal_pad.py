"""The pad in a terminal: number keys make the offered statements, or open further choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.text import Text

from firmware.display.pads import Key
from firmware.display.snapshot import Snapshot

NUMBERS = 9
"""Keys 1 to 9; anything more is on the next page, reached by 0. A choice."""


@dataclass(frozen=True)
class Row:
    """A numbered choice: its label, and the line that it types, if any."""

    label: str
    line: str = ""
    keys: tuple[Key, ...] = ()
    opens: Key | None = None
    sure: bool = False


@dataclass
class TerminalPad:
    """Where in the pad the user is, given the number keys pressed since the last act."""

    other: str = "…"
    """The label of the key that opens everything else."""
    insisted: bool = False
    """Whether the last line was confirmed by a second touch."""
    _moment: tuple[int, int] = (0, 0)
    _path: list[Row] = field(default_factory=list)
    _page: int = 0
    _asked: Row | None = None

    def rows(self, snapshot: Snapshot) -> list[Row]:
        """What the number keys choose now, the current page first."""
        if self._moment != (snapshot.hand, snapshot.count):
            self.back()
            self._moment = (snapshot.hand, snapshot.count)
        if not self._path:
            rows = _rows(snapshot.pad.keys)
            if snapshot.pad.others:
                rows.append(Row(self.other, keys=snapshot.pad.others))
            return rows
        last = self._path[-1]
        if last.opens is not None and last.opens.amounts is not None:
            amounts = last.opens.amounts
            return [
                Row(str(amount), amounts.line.format(amount=amount)) for amount in amounts.offered
            ]
        return _rows(last.keys)

    def press(self, snapshot: Snapshot, number: int) -> str:
        """Choose by a number key; returns the act line to type, or "" if choices remain."""
        rows = self.rows(snapshot)
        if number == 0:
            pages = max(1, -(-len(rows) // NUMBERS))
            self._page = (self._page + 1) % pages
            return ""
        place = self._page * NUMBERS + number - 1
        if place >= len(rows):
            return ""
        row = rows[place]
        self._page = 0
        if not row.line:
            self._path.append(row)
            return ""
        if row.sure and self._asked != row:
            self._asked = row
            return ""
        self.back()
        self.insisted = row.sure
        return row.line

    def back(self) -> None:
        """Return to the first choice."""
        self._path, self._page, self._asked = [], 0, None

    def text(self, snapshot: Snapshot, width: int) -> Text:
        """The numbers with what they choose, as many per line as fit."""
        rows = self.rows(snapshot)[self._page * NUMBERS :][:NUMBERS]
        cells = [(f"{number} ", self._label(row)) for number, row in enumerate(rows, start=1)]
        text, used = Text(), 0
        if self._path:
            text.append(f"{self._path[-1].label}: ", "#999999")
            used = len(self._path[-1].label) + 2
        for number, label in cells:
            if used and used + len(number + label) > width:
                text.append("\n")
                used = 0
            text.append(number, "bold #ffd54f")
            text.append(f"{label}   ", "#dddddd")
            used += len(number + label) + 3
        return text

    def _label(self, row: Row) -> str:
        return f"{row.label}{'' if row.line else ' …'}{'?' if row == self._asked else ''}"


def _rows(keys: Sequence[Key]) -> list[Row]:
    return [
        Row(key.label, key.line, key.keys, key if key.amounts else None, key.sure) for key in keys
    ]
