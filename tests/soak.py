"""Rehearse many hands of every game: ``python -m tests.soak --seeds 0:20``.

Each job is one rehearsal of a game (or variant) from one seed in one manner of handling. The
watcher knows the truth by default; with `--pictures` the camera's pictures are read instead. Each
job is one line of the log: an interrupted run resumes where its log ends, as long as the code is
the same. Several shards (`--shard 1/4`) share the work. A failure is reported with the shortest run
that reproduces it. `--inject` shows each habit and makes each slip once in each game and `--matrix`
tabulates the outcome; `--report` tabulates any log, and `--readme` writes the README's table of
games from it.
"""

from __future__ import annotations

import gc
import json
import sys
import time
import traceback
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from firmware.rehearsal.attention import Counts
from firmware.rehearsal.handling import HABITS, MANNERS, NONE
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.report import HandReport, transcript
from firmware.rehearsal.slips import SLIPS
from firmware.settings.settings import Settings
from rules.games import GAMES
from tests import logs
from tests.rehearsing import TruthfulWatcher
from vision.scene.sensor import SENSORS

LOG = logs.ROOT / "tests" / "results" / "soak.jsonl"
NAMED = (31, 977, 4711, 5001, 5005, 5013, 5016, 5018, 5026)
"""Seeds at which hands were once lost; with `--named` they are played besides those asked for."""
CODE = ("firmware", "rules", "vision", "tests/soak.py", "tests/rehearsing.py")
"""What the outcome depends on: a change there makes a log's lines obsolete."""
CLEAN, USUAL = "clean", "webcam"
"""The cameras used: a perfect one, and the one that most people have."""
LINES_TOLD = 12
"""How many lines of differences and invented acts are printed for a failing hand."""


HERE = Path(__file__).resolve().parents[1]
"""The root of the checkout."""


@dataclass(frozen=True)
class Job:
    """One rehearsal: who plays what, from which seed, how, and what looks at it."""

    game: str
    """Its name, followed after a slash by the variant: ``eleusis/express``."""
    seed: int
    handling: str
    hands: int = 2
    pictures: bool = False
    slips: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    sensor: str = CLEAN
    """The camera above the table, one of `SENSORS`."""

    def settings(self) -> Settings:
        """The settings before the first hand."""
        name, _, variant = self.game.partition("/")
        rules = {
            key: {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
            for key, value in (GAMES[name].variants[variant] if variant else {}).items()
        }
        return Settings.from_mapping({"table": {"game": name}, "house_rules": rules})

    def rehearsal(self) -> Rehearsal:
        """The rehearsal, ready to be played."""
        plan = Plan.of(
            self.settings(),
            seed=self.seed,
            slips=self.slips,
            handling=self.handling,
            without=self.without,
            sensor=self.sensor,
        )
        return Rehearsal(plan, watches=None if self.pictures else TruthfulWatcher)

    def run(self) -> tuple[HandReport, ...]:
        """Play the hands and return their reports."""
        rehearsal = self.rehearsal()
        try:
            return tuple(rehearsal.play(self.hands))
        finally:
            rehearsal.close()

    @property
    def way(self) -> str:
        """How cards are handled, or which slips are made."""
        return f"slip {' '.join(self.slips)}" if self.slips else self.handling

    @property
    def command(self) -> str:
        """The command that replays and prints this job."""
        more = f" --without {','.join(self.without)}" if self.without else ""
        more += f" --slips {','.join(self.slips)}" if self.slips else ""
        more += f" --pictures --sensor {self.sensor}" * self.pictures
        return (
            f"python -m tests.soak --games {self.game} --seeds {self.seed} "
            f"--handling {self.handling} --hands {self.hands}{more} --show"
        )


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of a job, as stored in a line of the log."""

    version: str
    job: Job
    played: int = 0
    """Hands dealt, including one that was given up."""
    settled: int = 0
    """Hands that reached the settlement that was dealt."""
    faithful: int = 0
    """Hands followed act by act."""
    invented: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    counts: Counts
    handled: dict[str, int]
    slips: tuple[str, ...] = ()
    seconds: float = 0.0
    """Time elapsed at the simulated table."""
    error: str = ""

    @classmethod
    def of(cls, job: Job, version: str) -> Self:
        """Play a job and sum up its reports."""
        try:
            reports = job.run()
        except Exception:  # a crash is a result too, and the other jobs go on
            # Where this checkout lies says nothing to those who read the log.
            crash = traceback.format_exc(limit=-3).replace(f"{HERE}/", "")
            return cls(version=version, job=job, counts=Counts(), handled={}, error=crash)
        handled: dict[str, int] = {}
        for report in reports:
            for habit, number in report.handled.items():
                handled[habit] = handled.get(habit, 0) + number
        return cls(
            version=version,
            job=job,
            played=len(reports),
            settled=sum(report.settled for report in reports),
            faithful=sum(report.faithful for report in reports),
            invented=tuple(act for report in reports for act in report.invented),
            wrong=tuple(act for report in reports for act in report.wrong),
            differences=tuple(line for report in reports for line in report.differences),
            counts=sum((report.counts for report in reports), Counts()),
            handled=handled,
            slips=tuple(line for report in reports for line in report.slips),
            seconds=round(sum(report.seconds for report in reports), 1),
        )

    @property
    def good(self) -> bool:
        """Whether every hand reached the settlement that was dealt and no act was invented."""
        whole = self.settled == self.job.hands == self.played
        return whole and not self.invented and not self.error

    def line(self) -> str:
        """The line of the log."""
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, line: str) -> Self:
        """The outcome that a line of the log stands for."""
        found: dict[str, Any] = json.loads(line)
        job = _tuples(found.pop("job"))
        counts = Counts(**found.pop("counts"))
        return cls(job=Job(**job), counts=counts, **_tuples(found))


def _tuples(found: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in found.items()}


def logged(log: Path) -> Iterator[Outcome]:
    """The outcomes in a log."""
    return map(Outcome.parse, logs.lines(log))


def shrunk(outcome: Outcome) -> Outcome:
    """The shortest run that still fails: fewer hands, and only the habits that matter."""
    best = outcome
    for hands in range(1, outcome.job.hands):
        tried = Outcome.of(replace(best.job, hands=hands), best.version)
        if not tried.good:
            best = tried
            break
    for habit in sorted(best.handled):
        without = tuple(sorted({*best.job.without, habit}))
        tried = Outcome.of(replace(best.job, without=without), best.version)
        if not tried.good:
            best = tried
    return best


def told(outcome: Outcome) -> Iterator[str]:
    """The lines that report a failure."""
    job = outcome.job
    yield f"FAILED {job.game} seed {job.seed} {job.way}: {job.command}"
    if outcome.error:
        yield from (f"    {line}" for line in outcome.error.splitlines()[-4:])
    for title, lines in (("differs", outcome.differences), ("invented", outcome.invented)):
        yield from (f"    {title}: {line}" for line in lines[:LINES_TOLD])
    shown = {habit: number for habit, number in outcome.handled.items() if number}
    yield f"    handled: {shown or 'as by a machine'}"


# The command line.


def games() -> tuple[str, ...]:
    """The names of every game and every variant."""
    return tuple(
        name for game in GAMES for name in (game, *(f"{game}/{v}" for v in GAMES[game].variants))
    )


def _seeds(text: str) -> list[int]:
    first, _, last = text.partition(":")
    return list(range(int(first), int(last))) if last else [int(first)]


def _shard(text: str) -> tuple[int, int]:
    number, _, count = text.partition("/")
    return int(number), int(count or 1)


def parsed(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--games", default="all", help="comma-separated names, or all")
    parser.add_argument("--seeds", type=_seeds, default=_seeds("0:20"), metavar="FROM:TO")
    parser.add_argument(
        "--named", action="store_true", help="also play the seeds at which hands were once lost"
    )
    parser.add_argument("--hands", type=int, default=2, metavar="N")
    parser.add_argument(
        "--handling", default=",".join(MANNERS), help="manners or single habits, comma-separated"
    )
    parser.add_argument("--without", default="", help="habits to leave out, comma-separated")
    parser.add_argument("--slips", default="", help="slips to make, comma-separated")
    parser.add_argument(
        "--inject",
        action="store_true",
        help="show each habit and make each slip, once in each game",
    )
    parser.add_argument("--shard", type=_shard, default=(1, 1), metavar="I/N")
    parser.add_argument("--pictures", action="store_true", help="read the camera's pictures")
    parser.add_argument(
        "--sensor", choices=SENSORS, default=USUAL, help="the camera that takes the pictures"
    )
    parser.add_argument("--log", type=Path, default=LOG)
    parser.add_argument(
        "--no-shrink", action="store_true", help="report failures without looking for a shorter run"
    )
    parser.add_argument("--show", action="store_true", help="print the hands and write no log")
    parser.add_argument("--report", action="store_true", help="tabulate the log")
    parser.add_argument(
        "--matrix", action="store_true", help="tabulate each habit and slip in each game"
    )
    parser.add_argument("--readme", action="store_true", help="write the README's table of games")
    return parser.parse_args(arguments)


def jobs_of(options: Namespace) -> list[Job]:
    """The jobs asked for, ordered by seed so that a run cut short has covered every game."""
    names = games() if options.games == "all" else tuple(options.games.split(","))
    slips = tuple(filter(None, options.slips.split(",")))
    ways = [(way, slips) for way in options.handling.split(",")]
    if options.inject:
        ways = [(habit, ()) for habit in HABITS] + [(NONE, (slip,)) for slip in SLIPS]
    seeds = dict.fromkeys([*(NAMED if options.named else ()), *options.seeds])
    jobs = [
        Job(
            game,
            seed,
            way,
            options.hands,
            options.pictures,
            made,
            tuple(filter(None, options.without.split(","))),
            options.sensor if options.pictures else CLEAN,
        )
        for seed in seeds
        for way, made in ways
        for game in names
    ]
    number, count = options.shard
    return jobs[number - 1 :: count]


def _show(jobs: Sequence[Job]) -> int:
    for job in jobs:
        for report in job.run():
            print("\n".join(transcript(report)))
            print(f"  handled: {dict(report.handled)}")
    return 0


def _play(options: Namespace) -> int:
    code, bad = logs.version(CODE), 0
    options.log.parent.mkdir(parents=True, exist_ok=True)
    done = {one.job for one in logged(options.log) if one.version == code}
    jobs = [job for job in jobs_of(options) if job not in done]
    print(f"{len(jobs)} jobs to do, {len(done)} done before, code {code}", flush=True)
    began = time.monotonic()
    with options.log.open("a", encoding="utf-8") as log:
        for number, job in enumerate(jobs, 1):
            outcome = Outcome.of(job, code)
            print(outcome.line(), file=log, flush=True)
            gc.collect()  # a hand's pictures, 130 MB, are held in cycles
            if not outcome.good:
                bad += 1
                shortest = outcome if options.no_shrink else shrunk(outcome)
                print("\n".join(told(shortest)), flush=True)
            if number % 50 == 0:
                print(f"{number} done in {time.monotonic() - began:.0f} s, {bad} bad", flush=True)
    return 1 if bad else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = parsed(arguments)
    if options.show:
        return _show(jobs_of(options))
    if options.report or options.matrix or options.readme:
        from tests.soak_report import matrix, report, write_readme  # noqa: PLC0415

        found = list(logged(options.log))
        if options.readme:
            return write_readme(found)
        return matrix(found) if options.matrix else report(found)
    return _play(options)


if __name__ == "__main__":
    sys.exit(main())
