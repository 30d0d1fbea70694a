"""What a table sends to a broker: a real Mosquitto with a login, a scripted table, no reader."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.console.access import Access
from firmware.console_link import ConsoleLink
from firmware.floor.connection import LONGEST_WAIT_S
from firmware.floor.publishing import Publisher
from firmware.settings.broker import Broker
from firmware.settings.settings import Settings
from firmware.texts.words import Words
from hardware.selftest import Verdict
from rules.records import parse_record
from tests import mosquitto
from tests.console_desk import PATIENCE_S, FeltDesk, settings_for
from tests.mosquitto import Listener, Mosquitto, until

ROOT = Path(__file__).parent.parent
WORDS = Words.load("en")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    if mosquitto.MOSQUITTO is None or mosquitto.PASSWD is None:
        pytest.skip("no mosquitto on this machine")
    pytest.importorskip("paho", reason="paho-mqtt is not installed")
    with Mosquitto(tmp_path) as one:
        yield one


class Published:
    """A scripted table and its publisher."""

    def __init__(self, broker: Broker, folder: Path, **more: Any) -> None:
        self.settings = settings_for("ziginette")
        self.desk = FeltDesk(self.settings, folder / "told.journal")
        self.publisher = Publisher(broker, **more)
        self.publisher.attach(self.desk, self.settings, self.desk.journal)
        self.publisher.start()

    def hand(self) -> None:
        """Play one short hand: the queen finds its match, then the banker's card."""
        self.desk.lay("board", "QS", "5D")
        self.desk.lay("banker", "7C")
        self.desk.type("2 bet 5 QS")
        self.desk.type("3 bet 10 5D")
        self.desk.lay("board", "QD")
        self.desk.take("board", "QS", "QD")
        self.desk.lay("board", "7H")
        self.desk.ask(lambda felt: felt.sweep())

    def says(self) -> str:
        return self.publisher.check(WORDS).detail

    def stop(self) -> None:
        self.publisher.stop()
        self.desk.stop()


@pytest.fixture
def table(broker: Mosquitto, tmp_path: Path) -> Iterator[Published]:
    one = Published(broker.broker("Blue table"), tmp_path)
    yield one
    one.stop()


def test_a_table_publishes_its_state_its_hands_and_its_end(
    broker: Mosquitto, table: Published
) -> None:
    topic = "mazziere/Blue_table/"
    with Listener(broker.broker()) as heard:
        until(lambda: heard.state(f"{topic}state").get("status") == "waiting")
        assert heard.last(f"{topic}presence") == "online"
        table.desk.lay("board", "QS", "5D")
        seen = until(lambda: (s := heard.state(f"{topic}state")).get("acts") == 2 and s)
        assert (seen["name"], seen["title"], seen["hand"]) == ("Blue table", "Ziginette", 1)
        assert (seen["status"], seen["trouble"]) == ("playing", [])
        table.desk.lay("board", "QC", "5C")
        table.desk.ask(lambda felt: felt.sweep())
        trouble = until(lambda: heard.state(f"{topic}state").get("trouble"))
        assert trouble == list(table.desk.snapshot().warnings)
        table.stop()
        until(lambda: heard.last(f"{topic}presence") == "away")
        assert heard.state(f"{topic}state")["status"] == "closed"


def test_each_hand_s_record_comes_once_and_replays(broker: Mosquitto, table: Published) -> None:
    with Listener(broker.broker()) as heard:
        for _ in range(2):
            until(lambda: table.publisher._seen is not None)
            table.hand()
            time.sleep(0.5)
        records = until(lambda: len(r := heard.all("mazziere/Blue_table/record")) == 2 and r)
        first, second = (json.loads(one) for one in records)
        assert (first["hand"], second["hand"]) == (1, 2)
        assert first["net"] == {"1": -5, "2": -5, "3": 10} or sum(first["net"].values()) == 0
        hand = parse_record(first["record"]).match.hands[0]
        assert {str(seat): amount for seat, amount in hand.state.settlement.net.items()} == first[
            "net"
        ]
        # The head that came with it vouches for everything written until then.
        from firmware.store.journal import Journal  # noqa: PLC0415

        with Journal.following(table.desk.journal or "") as journal:
            assert journal.verify(first["head"]).whole
        time.sleep(1)
        assert len(heard.all("mazziere/Blue_table/record")) == 2


def test_a_hand_that_is_undone_and_ends_differently_is_published_again(
    broker: Mosquitto, table: Published
) -> None:
    with Listener(broker.broker()) as heard:
        until(lambda: table.publisher._seen is not None)
        table.hand()
        records = "mazziere/Blue_table/record"
        until(lambda: heard.all(records))
        table.desk.press("fix", 2.2)
        until(lambda: heard.state("mazziere/Blue_table/state").get("hand") == 1)
        table.desk.type("misdeal")
        table.desk.type("clear")
        until(lambda: len(heard.all(records)) == 2)
        first, second = (json.loads(one) for one in heard.all(records))
        assert (first["hand"], first["void"]) == (1, False)
        assert (second["hand"], second["void"]) == (1, True)


def test_a_killed_table_is_reported_as_away_by_the_broker(
    broker: Mosquitto, tmp_path: Path
) -> None:
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from firmware.settings.settings import Settings\n"
        "from tests.test_floor_publishing import Published\n"
        "Published(Settings.load(sys.argv[1]).broker, Path(sys.argv[2]))\n"
        "time.sleep(600)\n"
    )
    settings = tmp_path / "table.toml"
    table = broker.table("Red")
    settings.write_text("[mqtt]\n" + "\n".join(f"{k} = {json.dumps(v)}" for k, v in table.items()))
    with Listener(broker.broker()) as heard:
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(settings), str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        try:
            until(lambda: heard.state("mazziere/Red/state"))
            assert heard.last("mazziere/Red/presence") == "online"
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        until(lambda: heard.last("mazziere/Red/presence") == "away")
        assert heard.state("mazziere/Red/state")["status"] != "closed"


def test_a_broker_that_comes_back_gets_the_newest_state_and_every_record(
    broker: Mosquitto, table: Published
) -> None:
    until(lambda: table.publisher.check(WORDS).verdict is Verdict.OK)
    until(lambda: table.publisher._seen is not None)
    broker.stop()
    where = f"127.0.0.1:{broker.port}"
    until(lambda: table.publisher.check(WORDS).verdict is Verdict.WARN)
    assert table.says() in (
        f"The connection to the broker at {where} is lost. Trying again.",
        f"The broker at {where} does not answer. Trying again.",
    )
    table.hand()
    table.desk.lay("board", "KS")
    until(lambda: table.publisher._records)
    broker.start()  # it has forgotten everything
    with Listener(broker.broker()) as heard:
        until(lambda: heard.state("mazziere/Blue_table/state").get("hand") == 2)
        until(lambda: heard.last("mazziere/Blue_table/record"))
        assert heard.last("mazziere/Blue_table/presence") == "online"
        assert any(topic.startswith("homeassistant/") for topic, _ in heard.messages)
    assert table.says() == f"Connected to the broker at {where}."


def test_waits_grow_up_to_a_limit(broker: Mosquitto) -> None:
    from firmware.floor.connection import FIRST_WAIT_S, Connection  # noqa: PLC0415

    client = Connection(broker.broker())._made()
    assert (client._reconnect_min_delay, client._reconnect_max_delay) == (
        FIRST_WAIT_S,
        LONGEST_WAIT_S,
    )


def test_a_wrong_password_is_reported_and_opens_nothing(broker: Mosquitto, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("five of clubs")
    table = Published(broker.broker("Red", password_file=str(wrong)), tmp_path)
    try:
        until(lambda: "does not know this name and password" in table.says())
        with Listener(broker.broker()) as heard:
            table.desk.lay("board", "QS")
            time.sleep(1)
            assert heard.messages == []
    finally:
        table.stop()


def test_a_missing_password_file_stops_only_the_publishing(
    broker: Mosquitto, tmp_path: Path
) -> None:
    table = Published(broker.broker("Red", password_file=str(tmp_path / "none")), tmp_path)
    try:
        assert table.publisher.check(WORDS).verdict is Verdict.FAIL
        assert "No such file" in table.says()
        table.desk.lay("board", "QS")
        assert table.desk.snapshot().count == 1
    finally:
        table.stop()


def test_a_broker_that_hangs_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It accepts connections and says nothing; the table goes on, and ends soon."""
    pytest.importorskip("paho", reason="paho-mqtt is not installed")
    monkeypatch.setattr("firmware.floor.connection.CONNECT_S", 10 * PATIENCE_S)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        table = Published(
            Broker.from_mapping({"on": True, "broker": f"127.0.0.1:{port}"}), tmp_path
        )
        table.hand()
        assert table.desk.snapshot().hand == 2
        assert table.publisher.check(WORDS).verdict is Verdict.WARN
        ending = threading.Thread(target=table.publisher.stop, daemon=True)
        ending.start()
        ending.join(PATIENCE_S)
        assert not ending.is_alive()
        table.desk.stop()


def test_nothing_that_the_table_hides_is_published(broker: Mosquitto, tmp_path: Path) -> None:
    """Face-down cards that somebody has typed in, and typed lines, stay with the table."""
    desk = FeltDesk(settings_for("seven-and-a-half"), tmp_path / "hidden.journal")
    publisher = Publisher(broker.broker("Blue"))
    publisher.attach(desk, desk.settings, desk.journal)
    publisher.start()
    with Listener(broker.broker()) as heard:
        until(lambda: heard.state("mazziere/Blue/state"))
        until(lambda: publisher._seen is not None)
        desk.type("2 bet 5")
        desk.type("deal 2 (QC)")  # before the bets are closed: asked about, and given up
        desk.press("fix", 2.2)
        for line in ("3 bet 5", "close", "deal 2 (KD)", "deal 3 (4C)", "deal 1 (6H)"):
            desk.type(line)
        desk.press("fix", 2.2)  # undone, as the prompt says
        desk.type("deal 1 (6H)")
        desk.type("nonsense (2S)")
        until(lambda: heard.state("mazziere/Blue/state").get("acts") == 6)
        desk.type("misdeal")
        desk.type("clear")
        until(lambda: heard.last("mazziere/Blue/record"))
        publisher.stop()
        told = "\n".join(payload for _, payload in heard.messages)
    desk.stop()
    assert "deal 2 ??" in told
    for hidden in ("KD", "4C", "6H", "2S", "QC", "king of diamonds", "queen of", "nonsense"):
        assert hidden not in told, hidden
    for secret in ("access", "PIN", mosquitto.PASSWORD):
        assert secret not in told, secret


def test_home_assistant_finds_the_sensors_and_they_read_the_state(
    broker: Mosquitto, table: Published
) -> None:
    with Listener(broker.broker()) as heard:
        until(lambda: heard.state("mazziere/Blue_table/state"))
        found = {
            topic: json.loads(payload)
            for topic, payload in list(heard.messages)
            if topic.startswith("homeassistant/")
        }
        state = heard.state("mazziere/Blue_table/state")
    names = {topic.split("/")[3] for topic in found}
    assert names == {"status", "game", "hand", "waits", "trouble", "problem"}
    assert len({one["unique_id"] for one in found.values()}) == 6
    for topic, one in found.items():
        assert topic.split("/")[1] in ("sensor", "binary_sensor")
        assert one["state_topic"] == "mazziere/Blue_table/state"
        assert one["availability_topic"] == "mazziere/Blue_table/presence"
        assert (one["payload_available"], one["payload_not_available"]) == ("online", "away")
        assert one["device"]["name"] == "Blue table"
        for key in ("status", "title", "hand", "waits", "trouble"):
            if f"value_json.{key}" in one["value_template"]:
                assert key in state
        assert "value_json." in one["value_template"]
    (status,) = [one for topic, one in found.items() if topic.endswith("/status/config")]
    assert state["status"] in status["options"]


def test_the_health_page_reports_the_broker(tmp_path: Path) -> None:
    pytest.importorskip("paho", reason="paho-mqtt is not installed")
    port = mosquitto.free_port()
    mqtt = {"on": True, "broker": f"127.0.0.1:{port}"}
    game = {"table": {"game": "ziginette", "limits": [1, 20]}}
    settings = Settings.from_mapping({**game, "mqtt": mqtt, "console": {"listen": "127.0.0.1:0"}})
    desk = FeltDesk(settings, tmp_path / "health.journal")
    says = f"The broker at 127.0.0.1:{port} does not answer. Trying again."
    with ConsoleLink(Access()) as link:
        link.stand_beside(desk, settings, desk.journal, lambda: None)
        assert link.console is not None
        table = link.console.site.table
        until(lambda: [(one.name, one.detail) for one in table.checks(WORDS)] == [("broker", says)])
    desk.stop()


def test_what_is_switched_off_imports_and_sends_nothing() -> None:
    code = (
        "import sys, firmware.service, firmware.rehearsal.live\n"
        "from firmware.settings.settings import Settings\n"
        "assert not Settings().broker.on\n"
        "assert not [one for one in sys.modules if one.startswith('paho')]\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
