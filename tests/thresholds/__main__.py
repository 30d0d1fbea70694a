"""Runs the measurements: ``python -m tests.thresholds``; see the package."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests import logs
from tests.thresholds import appliance, pictures
from tests.thresholds.claims import MEASUREMENTS, Measure

LOG = logs.ROOT / "build" / "thresholds.jsonl"
PLACES = ("rules", "vision", "hardware", "firmware", "tests/thresholds")
"""What a measurement may depend on: an outcome counts only as long as none of this has changed."""
__all__ = ["appliance", "main", "pictures"]


@dataclass(frozen=True)
class Outcome:
    """The measurements for a constant, as lines, and whether all of them still hold."""

    constant: str
    version: str
    holds: bool
    claims: list[str]


def measured(constant: str, measure: Measure, version: str) -> Outcome:
    """Run one measurement."""
    claims = list(measure())
    return Outcome(constant, version, all(one.holds for one in claims), [str(c) for c in claims])


def known(log: Path, version: str) -> dict[str, Outcome]:
    """The outcomes of an earlier run of the same code."""
    found = (Outcome(**json.loads(line)) for line in logs.lines(log))
    return {one.constant: one for one in found if one.version == version}


def chosen(only: str) -> Mapping[str, Measure]:
    """The measurements of constants whose dotted names contain `only`."""
    return {name: one for name, one in sorted(MEASUREMENTS.items()) if only in name}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the measurements missing from the log; exit status 1 if one no longer holds."""
    parser = ArgumentParser("python -m tests.thresholds", description=__doc__)
    parser.add_argument(
        "only", nargs="?", default="", help="only constants whose names contain this"
    )
    parser.add_argument("--log", type=Path, default=LOG)
    options = parser.parse_args(arguments)
    version = logs.version(PLACES)
    before, listed = known(options.log, version), chosen(options.only)
    options.log.parent.mkdir(parents=True, exist_ok=True)
    failed = []
    for number, (constant, measure) in enumerate(listed.items(), 1):
        outcome = before.get(constant)
        if outcome is None:
            outcome = measured(constant, measure, version)
            with options.log.open("a", encoding="utf-8") as log:
                print(json.dumps(asdict(outcome)), file=log)
        print(f"{number}/{len(listed)} {constant}: {'holds' if outcome.holds else 'FAILS'}")
        print("\n".join(f"    {claim}" for claim in outcome.claims), flush=True)
        failed += [constant] * (not outcome.holds)
    print(f"{len(listed) - len(failed)} of {len(listed)} hold", *failed)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
