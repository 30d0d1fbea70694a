from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.errors import JournalError
from firmware.store.chain import GENESIS, Draft
from firmware.store.journal import Journal
from tests.draws import NIGHTLY, examples

REPOSITORY = Path(__file__).parent.parent


def filled(path: Path, count: int) -> list[str]:
    """A journal of `count` entries; returns the head after each."""
    drafts = [Draft("act", {"line": f"2 bet {n}"}, float(n)) for n in range(1, count + 1)]
    with Journal(path) as journal:
        return [entry.hash for entry in journal.append_all(drafts)]


def edited(path: Path, *statements: str) -> None:
    """Change the file behind the journal's back, as someone with a database tool would."""
    base = sqlite3.connect(path)
    for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        base.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        base.execute(statement)
    base.commit()
    base.close()


def test_what_was_stored_is_read_back_in_order(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.append("match", {"text": '[Game "x"]\n', "seats": [1, 2]}, time=1.5)
        journal.append_all([Draft("act", {"line": "deal 2 QS"}, 2.0), Draft("undo", {}, 2.5)])
    with Journal(tmp_path / "j") as journal:
        entries = list(journal.entries())
        assert [entry.kind for entry in entries] == ["match", "act", "undo"]
        assert entries[0].payload == {"text": '[Game "x"]\n', "seats": [1, 2]}
        assert [entry.time for entry in entries] == [1.5, 2.0, 2.5]
        assert [entry.number for entry in journal.entries(since=1)] == [2, 3]
        assert journal.head == entries[-1].hash
        assert len(journal) == 3


def test_several_entries_are_stored_together_or_not_at_all(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        with pytest.raises(JournalError, match="plain JSON"):
            journal.append_all([Draft("act", {}, 1.0), Draft("act", {"bad": object()}, 2.0)])
        assert len(journal) == 0
        assert journal.head == GENESIS


@pytest.mark.parametrize("payload", [{"x": float("nan")}, {"x": {1, 2}}, {"x": b"raw"}])
def test_only_plain_json_is_stored(tmp_path: Path, payload: dict[str, object]) -> None:
    with Journal(tmp_path / "j") as journal, pytest.raises(JournalError, match="plain JSON"):
        journal.append("act", payload, time=1.0)


@given(
    kind=st.text(max_size=5),
    payload=st.dictionaries(
        st.text(max_size=4), st.none() | st.integers() | st.text() | st.lists(st.booleans())
    ),
    time=st.floats(allow_nan=False, allow_infinity=False),
)
def test_any_json_comes_back_as_it_was(kind: str, payload: dict[str, object], time: float) -> None:
    with Journal(":memory:") as journal:
        journal.append(kind, payload, time=time)
        (entry,) = journal.entries()
        assert (entry.kind, entry.payload, entry.time) == (kind, payload, time)
        assert journal.verify(journal.head).whole


# After a power cut.

WRITER = """
import sys
from firmware.store.journal import Journal
journal = Journal(sys.argv[1])
while True:
    entry = journal.append("act", {"line": "deal board QS"}, time=0.0, crops=(b"x" * 3000,))
    print(entry.number, flush=True)
"""


def killed_after(path: Path, lines: int) -> int:
    """Let another process append and kill it midway; return the last acknowledged number."""
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd=REPOSITORY
    )
    assert child.stdout is not None
    heard = [child.stdout.readline() for _ in range(lines)]
    child.send_signal(signal.SIGKILL)
    rest = child.stdout.read().splitlines(keepends=True)
    child.wait()
    complete = [line for line in [*heard, *rest] if line.endswith(b"\n")]
    return int(complete[-1])


def test_every_acknowledged_entry_survives_kill_9(tmp_path: Path) -> None:
    for lines in (1, 2, 5, 17, 3, 40, 1, 9, 26, 4):
        acknowledged = killed_after(tmp_path / "j", lines)
        with Journal(tmp_path / "j") as journal:
            assert len(journal) in (acknowledged, acknowledged + 1)
            assert journal.verify().whole
            journal.append("trouble", {"after": acknowledged}, time=1.0)


def test_a_write_ahead_log_cut_anywhere_keeps_what_was_acknowledged_before(tmp_path: Path) -> None:
    source, log = tmp_path / "j", tmp_path / "j-wal"
    journal = Journal(source)
    sizes = [log.stat().st_size]
    for number in range(1, 13):
        journal.append("act", {"line": f"2 bet {number}"}, time=float(number))
        sizes.append(log.stat().st_size)
    whole = log.read_bytes()
    for cut in {*range(sizes[0], len(whole), 397), *sizes, *(size - 1 for size in sizes[1:])}:
        folder = tmp_path / str(cut)
        folder.mkdir()
        shutil.copy(source, folder / "j")
        (folder / "j-wal").write_bytes(whole[:cut] + bytes(cut % 50))
        with Journal(folder / "j") as copy:
            acknowledged = max(n for n, size in enumerate(sizes) if size <= cut)
            assert len(copy) == acknowledged, cut
            assert copy.verify().whole
            assert copy.append("act", {}, time=0.0).number == acknowledged + 1
    journal.close()


FULL_DISK = """
import resource, sys
from firmware.errors import JournalError
from firmware.store.journal import Journal
journal = Journal(sys.argv[1])
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, most))
try:
    while True:
        acknowledged = journal.append("act", {"line": "2 bet 5" * 50}, time=0.0).number
except JournalError as error:
    print(error, file=sys.stderr)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
assert len(journal) == acknowledged
print(acknowledged, journal.append("act", {}, time=1.0).number, journal.verify().whole)
"""


def test_a_write_that_fails_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path / "j")],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        check=True,
    )
    acknowledged, following, whole = child.stdout.split()
    assert int(acknowledged) > 5
    assert int(following) == int(acknowledged) + 1
    assert whole == "True"
    assert "cannot be written" in child.stderr


# Tampering.

Forger = Callable[[Path, int, int], None]
ENTRIES = 8


def change(path: Path, one: int, other: int) -> None:
    edited(
        path, f'UPDATE entries SET payload = \'{{"line":"{other} bet 99"}}\' WHERE number = {one}'
    )


def change_time(path: Path, one: int, other: int) -> None:
    edited(path, f"UPDATE entries SET time = time + {other} WHERE number = {one}")


def change_kind(path: Path, one: int, other: int) -> None:
    edited(path, f"UPDATE entries SET kind = 'undo' WHERE number = {one}")


def spoil(path: Path, one: int, other: int) -> None:
    edited(path, f"UPDATE entries SET payload = 'not json' WHERE number = {one}")


def change_hash(path: Path, one: int, other: int) -> None:
    edited(path, f"UPDATE entries SET hash = hex(randomblob(32)) WHERE number = {one}")


def delete(path: Path, one: int, other: int) -> None:
    edited(path, f"DELETE FROM entries WHERE number = {one}")


def delete_and_renumber(path: Path, one: int, other: int) -> None:
    edited(
        path,
        f"DELETE FROM entries WHERE number = {one}",
        f"UPDATE entries SET number = -(number - 1) WHERE number > {one}",
        "UPDATE entries SET number = -number WHERE number < 0",
    )


def insert(path: Path, one: int, other: int) -> None:
    edited(
        path,
        f"UPDATE entries SET number = -(number + 1) WHERE number >= {one}",
        "UPDATE entries SET number = -number WHERE number < 0",
        f"INSERT INTO entries SELECT {one}, time, kind, payload, crops, hash FROM entries "
        f"WHERE number = {other if other < one else other + 1}",
    )


def swap(path: Path, one: int, other: int) -> None:
    edited(
        path,
        f"UPDATE entries SET number = -{other} WHERE number = {one}",
        f"UPDATE entries SET number = {one} WHERE number = {other}",
        f"UPDATE entries SET number = {other} WHERE number = -{other}",
    )


def cut_off(path: Path, one: int, other: int) -> None:
    edited(path, f"DELETE FROM entries WHERE number >= {one}")


def rewrite(path: Path, one: int, other: int) -> None:
    """Forge everything from `one` on with a chain that fits: only the noted head reveals it."""
    cut_off(path, one, other)
    with Journal(path) as journal:
        for number in range(one, ENTRIES + 1):
            journal.append("act", {"line": f"2 bet {number + 100}"}, time=float(number))


FORGERS: list[Forger] = [
    change, change_time, change_kind, spoil, change_hash, delete, delete_and_renumber, insert,
    swap, cut_off, rewrite,
]  # fmt: skip


@given(
    forge=st.sampled_from(FORGERS),
    places=st.lists(st.integers(1, ENTRIES), min_size=2, max_size=2, unique=True),
)
@examples(60)
def test_every_change_before_the_head_is_found(forge: Forger, places: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        heads = filled(path, ENTRIES)
        forge(path, *places)
        with Journal(path) as journal:
            verdict = journal.verify(heads[-1])
            assert not verdict.whole
            if forge not in (cut_off, rewrite, delete_and_renumber, delete):
                first = min(places) if forge is swap else places[0]
                assert verdict.number == first
                assert str(first) in str(verdict)


def test_a_head_proves_what_came_before_it_though_later_entries_are_forged(tmp_path: Path) -> None:
    heads = filled(tmp_path / "j", 6)
    change(tmp_path / "j", 5, 1)
    with Journal(tmp_path / "j") as journal:
        verdict = journal.verify(heads[2])
        assert (verdict.vouched, verdict.number) == (3, 5)


def test_without_a_head_a_truncated_end_is_admitted_to_be_unknowable(tmp_path: Path) -> None:
    heads = filled(tmp_path / "j", 6)
    cut_off(tmp_path / "j", 5, 1)
    with Journal(tmp_path / "j") as journal:
        assert journal.verify().whole
        assert "cannot be known" in str(journal.verify())
        assert "cut off after entry 4" in journal.verify(heads[-1]).fault
        assert journal.verify(heads[3]).vouched == 4


def test_a_head_may_be_copied_by_its_first_sixteen_digits(tmp_path: Path) -> None:
    head = filled(tmp_path / "j", 3)[-1]
    grouped = " ".join((head[:4], head[4:8].upper(), head[8:12], head[12:16]))
    with Journal(tmp_path / "j") as journal:
        assert journal.verify(grouped).vouched == 3
        with pytest.raises(JournalError, match="16 to 64 hexadecimal digits"):
            journal.verify(head[:15])
        with pytest.raises(JournalError, match="hexadecimal"):
            journal.verify("z" * 20)


def test_its_own_connection_cannot_change_or_delete_entries(tmp_path: Path) -> None:
    filled(tmp_path / "j", 3)
    base = sqlite3.connect(tmp_path / "j")
    for statement in (
        "UPDATE entries SET kind = 'x'",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries VALUES (2, 0.0, 'x', '{}', '[]', '')",
        "INSERT INTO entries VALUES (9, 0.0, 'x', '{}', '[]', '')",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="entries are"):
            base.execute(statement)
    base.close()


# Pictures.


def test_pictures_expire_without_counting_as_tampering(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        old = journal.append("act", {}, time=10.0, crops=(b"old picture" * 99,))
        new = journal.append("act", {}, time=20.0, crops=(b"new", b"old picture" * 99, b"third"))
        first = journal.append("act", {}, time=5.0, crops=(b"first",))
        assert journal.crop(old.crops[0]) == b"old picture" * 99
        assert journal.expire_crops(before=10.0) == 1
        assert journal.crop(first.crops[0]) is None
        assert journal.crop(old.crops[0]) == journal.crop(new.crops[1]) != None  # noqa: E711
        assert journal.expire_crops(before=30.0) == 3
        assert journal.verify(journal.head).whole
    assert b"old picture" not in (tmp_path / "j").read_bytes()


def test_a_changed_picture_is_found(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.append("act", {}, time=1.0)
        journal.append("act", {}, time=1.0, crops=(b"picture",))
    edited(tmp_path / "j", "UPDATE crops SET picture = x'00'")
    with Journal(tmp_path / "j") as journal:
        verdict = journal.verify()
        assert (verdict.number, verdict.fault) == (2, "a picture of entry 2 was changed")


# Files that are not journals.


def test_a_file_that_is_not_a_journal_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, " * 100)
    base = sqlite3.connect(tmp_path / "other")
    base.execute("CREATE TABLE t (x)")
    base.commit()
    base.close()
    for name, expected in (("text", "not a database"), ("other", "not a journal of this program")):
        with pytest.raises(JournalError, match=expected) as caught:
            Journal(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(JournalError, match="no journal here"):
        Journal.following(tmp_path / "none")
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(tmp_path / "no folder" / "j")


def test_a_damaged_file_is_never_read_as_if_it_were_intact(tmp_path: Path) -> None:
    heads = filled(tmp_path / "j", 60)
    whole = (tmp_path / "j").read_bytes()
    for start in range(0, len(whole), 1511 if NIGHTLY else 4 * 1511):
        (tmp_path / "j").write_bytes(whole[:start] + b"\xa5" * 600 + whole[start + 600 :])
        with suppress(JournalError), Journal(tmp_path / "j") as journal:
            entries = [entry.hash for entry in journal.entries()]
            assert entries == heads or not journal.verify(heads[-1]).whole, start
        for tail in ("j-wal", "j-shm"):
            (tmp_path / tail).unlink(missing_ok=True)


def test_damage_within_a_letter_is_reported_as_damage(tmp_path: Path) -> None:
    """SQLite quotes the bad bytes of a schema in its complaint; they are no longer text."""
    filled(tmp_path / "j", 3)
    data, told = (tmp_path / "j").read_bytes(), []
    for place in [at for at in range(len(data)) if data.startswith(b"entries", at)]:
        (tmp_path / "j").write_bytes(data[: place + 3] + b"\xcf" + data[place + 4 :])
        try:
            Journal(tmp_path / "j").close()
        except JournalError as error:
            told.append(str(error))
    assert any("can't decode" in text for text in told)
