"""A damaged journal: acknowledged acts are there or reported lost, and the table always starts."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware.errors import JournalError
from firmware.store import ledger as storing
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from firmware.store.lock import Lock
from firmware.store.recovery import READY, opened
from rules.records import print_match
from tests.damage import FILES, Damage, damages, wear
from tests.draws import NIGHTLY
from tests.felt import Felt

ENDED = "journal.repaired", "journal.lost", "journal.differs", None


@pytest.fixture
def played(tmp_path: Path) -> Path:
    return wear(tmp_path / "whole")


def copied(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to)
    return to / "j"


def test_a_second_table_on_one_journal_is_told_who_writes_it(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        for second in (Journal, opened):
            with pytest.raises(
                JournalError, match=r"another table is writing this journal \(process"
            ):
                second(tmp_path / "j")
        journal.append("act", {}, time=0.0)
        with Journal.following(tmp_path / "j") as reader:
            assert len(reader) == 1
    opened(tmp_path / "j")[0].close()


def test_the_lock_dies_with_a_start_that_fails(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("no journal at all\n" * 100)
    with pytest.raises(JournalError, match="not a database"):
        opened(tmp_path / "j")
    Lock(tmp_path / "j").release()
    assert (tmp_path / "j").read_text().startswith("no journal")  # nor is it set aside


def test_a_full_disk_is_not_mistaken_for_damage(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No room is left for SQLite's log: the files are intact, and stay as they are."""
    before = {file.name: file.read_bytes() for file in played.iterdir()}

    def full(*_: object, **__: object) -> Journal:
        raise JournalError("the journal cannot be opened: database or disk is full")

    usage = SimpleNamespace(total=1 << 30, used=1 << 30, free=0)
    with monkeypatch.context() as patched:
        patched.setattr("firmware.store.recovery.Journal", full)
        patched.setattr("shutil.disk_usage", lambda _: usage)
        with pytest.raises(JournalError, match="the disk is full: make room"):
            opened(played / "j")
    after = {file.name: file.read_bytes() for file in played.iterdir()}
    assert {name: after.get(name) for name in before} == before
    assert after.keys() - before.keys() <= {"j.lock"}
    journal, found = opened(played / "j")  # there is room again
    assert found.told is None
    journal.close()


def test_an_act_is_on_the_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        (level,) = journal._file.base.execute("PRAGMA synchronous").fetchone()
        (mode,) = journal._file.base.execute("PRAGMA journal_mode").fetchone()
    assert (level, mode) == (2, "wal")  # FULL, in SQLite's numbers


def test_a_damaged_journal_without_its_copy_is_set_aside(played: Path, tmp_path: Path) -> None:
    path = copied(played, tmp_path / "f")
    for part in (".copy", "-wal"):
        Path(f"{path}{part}").unlink()
    data = path.read_bytes()
    path.write_bytes(data[:100] + bytes(4000) + data[4100:])
    journal, found = opened(path)
    with journal:
        assert found.told is not None
        assert list(path.parent.glob("j.damaged-1"))


def test_a_program_that_holds_the_file_delays_an_act_by_at_most_half_a_second(
    tmp_path: Path,
) -> None:
    with Journal(tmp_path / "j") as journal:
        felt = Felt("ziginette", journal=journal)
        foreign = sqlite3.connect(tmp_path / "j", isolation_level=None)
        foreign.execute("BEGIN EXCLUSIVE")
        tried: list[str] = []
        journal._file.base.set_trace_callback(tried.append)
        felt.lay("board", "QS")
        journal._file.base.set_trace_callback(None)
        (waits_ms,) = journal._file.base.execute("PRAGMA busy_timeout").fetchone()
        assert tried == ["BEGIN IMMEDIATE"], "SQLite waits again for each try"
        assert waits_ms <= 500
        assert felt.loop.failure
        felt.lay("board", "5D")
        foreign.execute("ROLLBACK")
        felt.look(4.0)
        assert not felt.loop.failure
        again = Ledger.resumed(journal, now=lambda: 0.0)
        assert print_match(again.match) == print_match(felt.loop.match)
        foreign.close()


@pytest.mark.parametrize("name", FILES)
def test_whatever_is_damaged_nothing_acknowledged_is_lost_unreported(
    played: Path, tmp_path: Path, name: str
) -> None:
    size = (played / name).stat().st_size
    for number, damage in enumerate(damages(size, every=max(1, size // (7 if NIGHTLY else 4)))):
        check(copied(played, tmp_path / f"{name}{number}"), name, damage, played)


def check(path: Path, name: str, damage: Damage, whole: Path) -> None:
    damage.happen(path.with_name(name))
    with Journal.following(copied(whole, path.parent / "again")) as journal:
        rows = list(journal._rows(0))
    journal, found = opened(path)
    told = found.told.id if found.told else None
    try:
        assert told in ENDED, damage
        if told != "journal.lost":
            assert list(journal._rows(0)) == rows, damage
        assert journal.verify().whole
        if len(journal):
            Ledger.resumed(journal, now=lambda: 0.0)
        assert journal.append("act", {"line": "x"}, time=0.0).number == len(journal)
    finally:
        journal.close()
    again, nothing = opened(path)
    again.close()
    assert nothing.told is None, damage  # once is enough


def test_if_both_are_damaged_what_surrounds_it_survives_and_the_loss_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "HANDS_KEPT", 2)
    folder = wear(tmp_path / "w", hands=9)
    path = folder / "j"
    with Journal(path) as journal:
        count = len(journal)
        match = print_match(Ledger.resumed(journal, now=lambda: 0.0).match)
    base = sqlite3.connect(path)
    for trigger in ("no_update", "no_delete", "no_gap"):
        base.execute(f"DROP TRIGGER {trigger}")
    base.execute("DELETE FROM entries WHERE number BETWEEN 5 AND 7")
    base.commit()
    base.close()
    lines = (folder / "j.copy").read_bytes().splitlines(keepends=True)
    (folder / "j.copy").write_bytes(b"".join(lines[:4] + lines[8:]))
    journal, found = opened(path)
    with journal:
        assert found.told is not None
        assert found.told.id == "journal.lost"
        assert 4 <= dict(found.told.values)["count"] < count  # type: ignore[operator]
        assert print_match(Ledger.resumed(journal, now=lambda: 0.0).match) in match
    assert list(folder.glob("j.damaged-1"))


def test_a_power_cut_during_the_repair_loses_nothing(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.following(played / "j") as journal:
        count = len(journal)
    cuts = 0
    for steps in range(30):
        path = copied(played, tmp_path / str(steps))
        path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
        left = [steps]
        real = Path.replace

        def replace(self: Path, target: object, left: list[int] = left, real=real) -> object:  # type: ignore[no-untyped-def]
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1
            return real(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", replace)
            try:
                opened(path)[0].close()
            except KeyboardInterrupt:
                cuts += 1
        journal, _ = opened(path)
        with journal:
            assert len(journal) == count, steps
        assert not Path(f"{path}{READY}").exists()
    assert cuts >= 4


def test_a_chain_that_somebody_changed_is_reported_at_the_start(played: Path) -> None:
    base = sqlite3.connect(played / "j")
    base.execute("DROP TRIGGER no_update")
    base.execute('UPDATE entries SET payload = \'{"line":"2 bet 99"}\' WHERE number = 4')
    base.commit()
    base.close()
    journal, found = opened(played / "j")
    with journal:
        assert found.told is not None
        assert found.told.id == "journal.repaired"
        assert journal.verify().whole


def everything(folder: Path) -> Iterator[tuple[str, bytes, int]]:
    for path in sorted(folder.rglob("*")):
        yield path.name, path.read_bytes(), path.stat().st_mtime_ns


@pytest.mark.parametrize("log", [True, False])
def test_verify_changes_nothing_and_needs_no_writing(played: Path, log: bool) -> None:
    if not log:
        (played / "j-wal").unlink()
        (played / "j-shm").unlink(missing_ok=True)
    before = list(everything(played))
    played.chmod(0o555)
    try:
        with Journal.judging(played / "j") as journal:
            verdict = journal.verify()
        assert verdict.whole
        assert (verdict.entries > 20) or not log
    finally:
        played.chmod(0o755)
    assert list(everything(played)) == before
