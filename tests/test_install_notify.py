"""What systemd receives, on a socket that stands in for it, and what feeds its watchdog."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.notify import Notifier
from firmware.store.housekeeping import DAY_S, EVERY_S, Housekeeper
from firmware.store.journal import Journal
from hardware.rig import ManualClock


class Manager:
    """The service manager's end of the socket."""

    def __init__(self, address: str) -> None:
        self._way = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._way.bind(address)
        self._way.setblocking(False)

    def heard(self) -> list[str]:
        told = []
        while True:
            try:
                told.append(self._way.recv(4096).decode())
            except BlockingIOError:
                return told

    def close(self) -> None:
        self._way.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(str(tmp_path / "notify"))
    yield manager
    manager.close()


def test_ready_status_and_end_are_sent_as_the_protocol_wants(
    manager: Manager, tmp_path: Path
) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    assert notifier.ready("Following\n hand 3")
    assert notifier.status("on hold")
    assert notifier.stopping()
    assert manager.heard() == ["READY=1\nSTATUS=Following hand 3", "STATUS=on hold", "STOPPING=1"]


def test_a_socket_without_a_folder_is_found_by_its_name() -> None:
    name = f"mazziere-test-{os.getpid()}"
    manager = Manager("\0" + name)
    assert Notifier({"NOTIFY_SOCKET": "@" + name}).ready()
    assert manager.heard() == ["READY=1"]
    manager.close()


@pytest.mark.parametrize("address", ["", "notify", "/no/such/socket"])
def test_without_a_manager_nothing_is_sent_and_nothing_fails(address: str) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "10000000"})
    assert not notifier.ready()
    assert not notifier.beat()


def test_beats_come_three_times_in_the_time_allowed(manager: Manager, tmp_path: Path) -> None:
    clock = ManualClock()
    environ = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "9000000"}
    notifier = Notifier(environ, clock)
    assert notifier.watched
    for _ in range(900):  # nine seconds of a loop that runs a hundred times a second
        notifier.beat()
        clock.now += 0.01
    assert manager.heard() == ["WATCHDOG=1"] * 3


@pytest.mark.parametrize(
    "environ", [{}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "9000000", "WATCHDOG_PID": "1"}]
)
def test_nothing_is_sent_unless_asked_for(
    manager: Manager, tmp_path: Path, environ: dict[str, str]
) -> None:
    notifier = Notifier({**environ, "NOTIFY_SOCKET": str(tmp_path / "notify")})
    assert not notifier.watched
    assert not notifier.beat()
    assert manager.heard() == []


def test_a_flood_into_a_manager_that_does_not_read_never_waits(tmp_path: Path) -> None:
    manager = Manager(str(tmp_path / "notify"))
    notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    sent = [notifier.status(f"{number}" * 50) for number in range(5000)]
    assert not all(sent)  # its queue is full; the loop went on
    manager.close()


def test_the_first_round_is_ready_and_pictures_expire_by_the_hour(
    manager: Manager, tmp_path: Path
) -> None:
    clock, today = ManualClock(), ManualClock(100 * DAY_S)
    notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")}, clock)
    with Journal(tmp_path / "j") as journal:
        old = journal.append("act", {}, time=92 * DAY_S, crops=[b"old"]).crops[0]
        new = journal.append("act", {}, time=99.5 * DAY_S, crops=[b"new"]).crops[0]
        keeper = Housekeeper(journal, 7, notifier, clock=clock, now=today)
        keeper.pulse()
        assert manager.heard() == ["READY=1\nSTATUS=The table is followed."]
        assert (journal.crop(old), journal.crop(new)) == (None, b"new")
        today.now += EVERY_S / 2
        clock.now += EVERY_S / 2
        keeper.pulse()  # within the hour: not looked for again
        assert journal.crop(new) == b"new"
        today.now += 7 * DAY_S
        clock.now += 7 * DAY_S
        keeper.pulse()
        assert journal.crop(new) is None
        assert journal.verify(journal.head).whole
        assert manager.heard() == []
