"""The entrance of a site: its page, its words, and signing in and out."""

from __future__ import annotations

from mimetypes import guess_type
from pathlib import Path

from aiohttp import web

from firmware.console.access import LASTS_S, Session
from firmware.console.invitations import Invitations, invitation_url
from firmware.console.messages import text
from firmware.console.middleware import (
    ACCESS,
    BODY_MOST,
    COOKIE,
    DOOR,
    body,
    client_of,
    device_cookie,
    device_of,
    guard,
    harden,
    refuse,
    session_of,
    token_of,
)
from firmware.console.picture import Values
from firmware.console.pins import DEALER_DIGITS, VIEWER_DIGITS
from firmware.console.sessions import Sessions
from firmware.console.sheet import qr_svg
from firmware.errors import MessageError

PAGE = Path(__file__).parent / "page"
MODULE = "text/javascript"
"""The type by which browsers expect modules; the system's own table may differ."""
KNOWN_S = 400 * 24 * 3600.0
"""How long a browser keeps the mark of a dealer's device. A choice: as long as browsers allow."""
GLANCES_EACH = 4
"""Waiting PINs from one address after which the next is no longer looked up in memory: so nobody
learns faster whether a guess was right than the slow work would tell. A choice.
"""


def entrance(sessions: Sessions) -> web.Application:
    """A site's application with its entrance, and nothing else yet."""
    app = web.Application(middlewares=[guard(sessions.access)], client_max_size=BODY_MOST)
    app[ACCESS], app[COOKIE] = sessions.access, sessions.cookie
    app[DOOR] = sessions.door
    app.on_response_prepare.append(harden)
    app.on_shutdown.append(sessions.close)
    routes = Entrance(sessions)
    app.router.add_get("/", routes.page)
    app.router.add_get("/page/{name}", routes.page)
    app.router.add_get("/api/live", sessions.live)
    app.router.add_get("/api/words", routes.words)
    app.router.add_get("/api/me", routes.me)
    app.router.add_get("/api/sessions", routes.sessions)
    app.router.add_post("/api/login", routes.login)
    app.router.add_post("/api/enter", routes.enter)
    app.router.add_post("/api/logout", routes.logout)
    app.router.add_post("/api/revoke", routes.revoke)
    app.router.add_post("/api/pins", routes.pins)
    app.router.add_post("/api/invite", routes.invite)
    return app


def as_json(value: Values | list[Values]) -> web.Response:
    """Plain values as an answer."""
    return web.json_response(value)


def dealers(request: web.Request) -> Session:
    """The session of a request that only the dealer may make."""
    session = session_of(request)
    if not session.may_write:
        raise web.HTTPForbidden
    return session


def admitted(site: Sessions, token: str) -> web.Response:
    """Say who has signed in, with the cookie that keeps them signed in."""
    session = site.access.session(token)
    assert session is not None  # it was opened a moment ago
    response = as_json(_own(session, site.place))
    response.set_cookie(
        site.cookie, token, max_age=int(LASTS_S), path="/", httponly=True, samesite="Strict"
    )
    if session.may_write:
        mark, name = site.access.devices.make(), device_cookie(site.cookie)
        response.set_cookie(
            name, mark, max_age=int(KNOWN_S), path="/", httponly=True, samesite="Strict"
        )
    return response


class Entrance:
    """The handlers of the entrance; all run in the server's thread."""

    def __init__(self, sessions: Sessions) -> None:
        self.site = sessions
        self.invitations = Invitations(sessions.access)
        self._files = {path.name: path.read_bytes() for path in sorted(PAGE.iterdir())}

    async def page(self, request: web.Request) -> web.Response:
        """The page itself and its parts."""
        name = request.match_info.get("name", "index.html")
        if name not in self._files:
            return refuse("not-found", 404)
        kind = MODULE if name.endswith(".js") else guess_type(name)[0] or "text/plain"
        charset = "utf-8" if kind.startswith("text/") else None
        return web.Response(body=self._files[name], content_type=kind, charset=charset)

    async def words(self, _: web.Request) -> web.Response:
        """The labels of the page; they reveal nothing about the table."""
        words = self.site.words
        return as_json({"language": words.language, "page": dict(words.page)})

    # Signing in and out.

    async def login(self, request: web.Request) -> web.Response:
        """Open a session with a PIN."""
        pin = text(await body(request), "pin").replace(" ", "")
        if len(pin) > DEALER_DIGITS or not (pin.isascii() and pin.isdecimal()):
            raise MessageError(f"pin: expected {VIEWER_DIGITS} or {DEALER_DIGITS} digits")
        client, agent = client_of(request), request.headers.get("User-Agent", "")
        access, device = self.site.access, device_of(request)
        known = device if access.knows(device) else ""
        told = self.site.signing.waiting(client) < GLANCES_EACH
        right = access.right_of(client, known, pin if told else "")
        token, _ = await self.site.sign(
            lambda: access.login(pin, client, agent, known), client, right
        )
        return admitted(self.site, token)

    async def enter(self, request: web.Request) -> web.Response:
        """Open a dealer's session with an invitation; a dealer stays signed in as before."""
        code = text(await body(request), "code")
        own = self.site.access.session(token_of(request))
        if own is not None and own.may_write:
            return as_json(_own(own, self.site.place))
        client, agent = client_of(request), request.headers.get("User-Agent", "")
        return admitted(self.site, self.invitations.enter(code, client, agent, own))

    async def logout(self, request: web.Request) -> web.Response:
        """End one's own session."""
        self.site.access.revoke(session_of(request).name)
        response = as_json({})
        response.del_cookie(self.site.cookie, path="/")
        return response

    async def me(self, request: web.Request) -> web.Response:
        """What one's own session may do."""
        return as_json(_own(session_of(request), self.site.place))

    async def sessions(self, request: web.Request) -> web.Response:
        """All sessions, for the dealer."""
        own = dealers(request)
        return as_json([_session(one, own) for one in self.site.access.sessions])

    async def revoke(self, request: web.Request) -> web.Response:
        """End a session."""
        name = text(await body(request), "name")
        return as_json({"ended": self.site.access.revoke(name)})

    async def pins(self, request: web.Request) -> web.Response:
        """Make new PINs and show them once; every other session ends."""
        own = session_of(request)
        made = await self.site.sign(lambda: self.site.access.renew(own), client_of(request), 0)
        urls, pins = list(self.site.urls), made.shown
        codes = {"dealer": pins.dealer, "viewer": pins.viewer}
        return as_json({"pins": codes, "urls": urls, "qr": qr_svg(urls[0])})

    async def invite(self, _: web.Request) -> web.Response:
        """A code to scan for one more of the dealer's telephones."""
        url = invitation_url(self.site.urls[0], self.invitations.make())
        return as_json({"url": url, "qr": qr_svg(url)})


def _own(session: Session, place: str) -> Values:
    role = str(session.role)
    return {"role": role, "place": place, "seat": session.seat, "name": session.called}


def _session(session: Session, own: Session) -> Values:
    return {
        "name": session.name,
        "role": str(session.role),
        "seat": session.seat,
        "called": session.called,
        "client": session.client,
        "agent": session.agent,
        "since": session.since,
        "own": session == own,
    }
