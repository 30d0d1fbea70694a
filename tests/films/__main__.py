"""How semi-real films are followed: ``python -m tests.films --games guts --films 12 --runs 3``.

Makes the films that are not in ``--keep`` yet, follows each `--runs` times, and prints a line a
film and the sum. With ``--busy`` both cores are kept at work meanwhile. The exit status is 1 if an
event was missed, an act invented, or two runs of one film differ.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

import numpy as np

from tests.films.cutting import wanted
from tests.films.following import Following, folder_for, follow
from tests.films.semireal import CODECS, made

GAMES = "ziginette,seven-and-a-half,guts"
FIRST_SEED = 100


def main() -> int:
    """Make and follow films; gives the exit status."""
    options = _options()
    if wanted():
        print(wanted(), file=sys.stderr)
        return 2
    folder = folder_for(options.keep)
    told: list[Following] = []
    same = True
    for game in options.games.split(","):
        for seed in range(options.seed, options.seed + options.films):
            film = made(folder, game, seed=seed, handling=options.handling, codec=options.codec)
            with busy(options.busy):
                runs = [follow(film) for _ in range(options.runs)]
            same_runs = len({run.record for run in runs}) == 1
            same = same and same_runs
            told.append(runs[0])
            print(line(runs[0], same_runs), flush=True)
            if options.forget:
                film.path.unlink()
    print(summed(told, same), flush=True)
    clean = all(not one.missed and not one.invented for one in told)
    return 0 if clean and same else 1


def line(told: Following, same: bool) -> str:
    """One film."""
    film, waits = told.film, told.waits
    words = [
        f"{film.path.name} ({film.codec}): {len(film.rests) - len(told.missed)} of "
        f"{len(film.rests)} events",
        f"median {median(waits):.2f} s" if waits else "none timed",
        "same in every run" if same else "RUNS DIFFER",
    ]
    words += [f"told: {', '.join(sorted(told.troubles))}"] if told.troubles else []
    words += [f"missed {missed}" for missed in told.missed[:3]]
    words += [f"for a moment {momentary}" for momentary in told.momentary[:3]]
    words += [f"INVENTED {invented}" for invented in told.invented[:3]]
    return "; ".join(words)


def summed(told: list[Following], same: bool) -> str:
    """All films."""
    events = sum(len(one.film.rests) for one in told)
    missed = sum(len(one.missed) for one in told)
    invented = sum(len(one.invented) for one in told)
    whole = sum(not one.missed and not one.invented for one in told)
    waits = [wait for one in told for wait in one.waits]
    times = f"{median(waits):.2f} s, 95 % {np.quantile(waits, 0.95):.2f} s" if waits else "none"
    return (
        f"{len(told)} films, {whole} followed whole; {events - missed} of {events} events, "
        f"{invented} invented; from rest to act: median {times}; "
        f"{'same' if same else 'DIFFERENT'} acts in every run"
    )


@contextmanager
def busy(wanted_: bool) -> Iterator[None]:
    """Keep every core at work."""
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


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=GAMES)
    parser.add_argument("--films", type=int, default=12, metavar="N", help="of each game")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first film")
    parser.add_argument("--handling", default="neat")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--codec", choices=CODECS, default="mjpeg")
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--keep", default="/tmp/mazziere-films", metavar="FOLDER")
    parser.add_argument("--forget", action="store_true", help="delete each film once followed")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
