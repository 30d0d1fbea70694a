"""The floor page in a real browser: ten simulated tables, connected by the test's own Mosquitto."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest

from firmware.commands.cli import main
from firmware.console.access import Access
from firmware.console.pins import Pins
from firmware.console.server import Server
from firmware.display.snapshot import Snapshot
from firmware.floor import site as module
from firmware.floor.publishing import Publisher
from firmware.floor.site import FloorSite, served
from firmware.rehearsal.desk import LiveDesk
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.settings.network import Listening
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from tests import browsing, mosquitto
from tests.browsing import PHONE, SCREEN, TABLET
from tests.browsing import Page as AnyPage
from tests.console_desk import FeltDesk, settings_for
from tests.draws import mostly_nightly
from tests.mosquitto import Listener, Mosquitto, until
from tests.rehearsing import TruthfulWatcher

pytestmark = [browsing.wanted, mosquitto.wanted]
pytest.importorskip("paho", reason="paho-mqtt is not installed")
GAMES = (
    "ziginette",
    "seven-and-a-half",
    "ace-deuce-jack",
    "guts",
    "pai-gow-poker",
    "rams",
    "belote",
    "soko",
    "tribello",
    "seven-and-a-half",
)
HANDS = 100
"""More than a test ever waits for."""


class Simulated:
    """A simulated table that plays by itself in real time, and reports to the broker."""

    def __init__(self, broker: Mosquitto, number: int, game: str, folder: Path) -> None:
        table = {"game": game}
        mqtt = broker.table(f"Table {number}")
        self.settings = Settings.from_mapping({"table": table, "mqtt": mqtt})
        self.journal = Journal(folder / f"{number}.journal")
        plan = Plan.of(self.settings, seed=number)
        self.rehearsal = Rehearsal(plan, watches=TruthfulWatcher, journal=self.journal)
        self.desk = LiveDesk(self.rehearsal, HANDS)
        self.publisher = Publisher(self.settings.broker)
        self.publisher.attach(self.desk, self.settings, Path(self.journal.path))
        self.desk.start()
        self.publisher.start()

    def snapshot(self) -> Snapshot:
        return self.desk.snapshot()

    def rest(self) -> None:
        """Stop the dealer in the middle of everything; the table stays as it is."""
        self.desk.stop()

    def close(self) -> None:
        self.desk.stop()
        self.publisher.stop()
        self.rehearsal.close()
        self.journal.close()


@dataclass
class Hall:
    """The floor as it is served."""

    site: FloorSite
    listening: Listening = field(default_factory=lambda: Listening("127.0.0.1", 0))
    stack: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        self.pins: Pins = self.site.access.renew()

    @property
    def url(self) -> str:
        return self.server.urls[0]

    def __enter__(self) -> Self:
        self.server: Server = self.stack.enter_context(served(self.site, self.listening))
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()


Page = AnyPage[Hall]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path) as one:
        yield one


@pytest.fixture
def page(chromium: Any, broker: Mosquitto, tmp_path: Path) -> Iterator[Page]:
    site = FloorSite(Access(tmp_path / "floor.access"), broker.broker(), "en")
    with (
        Hall(site) as hall,
        browsing.fresh_page(chromium, hall, SCREEN) as one,
    ):
        yield one


def cards(page: Page) -> dict[str, dict[str, str]]:
    """What the page shows of each table, in its order."""
    script = """return [...document.querySelectorAll(".floor-table")].map((one) => [
        one.querySelector("h2").innerText, {
        status: one.dataset.status,
        game: one.querySelector(".floor-game").innerText,
        waits: one.querySelector(".floor-waits")?.innerText ?? "",
        seats: [...one.querySelectorAll(".floor-seats span")].map((s) => s.innerText).join(" "),
        trouble: [...one.querySelectorAll(".floor-trouble")].map((p) => p.innerText).join(" "),
    }])"""
    return dict(page.driver.execute_script(script))


@pytest.mark.parametrize("count", mostly_nightly((3, 10), 3))
def test_simulated_tables_are_followed(
    count: int, page: Page, broker: Mosquitto, tmp_path: Path
) -> None:
    page.sign_in(page.served.pins.viewer, ".floor-view")
    page.says("No table has reported yet.")
    tables = [Simulated(broker, n, game, tmp_path) for n, game in enumerate(GAMES[:count], 1)]
    desk = FeltDesk(settings_for("ziginette"), tmp_path / "last.journal")
    ours = f"Table {count + 1}"
    last = Publisher(broker.broker(ours))
    last.attach(desk, desk.settings, desk.journal)
    last.start()
    try:
        page.until(lambda: len(cards(page)) == count + 1, "all tables")
        page.says(f"Tables: {count + 1}")
        # All of them go on: each reports several moments.
        seen: dict[str, set[str]] = {f"Table {n}": set() for n in range(1, count + 1)}

        def moved() -> bool:
            for name, card in cards(page).items():
                if name in seen:
                    seen[name].add(f"{card['game']} {card['waits']} {card['seats']}")
            return all(len(moments) >= 3 for moments in seen.values())

        page.until(moved, "every table moves")
        # All dealers stop: within a moment the page shows exactly how the tables are.
        for table in tables:
            table.rest()
        for number, table in enumerate(tables, 1):
            shot = table.snapshot()
            name = f"Table {number}"

            def same(name: str = name, shot: Snapshot = shot) -> bool:
                card = cards(page)[name]
                seats = " ".join(map(str, shot.awaited))
                hand = f"Hand {shot.hand}"
                return (card["waits"], card["seats"]) == (shot.waits, seats) and hand in card[
                    "game"
                ]

            page.until(same, f"{name} as it is")
        # A loop that has stopped is reported, and its table comes before those that play.
        page.until(lambda: all(cards(page)[n]["status"] == "still" for n in seen), "standing still")
        desk.lay("board", "QS", "5D", "QC", "5C")
        desk.ask(lambda felt: felt.sweep())
        page.until(lambda: cards(page)[ours]["status"] == "trouble", "a violation")
        (warning, *_) = desk.snapshot().warnings
        assert warning in cards(page)[ours]["trouble"]
    finally:
        for table in tables:
            table.close()
        last.stop()
        desk.stop()
    # All were switched off.
    page.until(lambda: {card["status"] for card in cards(page).values()} == {"closed"})


def test_trouble_comes_first_and_is_shown_by_more_than_colour(
    page: Page, broker: Mosquitto, tmp_path: Path
) -> None:
    tables = [Simulated(broker, n, game, tmp_path) for n, game in enumerate(GAMES[:9], 1)]
    desk = FeltDesk(settings_for("ziginette"), tmp_path / "ten.journal")
    ten = Publisher(broker.broker("Table 10"))
    ten.attach(desk, desk.settings, desk.journal)
    ten.start()
    try:
        page.sign_in(page.served.pins.dealer, ".floor-view")
        desk.lay("board", "QS", "5D", "QC", "5C")
        desk.ask(lambda felt: felt.sweep())
        page.until(lambda: len(cards(page)) == 10)
        page.until(lambda: next(iter(cards(page))) == "Table 10", "trouble first")
        # One vanishes without a word: its program has gone, and the broker reports it.
        lost = tables[3].publisher._line._client
        lost._sock_close()
        lost.loop_stop()
        page.until(lambda: list(cards(page))[1] == "Table 4", "then who is gone")
        assert cards(page)["Table 4"]["status"] == "gone"
        for status, sign in (("trouble", "!"), ("gone", "⚡"), ("playing", "▶")):
            for told in (sign, status):
                page.says(told, f".floor-table.{status} .floor-status")
        page.shot("floor-screen")
        page.size(TABLET)
        page.shot("floor-tablet")
        page.size(PHONE)
        wide = page.driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= PHONE[0]
        page.shot("floor-phone")
        # The dealer removes the lost one; it does not come back.
        page.touch('[data-table="Table_4"] button')
        page.until(lambda: "Table 4" not in cards(page), "struck off")
    finally:
        for table in tables:
            table.close()
        ten.stop()
        desk.stop()


def test_a_lost_broker_is_reported_and_found_again(page: Page, broker: Mosquitto) -> None:
    page.sign_in(page.served.pins.viewer, ".floor-view")
    page.says("No table has reported yet.")
    broker.stop()
    page.says(f"The connection to the broker at 127.0.0.1:{broker.port} is lost. Trying again.")
    broker.start()
    page.says("No table has reported yet.")


def test_without_a_pin_nothing_of_the_floor_is_shown(page: Page) -> None:
    for path in ("api/live", "api/me"):
        request = urllib.request.Request(
            page.served.url + path, headers={"Origin": page.served.url.rstrip("/")}
        )
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
        assert caught.value.code == 401
    page.sign_in(page.served.pins.viewer, ".floor-view")
    script = """fetch("/api/forget", {method: "POST", body: '{"table": "x"}',
        headers: {"Content-Type": "application/json"}}).then((one) => arguments[0](one.status))"""
    refused = page.driver.execute_async_script(script)
    assert refused == 403


def test_the_command_serves_the_floor_in_italian(
    broker: Mosquitto,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found: dict[str, Any] = {}

    def asked() -> None:
        said = capsys.readouterr().err
        found["said"] = said
        url = said.split("Console: ")[1].split()[0]
        with urllib.request.urlopen(f"{url}api/words") as answer:
            found["words"] = json.load(answer)

    monkeypatch.setattr(module, "_interrupted", asked)
    monkeypatch.chdir(tmp_path)
    where = ["--broker", f"127.0.0.1:{broker.port}", "--user", mosquitto.USER]
    where += ["--password-file", str(tmp_path / "password"), "--listen", "127.0.0.1:0"]
    assert main(["floor", *where, "--language", "it"]) == 0
    assert found["words"]["page"]["nav-floor"] == "Sala"
    assert "PIN " in found["said"]
    assert (tmp_path / "mazziere" / "floor-mazziere.access").exists()
    assert main(["floor", *where, "--language", "it"]) == 0  # the PINs are shown only once
    assert "PIN " not in found["said"]


def test_a_floor_without_a_broker_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["floor"]) == 2
    assert "name it with --broker" in capsys.readouterr().err


def test_a_table_s_records_reach_an_archive(broker: Mosquitto, tmp_path: Path) -> None:
    """A whole simulated hand, played fast, arrives as its record."""
    settings = Settings.from_mapping(
        {"table": {"game": "ziginette"}, "mqtt": broker.table("Table 1")}
    )
    journal = Journal(tmp_path / "archive.journal")
    rehearsal = Rehearsal(Plan.of(settings, seed=4), watches=TruthfulWatcher, journal=journal)
    publisher = Publisher(settings.broker)
    desk = LiveDesk(rehearsal, 2)
    newest = [rehearsal.screen()]
    desk.snapshot = lambda: newest[0]  # type: ignore[method-assign]
    publisher.attach(desk, settings, Path(journal.path))
    publisher.start()
    try:
        with Listener(broker.broker()) as heard:
            until(lambda: publisher._seen is not None)
            topic = "mazziere/Table_1/record"
            for count, _ in enumerate(rehearsal.play(2), 1):
                newest[0] = rehearsal.screen()
                until(lambda count=count: len(heard.all(topic)) == count)  # type: ignore[misc]
            told = [json.loads(one) for one in heard.all(topic)]
            followed = rehearsal.loop.match.hands
            assert len(told) == 2
            for one, hand in zip(told, followed[:2], strict=True):
                assert one["hand"] == hand.start.hand
                assert one["net"] == {str(k): v for k, v in hand.state.settlement.net.items()}
    finally:
        publisher.stop()
        rehearsal.close()
        journal.close()
