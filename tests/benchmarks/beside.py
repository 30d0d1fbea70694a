"""Compare this tree's benchmarks with an older one's, alternating between them in one run.

python -m tests.benchmarks.beside COMMIT [AREA…] [--turns 3] [--same]

Both trees are measured equally often and alternately, so that other load on the machine affects
both; of each row the best of its turns counts. Each line has the older figure, the newer one, and
how many times as long it takes now: below one is better.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.logs import ROOT

AREAS = ("rules", "poker", "melds")
"""The areas measured by processor time, whose figures hold on a busy machine too."""
FASTER_IS_MORE = frozenset({"a second"})
"""Units of which more is better; of all others less is better."""
SAME = Path(__file__).with_name("same.py")


@dataclass(frozen=True)
class Figure:
    """One row of a benchmark."""

    value: float
    unit: str

    def better(self, other: Figure) -> Figure:
        """The better of two figures."""
        most = self.unit in FASTER_IS_MORE
        return max(self, other, key=lambda one: one.value if most else -one.value)

    def slower(self, other: Figure) -> float:
        """How many times as long this takes as `other`."""
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
    """Run an area's benchmark once in a tree."""
    command = [sys.executable, "-m", "tests.benchmarks", area]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    return parsed(done.stdout)


def equal_hands(tree: Path, task: str, folder: Path) -> dict[str, Figure]:
    """Run a task of `same.py` on the hands in `folder`, with the rules of a tree."""
    command = [sys.executable, "-P", str(SAME), task, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return parsed(done.stdout)


def merged(best: Figures, new: Figures) -> dict[str, Figure]:
    """The better figure of each row."""
    both = {**new, **best}
    return {what: one.better(new.get(what, one)) for what, one in both.items()}


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Check out a commit into a temporary folder."""
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


Measure = Callable[[Path], Figures]
"""One run in a tree."""


def measures(old: Path, new: Path, areas: Sequence[str], folder: Path) -> Iterator[Measure]:
    """One measure per tree: of the areas, or of the same hands in `folder` if there are none."""
    yield from (partial(measured, area=area) for area in areas)
    if not areas:
        equal_hands(old, "play", folder)
        equal_hands(new, "keep", folder)
        yield partial(equal_hands, task="time", folder=folder)


def compare(
    old: Path, new: Path, measure: Measure, turns: int
) -> Iterator[tuple[str, Figure, Figure]]:
    """Each row that both trees have, with the older and the newer figure."""
    before: Figures = {}
    after: Figures = {}
    for turn in range(turns):
        print(f"turn {turn + 1} of {turns}", file=sys.stderr, flush=True)
        before = merged(before, measure(old))
        after = merged(after, measure(new))
    for what, one in after.items():
        if what in before:
            yield what, before[what], one


def main() -> int:
    """Measure, and print one line per row."""
    parser = ArgumentParser(prog="python -m tests.benchmarks.beside", description=__doc__)
    parser.add_argument("commit", help="the older tree")
    parser.add_argument(
        "areas", nargs="*", metavar="AREA", help="areas; by default rules, poker and melds"
    )
    parser.add_argument("--turns", type=int, default=3, help="runs of each tree")
    parser.add_argument("--same", action="store_true", help="play the older tree's hands in both")
    options = parser.parse_args()
    areas = () if options.same else options.areas or AREAS
    with checkout(options.commit) as old, tempfile.TemporaryDirectory() as folder:
        for measure in measures(old, ROOT, areas, Path(folder)):
            for what, one, now in compare(old, ROOT, measure, options.turns):
                unit = f"{one.value:10.3g} {now.value:10.3g} {now.unit:<9}"
                print(f"{what:<64} {unit} {now.slower(one):5.2f} times", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
