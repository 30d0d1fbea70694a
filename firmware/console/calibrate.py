"""Calibration from the page while the game goes on: view, spots, light, focus and deck.

It uses the pictures that the eye takes anyway. Nothing changes until the dealer keeps the result;
then the same hand continues with it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import TypeVar

import cv2
import numpy as np
from aiohttp import web

from firmware.console.chip_teaching import ChipTeacher
from firmware.console.health import told
from firmware.console.messages import text
from firmware.console.middleware import body, refuse
from firmware.console.picture import Values
from firmware.console.queue import Queue
from firmware.console.sign_in import as_json, dealers
from firmware.console.site import Site
from firmware.errors import MessageError
from firmware.settings.settings import Settings
from firmware.table.calibration import (
    LOOKS,
    SAFE_PX,
    Calibration,
    check_scale,
    first_hand,
    index_of,
    judged,
    middle_of,
    places_of,
    seen_by,
)
from firmware.table.deck_check import report
from firmware.table.known_decks import known_deck
from firmware.table.layout import Layout
from firmware.table.markers import MARKER_MM, sheet_svg
from firmware.table.optics import Optics, Picture
from firmware.texts import capital
from hardware.errors import CameraError
from hardware.selftest import DARK, Check, Verdict
from rules.cards import BACK
from rules.spots import Spot
from vision.decide.inventory import of_readings
from vision.errors import VisionError
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.sightings import Reading, Sighting

T = TypeVar("T")
WIDTH_MOST = 1600
"""Width in pixels of the picture that is sent: enough to see a card's corner, small enough for a
phone. A choice.
"""
QUALITY = 72
"""JPEG quality of that picture. A choice: a card's edges stay clear, and it is sent quickly."""
DECK_LOOKS = 3
"""Pictures combined to read a spread deck. A choice."""
FARTHEST = 20000.0
"""Farthest part of a table, in pixels or millimetres. A choice."""
Point = tuple[float, float]


@dataclass
class Calibrator:
    """Calibrates the table of one site; belongs to one thread.

    Raises `MessageError` for nonsense.
    """

    site: Site
    _found: Calibration | None = None
    _shot: int = 0

    @property
    def settings(self) -> Settings:
        """The table's current settings."""
        return self.site.table.settings

    @property
    def optics(self) -> Optics:
        """The camera's pictures."""
        optics = self.site.table.optics
        if optics is None:
            raise MessageError(self.site.words.page["calibrate-no-camera"])
        return optics

    # What the page asks for.

    def look(self) -> Values:
        """Take new pictures, find the table in them and judge what they show."""
        picture = middle_of(self.optics.pictures(LOOKS))
        self._found, self._shot = judged(picture, self.settings), self._shot + 1
        return self._view(self._found.settings, self._found.by)

    def place(self, sent: Mapping[str, object]) -> Values:
        """The spots after moving a corner, changing the size, or dragging a spot."""
        settings = self._asked(sent)
        if "drag" in sent:
            settings = self._dragged(settings, sent["drag"])
        return self._view(settings, self._by(settings))

    def picture(self) -> bytes | None:
        """The view as a JPEG file; empty before the first look."""
        if self._found is None:
            return None
        small = _fitting(self._found.picture)
        done, data = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
        return bytes(data) if done else None

    def light(self) -> Values:
        """Lock exposure and white balance again, then take a new look."""
        locked = self.optics.fix_light()
        page = self.site.words.page
        fixed = page["calibrate-fixed"].format(what=locked) if locked else page["calibrate-no-fix"]
        return {**self.look(), "fixed": fixed}

    def deck(self) -> Values:
        """Read a deck spread face up, and report what is missing, double or foreign."""
        settings = self._calibrated.settings
        picture = middle_of(self.optics.pictures(DECK_LOOKS))
        known = known_deck(settings.deck) if settings.deck else None
        reading = CardReader(index_height=index_of(settings), known=known).read(picture)
        if settings.markers:
            reading = without_markers(reading, seen_by(settings), settings.size_mm)
        state = first_hand(settings)
        deck = state.game.deck(state.start)
        found = report(of_readings([reading]).against(deck), len(deck))
        artist = self.site.artist
        for name in ("missing", "double", "foreign", "taken"):
            found[name] = [artist.card(card) for card in found[name]]
        found["unclear"] = [[artist.card(card) for card in cards] for cards in found["unclear"]]
        return found

    def kept(self, sent: Mapping[str, object]) -> Settings:
        """The settings with what was calibrated."""
        settings = self._asked(sent)
        self._spots(settings)
        return settings

    # What was sent.

    @property
    def _calibrated(self) -> Calibration:
        if self._found is None:
            raise MessageError("expected a look at the table first")
        return self._found

    def _asked(self, sent: Mapping[str, object]) -> Settings:
        """The settings with the corners, size and moved spots that were sent."""
        corners = [list(_point(point)) for point in _list(sent, "corners", 4)]
        size = list(_point(_list(sent, "size", 2)))
        moved = sent.get("moved", {})
        if not isinstance(moved, dict):
            raise MessageError("moved: expected an object of spots")
        table = tomllib.loads(self.settings.text())
        camera = {"corners": corners, "size_mm": size}
        table["camera"] = {**table.get("camera", {}), **camera, "markers": False}
        known = self._names
        moves = {name: list(_point(by)) for name, by in moved.items() if name in known}
        table["spots"] = {**table.get("spots", {}), str(self.settings.game): moves}
        if not moves:
            del table["spots"][str(self.settings.game)]
        settings = Settings.from_mapping(table, "calibrate").lying_in(self.settings.folder)
        return replace(settings, markers=self._by(settings) == "markers")

    @property
    def _names(self) -> frozenset[str]:
        return frozenset(first_hand(self.settings).spots)

    def _by(self, settings: Settings) -> str:
        """How the table was found; by hand once a corner has been moved."""
        found = self._calibrated
        return found.by if settings.corners == found.settings.corners else "hand"

    def _dragged(self, settings: Settings, drag: object) -> Settings:
        if not isinstance(drag, dict):
            raise MessageError("drag: expected an object with spot, from and to")
        name, state = text(drag, "spot"), first_hand(settings)
        proposed = self._proposed(settings).places.get(name)
        if proposed is None:
            raise MessageError(f"spot: none of the table's spots, got {name[:40]!r}")
        plane = seen_by(settings)
        start = plane.millimetres(_point(drag.get("from")))
        end = plane.millimetres(_point(drag.get("to")))
        old = settings.moved.get(name, (0.0, 0.0))
        # A spot dragged out of view is moved back inside, and remembered there.
        wish = (old[0] + end[0] - start[0], old[1] + end[1] - start[1])
        if not all(abs(way) <= FARTHEST for way in wish):
            raise MessageError("drag: expected a point on the table")
        there = proposed.shifted(wish, settings.size_mm)
        by = tuple(round(there.bounds[side] - proposed.bounds[side]) for side in (0, 1))
        moved = {**settings.moved, name: (float(by[0]), float(by[1]))}
        moved = {spot: way for spot, way in moved.items() if any(way)}
        return replace(settings, spots={**settings.spots, state.game.name: moved})

    def _proposed(self, settings: Settings) -> Layout:
        plain = {name: by for name, by in settings.spots.items() if name != settings.game}
        return places_of(replace(settings, spots=plain)).layout(first_hand(settings))

    # What is reported.

    def _view(self, settings: Settings, by: str) -> Values:
        found, page = self._calibrated, self.site.words.page
        high, wide = found.picture.shape[:2]
        spots, layout = self._spots(settings)
        checks = [*self._judged(found, index_of(settings)), *self._check_spots(layout)]
        sentences = self.site.artist.texts.sentences
        trouble = [sentences[f"trouble.{name}"] for name in found.trouble]
        good = not trouble and all(map(_good, checks))
        return {
            "by": page[f"found-{by}"],
            "picture": [wide, high],
            "shot": self._shot,
            "corners": [list(corner) for corner in settings.corners],
            "size": list(settings.size_mm),
            "moved": {name: list(by) for name, by in settings.moved.items()},
            "spots": spots,
            "checks": [told(check, self.site.words) for check in checks],
            "trouble": trouble,
            "good": good,
            "simulated": self.optics.simulated,
        }

    def _spots(self, settings: Settings) -> tuple[list[Values], Layout]:
        """The outline of each spot in the picture; raises `MessageError` for impossible corners."""
        try:
            state, places = first_hand(settings), places_of(settings)
            layout, outlines = places.layout(state), places.outlines(state)
        except (VisionError, ArithmeticError, ValueError) as error:
            raise MessageError(f"corners: expected four corners of a table: {error}") from error
        spots = [self._spot(state.spots[name], one.points) for name, one in outlines.items()]
        return spots, layout

    def _spot(self, spot: Spot, outline: Sequence[Point]) -> Values:
        label = self.site.artist.texts.spot(spot.name)
        points = [[round(float(x), 1), round(float(y), 1)] for x, y in outline]
        return {"name": spot.name, "label": capital(label), "outline": points}

    def _judged(self, found: Calibration, index_px: float) -> Iterator[Check]:
        """Light, focus and distance in the page's words."""
        page, wanted = self.site.words.page, round(SAFE_PX)
        checks = {check.name: check for check in found.checks}
        scale = check_scale(index_px)
        dark = float(found.picture.mean()) < DARK
        lit = _good(checks["light"])
        light = "judged-light-ok" if lit else "judged-light-dark" if dark else "judged-light-bright"
        focus = "judged-focus-ok" if _good(checks["focus"]) else "judged-focus-warn"
        far = "judged-scale-ok" if _good(scale) else "judged-scale-warn"
        yield replace(checks["light"], detail=page[light])
        yield replace(checks["focus"], detail=page[focus])
        yield replace(scale, detail=page[far].format(pixels=round(index_px), wanted=wanted))

    def _check_spots(self, layout: Layout) -> tuple[Check, ...]:
        texts, page = self.site.artist.texts, self.site.words.page
        faults = [texts.say(phrase) for phrase in layout.keyed.values()]
        faults += [
            page["spots-overlap"].format(one=texts.spot(one), other=texts.spot(other))
            for one, other in layout.overlaps
        ]
        verdict = Verdict.WARN if faults else Verdict.OK
        return (Check("spots", verdict, " ".join(faults) or page["spots-fit"]),)


def without_markers(reading: Reading, plane: Plane, size_mm: Point) -> Reading:
    """The reading without the corner markers, which are the size of a card's back."""
    wide, high = size_mm
    corners = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high))

    def is_marker(one: Sighting) -> bool:
        x, y = (float(way) for way in np.asarray(one.outline).mean(axis=0))
        middle = plane.millimetres((x, y))
        return one.card == BACK and min(dist(middle, corner) for corner in corners) <= MARKER_MM

    kept = tuple(one for one in reading.sightings if not is_marker(one))
    return replace(reading, sightings=kept)


def _good(check: Check) -> bool:
    return check.verdict is Verdict.OK


def _fitting(picture: Picture) -> Picture:
    high, wide = picture.shape[:2]
    if wide <= WIDTH_MOST:
        return picture
    size = (WIDTH_MOST, round(high * WIDTH_MOST / wide))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def _list(sent: Mapping[str, object], name: str, length: int) -> list[object]:
    value = sent.get(name)
    if not isinstance(value, list) or len(value) != length:
        raise MessageError(f"{name}: expected a list of {length}")
    return value


def _point(value: object) -> Point:
    if isinstance(value, list) and len(value) == 2 and all(map(_within, value)):
        return float(value[0]), float(value[1])
    raise MessageError(f"expected a pair of numbers up to {FARTHEST:.0f}")


def _within(number: object) -> bool:
    if not isinstance(number, int | float) or isinstance(number, bool):
        return False
    return abs(number) <= FARTHEST


# The addresses.


class Calibrating:
    """The page's requests, each answered in the calibrator's thread."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._calibrator = Calibrator(site)
        self._teacher = ChipTeacher(site, lambda: self._calibrator.optics)
        self._looking = Queue("console-calibrate")

    def add_to(self, app: web.Application) -> None:
        """Register these addresses with the application, until it shuts down."""
        add = app.router.add_post
        add("/api/calibrate/look", self.look)
        add("/api/calibrate/place", self.place)
        add("/api/calibrate/light", self.light)
        add("/api/calibrate/deck", self.deck)
        add("/api/calibrate/chips", self.chips)
        add("/api/calibrate/chips/measure", self.measure)
        add("/api/calibrate/chips/play", self.play)
        add("/api/calibrate", self.keep)
        app.router.add_get("/api/calibrate/picture", self.picture)
        app.router.add_get("/api/calibrate/markers", self.markers)
        app.on_shutdown.append(self._close)

    async def _close(self, _: web.Application) -> None:
        self._looking.close()

    async def _answer(self, work: Callable[[], T]) -> T:
        def asked() -> T:
            try:
                return work()
            except CameraError as error:
                raise MessageError(str(error)) from error

        return await self._looking.do(asked, "")

    async def look(self, _: web.Request) -> web.Response:
        """Find the table in new pictures."""
        return as_json(await self._answer(self._calibrator.look))

    async def place(self, request: web.Request) -> web.Response:
        """The spots as they would be laid out."""
        sent = await body(request)
        return as_json(await self._answer(lambda: self._calibrator.place(sent)))

    async def light(self, _: web.Request) -> web.Response:
        """Lock the exposure again."""
        return as_json(await self._answer(self._calibrator.light))

    async def deck(self, _: web.Request) -> web.Response:
        """Check a deck spread face up."""
        return as_json(await self._answer(self._calibrator.deck))

    async def chips(self, request: web.Request) -> web.Response:
        """Learn a set of chips."""
        sent = await body(request)
        return as_json(await self._answer(lambda: self._teacher.learn(sent)))

    async def measure(self, _: web.Request) -> web.Response:
        """See how large chips appear all over the table."""
        return as_json(await self._answer(self._teacher.measure))

    async def play(self, _: web.Request) -> web.Response:
        """Play with the chips that were learned."""
        self.site.table.wanted(await self._answer(self._teacher.chosen))
        return as_json({"kept": True})

    async def picture(self, request: web.Request) -> web.Response:
        """The camera's view, for the dealer only: it may show people."""
        dealers(request)
        data = await self._answer(self._calibrator.picture)
        if data is None:
            return refuse("not-found", 404)
        return web.Response(body=data, content_type="image/jpeg")

    async def markers(self, _: web.Request) -> web.Response:
        """The markers for the corners, as a page to print at full size."""
        return web.Response(text=sheet_svg(), content_type="image/svg+xml")

    async def keep(self, request: web.Request) -> web.Response:
        """Apply what was found."""
        sent = await body(request)
        settings, table = await self._answer(lambda: self._calibrator.kept(sent)), self.site.table
        (table.calibrated or table.wanted)(settings)
        return as_json({"kept": True})
