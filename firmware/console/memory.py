"""What lets the right people past a crowd: the dealer's devices, and the PIN held in memory.

Neither opens anything that a PIN would not.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import blake2b

from firmware.console.throttle import Bucket

MARK_BYTES = 16
"""Length of a device's name and of its seal: beyond guessing. A choice."""
GLANCES, GLANCES_A_SECOND = 100, 100.0
"""Waiting PINs that are looked up in memory, in a burst and per second: no more than the slow work
gets through on a desktop computer, so that guessing is just as hopeless this way. A choice based on
that.
"""


@dataclass(frozen=True)
class Devices:
    """The marks that the dealer's browsers keep; `key` is a secret that only this machine has.

    >>> devices = Devices("00ff")
    >>> mark = devices.make()
    >>> devices.made(mark), Devices("00fe").made(mark), devices.made("mine"), Devices("").made("")
    (True, False, False, False)
    """

    key: str = field(repr=False)

    def make(self) -> str:
        """A mark for a browser from which the dealer has signed in."""
        name = secrets.token_hex(MARK_BYTES)
        return f"{name}.{self._seal(name)}"

    def made(self, mark: str) -> bool:
        """Whether a mark is one of these."""
        name, _, seal = mark.partition(".")
        return bool(self.key) and hmac.compare_digest(
            seal.encode("utf-8", "replace"), self._seal(name).encode()
        )

    def _seal(self, name: str) -> str:
        key = blake2b(self.key.encode(), person=b"device").digest()
        told = name.encode("utf-8", "replace")
        return blake2b(told, key=key, digest_size=MARK_BYTES).hexdigest()


@dataclass
class Remembered:
    """The dealer's PIN, kept in memory so that it is recognized without the slow work.

    It is sealed with a key that exists only in memory.

    >>> remembered = Remembered()
    >>> remembered.keep("1234567890")
    >>> remembered.holds("1234567890"), remembered.holds("1234567891")
    (True, False)
    >>> remembered.forget()
    >>> remembered.holds("1234567890")
    False
    """

    _key: bytes = field(default_factory=lambda: secrets.token_bytes(64), repr=False)
    _sealed: bytes = field(default=b"", repr=False)
    _bucket: Bucket = field(default_factory=lambda: Bucket(GLANCES, GLANCES_A_SECOND))

    def keep(self, pin: str) -> None:
        """Remember that this is the dealer's PIN."""
        self._sealed = self._seal(pin)

    def forget(self) -> None:
        """Forget it: there is a new PIN."""
        self._sealed = b""

    def holds(self, pin: str) -> bool:
        """Whether that PIN is the dealer's, as far as is known."""
        return hmac.compare_digest(self._sealed, self._seal(pin))

    def glanced(self, pin: str, now: float) -> bool:
        """The same for a waiting client, unless there are too many of them."""
        return bool(pin) and self._bucket.takes(now) and self.holds(pin)

    def _seal(self, pin: str) -> bytes:
        return blake2b(pin.encode(), key=self._key).digest()
