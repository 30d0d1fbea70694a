"""Whatever comes over the network: no traceback, no unauthorised write, no stall of the loop.

The examples are the same every time; ``MAZZIERE_FUZZ=5000`` makes as many new ones instead.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import TestClient, TestServer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.console.access import Access
from firmware.console.pins import Role
from firmware.console.routes import application
from firmware.console.site import Site, Table
from firmware.settings.settings import Settings
from rules.acts import Verb
from tests.console_desk import PATIENCE_S, FeltDesk, settings_for

LONG = os.environ.get("MAZZIERE_FUZZ")
EXAMPLES = int(LONG or 60)
CALM = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=LONG is None,
    suppress_health_check=list(HealthCheck),
)
WIRE = settings(CALM, max_examples=max(1, EXAMPLES * 2 // 5))
TABLE = settings_for("ziginette")

# Nearly valid: fuzz that is rejected at the first word reaches nothing after it.
WORDS = st.sampled_from(
    ["press", "type", "choose", "correct", "ok", "fix", "hold", "board", "banker", "2", "deal",
     "2 bet 5 QS", "deal board KS", "deal board KS; close", "close", "misdeal", "rule 1 stand",
     "rule 1 correct deal board 2C", "limits 1 9", "join 7", "leave 2", "clear", "take board QS",
     "deal board QS", "999999999 bet 999999999", "ziginette", "seven-and-a-half", "it", "xx",
     "KS", "??", "JOKER", "9D", "00000", "-1", ";", "; ;", "٣ bet ٣", "2 bet 5\n3 bet 5", "\x00",
     "../../etc/passwd", "<script>", "'; drop table entries; --", "\ud800", "x" * 500]
)  # fmt: skip
NUMBERS = st.one_of(st.integers(-3, 9), st.integers(), st.floats(), st.just(10**400))
LEAVES = st.one_of(st.none(), st.booleans(), NUMBERS, WORDS, st.text(max_size=20))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(WORDS, inner, max_size=4)),
    max_leaves=12,
)
NAMES = st.sampled_from(
    ["do", "button", "held", "line", "option", "hand", "number", "was", "spot", "card", "pin",
     "name", "language", "table", "stacks", "house_rules", "break_off"]
)  # fmt: skip
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=6)
PARTS = st.one_of(
    st.sampled_from([str(verb) for verb in Verb]),
    st.sampled_from(["1", "2", "3", "7", "board", "banker", "2.front", "QS", "5D", "KS", "(KD)"]),
    st.integers(0, 10**10).map(str),
)
LINES = st.lists(PARTS, min_size=1, max_size=6).map(" ".join) | WORDS
MEANT = st.one_of(
    st.fixed_dictionaries(
        {"do": st.just("press"), "button": st.sampled_from(["ok", "fix", "hold"])},
        optional={"held": st.booleans()},
    ),
    st.fixed_dictionaries({"do": st.just("type"), "line": LINES}),
    st.fixed_dictionaries({"do": st.just("choose"), "option": LINES}),
    st.fixed_dictionaries(
        {
            "do": st.just("correct"),
            "hand": st.integers(0, 3),
            "number": st.integers(0, 12),
            "was": st.sampled_from(["deal board QS", "deal board 5D"]) | LINES,
            "line": LINES,
        }
    ),
)
DEEDS = st.builds(lambda meant, odd: {**meant, **odd}, MEANT, st.just({}) | OBJECTS)
MESSAGES = st.one_of(
    MEANT.map(json.dumps), MEANT.map(json.dumps), DEEDS.map(json.dumps), OBJECTS.map(json.dumps),
    VALUES.map(json.dumps), st.text(max_size=50), st.just("[" * 900), st.just('{"do":"press"'),
)  # fmt: skip
TABLES = st.dictionaries(
    st.sampled_from(["game", "seats", "dealer", "banker", "limits", "level", "around", "odd"]),
    VALUES,
    max_size=6,
)
SET_UPS = st.fixed_dictionaries(
    {},
    optional={
        "language": VALUES,
        "table": st.one_of(TABLES, VALUES),
        "stacks": VALUES,
        "house_rules": VALUES,
        "break_off": st.booleans(),
    },
)
PATHS = st.sampled_from(
    ["login", "logout", "add", "revoke", "pins", "setup", "live", "calibrate", "calibrate/place",
     "calibrate/look", "calibrate/light", "calibrate/deck", "calibrate/picture",
     "words", "me", "hands",
     "hands/1", "hands/999999999", "hands/x", "why/1/1", "why/1/0", "why/0/9", "acts/1",
     "record", "record?hand=1", "record?hand=x", "record?hand=٣", "card?spot=board&place=0",
     "card?spot=&place=", "card?spot=2.front&place=999", "missing?spot=board", "missing?spot=%00",
     "crops/" + "0" * 64, "crops/x", "acts/0", "health", "sign", "sessions", "%00", "..%2f..%2fetc"]
)  # fmt: skip


class Wire:
    """A site with sessions of both roles, without its watch: the test looks instead."""

    def __init__(self, folder: Path) -> None:
        self.desk = FeltDesk(TABLE, folder / "fuzz.journal")
        self.wanted: list[Settings] = []
        self.access = Access()
        pins = self.access.renew()
        self.tokens = {
            Role.DEALER: self.access.login(pins.dealer, "a")[0],
            Role.VIEWER: self.access.login(pins.viewer, "b")[0],
        }
        table = Table(self.desk, TABLE, self.desk.journal, self.wanted.append)
        self.site = Site(self.access, table)
        self.site.urls = ("http://127.0.0.1/",)

    def moved(self) -> None:
        """Run the loop once, and check that what it reports can be drawn."""
        before = self.desk.snapshot().time
        self.desk.ask(lambda felt: felt.look())
        assert self.desk.snapshot().time > before
        json.dumps(self.site.artist.picture(self.desk.snapshot()))

    def run(self, script: Any) -> None:
        async def play() -> None:
            async with TestClient(TestServer(application(self.site))) as client:
                await script(client)

        asyncio.run(play())


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    one = Wire(tmp_path)
    one.desk.lay("board", "QS", "5D")
    yield one
    one.desk.stop()


@pytest.fixture(autouse=True)
def _no_tracebacks(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.ERROR):
        yield
    assert [record.getMessage() for record in caplog.records] == []


def test_a_viewer_s_messages_do_nothing(wire: Wire) -> None:
    session = wire.access.session(wire.tokens[Role.VIEWER])
    assert session is not None

    @CALM
    @given(MESSAGES)
    def tried(text: str) -> None:
        assert json.loads(wire.site.heard(session, text))["refused"] in ("viewer", "message")

    tried()
    assert wire.desk.done == []


def test_a_dealer_s_messages_never_break_the_loop(wire: Wire) -> None:
    session = wire.access.session(wire.tokens[Role.DEALER])
    assert session is not None

    @CALM
    @given(st.lists(MESSAGES, min_size=1, max_size=5))
    def tried(texts: list[str]) -> None:
        for text in texts:
            assert json.loads(wire.site.heard(session, text))["refused"] in (None, "message")
        wire.moved()

    tried()
    assert len(wire.desk.done) > 50


def _headers(role: Role | None, origin: str, wire: Wire) -> dict[str, str]:
    cookie = {"Cookie": f"{Site.cookie}={wire.tokens[role]}"} if role else {}
    return cookie | ({"Origin": origin} if origin else {})


ASKED = st.tuples(
    st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"]),
    PATHS,
    st.one_of(OBJECTS, SET_UPS, VALUES).map(json.dumps).map(str.encode)
    | st.binary(max_size=40),
    st.sampled_from(["application/json", "application/json; charset=nonsense", "text/plain"]),
)  # fmt: skip


@pytest.mark.parametrize(
    ("role", "own_page"), [(None, True), (Role.VIEWER, True), (Role.DEALER, False)]
)
def test_no_unauthorised_request_writes(wire: Wire, role: Role | None, own_page: bool) -> None:
    tokens = dict(wire.tokens)

    async def ask(client: TestClient[Any, Any], asked: list[tuple[str, str, bytes, str]]) -> None:
        origin = f"http://127.0.0.1:{client.port}" if own_page else "http://evil.example"
        for method, path, body, kind in asked:
            headers = {**_headers(role, origin, wire), "Content-Type": kind}
            url = f"/api/{path}"
            async with client.request(method, url, data=body, headers=headers) as answer:
                assert answer.status < 500, (method, path, body, await answer.text())

    @WIRE
    @given(st.lists(ASKED, min_size=4, max_size=8))
    def tried(asked: list[tuple[str, str, bytes, str]]) -> None:
        if role is Role.VIEWER:  # which may sign out, and would be a stranger from then on
            asked = [one for one in asked if one[1] != "logout"]
        wire.run(lambda client: ask(client, asked))

    # One site is served again and again: its threads must last.
    wire.site.close = _stay  # type: ignore[method-assign]
    tried()
    wire.moved()
    assert (wire.desk.done, wire.wanted) == ([], [])
    assert all(wire.access.session(token) is not None for token in tokens.values())


async def _stay(_: Any = None) -> None:
    """Leave the site as it is."""


def test_a_dealer_s_requests_are_answered_whatever_they_say(wire: Wire) -> None:
    wire.site.close = _stay  # type: ignore[method-assign]
    paths = ["setup", "add", "revoke"]

    async def ask(client: TestClient[Any, Any], sent: list[tuple[str, Any]]) -> None:
        headers = _headers(Role.DEALER, f"http://127.0.0.1:{client.port}", wire)
        for path, value in sent:
            async with client.post(f"/api/{path}", json=value, headers=headers) as answer:
                assert answer.status in (200, 400, 409), await answer.text()

    @WIRE
    @given(st.lists(st.tuples(st.sampled_from(paths), SET_UPS | OBJECTS), min_size=3, max_size=6))
    def tried(sent: list[tuple[str, Any]]) -> None:
        wire.run(lambda client: ask(client, sent))
        wire.moved()

    tried()
    assert all(settings.game for settings in wire.wanted)


def test_sockets_of_nonsense_are_closed_and_nobody_else_s(wire: Wire) -> None:
    async def script(client: TestClient[Any, Any]) -> None:
        origin = f"http://127.0.0.1:{client.port}"
        headers = _headers(Role.DEALER, origin, wire)
        good = await client.ws_connect("/api/live", headers=headers)
        for nonsense in (b"\xff\xfe", b"x" * 5000, b""):
            page = await client.ws_connect("/api/live", headers=headers)
            await page.send_bytes(nonsense)
            closed = await page.receive(timeout=PATIENCE_S)
            assert closed.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
        wire.site.look()
        assert json.loads(await good.receive_str(timeout=PATIENCE_S))["kind"] == "floor"

    wire.run(script)
