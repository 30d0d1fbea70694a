"""Attack a console: ``python -m tests.attack --seconds 600``.

Two hundred loopback addresses try wrong PINs, open silent and slow connections, open pages with the
guests' PIN and flood them, all at once, while the dealer signs in again every five seconds and
types an act. It prints how long the sign-ins took and how many PINs were checked meanwhile, how
long the table's loop took to answer, and how much the attackers achieved, so that an attack that
failed to start is noticed. The exit status is 1 if a sign-in failed or took longer than
`SIGNS_IN_S`, or if the loop took longer than `ANSWERS_S` to answer. An idle process measures how
long the machine withheld the processor; that time is printed and subtracted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import math
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp

from firmware.console.pins import Role
from tests.console_desk import Served, settings_for
from tests.console_guests import Guest, Room

ADDRESSES = 200
SIGNS_IN_S = 2.0
ANSWERS_S = 0.5
"""Time limit for a round of the loop: its watchdog's pulse comes every ten seconds."""
EVERY_S = 5.0
REST_S = 0.02
"""How long the idle process sleeps at a time. A choice: far below both limits."""
HOW = ("again", "the first since the start", "a known device at a guesser's address")
"""How the dealer signs in, in turn: with a PIN used before; from another telephone just after a
start; and from a known telephone just after a start, at an address where others guess."""
DONE = Counter[str]()
"""What the attackers have done, counted in their process."""
TROUBLE = (aiohttp.ClientError, OSError, TimeoutError, ValueError, AssertionError)


def address(number: int) -> str:
    """One of the attackers' addresses."""
    return f"127.0.{1 + number // 100}.{1 + number % 100}"


def attack(url: str, viewer: str, seconds: float, heard: Connection) -> None:
    """Everything that two hundred addresses can do, in a process of its own.

    On a real network this work would be other machines', so here it yields to the console's.
    """
    os.nice(5)
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    asyncio.run(_attack(url, viewer, seconds, heard))


async def _attack(url: str, viewer: str, seconds: float, heard: Connection) -> None:
    kinds = (_guess, _guess, _silent, _slow, _flood)
    end = time.monotonic() + seconds
    work = [kinds[n % len(kinds)](url, viewer, address(n), end) for n in range(ADDRESSES)]
    await asyncio.gather(_tell(heard, end), *work, return_exceptions=True)


async def _tell(heard: Connection, end: float) -> None:
    while time.monotonic() < end:
        await asyncio.sleep(1.0)
        heard.send(dict(DONE))


async def _guess(url: str, _: str, own: str, end: float) -> None:
    dice = Random(own)
    connector = aiohttp.TCPConnector(local_addr=(own, 0))
    async with aiohttp.ClientSession(connector=connector) as session:
        while time.monotonic() < end:
            with suppress(*TROUBLE):
                pin = f"{dice.randrange(10**10):010}"
                headers = {"Origin": url.rstrip("/")}
                async with session.post(f"{url}api/login", json={"pin": pin}, headers=headers):
                    DONE["wrong PINs"] += 1
            await asyncio.sleep(0.05)


async def _silent(url: str, _: str, own: str, end: float) -> None:
    port = int(url.rstrip("/").rpartition(":")[2])
    while time.monotonic() < end:
        writers = []
        with suppress(*TROUBLE):
            for _number in range(10):
                _reader, writer = await asyncio.open_connection(
                    "127.0.0.1", port, local_addr=(own, 0)
                )
                writers.append(writer)
                DONE["silent connections"] += 1
        await asyncio.sleep(2.0)
        for writer in writers:
            writer.close()


async def _slow(url: str, _: str, own: str, end: float) -> None:
    port = int(url.rstrip("/").rpartition(":")[2])
    while time.monotonic() < end:
        with suppress(*TROUBLE):
            _reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(own, 0))
            DONE["slow connections"] += 1
            for letter in b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nX-Slow: ":
                writer.write(bytes([letter]))
                await asyncio.sleep(0.3)
            writer.close()


async def _flood(url: str, viewer: str, own: str, end: float) -> None:
    connector = aiohttp.TCPConnector(local_addr=(own, 0))
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as session:
        headers = {"Origin": url.rstrip("/")}
        while time.monotonic() < end:
            with suppress(*TROUBLE):
                async with session.post(f"{url}api/login", json={"pin": viewer}, headers=headers):
                    pass
                page = await session.ws_connect(f"{url}api/live", headers=headers)
                DONE["pages"] += 1
                for _number in range(200):
                    await page.send_str('{"do": "press", "button": "ok"}')
                    async with session.get(f"{url}api/hands"):
                        DONE["questions"] += 1
            await asyncio.sleep(0.2)


def rest(seconds: float, told: Connection) -> None:
    """Sleep again and again; report when that took longer than it should, and by how much.

    The times are on the clock that all processes of a machine share.
    """
    end = time.monotonic() + seconds
    while (began := time.monotonic()) < end:
        time.sleep(REST_S)
        woke = time.monotonic()
        if woke - began > 2 * REST_S:
            told.send((began + REST_S, woke))


@dataclass(frozen=True)
class Span:
    """The time from one moment to another, in seconds of the machine's clock."""

    began: float
    ended: float

    def took(self, held: Sequence[Span]) -> float:
        """The duration, less the times when the machine held everybody up."""
        both = (min(self.ended, one.ended) - max(self.began, one.began) for one in held)
        return self.ended - self.began - sum(max(0.0, seconds) for seconds in both)


@dataclass(frozen=True)
class Entry:
    """The outcome of one sign-in of the dealer's."""

    how: str
    sign_in: Span
    answer: Span | None
    """A round of the table's loop at that time; None if the sign-in failed."""
    hashes: int
    """Slow hashes computed meanwhile, including the dealer's own."""
    trouble: str = ""
    """Why the dealer did not get in."""


async def _dealer(served: Served, seconds: float) -> list[Entry]:
    entries, end = list[Entry](), time.monotonic() + seconds
    done = _counted(served)
    async with AsyncExitStack() as stack:
        room = Room(served, stack)
        device = await room.guest(address(1))
        await device.sign_in(served.pins.dealer)
        while time.monotonic() < end:
            how = HOW[len(entries) % len(HOW)]
            own = how == "a known device at a guesser's address"
            guest = device if own else await room.guest(f"127.0.9.{1 + len(entries) % 200}")
            if how != "again":  # as if the program had just started and no PIN had been used yet
                served.access.remembered.forget()
            entries.append(await _entry(served, guest, how, done))
            if not own:
                await guest.session.close()
            await asyncio.sleep(EVERY_S)
    return entries


async def _entry(served: Served, guest: Guest, how: str, done: list[int]) -> Entry:
    """Sign in as the dealer, open the page and type an act."""
    before, began, answer, trouble = done[0], time.monotonic(), None, ""
    ended = began
    try:
        await guest.sign_in(served.pins.dealer)
        ended = time.monotonic()
        page = await guest.live()
        await page.send_str(json.dumps({"do": "type", "line": f"limits 1 {2 + before % 1000}"}))
        asked = time.monotonic()
        await asyncio.to_thread(served.desk.ask, lambda felt: None)
        answer = Span(asked, time.monotonic())
        await page.close()
    except TROUBLE as error:
        trouble = f"{type(error).__name__}: {error}"
    return Entry(how, Span(began, ended), answer, done[0] - before, trouble)


def _counted(served: Served) -> list[int]:
    """Counts the slow hashes."""
    done, real = [0], served.access.login

    def login(pin: str, client: str, agent: str = "", device: str = "") -> tuple[str, Role]:
        done[0] += 1
        return real(pin, client, agent, device)

    served.access.login = login  # type: ignore[method-assign]
    return done


class Beside:
    """Work in a process of its own; its output is read at once, lest its pipe fill up."""

    def __init__(self, work: Callable[..., None], *arguments: object) -> None:
        self.told: list[Any] = []
        self._heard, telling = Pipe(duplex=False)
        context = get_context("spawn")
        self._process = context.Process(target=work, args=(*arguments, telling), daemon=True)
        self._process.start()
        telling.close()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(EOFError):
            while True:
                self.told.append(self._heard.recv())

    def end(self) -> list[Any]:
        """End the process and return everything it has sent."""
        self._process.terminate()
        self._process.join()
        return self.told


def _told(entries: Sequence[Entry], held: Sequence[Span]) -> None:
    for one in entries:
        if one.trouble:
            print(f"  not in ({one.how}): {one.trouble}")
    for how in HOW:
        took = sorted(one.sign_in.took(held) for one in entries if one.how == how)
        if took:
            hashes = max(one.hashes for one in entries if one.how == how)
            print(
                f"  {how}: {len(took)} sign-ins, median {took[len(took) // 2]:.2f} s, longest "
                f"{took[-1]:.2f} s, at most {hashes} PINs checked meanwhile"
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack, and print how long the dealer waited."""
    parser = argparse.ArgumentParser("python -m tests.attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as folder, Served(Path(folder), settings_for("ziginette")) as served:
        seconds = options.seconds + 5
        attacker = Beside(attack, served.url, served.pins.viewer, seconds)
        resting = Beside(rest, seconds)
        time.sleep(5.0)
        entries = asyncio.run(_dealer(served, options.seconds))
        held = [Span(*one) for one in resting.end()]
        done: dict[str, int] = (attacker.end() or [{}])[-1]
    bad = [one for one in entries if one.trouble or one.sign_in.took(held) > SIGNS_IN_S]
    longest = max((one.answer.took(held) for one in entries if one.answer), default=math.inf)
    print(
        f"{len(entries)} sign-ins under attack from {ADDRESSES} addresses; "
        f"failed or later than {SIGNS_IN_S} s: {len(bad)}"
    )
    _told(entries, held)
    print(f"the loop answered after {longest:.2f} s at most")
    most = max((one.ended - one.began for one in held), default=0.0)
    print(f"the machine held up the idle process {len(held)} times, at most {most:.2f} s")
    print("meanwhile: " + ", ".join(f"{count} {what}" for what, count in done.items()))
    return int(bool(bad) or longest > ANSWERS_S or not done)


if __name__ == "__main__":
    sys.exit(main())
