"""What the console answers about players' telephones: sitting down, names, codes to scan."""

from __future__ import annotations

from aiohttp import web

from firmware.console.messages import number, text
from firmware.console.middleware import body, client_of, token_of
from firmware.console.picture import Values
from firmware.console.sheet import qr_svg
from firmware.console.sign_in import admitted, as_json, dealers
from firmware.console.site import Site
from firmware.errors import MessageError


class Telephones:
    """The handlers; all run in the server's thread."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def add_to(self, app: web.Application) -> None:
        """Register these addresses."""
        app.router.add_get("/api/seats", self.seats)
        app.router.add_post("/api/sit", self.sit)
        app.router.add_post("/api/name", self.name)
        app.router.add_post("/api/seat-name", self.seat_name)
        app.router.add_post("/api/free", self.free)
        app.router.add_post("/api/telephones", self.telephones)
        app.router.add_post("/api/codes", self.codes)

    async def sit(self, request: web.Request) -> web.Response:
        """Sit down at a seat with its scanned code."""
        sent = await body(request)
        own = self.site.access.session(token_of(request))
        token = self.site.seating.sit(
            number(sent, "seat"),
            text(sent, "code"),
            self.site.table.desk.snapshot().seats,
            client_of(request),
            request.headers.get("User-Agent", ""),
            own=own,
            also=sent.get("also") is True,
        )
        return admitted(self.site, token)

    async def name(self, request: web.Request) -> web.Response:
        """Set a player's name."""
        session = self.site.access.session(token_of(request))
        if session is None or not session.seat:
            raise MessageError("only who sits at a seat has a name there")
        self.site.seating.name(session, text(await body(request), "name"))
        return as_json({})

    async def seat_name(self, request: web.Request) -> web.Response:
        """Name the player at a seat; an empty name removes it."""
        dealers(request)
        sent = await body(request)
        seat, called = number(sent, "seat"), sent.get("name")
        if seat not in self.site.table.desk.snapshot().seats:
            raise MessageError(f"seat {seat} is not in this game")
        if not isinstance(called, str):
            raise MessageError("name: expected a text")
        self.site.seating.name_seat(seat, called)
        return as_json({})

    async def seats(self, request: web.Request) -> web.Response:
        """The code of each seat, and who sits there; for the dealer."""
        dealers(request)
        seats = self.site.table.desk.snapshot().seats
        return as_json(
            {"on": self.site.access.telephones, "seats": [self._seat(seat) for seat in seats]}
        )

    def _seat(self, seat: int) -> Values:
        there = self.site.seating.at(seat)
        url = seat_url(self.site.urls[0], seat, self.site.seating.code(seat))
        return {
            "seat": seat,
            "url": url,
            "qr": qr_svg(url),
            "name": self.site.seating.names.get(seat, ""),
            "telephones": len(there),
        }

    async def free(self, request: web.Request) -> web.Response:
        """Remove whoever sits at a seat."""
        self.site.seating.free(number(await body(request), "seat"))
        return as_json({})

    async def telephones(self, request: web.Request) -> web.Response:
        """Allow or forbid players to act by telephone."""
        on = (await body(request)).get("on")
        if not isinstance(on, bool):
            raise MessageError("on: expected true or false")
        self.site.access.switch_telephones(on)
        return as_json({"on": on})

    async def codes(self, _: web.Request) -> web.Response:
        """Make new codes; those who sit with an old one are signed out."""
        self.site.seating.renew()
        return as_json({})


def seat_url(home: str, seat: int, code: str) -> str:
    """The link of a seat's code; the part after the ``#`` never leaves the telephone by itself.

    >>> seat_url("http://10.0.0.2:8080/", 3, "abcd")
    'http://10.0.0.2:8080/#/sit/3-abcd'
    """
    return f"{home}#/sit/{seat}-{code}"
