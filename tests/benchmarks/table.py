"""How long people wait at a table, and how long a whole simulated hand takes in one thread."""

from __future__ import annotations

from io import StringIO
from time import perf_counter

from firmware.rehearsal.demo import demo
from firmware.settings.settings import Settings
from rules.games import GAMES
from tests.benchmarks import latency

Row = tuple[str, float, str]
HANDS = 2


def measure() -> list[Row]:
    """The waits, and the seconds per hand of the first two games, which are dealt fastest."""
    hands = [(f"{name}: a simulated hand", _hand(name), "s") for name in list(GAMES)[:2]]
    return [*latency.measure(), *hands]


def _hand(name: str) -> float:
    settings = Settings.from_mapping({"table": {"game": name, "limits": [1, 20]}})
    begun = perf_counter()
    demo(settings, hands=HANDS, seed=1, headless=True, out=StringIO())
    return (perf_counter() - begun) / HANDS
