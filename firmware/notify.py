"""Messages to systemd: that the service is ready, alive, busy with something, or ending.

The messages are those of ``sd_notify(3)``: text in one datagram to the socket that the environment
names. Without such a socket, nothing is sent and nothing fails.

>>> Notifier({}).ready("Ready.")
False
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

BEATS_A_LIMIT = 3
"""Number of beats sent within the time limit that systemd sets: losing two in a row does no harm. A
choice.
"""
STATUS_MOST = 200
"""Longest status, in characters: about what ``systemctl status`` shows on one line. A choice."""


def is_logged(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether what this process writes to standard error is kept in a log.

    >>> is_logged({}), is_logged({"JOURNAL_STREAM": "8:1234"})
    (False, True)
    """
    return "JOURNAL_STREAM" in environ or "INVOCATION_ID" in environ


class Notifier:
    """The connection to the service manager that started this process, if there is one.

    `environ` is the process's environment; `clock` gives seconds and never goes back.
    """

    def __init__(
        self,
        environ: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = _address(environ.get("NOTIFY_SOCKET", ""))
        self._clock = clock
        self._every_s = _every_s(environ)
        self._beaten: float | None = None

    @property
    def watched(self) -> bool:
        """Whether the service manager restarts the service when it falls silent."""
        return self._every_s is not None

    def ready(self, status: str = "") -> bool:
        """Report that the service can be used; returns False if nobody is listening."""
        return self._send("READY=1", *_status(status))

    def status(self, text: str) -> bool:
        """Report what it is doing, in a few words."""
        return self._send(*_status(text))

    def stopping(self) -> bool:
        """Report that it is about to end."""
        return self._send("STOPPING=1")

    def beat(self) -> bool:
        """Report that it is alive: call it on every turn of the loop; most calls send nothing."""
        now = self._clock()
        early = self._beaten is not None and now - self._beaten < (self._every_s or 0.0)
        if self._every_s is None or early:
            return False
        self._beaten = now
        return self._send("WATCHDOG=1")

    def _send(self, *lines: str) -> bool:
        if self._address is None or not lines:
            return False
        # A manager that does not listen must not make the table wait, or stop it.
        with (
            suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as way,
        ):
            way.sendto("\n".join(lines).encode(), self._address)
            return True
        return False


def _address(name: str) -> str | None:
    """A socket's path; a name that begins with ``@`` is not in the file system."""
    if not name.startswith(("/", "@")):
        return None
    return "\0" + name[1:] if name.startswith("@") else name


def _every_s(environ: Mapping[str, str]) -> float | None:
    """Interval between beats, in seconds; None if this process need not send any."""
    microseconds, process = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
    if not microseconds.isdecimal() or process not in ("", str(os.getpid())):
        return None
    return int(microseconds) / 1e6 / BEATS_A_LIMIT


def _status(text: str) -> tuple[str, ...]:
    words = " ".join(text.split())[:STATUS_MOST]
    return (f"STATUS={words}",) if words else ()
