"""Devices connected to a console: what each asks for and receives."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import aiohttp

from tests.console_desk import PATIENCE_S, Served

OVER = (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)
"""The types of a socket's last message."""


class Screen:
    """An open page whose socket is read continuously, as browsers do.

    A client that does not read does not answer the server's heartbeat either, and is cut off on a
    slow machine.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._unread: asyncio.Queue[aiohttp.WSMessage] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while True:
            message = await self._socket.receive()
            self._unread.put_nowait(message)
            if message.type in OVER or self._socket.closed:
                return

    @property
    def closed(self) -> bool:
        return self._socket.closed

    @property
    def close_code(self) -> int | None:
        return self._socket.close_code

    async def receive(self) -> aiohttp.WSMessage:
        """The next message; once the socket is closed, its last message for ever."""
        message = await asyncio.wait_for(self._unread.get(), PATIENCE_S)
        if message.type is not aiohttp.WSMsgType.TEXT:
            self._unread.put_nowait(message)
        return message

    async def receive_str(self) -> str:
        message = await self.receive()
        assert message.type is aiohttp.WSMsgType.TEXT, f"text was expected, {message} came"
        return str(message.data)

    async def __aiter__(self) -> AsyncIterator[str]:
        while (message := await self.receive()).type is aiohttp.WSMsgType.TEXT:
            yield str(message.data)

    async def send_str(self, text: str) -> None:
        await self._socket.send_str(text)

    async def close(self) -> None:
        await self._socket.close()


class Guest:
    """One device's browser, as seen by the server."""

    def __init__(self, served: Served, session: aiohttp.ClientSession) -> None:
        self.served = served
        self.session = session
        self.origin = served.url.rstrip("/")

    async def get(self, path: str, **headers: str) -> tuple[int, Any]:
        async with self.session.get(self.served.url + path, headers=headers) as response:
            text = await response.text()
            is_json = response.content_type == "application/json"
            return response.status, json.loads(text) if is_json else text

    async def post(self, path: str, value: Any = None, **headers: str) -> tuple[int, Any]:
        headers.setdefault("Origin", self.origin)
        url = f"{self.served.url}api/{path}"
        async with self.session.post(url, json=value or {}, headers=headers) as response:
            return response.status, await response.json()

    async def sign_in(self, pin: str) -> None:
        status, told = await self.post("login", {"pin": pin})
        assert status == 200, told

    async def live(self, **headers: str) -> Screen:
        headers.setdefault("Origin", self.origin)
        return Screen(await self.session.ws_connect(self.served.url + "api/live", headers=headers))


class Room:
    """Several devices connected to one console."""

    def __init__(self, served: Served, stack: AsyncExitStack) -> None:
        self.served = served
        self.desk = served.desk
        self._stack = stack

    async def guest(self, address: str = "127.0.0.1") -> Guest:
        connector = aiohttp.TCPConnector(local_addr=(address, 0), force_close=True)
        jar = aiohttp.CookieJar(unsafe=True)
        session = aiohttp.ClientSession(connector=connector, cookie_jar=jar)
        return Guest(self.served, await self._stack.enter_async_context(session))

    async def dealer(self) -> Guest:
        guest = await self.guest()
        await guest.sign_in(self.served.pins.dealer)
        return guest

    async def viewer(self) -> Guest:
        guest = await self.guest()
        await guest.sign_in(self.served.pins.viewer)
        return guest


def told(served: Served, script: Callable[[Room], Awaitable[None]]) -> None:
    """Run a script of what devices do."""

    async def run() -> None:
        async with AsyncExitStack() as stack:
            await script(Room(served, stack))

    asyncio.run(asyncio.wait_for(run(), 3 * PATIENCE_S))


async def picture(page: Screen, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first picture that satisfies a condition."""
    while True:
        message: dict[str, Any] = json.loads(await page.receive_str())
        if message["kind"] == "picture" and wanted(message):
            return message


async def heard(page: Screen, **message: Any) -> dict[str, Any]:
    """Send a message and return the answer."""
    await page.send_str(json.dumps(message))
    while True:
        answer: dict[str, Any] = json.loads(await page.receive_str())
        if answer["kind"] == "heard":
            return answer


async def until(wanted: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.01)
