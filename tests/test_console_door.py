"""Who keeps a connection, and whose work comes first."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from aiohttp import web

from firmware.console import door as doors
from firmware.console.access import Session
from firmware.console.door import (
    CONNECTIONS_MOST,
    FRESH_S,
    GUESTS_MOST,
    LOOK_S,
    RECEIVED_MOST,
    SILENT_S,
    STRANGERS_EACH,
    Door,
    Standing,
)
from firmware.console.hub import PAGES_MOST, Hub, Page
from firmware.console.pins import Role
from firmware.console.queue import EACH_MOST, WAITING_MOST, Busy, Queue
from firmware.settings.network import Listening
from hardware.rig import ManualClock
from tests.console_desk import PATIENCE_S, Served, settings_for


class Line:
    """A connection as the door sees it."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get_extra_info(self, name: str) -> tuple[str, int]:
        return (self.address, 1)

    def abort(self) -> None: ...


def after(seconds: float, door: Door, clock: ManualClock, lines: Sequence[Line]) -> list[Line]:
    """The connections cut at the last of the checks within that time."""
    cut: list[Any] = []
    for _ in range(round(seconds / LOOK_S)):
        clock.now += LOOK_S
        cut = door.surplus(lines)
    return cut


def test_silent_connections_are_cut_and_signed_in_ones_stay() -> None:
    clock = ManualClock()
    door = Door(clock)
    lines = [Line(f"10.0.0.{n}") for n in range(4)]
    assert door.surplus(lines) == []
    for line, standing in zip(
        lines, (Standing.DEALER, Standing.GUEST, Standing.ASKED), strict=False
    ):
        door.heard(line, standing)
    assert after(SILENT_S - LOOK_S, door, clock, lines) == []
    assert after(2 * LOOK_S, door, clock, lines) == [lines[3]]


def test_nobody_counts_as_silent_while_the_server_is_held_up() -> None:
    """What was sent meanwhile could not be read."""
    clock = ManualClock()
    door, line = Door(clock), Line("10.0.0.1")
    assert door.surplus([line]) == []
    clock.now += 10 * SILENT_S
    assert door.surplus([line]) == []
    assert after(SILENT_S + LOOK_S, door, clock, [line]) == [line]


def test_in_a_crowd_the_dealer_stays_and_the_oldest_strangers_go() -> None:
    clock = ManualClock()
    door = Door(clock)
    dealers = [Line("10.0.9.9") for _ in range(20)]
    guests = [Line(f"10.0.8.{n}") for n in range(40)]
    strangers = []
    for line in (*dealers, *guests):
        door.heard(line, Standing.DEALER if line in dealers else Standing.GUEST)
    for number in range(300):
        clock.now += 0.001
        strangers.append(Line(f"10.1.{number // 200}.{number % 200}"))
        door.surplus([strangers[-1]])
    everybody: list[Any] = [*strangers, *guests, *dealers]
    cut = after(2 * FRESH_S, door, clock, everybody)
    assert len(everybody) - len(cut) == CONNECTIONS_MOST
    assert cut == strangers[: len(cut)]


def test_guests_newer_than_the_dealer_do_not_take_the_dealer_s_place() -> None:
    clock = ManualClock()
    door = Door(clock)
    dealer, guests = Line("10.0.9.9"), [Line(f"10.0.{n // 200}.{n}") for n in range(400)]
    door.heard(dealer, Standing.DEALER)
    door.surplus([dealer])
    for guest in guests:
        clock.now += 0.001
        door.heard(guest, Standing.GUEST)
        door.surplus([guest])
    cut = door.surplus([dealer, *guests])
    assert len(cut) == 401 - CONNECTIONS_MOST
    assert dealer not in cut


def test_a_device_of_the_dealer_s_keeps_its_connection_until_it_has_signed_in() -> None:
    door = Door(ManualClock())
    dealer, crowd = Line("10.0.0.1"), [Line(f"10.0.1.{n}") for n in range(3 * CONNECTIONS_MOST)]
    door.heard(dealer, Standing.KNOWN)
    for one in crowd:
        door.heard(one, Standing.ASKED)
    cut = door.surplus([dealer, *crowd])
    assert dealer not in cut
    assert len(crowd) + 1 - len(cut) == CONNECTIONS_MOST


def test_nothing_is_decided_about_a_newcomer_before_it_can_have_asked() -> None:
    """No matter how many arrive after it at the same moment."""
    clock = ManualClock()
    door = Door(clock)
    guests = [Line(f"10.0.8.{n}") for n in range(GUESTS_MOST)]
    for line in guests:
        door.heard(line, Standing.GUEST)
    dealer = Line("10.0.0.1")
    crowd = [Line(f"10.0.1.{n % 40}") for n in range(400)]
    everybody = [*guests, dealer, *crowd]
    assert dealer not in door.surplus(everybody)
    assert dealer not in after(FRESH_S, door, clock, everybody)
    door.heard(dealer, Standing.ASKED)
    cut = after(FRESH_S, door, clock, everybody)
    assert dealer not in cut
    assert len(everybody) - len(cut) == CONNECTIONS_MOST


def test_a_client_waiting_for_its_pin_is_not_cut_for_those_who_ask_much() -> None:
    door = Door(ManualClock())
    dealer = Line("10.0.0.1")
    crowd = [Line(f"10.0.1.{n % 80}") for n in range(80 * STRANGERS_EACH)]
    for one in (dealer, *crowd):
        door.heard(one, Standing.ASKED)
    door.surplus([dealer])
    assert dealer not in door.surplus([dealer, *crowd])


def test_silent_connections_cost_nothing_to_an_address_that_has_asked() -> None:
    door = Door(ManualClock())
    dealer, crowd = Line("10.0.0.1"), [Line("10.0.0.1") for _ in range(60)]
    door.heard(dealer, Standing.ASKED)
    door.surplus([dealer])
    cut = door.surplus([dealer, *crowd])
    assert dealer not in cut
    assert len(crowd) - len(cut) == STRANGERS_EACH


def test_guests_connections_leave_room_for_newcomers() -> None:
    """Whether they come from a few addresses or from as many as there are guests."""
    for addresses in (3, 2 * CONNECTIONS_MOST):
        door = Door(ManualClock())
        crowd = [Line(f"10.0.{n % addresses}.1") for n in range(2 * CONNECTIONS_MOST)]
        others = [Line(f"10.1.0.{n}") for n in range(20)]
        late = [Line(f"10.2.0.{n}") for n in range(CONNECTIONS_MOST - GUESTS_MOST)]
        for guest in (*crowd, *others):
            door.heard(guest, Standing.GUEST)
        for line in late:
            door.heard(line, Standing.ASKED)
        cut = set(door.surplus([*late, *crowd, *others]))
        assert cut < set(crowd)
        assert len(crowd) - len(cut) + len(others) == GUESTS_MOST


def asking(port: int, path: str, told: str, stack: ExitStack, address: str) -> socket.socket:
    """A connection from that address on which a request was sent."""
    line = stack.enter_context(closing(connected(port, address)))
    verb, more = ("POST", f"Content-Length: {len(told)}\r\n") if told else ("GET", "")
    line.sendall(
        f"{verb} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Origin: http://127.0.0.1:{port}\r\n"
        f"Content-Type: application/json\r\n{more}\r\n{told}".encode()
    )
    return line


def connected(port: int, address: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), PATIENCE_S, (address, 0))
    line.settimeout(PATIENCE_S)
    return line


@pytest.mark.slow
def test_a_crowd_at_the_same_moment_costs_nobody_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All are queued in the kernel when the server gets to them, and it checks every round."""
    monkeypatch.setattr(doors, "LOOK_S", 0.0)
    with ExitStack() as stack:
        served = stack.enter_context(Served(tmp_path, settings_for("ziginette")))
        port, open_now = served.console.port, threading.Event()
        for number in range(CONNECTIONS_MOST - 20):
            line = asking(port, "/api/words", "", stack, f"127.0.1.{1 + number}")
            assert line.recv(100).startswith(b"HTTP/1.1 200")
        hold(served, open_now)
        pin = json.dumps({"pin": served.pins.dealer})
        dealer = asking(port, "/api/login", pin, stack, "127.0.3.1")
        for number in range(CONNECTIONS_MOST):
            stack.enter_context(closing(connected(port, f"127.0.2.{1 + number % 40}")))
        open_now.set()
        assert dealer.recv(100).startswith(b"HTTP/1.1 200")


def hold(served: Served, until: threading.Event) -> None:
    """Hold up the server's thread."""
    wait: Callable[[], object] = partial(until.wait, PATIENCE_S)
    served.console._loop.call_soon_threadsafe(wait)


def test_guests_pages_do_not_crowd_out_the_dealer_s() -> None:
    hub, cut = Hub(), list[str]()

    def opened(role: Role, client: str) -> None:
        session = Session(client, role, client, "", 0.0)
        if hub.has_room(client, session.may_write):
            socket = cast(web.WebSocketResponse, None)
            hub.pages.add(Page(socket, session, client, lambda: cut.append(client)))

    opened(Role.DEALER, "the dealer")
    for number in range(2 * PAGES_MOST):
        opened(Role.VIEWER, f"guest {number}")
    assert len(hub.pages) == PAGES_MOST + 1
    opened(Role.DEALER, "another dealer")
    assert len(hub.pages) == PAGES_MOST + 2
    assert cut == []


def test_a_crowd_from_one_address_is_cut_back_to_what_a_person_needs() -> None:
    door = Door(ManualClock())
    dealer, crowd = Line("10.0.0.1"), [Line("10.0.0.1") for _ in range(60)]
    door.heard(dealer, Standing.DEALER)
    cut = door.surplus([dealer, *crowd])
    assert dealer not in cut
    assert len(crowd) - len(cut) == STRANGERS_EACH


async def begun(queue: Queue) -> None:
    """Wait until the first piece of work has begun."""
    await asyncio.sleep(0)  # requested meanwhile
    while len(queue):
        await asyncio.sleep(0)


def in_order(asked: Sequence[tuple[str, int]]) -> list[str]:
    """The order of service for clients with priorities that all wait for one piece of work."""

    async def run() -> list[str]:
        queue, done = Queue("test"), list[str]()
        gate = threading.Event()

        def held() -> None:
            gate.wait(PATIENCE_S)

        tasks = [asyncio.create_task(queue.do(held, "first"))]
        await asyncio.sleep(0)
        for name, right in asked:
            work = queue.do(partial(done.append, name), name, right)
            tasks.append(asyncio.create_task(work))
            await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(*tasks)
        queue.close()
        return done

    return asyncio.run(run())


def test_higher_priority_comes_first_and_no_flood_keeps_others_waiting() -> None:
    asked = (("a", 1), ("a", 1), ("a", 1), ("b", 1), ("late", 2), ("dealer", 0))
    assert in_order(asked) == ["dealer", "a", "b", "a", "a", "late"]


def test_a_latecomer_to_a_crowd_does_not_wait_for_all_of_it() -> None:
    crowd = [(f"{number}", 1) for number in range(200)]
    done = in_order([*crowd, ("dealer", 1)])
    assert done.index("dealer") < 2
    assert done.index("0") < 2  # and nobody waits for ever


def test_clients_waiting_when_the_server_stops_are_turned_away() -> None:
    async def run() -> None:
        queue, gate = Queue("test"), threading.Event()
        first = asyncio.create_task(queue.do(lambda: gate.wait(PATIENCE_S), "first"))
        await begun(queue)
        second = asyncio.create_task(queue.do(int, "second"))
        await asyncio.sleep(0)
        queue.close()
        gate.set()
        assert await first
        for late in (second, asyncio.create_task(queue.do(int, "third"))):
            with pytest.raises(Busy):
                await late

    asyncio.run(run())


def test_a_flood_of_connections_opens_no_more_files_than_the_process_may_have() -> None:
    """They wait in the kernel, and clients arriving after them are still accepted."""
    most = 0

    async def run() -> None:
        nonlocal most
        door, lines = Door(), set[asyncio.Transport]()
        answered = asyncio.Event()

        class Serving(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                nonlocal most
                self.line = cast(asyncio.Transport, transport)
                lines.add(self.line)
                most = max(most, len(lines))

            def data_received(self, data: bytes) -> None:
                door.heard(self.line, Standing.KNOWN)
                answered.set()

            def connection_lost(self, error: Exception | None) -> None:
                lines.discard(self.line)

        listener = Listening("127.0.0.1", 0).socket()
        at = listener.getsockname()
        flood = [
            socket.create_connection(at, None, (f"127.0.{1 + n // 200}.{1 + n % 200}", 0))
            for n in range(3 * CONNECTIONS_MOST)
        ]
        with socket.create_connection(at) as dealer:
            dealer.send(b"here")
            receiving = asyncio.create_task(door.receive(listener, Serving, lambda: lines))
            await asyncio.wait_for(answered.wait(), PATIENCE_S)
        receiving.cancel()
        for one in (*flood, listener):
            one.close()

    asyncio.run(run())
    assert CONNECTIONS_MOST < most <= RECEIVED_MOST


def test_a_client_that_asks_too_much_is_refused_and_a_higher_priority_finds_room() -> None:
    async def run() -> None:
        queue = Queue("test")
        gate = threading.Event()
        tasks: list[asyncio.Task[object]] = []

        def held() -> None:
            gate.wait(PATIENCE_S)

        tasks.append(asyncio.create_task(queue.do(held, "first")))
        await begun(queue)
        for number in range(WAITING_MOST + 1):
            tasks.append(asyncio.create_task(queue.do(int, f"{number}", 2)))
        await asyncio.sleep(0)  # each of them asks
        with pytest.raises(Busy):
            await asyncio.wait_for(queue.do(int, "stranger", 2), PATIENCE_S)
        dealer = asyncio.create_task(queue.do(lambda: "in", "dealer", 0))
        for _ in range(EACH_MOST - 1):
            tasks.append(asyncio.create_task(queue.do(int, "dealer", 0)))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await asyncio.wait_for(queue.do(int, "dealer", 0), PATIENCE_S)
        gate.set()
        assert await asyncio.wait_for(dealer, PATIENCE_S) == "in"
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert any(isinstance(one, Busy) for one in ended)
        queue.close()

    asyncio.run(run())
