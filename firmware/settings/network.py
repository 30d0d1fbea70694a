"""Where the console can be reached, and which addresses count as local and are let in."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from firmware.errors import ConsoleError, UsageError

HOST, PORT = "0.0.0.0", 8080
"""Every interface; a port that needs no privileges and that browsers allow. A choice."""
WAITING_MOST = 1024
"""Largest number of connections waiting to be accepted; beyond it the kernel drops the first
packet, which costs a newcomer one second, then two, then four. A choice: more than a local network
has addresses.
"""
SOMEWHERE = "10.255.255.255"
"""A private address: asking for the route to it reveals our own, without sending anything."""


@dataclass(frozen=True, slots=True)
class Listening:
    """Where the console listens.

    >>> Listening.parse("127.0.0.1:9000"), Listening.parse("9000").port, Listening.parse("").port
    (Listening(host='127.0.0.1', port=9000), 9000, 8080)
    >>> Listening.parse("here:there")
    Traceback (most recent call last):
    firmware.errors.UsageError: expected an address such as 192.168.1.5:8080, got 'here:there'
    """

    host: str = HOST
    port: int = PORT

    @classmethod
    def parse(cls, text: str) -> Listening:
        """An address and a port, either of which may be omitted."""
        host, colon, port = text.rpartition(":")
        if not colon:
            host, port = ("", text) if text.isdecimal() else (text, "")
        if port and not (port.isascii() and port.isdecimal() and int(port) < 65536):
            raise UsageError(f"expected an address such as 192.168.1.5:8080, got {text!r}")
        return cls(host or HOST, int(port) if port else PORT)

    def socket(self) -> socket.socket:
        """A socket listening here; raises `ConsoleError` if that is impossible."""
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((self.host, self.port))
            listener.listen(WAITING_MOST)
        except (OSError, OverflowError) as error:
            listener.close()
            reason = getattr(error, "strerror", None) or error
            raise ConsoleError(
                f"the console cannot listen at {self.host}:{self.port}: {reason}"
            ) from error
        listener.setblocking(False)
        return listener

    def urls(self, port: int) -> tuple[str, ...]:
        """The addresses to type into a browser, most reliable first; `port` is the one in use."""
        hosts = [self.host] if self.host != HOST else [*own_addresses(), f"{hostname()}.local"]
        return tuple(f"http://{host}:{port}/" for host in hosts)


def own_addresses() -> Iterator[str]:
    """Our address on the local network; without a network, the loopback address."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asking, suppress(OSError):
        asking.connect((SOMEWHERE, 9))
        yield str(asking.getsockname()[0])
        return
    yield "127.0.0.1"


def hostname() -> str:
    """This machine's host name, without a domain."""
    return socket.gethostname().partition(".")[0].lower()


def is_near(address: str) -> bool:
    """Whether an address belongs to this machine or a local network.

    >>> is_near("192.168.1.9"), is_near("fe80::1%wlan0"), is_near("8.8.8.8"), is_near("nonsense")
    (True, True, False, False)
    """
    try:
        ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0].strip("[]"))
    except ValueError:
        return False
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return ip.is_loopback or ip.is_link_local or (ip.is_private and not ip.is_unspecified)


def is_our_name(host: str) -> bool:
    """Whether the host that a browser asks for is us: a local address, or a local name.

    A hostile page can make its own name resolve to us (DNS rebinding), but not one of these names.

    >>> is_our_name("192.168.1.9:8080"), is_our_name("table.local"), is_our_name("evil.example:80")
    (True, True, False)
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return is_near(name) or name in ("localhost", hostname()) or name.endswith(".local")


def is_same_origin(origin: str | None, host: str) -> bool:
    """Whether a request comes from one of our pages, according to the browser's Origin header.

    >>> is_same_origin("http://10.0.0.2:8080", "10.0.0.2:8080"), is_same_origin(None, "10.0.0.2")
    (True, False)
    """
    return origin is not None and origin.lower() == f"http://{host}".lower()
