"""The console's server: who may come in, and what is told."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from firmware.console import hub as live
from firmware.console.access import Access
from firmware.console.site import Site
from firmware.console.throttle import FIRST_WAIT_S, FREE, Throttle, TooManyAttemptsError
from firmware.errors import ConsoleError
from tests.console_desk import PATIENCE_S, Served, settings_for
from tests.console_guests import Room, heard, picture, told, until

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


def test_a_session_is_a_cookie_that_no_script_reads(served: Served) -> None:
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


def test_wrong_pins_cost_time_but_only_whoever_guesses(served: Served) -> None:
    wrong = "000000" if "000000" not in (served.pins.dealer, served.pins.viewer) else "000001"

    async def script(room: Room) -> None:
        guesser = await room.guest("127.0.0.9")
        for _ in range(FREE):
            assert (await guesser.post("login", {"pin": wrong}))[0] == 403
        status, answer = await guesser.post("login", {"pin": served.pins.dealer})
        assert status == 429
        assert 0 < int(answer["says"]) <= FIRST_WAIT_S
        await (await room.guest("127.0.0.10")).sign_in(served.pins.viewer)

    told(served, script)


def test_waits_grow_and_changing_addresses_does_not_help() -> None:
    throttle, now, waits = Throttle(), 0.0, []
    for _ in range(FREE + 4):
        try:
            throttle.attempt("a", now)
        except TooManyAttemptsError as error:
            waits.append(error.wait_s)
            now += error.wait_s
            throttle.attempt("a", now)
    assert waits == sorted(waits)
    assert waits[-1] >= 4 * waits[0]
    tried = 0
    for client in range(300):
        try:
            throttle.attempt(f"10.0.0.{client}", now)
            tried += 1
        except TooManyAttemptsError:
            pass
    assert tried < 60


def test_viewers_look_and_write_nothing(dealt: Served) -> None:
    async def script(room: Room) -> None:
        viewer = await room.viewer()
        assert (await viewer.get("api/me"))[1] == {"role": "viewer", "place": "table"}
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


def test_a_name_that_is_not_ours_is_not_answered(served: Served) -> None:
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
            (cookie,) = list(dealer.session.cookie_jar)
            stored = (tmp_path / "access").read_text()
            for secret in (cookie.value, served.pins.dealer, served.pins.viewer):
                assert f'"{secret}' not in stored
            assert (tmp_path / "access").stat().st_mode & 0o077 == 0
            served.access = Access(tmp_path / "access")
            await asyncio.to_thread(served.restart)
            assert (await dealer.get("api/me"))[1] == {"role": "dealer", "place": "table"}

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


# What is told.


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


def test_places_lie_where_the_layout_has_them(dealt: Served) -> None:
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
        """A socket that asks for pictures and never takes one."""
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


def test_a_page_that_floods_is_let_go(dealt: Served) -> None:
    async def script(room: Room) -> None:
        page = await (await room.dealer()).live()
        with suppress(ConnectionError):  # the line may be cut between two words
            for _ in range(500):
                if page.closed:
                    break
                await page.send_str('{"do": "press", "button": "ok"}')
        async for _ in page:
            pass
        # What is still on its way when the server closes may cut its last word off.
        assert page.close_code in (1008, 1006)
        assert len(room.desk.done) < 60

    told(dealt, script)


def test_a_crowd_of_connections_takes_nobody_s_place(dealt: Served) -> None:
    async def script(room: Room) -> None:
        page = await (await room.viewer()).live()
        await picture(page, lambda _: True)
        opened = [
            await asyncio.open_connection("127.0.0.1", dealt.console.port) for _ in range(260)
        ]
        # The last that came are cut, which is read as an end or as an error.
        with suppress(ConnectionError):
            assert await asyncio.wait_for(opened[-1][0].read(1), PATIENCE_S) == b""
        await asyncio.to_thread(room.desk.lay, "board", "KS")
        await picture(page, lambda one: "king" in str(one["acts"]).lower())
        for _, writer in opened:
            writer.close()

    told(dealt, script)
