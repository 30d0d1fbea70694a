"""The benchmarks of this tree beside an older one's, by turns in one run.

    python -m tests.benchmarks.beside COMMIT [AREA…] [--turns 3]

Each tree is measured as often, one after the other, so that whatever else the machine does falls on
both; of each row the best of its turns counts. It prints the older figure, this one, and how many
times as long (or as slow) it is now: below one is better.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.logs import ROOT

AREAS = ("rules", "poker", "melds")
"""What is told by processor time, and so holds on a busy machine too."""
FASTER_IS_MORE = frozenset({"a second"})
"""Units of which more is better; of all others less is."""


@dataclass(frozen=True)
class Figure:
    """One row of a benchmark."""

    value: float
    unit: str

    def better(self, other: Figure) -> Figure:
        """The better of the two."""
        most = self.unit in FASTER_IS_MORE
        return max(self, other, key=lambda one: one.value if most else -one.value)

    def slower(self, other: Figure) -> float:
        """How many times as long as `other` it takes."""
        if self.unit in FASTER_IS_MORE:
            return other.value / self.value
        return self.value / other.value


Figures = Mapping[str, Figure]
"""Rows by what they measure."""


def parsed(output: str) -> dict[str, Figure]:
    """The rows of a printed table.

    >>> parsed("Python 3.13\\nmille: an act        200 µs")
    {'mille: an act': Figure(value=200.0, unit='µs')}
    """
    found = {}
    for line in output.splitlines():
        what, _, rest = line.partition("  ")
        value, _, unit = rest.strip().partition(" ")
        if unit:
            found[what] = Figure(float(value), unit)
    return found


def measured(tree: Path, area: str) -> dict[str, Figure]:
    """One run of an area's benchmark in a tree."""
    command = [sys.executable, "-m", "tests.benchmarks", area]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    return parsed(done.stdout)


def merged(best: Figures, new: Figures) -> dict[str, Figure]:
    """The better figure of each row."""
    both = {**new, **best}
    return {what: one.better(new.get(what, one)) for what, one in both.items()}


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """The tree of a commit in a folder of its own, for as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        add = ["git", "worktree", "add", "--detach", "-q", str(tree), commit]
        subprocess.run(add, cwd=ROOT, check=True)
        try:
            yield tree
        finally:
            subprocess.run(
                ["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True
            )


def compare(old: Path, new: Path, area: str, turns: int) -> Iterator[tuple[str, Figure, Figure]]:
    """Each row that both trees have, with the older figure and the newer one."""
    before: Figures = {}
    after: Figures = {}
    for turn in range(turns):
        print(f"{area}: turn {turn + 1} of {turns}", file=sys.stderr, flush=True)
        before = merged(before, measured(old, area))
        after = merged(after, measured(new, area))
    for what, one in after.items():
        if what in before:
            yield what, before[what], one


def main() -> int:
    """Measure, and print a line a row."""
    parser = ArgumentParser(prog="python -m tests.benchmarks.beside", description=__doc__)
    parser.add_argument("commit", help="the older tree")
    parser.add_argument("areas", nargs="*", metavar="AREA", help="areas; rules, poker and melds")
    parser.add_argument("--turns", type=int, default=3, help="runs of each tree")
    options = parser.parse_args()
    with checkout(options.commit) as old:
        for area in options.areas or AREAS:
            for what, one, now in compare(old, ROOT, area, options.turns):
                unit = f"{one.value:10.3g} {now.value:10.3g} {now.unit:<9}"
                print(f"{what:<64} {unit} {now.slower(one):5.2f} times", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
