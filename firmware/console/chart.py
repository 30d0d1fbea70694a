"""The evening as a chart: what each seat has after each hand and, below, how long the hands took.

A self-contained SVG. Seats differ by colour, by dash and by the name at the end of their line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from firmware.console.evening import Row

WIDTH, LINES, BARS, RIGHT, LEFT, TOP, GAP = 960, 380, 90, 130, 60, 30, 46
"""Sizes of the chart in its own units. A choice: names fit on the right, even on a telephone."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5c00", "#3a3a3a", "#56b4e9", "#a03030")
"""Okabe and Ito's colours for the colour-blind, with those too light for paper darkened."""
DASHES = ("", "8 4", "2 3", "10 3 2 3")
STEPS = (1, 2, 5)
"""Steps of an axis, times a power of ten. A choice: the way people count."""
APART = 15
"""Smallest distance between two names on the right, so that both can be read. A choice."""
BAR = 0.76
"""The share of its slot that a bar fills. A choice."""
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.fine{fill:#555;font-size:12px}"
    ".grid{stroke:#ddd}.zero{stroke:#888}.bar{fill:#8aa399}.mark{fill:#b3261e}"
)


def chart(
    rows: Sequence[Row], seats: Sequence[int], names: Mapping[int, str], words: Mapping[str, str]
) -> str:
    """The picture as SVG; `words` names `title`, `length` and `marked`."""
    height = TOP + LINES + GAP + BARS + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(words["title"])}"><style>{STYLE}</style>'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        _text(LEFT, 18, words["title"]),
        *_lines(rows, seats, names),
        *_bars(rows, words),
        "</svg>",
    ]
    return "".join(parts)


def chart_words(page: Mapping[str, str], points: bool) -> dict[str, str]:
    """The chart's words, taken from those of the page."""
    title = page["evening-points" if points else "evening-chips"]
    return {"title": title, "length": page["evening-length"], "marked": page["evening-marked"]}


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(text)}</text>"


def _x(place: int, count: int) -> float:
    """The x coordinate after hand `place` of `count`; 0 is the beginning."""
    return LEFT + (WIDTH - LEFT - RIGHT) * place / max(1, count)


def step_of(span: int) -> int:
    """The spacing of grid lines: 1, 2 or 5 times a power of ten, for about six lines.

    >>> [step_of(span) for span in (3, 12, 60, 700)]
    [1, 2, 10, 200]
    """
    power = 1
    while True:
        for step in STEPS:
            if span <= 6 * step * power:
                return step * power
        power *= 10


def _lines(rows: Sequence[Row], seats: Sequence[int], names: Mapping[int, str]) -> list[str]:
    first = {seat: _before(rows, seat) for seat in seats}
    values = [value for row in rows for value in row.standing.values()] + list(first.values())
    low, high = min([0, *values]), max([1, *values])
    step = step_of(high - low)
    low, high = low // step * step, -(-high // step) * step

    def y(value: float) -> float:
        return TOP + LINES * (high - value) / (high - low)

    parts = []
    for value in range(low, high + 1, step):
        kind = "grid" if value else "zero"
        across = f'x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"'
        parts.append(f'<line {across} class="{kind}"/>')
        parts.append(_text(LEFT - 8, y(value) + 4, str(value), "fine", "end"))
    ends: list[tuple[float, int]] = []
    for place, seat in enumerate(seats):
        points = [(_x(0, len(rows)), y(first[seat]))]
        points += [
            (_x(n, len(rows)), y(row.standing[seat]))
            for n, row in enumerate(rows, start=1)
            if seat in row.standing
        ]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        colour, dash = COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5" '
            f'stroke-dasharray="{dash}" stroke-linejoin="round"/>'
        )
        ends.append((points[-1][1], seat))
    return [*parts, *_names(rows, ends, names)]


def _before(rows: Sequence[Row], seat: int) -> int:
    """What a seat had before its first hand."""
    own = next((row for row in rows if seat in row.change), None)
    return own.standing[seat] - own.change[seat] if own is not None else 0


def _names(
    rows: Sequence[Row], ends: Sequence[tuple[float, int]], names: Mapping[int, str]
) -> list[str]:
    """The seats' names at the ends of their lines, pushed apart if they would collide."""
    parts, last = [], float("-inf")
    for y, seat in sorted(ends):
        at = max(y, last + APART)
        last = at
        told = f"{names[seat]} {rows[-1].standing.get(seat, 0)}" if rows else names[seat]
        parts.append(_text(WIDTH - RIGHT + 8, at + 4, told))
    return parts


def _bars(rows: Sequence[Row], words: Mapping[str, str]) -> list[str]:
    """How long each hand took, with a mark for each correction and question."""
    bottom = TOP + LINES + GAP + BARS
    longest = max([1.0, *(row.seconds for row in rows)])
    parts = [_text(LEFT, TOP + LINES + GAP - 12, words["length"], "fine")]
    wide = (WIDTH - LEFT - RIGHT) / max(1, len(rows))
    each = max(1, -(-len(rows) // 20))
    for place, row in enumerate(rows):
        tall, left = BARS * row.seconds / longest, LEFT + place * wide
        parts.append(
            f'<rect x="{left + wide * (1 - BAR) / 2:.1f}" y="{bottom - tall:.1f}" '
            f'width="{wide * BAR:.1f}" height="{tall:.1f}" class="bar"/>'
        )
        for mark in range(min(6, row.corrections + row.questions + row.undone)):
            parts.append(
                f'<circle cx="{left + wide / 2:.1f}" cy="{bottom - 5 - 9 * mark:.1f}" r="3" '
                'class="mark"/>'
            )
        if place % each == 0:
            parts.append(_text(left + wide / 2, bottom + 16, str(row.hand), "fine", "middle"))
    parts.append(_text(LEFT - 8, bottom - BARS + 4, f"{longest / 60:.1f}", "fine", "end"))
    parts.append(_text(LEFT, bottom + 34, words["marked"], "fine"))
    return parts
