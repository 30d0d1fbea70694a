"""Telephones at the table: a code for each seat, and who sits there.

The codes are derived from one secret, which is replaced when the dealer asks for new ones. Whoever
has a seat's code may sit there, look, and say what that player may say; the dealer can switch this
off.
"""

from __future__ import annotations

import hmac
import unicodedata
from base64 import b32encode
from collections.abc import Mapping
from hashlib import sha256

from firmware.console.access import Access, Session
from firmware.console.pins import Role
from firmware.console.throttle import TooManyAttemptsError
from firmware.errors import AccessError, MessageError

CODE_LETTERS = 16
"""A choice: 80 bits are beyond guessing, and their QR code stays small."""
JOINERS = {0x200C: None, 0x200D: None}
"""Characters that join letters of Persian names or parts of an emoji, or keep them apart. Follows
from Unicode: nothing is drawn for them, so they count as not printable.
"""
NAME_MOST = 16
"""Longest name of a player, in letters: as many as fit next to a seat. A choice."""


class SeatTakenError(AccessError):
    """The seat is taken; `name` is its player's name, if they have given one."""

    def __init__(self, seat: int, name: str) -> None:
        super().__init__(f"seat {seat} is taken")
        self.name = name


class TelephonesOffError(AccessError):
    """The dealer has switched telephones off."""


class NoSeatError(AccessError):
    """A seat that is not in the game."""


class DealerSitsError(AccessError):
    """A dealer's session keeps its rights; sitting down would take them away."""


class Seating:
    """Who sits where with a telephone.

    >>> access = Access()
    >>> seating = Seating(access)
    >>> token = seating.sit(3, seating.code(3), (1, 2, 3), "192.168.1.9")
    >>> seating.name(access.session(token), "Anna")
    >>> dict(seating.names)
    {3: 'Anna'}
    """

    def __init__(self, access: Access) -> None:
        self.access = access

    def code(self, seat: int) -> str:
        """The code of a seat."""
        key = bytes.fromhex(self.access.seat_key)
        digest = hmac.digest(key, f"seat {seat}".encode(), sha256)
        return b32encode(digest).decode()[:CODE_LETTERS].lower()

    @property
    def names(self) -> Mapping[int, str]:
        """The names of the players at the seats: their own choice, or else the dealer's."""
        named = [one for one in reversed(self.access.sessions) if one.seat and one.called]
        return {**self.access.names, **{one.seat: one.called for one in named}}

    def at(self, seat: int) -> tuple[Session, ...]:
        """The telephones at a seat, newest first."""
        return tuple(one for one in self.access.sessions if one.seat == seat)

    def sit(
        self,
        seat: int,
        code: str,
        seats: tuple[int, ...],
        client: str,
        agent: str = "",
        *,
        own: Session | None = None,
        also: bool = False,
    ) -> str:
        """Let a telephone sit at one of the game's `seats`; returns its new token.

        `own` is its present session, which ends; the name is kept. If somebody else sits there,
        `also` says that the new one may sit there too. Raises `AccessError`.
        """
        self._check(seat, code, client)
        if not self.access.telephones:
            raise TelephonesOffError("telephones are switched off")
        if seat not in seats:
            raise NoSeatError(f"seat {seat} is not in this game")
        if own is not None and own.may_write:
            raise DealerSitsError("the dealer is signed in here")
        there = [one for one in self.at(seat) if one != own]
        if there and not also:
            raise SeatTakenError(seat, there[0].called)
        called = own.called if own is not None else ""
        if own is not None:
            self.access.revoke(own.name)
        called = called or (there[0].called if there else "")
        return self.access.admit(Role.PLAYER, client, agent, seat=seat, called=called)

    def _check(self, seat: int, code: str, client: str) -> None:
        if hmac.compare_digest(self.code(seat).encode(), code.lower().encode()):
            return
        wait = self.access.throttle.wrong(client, self.access.clock())
        if wait:
            raise TooManyAttemptsError(client, wait)
        raise AccessError(f"the code from {client} opens nothing")

    def name(self, session: Session | None, called: str) -> None:
        """Set the name that a player chose; raises `MessageError` for what cannot be shown."""
        called = written(called)
        if session is not None:
            self.access.call(session, called)

    def name_seat(self, seat: int, called: str) -> None:
        """Set the dealer's name for the player at a seat; an empty name removes it.

        Telephones that sit there take that name from now on. Raises `MessageError`.
        """
        called = written(called)
        self.access.name_seat(seat, called)
        for session in self.at(seat):
            self.access.call(session, called)

    def free(self, seat: int) -> None:
        """Remove everybody from a seat."""
        for session in self.at(seat):
            self.access.revoke(session.name)

    def renew(self) -> None:
        """Make new codes; those who sit with an old one are signed out."""
        self.access.renew_seats()
        for session in self.access.sessions:
            if session.seat:
                self.access.revoke(session.name)


def written(called: str) -> str:
    """A name as it is shown; raises `MessageError` for what cannot be shown.

    >>> written("  Anna   Maria ")
    'Anna Maria'
    >>> written("\u200d"), len(written("\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"))
    ('', 7)
    """
    called = " ".join(unicodedata.normalize("NFC", called).split())
    drawn = called.translate(JOINERS)
    if not drawn.isprintable() or len(called) > NAME_MOST:
        raise MessageError(f"name: expected up to {NAME_MOST} letters")
    return called if drawn else ""
