"""How to reach a broker, and what a table publishes there: the settings section ``[mqtt]``.

::

    [mqtt]
    on = true
    broker = "192.168.1.5:1883"      # a name or an address, and a port
    user = "table-3"
    password_file = "mqtt.password"  # one line, readable by the program only
    name = "Blue table"              # what the table is called; default: the machine's name
    topic = "mazziere"               # the first part of every topic
    tls = false                      # with ca_file = "…" for a CA certificate to trust
    records = true                   # publish each hand's record when it ends
    discovery = true                 # announce the table to Home Assistant
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from firmware.errors import BrokerError
from firmware.settings.network import hostname, is_near

PORT, TLS_PORT = 1883, 8883
"""The ports registered for MQTT, plain and over TLS. Follows from their register."""
PASSWORD_MOST = 512
"""Largest password file, in bytes. A choice: longer than any password."""
MARK_DIGITS = 8
"""Digits of a name's hash that are used: of all pairs of names with the same plain letters, one in
four billion shares them. A choice.
"""
_HOST = re.compile(r"(?=.{1,253}$)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?")
_TOPIC = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
_PLAIN, _OTHER = re.compile(r"[A-Za-z0-9_-]+"), re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, kw_only=True)
class Broker:
    """A broker, how to log in to it, and what one table publishes.

    >>> broker = Broker(broker="192.168.1.5", name="Tavolo è blu")
    >>> broker.host, broker.port, broker.table, broker.state
    ('192.168.1.5', 1883, 'Tavolo_è_blu', 'mazziere/Tavolo_è_blu/state')
    """

    on: bool = False
    broker: str = ""
    user: str = ""
    password_file: str = ""
    name: str = ""
    topic: str = "mazziere"
    tls: bool = False
    ca_file: str = ""
    records: bool = True
    discovery: bool = True

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any]) -> Broker:
        """The broker that a settings section describes; raises `BrokerError` listing its faults."""
        known = {field.name: field.default for field in fields(cls)}
        faults = [f"{key}: no such setting" for key in table if key not in known]
        for key, value in table.items():
            if key in known and type(value) is not type(known[key]):
                kind = "true or false" if isinstance(known[key], bool) else "a text"
                faults.append(f"{key}: expected {kind}, got {value!r}"[:120])
        if not faults:
            broker = cls(**table)
            faults = broker.faults()
        if faults:
            raise BrokerError(*faults)
        return broker

    def faults(self) -> list[str]:
        """What is wrong with these settings."""
        found = []
        if self.broker or self.on:
            found += self._address_faults()
        if not _TOPIC.fullmatch(self.topic):
            found.append(f"topic: expected letters, digits, - and _, got {self.topic!r}")
        if len(self.name) > 80 or not self.name.isprintable():
            found.append("name: expected one line of up to 80 characters")
        if self.password_file and not self.user:
            found.append("user: expected a name, as there is a password")
        return found

    def _address_faults(self) -> list[str]:
        host, port = self.host, self._address[1]
        if port and not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
            return [f"broker: expected an address such as 192.168.1.5:{PORT}, got {self.broker!r}"]
        try:
            ip_address(host)
        except ValueError:
            if not _HOST.fullmatch(host):
                return [f"broker: expected an address or a name, got {self.broker!r}"]
            return []
        if not (self.tls or is_near(host)):
            return [f"tls: required for {host}, which is not on the local network"]
        return []

    @property
    def _address(self) -> tuple[str, str]:
        """Host and port as written; an IPv6 address is in brackets."""
        host, colon, port = self.broker.rpartition(":")
        if not colon or self.broker.endswith("]"):
            return self.broker.strip("[]"), ""
        return host.strip("[]"), port

    @property
    def host(self) -> str:
        """Where the broker is."""
        return self._address[0]

    @property
    def port(self) -> int:
        """The port it listens on."""
        port = self._address[1]
        return int(port) if port else TLS_PORT if self.tls else PORT

    def password(self) -> str | None:
        """The password; raises `BrokerError` if its file cannot be read."""
        if not self.password_file:
            return None
        try:
            text = Path(self.password_file).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "no text"
            raise BrokerError(f"password_file: {self.password_file}: {reason}") from error
        return text.strip("\r\n")[:PASSWORD_MOST]

    # Topics.

    @property
    def title(self) -> str:
        """What the table is called."""
        return self.name or hostname()

    @property
    def table(self) -> str:
        """The table's part of its topics: its name, with ``_`` for blanks.

        Letters and digits of every script stay as they are; other symbols become the hexadecimal
        bytes of their UTF-8, as in a URL. Different names never share a topic.

        >>> [Broker(name=name).table for name in ("Blue table", "Rosé", "Стол-1", "#1", "_")]
        ['Blue_table', 'Rosé', 'Стол-1', '%231', '%5F']
        """
        return "".join(map(_in_topic, unicodedata.normalize("NFC", self.title)))

    @property
    def identifier(self) -> str:
        """The table's name in plain letters only; a hash stands for the others.

        >>> [Broker(name=name).identifier for name in ("Blue table", "Rosé")]
        ['mazziere-Blue_table', 'mazziere-Ros-532381b2']
        """
        name, own = self.topic.replace("/", "-"), self.table
        if _PLAIN.fullmatch(own):
            return f"{name}-{own}"
        mark = sha256(own.encode("utf-8", "replace")).hexdigest()[:MARK_DIGITS]
        return "-".join(filter(None, (name, _OTHER.sub("", own), mark)))

    @property
    def state(self) -> str:
        """The topic of the table's state (retained)."""
        return f"{self.topic}/{self.table}/state"

    @property
    def presence(self) -> str:
        """The topic of the table's presence (retained): ``online`` or ``away``."""
        return f"{self.topic}/{self.table}/presence"

    @property
    def record(self) -> str:
        """The topic to which each hand's record is published when it ends."""
        return f"{self.topic}/{self.table}/record"


def _in_topic(letter: str) -> str:
    """A character of a name as it appears in a topic, in which `+`, `#` and `/` have meanings."""
    if letter == " ":
        return "_"
    if letter == "-" or unicodedata.category(letter)[0] in "LMN":
        return letter
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "replace"))
