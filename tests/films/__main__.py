"""Check how semi-real films are followed: ``python -m tests.films --seeds 100:112``.

Each job is one film of a hand of a game, made from a seed in one manner of handling. The whole
appliance follows it `--runs` times, and the result is compared with what was dealt: what was
followed, what was invented, and how long after coming to rest. Each job is one line of the log: an
interrupted run resumes where its log ends, as long as the code is the same. With ``--busy`` all
cores are kept busy meanwhile. The exit status is 1 if an event was missed, an act was invented, or
two runs differ.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

import numpy as np

from tests.films.cutting import wanted
from tests.films.following import follow
from tests.films.outcome import Job, Outcome, logged, report, version
from tests.films.semireal import CODECS, made

GAMES = "ziginette,seven-and-a-half,guts"
HANDLINGS = "neat,sloppy"
SEEDS = "100:112"
"""Twelve films of each game and handling."""
KEEP = Path(gettempdir()) / "mazziere-films"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make and follow films; return the exit status."""
    options = _options(arguments)
    if not options.report:
        if wanted():
            print(wanted(), file=sys.stderr)
            return 2
        _follow_all(options)
    found = list(logged(options.log))
    print("\n".join(report(found)), flush=True)
    return 0 if all(one.good for one in {one.job: one for one in found}.values()) else 1


def _follow_all(options: argparse.Namespace) -> None:
    """Do the jobs that are not in the log yet."""
    code = version()
    for folder in (options.keep, options.log.parent):
        folder.mkdir(parents=True, exist_ok=True)
    done = {
        one.job for one in logged(options.log) if one.version == code and one.runs >= options.runs
    }
    jobs = [job for job in _jobs(options) if job not in done]
    print(f"{len(jobs)} films to follow, code {code}, log {options.log}", flush=True)
    with options.log.open("a", encoding="utf-8") as log:
        for job in jobs:
            film = made(
                options.keep, job.game, seed=job.seed, handling=job.handling, codec=job.codec
            )
            with busy(job.busy):
                outcome = Outcome.of(job, [follow(film) for _ in range(options.runs)], code)
            print(outcome.line(), file=log, flush=True)
            print(outcome, flush=True)
            if options.forget and outcome.good:
                film.path.unlink()


def _jobs(options: argparse.Namespace) -> list[Job]:
    """The jobs asked for, ordered by seed so that a run cut short has covered every game."""
    return [
        Job(game, handling, seed, options.codec, options.busy)
        for seed in options.seeds
        for handling in options.handling.split(",")
        for game in options.games.split(",")
    ]


@contextmanager
def busy(wanted_: bool) -> Iterator[None]:
    """Keep every core busy."""
    others = [
        multiprocessing.Process(target=_spin, daemon=True)
        for _ in range((os.cpu_count() or 1) if wanted_ else 0)
    ]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.terminate()
            other.join()


def _spin() -> None:
    while True:
        np.random.default_rng(0).standard_normal(100_000).sort()


def _seeds(text: str) -> list[int]:
    first, _, last = text.partition(":")
    return list(range(int(first), int(last))) if last else [int(first)]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.films", description=__doc__)
    parser.add_argument("--games", default=GAMES)
    parser.add_argument("--seeds", type=_seeds, default=_seeds(SEEDS), metavar="FROM:TO")
    parser.add_argument("--handling", default=HANDLINGS)
    parser.add_argument("--runs", type=int, default=3, help="runs of each film")
    parser.add_argument("--codec", choices=CODECS, default="mjpeg")
    parser.add_argument("--busy", action="store_true", help="keep all cores busy")
    parser.add_argument(
        "--keep", type=Path, default=KEEP, metavar="FOLDER", help="where films are kept"
    )
    parser.add_argument("--log", type=Path, default=KEEP / "followed.jsonl")
    parser.add_argument(
        "--forget", action="store_true", help="delete films that were followed completely"
    )
    parser.add_argument("--report", action="store_true", help="tabulate the log")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
