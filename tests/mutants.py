"""Do the tests notice a slip? ``python -m tests.mutants`` tries fifty mutations, one by one.

The mutations are listed in ``tests/mutants.toml``. Each is applied to a scratch copy of the tracked
files, in which the tests that cover the place are run with the ordinary settings; a mutation that
they do not notice survives. Every outcome is logged, and an interrupted run resumes with the
missing ones. Exit status 1 if more than `SURVIVORS_MOST` survive.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
LIST = Path(__file__).with_suffix(".toml")
LOG = ROOT / "build" / "mutants.jsonl"
SURVIVORS_MOST = 5
"""Mutations of fifty that may survive: a choice. Some slips change nothing that matters."""
NOTICED = 1
"""Pytest's exit status when a test has failed; others mean that the run itself went wrong."""
MISFIT = -1
"""The status of a mutation whose place in the source was rewritten: the list must be updated."""
TIMEOUT_S = 1800.0
"""A mutation may keep the tests from ending; without one they take a few minutes at most."""


@dataclass(frozen=True)
class Fault:
    """Replaces `old`, which must occur once in `file`, by `new`; `tests` are pytest's arguments."""

    file: str
    old: str
    new: str
    tests: str

    @property
    def mark(self) -> str:
        """A key that identifies this mutation and changes with its tests."""
        return sha256(repr(self).encode()).hexdigest()[:12]

    def __str__(self) -> str:
        return f"{self.file}: {' '.join(self.new.split()) or 'deleted: ' + self.old.strip()}"

    def put_into(self, root: Path) -> str:
        """Apply the mutation below `root` and return the file's old text. Raises `ValueError`."""
        path = root / self.file
        text = path.read_text("utf-8")
        if (found := text.count(self.old)) != 1:
            raise ValueError(f"{self.file}: expected {self.old!r} once, found it {found} times")
        path.write_text(text.replace(self.old, self.new), "utf-8")
        return text


@dataclass(frozen=True)
class Outcome:
    """Whether the tests noticed a mutation, and the last line that they printed."""

    mark: str
    fault: str
    status: int
    said: str

    @property
    def noticed(self) -> bool:
        """Whether a test failed."""
        return self.status == NOTICED


def faults(file: Path = LIST) -> tuple[Fault, ...]:
    """All mutations listed."""
    return tuple(Fault(**one) for one in tomllib.loads(file.read_text("utf-8"))["fault"])


def copied(to: Path) -> Path:
    """A copy of all tracked files as they are in the working tree."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    return to


def tried(fault: Fault, copy: Path) -> Outcome:
    """Run the tests on the copy with the mutation applied, then restore the file."""
    try:
        before = fault.put_into(copy)
    except ValueError as error:
        return Outcome(fault.mark, str(fault), MISFIT, str(error))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    try:
        ended = subprocess.run(
            [*command, *shlex.split(fault.tests)],
            cwd=copy,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )
        status, lines = ended.returncode, ended.stdout.strip().splitlines()
    except subprocess.TimeoutExpired:
        status, lines = NOTICED, ["timed out"]
    finally:
        (copy / fault.file).write_text(before, "utf-8")
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return Outcome(fault.mark, str(fault), status, (failed or lines or [""])[-1][:160])


def logged(log: Path) -> dict[str, Outcome]:
    """The outcomes of an earlier run, by mark."""
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    return {one.mark: one for one in (Outcome(**json.loads(line)) for line in lines)}


def report(outcomes: Iterable[Outcome], listed: int) -> str:
    """One line for each survivor, and a total."""
    known = list(outcomes)
    survived = [f"survived: {one.fault} ({one.said})" for one in known if not one.noticed]
    noticed = len(known) - len(survived)
    return "\n".join([*survived, f"{noticed} of {len(known)} tried were noticed; {listed} listed"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutations missing from the log; exit status 1 if too many survive."""
    parser = ArgumentParser("python -m tests.mutants", description=__doc__)
    parser.add_argument("--log", type=Path, default=LOG)
    parser.add_argument(
        "--only", metavar="PATH", default="", help="only files that begin with this"
    )
    parser.add_argument("--list", type=Path, default=LIST, help="another list of faults")
    options = parser.parse_args(arguments)
    listed = [fault for fault in faults(options.list) if fault.file.startswith(options.only)]
    known = logged(options.log)
    options.log.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        for number, fault in enumerate(listed, 1):
            if fault.mark in known:
                continue
            outcome = known[fault.mark] = tried(fault, copy)
            with options.log.open("a", encoding="utf-8") as log:
                print(json.dumps(asdict(outcome)), file=log)
            verdict = "noticed" if outcome.noticed else "SURVIVED"
            print(f"{number}/{len(listed)} {verdict} {fault}: {outcome.said}", flush=True)
    found = [known[fault.mark] for fault in listed]
    print(report(found, len(listed)))
    return int(sum(not one.noticed for one in found) > SURVIVORS_MOST)


if __name__ == "__main__":
    sys.exit(main())
