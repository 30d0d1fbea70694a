"""The outcome of each semi-real film as a line of the log, and tables of outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any, Self

import numpy as np

from tests import logs
from tests.films.following import Following

CODE = ("firmware", "hardware", "rules", "vision", "tests/films")
"""What the outcome depends on: after a change there every film is followed again."""


@dataclass(frozen=True)
class Job:
    """One film, and whether the cores are kept busy while it is followed."""

    game: str
    handling: str
    seed: int
    codec: str = "mjpeg"
    busy: bool = False

    def __str__(self) -> str:
        return f"{self.game} {self.handling} {self.seed} {self.codec}{' busy' * self.busy}"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of a job: the first run's figures, and whether every run gave the same acts."""

    version: str
    job: Job
    runs: int
    same: bool
    acts: str
    """A digest of what was taken in and when: the same whether the cores are busy or not."""
    events: int
    missed: tuple[str, ...]
    invented: tuple[str, ...]
    momentary: tuple[str, ...]
    waits: tuple[float, ...]
    told: tuple[str, ...]

    @classmethod
    def of(cls, job: Job, runs: Sequence[Following], code: str) -> Self:
        """Sum up the runs of one film."""
        first, acts = runs[0], [_digest(run) for run in runs]
        return cls(
            version=code,
            job=job,
            runs=len(runs),
            same=len(set(acts)) == 1,
            acts=acts[0],
            events=len(first.film.rests),
            missed=tuple(first.missed),
            invented=tuple(first.invented),
            momentary=tuple(first.momentary),
            waits=tuple(round(wait, 3) for wait in first.waits),
            told=tuple(f"{what} at {at:.1f} s" for what, at in first.told.items()),
        )

    @property
    def good(self) -> bool:
        """Whether every event was followed, none was invented, and all runs agreed."""
        return not self.missed and not self.invented and self.same

    def line(self) -> str:
        """The line of the log."""
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, line: str) -> Self:
        """The outcome that a line of the log stands for."""
        known: dict[str, Any] = json.loads(line)
        lists = {key: tuple(value) for key, value in known.items() if isinstance(value, list)}
        return cls(**{**known, **lists, "job": Job(**known["job"])})

    def __str__(self) -> str:
        words = [
            f"{self.job}: {self.events - len(self.missed)} of {self.events} events",
            f"median {median(self.waits):.2f} s" if self.waits else "none timed",
            f"same in {self.runs} runs" if self.same else "RUNS DIFFER",
        ]
        words += [f"reported {', '.join(self.told)}"] if self.told else []
        words += [f"missed {one}" for one in self.missed]
        words += [f"momentary {one}" for one in self.momentary]
        words += [f"INVENTED {one}" for one in self.invented]
        return "; ".join(words)


def _digest(run: Following) -> str:
    told = [f"{one.time_s:.3f} {one.hand} {one.act} {one.by}\n" for one in run.commits]
    return sha256("".join((*told, run.record)).encode()).hexdigest()[:12]


def version() -> str:
    """A version of all code that the outcome depends on."""
    return logs.version(CODE)


def logged(log: Path) -> Iterator[Outcome]:
    """The outcomes in a log."""
    return map(Outcome.parse, logs.lines(log))


def report(found: Iterable[Outcome]) -> Iterator[str]:
    """A line per game and handling and one for all, from the last outcome of each job."""
    outcomes = list({one.job: one for one in found}.values())
    for key in dict.fromkeys((one.job.game, one.job.handling) for one in outcomes):
        those = [one for one in outcomes if (one.job.game, one.job.handling) == key]
        yield f"{' '.join(key)}: {_summed(those)}"
    yield f"all: {_summed(outcomes)}"
    versions = sorted({one.version for one in outcomes})
    yield f"code: {', '.join(versions)}"


def _summed(told: Sequence[Outcome]) -> str:
    events = sum(one.events for one in told)
    missed = sum(len(one.missed) for one in told)
    invented = sum(len(one.invented) for one in told)
    whole = sum(not one.missed and not one.invented for one in told)
    waits = [wait for one in told for wait in one.waits]
    times = f"{median(waits):.2f} s, 95 % {np.quantile(waits, 0.95):.2f} s" if waits else "none"
    same = all(one.same for one in told) and not _unlike(told)
    return (
        f"{len(told)} films, {whole} followed whole; {events - missed} of {events} events, "
        f"{invented} invented; from rest to act: median {times}; "
        f"{'same' if same else 'DIFFERENT'} acts in every run"
    )


def _unlike(told: Sequence[Outcome]) -> bool:
    """Whether a film gave different acts when the cores were busy, with the same code."""
    acts: dict[object, set[str]] = {}
    for one in told:
        job = one.job
        key = (one.version, job.game, job.handling, job.seed, job.codec)
        acts.setdefault(key, set()).add(one.acts)
    return any(len(each) > 1 for each in acts.values())
