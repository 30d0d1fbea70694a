"""Checks on every request: who asks, from where, and with what right."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from aiohttp import web

from firmware.console.access import Access, Session
from firmware.console.door import Door, Standing
from firmware.console.queue import Busy
from firmware.console.seating import (
    DealerSitsError,
    NoSeatError,
    SeatTakenError,
    TelephonesOffError,
)
from firmware.console.throttle import TooManyAttemptsError
from firmware.errors import (
    AccessError,
    AccessFileError,
    JournalError,
    MessageError,
    SettingsError,
)
from firmware.settings.network import is_near, is_our_name, is_same_origin
from rules.errors import RulesError

OPEN = frozenset({"/api/words", "/api/login", "/api/sit", "/api/enter"})
"""The paths that need no session, besides the page itself."""
SAFE = frozenset({"GET", "HEAD"})
ANYONE = frozenset({"/api/logout", "/api/name"})
"""The paths to which every session may write."""
BODY_MOST = 65536
"""Largest request body, in bytes. A choice: our longest, a table's spots, takes a tenth."""
BODY_S = 5.0
"""How long a body may take to arrive; ours are small. A choice."""
ASKING: ContextVar[Session | None] = ContextVar("asking", default=None)
"""The session whose request is being answered."""
ACCESS = web.AppKey("access", Access)
DOOR = web.AppKey("door", Door)
COOKIE = web.AppKey("cookie", str)
"""The name of the cookie that holds a session's token."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self' ws://{host}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
log = logging.getLogger(__name__)


def answer(**values: object) -> str:
    """Values as a JSON response."""
    return json.dumps(values, ensure_ascii=False)


def refuse(why: str, status: int, says: str = "", **headers: str) -> web.Response:
    """A response that says that nothing was done and why, in the page's terms."""
    return web.json_response({"refused": why, "says": says}, status=status, headers=headers)


def client_of(request: web.Request) -> str:
    """The address that a request comes from."""
    return request.remote or ""


def token_of(request: web.Request) -> str:
    """The token that a request carries, or an empty string."""
    return request.cookies.get(request.app[COOKIE], "")


def device_cookie(cookie: str) -> str:
    """The name of the cookie that holds the mark of a dealer's device."""
    return f"{cookie}-device"


def device_of(request: web.Request) -> str:
    """The mark that a request carries, or an empty string."""
    return request.cookies.get(device_cookie(request.app[COOKIE]), "")


def session_of(request: web.Request) -> Session:
    """The session of an admitted request."""
    session = request.app[ACCESS].session(token_of(request))
    if session is None:  # it has ended in the meantime
        raise web.HTTPUnauthorized
    return session


def guard(access: Access) -> Any:
    """The check on every request: none bypasses it, and no error escapes it."""

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        fault = _fault(request, access)
        if fault is not None:
            return fault
        try:
            return await handler(request)
        except web.HTTPException as error:
            if error.status < 400:
                raise
            return refuse("not-found" if error.status == 404 else "request", error.status)
        except Exception as error:
            return _told(error)

    return guarded


def _fault(request: web.Request, access: Access) -> web.Response | None:
    """Why a request is turned away before it is read; None if it is not."""
    if not is_near(client_of(request)):
        return refuse("far", 403)
    if not is_our_name(request.host):
        return refuse("host", 421)
    writes = request.method not in SAFE
    if (writes or request.path == "/api/live") and not is_same_origin(
        request.headers.get("Origin"), request.host
    ):
        return refuse("origin", 403)
    session = access.session(token_of(request))
    ASKING.set(session)
    known = session is None and access.knows(device_of(request))
    request.app[DOOR].heard(request.transport, _standing(session, known=known))
    if request.path in OPEN or not request.path.startswith("/api/"):
        return None
    if session is None:
        return refuse("signed-out", 401)
    if writes and not session.may_write and request.path not in ANYONE:
        return refuse("viewer", 403)
    return None


def _standing(session: Session | None, *, known: bool) -> Standing:
    if session is None:
        return Standing.KNOWN if known else Standing.ASKED
    return Standing.DEALER if session.may_write else Standing.GUEST


def _told(error: Exception) -> web.Response:
    """The response to an error, by who has to deal with it."""
    match error:
        case TooManyAttemptsError():
            wait = str(round(error.wait_s) or 1)
            return refuse("wait", 429, wait, **{"Retry-After": wait})
        case SeatTakenError():
            return refuse("taken", 409, error.name)
        case TelephonesOffError():
            return refuse("telephones-off", 403)
        case NoSeatError():
            return refuse("no-seat", 403)
        case DealerSitsError():
            return refuse("dealer-sits", 409)
        case AccessFileError():
            return refuse("error", 503, str(error))
        case AccessError():
            return refuse("pin", 403)
        case Busy():
            return refuse("busy", 503, **{"Retry-After": "1"})
        case MessageError() | SettingsError() | RulesError():
            return refuse("message", 400, str(error))
        case JournalError():
            return refuse("journal", 503, str(error))
        case ConnectionError():  # the client has gone: not our failure, and nobody reads the answer
            return refuse("error", 503)
        case _:
            log.error("a request failed", exc_info=error)
            return refuse("error", 500)


async def harden(request: web.Request, response: web.StreamResponse) -> None:
    """Add headers that say how a response may be used."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    host = request.host if is_our_name(request.host) else "localhost"
    response.headers.setdefault("Content-Security-Policy", POLICY.format(host=host))


async def body(request: web.Request) -> dict[str, Any]:
    """The JSON object in a request; raises `MessageError` for anything else."""
    if request.content_type != "application/json":
        raise MessageError(f"expected a body of application/json, got {request.content_type}")
    try:
        async with asyncio.timeout(BODY_S):
            value = json.loads(await request.read())
    except (ValueError, RecursionError, TimeoutError) as error:
        raise MessageError("expected a body of JSON") from error
    if not isinstance(value, dict):
        raise MessageError(f"expected a JSON object, got {type(value).__name__}")
    return value
