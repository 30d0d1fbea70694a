"""The settings of a broker, and what the floor makes of its messages."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.errors import SettingsError
from firmware.floor.message import Status
from firmware.floor.tables import TABLES_MOST, Floor, clean
from firmware.settings.broker import Broker
from firmware.settings.settings import Settings
from tests.draws import examples

HOME = Broker(broker="127.0.0.1")


def settings(**mqtt: Any) -> Broker:
    return Settings.from_mapping({"mqtt": mqtt}, "my.toml").broker


def test_it_is_off_unless_it_is_switched_on() -> None:
    assert not Settings().broker.on
    assert not settings(broker="192.168.1.5").on


@pytest.mark.parametrize(
    ("mqtt", "fault"),
    [
        ({"on": True}, "mqtt.broker: expected an address or a name, got ''"),
        ({"broker": "here:there"}, "mqtt.broker: expected an address such as 192.168.1.5:1883"),
        ({"broker": "a b"}, "mqtt.broker: expected an address or a name"),
        ({"broker": "a" * 70}, "mqtt.broker: expected an address or a name"),
        (
            {"broker": "8.8.8.8"},
            "mqtt.tls: required for 8.8.8.8, which is not on the local network",
        ),
        ({"broker": 5}, "mqtt.broker: expected a text, got 5"),
        ({"on": 1}, "mqtt.on: expected true or false, got 1"),
        ({"topic": "a/+/b"}, "mqtt.topic: expected letters, digits, - and _"),
        ({"name": "a\nb"}, "mqtt.name: expected one line of up to 80 characters"),
        ({"password_file": "x"}, "mqtt.user: expected a name"),
        ({"password": "x"}, "mqtt.password: no such setting"),
    ],
)
def test_faults_are_named(mqtt: dict[str, Any], fault: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings(**mqtt)
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("address", "tls", "host", "port"),
    [
        ("10.0.0.5", False, "10.0.0.5", 1883),
        ("broker.local:2883", False, "broker.local", 2883),
        ("[fe80::1]:1883", False, "fe80::1", 1883),
        ("[fe80::1]", False, "fe80::1", 1883),
        ("8.8.8.8", True, "8.8.8.8", 8883),
    ],
)
def test_addresses(address: str, tls: bool, host: str, port: int) -> None:
    broker = settings(broker=address, tls=tls)
    assert (broker.host, broker.port) == (host, port)


def test_the_settings_are_written_and_read_again() -> None:
    mqtt = {"on": True, "broker": "10.0.0.5", "name": "Tavolo 1", "user": "x"}
    one = Settings.from_mapping({"mqtt": mqtt})
    import tomllib  # noqa: PLC0415

    assert Settings.from_mapping(tomllib.loads(one.text())) == one


PRINTABLE = st.text(min_size=1, max_size=60).filter(str.isprintable)


@given(PRINTABLE)
def test_every_name_gives_a_topic_of_one_level(name: str) -> None:
    broker = Broker(broker="x", name=name)
    assert broker.state.count("/") == 2
    assert not set("+#") & set(broker.state)
    assert broker.table
    assert re.fullmatch(r"[A-Za-z0-9_-]+", broker.identifier)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Rose", "Rosé"), ("Red", "red"), ("Blue table", "Blue-table"), ("Table 1", "Table  1"),
     ("Стол 1", "Стол-1"), ("赤", "青"), ("a_b", "a b"), ("a%5Fb", "a_b"), ("#1", "+1")],
)  # fmt: skip
def test_tables_with_similar_names_share_neither_topic_nor_sensors(one: str, other: str) -> None:
    first, second = (Broker(broker="x", name=name) for name in (one, other))
    assert first.state != second.state
    assert first.identifier != second.identifier


@given(PRINTABLE, PRINTABLE)
def test_different_names_have_different_topics(one: str, other: str) -> None:
    same = unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)
    first, second = (Broker(broker="x", name=name) for name in (one, other))
    assert (first.table == second.table) is same


def test_a_name_can_be_recognised_in_its_topic() -> None:
    names = ("Rosé", "Стол 1", "东风", "मेज़", "Tavolo è blu")
    assert [Broker(broker="x", name=name).table for name in names] == [
        "Rosé", "Стол_1", "东风", unicodedata.normalize("NFC", "मेज़"), "Tavolo_è_blu",
    ]  # fmt: skip


# The floor.


def told(floor: Floor, table: str, status: str, **more: Any) -> None:
    state = {"name": table.title(), "status": status, "since": 7, **more}
    floor.take(f"mazziere/{table}/state", json.dumps(state).encode())


def test_tables_that_need_somebody_come_first() -> None:
    floor = Floor(HOME, now=lambda: 99.0)
    for place, status in enumerate(Status):
        if status is not Status.GONE:
            told(floor, f"table-{len(Status) - place}", str(status))
    told(floor, "table-10", "playing")
    told(floor, "lost", "playing")
    floor.take("mazziere/lost/presence", b"away")
    shown = [(one["name"], one["status"]) for one in floor.tables()]
    assert [status for _, status in shown] == [
        "still", "trouble", "gone", "asks", "waiting", "playing", "playing", "closed",
    ]  # fmt: skip
    assert [name for name, status in shown if status == "playing"] == ["Table-3", "Table-10"]
    (lost,) = [one for one in floor.tables() if one["table"] == "lost"]
    assert lost["since"] == 99
    floor.take("mazziere/lost/presence", b"online")
    assert next(o for o in floor.tables() if o["table"] == "lost")["status"] == "playing"


def test_a_table_that_was_closed_is_not_missed() -> None:
    floor = Floor(HOME)
    told(floor, "red", "closed")
    floor.take("mazziere/red/presence", b"away")
    assert floor.tables()[0]["status"] == "closed"


def test_a_table_is_forgotten_together_with_its_state() -> None:
    floor = Floor(HOME)
    told(floor, "red", "playing")
    floor.take("mazziere/red/state", b"")
    floor.take("mazziere/red/presence", b"")
    assert floor.tables() == []


def test_a_flood_of_tables_is_not_accepted() -> None:
    floor = Floor(HOME)
    for number in range(2 * TABLES_MOST):
        told(floor, f"t{number}", "playing")
    assert len(floor.tables()) == TABLES_MOST
    assert clean(b'{"status": "playing", "name": "' + b"x" * 20000 + b'"}') is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
STATES = st.fixed_dictionaries(
    {"status": st.sampled_from([str(one) for one in Status])},
    optional=dict.fromkeys(
        ("name", "since", "title", "hand", "acts", "awaited", "waits", "trouble"), JSON
    ),
)


@examples(40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a/state", "a/presence", "b/state", "/", "a/b/c", "b/presence"]),
            st.binary(max_size=30) | (STATES | JSON).map(json.dumps).map(str.encode),
        ),
        max_size=12,
    )
)
def test_nothing_that_a_broker_sends_breaks_the_floor(messages: list[tuple[str, bytes]]) -> None:
    floor = Floor(HOME)
    for topic, payload in messages:
        floor.take(f"mazziere/{topic}", payload)
    for table in floor.tables():
        assert Status(table["status"])
        assert table["name"]
        assert all(isinstance(seat, int) for seat in table["awaited"])
        assert all(isinstance(text, str) for text in table["trouble"])
        json.dumps(table, allow_nan=False)
