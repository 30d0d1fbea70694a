"""Damage a journal's files: ``python -m tests.damage`` tries everything, byte range by byte range.

A worn journal has been checkpointed and has a write-ahead log; each of its files is then cut,
zeroed and flipped at every place in turn. The log has one line per damage; the command resumes
after its last line. The exit status is 1 if anything acknowledged was lost without a report, or if
a start failed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from firmware.store.recovery import opened
from firmware.store.safe import Safe
from tests.felt import Felt
from tests.logs import resumed

FILES = ("j", "j-wal", "j.copy", "j.lock")
HAND = ("QS", "5D", "7C", "AC")
LENGTH = 600
"""Bytes that go bad at once: more than a sector of a memory card."""


@dataclass(frozen=True)
class Damage:
    """What happens to a file, and from which byte on."""

    kind: str
    start: int

    def happen(self, path: Path) -> None:
        """Damage the file."""
        data = path.read_bytes()
        rest = data[self.start + LENGTH :]
        part = data[self.start : self.start + LENGTH]
        bad = {
            "cut": b"",
            "zeroed": bytes(len(part)) + rest,
            "flipped": bytes([part[0] ^ 0x10]) + part[1:] + rest if part else b"",
            "scrambled": bytes(byte ^ 0xA5 for byte in part) + rest,
        }[self.kind]
        path.write_bytes(data[: self.start] + bad)


def damages(size: int, every: int) -> Iterator[Damage]:
    """Each kind of damage, at every `every`th byte of a file."""
    for start in range(0, max(size, 1), every):
        for kind in ("cut", "zeroed", "flipped", "scrambled"):
            yield Damage(kind, start)


def wear(folder: Path, hands: int = 3) -> Path:
    """A journal of some hands, checkpointed and with a log, as a power cut leaves it."""
    folder.mkdir()
    with TemporaryDirectory() as elsewhere:
        path = Path(elsewhere) / "j"
        with Journal(path) as journal:
            felt = Felt("ziginette", journal=journal)
            for number in range(hands):
                for card in HAND:
                    felt.lay("banker" if card == "7C" else "board", card)
                felt.type("misdeal")
                felt.sweep()
                felt.type("clear")
                if number == 0:
                    journal._file.base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            for file in path.parent.iterdir():
                if not file.name.endswith("-shm"):
                    shutil.copy(file, folder / file.name)
    return folder


def happen(whole: Path, name: str, damage: Damage) -> dict[str, Any]:
    """Cause one damage and start after it; return the outcome."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "f"
        shutil.copytree(whole, folder)
        with Journal.judging(whole / "j") as journal:
            heads = [row[-1] for row in journal._rows(0)]
        damage.happen(folder / name)
        harm, told = "", ""
        try:
            journal, found = opened(folder / "j")
            with journal:
                told = found.told.id if found.told else ""
                left = [row[-1] for row in journal._rows(0)]
                if left[: len(heads)] != heads and told != "journal.lost":
                    harm = f"{len(left)} of {len(heads)} entries are left, and {told!r} is reported"
                if len(journal):
                    Ledger.resumed(journal, now=lambda: 0.0, safe=Safe(folder / "j.secret"))
                journal.append("act", {}, time=0.0)
        except Exception as error:  # the next damage is tried all the same
            harm = f"{type(error).__name__}: {error}"
    return {"file": name, "kind": damage.kind, "start": damage.start, "told": told, "harm": harm}


def main(arguments: Sequence[str] | None = None) -> int:
    """Resume the log until every damage has been tried."""
    parser = argparse.ArgumentParser("python -m tests.damage", description=__doc__)
    parser.add_argument("--every", type=int, default=512, help="bytes between places")
    parser.add_argument("--log", type=Path, required=True)
    options = parser.parse_args(arguments)
    done = resumed(options.log)
    with TemporaryDirectory() as place, options.log.open("a") as log:
        whole = wear(Path(place) / "w")
        (whole / "j.secret").write_text('{"salt": "abcd", "rule": "two from last"}')
        every = [
            (name, damage)
            for name in (*FILES, "j.secret")
            for damage in damages(os.stat(whole / name).st_size, options.every)  # noqa: PTH116
        ]
        for name, damage in every[len(done) :]:
            done.append(happen(whole, name, damage))
            log.write(json.dumps(done[-1]) + "\n")
            log.flush()
    harm = [one for one in done if one["harm"]]
    told = {name: sum(one["told"] == name for one in done) for name in {o["told"] for o in done}}
    print(f"{len(done)} damages; reported: {told}; harm done: {len(harm)}")
    for one in harm[:20]:
        print(f"  {one}")
    return int(bool(harm))


if __name__ == "__main__":
    sys.exit(main())
