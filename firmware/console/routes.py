"""The addresses of the site, and what each of them answers."""

from __future__ import annotations

from collections.abc import Callable
from mimetypes import guess_type
from pathlib import Path
from typing import TypeVar

from aiohttp import web

from firmware.console import health, secrecy, setup
from firmware.console.access import LASTS_S, PIN_DIGITS, Session
from firmware.console.book import Book
from firmware.console.guard import (
    ACCESS,
    BODY_MOST,
    TOKEN,
    body,
    client_of,
    guard,
    harden,
    refuse,
    session_of,
)
from firmware.console.mending import adding, card_at, cards_of, missing
from firmware.console.messages import text
from firmware.console.picture import Values
from firmware.console.sheet import qr_svg
from firmware.console.site import Site
from firmware.console.telling import Teller
from firmware.errors import MessageError
from rules.cards import Card
from rules.errors import RulesError
from rules.match import Hand

T = TypeVar("T")
PAGE = Path(__file__).parent / "page"
MODULE = "text/javascript"
"""What browsers want modules to be called; the system's table may say otherwise."""


def application(site: Site) -> web.Application:
    """The site as an application of aiohttp."""
    app = web.Application(middlewares=[guard(site.access)], client_max_size=BODY_MOST)
    app[ACCESS] = site.access
    app.on_response_prepare.append(harden)
    app.on_shutdown.append(site.close)
    routes = Routes(site)
    app.router.add_get("/", routes.page)
    app.router.add_get("/page/{name}", routes.page)
    app.router.add_get("/api/live", site.live)
    for name in ("words", "me", "hands", "record", "card", "missing", "setup", "sign"):
        app.router.add_get(f"/api/{name}", getattr(routes, name))
    app.router.add_get(r"/api/hands/{hand:\d{1,9}}", routes.hand)
    app.router.add_get(r"/api/acts/{number:\d{1,9}}", routes.act)
    app.router.add_get(r"/api/why/{hand:\d{1,9}}/{number:\d{1,9}}", routes.why)
    app.router.add_get(r"/api/crops/{name:[0-9a-f]{64}}", routes.crop)
    app.router.add_get("/api/health", routes.health)
    app.router.add_get("/api/sessions", routes.sessions)
    for name in ("login", "logout", "add", "revoke", "pins"):
        app.router.add_post(f"/api/{name}", getattr(routes, name))
    app.router.add_post("/api/setup", routes.set_up)
    app.router.add_get("/api/secret", routes.secret)
    app.router.add_post("/api/secret", routes.tell_secret)
    app.router.add_post("/api/secret/try", routes.try_secret)
    return app


def _json(value: Values | list[Values]) -> web.Response:
    return web.json_response(value)


class Routes:
    """The answers; all of them in the server's thread, the book's in its own."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._files = {path.name: path.read_bytes() for path in sorted(PAGE.iterdir())}

    async def page(self, request: web.Request) -> web.Response:
        """The page itself and what it is made of."""
        name = request.match_info.get("name", "index.html")
        if name not in self._files:
            return refuse("not-found", 404)
        kind = MODULE if name.endswith(".js") else guess_type(name)[0] or "text/plain"
        charset = "utf-8" if kind.startswith("text/") else None
        return web.Response(body=self._files[name], content_type=kind, charset=charset)

    async def words(self, _: web.Request) -> web.Response:
        """The labels of the page; they tell nothing of the table."""
        words = self.site.artist.words
        return _json({"language": words.language, "page": dict(words.page)})

    # Signing in and out.

    async def login(self, request: web.Request) -> web.Response:
        """Open a session with a PIN."""
        pin = text(await body(request), "pin").replace(" ", "")
        if len(pin) != PIN_DIGITS or not (pin.isascii() and pin.isdecimal()):
            raise MessageError(f"pin: {PIN_DIGITS} digits expected")
        client, agent = client_of(request), request.headers.get("User-Agent", "")
        access = self.site.access
        token, role = await self.site.sign(lambda: access.login(pin, client, agent))
        response = _json({"role": str(role)})
        response.set_cookie(
            TOKEN, token, max_age=int(LASTS_S), path="/", httponly=True, samesite="Strict"
        )
        return response

    async def logout(self, request: web.Request) -> web.Response:
        """End the own session."""
        self.site.access.revoke(session_of(request).name)
        response = _json({})
        response.del_cookie(TOKEN, path="/")
        return response

    async def me(self, request: web.Request) -> web.Response:
        """What the own session may do."""
        return _json({"role": str(session_of(request).role)})

    async def sessions(self, request: web.Request) -> web.Response:
        """All sessions, for the dealer."""
        own = self._dealer(request)
        return _json([_session(one, own) for one in self.site.access.sessions])

    async def revoke(self, request: web.Request) -> web.Response:
        """End a session."""
        name = text(await body(request), "name")
        return _json({"ended": self.site.access.revoke(name)})

    async def pins(self, request: web.Request) -> web.Response:
        """Make new PINs and show them once; every other session ends."""
        own = session_of(request)
        pins = await self.site.sign(lambda: self.site.access.renew(own))
        urls = list(self.site.urls)
        codes = {"dealer": pins.dealer, "viewer": pins.viewer}
        return _json({"pins": codes, "urls": urls, "qr": qr_svg(urls[0])})

    def _dealer(self, request: web.Request) -> Session:
        session = session_of(request)
        if not session.may_write:
            raise web.HTTPForbidden
        return session

    # What was played.

    async def _told(self, question: Callable[[Book, Teller], T]) -> T:
        artist = self.site.artist
        return await self.site.read(lambda book: question(book, Teller(book, artist)))

    async def hands(self, _: web.Request) -> web.Response:
        """The last hands."""
        return _json(await self._told(lambda _, teller: teller.hands()))

    async def hand(self, request: web.Request) -> web.Response:
        """One hand, step by step."""
        wanted = int(request.match_info["hand"])
        return _json(await self._told(lambda book, teller: teller.hand(_hand(book, wanted))))

    async def why(self, request: web.Request) -> web.Response:
        """What led to an act's calls and violations."""
        wanted, act = int(request.match_info["hand"]), int(request.match_info["number"])
        why = await self._told(lambda book, teller: teller.why(_hand(book, wanted), act))
        return _json(why) if why is not None else refuse("not-found", 404)

    async def crop(self, request: web.Request) -> web.Response:
        """A picture of a card, by its hash."""
        picture = await self.site.read(lambda book: book.crop(request.match_info["name"]))
        if picture is None:
            return refuse("not-found", 404)
        return web.Response(body=picture, content_type="image/jpeg")

    async def record(self, request: web.Request) -> web.Response:
        """The record of one hand, or of all, to keep."""
        wanted = request.query.get("hand", "")
        if wanted and not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 10):
            raise MessageError("hand: a number expected")

        def written(book: Book) -> str:
            return book.record([_hand(book, int(wanted))] if wanted else book.hands)

        name = f"hand-{wanted}.txt" if wanted else "record.txt"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return web.Response(text=await self.site.read(written), headers=headers)

    # Putting right.

    async def card(self, request: web.Request) -> web.Response:
        """The card at a place, and what it may be instead."""
        spot, place = request.query.get("spot", ""), request.query.get("place", "0")
        if not (place.isascii() and place.isdecimal() and len(place) < 4):
            raise MessageError("place: a number expected")
        artist, snapshot = self.site.artist, self.site.table.desk.snapshot()
        found = await self.site.read(lambda book: card_at(book, artist, snapshot, spot, int(place)))
        return _json(found) if found is not None else refuse("not-found", 404)

    async def act(self, request: web.Request) -> web.Response:
        """An act of the hand in play, and what its cards may be instead."""
        wanted = int(request.match_info["number"])
        artist, snapshot = self.site.artist, self.site.table.desk.snapshot()
        found = await self.site.read(lambda book: cards_of(book, artist, snapshot, wanted))
        return _json(found) if found is not None else refuse("not-found", 404)

    async def missing(self, request: web.Request) -> web.Response:
        """The cards that may have been missed at a spot."""
        spot, artist = request.query.get("spot", ""), self.site.artist
        found = await self.site.read(lambda book: missing(book, artist, spot))
        return _json(found) if found is not None else refuse("not-found", 404)

    async def add(self, request: web.Request) -> web.Response:
        """Add a card that was missed, as if the camera had seen it."""
        sent = await body(request)
        spot, name = text(sent, "spot"), text(sent, "card")
        try:
            card = Card.parse(name)
        except RulesError as error:
            raise MessageError(f"card: {error}") from error
        line = await self.site.read(lambda book: adding(book, spot, card))
        if not line:
            raise MessageError(f"no act brings {card} to {spot}")
        self.site.table.desk.type(line)
        return _json({"line": line})

    # The table.

    async def setup(self, request: web.Request) -> web.Response:
        """What can be chosen, and what was chosen last."""
        self._dealer(request)
        return _json(setup.form(self.site.table.settings))

    async def set_up(self, request: web.Request) -> web.Response:
        """Begin anew with what was chosen; a hand in play is broken off only if that is said."""
        sent = await body(request)
        table = self.site.table
        settings = setup.changed(table.settings, sent)
        settings.rules()
        if table.desk.snapshot().count and sent.get("break_off") is not True:
            return refuse("in-play", 409)
        table.wanted(settings)
        return _json({"language": settings.language})

    async def secret(self, request: web.Request) -> web.Response:
        """Whether the hand wants a secret rule, and which are offered."""
        self._dealer(request)
        return _json(secrecy.form(self.site.table.desk.snapshot()))

    async def try_secret(self, request: web.Request) -> web.Response:
        """Which cards a rule would let follow a line; for whoever asks, and for nobody else."""
        self._dealer(request)
        return _json(secrecy.tried(await body(request)))

    async def tell_secret(self, request: web.Request) -> web.Response:
        """Tell the device a rule, which is sealed at once; nothing gives it back."""
        self._dealer(request)
        rule = secrecy.tried(await body(request))["text"]
        desk = self.site.table.desk
        if not desk.snapshot().secret:
            return refuse("no-secret", 409)
        desk.keep(rule)
        return _json({})

    async def sign(self, _: web.Request) -> web.Response:
        """Limits and house rules in words."""
        site = self.site
        limits = site.table.desk.snapshot().limits
        return _json(setup.sign(site.table.settings, site.artist, limits))

    async def health(self, _: web.Request) -> web.Response:
        """How the appliance is."""
        site = self.site
        words, table = site.artist.words, site.table
        snapshot, still, pages = table.desk.snapshot(), site.still_s, len(site.hub.pages)
        folder = (table.journal or Path(table.settings.journal)).parent

        def checked(book: Book | None) -> Values:
            own = health.own_checks(words, snapshot, still, book, pages)
            board = health.checks(folder, words.language)
            told = [health.told(check, words) for check in (*own, *board)]
            return {"checks": told, "head": book.head if book else None}

        if await site.has_book() is None:
            return _json(checked(None))
        return _json(await site.read(checked))


def _session(session: Session, own: Session) -> Values:
    return {
        "name": session.name,
        "role": str(session.role),
        "client": session.client,
        "agent": session.agent,
        "since": session.since,
        "own": session == own,
    }


def _hand(book: Book, wanted: int) -> Hand:
    hand = book.hand(wanted)
    if hand is None:
        raise MessageError(f"there is no hand {wanted}")
    return hand
