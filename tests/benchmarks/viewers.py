"""How soon an act is on every screen: the dealer's, and those of six viewers.

The dealer's page sends an act; each of the six telephones and tablets has it once its socket has
delivered the picture that contains it. In between the act is stored on disk and followed.
Alternating with it, the same sockets are timed for a trivial answer, which shows the machine's
share.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from firmware.console.access import Access
from tests.benchmarks.latency import percentile
from tests.console_desk import Served, settings_for
from tests.console_guests import Guest, Room, Screen

Row = tuple[str, float, str]
VIEWERS = 6
ACTS = 120
"""Bets, each taken back again: enough for a 95th percentile that no single slow act decides."""
PAUSE_S = 0.15
"""Pause between two acts: faster than anyone speaks, and slower than the page's limit."""
LINE = "2 bet 5 QS"


def measure() -> list[Row]:
    """The figures on this machine."""
    with TemporaryDirectory() as folder:
        access = Access(Path(folder, "access"))
        with Served(Path(folder), settings_for("ziginette"), access=access) as served:
            served.desk.lay("board", "QS", "5D")
            served.desk.lay("banker", "7C")
            served.desk.ask(lambda felt: setattr(felt, "look", lambda *_: None))
            waited, answered = asyncio.run(_watched(served))
    return [
        ("an act on six screens, 95th percentile", percentile(waited, 95), "ms"),
        ("an act on six screens, median", percentile(waited, 50), "ms"),
        ("an answer about nothing on the same sockets, 95th", percentile(answered, 95), "ms"),
    ]


async def _watched(served: Served) -> tuple[list[float], list[float]]:
    """Seconds from each act to each screen, and of trivial answers."""
    async with AsyncExitStack() as stack:
        room = Room(served, stack)
        dealer = await (await room.dealer()).live()
        screens = [await (await _screen(room, number)).live() for number in range(VIEWERS)]
        count = len(served.desk.acts())
        await asyncio.gather(*(_shows(one, count) for one in (dealer, *screens)))
        waited, answered = list[float](), list[float]()
        for number in range(ACTS):
            undoes = bool(number % 2)
            deed: dict[str, Any] = {"do": "undo"} if undoes else {"do": "type", "line": LINE}
            began = time.perf_counter()
            await dealer.send_str(json.dumps(deed))
            times = await asyncio.gather(*(_shows(one, count + (not undoes)) for one in screens))
            waited += [moment - began for moment in times]
            await _shows(dealer, count + (not undoes))
            answered.append(await _answers(screens[number % VIEWERS]))
            await asyncio.sleep(PAUSE_S)
    return waited, answered


async def _screen(room: Room, number: int) -> Guest:
    """Open a screen: three are players' telephones at their seats, the others guests'."""
    if number >= 3:
        return await room.viewer()
    guest = await room.guest()
    seat = number + 1
    code = room.served.console.site.seating.code(seat)
    status, told = await guest.post("sit", {"seat": seat, "code": code})
    assert status == 200, told
    return guest


async def _shows(page: Screen, count: int) -> float:
    """The time at which the page shows `count` acts."""
    while True:
        message = json.loads(await page.receive_str())
        if message["kind"] == "picture" and message["count"] == count:
            return time.perf_counter()


async def _answers(page: Screen) -> float:
    """Seconds for the answer to a message that is refused at once."""
    began = time.perf_counter()
    await page.send_str(json.dumps({"do": "undo"}))
    while json.loads(await page.receive_str())["kind"] != "heard":
        pass
    return time.perf_counter() - began
