"""The long run: ``python -m tests.nightly``, for a night or whenever there is time.

It runs every test, the long proofs included, with fresh draws and many more of them, and then the
commands that take long: journal faults, taught decks, drawn spreads, a model of the console, the
documents' liberties, whole soak shards of fresh seeds, the measurements behind thresholds, and
mutations of the source. The tests use all cores; the commands run one per core. Each step has its
own log; an interrupted run resumes with the steps still missing for the same commit. ``--small``
tries a little of every step.

Failed cases are kept: Hypothesis stores them in ``tests/examples``, and the ordinary run tries them
from then on. Commit that folder together with the fix.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
COVERAGE_FLOOR = 90
"""Percentage of the four packages' lines that the tests must cover: a choice, to be reset by the
first whole run of this command to somewhat below what it finds."""
PACKAGES = ("rules", "vision", "hardware", "firmware")


@dataclass(frozen=True)
class Step:
    """One command of the run, and whether it uses all cores by itself."""

    name: str
    command: tuple[str, ...]
    all_cores: bool = False


@dataclass(frozen=True)
class Outcome:
    """How a step ended: its exit status and how long it took."""

    name: str
    status: int
    minutes: float


@dataclass(frozen=True)
class Size:
    """The extent of each step."""

    tests: tuple[str, ...]
    """Which ordinary tests to run, and the coverage floor, as pytest's arguments."""
    proofs: tuple[str, ...]
    """Which long proofs to run, likewise."""
    faults: int
    pictures: int
    spreads: int
    seeds: int
    games: str
    steps: int
    matches: int
    only: str
    """Which constants and mutations to try: those whose names contain this."""


WHOLE = Size((f"--cov-fail-under={COVERAGE_FLOOR}",), ("-m", "slow"), 3_000, 20, 200, 4, "all",
             100_000, 500, "")  # fmt: skip
SMALL = Size(
    ("rules/cards.py", "rules/acts.py"), ("tests/test_melds_arranger.py", "-m", "slow"), 20, 1, 1,
    1, "ziginette", 200, 1, "hardware/press",
)  # fmt: skip
"""A run of a few minutes that tries whether every step begins and ends as it should."""


def steps(seed: int, folder: Path, size: Size = WHOLE) -> Iterator[Step]:
    """All steps, the most productive first; their logs go into `folder`."""
    python, first = sys.executable, seed % 1_000_000
    covered = [f"--cov={package}" for package in PACKAGES]

    def module(name: str, *arguments: object, log: bool = True) -> Step:
        logged = ("--log", str(folder / f"{name}.jsonl")) if log else ()
        return Step(name, (python, "-m", f"tests.{name}", *map(str, arguments), *logged))

    tests = (python, "-m", "pytest", "-v", "-n", "auto", "--dist", "worksteal",
             "--durations=20", f"--hypothesis-seed={seed}")  # fmt: skip
    yield Step("tests", (*tests, *covered, "--cov-report=term:skip-covered", *size.tests), True)
    yield Step("proofs", (*tests, *size.proofs), True)
    yield module("faults", "--faults", size.faults)
    yield module("teaching", "--pictures", size.pictures, log=False)
    yield module("spreads", "--count", size.spreads, "--first", first)
    yield module("model", "--steps", size.steps)
    yield module("generous", "--matches", size.matches)
    yield module(
        "soak", "--seeds", f"{first}:{first + size.seeds}", "--games", size.games, "--no-shrink"
    )
    yield module("thresholds", *([] if size is WHOLE else ["edges"]))
    yield module("mutants", "--only", size.only)


def commit() -> str:
    """The commit under test, with a mark if files have changed since."""
    described = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    return subprocess.run(
        described, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def run(step: Step, folder: Path) -> Outcome:
    """Run a step to its end, with its output in its own log."""
    began = time.monotonic()
    with (folder / f"{step.name}.log").open("wb") as log:
        ended = subprocess.run(
            step.command,
            cwd=ROOT,
            env={**os.environ, "MAZZIERE_NIGHTLY": "1"},
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
        )
    return Outcome(step.name, ended.returncode, (time.monotonic() - began) / 60)


def tried(step: Step, folder: Path) -> bool:
    """Run a step and print its outcome; note it down and return True if it succeeded."""
    print(f"{step.name}: {' '.join(step.command[1:])}", flush=True)
    outcome = run(step, folder)
    with (folder / "done.jsonl").open("a") as log:
        print(json.dumps(asdict(outcome)), file=log)
    verdict = "failed, see" if outcome.status else "passed in"
    what = folder / f"{step.name}.log" if outcome.status else f"{outcome.minutes:.0f} min"
    print(f"{step.name}: {verdict} {what}", flush=True)
    return not outcome.status


def done(file: Path) -> dict[str, Outcome]:
    """The steps that an interrupted run of the same commit has completed successfully."""
    lines = file.read_text().splitlines() if file.exists() else []
    outcomes = [Outcome(**json.loads(line)) for line in lines]
    return {one.name: one for one in outcomes if one.status == 0}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is missing; exit status 1 if anything failed."""
    parser = ArgumentParser("python -m tests.nightly", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--logs", type=Path, default=ROOT / "build" / "nightly")
    parser.add_argument("--only", nargs="+", metavar="STEP", help="run these steps only")
    parser.add_argument("--small", action="store_true", help="a little of every step")
    options = parser.parse_args(arguments)
    size = SMALL if options.small else WHOLE
    folder: Path = options.logs / (commit() + "-small" * options.small)
    folder.mkdir(parents=True, exist_ok=True)
    before = done(folder / "done.jsonl")
    missing = [
        step
        for step in steps(options.seed, folder, size)
        if step.name not in before and (not options.only or step.name in options.only)
    ]
    good = [tried(step, folder) for step in missing if step.all_cores]
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        rest = [step for step in missing if not step.all_cores]
        good += cores.map(tried, rest, [folder] * len(rest))
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
