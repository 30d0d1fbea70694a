"""The evening in pictures: its numbers are those of the match, whatever was undone or corrected."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from firmware.commands.cli import main
from firmware.console.book import Book
from firmware.console.chart import chart
from firmware.console.evening import Evening, as_csv, begun, swings
from firmware.errors import JournalError
from firmware.store.journal import Journal
from firmware.store.ledger import TYPED, Step
from rules.acts import Act
from rules.games import find_game
from rules.start import Level
from tests.console_desk import PicturedFelt, Served, settings_for
from tests.console_guests import Room, told
from tests.play import play_hand

WORDS = {"title": "Chips", "length": "Minutes", "marked": "Dots"}


def evening_of(path: Path) -> Evening:
    with Book(path) as book:
        book.follow()
        evening, number = begun(book)
        for entry in book.since(number):
            evening.take(entry)
        return evening


def played(felt: PicturedFelt, hands: int, seed: int = 0) -> None:
    """Play honest hands of the felt's game by typing their acts."""
    for number in range(hands):
        state = felt.loop.state
        dice = random.Random(seed + number)
        for act in play_hand(state.game, state.start, dice)[-1].acts:
            felt.loop.ledger.take([Step(act.observed())], TYPED)


@pytest.fixture(params=["ziginette", "pineapple", "belote", "guts"])
def felt(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PicturedFelt]:
    seats = 4 if request.param == "belote" else 3
    with Journal(tmp_path / "a.journal") as journal:
        yield PicturedFelt(request.param, seats=seats, level=Level.AMOUNTS, journal=journal)


def test_no_hand_lasts_for_years_because_the_clock_was_set(
    felt: PicturedFelt, tmp_path: Path
) -> None:
    """Back by ten years between two hands, and forward by as much within one."""
    years, moment = 10 * 365 * 86_400.0, [1.8e9]

    def now() -> float:
        moment[0] += 2.0
        return moment[0]

    felt.loop.ledger.now = now
    played(felt, 2)
    moment[0] -= years
    state = felt.loop.state
    acts = play_hand(state.game, state.start, random.Random(9))[-1].acts
    for number, act in enumerate(acts):
        moment[0] += years * (number == len(acts) // 2)
        felt.loop.ledger.take([Step(act.observed())], TYPED)
    rows = evening_of(tmp_path / "a.journal").rows
    assert len(rows) == 3
    for row in rows:
        assert 0 < row.seconds <= 2.0 * (row.acts - 1)


def test_the_sums_are_those_of_the_match(felt: PicturedFelt, tmp_path: Path) -> None:
    played(felt, 5)
    evening = evening_of(tmp_path / "a.journal")
    rows, match = evening.rows, felt.loop.match
    assert [row.hand for row in rows] == [1, 2, 3, 4, 5]
    last = dict(match.state.start.scores if evening.of_points else match.state.start.stacks)
    if not last:
        last = dict.fromkeys(evening.seats, 0)
        for settlement in match.settlements:
            for seat in last:
                last[seat] += settlement.net.get(seat, 0)
    assert {seat: rows[-1].standing[seat] for seat in last} == last
    assert [row.acts for row in rows] == [len(hand.acts) for hand in match.hands[:-1]]


def test_what_was_undone_is_gone_and_counted(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        felt = PicturedFelt("ziginette", level=Level.AMOUNTS, journal=journal)
        played(felt, 1)
        for act in ("deal board QS", "deal board 5D"):
            felt.loop.ledger.take([Step(Act.parse(act))], TYPED)
        felt.loop.ledger.correct(2, Act.parse("deal board 5C"))
        felt.loop.ledger.note("asked", about="which")
        assert (evening_of(tmp_path / "a.journal").rows[-1].corrections) == 1
        for _ in range(3):
            felt.loop.ledger.undo()
        (row,) = evening_of(tmp_path / "a.journal").rows
        assert (row.hand, row.over) == (1, False)


def test_the_table_has_one_row_per_hand(felt: PicturedFelt, tmp_path: Path) -> None:
    played(felt, 3)
    evening = evening_of(tmp_path / "a.journal")
    rows = list(csv.DictReader(io.StringIO(as_csv(evening.rows, evening.seats))))
    assert len(rows) == 3
    for row, one in zip(rows, evening.rows, strict=True):
        assert int(row["after 1"]) == one.standing[1]
        if not evening.of_points and felt.loop.match.state.game.name == "ziginette":
            assert sum(int(row[f"change {seat}"]) for seat in evening.seats) == 0


def test_the_picture_draws_a_line_per_seat_and_a_bar_per_hand(
    felt: PicturedFelt, tmp_path: Path
) -> None:
    played(felt, 4)
    evening = evening_of(tmp_path / "a.journal")
    names = {1: "Anna & <Bruno>", **{seat: f"Seat {seat}" for seat in evening.seats[1:]}}
    drawn = ElementTree.fromstring(chart(evening.rows, evening.seats, names, WORDS))
    kinds = [part.tag.rpartition("}")[2] for part in drawn.iter()]
    assert kinds.count("polyline") == len(evening.seats)
    bars = [part for part in drawn.iter() if part.get("class") == "bar"]
    assert len(bars) == 4
    assert any("Anna & <Bruno>" in (part.text or "") for part in drawn.iter())


def test_a_swing_is_the_largest_change(felt: PicturedFelt, tmp_path: Path) -> None:
    played(felt, 5)
    evening = evening_of(tmp_path / "a.journal")
    found = list(swings(evening.rows, evening.seats))
    assert [one.seat for one in found] == list(evening.seats)
    assert any(one.best > 0 for one in found)
    for one in found:
        changes = [row.change.get(one.seat, 0) for row in evening.rows]
        assert (one.best, one.worst) == (max([0, *changes]), min([0, *changes]))


def test_the_page_follows_from_hand_to_hand(tmp_path: Path) -> None:
    with Served(tmp_path, settings_for("ziginette")) as served:
        served.desk.ask(lambda felt: setattr(felt, "look", lambda *_: None))

        async def script(room: Room) -> None:
            guest = await room.viewer()
            for hands in (1, 2):
                served.desk.ask(lambda felt: played(felt, 1, seed=7))
                _, evening = await guest.get("api/evening")
                assert len(evening["rows"]) == hands
                assert evening["names"]["1"] == "Seat 1"
            status, text = await guest.get("api/evening.csv")
            assert (status, text.count("\n")) == (200, 3)
            assert "<svg" in (await guest.get("api/evening.svg"))[1]

        told(served, script)


def test_the_command_writes_all_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(tmp_path / "a.journal") as journal:
        played(PicturedFelt("ziginette", level=Level.AMOUNTS, journal=journal), 3)
    files: dict[str, Any] = {
        kind: tmp_path / f"evening.{kind}" for kind in ("csv", "svg", "record")
    }
    options = [part for kind, file in files.items() for part in (f"--{kind}", str(file))]
    assert main(["evening", str(tmp_path / "a.journal"), *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[-1].startswith("seat 1: ")
    assert files["csv"].read_text().count("\n") == 4
    assert files["svg"].read_text().startswith("<svg")
    assert '[Game "ziginette"]' in files["record"].read_text()
    assert find_game("ziginette").name in files["csv"].read_text()


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "the disk is full: make room, and try again"), ("it", "il disco è pieno: fai posto")],
)
def test_a_full_disk_is_reported_in_one_sentence(
    language: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """SQLite needs a file next to the journal even to read it, and says "disk I/O error"."""
    path = tmp_path / "a.journal"
    with Journal(path) as journal:
        played(PicturedFelt("ziginette", level=Level.AMOUNTS, journal=journal), 1)

    def full(*_: object) -> Book:
        raise JournalError(f"{path}: the journal cannot be opened: disk I/O error")

    monkeypatch.setenv("LC_ALL", language)
    monkeypatch.setattr("firmware.commands.evening.Book", full)
    assert main(["evening", str(path)]) == 2
    assert "disk I/O error" in capsys.readouterr().err, "there is room: it is something else"
    usage = SimpleNamespace(total=1 << 30, used=1 << 30, free=0)
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    assert main(["evening", str(path)]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert "I/O" not in shown
    assert shown.count("\n") == 1
