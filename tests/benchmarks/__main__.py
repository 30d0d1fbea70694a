"""Measure and print a table: ``python -m tests.benchmarks [AREA…]``, by default of all `AREAS`."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from importlib import import_module

AREAS = (
    "vision", "backs", "chips", "rules", "poker", "tricks", "melds", "table", "looks", "viewers",
)  # fmt: skip


def main(areas: Sequence[str]) -> int:
    """Measure the areas named, or all of them, and print one line per figure."""
    unknown = [area for area in areas if area not in AREAS]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; expected one of {', '.join(AREAS)}", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()} on {platform.machine()}, one thread")
    for area in areas or AREAS:
        for what, value, unit in import_module(f"tests.benchmarks.{area}").measure():
            print(f"{what:<64} {value:10.3g} {unit}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
