"""Who keeps a connection, and whose work comes first."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import Any, cast

import pytest
from aiohttp import web

from firmware.console.access import Role, Session
from firmware.console.door import CONNECTIONS_MOST, SILENT_S, STRANGERS_EACH, Door, Standing
from firmware.console.hub import PAGES_MOST, Hub, Page
from firmware.console.queue import EACH_MOST, WAITING_MOST, Busy, Queue
from hardware.rig import ManualClock


class Line:
    """A connection, as far as the door can tell."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get_extra_info(self, name: str) -> tuple[str, int]:
        return (self.address, 1)

    def abort(self) -> None: ...


def test_what_says_nothing_is_cut_and_what_is_signed_in_stays() -> None:
    clock = ManualClock()
    door = Door(clock)
    lines = [Line(f"10.0.0.{n}") for n in range(4)]
    assert door.surplus(lines) == []
    for line, standing in zip(
        lines, (Standing.DEALER, Standing.GUEST, Standing.ASKED), strict=False
    ):
        door.heard(line, standing)
    clock.now += SILENT_S + 0.1
    assert door.surplus(lines) == [lines[3]]


def test_among_too_many_the_dealer_stays_and_the_oldest_strangers_go() -> None:
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
    cut = door.surplus(everybody)
    assert len(everybody) - len(cut) == CONNECTIONS_MOST
    assert cut == strangers[: len(cut)]


def test_guests_newer_than_the_dealer_take_no_place_of_theirs() -> None:
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


def test_guests_pages_cost_no_dealer_s_page() -> None:
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


def test_the_better_right_comes_first_and_nobody_s_flood_keeps_others_waiting() -> None:
    async def run() -> list[str]:
        queue, done = Queue("test"), list[str]()
        gate = threading.Event()

        def held() -> None:
            gate.wait(5.0)

        tasks = [asyncio.create_task(queue.do(held, "first"))]
        await asyncio.sleep(0)
        for name, right in (("a", 1), ("a", 1), ("a", 1), ("b", 1), ("late", 2), ("dealer", 0)):
            work = queue.do(partial(done.append, name), name, right)
            tasks.append(asyncio.create_task(work))
            await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(*tasks)
        queue.close()
        return done

    assert asyncio.run(run()) == ["dealer", "a", "b", "a", "a", "late"]


def test_who_asks_too_much_is_refused_and_a_better_right_finds_room() -> None:
    async def run() -> None:
        queue = Queue("test")
        gate = threading.Event()
        tasks: list[asyncio.Task[object]] = []

        def held() -> None:
            gate.wait(5.0)

        tasks.append(asyncio.create_task(queue.do(held, "first")))
        await asyncio.sleep(0.05)
        for number in range(WAITING_MOST + 1):
            tasks.append(asyncio.create_task(queue.do(int, f"{number}", 2)))
        await asyncio.sleep(0.05)
        with pytest.raises(Busy):
            await asyncio.wait_for(queue.do(int, "stranger", 2), 2.0)
        dealer = asyncio.create_task(queue.do(lambda: "in", "dealer", 0))
        for _ in range(EACH_MOST - 1):
            tasks.append(asyncio.create_task(queue.do(int, "dealer", 0)))
        await asyncio.sleep(0.01)
        with pytest.raises(Busy):
            await asyncio.wait_for(queue.do(int, "dealer", 0), 2.0)
        gate.set()
        assert await asyncio.wait_for(dealer, 5.0) == "in"
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert any(isinstance(one, Busy) for one in ended)
        queue.close()

    asyncio.run(run())
