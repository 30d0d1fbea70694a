"""Who may use the console: two PINs, and the sessions that were opened with them.

A PIN is kept as a scrypt hash and can be shown only when it is made. The dealer's PIN opens a
session that may write, the viewers' one that may look. Wrong PINs cost time.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from hashlib import scrypt, sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any

from firmware.console.throttle import Throttle
from firmware.errors import AccessError, SettingsError
from firmware.settings.settings import write_whole

PIN_DIGITS = 6
"""As many as people copy from a sheet without a slip; guessing is slowed by `Throttle`."""
COST, BLOCK = 2**14, 8
"""The work of scrypt: 16 MB and some 50 ms on a desk computer, a fifth of a second on a Pi 4."""
LASTS_S = 7 * 24 * 3600.0
"""How long a session lasts: from one club evening to the next."""
SESSIONS_MOST = 64
"""More than a club has telephones; the oldest gives way."""
AGENT_MOST = 120


class Role(StrEnum):
    """What a session may do."""

    DEALER = "dealer"
    """Look and write."""
    VIEWER = "viewer"
    """Look only."""


@dataclass(frozen=True)
class Pins:
    """The two PINs in plain digits, as they are shown once."""

    dealer: str
    viewer: str

    def __repr__(self) -> str:
        return "Pins(dealer=…, viewer=…)"


@dataclass(frozen=True)
class Session:
    """One device that has given a PIN.

    `seal` is the hash of the token that the device holds; `since` is in seconds since 1970.
    """

    seal: str
    role: Role
    client: str
    agent: str
    since: float

    @property
    def name(self) -> str:
        """How the session is called when it is shown or revoked: tells nothing of its token."""
        return self.seal[:12]

    @property
    def may_write(self) -> bool:
        """Whether it may change anything."""
        return self.role is Role.DEALER


@dataclass(frozen=True)
class _Keys:
    """The hashes of both PINs, made with one salt so that one guess costs one hash."""

    salt: str
    dealer: str
    viewer: str

    @classmethod
    def of(cls, pins: Pins) -> _Keys:
        salt = secrets.token_hex(16)
        return cls(salt, _hashed(pins.dealer, salt), _hashed(pins.viewer, salt))

    def role(self, pin: str) -> Role | None:
        """What `pin` opens; takes the same time whatever it is."""
        given = _hashed(pin, self.salt)
        dealer, viewer = compare_digest(given, self.dealer), compare_digest(given, self.viewer)
        return Role.DEALER if dealer else Role.VIEWER if viewer else None


def _hashed(pin: str, salt: str) -> str:
    key = scrypt(pin.encode(), salt=bytes.fromhex(salt), n=COST, r=BLOCK, p=1)
    return key.hex()


def _seal(token: str) -> str:
    return sha256(token.encode()).hexdigest()


@dataclass
class Access:
    """The PINs' hashes and the sessions, kept in a file that only its owner may read.

    Without a `path` they last as long as the object. All methods may be called from any thread.

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
    _keys: _Keys | None = field(default=None, repr=False)
    _sessions: dict[str, Session] = field(default_factory=dict, repr=False)
    _read_at: tuple[int, int] | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def __post_init__(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Read the file anew if another process has written it, as for new PINs."""
        stamp = self._stamp()
        if self.path is None or stamp is None or stamp == self._read_at:
            return
        keys, sessions = _read(self.path)
        with self._lock:
            self._keys, self._sessions, self._read_at = keys, sessions, stamp

    def _stamp(self) -> tuple[int, int] | None:
        """What tells one version of the file from another."""
        try:
            found = self.path.stat() if self.path is not None else None
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_ino) if found else None

    @property
    def ready(self) -> bool:
        """Whether there are PINs; without them nobody can come in."""
        return self._keys is not None

    def renew(self, keep: Session | None = None) -> Pins:
        """Make new PINs, and end every session but that of whoever asks."""
        dealer, viewer = secrets.SystemRandom().sample(range(10**PIN_DIGITS), 2)
        pins = Pins(f"{dealer:0{PIN_DIGITS}}", f"{viewer:0{PIN_DIGITS}}")
        keys = _Keys.of(pins)
        with self._lock:
            self._keys = keys
            kept = keep is not None and keep.seal in self._sessions
            self._sessions = {keep.seal: keep} if keep is not None and kept else {}
            self._store()
        return pins

    def login(self, pin: str, client: str, agent: str = "") -> tuple[str, Role]:
        """Open a session; gives its token, which is not kept, and its role.

        Raises `AccessError` for a wrong PIN, or where too many were tried from `client`.
        """
        self.throttle.attempt(client, self.clock())
        keys = self._keys
        role = keys.role(pin) if keys is not None else None
        if role is None:
            raise AccessError(f"the PIN from {client} opens nothing")
        self.throttle.forgive(client)
        token = secrets.token_urlsafe(32)
        session = Session(_seal(token), role, client, agent[:AGENT_MOST], self.now())
        with self._lock:
            if self._keys is not keys:
                raise AccessError(f"the PIN from {client} was changed while it was tried")
            self._make_room()
            self._sessions[session.seal] = session
            self._store()
        return token, role

    def _make_room(self) -> None:
        for seal, session in list(self._sessions.items()):
            if self._is_over(session):
                del self._sessions[seal]
        while len(self._sessions) >= SESSIONS_MOST:
            del self._sessions[min(self._sessions, key=lambda s: self._sessions[s].since)]

    def _is_over(self, session: Session) -> bool:
        return self.now() - session.since >= LASTS_S

    def session(self, token: str) -> Session | None:
        """The session of that token, unless it is over."""
        with self._lock:
            session = self._sessions.get(_seal(token))
        return None if session is None or self._is_over(session) else session

    @property
    def sessions(self) -> tuple[Session, ...]:
        """All sessions, the newest first."""
        with self._lock:
            lasting = [one for one in self._sessions.values() if not self._is_over(one)]
        return tuple(sorted(lasting, key=lambda session: -session.since))

    def revoke(self, name: str) -> bool:
        """End the session of that name; whether there was one."""
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
        text = json.dumps({"keys": asdict(self._keys), "sessions": sessions}, indent=1)
        try:
            write_whole(self.path, text)
        except OSError as error:
            raise AccessError(f"{self.path}: cannot be written: {error.strerror}") from error
        self._read_at = self._stamp()


def _read(path: Path) -> tuple[_Keys, dict[str, Session]]:
    try:
        stored: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        keys = _Keys(**stored["keys"])
        bytes.fromhex(keys.salt)
        sessions = [Session(**{**one, "role": Role(one["role"])}) for one in stored["sessions"]]
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise SettingsError(f"{path}: the console's PINs expected, and it is damaged") from error
    return keys, {session.seal: session for session in sessions}
