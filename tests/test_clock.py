"""A board without a battery for its clock: setting the time loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.console.book import Book
from firmware.notify import Notifier
from firmware.store.housekeeping import DAY_S, EVERY_S, Housekeeper
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from hardware.rig import ManualClock
from rules.games import find_game
from rules.match import Match
from rules.start import Start

TODAY = 1_800_000_000.0
FAR = (7 * DAY_S, 30 * DAY_S, -40 * DAY_S, 365 * DAY_S)


class Board:
    """A device with its two clocks."""

    def __init__(self, path: Path, today: float, *, known: bool) -> None:
        self.clock, self.today, self.known = ManualClock(), ManualClock(today), known
        self.path = path
        self.start()

    def start(self) -> None:
        self.journal = Journal(self.path)
        is_set: Callable[[], bool] = lambda: self.known  # noqa: E731
        self.keeper = Housekeeper(
            self.journal, 7, Notifier({}), clock=self.clock, now=self.today, is_set=is_set
        )
        self.keeper.pulse()

    def picture(self, name: str) -> str:
        return self.journal.append("act", {}, time=self.today(), crops=[name.encode()]).crops[0]

    def pass_(self, seconds: float) -> None:
        for _ in range(int(seconds // EVERY_S) + 1):
            step = min(seconds, EVERY_S)
            self.clock.now += step
            self.today.now += step
            seconds -= step
            self.keeper.pulse()

    def restart(self, off_s: float) -> None:
        self.journal.close()
        self.today.now += off_s
        self.start()


@pytest.mark.parametrize("step", FAR)
def test_setting_the_time_during_an_evening_keeps_its_pictures_for_their_days(
    tmp_path: Path, step: float
) -> None:
    board = Board(tmp_path / "j", TODAY, known=False)
    tonight = board.picture("tonight")
    board.pass_(2 * EVERY_S)
    board.today.now += step
    board.pass_(2 * EVERY_S)
    assert board.journal.crop(tonight)
    board.pass_(6 * DAY_S)
    assert board.journal.crop(tonight)
    board.pass_(2 * DAY_S)
    assert board.journal.crop(tonight) is None
    board.journal.close()


def test_a_clock_that_is_right_after_a_start_expires_nothing_of_the_evening_before(
    tmp_path: Path,
) -> None:
    board = Board(tmp_path / "j", TODAY, known=False)
    tonight = board.picture("tonight")
    board.pass_(EVERY_S)
    board.known = True
    board.restart(30 * DAY_S)  # it was a month behind
    board.pass_(EVERY_S)
    assert board.journal.crop(tonight)
    board.pass_(8 * DAY_S)
    assert board.journal.crop(tonight) is None
    board.journal.close()


def test_with_a_clock_that_runs_on_days_off_count(tmp_path: Path) -> None:
    board = Board(tmp_path / "j", TODAY, known=True)
    tonight = board.picture("tonight")
    board.restart(8 * DAY_S)
    assert board.journal.crop(tonight) is None
    board.journal.close()


@pytest.mark.parametrize(("dated", "date"), [(True, "2027.01.15"), (False, "????.??.??")])
def test_a_record_gives_its_day_or_says_that_the_clock_was_not_set(
    tmp_path: Path, dated: bool, date: str
) -> None:
    match = Match(find_game("ziginette"), Start(seats=(1, 2, 3), banker=1))
    with Journal(tmp_path / "j") as journal:
        Ledger(match, journal, now=lambda: TODAY, dated=dated)
    with Book(tmp_path / "j") as book:
        book.follow()
        assert f'[Date "{date}"]' in "".join(book.records())
