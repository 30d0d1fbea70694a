"""Evenings: each in its own journal, chained to the one before, kept as long as wanted."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from firmware.commands.cli import main
from firmware.console.access import Access
from firmware.console.book import Book
from firmware.files import sync_folder
from firmware.settings.settings import Settings
from firmware.store import evenings as module
from firmware.store.evenings import (
    DAY_S,
    FOLLOWS,
    HOUR_S,
    LOOK_S,
    Diary,
    Idle,
    evenings,
    folder_of,
    forget,
    is_over,
)  # fmt: skip
from firmware.store.housekeeping import BEGAN, LAST, SET
from firmware.store.journal import Journal
from firmware.store.ledger import PANEL, Ledger, Step, base_entry
from firmware.store.recovery import opened as recovered
from rules.acts import Act
from rules.match import Match
from tests.console_desk import Served, settings_for
from tests.console_guests import Room, told
from tests.cut_short import PowerCutError, failing
from tests.play import play_hand
from tests.test_console_restart import device

TODAY = 1_800_000_000.0
SETTINGS = Settings.from_mapping({"table": {"game": "ziginette", "seats": 3}})


def play(journal: Journal, hands: int, now: float = TODAY) -> Ledger:
    """Play a match of some hands in a journal, at that time."""
    if base_entry(journal) is None:
        Ledger(Match(SETTINGS.rules(), SETTINGS.start), journal, now=lambda: now)
    ledger = Ledger.resumed(journal, now=lambda: now)
    for number in range(hands):
        state, dice = ledger.match.state, Random(number)
        for act in play_hand(state.game, state.start, dice)[-1].acts:
            ledger.take([Step(act)], PANEL)
    return ledger


def lines(path: Path) -> list[str]:
    """Every act that a journal holds."""
    with Journal.judging(path) as journal:
        return [one.payload["line"] for one in journal.entries() if one.kind == "act"]


def settings_in(folder: Path, **journal: int) -> Settings:
    named = {**journal, "file": "m.journal"}
    (folder / "m.toml").write_text(
        '[table]\ngame = "ziginette"\nseats = 3\n[journal]\n'
        + "".join(f"{key} = {json.dumps(value)}\n" for key, value in named.items())
    )
    return Settings.load(folder / "m.toml")


def test_a_closed_evening_has_its_own_file_and_the_next_follows_its_head(
    tmp_path: Path,
) -> None:
    path = tmp_path / "m.journal"
    with closing(Diary(Journal(path))) as diary:
        play(diary.journal, 3)
        head, stored = diary.journal.head, lines(path)
        said = diary.turn(TODAY + HOUR_S)
        assert said is not None
        assert said["count"] == 3
        assert diary.turn(TODAY + HOUR_S) is None  # nothing was played since
        (old, new) = evenings(path)[0], diary.journal.first((FOLLOWS,))
        assert lines(old.file) == stored
        assert (old.head, old.hands, old.games, old.open) == (head, 3, ("ziginette",), False)
        assert new is not None
        assert (new.number, new.payload["head"]) == (1, head)
        ledger = play(diary.journal, 2, TODAY + DAY_S)
        assert ledger.match.hands[0].start.hand == 1  # it starts afresh
        assert [one.hands for one in evenings(path)] == [3, 2]
        assert diary.journal.verify(diary.journal.head).whole
    with Journal.judging(old.file) as journal:
        assert journal.verify(head).vouched == old.entries


def test_an_evening_is_put_away_whole_while_somebody_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "m.journal"
    with closing(Diary(Journal(path))) as diary, Book(path) as book:
        play(diary.journal, 2)
        book.follow()
        book._journal._file.base.execute("BEGIN")  # a reader is active: the log cannot be moved
        book._journal._file.base.execute("SELECT count(*) FROM entries").fetchone()
        assert not book.moved()
        play(diary.journal, 1)
        stored = lines(path)
        assert Path(f"{path}-wal").stat().st_size
        diary.turn(TODAY)
        assert book.moved()
        assert not evenings(path)[0].open
        assert lines(evenings(path)[0].file) == stored
        assert lines(path) == []


def test_a_changed_evening_is_listed_as_changed(tmp_path: Path) -> None:
    path = tmp_path / "m.journal"
    with closing(Diary(Journal(path))) as diary:
        play(diary.journal, 1)
        diary.turn(TODAY)
        (old,) = evenings(path)
        assert old.follows
        with Journal(old.file) as journal:
            journal.append("act", {"line": "misdeal"}, time=TODAY)
        assert not evenings(path)[0].follows


def test_a_power_cut_at_any_step_of_closing_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = 0
    for steps in range(20):
        path = tmp_path / str(steps) / "m.journal"
        path.parent.mkdir()
        diary = Diary(Journal(path))
        play(diary.journal, 0).take([Step(Act.parse("deal board QS"))], PANEL)
        stored = lines(path)
        with monkeypatch.context() as patch:
            left = [steps]
            for name in ("rename", "unlink", "mkdir"):
                patch.setattr(Path, name, failing(getattr(Path, name), left))
            patch.setattr(module, "sync_folder", failing(sync_folder, left))
            try:
                diary.turn(TODAY)
            except PowerCutError:
                closed += 1
        diary.journal.close()
        journal, found = recovered(path)
        with journal:
            assert found.told is None
            known = [one.file for one in evenings(path)]
            assert [line for one in known for line in lines(one)] == stored
            play(journal, 0)
            assert not list(path.parent.glob("*.next*"))
    assert closed >= 8


def test_an_evening_that_cannot_be_put_away_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.journal"
    folder_of(path).write_text("no folder")
    with closing(Diary(Journal(path))) as diary:
        play(diary.journal, 1)
        stored = lines(path)
        assert diary.turn(TODAY) is None
        assert lines(path) == stored
        play(diary.journal, 1)
        assert not list(tmp_path.glob("*.next*"))


def test_an_evening_is_over_some_hours_after_its_last_act_between_hands(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        assert not is_over(journal, 8, TODAY)
        ledger = play(journal, 1)
        assert not is_over(journal, 8, TODAY + 7 * HOUR_S)
        assert is_over(journal, 8, TODAY + 9 * HOUR_S)
        assert not is_over(journal, 0, TODAY + 900 * HOUR_S)
        ledger.take([Step(Act.parse("deal board QS"))], PANEL)
        assert not is_over(journal, 8, TODAY + 9 * HOUR_S)


def test_an_evening_that_is_followed_ends_by_a_clock_that_never_steps(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        idle = Idle(journal, 8)
        assert not idle.over(1.0, in_play=False)
        assert not idle.over(9 * HOUR_S, in_play=False)  # nothing was played
        play(journal, 1)
        assert not idle.over(10 * HOUR_S, in_play=False)
        assert not idle.over(17 * HOUR_S, in_play=False)
        assert not idle.over(18 * HOUR_S + LOOK_S, in_play=True)
        assert idle.over(18 * HOUR_S + 3 * LOOK_S, in_play=False)
        assert not Idle(journal, 0).over(99 * HOUR_S, in_play=False)


def test_evenings_and_their_pictures_are_deleted_after_their_days(tmp_path: Path) -> None:
    path = tmp_path / "m.journal"
    with closing(Diary(Journal(path))) as diary:
        for day in (0, 20, 40):
            play(diary.journal, 1, TODAY + day * DAY_S)
            diary.journal.append("act", {"line": "misdeal"}, time=TODAY + day * DAY_S, crops=[b"x"])
            diary.turn(TODAY + day * DAY_S)
        now = TODAY + 41 * DAY_S
        assert forget(path, now, days=0, picture_days=7) == 0
        held = [Journal.judging(one.file).has_crops(now) for one in evenings(path)]
        assert held == [False, False, True]
        assert forget(path, now, days=30, picture_days=7) == 1
        assert forget(path, now, days=30, picture_days=7) == 0
        assert [one.began for one in evenings(path)] == [TODAY + day * DAY_S for day in (20, 40)]
        assert len(list(folder_of(path).iterdir())) == 4  # two journals, each with its copy


@pytest.mark.parametrize("year", [1970, 2016])
def test_an_unset_clock_costs_no_evening_and_no_picture(year: int, tmp_path: Path) -> None:
    """A board without a battery plays an evening, closes it, and learns the time the day after."""
    path, wrong = tmp_path / "m.journal", (year - 1970) * 365 * DAY_S
    with closing(Diary(Journal(path))) as diary:
        play(diary.journal, 1, wrong + 1.0)
        diary.journal.append("act", {"line": "misdeal"}, time=wrong + 2.0, crops=[b"x"])
        for name, value in ((BEGAN, wrong), (LAST, wrong + HOUR_S), (SET, 0.0)):
            diary.journal.note(name, value)
        diary.turn(wrong + HOUR_S)
        (evening,) = evenings(path)
        for day, gone, held in ((1, 0, True), (7, 0, True), (9, 0, False), (31, 0, False)):
            assert forget(path, TODAY + day * DAY_S, days=30, picture_days=7) == gone
            with Journal.judging(evening.file) as journal:
                assert journal.has_crops(TODAY + 99 * DAY_S) is held, day
        assert forget(path, TODAY + 32 * DAY_S, days=30, picture_days=7) == 1


def test_a_wrong_clock_puts_no_evening_in_the_wrong_place(tmp_path: Path) -> None:
    path = tmp_path / "m.journal"
    with closing(Diary(Journal(path))) as diary:
        for day in (0, 1, -4000, 2):
            play(diary.journal, 1, TODAY + day * DAY_S)
            diary.turn(TODAY + day * DAY_S)
            closed = evenings(path)[-1].file
            os.utime(closed, (TODAY + day * DAY_S,) * 2)
        began = [one.began for one in evenings(path)]
        assert began == [TODAY + day * DAY_S for day in (0, 1, -4000, 2)]
        assert forget(path, TODAY + 3 * DAY_S, days=30, picture_days=7) == 0
        assert all(one.follows for one in evenings(path))
        assert forget(path, TODAY + 30.5 * DAY_S, days=30, picture_days=7) == 1
        assert forget(path, TODAY + 31.5 * DAY_S, days=30, picture_days=7) == 2
        assert [one.follows for one in evenings(path)] == [True]


def test_the_command_lists_closes_and_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path)
    command = ["evening", "--settings", str(tmp_path / "m.toml")]
    with Journal(settings.journal_file) as journal:
        play(journal, 2)
    assert main([*command, "--close"]) == 0
    assert "2 hands, kept as" in capsys.readouterr().out
    assert main([*command, "--close"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with Journal(settings.journal_file) as journal:
        play(journal, 1, TODAY + DAY_S)
    assert main([*command, "--list", "--json"]) == 0
    (first, second) = json.loads(capsys.readouterr().out)
    assert [(one["hands"], one["open"]) for one in (first, second)] == [(2, False), (1, True)]
    assert main([*command, "--list"]) == 0
    assert first["name"] in capsys.readouterr().out
    record = tmp_path / "record.txt"
    assert main([*command, first["name"], "--json", "--record", str(record)]) == 0
    assert len(json.loads(capsys.readouterr().out)["rows"]) == 2
    assert main(["replay", str(record)]) == 0


def test_the_settings_say_when_an_evening_ends_and_how_long_it_is_kept(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, evening_ends_hours=3, keep_evenings_days=90)
    assert (settings.evening_ends_hours, settings.keep_evenings_days) == (3, 90)
    assert (Settings().evening_ends_hours, Settings().keep_evenings_days) == (8, 0)


def test_the_dealer_ends_the_evening_on_the_page_between_hands(tmp_path: Path) -> None:
    ended = list[str]()
    with Served(tmp_path, settings_for("ziginette")) as served:
        table = served.console.site.table
        served.console.attach(replace(table, end_evening=lambda: ended.append("ended")))

        async def script(room: Room) -> None:
            guest, dealer = await room.viewer(), await room.dealer()
            assert (await guest.post("evening/end"))[0] == 403
            served.desk.type("deal board QS")
            served.desk.ask(lambda felt: felt.look())
            status, said = await dealer.post("evening/end")
            assert (status, said["refused"], ended) == (409, "in-play", [])
            served.desk.undo()
            served.desk.ask(lambda felt: felt.look())
            assert (await dealer.post("evening/end"))[0] == 200

        told(served, script)
    assert ended == ["ended"]


def listens(port: int) -> bool:
    """Whether something on this machine serves that port."""
    rows = Path("/proc/net/tcp").read_text().splitlines()
    return any(f":{port:04X} 00000000:0000 0A" in row for row in rows)


def test_a_device_continues_with_a_new_evening(tmp_path: Path) -> None:
    table = device(tmp_path)
    pins = Access(tmp_path / "mazziere.access").renew()
    path = tmp_path / "mazziere.journal"

    async def script(room: Room) -> None:
        dealer = await room.guest()
        while not listens(table.port):  # a connection might take the port itself
            await asyncio.sleep(0.1)
        await dealer.sign_in(pins.dealer)
        page = await dealer.live()
        await page.send_str('{"do": "type", "line": "chips 1 50"}')
        while not lines(path):
            await asyncio.sleep(0.05)
        answered = await dealer.post("evening/end")
        assert answered == (200, {}), lines(path)
        while not (over := [one for one in evenings(path) if not one.open]):
            await asyncio.sleep(0.05)
        assert lines(over[0].file) == ["chips 1 50"]
        while "chips 2 9" not in lines(path):  # what comes between two desks is not done
            await page.send_str('{"do": "type", "line": "chips 2 9"}')
            await asyncio.sleep(0.3)
        assert (await dealer.get("api/hands"))[0] == 200

    with table.running():
        told(cast(Served, SimpleNamespace(url=table.url, desk=None)), script)
