"""The console's server: who may come in, what is told, and what a person can do from a page."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from firmware.console import live
from firmware.console.access import Access
from firmware.console.site import Site
from firmware.console.throttle import FIRST_WAIT_S, FREE, Throttle, TooManyAttemptsError
from firmware.errors import ConsoleError
from tests.console_desk import PATIENCE_S, Served, settings_for

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


class Guest:
    """One device's browser, as far as the server can tell."""

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

    async def live(self, **headers: str) -> aiohttp.ClientWebSocketResponse:
        headers.setdefault("Origin", self.origin)
        return await self.session.ws_connect(self.served.url + "api/live", headers=headers)


class Room:
    """Several devices beside one console."""

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


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, settings_for("ziginette")) as one:
        yield one


@pytest.fixture
def dealt(served: Served) -> Served:
    served.desk.lay("board", "QS", "5D")
    served.desk.lay("banker", "7C")
    return served


async def picture(
    page: aiohttp.ClientWebSocketResponse, wanted: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """The first picture that is as wanted."""
    while True:
        message: dict[str, Any] = json.loads(await page.receive_str(timeout=PATIENCE_S))
        if message["kind"] == "picture" and wanted(message):
            return message


async def heard(page: aiohttp.ClientWebSocketResponse, **message: Any) -> dict[str, Any]:
    """What is answered to a message."""
    await page.send_str(json.dumps(message))
    while True:
        answer: dict[str, Any] = json.loads(await page.receive_str(timeout=PATIENCE_S))
        if answer["kind"] == "heard":
            return answer


async def until(wanted: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < end, "it did not come"
        await asyncio.sleep(0.01)


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


# Putting right, and the hands before.


def test_a_card_is_corrected_and_says_so_afterwards(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        page = await dealer.live()
        _, card = await dealer.get("api/card?spot=board&place=1")
        assert card["label"] == "Five of diamonds"
        assert card["change"] == {"hand": 1, "number": 2, "was": "deal board 5D"}
        (five,) = card["cards"]
        kin = next(one for one in five["candidates"] if one["card"] == "5C")
        assert kin["line"] == "deal board 5C"
        assert "QS" not in [one["card"] for one in five["candidates"][:6]]
        await heard(page, do="correct", **card["change"], line=kin["line"])
        await picture(page, lambda one: "five of clubs" in str(one["acts"]).lower())
        assert await asyncio.to_thread(room.desk.acts) == [
            "deal board QS", "deal board 5C", "deal banker 7C"
        ]  # fmt: skip
        _, why = await dealer.get("api/why/1/2")
        assert why["was"] == "Five of diamonds to the board"

    told(dealt, script)


def test_a_correction_can_itself_be_corrected(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        page = await dealer.live()
        for wrong, right in (("5D", "5C"), ("5C", "5D")):
            line = f"deal board {right}"
            await heard(page, do="correct", hand=1, number=2, was=f"deal board {wrong}", line=line)
            await until(lambda line=line: room.desk.snapshot().acts[1] == line)  # type: ignore[misc]
        # What the camera sees is again what stands, however long it looks.
        await asyncio.to_thread(room.desk.ask, lambda felt: felt.look(5.0))
        assert len(await asyncio.to_thread(room.desk.acts)) == 3
        assert room.desk.snapshot().warnings == ()

    told(dealt, script)


def test_a_correction_of_what_has_changed_is_not_taken(dealt: Served) -> None:
    async def script(room: Room) -> None:
        page = await (await room.dealer()).live()
        await heard(page, do="correct", hand=1, number=2, was="deal board 6D", line="deal board 4D")
        seen = await picture(page, lambda one: "Not taken" in one["sentence"])
        assert "deal board 6D" in seen["sentence"]
        assert "deal board 5D" in await asyncio.to_thread(room.desk.acts)

    told(dealt, script)


def test_the_camera_s_candidates_come_first(dealt: Served) -> None:
    # A queen would match the board, a king would not: the answer changes what the game does.
    dealt.desk.ask(lambda felt: felt.lay("board", "QD/KD", seconds=3.0))

    async def script(room: Room) -> None:
        dealer = await room.dealer()
        page = await dealer.live()
        asked = await picture(page, lambda one: bool(one["options"]))
        king = next(option for option in asked["options"] if "king" in option)
        await heard(page, do="choose", option=king)
        await picture(page, lambda one: one["count"] > 3 and not one["options"])
        assert (await asyncio.to_thread(room.desk.acts))[-1] == "deal board KD"
        _, card = await dealer.get("api/card?spot=board&place=2")
        (king,) = card["cards"]
        assert (king["card"], king["candidates"][0]["card"]) == ("KD", "QD")

    told(dealt, script)


def test_each_card_of_an_act_can_be_put_right(dealt: Served) -> None:
    dealt.desk.type("close; deal board QD; take board QS QD")

    async def script(room: Room) -> None:
        dealer = await room.dealer()
        page = await dealer.live()
        await until(lambda: room.desk.snapshot().count == 6)
        _, taken = await dealer.get("api/acts/6")
        assert [one["card"] for one in taken["cards"]] == ["QS", "QD"]
        other = next(o for o in taken["cards"][1]["candidates"] if o["card"] == "QC")
        assert other["line"] == "take board QS QC"
        _, spoken = await dealer.get("api/acts/4")
        assert spoken["cards"] == []
        assert (await dealer.get("api/acts/99"))[0] == 404
        await heard(page, do="press", button="fix", held=True)
        await until(lambda: room.desk.snapshot().count == 3)

    told(dealt, script)


def test_a_missed_card_is_added_as_if_it_had_been_seen(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, missing = await dealer.get("api/missing?spot=board")
        assert len(missing["cards"]) == 40
        status, added = await dealer.post("add", {"spot": "board", "card": "KS"})
        assert (status, added["line"]) == (200, "close; deal board KS")
        await until(lambda: room.desk.snapshot().count == 5)
        # One step: undone at once, with the close that it implied.
        page = await dealer.live()
        await heard(page, do="press", button="fix", held=True)
        await picture(page, lambda one: one["count"] == 3)

    told(dealt, script)


def test_a_violation_tells_its_rule_its_acts_and_its_pictures(dealt: Served) -> None:
    dealt.desk.type("2 bet 5 QS")
    dealt.desk.lay("board", "QD")
    dealt.desk.ask(lambda felt: felt.take("board", "5D", seconds=3.0))

    async def script(room: Room) -> None:
        viewer = await room.viewer()
        page = await viewer.live()
        seen = await picture(page, lambda one: bool(one["warnings"]))
        found = seen["warnings"][0]["found"]
        _, why = await viewer.get(f"api/why/1/{found}")
        (violation,) = why["violations"]
        assert violation["rule"] == "ziginette.remove"
        assert violation["text"] == seen["warnings"][0]["text"]
        assert "match" in violation["says"]
        assert why["waited"]
        _, match = await viewer.get(f"api/why/1/{found - 1}")
        (shown,) = match["pictures"]
        assert shown["label"] == "Queen of diamonds"
        async with viewer.session.get(f"{dealt.url}api/crops/{shown['crop']}") as response:
            assert response.content_type == "image/jpeg"
            assert (await response.read())[:2] == b"\xff\xd8"

    told(dealt, script)


def played(served: Served) -> None:
    """A whole hand: the queen is matched, then the banker's seven."""
    desk = served.desk
    for line in ("2 bet 5 QS", "3 bet 10 5D"):
        desk.type(line)
    desk.lay("board", "QD")
    desk.take("board", "QS", "QD")
    desk.lay("board", "7H")
    desk.ask(lambda felt: felt.sweep())


def test_a_hand_can_be_run_back_and_kept(dealt: Served) -> None:
    played(dealt)

    async def script(room: Room) -> None:
        viewer = await room.viewer()
        _, hands = await viewer.get("api/hands")
        assert [(one["hand"], one["over"]) for one in hands] == [(1, True)]
        # The queen is matched: seat 2 loses 5. The banker's seven is matched: 10 to seat 3.
        assert hands[0]["net"] == [[1, -5], [2, -5], [3, 10]]
        _, hand = await viewer.get("api/hands/1")
        lines = [step["line"] for step in hand["steps"][1:]]
        assert lines[:3] == ["deal board QS", "deal board 5D", "deal banker 7C"]
        table = {spot["name"]: len(spot["cards"]) for spot in hand["steps"][2]["spots"]}
        assert table["board"] == 2
        assert len(hand["settled"]) == 2
        status, record = await viewer.get("api/record?hand=1")
        assert status == 200
        from rules.records import parse_record  # noqa: PLC0415

        assert parse_record(record).match.settlements[0].net == {1: -5, 2: -5, 3: 10}

    told(dealt, script)


def test_what_lies_face_down_is_told_nowhere(tmp_path: Path) -> None:
    with Served(tmp_path, settings_for("seven-and-a-half")) as served:
        for line in ("2 bet 5", "3 bet 5", "close", "deal 2 (KD)", "deal 3 (4C)", "deal 1 (6H)"):
            served.desk.type(line)
        assert len(served.desk.acts()) >= 5

        async def script(room: Room) -> None:
            dealer = await room.dealer()
            page = await dealer.live()
            texts = [json.dumps(await picture(page, lambda one: one["count"] >= 5))]
            for path in (
                "hands", "hands/1", "record", "health", "sign", "card?spot=2&place=0",
                *(f"why/1/{number}" for number in range(1, 8)),
            ):  # fmt: skip
                status, answer = await dealer.get(f"api/{path}")
                assert status in (200, 404), path
                texts.append(json.dumps(answer))
            everything = " ".join(texts)
            assert "??" in everything
            for secret in ("KD", "4C", "6H", "King of diamonds", "four of clubs", "six of hearts"):
                assert secret not in everything, secret

        told(served, script)


# Set-up.


def test_a_table_is_set_up_anew_and_faults_are_all_told(served: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, form = await dealer.get("api/setup")
        assert form["now"]["table"]["game"] == "ziginette"
        now = form["now"]
        bad = {**now, "table": {**now["table"], "limits": [5, 1], "seats": [1, 1]}}
        status, answer = await dealer.post("setup", bad)
        assert status == 400
        assert "table.limits" in answer["says"]
        assert "table.seats" in answer["says"]
        good = {
            "language": "it",
            "table": {"game": "seven-and-a-half", "seats": [1, 2, 3, 4], "limits": [2, 8]},
            "house_rules": {"ties": "banker"},
        }
        assert (await dealer.post("setup", good))[0] == 200
        (wanted,) = served.wanted
        assert (wanted.game, wanted.language, wanted.limits) == ("seven-and-a-half", "it", (2, 8))
        _, sign = await dealer.get("api/sign")
        rules = {rule["says"]: rule["value"] for rule in sign["rules"]}
        assert rules["A parità si riprende la posta, o vince il banco."] == "banco"
        assert sign["limits"] == [2, 8]
        _, again = await dealer.get("api/setup")
        assert again["now"]["house_rules"] == {"ties": "banker"}

    told(served, script)


def test_a_hand_in_play_is_broken_off_only_if_that_is_said(dealt: Served) -> None:
    async def script(room: Room) -> None:
        dealer = await room.dealer()
        _, form = await dealer.get("api/setup")
        assert (await dealer.post("setup", form["now"]))[0] == 409
        assert dealt.wanted == []
        assert (await dealer.post("setup", {**form["now"], "break_off": True}))[0] == 200
        page = await dealer.live()
        await picture(page, lambda one: one["count"] == 0)

    told(dealt, script)


def test_health_tells_of_loop_journal_and_board(dealt: Served) -> None:
    async def script(room: Room) -> None:
        viewer = await room.viewer()
        await until(lambda: dealt.console.site.still_s < 1.0)
        _, health = await viewer.get("api/health")
        found = {check["name"]: check for check in health["checks"]}
        assert found["Loop"]["verdict"] == "ok"
        assert found["Journal"]["detail"] == "4 entries, whole"
        assert {"Disk", "Memory", "Temperature"} <= set(found)
        assert re.fullmatch("[0-9a-f]{64}", health["head"])

    told(dealt, script)
