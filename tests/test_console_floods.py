"""A connection that floods the console is cut off, and nobody else waits because of it."""

from __future__ import annotations

import asyncio
import gzip
import logging
import socket
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import cast

import pytest
from aiohttp import web

from firmware.console.access import Session
from firmware.console.hub import BURST, SIGNED_OUT, Hub, Page
from firmware.console.middleware import BODY_MOST
from firmware.console.pins import Role
from tests.console_desk import PATIENCE_S, Served, settings_for
from tests.console_guests import Room, told


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, settings_for("ziginette")) as one:
        yield one


@pytest.mark.parametrize("kind", ["ping", "pong"])
def test_a_flood_that_no_page_shows_is_cut_off(kind: str, served: Served) -> None:
    """Pings and pongs count like messages: browsers send one every few seconds."""

    async def script(room: Room) -> None:
        guest = await room.viewer()
        url, headers = f"{served.url}api/live", {"Origin": guest.origin}
        page = await guest.session.ws_connect(url, headers=headers)
        send = page.ping if kind == "ping" else page.pong
        with suppress(ConnectionError):  # it is cut while it still sends
            for _ in range(3 * BURST):
                await send()
        while not page.closed:
            await asyncio.wait_for(page.receive(), PATIENCE_S)
        assert page.close_code in (1008, 1006)  # cut, perhaps before the reason was sent
        again = await (await room.dealer()).live()
        assert (await again.receive_str()).startswith("{")

    told(served, script)


def test_nobody_waits_for_pages_that_do_not_acknowledge_their_sign_out() -> None:
    """A page that never answers a close keeps no news from the others."""
    asked = list[int]()

    class Mute:
        """A socket whose other end no longer says anything."""

        async def close(self, *, code: int, message: bytes) -> bool:
            asked.append(code)
            await asyncio.Event().wait()
            return True

    async def run() -> None:
        hub = Hub()
        for number in range(3):
            session = Session(f"{number}", Role.VIEWER, "10.0.0.1", "", 0.0)
            mute = cast(web.WebSocketResponse, Mute())
            hub.pages.add(Page(mute, session, "10.0.0.1", lambda: None))
        hub.expel({"0"})
        await asyncio.sleep(0)
        assert asked == [SIGNED_OUT, SIGNED_OUT]

    asyncio.run(run())


SENT = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20 + b"\r\n\r\n",
    "headers without end": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 3000,
    "a header without end": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 50_000,
    "cookies without end": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"Cookie: a=b\r\n" * 3000,
    "lengths at odds": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
    b"Content-Length: 6\r\n\r\n",
    "a chunk of no size": b"POST / HTTP/1.1\r\nHost: localhost\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
}


@pytest.mark.parametrize("kind", SENT)
def test_malformed_requests_leave_no_line_in_the_log(
    kind: str, served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """Anyone can send a thousand of them per second, and the log is on a memory card."""
    with caplog.at_level(logging.INFO), closing(connected(served)) as line:
        try:
            line.sendall(SENT[kind])
            answer = line.recv(100)
        except ConnectionError:  # it was cut while it still sent
            answer = b""
    assert answer == b"" or answer.startswith((b"HTTP/1.0 4", b"HTTP/1.1 4"))
    assert [record.getMessage() for record in caplog.records] == []


def test_a_client_that_leaves_before_all_was_read_leaves_no_line_in_the_log(
    served: Served, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(_: object) -> None:
        raise ConnectionResetError("Cannot write to closing transport")

    monkeypatch.setattr(served.console.site, "read", gone)

    async def script(room: Room) -> None:
        status, _ = await (await room.viewer()).get("api/hands")
        assert status == 503

    with caplog.at_level(logging.INFO):
        told(served, script)
    assert [record.getMessage() for record in caplog.records] == []


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
def test_a_body_that_unpacks_to_too_much_is_refused(packing: str, served: Served) -> None:
    pack = gzip.compress if packing == "gzip" else zlib.compress
    body = pack(b'{"pin": "' + b"1" * (200 * BODY_MOST) + b'"}')
    assert len(body) < BODY_MOST
    at = f"127.0.0.1:{served.console.port}"
    with closing(connected(served)) as line:
        line.sendall(
            f"POST /api/login HTTP/1.1\r\nHost: {at}\r\nOrigin: http://{at}\r\n"
            f"Content-Type: application/json\r\nContent-Encoding: {packing}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        assert line.recv(100).startswith(b"HTTP/1.1 413")


def connected(served: Served) -> socket.socket:
    """A connection to the console."""
    return socket.create_connection(("127.0.0.1", served.console.port), PATIENCE_S)
