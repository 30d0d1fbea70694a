"""PINs: what they open, how they are made and shown, and the hashes by which they are known."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import scrypt
from hmac import compare_digest

DEALER_DIGITS, VIEWER_DIGITS = 10, 8
"""Long enough that guessing is hopeless: at a hundred guesses a second, more than the cost below
allows, half of all dealers' PINs would take 18 months, and guessing leaves traces in the log. A
choice.
"""
COST, BLOCK = 2**12, 8
"""The cost of scrypt: 4 MB and about 12 ms on a desktop computer, 50 ms on a Pi 4: a right PIN that
has not been entered since the start is recognized within 2 s even with forty others queued in
front. A choice based on those times.
"""


class Role(StrEnum):
    """What a session may do."""

    DEALER = "dealer"
    """Look and act."""
    VIEWER = "viewer"
    """Look only."""
    PLAYER = "player"
    """Look, and act for the player at one seat."""


@dataclass(frozen=True)
class Pins:
    """The two PINs in plain digits, to be shown once."""

    dealer: str
    viewer: str

    @property
    def shown(self) -> Pins:
        """The PINs in groups of digits, easy to copy; blanks are ignored when a PIN is typed."""
        return Pins(_grouped(self.dealer), _grouped(self.viewer))

    def __repr__(self) -> str:
        return "Pins(dealer=…, viewer=…)"


@dataclass(frozen=True)
class Keys:
    """The hashes of both PINs, made with one salt so that one guess costs one hash."""

    salt: str
    dealer: str
    viewer: str
    cost: int = 2**14
    """The cost of hashes made before the cost was recorded."""

    @classmethod
    def of(cls, pins: Pins) -> Keys:
        """The hashes of `pins`, with a salt of their own."""
        salt = secrets.token_hex(16)
        cost = COST
        return cls(salt, _hashed(pins.dealer, salt, cost), _hashed(pins.viewer, salt, cost), cost)

    def role(self, pin: str) -> Role | None:
        """The role that `pin` opens; takes the same time whatever it is."""
        given = _hashed(pin, self.salt, self.cost)
        dealer, viewer = compare_digest(given, self.dealer), compare_digest(given, self.viewer)
        return Role.DEALER if dealer else Role.VIEWER if viewer else None


def _hashed(pin: str, salt: str, cost: int) -> str:
    key = scrypt(pin.encode(), salt=bytes.fromhex(salt), n=cost, r=BLOCK, p=1)
    return key.hex()


def _grouped(digits: str) -> str:
    """
    >>> _grouped("1234567890"), _grouped("12345678")
    ('123 456 7890', '1234 5678')
    """
    parts = (digits[:3], digits[3:6], digits[6:]) if len(digits) == 10 else (digits[:4], digits[4:])
    return " ".join(part for part in parts if part)


def digits(count: int) -> str:
    """So many random digits."""
    return "".join(secrets.choice("0123456789") for _ in range(count))
