"""The console's server: who may come in, for how long, and what nobody gets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import aiohttp
import pytest

from firmware.console import access as entry
from firmware.console import hub as live
from firmware.console.access import GUESTS_EACH, LASTS_S, SESSIONS_MOST, Access
from firmware.console.queue import Queue
from firmware.console.site import Site
from firmware.console.throttle import FIRST_WAIT_S, FREE
from firmware.errors import ConsoleError
from hardware.rig import ManualClock
from tests.console_desk import Served, settings_for
from tests.console_guests import Guest, Room, heard, picture, told, until

T = TypeVar("T")
BEFORE_ANEW = 2
"""PINs tried before that of an address that never failed: the one in work, and one more."""
WRITES = (
    *("add", "revoke", "pins", "setup", "secret", "secret/try", "calibrate"),
    *(f"calibrate/{what}" for what in ("look", "place", "light", "deck")),
)
READS = (
    "me",
    "hands",
    "hands/1",
    "why/1/1",
    "acts/1",
    "record",
    "sign",
    "health",
    "card",
    "missing",
)


# Who may come in.


def test_without_a_pin_there_is_only_the_page(dealt: Served) -> None:
    async def script(room: Room) -> None:
        guest = await room.guest()
        status, page = await guest.get("")
        assert status == 200
        assert "<main" in page
        assert (await guest.get("api/words"))[1]["page"]["ok"] == "OK"
        for path in READS:
            assert (await guest.get(f"api/{path}"))[0] == 401, path
        for path in WRITES:
            assert (await guest.post(path))[0] == 401, path
        with pytest.raises(aiohttp.WSServerHandshakeError, match="401"):
            await guest.live()

    told(dealt, script)


def test_nothing_of_the_table_is_in_what_everybody_gets(dealt: Served) -> None:
    async def script(room: Room) -> None:
        guest = await room.guest()
        _, page = await guest.get("")
        paths = ["api/words", *re.findall(r'"/(page/[a-z.]+)"', page)]
        assert len(paths) > 4
        for path in paths:
            status, text = await guest.get(path)
            assert status == 200, path
            assert "ziginette" not in str(text).lower(), path

    told(dealt, script)


def test_a_session_is_a_cookie_that_no_script_can_read(served: Served) -> None:
    async def script(room: Room) -> None:
        guest = await room.guest()
        headers = {"Origin": guest.origin}
        body = {"pin": served.pins.dealer}
        url = served.url + "api/login"
        async with guest.session.post(url, json=body, headers=headers) as response:
            cookie = response.headers["Set-Cookie"]
        assert cookie.startswith(f"{Site.cookie}=")
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))

    told(served, script)


def wrong_pin(served: Served) -> str:
    return next(pin for pin in ("0000000000", "0000000001") if pin != served.pins.dealer)


def test_a_guesser_is_told_to_wait_and_a_right_pin_still_opens(
    served: Served,
) -> None:
    async def script(room: Room) -> None:
        guesser = await room.guest("127.0.0.9")
        for _ in range(FREE - 1):
            assert (await guesser.post("login", {"pin": wrong_pin(served)}))[0] == 403
        for expected in (FIRST_WAIT_S, 2 * FIRST_WAIT_S):
            status, answer = await guesser.post("login", {"pin": wrong_pin(served)})
            assert (status, int(answer["says"])) == (429, expected)
        await guesser.sign_in(served.pins.dealer)

    told(served, script)


def test_wrong_pins_from_everywhere_keep_no_right_pin_out(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dealer who was never here is next; one at a guesser's own address waits for some rounds."""
    crowd, tried = 24, list[str]()
    asked: dict[str, int] = {}
    do = Queue.do

    async def noted(queue: Queue, work: Callable[[], T], client: str, right: int = 0) -> T:
        def trying() -> T:
            tried.append(client)
            return work()

        asked[client] = len(tried)
        return await do(queue, trying, client, right)

    async def script(room: Room) -> None:
        guessers = [await room.guest(f"127.0.1.{number}") for number in range(1, crowd + 1)]
        over = asyncio.Event()

        async def guess(one: Guest) -> None:
            with suppress(aiohttp.ClientError):
                while not over.is_set():  # a cancelled wait for an answer may end as if it had come
                    await one.post("login", {"pin": wrong_pin(served)})

        flood = [asyncio.create_task(guess(one)) for one in guessers]
        await until(lambda: len(tried) > 2 * crowd)
        for address in ("127.0.0.7", "127.0.0.8"):
            await (await room.guest(address)).sign_in(served.pins.dealer)
            assert tried.index(address) - asked[address] <= BEFORE_ANEW, address
        among = await room.guest("127.0.1.3")
        before = len(tried)
        await among.sign_in(served.pins.dealer)
        assert len(tried) - before <= 6 * crowd
        over.set()
        await asyncio.gather(*flood, return_exceptions=True)

    monkeypatch.setattr(Queue, "do", noted)
    told(served, script)


def test_guests_sign_in_as_often_as_they_like_and_the_dealer_stays(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        page = await dealer.live()
        await picture(page, lambda _: True)
        for number in range(70):
            guest = await room.guest(f"127.0.2.{1 + number % 9}")
            await guest.sign_in(served.pins.viewer)
        assert (await dealer.get("api/me"))[0] == 200
        await asyncio.to_thread(room.desk.lay, "board", "QS")
        await picture(page, lambda one: one["count"] == 1)

    told(served, script)


def test_guests_pages_leave_room_for_the_dealer(served: Served) -> None:
    async def script(room: Room) -> None:
        opened = []
        for number in range(live.PAGES_MOST // 2 + 2):
            guest = await room.guest(f"127.0.3.{1 + 2 * number // live.PAGES_EACH}")
            await guest.sign_in(served.pins.viewer)
            for _ in range(2):
                with suppress(aiohttp.WSServerHandshakeError):
                    opened.append(await guest.live())
        assert len(opened) == live.PAGES_MOST
        for _ in range(live.DEALERS_MOST + 2):
            page = await (await room.dealer()).live()
            await picture(page, lambda _: True)

    told(served, script)


def test_a_page_that_is_open_stays_while_others_come_and_go(served: Served) -> None:
    async def script(room: Room) -> None:
        wall = await room.guest()
        await wall.sign_in(served.pins.viewer)
        page = await wall.live()
        await picture(page, lambda _: True)
        for number in range(SESSIONS_MOST["viewer"]):
            passing = f"127.0.4.{1 + number // GUESTS_EACH}"
            await asyncio.to_thread(served.access.login, served.pins.viewer, passing)
        assert (await wall.get("api/me"))[0] == 200
        await asyncio.to_thread(room.desk.lay, "board", "QS")
        await picture(page, lambda one: one["count"] == 1)
        await page.close()
        await until(lambda: not served.access.watching)
        await asyncio.to_thread(served.access.login, served.pins.viewer, "127.0.4.9")
        assert (await wall.get("api/me"))[0] == 401

    told(served, script)


def test_a_damaged_access_file_costs_new_pins_and_no_table(tmp_path: Path) -> None:
    for number, text in enumerate(("", "{", "[]", '{"keys": 1, "sessions": []}', "[" * 9000)):
        path = tmp_path / f"access{number}"
        path.write_text(text)
        access = Access(path)
        assert "new PINs are made" in access.fault
        assert not access.ready
        access.login(access.renew().dealer, "127.0.0.1")
        assert (tmp_path / f"access{number}.damaged-1").read_text() == text


def test_a_full_disk_makes_no_right_pin_wrong(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    served.access.path = Path("/nowhere/access")
    monkeypatch.setattr(entry, "write_whole", full)

    async def script(room: Room) -> None:
        dealer = await room.dealer()
        assert (await dealer.get("api/me"))[0] == 200
        assert (await dealer.post("pins"))[0] == 503
        await (await room.guest("127.0.0.5")).sign_in(served.pins.dealer)  # the old ones still work

    told(served, script)


def test_setting_the_clock_ends_no_session() -> None:
    clock, today = ManualClock(), ManualClock(1_800_000_000.0)
    access = Access(now=today, clock=clock)
    token, _ = access.login(access.renew().dealer, "127.0.0.1")
    for step in (8 * 86400.0, -400 * 86400.0, 90 * 86400.0):
        today.now += step
        assert access.session(token)
        assert len(access.sessions) == 1
    today.now += LASTS_S
    clock.now += LASTS_S
    assert access.session(token) is None


def test_viewers_look_and_write_nothing(dealt: Served) -> None:
    async def script(room: Room) -> None:
        viewer = await room.viewer()
        assert (await viewer.get("api/me"))[1] == {
            "role": "viewer",
            "place": "table",
            "seat": 0,
            "name": "",
        }
        for path in WRITES:
            assert (await viewer.post(path, {"spot": "board", "card": "KS"}))[0] == 403, path
        for path in ("setup", "sessions", "secret"):
            assert (await viewer.get(f"api/{path}"))[0] == 403, path
        page = await viewer.live()
        await picture(page, lambda _: True)
        for message in (
            {"do": "press", "button": "fix", "held": True},
            {"do": "type", "line": "2 bet 5 QS"},
            {"do": "choose", "option": "x"},
            {"do": "correct", "hand": 1, "number": 1, "was": "deal board QS", "line": "end"},
        ):
            assert (await heard(page, **message))["refused"] == "viewer"
        assert room.desk.done == []

    told(dealt, script)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1:1"])
def test_other_pages_cannot_write_with_our_cookie(dealt: Served, origin: str) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        for path in (*WRITES, "login", "logout"):
            assert (await dealer.post(path, Origin=origin))[0] == 403, path
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await dealer.live(Origin=origin)
        assert (await dealer.get("api/me"))[0] == 200

    told(dealt, script)


def test_a_request_for_another_host_name_is_not_answered(served: Served) -> None:
    async def script(room: Room) -> None:
        guest = await room.guest()
        assert (await guest.get("", Host="table.evil.example"))[0] == 421
        assert (await guest.get("", Host="mazziere.local"))[0] == 200

    told(served, script)


def test_every_answer_forbids_scripts_from_elsewhere(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        for path in ("", "page/main.js", "api/me", "api/nowhere", "nowhere"):
            async with dealer.session.get(dealt.url + path) as response:
                policy = response.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy, path
                assert "unsafe" not in policy
                assert response.headers["X-Content-Type-Options"] == "nosniff"

    told(dealt, script)


def test_sessions_outlast_the_server_and_tell_no_secrets(tmp_path: Path) -> None:
    access = Access(tmp_path / "access")
    with Served(tmp_path, settings_for("ziginette"), access=access) as served:

        async def script(room: Room) -> None:
            dealer = await room.dealer()
            cookies = [one.value for one in dealer.session.cookie_jar]
            stored = (tmp_path / "access").read_text()
            for secret in (*cookies, served.pins.dealer, served.pins.viewer):
                assert f'"{secret}' not in stored
            assert (tmp_path / "access").stat().st_mode & 0o077 == 0
            served.access = Access(tmp_path / "access")
            await asyncio.to_thread(served.restart)
            assert (await dealer.get("api/me"))[1] == {
                "role": "dealer",
                "place": "table",
                "seat": 0,
                "name": "",
            }

        told(served, script)


def test_a_session_can_be_ended_and_its_page_closes(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer, viewer = await room.dealer(), await room.viewer()
        page = await viewer.live()
        await picture(page, lambda _: True)
        _, sessions = await dealer.get("api/sessions")
        (other,) = [one for one in sessions if not one["own"]]
        assert (await dealer.post("revoke", {"name": other["name"]}))[1] == {"ended": True}
        async for _ in page:
            pass
        assert page.close_code == 4401
        assert (await viewer.get("api/me"))[0] == 401
        await dealer.post("logout")
        assert (await dealer.get("api/me"))[0] == 401

    told(served, script)


def test_new_pins_from_another_program_end_all_sessions(tmp_path: Path) -> None:
    access = Access(tmp_path / "access")
    with Served(tmp_path, settings_for("ziginette"), access=access) as served:

        async def script(room: Room) -> None:
            dealer = await room.dealer()
            page = await dealer.live()
            pins = Access(tmp_path / "access").renew()
            async for _ in page:
                pass
            assert (await dealer.get("api/me"))[0] == 401
            await dealer.sign_in(pins.dealer)

        told(served, script)


def test_a_port_that_is_taken_is_named(served: Served, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    second = Served(other, settings_for("ziginette"), port=served.console.port)
    try:
        with pytest.raises(ConsoleError, match=f"cannot listen at 127.0.0.1:{served.console.port}"):
            second.console.start()
    finally:
        second.desk.stop()
