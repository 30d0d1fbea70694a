"""The site's addresses, and what each of them answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from itertools import islice
from typing import TypeVar

from aiohttp import web

from firmware.console import health, secret, setup
from firmware.console.book import Book
from firmware.console.calibrate import Calibrating
from firmware.console.chart import chart, chart_words
from firmware.console.corrections import adding, card_at, cards_of, missing
from firmware.console.evening import as_csv, told
from firmware.console.history import History
from firmware.console.messages import text
from firmware.console.middleware import body, refuse
from firmware.console.picture import Values
from firmware.console.sign_in import as_json, dealers, entrance
from firmware.console.site import Site
from firmware.console.telephones import Telephones
from firmware.errors import MessageError
from rules.cards import Card
from rules.errors import RulesError
from rules.match import Hand

T = TypeVar("T")
HANDS_AT_ONCE = 20
"""Hands of a record written in one go: takes some hundredths of a second. A choice."""


def application(site: Site) -> web.Application:
    """The site as an aiohttp application."""
    app, routes = entrance(site), Routes(site)
    app.router.add_get("/api/hands", routes.hands)
    app.router.add_get("/api/record", routes.record)
    app.router.add_get("/api/card", routes.card)
    app.router.add_get("/api/missing", routes.missing)
    app.router.add_get("/api/setup", routes.setup)
    app.router.add_get("/api/sign", routes.sign)
    app.router.add_get("/api/health", routes.health)
    app.router.add_get("/api/evening", routes.evening)
    app.router.add_post("/api/evening/end", routes.end_evening)
    app.router.add_get("/api/evening.csv", routes.evening_csv)
    app.router.add_get("/api/evening.svg", routes.evening_svg)
    app.router.add_get(r"/api/hands/{hand:\d{1,9}}", routes.hand)
    app.router.add_get(r"/api/acts/{number:\d{1,9}}", routes.act)
    app.router.add_get(r"/api/why/{hand:\d{1,9}}/{number:\d{1,9}}", routes.why)
    app.router.add_get(r"/api/crops/{name:[0-9a-f]{64}}", routes.crop)
    Calibrating(site).add_to(app)
    Telephones(site).add_to(app)
    app.router.add_post("/api/add", routes.add)
    app.router.add_post("/api/setup", routes.set_up)
    app.router.add_get("/api/secret", routes.secret)
    app.router.add_post("/api/secret", routes.tell_secret)
    app.router.add_post("/api/secret/try", routes.try_secret)
    return app


class Routes:
    """The handlers; all run in the server's thread, the book's work in its own."""

    def __init__(self, site: Site) -> None:
        self.site = site

    # What was played.

    async def _told(self, question: Callable[[Book, History], T]) -> T:
        artist = self.site.artist
        return await self.site.read(lambda book: question(book, History(book, artist)))

    async def hands(self, _: web.Request) -> web.Response:
        """The last hands."""
        return as_json(await self._told(lambda _, history: history.hands()))

    async def hand(self, request: web.Request) -> web.Response:
        """One hand, step by step."""
        wanted = int(request.match_info["hand"])
        return as_json(await self._told(lambda book, history: history.hand(_hand(book, wanted))))

    async def why(self, request: web.Request) -> web.Response:
        """What led to an act's calls and violations."""
        wanted, act = int(request.match_info["hand"]), int(request.match_info["number"])
        why = await self._told(lambda book, history: history.why(_hand(book, wanted), act))
        return as_json(why) if why is not None else refuse("not-found", 404)

    async def crop(self, request: web.Request) -> web.Response:
        """A picture of a card, by its hash."""
        picture = await self.site.read(lambda book: book.crop(request.match_info["name"]))
        if picture is None:
            return refuse("not-found", 404)
        return web.Response(body=picture, content_type="image/jpeg")

    async def record(self, request: web.Request) -> web.StreamResponse:
        """The record of one hand, or of all, to save."""
        wanted = request.query.get("hand", "")
        if wanted and not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 10):
            raise MessageError("hand: expected a number")

        name = f"hand-{wanted}.txt" if wanted else "record.txt"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        if wanted:
            number = int(wanted)
            text = await self.site.read(lambda book: book.record([_hand(book, number)]))
            return web.Response(text=text, headers=headers)
        return await self._streamed(request, headers)

    async def evening(self, _: web.Request) -> web.Response:
        """The evening so far in numbers."""
        evening = await self.site.evening()
        return as_json({**asdict(told(evening)), "names": self.site.seat_names(evening.seats)})

    async def end_evening(self, request: web.Request) -> web.Response:
        """Close the evening between two hands, and begin another with the same settings."""
        dealers(request)
        table = self.site.table
        if table.desk.snapshot().count:
            return refuse("in-play", 409)
        table.end_evening()
        return as_json({})

    async def evening_csv(self, _: web.Request) -> web.Response:
        """The evening as CSV."""
        evening = await self.site.evening()
        headers = {"Content-Disposition": 'attachment; filename="evening.csv"'}
        text = as_csv(evening.rows, evening.seats)
        return web.Response(text=text, content_type="text/csv", charset="utf-8", headers=headers)

    async def evening_svg(self, _: web.Request) -> web.Response:
        """The evening as a chart."""
        evening, page = await self.site.evening(), self.site.words.page
        names = self.site.seat_names(evening.seats)
        picture = chart(evening.rows, evening.seats, names, chart_words(page, evening.of_points))
        return web.Response(text=picture, content_type="image/svg+xml", charset="utf-8")

    async def _streamed(self, request: web.Request, headers: dict[str, str]) -> web.StreamResponse:
        """Send the whole match a few hands at a time, so that others are answered in between."""
        hands = await self.site.read(lambda book: book.records())
        response = web.StreamResponse(headers=headers)
        response.content_type, response.charset = "text/plain", "utf-8"
        await response.prepare(request)
        while part := await self.site.read(lambda _: "".join(islice(hands, HANDS_AT_ONCE))):
            await response.write(part.encode())
        await response.write_eof()
        return response

    # Corrections.

    async def card(self, request: web.Request) -> web.Response:
        """The card at a place, and what else it may be."""
        spot, place = request.query.get("spot", ""), request.query.get("place", "0")
        if not (place.isascii() and place.isdecimal() and len(place) < 4):
            raise MessageError("place: expected a number")
        artist, snapshot = self.site.artist, self.site.table.desk.snapshot()
        found = await self.site.read(lambda book: card_at(book, artist, snapshot, spot, int(place)))
        return as_json(found) if found is not None else refuse("not-found", 404)

    async def act(self, request: web.Request) -> web.Response:
        """An act of the current hand, and what else its cards may be."""
        wanted = int(request.match_info["number"])
        artist, snapshot = self.site.artist, self.site.table.desk.snapshot()
        found = await self.site.read(lambda book: cards_of(book, artist, snapshot, wanted))
        return as_json(found) if found is not None else refuse("not-found", 404)

    async def missing(self, request: web.Request) -> web.Response:
        """The cards that may have been missed at a spot."""
        spot, artist = request.query.get("spot", ""), self.site.artist
        found = await self.site.read(lambda book: missing(book, artist, spot))
        return as_json(found) if found is not None else refuse("not-found", 404)

    async def add(self, request: web.Request) -> web.Response:
        """Add a missed card, as if the camera had seen it."""
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
        return as_json({"line": line})

    # The table.

    async def setup(self, request: web.Request) -> web.Response:
        """What can be chosen, and what was chosen last."""
        dealers(request)
        return as_json(setup.form(self.site.table.settings))

    async def set_up(self, request: web.Request) -> web.Response:
        """Start a new table with these choices; a hand in play is broken off only on request.

        It goes on where only the deck or the chips are others.
        """
        sent = await body(request)
        table = self.site.table
        settings = setup.changed(table.settings, sent)
        settings.rules()
        goes_on = settings != table.settings and settings.plays_as(table.settings)
        if table.desk.snapshot().count and not goes_on and sent.get("break_off") is not True:
            return refuse("in-play", 409)
        table.wanted(settings)
        return as_json({"language": settings.language})

    async def secret(self, request: web.Request) -> web.Response:
        """Whether the hand needs a secret rule, and which are offered."""
        dealers(request)
        return as_json(secret.form(self.site.table.desk.snapshot()))

    async def try_secret(self, request: web.Request) -> web.Response:
        """Which cards a rule would allow after a line; only the sender gets the answer."""
        dealers(request)
        return as_json(secret.tried(await body(request), self.site.artist.words.language))

    async def tell_secret(self, request: web.Request) -> web.Response:
        """Give the device a rule, which is sealed at once; nothing returns it."""
        dealers(request)
        rule = secret.tried(await body(request), self.site.artist.words.language)["rule"]
        desk = self.site.table.desk
        if not desk.snapshot().secret:
            return refuse("no-secret", 409)
        desk.keep(rule)
        return as_json({})

    async def sign(self, _: web.Request) -> web.Response:
        """Limits and house rules in words."""
        site = self.site
        limits = site.table.desk.snapshot().limits
        return as_json(setup.sign(site.table.settings, site.artist, limits))

    async def health(self, _: web.Request) -> web.Response:
        """How the appliance is doing."""
        site = self.site
        words, table = site.artist.words, site.table
        snapshot, still, pages = table.desk.snapshot(), site.still_s, len(site.hub.pages)
        folder = (table.journal or table.settings.journal_file).parent

        def checked(book: Book | None) -> Values:
            own = health.own_checks(words, snapshot, still, book, pages)
            board = health.checks(folder, words.language)
            beside = table.checks(words)
            told = [health.told(check, words) for check in (*own, *beside, *board)]
            return {"checks": told, "head": book.head if book else None}

        if await site.has_book() is None:
            return as_json(checked(None))
        return as_json(await site.read(checked))


def _hand(book: Book, wanted: int) -> Hand:
    hand = book.hand(wanted)
    if hand is None:
        raise MessageError(f"there is no hand {wanted}")
    return hand
