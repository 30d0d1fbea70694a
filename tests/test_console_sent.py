"""What the console sends to its pages, and what it takes from them, however they behave."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress

import pytest

from firmware.console import hub as live
from firmware.console.site import Site
from tests.console_desk import Served
from tests.console_guests import Room, picture, told, until

# What is sent.


def test_every_page_sees_what_is_laid(served: Served) -> None:
    async def script(room: Room) -> None:
        pages = [await (await room.viewer()).live() for _ in range(4)]
        await asyncio.to_thread(room.desk.lay, "board", "QS")
        for page in pages:
            seen = await picture(page, lambda one: one["count"] == 1)
            board = next(spot for spot in seen["spots"] if spot["name"] == "board")
            assert board["cards"] == [{"card": "QS", "label": "Queen of spades"}]
            assert seen["acts"][-1]["words"] == "Queen of spades to the board"

    told(served, script)


def test_places_are_where_the_layout_has_them(dealt: Served) -> None:
    async def script(room: Room) -> None:
        page = await (await room.viewer()).live()
        floor = json.loads(await page.receive_str())
        assert floor["kind"] == "floor"
        assert set(floor["seats"]) == {"1", "2", "3"}
        for place in floor["places"].values():
            left, top, right, bottom = place["bounds"]
            assert all(left < x < right and top < y < bottom for x, y, _ in place["cells"])

    told(dealt, script)


def test_a_page_that_does_not_read_stalls_nobody(
    dealt: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "SEND_S", 0.3)
    hub = dealt.console.site.hub

    def stalling(token: str) -> socket.socket:
        """A socket that asks for pictures and never reads one."""
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.connect(("127.0.0.1", dealt.console.port))
        host = dealt.url.removeprefix("http://").rstrip("/")
        deaf.sendall(
            f"GET /api/live HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            f"Cookie: {Site.cookie}={token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c3RhbGxpbmctY2xpZW50IQ==\r\n\r\n"
            .encode()
        )  # fmt: skip
        return deaf

    async def script(room: Room) -> None:
        viewer = await room.viewer()
        (cookie,) = list(viewer.session.cookie_jar)
        page = await viewer.live()
        deaf = await asyncio.to_thread(stalling, cookie.value)
        await until(lambda: len(hub.pages) == 2)
        number = 0
        while len(hub.pages) == 2:
            number += 1
            hub.tell({"kind": "picture", "number": number, "much": "x" * 100_000})
            await asyncio.sleep(0.001)
            boxes = [box for one in hub.pages for box in [one._box]]
            assert all(len(box) <= 3 for box in boxes)
        latest = number
        await picture(page, lambda one: one.get("number") == latest)
        deaf.close()

    told(dealt, script)


def test_a_page_that_floods_is_cut_off(dealt: Served) -> None:
    async def script(room: Room) -> None:
        page = await (await room.dealer()).live()
        with suppress(ConnectionError):  # the connection may be cut between two words
            for _ in range(500):
                if page.closed:
                    break
                await page.send_str('{"do": "press", "button": "ok"}')
        async for _ in page:
            pass
        # What is still on its way when the server closes may cut off its last word.
        assert page.close_code in (1008, 1006)
        assert len(room.desk.done) < 60

    told(dealt, script)


async def silent(served: Served, address: str) -> asyncio.StreamWriter:
    """A connection on which nothing is said."""
    _, writer = await asyncio.open_connection(
        "127.0.0.1", served.console.port, local_addr=(address, 0)
    )
    return writer


def test_a_crowd_of_connections_takes_nobody_s_place(dealt: Served) -> None:
    """Silent and slow ones, from many addresses and from the dealer's own."""

    async def script(room: Room) -> None:
        page = await (await room.dealer()).live()
        await picture(page, lambda _: True)
        for wave in range(3):
            crowd = [await silent(dealt, f"127.0.{4 + n % 50}.{1 + wave}") for n in range(150)]
            crowd += [await silent(dealt, "127.0.0.1") for _ in range(30)]
            for writer in crowd[::3]:
                writer.write(b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            late = await room.guest(f"127.0.0.{40 + wave}")
            await late.sign_in(dealt.pins.dealer)
            await asyncio.to_thread(room.desk.type, f"limits {wave + 1} 30")
        await asyncio.to_thread(room.desk.lay, "board", "KS")
        await picture(page, lambda one: "king" in str(one["acts"]).lower())
        await until(lambda: dealt.console.site.door.kept < 20)  # all silent ones are gone

    told(dealt, script)
