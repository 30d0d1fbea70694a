"""A person's first evening at a table, from the sheet with the PINs to the tenth hand.

python -m tests.evening # redraws the README's pictures python -m tests.evening FOLDER # puts them
there instead

Chromium plays the telephone and the tablet; the table is drawn, read by the real reader and
followed by the real loop. Whatever a person would have to see at each step is waited for, so an
evening that goes wrong ends there and names what was missing. The same seed plays the same hands.
"""

from __future__ import annotations

import base64
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2

from firmware.commands.cli import main as mazziere
from firmware.console.pins import Pins
from firmware.console.sheet import sheet
from firmware.rehearsal.report import closing
from firmware.settings.settings import Settings
from firmware.texts.words import Words
from tests import browsing
from tests.browsing import PHONE, TABLET
from tests.evening_table import Evening, smaller

SEED, HANDS = 1, 10
PICTURES = Path(__file__).parent.parent / "firmware" / "pictures"
QUALITY = 82
"""WebP quality: letters stay sharp, and a telephone's page takes 40 kB."""
SHARP = 2.0
"""Pixels of a telephone's screen per pixel of the page."""
CAMERA_WIDTH = 1280
ON_THE_SHEET = ("http://192.168.1.23:8080/", "http://mazziere.local:8080/")
PINS = Pins(dealer="2048175936", viewer="65039218")
"""PINs as the sheet may show them; the evening itself has others."""


@dataclass
class Site:
    """The address of the console."""

    url: str


class Walk:
    """One person with a telephone and a tablet, going through the evening step by step."""

    def __init__(self, driver: Any, evening: Evening, out: Path) -> None:
        self.evening, self.out = evening, out
        found = re.search(r"(http\S+)\nPIN ([\d ]+), for guests ([\d ]+)", evening.link.note)
        assert found, evening.link.note
        self.pin, self.guests_pin = found[2], found[3]
        self.page = browsing.Page(driver, Site(found[1]))

    # What the person holds.

    def phone(self) -> None:
        self._screen(PHONE, SHARP)

    def tablet(self) -> None:
        self._screen(TABLET, 1.0)

    def _screen(self, size: tuple[int, int], sharp: float) -> None:
        self.page.size(size, sharp)

    def shot(self, name: str, top: str = "") -> None:
        """Save what is on the screen, scrolled to an element if one is named."""
        script = "document.fonts.ready; const t = document.querySelector(arguments[0]);"
        self.page.driver.execute_script(f"{script} t?.scrollIntoView()", top or "none")
        time.sleep(0.3)  # until animations have ended
        kind = {"format": "webp", "quality": QUALITY}
        data = self.page.driver.execute_cdp_cmd("Page.captureScreenshot", kind)["data"]
        self._written(f"evening-{name}.webp", base64.b64decode(data))

    def _written(self, name: str, data: bytes) -> None:
        (self.out / name).write_bytes(data)
        print(f"{name}: {len(data) / 1000:.0f} kB", flush=True)

    def camera(self, name: str) -> None:
        """Save what the camera sees."""
        picture = smaller(self.evening.photograph(), CAMERA_WIDTH)
        data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))[1]
        self._written(f"evening-{name}.jpg", bytes(data))

    # The table.

    @property
    def snapshot(self) -> Any:
        return self.evening.desk.snapshot()

    def hand(self, number: int) -> None:
        self.evening.deal_until(lambda: self.snapshot.hand >= number, f"hand {number}")

    # The steps.

    def sheet(self, file: Path) -> None:
        """Read the sheet that comes with the PINs."""
        file.write_text(sheet(ON_THE_SHEET, PINS, Words.load("en")))
        self._screen((720, 620), 1.0)
        self.page.driver.get(file.as_uri())
        self.shot("sheet")

    def sign_in(self) -> None:
        self.phone()
        self.page.go()
        self.page.one("#pin").send_keys(self.pin)
        self.shot("sign-in")
        self.page.one("#pin").send_keys(browsing.webdriver.Keys.ENTER)
        self.page.one(".felt")

    def set_up(self) -> None:
        page = self.page
        page.touch('nav a[href="#/setup"]')
        page.one("#set-up")
        page.touch('#set-up [data-limits="1 20"]')
        self.shot("set-up", "#main")
        page.touch("#begin")
        page.until(lambda: self.evening.link.chosen is not None, "what was chosen")
        self.evening.sit_down_anew()
        page.says("1\N{EN DASH}20", "#bar")

    def calibrate(self) -> None:
        page = self.page
        page.touch('nav a[href="#/calibrate"]')
        page.says("Found by its markers. Cards will be read well here.")
        self.shot("calibrate", "#main")
        self.evening.still.spread(self.evening.settings)
        page.touch("#look-again")
        page.until(lambda: page.all(".calibrate.busy") == [], "a new look")
        page.touch("#check-deck")
        page.says("The deck is complete.", ".deck-found")
        self.shot("deck", "#main")

    def first_hand(self) -> None:
        self.tablet()
        self.page.go()
        self.evening.begin()
        self.evening.deal_until(lambda: self._lie("board") >= 3, "a board")
        self.page.until(lambda: len(self.page.cards("board")) == self._lie("board"))
        self.shot("table")
        self.camera("camera")

    def _lie(self, spot: str) -> int:
        return len(dict(self.snapshot.table).get(spot, ()))

    def _shows(self, card: str) -> bool:
        return any(card in cards for _, cards in self.snapshot.table)

    def correct(self) -> None:
        """The reader misreads a card; two touches correct it."""
        page, reader = self.page, self.evening.reader
        self.hand(2)
        right, wrong = self.evening.misread_next()
        self.evening.deal_until(lambda: self._shows(str(wrong)), "the misread card")
        self.phone()
        page.touch(f'.card[data-card="{wrong}"]')
        page.one(f'dialog [data-choice="{right}"]')
        page.one("dialog .crops img")
        self.shot("correct")
        page.touch(f'dialog [data-choice="{right}"]')
        page.one(f'.card[data-card="{right}"]')
        reader.slips.clear()

    def undo(self) -> None:
        page = self.page
        before = self.snapshot.count
        page.touch("#undo")
        page.says("Touch again to take back", "#undo")
        self.shot("undo", ".side")
        page.touch("#undo")
        page.until(lambda: self.snapshot.count < before, "the act is taken back")
        page.touch("#key-ok")  # it was right after all: the card is read again
        page.until(lambda: self.snapshot.count >= before, "the card is read again")

    def why(self) -> None:
        page = self.page
        self.evening.deal_until(lambda: "pair of" in str(self.snapshot.calls), "a pair")
        page.touch(".call .why-button")
        page.one("dialog .why .crops img")
        self.shot("why")
        page.one("dialog .close").click()

    def guests(self) -> None:
        """Somebody looks on, with the guests' PIN."""
        page = self.page
        page.driver.delete_all_cookies()
        page.driver.get("about:blank")
        self.tablet()
        page.sign_in(self.guests_pin)
        assert page.all("#undo") == []
        page.go("watch")
        page.one(".watch-view .felt")
        self.hand(3)
        self.evening.deal_until(lambda: self._lie("board") >= 4, "a board")
        page.until(lambda: len(page.cards("board")) == self._lie("board"))
        self.shot("watch")

    def tenth_hand(self) -> None:
        """Play on to the tenth hand, then look at what was played."""
        page = self.page
        self.hand(HANDS)
        self.evening.deal_to_the_end()
        self.phone()
        page.go("hands")
        page.says(f"Hand {HANDS}", ".hand-list")
        self.shot("hands")
        page.touch(".hand-row")
        page.touch("#last")
        for _ in range(2):  # before the table was cleared
            page.touch("#previous")
        page.until(lambda: page.cards("board"), "a board")
        self.shot("run-back")


def walk(out: Path) -> int:
    """Go through the evening, saving pictures to `out`; return the exit status."""
    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, browsing.browser() as driver:
        file, home = Path(folder, "mazziere.toml"), Path(folder)
        file.write_text(
            '[table]\ngame = "ziginette"\nlevel = "none"\n[console]\nlisten = "127.0.0.1:0"\n'
        )
        evening = Evening(Settings.load(file), SEED, HANDS)
        try:
            person = Walk(driver, evening, out)
            person.sheet(home / "sheet.html")
            person.sign_in()
            person.set_up()
            person.calibrate()
            person.first_hand()
            person.correct()
            person.undo()
            person.why()
            person.guests()
            person.tenth_hand()
            assert person.page.complaints() == []
        finally:
            evening.stop()
        reports = evening.desk.reports
        print(closing(reports))
        assert [one.faithful for one in reports] == [True] * HANDS
        record = home / "record.txt"
        record.write_text(evening.record())
        return mazziere(["replay", str(record)]) or mazziere(["verify", "--settings", str(file)])


if __name__ == "__main__":
    raise SystemExit(walk(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES))
