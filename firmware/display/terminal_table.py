"""The table as text: cards at their places around the felt, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.style import Style
from rich.text import Text

from firmware.display.snapshot import Snapshot
from firmware.table.layout import VIEW_MM, seat_points
from firmware.texts import Texts

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "?": "?"}
RED = "DH"
PAPER_BLACK, PAPER_RED = Style.parse("black on #f4f1e8"), Style.parse("bold #b00020 on #f4f1e8")
BACK = Style.parse("#dfe6ff on #27408b")
FELT = Style.parse("#e8efe8 on #14532d")
LABEL, QUIET = Style.parse("bold"), Style.parse("#a7c4a7")
AWAITED = Style.parse("bold black on #ffd54f")
MOVING = Style.parse("bold #ffd54f")


def card_text(name: str) -> Text:
    """One card: its rank and the sign of its suit on white, or a back.

    >>> card_text("QS").plain, card_text("??").plain, card_text("6?").plain
    (' Q♠ ', ' ▒▒ ', ' 6? ')
    """
    if name == "??":
        return Text(" ▒▒ ", BACK)
    if name == "JOKER":
        return Text(" ★J ", PAPER_RED)
    rank = "10" if name[:-1] == "T" else name[:-1]
    text = f"{rank}{SIGNS[name[-1]]}"
    return Text(f" {text} ", PAPER_RED if name[-1] in RED else PAPER_BLACK)


def cards_text(names: Iterable[str]) -> Text:
    """Cards side by side."""
    return Text(" ").join(map(card_text, names))


class Canvas:
    """A felt of columns and rows of characters, on which texts are put."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows: list[list[tuple[int, Text]]] = [[] for _ in range(height)]

    def put(self, column: int, row: int, text: Text) -> None:
        """Put a line of text there, as far as it fits."""
        room = max(0, min(text.cell_len, self.width - max(0, column)))
        if 0 <= row < self.height and room:
            self._rows[row].append((max(0, column), text[:room]))

    def block(self, centre: float, top: int, lines: Sequence[Text]) -> None:
        """Put lines under each other, each in the middle of `centre`, inside the felt."""
        for row, line in enumerate(lines):
            column = round(centre - line.cell_len / 2)
            self.put(max(0, min(column, self.width - line.cell_len)), top + row, line)

    def text(self) -> Text:
        """The whole felt."""
        return Text("\n", FELT).join(map(self._row, self._rows))

    def _row(self, parts: list[tuple[int, Text]]) -> Text:
        line = Text(style=FELT)
        for column, part in sorted(parts, key=lambda entry: entry[0]):
            line.append(" " * (column - line.cell_len), FELT)
            line.append_text(part)
        line.append(" " * (self.width - line.cell_len), FELT)
        return line


def table_text(snapshot: Snapshot, size: tuple[int, int], texts: Texts) -> Text:
    """The table on a felt of `size` columns and rows: the common cards in the middle."""
    canvas = Canvas(*size)
    sides = _sides(snapshot.seats)
    for side, seats in sides.items():
        for place, seat in enumerate(seats):
            lines = _seat_lines(snapshot, seat, texts)
            canvas.block(*_spot(side, (place + 0.5) / len(seats), lines, canvas), lines)
    common = [
        _spot_line(snapshot, name, texts.spot(name))
        for name, _ in snapshot.table
        if not _owner(name)
    ]
    canvas.block(canvas.width / 2, max(0, (canvas.height - len(common)) // 2), common)
    return canvas.text()


def _sides(seats: Sequence[int]) -> dict[str, list[int]]:
    """The seats at each side of the table, from left to right or from top to bottom."""
    width, height = VIEW_MM
    points = seat_points(max(seats, default=1))
    sides: dict[str, list[int]] = {"left": [], "top": [], "right": [], "bottom": []}
    for seat in seats:
        x, y = points[seat]
        across, down = x / width - 0.5, y / height - 0.5
        if abs(across) > abs(down):
            sides["left" if across < 0 else "right"].append(seat)
        else:
            sides["top" if down < 0 else "bottom"].append(seat)
    for side, members in sides.items():
        axis = 1 if side in ("left", "right") else 0
        members.sort(key=lambda seat: points[seat][axis])
    return sides


def _spot(side: str, part: float, lines: Sequence[Text], canvas: Canvas) -> tuple[float, int]:
    """The middle column and the top row of a seat's block."""
    wide, tall = max(line.cell_len for line in lines), len(lines)
    match side:
        case "top":
            return part * canvas.width, 0
        case "bottom":
            return part * canvas.width, canvas.height - tall
        case "left":
            return wide / 2 + 1, round(part * canvas.height - tall / 2)
        case _:
            return canvas.width - wide / 2 - 1, round(part * canvas.height - tall / 2)


def _seat_lines(snapshot: Snapshot, seat: int, texts: Texts) -> list[Text]:
    """A seat's name, whether it is awaited, its money, and its cards below."""
    awaited = seat in snapshot.awaited
    mark, style = ("▶ ", AWAITED) if awaited else ("", LABEL)
    head = Text(" ").append(f"{mark}{texts.seat(seat)}", style).append(" ")
    if seat == snapshot.banker:
        head.append(f"{texts.words['view']['banker']} ", QUIET)
    head.append(dict(money_texts(snapshot)).get(seat, ""), QUIET)
    own = [name for name, cards in snapshot.table if _owner(name) == str(seat) and cards]
    roles = [(name, name.partition(".")[2]) for name in own]
    return [head, *(_spot_line(snapshot, n, texts.spot(r) if r else "") for n, r in roles)]


def money_texts(snapshot: Snapshot) -> list[tuple[int, str]]:
    """Each seat's money: signed if it is a win or loss, plain if it is a stack."""
    signed = sum(amount for _, amount in snapshot.money) == 0
    return [
        (seat, f"{amount:+d}" if signed and amount else str(amount))
        for seat, amount in snapshot.money
    ]


def _spot_line(snapshot: Snapshot, name: str, label: str) -> Text:
    """A spot's label, if it has one, and its cards; marked where something moves."""
    line = Text(f"{label} " if label else "", QUIET)
    line.append_text(cards_text(dict(snapshot.table)[name]))
    if name in snapshot.busy:
        line.append(" ≈", MOVING)
    return line


def _owner(name: str) -> str:
    """The seat whose spot it is, or nothing."""
    owner = name.partition(".")[0]
    return owner if owner.isdecimal() else ""
