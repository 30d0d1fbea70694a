"""Calibrating from the page: a drawn table with markers, a browser, and the real reader."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware.console.access import Access
from firmware.console.calibrate import Calibrator
from firmware.errors import MessageError, SettingsError
from firmware.rehearsal.chip_set import STYLES
from firmware.settings.settings import Settings
from firmware.table.calibration import first_hand, places_of
from firmware.table.layout import Layout
from firmware.table.markers import Picture
from firmware.table.optics import SETTLING_MOST, Optics
from hardware.capture import Camera, Shot, Source
from hardware.errors import CameraError, CameraTimeoutError
from tests import browsing
from tests.browsing import PHONE
from tests.console_desk import Served, settings_for
from tests.test_install_markers import laid, table
from vision.scene.chips import stack
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Item, Pose
from vision.scene.view import View

Page = browsing.Page[Served]
AREA = (1100.0, 620.0)
VIEW = View.above(px_per_mm=1.6)
MISSING = "7C"
NEAR_PX = 6.0


class Scene:
    """A camera in a thread that shows one drawn picture again and again."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.optics = Optics()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(0.02):
            self.optics.show(self.picture)

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()


@pytest.fixture(scope="module")
def empty() -> Picture:
    return table(VIEW, laid(*AREA))


@pytest.fixture(scope="module")
def spread() -> Picture:
    """A deck of forty with one card missing, face up in rows between the markers."""
    settings = settings_for("ziginette")
    state = first_hand(settings)
    cards = [card for card in state.game.deck(state.start).cards if str(card) != MISSING]
    art = DrawnDeck(DeckStyle())
    items = [
        CardItem(art, card, Pose((place % 10 - 4.5) * 78, (place // 10 - 1.5) * 100, 0.0))
        for place, card in enumerate(cards)
    ]
    return table(VIEW, [*laid(*AREA), *items])


@pytest.fixture
def scene(empty: Picture) -> Iterator[Scene]:
    one = Scene(empty)
    yield one
    one.stop()


@pytest.fixture
def page(chromium: Any, scene: Scene, tmp_path: Path) -> Iterator[Page]:
    access = Access(tmp_path / "access")
    with (
        Served(tmp_path, settings_for("ziginette"), access=access, optics=scene.optics) as served,
        browsing.fresh_page(chromium, served, (1180, 1500)) as one,
    ):
        yield one


def outline(page: Page, spot: str) -> np.ndarray[Any, Any]:
    """Where a place is drawn, in pixels of the camera's picture."""
    text = page.one(f'.spot[data-spot="{spot}"] polygon').get_dom_attribute("points")
    return np.array([list(map(float, point.split(","))) for point in text.split()])


def corner(page: Page, number: int) -> tuple[float, float]:
    circle = page.one(f'.corner[data-corner="{number}"] circle')
    return float(circle.get_dom_attribute("cx")), float(circle.get_dom_attribute("cy"))


def drag(page: Page, selector: str, dx: int, dy: int) -> None:
    """Drag something by (dx, dy) pixels of the screen, as with a finger."""
    chain = browsing.webdriver.ActionChains(page.driver)
    chain.click_and_hold(page.one(selector)).move_by_offset(dx, dy).release().perform()


def scale(page: Page) -> float:
    """Pixels of the picture per pixel of the screen."""
    return 1920 / float(page.one(".overlay").rect["width"])


def idle(page: Page) -> None:
    page.until(lambda: page.all(".calibrate.busy") == [], "the answer")


@browsing.wanted
def test_the_table_is_found_moved_by_hand_and_kept(page: Page) -> None:
    page.sign_in(page.served.pins.dealer)
    page.go("calibrate")
    page.says("Found by its markers.")
    idle(page)
    settings = page.served.desk.settings
    names = {one.get_dom_attribute("data-spot") for one in page.all(".spot")}
    state = first_hand(settings)
    assert names == {name for name, spot in state.spots.items() if spot.in_sight}
    assert float(page.one("#table-wide").get_property("value")) == pytest.approx(AREA[0], abs=6)
    # Each place is drawn where it is in the picture: the plane's corners are at the markers'.
    middle = np.array([corner(page, number) for number in range(4)]).mean(axis=0)
    assert middle == pytest.approx((960, 540), abs=3)
    page.until(lambda: page.driver.execute_script(
        "return fetch(document.querySelector('.overlay image').getAttribute('href'))"
        ".then((a) => a.headers.get('content-type'))") == "image/jpeg")  # fmt: skip
    page.shot("calibrate")
    # Anyone without markers can print them from here.
    script = (
        "return fetch(document.querySelector('#print-markers').href)"
        ".then((answer) => answer.headers.get('content-type'))"
    )
    assert str(page.driver.execute_script(script)).startswith("image/svg+xml")
    # A place is dragged: it stays where it was dropped, the others do not move.
    before, other = outline(page, "board"), outline(page, "banker")
    drag(page, '.spot[data-spot="board"]', 0, -30)
    page.until(lambda: outline(page, "board")[:, 1].mean() < before[:, 1].mean() - 5, "moved")
    idle(page)
    way = (outline(page, "board") - before).mean(axis=0)
    assert way == pytest.approx((0, -30 * scale(page)), abs=NEAR_PX)
    assert outline(page, "banker") == pytest.approx(other)
    # A corner too, by mouse and by keyboard.
    was = corner(page, 0)
    drag(page, '.corner[data-corner="0"]', 20, 10)
    page.says("Set by hand.")
    idle(page)
    assert corner(page, 0) == pytest.approx(
        (was[0] + 20 * scale(page), was[1] + 10 * scale(page)), abs=NEAR_PX
    )
    was = corner(page, 0)
    page.one('.corner[data-corner="0"]').send_keys(browsing.webdriver.Keys.ARROW_LEFT)
    page.until(lambda: corner(page, 0)[0] < was[0])
    idle(page)
    page.shot("calibrate-moved")
    chosen, top = outline(page, "board"), corner(page, 0)
    page.touch("#keep-calibration")
    page.one(".felt")
    kept = page.served.wanted[-1]
    assert kept.corners[0] == pytest.approx(top)
    assert not kept.markers  # they are no longer where the corners are
    assert kept.plays_as(settings)
    assert set(kept.moved) == {"board"}
    drawn = np.array(places_of(kept).outlines(first_hand(kept))["board"].points)
    assert drawn == pytest.approx(chosen, abs=0.1)
    assert Settings.from_mapping(_table(kept)) == kept


def _table(settings: Settings) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415

    return tomllib.loads(settings.text())


@pytest.mark.slow
@browsing.wanted
def test_problems_with_the_view_are_reported(page: Page, scene: Scene, empty: Picture) -> None:
    page.sign_in(page.served.pins.dealer)
    scene.picture = empty // 12
    page.go("calibrate")
    page.says("too dark", ".checks")
    page.says("See what is marked below.")
    scene.picture = empty
    idle(page)
    page.touch("#look-again")
    page.says("Found by its markers.")
    idle(page)
    page.touch("#fix-light")
    page.says("There is nothing to lock")
    idle(page)
    # Places dragged onto each other are reported, and can be proposed afresh.
    board, banker = outline(page, "board").mean(axis=0), outline(page, "banker").mean(axis=0)
    by = (banker - board) / scale(page)
    drag(page, '.spot[data-spot="board"]', round(by[0]), round(by[1]))
    page.says("overlap", ".checks")
    idle(page)
    page.touch("#propose")
    page.says("every place has room", ".checks")
    assert outline(page, "board").mean(axis=0) == pytest.approx(board)
    page.size(PHONE)
    wide = page.driver.execute_script("return document.documentElement.scrollWidth")
    assert wide <= PHONE[0]
    page.shot("calibrate-phone")


@pytest.mark.slow
@browsing.wanted
def test_a_deck_spread_face_up_is_checked(page: Page, scene: Scene, spread: Picture) -> None:
    page.sign_in(page.served.pins.dealer)
    page.go("calibrate")
    page.says("Found by its markers.")
    idle(page)
    scene.picture = spread
    page.touch("#check-deck")
    page.one(".deck-found > *")
    idle(page)
    page.shot("calibrate-deck")
    page.says("39 of 40 cards seen.", ".deck-found")
    named = [one.get_dom_attribute("aria-label") for one in page.all(".deck-found .choice")]
    assert named == [page.served.console.site.artist.card(MISSING)["label"]]
    assert "Face down" not in page.one(".deck-found").text  # a marker is not a card


@pytest.mark.slow
@browsing.wanted
def test_chips_are_taught_by_touch(
    page: Page, scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAZZIERE_DECKS", str(tmp_path))
    page.sign_in(page.served.pins.dealer)
    page.go("calibrate")
    page.says("Found by its markers.")
    idle(page)
    page.touch("#learn-chips")
    page.says("Keep the calibration first", "#chips-say")
    idle(page)
    page.touch("#keep-calibration")
    page.one(".felt")
    page.go("calibrate")
    page.says("Found by its markers.")
    idle(page)
    scene.picture = table(VIEW, [*laid(*AREA), *single((-90.0, 0.0), (0.0, 5.0))])
    page.touch('.worth[data-worth="25"]')
    page.touch("#learn-chips")
    page.says("Learned: 1, 5.", "#chips-say")
    idle(page)
    page.shot("calibrate-chips")
    scene.picture = table(VIEW, [*laid(*AREA), *single((-400.0, 90.0), (300.0, -120.0))])
    page.touch("#measure-chips")
    page.says("is known all over the table", "#chips-say")
    idle(page)
    page.touch("#play-chips")
    page.one(".felt")
    assert page.served.wanted[-1].chips == "chips"
    assert {path.name for path in tmp_path.glob("chips.*")} == {"chips.chips", "chips.gauge"}


def single(*places: tuple[float, float]) -> list[Item]:
    """Single chips of the lowest values at these places (mm)."""
    found: list[Item] = []
    for style, (x, y) in zip(STYLES.values(), places, strict=False):
        found += stack(style, x, y)
    return found


@browsing.wanted
def test_guests_see_no_camera(page: Page) -> None:
    page.sign_in(page.served.pins.viewer)
    assert page.all('nav a[href="#/calibrate"]') == []
    script = "return fetch('/api/calibrate/picture').then((answer) => answer.status)"
    assert page.driver.execute_script(script) == 403


# Without a browser.


def test_missing_pictures_are_reported() -> None:
    with pytest.raises(CameraTimeoutError, match=r"no picture within 0\.05 s"):
        Optics().pictures(3, 0.05)


def test_fewer_pictures_than_asked_for_are_enough() -> None:
    optics = Optics()
    threading.Timer(0.1, lambda: optics.show(np.zeros((2, 2, 3), np.uint8))).start()
    assert len(optics.pictures(9, 1.0)) == 1


class Settling(Source):
    """A live camera whose light settles a few pictures after it was asked to be locked."""

    live = True

    def __init__(self, looks: int) -> None:
        self.looks, self.told = looks, list[str]()

    def open(self) -> None: ...

    def close(self) -> None: ...

    def describe(self) -> str:
        return "a camera that settles"

    def read(self) -> Shot:
        time.sleep(0.002)
        return Shot(np.full((4, 4, 3), 90, np.uint8), time.monotonic())

    def lock(self) -> str | None:
        self.told.append("lock")
        return "exposure 10 ms" if self.told.count("lock") > self.looks else None

    def unlock(self) -> None:
        self.told.append("unlock")


@pytest.mark.parametrize("looks", [0, 5, 10**6])
def test_the_exposure_adapts_once_more_and_is_locked(looks: int) -> None:
    source, ended = Settling(looks), threading.Event()
    with Camera("settling", lambda: source) as camera:
        optics = Optics(camera)

        def look() -> None:
            while not ended.is_set():
                optics.show(camera.frame().image)

        eye = threading.Thread(target=look)
        eye.start()
        try:
            if looks < SETTLING_MOST:
                assert optics.fix_light() == "exposure 10 ms"
                assert source.told == ["unlock", *["lock"] * (looks + 1)]
            else:
                with pytest.raises(CameraError, match="the light does not settle"):
                    optics.fix_light()
        finally:
            ended.set()
            eye.join()


def test_a_moved_place_stays_in_the_view_and_says_what_it_covers() -> None:
    settings = settings_for("ziginette")
    state = first_hand(settings)
    spots, seats = tuple(state.spots.values()), state.start.seats
    plain = Layout.for_game(spots, seats)
    moved = Layout.for_game(spots, seats, moved={"board": (40.0, -9999.0)})
    before, after = plain.places["board"], moved.places["board"]
    assert after.bounds[1] == 0
    assert after.bounds[0] == before.bounds[0] + 40
    ways = {
        (round(x2 - x1, 6), round(y2 - y1, 6))
        for (x1, y1, _), (x2, y2, _) in zip(before.cells, after.cells, strict=True)
    }
    assert ways == {(40.0, -before.bounds[1])}
    assert plain.overlaps == ()
    banker = plain.places["banker"].bounds
    onto = (banker[0] - before.bounds[0], banker[1] - before.bounds[1])
    assert ("board", "banker") in Layout.for_game(spots, seats, moved={"board": onto}).overlaps


@pytest.fixture(scope="module")
def calibrator(empty: Picture, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calibrator]:
    """A calibrator that has looked at the table."""
    scene = Scene(empty)
    folder = tmp_path_factory.mktemp("calibrated")
    served = Served(folder, settings_for("ziginette"), optics=scene.optics)
    one = Calibrator(served.console.site)
    with pytest.raises(MessageError, match="expected a look at the table first"):
        one.place({"corners": [[0, 0]] * 4, "size": [1000, 600]})
    one.look()
    yield one
    served.desk.stop()
    scene.stop()


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        ({"corners": [[0, 0]], "size": [1000, 600]}, "corners: expected a list of 4"),
        ({"corners": [[0, 0]] * 4, "size": [1000, 600]}, "expected four corners of a table"),
        (
            {"corners": [[0, 0], [9e99, 0], [9, 9], [0, 9]], "size": [1000, 600]},
            "a pair of numbers",
        ),
        ({"corners": [[0, 0], [9, 0], [9, 9], [0, 9]], "size": [1, 600]}, "camera.size_mm"),
        ({"corners": [[0, 0], [9, 0], [9, 9], [0, 9]], "size": [1000, 600], "drag": 5}, "drag:"),
        (
            {
                "corners": [[0, 0], [900, 0], [900, 500], [0, 500]],
                "size": [1000, 600],
                "drag": {"spot": "nowhere", "from": [0, 0], "to": [1, 1]},
            },
            "spot: none of the table's spots",
        ),
    ],
)
def test_nonsense_is_refused(calibrator: Calibrator, sent: dict[str, Any], fault: str) -> None:
    with pytest.raises((MessageError, SettingsError), match=fault):
        calibrator.place(sent)


def test_only_a_changed_view_continues_the_hand() -> None:
    settings = settings_for("ziginette")
    seen = replace(settings, corners=((0, 0), (9, 0), (9, 9), (0, 9)), size_mm=(1000.0, 600.0))
    assert seen.plays_as(settings)
    assert not replace(seen, limits=(2, 9)).plays_as(settings)
