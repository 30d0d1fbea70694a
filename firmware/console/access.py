"""Who may use the console: two PINs, and the sessions opened with them.

A PIN is kept as a scrypt hash and can be shown only when it is made. The dealer's PIN opens a
session that may write; the viewers' PIN, one that may look. A right PIN always works, however many
wrong ones were tried and whoever else is signed in.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from firmware.console.memory import Devices, Remembered
from firmware.console.pins import DEALER_DIGITS, VIEWER_DIGITS, Keys, Pins, Role, digits
from firmware.console.throttle import FREE, Throttle, TooManyAttemptsError
from firmware.errors import AccessError, AccessFileError, SettingsError
from firmware.files import unused, write_whole
from firmware.store.clock import Steps

LASTS_S = 7 * 24 * 3600.0
"""How long a session lasts: from one club evening to the next. A choice."""
SESSIONS_MOST = {"dealer": 16, "viewer": 48, "player": 32}
"""Sessions of each role: more than a club has telephones. When full, the oldest of the role is
dropped. A choice.
"""
GUESTS_EACH = 12
"""Guests' sessions from one address; when full, the oldest of that address is dropped. A choice."""
AGENT_MOST = 120
"""Length kept of the browser's description of itself. A choice: its name is in the first hundred
characters.
"""


@dataclass(frozen=True)
class Session:
    """A device that is signed in.

    `seal` is the hash of the token that the device holds; `since` is in seconds since 1970.
    """

    seal: str
    role: Role
    client: str
    agent: str
    since: float
    seat: int = 0
    """A player's seat; 0 if none."""
    called: str = ""
    """The name that the player chose."""

    @property
    def name(self) -> str:
        """The name by which the session is listed and revoked; it reveals nothing of the token."""
        return self.seal[:12]

    @property
    def may_write(self) -> bool:
        """Whether it may change anything."""
        return self.role is Role.DEALER


@dataclass(frozen=True)
class _Seats:
    """The secret from which the seats' codes are made, and whether telephones are allowed."""

    key: str = field(default_factory=lambda: secrets.token_hex(16))
    on: bool = True
    names: Mapping[str, str] = field(default_factory=dict)
    """The names that the dealer gives the players, by the seat's number in digits."""


def seal(token: str) -> str:
    """The hash under which a token or a code is kept."""
    return sha256(token.encode()).hexdigest()


@dataclass
class Access:
    """The PINs' hashes and the sessions, kept in a file that only its owner can read.

    Without a `path`, they last as long as the object. All methods may be called from any thread.

    >>> access = Access()
    >>> pins = access.renew()
    >>> token, role = access.login(pins.viewer, "192.168.1.9")
    >>> str(role), access.session(token).may_write
    ('viewer', False)
    """

    path: Path | None = None
    now: Callable[[], float] = time.time
    clock: Callable[[], float] = time.monotonic
    throttle: Throttle = field(default_factory=Throttle)
    fault: str = ""
    """What was wrong with the file at the start."""
    watching: frozenset[str] = frozenset()
    """The seals of sessions with an open page: they are dropped last when room is needed."""
    _keys: Keys | None = field(default=None, repr=False)
    _sessions: dict[str, Session] = field(default_factory=dict, repr=False)
    _seats: _Seats = field(default_factory=_Seats, repr=False)
    _invited: dict[str, float] = field(default_factory=dict, repr=False)
    remembered: Remembered = field(default_factory=Remembered, repr=False)
    """The dealer's PIN, once it has been made or entered since the start."""
    _read_at: tuple[int, int] | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def __post_init__(self) -> None:
        self._steps = Steps(self.clock, self.now)
        try:
            self.refresh()
        except SettingsError as error:
            self.fault = self._without(error)

    def _without(self, error: SettingsError) -> str:
        """Go on without the file, which requires new PINs; returns what to report about it."""
        with suppress(OSError):
            if self.path is not None and self.path.is_file():
                aside = unused(self.path, "damaged")
                self.path.replace(aside)
                return f"{error}; it is kept as {aside.name}, and new PINs are made"
        return f"{error}; new PINs are made"

    def refresh(self) -> None:
        """Reload the file if another process has written it, for instance when it made new PINs."""
        stamp = self._stamp()
        if self.path is None or stamp is None or stamp == self._read_at:
            return
        keys, sessions, seats, invited = _read(self.path)
        with self._lock:
            if keys != self._keys:
                self.remembered.forget()
            self._keys, self._sessions, self._read_at = keys, sessions, stamp
            self._invited = invited
            self._seats = seats or self._seats

    def _stamp(self) -> tuple[int, int] | None:
        """What distinguishes one version of the file from another."""
        try:
            found = self.path.stat() if self.path is not None else None
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_ino) if found else None

    @property
    def ready(self) -> bool:
        """Whether there are PINs; without them nobody can sign in."""
        return self._keys is not None

    def renew(self, keep: Session | None = None) -> Pins:
        """Make new PINs, and end every session but the caller's own.

        Raises `AccessFileError` if they cannot be saved.
        """
        pins = Pins(digits(DEALER_DIGITS), digits(VIEWER_DIGITS))
        keys = Keys.of(pins)
        with self._lock:
            before = self._keys, self._sessions, self._invited
            kept = keep is not None and keep.seal in self._sessions
            self._keys, self._sessions = keys, {keep.seal: keep} if keep and kept else {}
            self._invited = {}
            self.remembered.forget()
            try:
                self._store()
            except AccessFileError:  # keep the old: the new ones would be lost at the next start
                self._keys, self._sessions, self._invited = before
                raise
            self.remembered.keep(pins.dealer)
        return pins

    def login(self, pin: str, client: str, agent: str = "", device: str = "") -> tuple[str, Role]:
        """Open a session; returns its token, which is not kept, and its role.

        Raises `AccessError` for a wrong PIN; after too many from `client`, it says how long to
        wait. A session that cannot be saved lasts until the program ends.
        """
        keys = self._keys
        if self.remembered.holds(pin):
            role: Role | None = Role.DEALER
        else:
            role = keys.role(pin) if keys is not None else None
        if role is None:
            if device:
                self.throttle.wrong(device, self.clock())
            wait = self.throttle.wrong(client, self.clock())
            if wait:
                raise TooManyAttemptsError(client, wait)
            raise AccessError(f"the PIN from {client} opens nothing")
        with self._lock:
            if self._keys is not keys:
                raise AccessError(f"the PIN from {client} was changed while it was tried")
            if role is Role.DEALER:
                self.throttle.forgive(client)
                self.remembered.keep(pin)
            return self.admit(role, client, agent), role

    def admit(
        self, role: Role, client: str, agent: str = "", *, seat: int = 0, called: str = ""
    ) -> str:
        """Open a session without a PIN, for somebody entitled to it; returns its token."""
        token = secrets.token_urlsafe(32)
        session = Session(seal(token), role, client, agent[:AGENT_MOST], self.now(), seat, called)
        with self._lock:
            self._make_room(role, client)
            self._sessions[session.seal] = session
            with suppress(AccessFileError):
                self._store()
        return token

    def call(self, session: Session, called: str) -> None:
        """Set the name of a session's player."""
        with self._lock:
            if session.seal in self._sessions:
                self._sessions[session.seal] = replace(self._sessions[session.seal], called=called)
                with suppress(AccessFileError):
                    self._store()

    @property
    def seat_key(self) -> str:
        """The secret from which the seats' codes are made, as hexadecimal digits."""
        return self._seats.key

    @property
    def telephones(self) -> bool:
        """Whether players may sit down and act with their telephones."""
        return self._seats.on

    def switch_telephones(self, on: bool) -> None:
        """Allow or forbid players' telephones; raises `AccessFileError`."""
        with self._lock:
            self._seats = replace(self._seats, on=on)
            self._store()

    def renew_seats(self) -> None:
        """Replace the secret from which the seats' codes are made; raises `AccessFileError`."""
        with self._lock:
            self._seats = _Seats(on=self._seats.on, names=self._seats.names)
            self._store()

    @property
    def names(self) -> Mapping[int, str]:
        """The names that the dealer gives the players at the seats."""
        return {int(seat): name for seat, name in self._seats.names.items()}

    def name_seat(self, seat: int, called: str) -> None:
        """Name the player at a seat, or remove the name; raises `AccessFileError`."""
        with self._lock:
            names = {**self._seats.names, str(seat): called}
            kept = {one: name for one, name in names.items() if name}
            self._seats = replace(self._seats, names=kept)
            self._store()

    @property
    def invited(self) -> Mapping[str, float]:
        """The hashes of the open invitations' codes, each with its expiry."""
        return self._invited

    def invite(self, invited: Mapping[str, float]) -> None:
        """Replace the open invitations with these; raises `AccessFileError`."""
        with self._lock:
            self._invited = dict(invited)
            self._store()

    @property
    def devices(self) -> Devices:
        """The marks of the dealer's devices; new PINs make all of them worthless."""
        return Devices(self._keys.dealer if self._keys is not None else "")

    def knows(self, device: str) -> bool:
        """Whether the mark belongs to one of the dealer's devices, which nobody guesses from."""
        return self.devices.made(device) and self.throttle.guesses(device, self.clock()) < FREE

    def right_of(self, client: str, device: str = "", pin: str = "") -> int:
        """Priority of a PIN to be checked; smaller numbers come first.

        First the dealer's own PIN, if it is remembered, then the dealer's devices, then whoever has
        caused the least slow work: recent wrong PINs, and guests' sessions.
        """
        if self.remembered.glanced(pin, self.clock()):
            return 0
        if self.knows(device):
            return 1
        with self._lock:
            guests = sum(
                one.client == client and not one.may_write for one in self._sessions.values()
            )
        return 2 + guests + self.throttle.guesses(client, self.clock())

    def _make_room(self, role: Role, client: str) -> None:
        """Drop expired sessions, then as many of the same role as needed to admit one more."""
        for seal, session in list(self._sessions.items()):
            if self._is_over(session):
                del self._sessions[seal]
        same = [one for one in self._sessions.values() if one.role is role]
        same.sort(key=lambda one: (one.seal in self.watching, one.since))
        here = [one for one in same if one.client == client]
        if role is not Role.DEALER and len(here) >= GUESTS_EACH:
            same = here
        elif len(same) < SESSIONS_MOST[role]:
            return
        del self._sessions[same[0].seal]

    def _is_over(self, session: Session) -> bool:
        self._follow_the_clock()
        since = self._sessions[session.seal].since if session.seal in self._sessions else 0.0
        return self.now() - since >= LASTS_S

    def _follow_the_clock(self) -> None:
        """Keep session ages right when the time of day is set while the program runs."""
        with self._lock:
            step = self._steps.taken()
            if step:
                self._sessions = {
                    seal: replace(one, since=one.since + step)
                    for seal, one in self._sessions.items()
                }

    def session(self, token: str) -> Session | None:
        """The session of that token, unless it has ended."""
        self._follow_the_clock()
        with self._lock:
            session = self._sessions.get(seal(token))
        return None if session is None or self._is_over(session) else session

    @property
    def sessions(self) -> tuple[Session, ...]:
        """All sessions, newest first."""
        with self._lock:
            lasting = [one for one in self._sessions.values() if not self._is_over(one)]
        return tuple(sorted(lasting, key=lambda session: -session.since))

    def revoke(self, name: str) -> bool:
        """End the session of that name; returns whether there was one."""
        with self._lock:
            seals = [seal for seal, session in self._sessions.items() if session.name == name]
            for seal in seals:
                del self._sessions[seal]
            if seals:
                self._store()
        return bool(seals)

    def _store(self) -> None:
        if self.path is None or self._keys is None:
            return
        sessions = [asdict(session) for session in self._sessions.values()]
        seats = asdict(self._seats)
        kept = {"keys": asdict(self._keys), "sessions": sessions, "seats": seats}
        text = json.dumps({**kept, "invited": self._invited}, indent=1)
        try:
            write_whole(self.path, text)
        except OSError as error:
            raise AccessFileError(f"{self.path}: cannot be written: {error.strerror}") from error
        self._read_at = self._stamp()


def _check_names(names: Mapping[str, str]) -> None:
    """Raise `ValueError` for names that this program did not write."""
    for seat, name in names.items():
        if int(seat) < 1 or not isinstance(name, str) or not name.isprintable():
            raise ValueError(seat)


_Stored = tuple[Keys, dict[str, Session], _Seats | None, dict[str, float]]


def _read(path: Path) -> _Stored:
    try:
        stored: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        keys = Keys(**stored["keys"])
        bytes.fromhex(keys.salt)
        if not 2 <= keys.cost <= 2**16 or keys.cost & (keys.cost - 1):
            raise ValueError(keys.cost)
        sessions = [Session(**{**one, "role": Role(one["role"])}) for one in stored["sessions"]]
        seats = _Seats(**stored["seats"]) if "seats" in stored else None
        bytes.fromhex(seats.key if seats else "")
        _check_names(seats.names if seats else {})
        invited = {str(one): float(until) for one, until in stored.get("invited", {}).items()}
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError) as error:
        raise SettingsError(
            f"{path}: expected the console's PINs, but the file is damaged"
        ) from error
    return keys, {session.seal: session for session in sessions}, seats, invited
