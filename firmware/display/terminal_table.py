"""The table as text: cards at their places around the felt, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

from rich.style import Style
from rich.text import Text

from firmware.display.snapshot import Snapshot
from firmware.table.layout import seat_points
from firmware.table.place import VIEW_MM
from firmware.texts import Texts

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "?": "?"}
RED = "DH"
PAPER_BLACK, PAPER_RED = Style.parse("black on #f4f1e8"), Style.parse("bold #b00020 on #f4f1e8")
BACK = Style.parse("#dfe6ff on #27408b")
FELT = Style.parse("#e8efe8 on #14532d")
LABEL, QUIET = Style.parse("bold"), Style.parse("#a7c4a7")
AWAITED = Style.parse("bold black on #ffd54f")
MOVING = Style.parse("bold #ffd54f")
BET = Style.parse("bold #ffd54f")


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
    """A felt of columns and rows of characters, on which texts are placed."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows: list[list[tuple[int, Text]]] = [[] for _ in range(height)]

    def put(self, column: int, row: int, text: Text) -> None:
        """Put a line of text at that column and row, as far as it fits."""
        room = max(0, min(text.cell_len, self.width - max(0, column)))
        if 0 <= row < self.height and room:
            self._rows[row].append((max(0, column), text[:room]))

    def block(self, centre: float, top: int, lines: Sequence[Text]) -> None:
        """Put lines below each other, each centred on `centre`, inside the felt."""
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


Names = Mapping[int, str]
"""The players' names, by seat."""


@dataclass(frozen=True)
class Block:
    """Lines below each other, centred on a column, from the row `top` down."""

    centre: float
    top: int
    lines: Sequence[Text]

    @property
    def wide(self) -> int:
        """Width of the longest line, in columns."""
        return max((line.cell_len for line in self.lines), default=0)

    def box(self, canvas: Canvas) -> tuple[int, int, int, int]:
        """Left, top, right and bottom, shifted so as to be inside the canvas."""
        left = round(self.centre - self.wide / 2)
        left = max(0, min(left, canvas.width - self.wide))
        return left, self.top, left + self.wide, self.top + len(self.lines)


def table_text(
    snapshot: Snapshot, size: tuple[int, int], texts: Texts, names: Names | None = None
) -> Text:
    """The table on a felt of `size` columns and rows: the common cards in the middle.

    If it is too small for all cards at their places, seats and spots are listed in rows, and equal
    cards side by side are shown as a count.
    """
    canvas = Canvas(*size)
    blocks = list(_blocks(snapshot, texts, canvas, names or {}))
    if not _fit(blocks, canvas):
        return _rows(snapshot, texts, canvas, names or {}).text()
    for block in blocks:
        canvas.block(block.centre, block.top, block.lines)
    return canvas.text()


def _blocks(snapshot: Snapshot, texts: Texts, canvas: Canvas, names: Names) -> Iterator[Block]:
    for side, seats in _sides(snapshot.seats).items():
        for place, seat in enumerate(seats):
            lines = _seat_lines(snapshot, seat, texts, names)
            centre, top = _spot(side, (place + 0.5) / len(seats), lines, canvas)
            yield Block(centre, top, lines)
    common = [_spot_line(snapshot, name, texts.spot(name)) for name in _common(snapshot)]
    if common:
        yield Block(canvas.width / 2, max(0, (canvas.height - len(common)) // 2), common)


def _common(snapshot: Snapshot) -> list[str]:
    """The spots that belong to nobody."""
    return [name for name, _ in snapshot.table if not _owner(name)]


def _fit(blocks: Sequence[Block], canvas: Canvas) -> bool:
    """Whether all blocks are on the canvas, and no two overlap."""
    boxes = [block.box(canvas) for block in blocks]
    inside = all(
        left >= 0 and top >= 0 and right <= canvas.width and bottom <= canvas.height
        for left, top, right, bottom in boxes
    )
    return inside and not any(
        one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
        for one, other in combinations(boxes, 2)
    )


def _rows(snapshot: Snapshot, texts: Texts, canvas: Canvas, names: Names) -> Canvas:
    """The common spots in rows, then the seats; in two columns if there are too many."""
    common = _common(snapshot)
    if len(common) + len(snapshot.seats) > canvas.height:
        common = [name for name in common if dict(snapshot.table)[name]]
    room = canvas.height - len(common)
    columns = 1 if len(snapshot.seats) <= room else 2
    wide = canvas.width // columns
    for row, name in enumerate(common):
        canvas.put(0, row, _spot_row(snapshot, name, texts.spot(name), canvas.width))
    lines: list[Text] = []
    spare = room - len(snapshot.seats) if columns == 1 else 0
    for seat in snapshot.seats:
        head, cards = _seat_row(snapshot, seat, texts, wide - 1, names)
        if head.cell_len + 1 + cards.cell_len >= wide and spare > 0:
            lines += [head, Text("  ").append_text(cards)]
            spare -= 1
        else:
            lines.append(head.append(" ").append_text(cards)[: wide - 1])
    for place, line in enumerate(lines):
        canvas.put(place % columns * wide, len(common) + place // columns, line)
    return canvas


def _seat_row(
    snapshot: Snapshot, seat: int, texts: Texts, room: int, names: Names
) -> tuple[Text, Text]:
    """A seat, and all its cards in a row of at most `room` columns."""
    own = [name for name, cards in snapshot.table if _owner(name) == str(seat) and cards]
    line = Text()
    for name in own:
        role = name.partition(".")[2]
        left = room - line.cell_len - 3
        part = _spot_row(snapshot, name, texts.spot(role) if role else "", left)
        if part.cell_len > left:
            part = Text(f"+{len(dict(snapshot.table)[name])}", QUIET)
        line.append(" " if line else "").append_text(part)
    return _head(snapshot, seat, texts, names), line


def _spot_row(snapshot: Snapshot, name: str, label: str, room: int) -> Text:
    """A spot's cards in `room` columns: backs are counted, and of many cards the last are shown."""
    cards = dict(snapshot.table)[name]
    head = Text(f"{label} " if label else "", QUIET)
    runs = [(card, len(list(same))) for card, same in groupby(cards)]
    shown = [_run_text(card, count) for card, count in runs]
    whole = Text(" ").join(shown)
    if head.cell_len + whole.cell_len <= room:
        return _moving(snapshot, name, head.append_text(whole))
    head.append(f"({len(cards)}) … ", QUIET)
    while shown and head.cell_len + Text(" ").join(shown).cell_len > room:
        shown.pop(0)
    return _moving(snapshot, name, head.append_text(Text(" ").join(shown)))


def _run_text(card: str, count: int) -> Text:
    """A run of equal cards, shown as one card with their number."""
    return (
        card_text(card)
        if count == 1
        else card_text(card).append(f"\N{MULTIPLICATION SIGN}{count}", QUIET)
    )


def _sides(seats: Sequence[int]) -> dict[str, list[int]]:
    """The seats on each side of the table, from left to right or from top to bottom."""
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


def _seat_lines(snapshot: Snapshot, seat: int, texts: Texts, names: Names) -> list[Text]:
    """A seat's name, whether it is awaited, its money, and its cards below."""
    own = [name for name, cards in snapshot.table if _owner(name) == str(seat) and cards]
    roles = [(name, name.partition(".")[2]) for name in own]
    head = _head(snapshot, seat, texts, names)
    return [head, *(_spot_line(snapshot, n, texts.spot(r) if r else "") for n, r in roles)]


def _head(snapshot: Snapshot, seat: int, texts: Texts, names: Names) -> Text:
    """A seat's name, marked if it is awaited, with what it holds, has scored and has bet."""
    awaited = seat in snapshot.awaited
    mark, style = ("▶ ", AWAITED) if awaited else ("", LABEL)
    head = Text(" ").append(f"{mark}{texts.seat(seat)}", style).append(" ")
    view = texts.words["view"]
    roles = [(snapshot.banker, view["banker"]), (snapshot.dealer, view["dealer"])]
    parts = [names.get(seat, ""), *(word for holder, word in roles if seat == holder)]
    parts.append(worth_text(snapshot, seat, view["points-short"]))
    head.append(" ".join(part for part in parts if part), QUIET)
    if bet := dict(snapshot.bets).get(seat):
        head.append(f" ●{bet}", BET)
    return head


def worth_text(snapshot: Snapshot, seat: int, points: str) -> str:
    """What a seat holds and has scored; in games for points alone, only its points.

    >>> shown = Snapshot(game="x", hand=1, phase="", sentence="", seats=(1,), money=((1, 0),),
    ...     points=((1, 40),))
    >>> worth_text(shown, 1, "pts")
    '40 pts'
    """
    scored = dict(snapshot.points).get(seat)
    idle = scored is not None and not any(amount for _, amount in snapshot.money)
    money = "" if idle else dict(money_texts(snapshot)).get(seat, "")
    return " ".join(
        part for part in (money, "" if scored is None else f"{scored} {points}") if part
    )


def money_texts(snapshot: Snapshot) -> list[tuple[int, str]]:
    """Each seat's money: signed if it is a win or loss, plain if it is a stack."""
    signed = sum(amount for _, amount in snapshot.money) == 0
    return [
        (seat, f"{amount:+d}" if signed and amount else str(amount))
        for seat, amount in snapshot.money
    ]


def _spot_line(snapshot: Snapshot, name: str, label: str) -> Text:
    """A spot's label, if it has one, and its cards; marked if something is moving there."""
    line = Text(f"{label} " if label else "", QUIET)
    line.append_text(cards_text(dict(snapshot.table)[name]))
    return _moving(snapshot, name, line)


def _moving(snapshot: Snapshot, name: str, line: Text) -> Text:
    return line.append(" ≈", MOVING) if name in snapshot.busy else line


def _owner(name: str) -> str:
    """The seat that owns the spot, or an empty text."""
    owner = name.partition(".")[0]
    return owner if owner.isdecimal() else ""
