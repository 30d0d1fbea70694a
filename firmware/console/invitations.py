"""Invitations: a link that signs one telephone in as the dealer, once, with nothing to type.

It is shown only to the dealer: on the machine's screen, or printed with the PINs.
"""

from __future__ import annotations

import secrets
from base64 import b32encode

from firmware.console.access import Access, Session, seal
from firmware.console.pins import Role
from firmware.console.throttle import TooManyAttemptsError
from firmware.errors import AccessError

BYTES = 10
"""A choice: 80 bits, 16 letters, are beyond guessing, and their QR code stays small."""
LASTS_S = 900.0
"""A choice: time to fetch a telephone and join the table's network, and not much more."""
MOST = 4
"""Largest number of open invitations; the oldest is dropped. A choice: for a few telephones."""


class Invitations:
    """The invitations of one console, kept with its PINs as hashes.

    >>> invitations = Invitations(Access())
    >>> code = invitations.make()
    >>> access = invitations.access
    >>> str(access.session(invitations.enter(code, "192.168.1.9")).role)
    'dealer'
    >>> invitations.enter(code, "192.168.1.9")
    Traceback (most recent call last):
    firmware.errors.AccessError: the link from 192.168.1.9 was used before, or is too old
    """

    def __init__(self, access: Access) -> None:
        self.access = access

    def make(self) -> str:
        """A new code; it opens one session within a quarter of an hour.

        Raises `AccessFileError` if it cannot be saved.
        """
        code = b32encode(secrets.token_bytes(BYTES)).decode().lower()
        now = self.access.now()
        there = {one: until for one, until in self.access.invited.items() if until > now}
        newest = sorted(there, key=lambda one: -there[one])[: MOST - 1]
        kept = {one: there[one] for one in newest}
        self.access.invite({**kept, seal(code): now + LASTS_S})
        return code

    def enter(self, code: str, client: str, agent: str = "", own: Session | None = None) -> str:
        """Use up an invitation; returns the dealer's token. The caller's previous session ends.

        Raises `AccessError` for a code that was used, has expired, or never existed.
        """
        open_ = dict(self.access.invited)
        until = open_.pop(seal(code.lower()), 0.0)
        if not self.access.now() < until <= self.access.now() + LASTS_S:
            wait = self.access.throttle.wrong(client, self.access.clock())
            if wait:
                raise TooManyAttemptsError(client, wait)
            raise AccessError(f"the link from {client} was used before, or is too old")
        self.access.invite(open_)
        if own is not None:
            self.access.revoke(own.name)
        return self.access.admit(Role.DEALER, client, agent)


def invitation_url(home: str, code: str) -> str:
    """The link of an invitation; the part after the ``#`` never leaves the telephone by itself.

    >>> invitation_url("http://10.0.0.2:8080/", "abcd")
    'http://10.0.0.2:8080/#/enter/abcd'
    """
    return f"{home}#/enter/{code}"
