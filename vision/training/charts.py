"""Small charts as SVG, for the results page.

>>> chart = lines("read", "index height, px", {"right": [(10, 0.5), (20, 1.0)]})
>>> chart.startswith("<svg"), chart.count("<circle")
(True, 2)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 420, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 30, 44
INKS = ("#1b6e53", "#b3261e", "#c98a00", "#2b5c9e")
Points = Sequence[tuple[float, float]]


def lines(
    title: str, across: str, series: Mapping[str, Points], *, low: float = 0.0, square: bool = False
) -> str:
    """A chart of shares (0 to 1) over a quantity; a `square` one also shows the diagonal."""
    xs = [x for points in series.values() for x, _ in points]
    first, last = (0.0, 1.0) if square else (min(xs), max(xs))
    parts = [_frame(title, across, first, last, low)]
    if square:
        ends = [_place(v, v, first, last, low) for v in (low, 1.0)]
        parts.append(_line(ends, "#bbbbbb", dashed=True))
    for number, (name, points) in enumerate(series.items()):
        ink = INKS[number % len(INKS)]
        placed = [_place(x, y, first, last, low) for x, y in points]
        parts.append(_line(placed, ink))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ink}"/>' for x, y in placed]
        x = LEFT + 8 + 95 * number
        parts.append(f'<text x="{x}" y="{TOP + 12}" fill="{ink}">{escape(name)}</text>')
    return _svg(parts, WIDTH, HEIGHT)


def matrix(title: str, names: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    """What was answered (across) for what lay there (down), with every nonzero count."""
    cell, edge = 24, 40
    size = edge + cell * len(names) + 12
    parts = [f'<text x="{edge}" y="14" font-weight="bold">{escape(title)}</text>']
    for row, name in enumerate(names):
        y = edge + cell * row
        parts.append(f'<text x="{edge - 6}" y="{y + 16}" text-anchor="end">{escape(name)}</text>')
        parts.append(
            f'<text x="{edge + cell * row + cell / 2}" y="{edge - 6}" text-anchor="middle">'
            f"{escape(name)}</text>"
        )
        total = max(sum(counts[row]), 1)
        for column, count in enumerate(counts[row]):
            parts.append(
                _cell((edge + cell * column, y), cell, count, count / total, row == column)
            )
    return _svg(parts, size, size)


def _cell(place: tuple[int, int], side: int, count: int, share: float, right: bool) -> str:
    x, y = place
    ink = "27,110,83" if right else "179,38,30"
    strength = 0.85 * share if right else min(1.0, 0.25 + 3 * share) if count else 0.0
    box = (
        f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="rgba({ink},{strength:.2f})" '
        'stroke="#dddddd"/>'
    )
    text = (
        f'<text x="{x + side / 2}" y="{y + 16}" text-anchor="middle" font-size="9">{count}</text>'
        if count
        else ""
    )
    return box + text


def _place(x: float, y: float, first: float, last: float, low: float) -> tuple[float, float]:
    across = (x - first) / max(last - first, 1e-9)
    up = (y - low) / (1 - low)
    return (
        LEFT + across * (WIDTH - LEFT - RIGHT),
        HEIGHT - BOTTOM - min(max(up, 0.0), 1.0) * (HEIGHT - TOP - BOTTOM),
    )


def _line(points: Points, ink: str, *, dashed: bool = False) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="4 4"' if dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"{dash}/>'


def _frame(title: str, across: str, first: float, last: float, low: float) -> str:
    parts = [f'<text x="{LEFT}" y="16" font-weight="bold">{escape(title)}</text>']
    for step in range(5):
        share = low + (1 - low) * step / 4
        _, y = _place(first, share, first, last, low)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                     'stroke="#dddddd"/>')  # fmt: skip
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
        value = first + (last - first) * step / 4
        x, _ = _place(value, low, first, last, low)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">'
                     f"{value:.3g}</text>")  # fmt: skip
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'
    )
    return "".join(parts)


def _svg(parts: Sequence[str], width: int, height: int) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="11">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n{body}\n</svg>\n'
    )
