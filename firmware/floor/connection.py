"""The link to a broker: a connection that restores itself and reports its state in words.

The client library connects, waits and answers in its own thread; nothing else waits for a broker.
It is imported when a link is opened.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from firmware.errors import BrokerError
from firmware.settings.broker import Broker

FIRST_WAIT_S, LONGEST_WAIT_S = 1, 60
"""How long until a lost broker is tried again; the wait doubles each time, up to a minute. A
choice.
"""
KEEPALIVE_S = 15
"""Interval between signs of life; after one and a half of them without any, the broker reports that
a table is gone. A choice.
"""
CONNECT_S = 10.0
"""How long a broker may take to answer. A choice: a local one takes milliseconds."""
ENDS_S = 2.0
"""How long a link may take to close. A choice: waiting longer helps nobody."""
WAITING_MOST = 200
"""Messages that the library may hold; we hand over one at a time. A choice."""
ONLINE, AWAY = "online", "away"
REFUSED_LOGIN = frozenset({134, 135})
"""MQTT's reason codes for a wrong name or password, and for a refused client. Follows from the
protocol."""


@dataclass(frozen=True)
class Standing:
    """The state of a link: connected or not, and why, as the name of a text."""

    connected: bool = False
    why: str = "broker-trying"


@dataclass
class Connection:
    """One client of a broker.

    `will` is the topic on which the broker announces ``away`` if the link breaks; while it is open,
    the topic says ``online``. `opened` is called whenever a connection is made, `heard` for each
    message on the topics `listens`; both in the library's thread.
    """

    broker: Broker
    will: str = ""
    listens: tuple[str, ...] = ()
    opened: Callable[[], None] = lambda: None
    heard: Callable[[str, bytes], None] = lambda topic, payload: None
    standing: Standing = field(default_factory=Standing)
    _client: Any = None

    def open(self) -> None:
        """Start connecting; raises `BrokerError` for what no retry can solve."""
        client = self._made()
        client.on_connect = self._on_connect
        client.on_connect_fail = lambda *_: self._is(Standing(False, "broker-away"))
        client.on_disconnect = self._on_disconnect
        client.on_message = lambda _, __, message: self.heard(message.topic, message.payload)
        self._client = client
        client.connect_async(self.broker.host, self.broker.port, KEEPALIVE_S)
        client.loop_start()

    def _made(self) -> Any:
        try:
            # Needed only if publishing is switched on.
            from paho.mqtt.client import Client  # noqa: PLC0415
            from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415
        except ImportError as error:
            raise BrokerError(
                "paho-mqtt is not installed: run firmware/install/install.sh again, which brings it"
            ) from error
        broker = self.broker
        # A new name each time: of two clients with the same name, the broker drops one.
        name = f"{broker.identifier[:40]}-{secrets.token_hex(4)}"
        client = Client(CallbackAPIVersion.VERSION2, client_id=name)
        client.suppress_exceptions = True
        client.connect_timeout = CONNECT_S
        client.reconnect_delay_set(FIRST_WAIT_S, LONGEST_WAIT_S)
        client.max_queued_messages_set(WAITING_MOST)
        if broker.user:
            client.username_pw_set(broker.user, broker.password())
        if broker.tls:
            try:
                client.tls_set(ca_certs=broker.ca_file or None)
            except (OSError, ValueError) as error:
                raise BrokerError(f"ca_file: {broker.ca_file}: no certificate: {error}") from error
        if self.will:
            client.will_set(self.will, AWAY, qos=1, retain=True)
        return client

    def send(self, topic: str, payload: str, *, retain: bool = False) -> Callable[[], bool]:
        """Hand over a message, to arrive at least once; returns whether it has arrived."""
        if self._client is None:
            return lambda: False
        sent = self._client.publish(topic, payload, qos=1, retain=retain)

        def arrived() -> bool:
            try:
                return bool(sent.is_published())
            except (ValueError, RuntimeError):  # it was never accepted
                return False

        return arrived

    def close(self) -> None:
        """Announce that this table is away, and end; a broker that hangs is abandoned."""
        client, self._client = self._client, None
        if client is None:
            return
        if self.will and self.standing.connected:
            self._waited(client.publish(self.will, AWAY, qos=1, retain=True))
        client.disconnect()
        # The library's own shutdown waits for its thread, which may be connecting.
        ending = threading.Thread(target=client.loop_stop, name="mqtt-end", daemon=True)
        ending.start()
        ending.join(ENDS_S)

    def _waited(self, sent: Any) -> None:
        try:
            sent.wait_for_publish(ENDS_S)
        except (
            ValueError,
            RuntimeError,
        ):  # the broker has just gone away, and that is reported elsewhere
            return

    # In the library's thread.

    def _on_connect(self, client: Any, _: object, __: object, reason: Any, ___: object) -> None:
        if reason.is_failure:
            refused = reason.value in REFUSED_LOGIN
            self._is(Standing(False, "broker-refused" if refused else "broker-no"))
            return
        for topic in self.listens:
            client.subscribe(topic, qos=1)
        if self.will:
            client.publish(self.will, ONLINE, qos=1, retain=True)
        self._is(Standing(True, "broker-there"))
        self.opened()

    def _on_disconnect(self, _: object, __: object, ___: object, reason: Any, ____: object) -> None:
        if self.standing.connected:
            self._is(Standing(False, "broker-lost"))

    def _is(self, standing: Standing) -> None:
        self.standing = standing
