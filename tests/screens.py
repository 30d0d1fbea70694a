"""Every screen of a game at one moment of a demonstration hand, for people to look at.

python -m tests.screens FOLDER [--games NAME,NAME] [--languages en,it] [--seed N] [--pages]
                        [--sheets FOLDER]

For each game and language it draws a player's telephone, the dealer's telephone and tablet, the big
view on a wall, and the terminal at 80 and at 200 columns: the same second hand of the same match
for the same seed. With `--pages` the pages that are the same in every game are drawn as well, and
`--sheets` lays out the screens of a game on one picture per language, as in
`firmware/pictures/screens`.

What a machine can check is checked, printed, and ends in exit status 1: text that is cut off,
overlaps other text or leaves the screen, a target under 44 pixels, and an English word on an
Italian screen. The rest is for a person's eyes.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from textual.app import App

from firmware.console.access import Access
from firmware.console.pins import Role
from firmware.display.snapshot import Desk
from firmware.display.terminal import View
from firmware.settings.settings import Settings
from firmware.store.ledger import CAMERA, Step
from firmware.texts import Texts, languages
from firmware.texts.words import Words
from rules.acts import Act
from rules.games import GAMES, find_game
from rules.state import State
from tests import browsing
from tests.browsing import PHONE, SCREEN, TABLET, Page
from tests.console_desk import Served
from tests.play import play_hand

EIGHT = (
    "ziginette", "seven-and-a-half", "belote", "fipsen", "pineapple", "soko", "three-thirteen",
    "eleusis",
)  # fmt: skip
"""One or two games of each kind: a bank, tricks with an auction, poker, melds, and a secret
rule."""
NAMES = {1: "Anna", 2: "Bruno", 3: "Carla"}
"""Players with their own telephones; the fourth seat has none."""
HALFWAY = 0.55
"""The earliest moment drawn, as a share of the hand: the first one from here on at which something
is to be said, so that there is much on the table and a choice on the keys."""
NARROW, WIDE = (80, 24), (200, 50)
"""Columns and rows of a terminal: the smallest in use, and a full screen."""
CELL = (9, 20)
"""Size of a character in the pictures of the terminal, in pixels."""
QUALITY = 80
"""Quality of the WebP pictures."""
GREY = (90, 90, 90)
"""Background of a sheet: light and dark screens stand out from it."""
SHEET = (("phone", "player", "tablet"), ("wall", "terminal-80", "terminal-200"))
"""The rows of a sheet."""
SHEET_HIGH, SHEET_GAP, SHEET_QUALITY = (640, 400), 12, 65
"""Heights of the two rows and gap between screens, in pixels; quality that keeps a sheet under 150
kB."""
NOTE = "http://192.168.1.23:8080/"
"""The line under a terminal's title."""
CHECKS = Path(__file__).with_name("screens.js").read_text()
PAGES = ("hands", "evening", "sign", "health", "players", "setup", "calibrate", "access", "hands/1")


@dataclass(frozen=True)
class Fault:
    """Something wrong that a machine can detect."""

    screen: str
    what: str

    def __str__(self) -> str:
        return f"{self.screen}: {self.what}"


def settings_of(game: str, language: str) -> Settings:
    """The usual table of a game, with all amounts kept."""
    table = {"game": game, "limits": [1, 20], "seats": seats_of(game)}
    return Settings.from_mapping({"language": language, "table": table})


def seats_of(game: str) -> int:
    """Four seats, or as many as the game needs."""
    players = find_game(game).players
    return max(players.start, min(4, players.stop - 1))


def moment_of(states: Sequence[State]) -> int:
    """The number of acts of a hand at the moment drawn."""
    first = round((len(states) - 1) * HALFWAY)
    for number in range(first, len(states) - 1):
        if states[number].turn.seats and any(one.verb in SPOKEN for one in states[number].turn):
            return number
    return first


SPOKEN = frozenset({"bet", "bid", "pass", "call", "check", "raise", "declare", "hit", "judge"})


def play(served: Served, seed: int) -> None:
    """Play one hand to its end, and the next one to the moment drawn."""
    desk = served.desk
    desk.ask(lambda felt: setattr(felt, "look", lambda *_: None))
    for hand in range(2):
        start = desk.ask(lambda felt: felt.loop.state.start)
        game = desk.ask(lambda felt: felt.loop.state.game)
        states = play_hand(game, start, random.Random(seed + hand))
        acts = states[-1].acts if hand == 0 else states[-1].acts[: moment_of(states)]
        for act in acts:
            take(served, act.observed())


def take(served: Served, act: Act) -> None:
    """Take in an act, as if the camera had seen it or someone had said it."""
    served.desk.ask(lambda felt: felt.loop.ledger.take([Step(act)], CAMERA))


class Artist:
    """Draws screens into a folder and collects their faults."""

    def __init__(self, driver: Any, out: Path) -> None:
        self.driver, self.out = driver, out
        self.faults: list[Fault] = []

    def page(self, name: str, language: str) -> None:
        """The page in sight."""
        self.driver.execute_script("document.fonts.ready")
        found = self.driver.execute_script(CHECKS)
        self._keep(name, language, found["faults"], found["texts"])
        kind = {"format": "webp", "quality": QUALITY, "captureBeyondViewport": True}
        wide, high = found["size"]
        clip = {"x": 0, "y": 0, "width": wide, "height": high, "scale": 1}
        self._shot(name, language, {**kind, "clip": clip})

    def terminal(self, name: str, language: str, svg: str, text: str, faults: list[str]) -> None:
        """A terminal's screen, drawn as a picture by the browser."""
        file = self._file(name, language).with_suffix(".svg")
        file.write_text(svg)
        self.driver.get(file.as_uri())
        file.unlink()
        self._keep(name, language, faults, [text])
        self._shot(name, language, {"format": "webp", "quality": QUALITY})

    def _keep(self, name: str, language: str, faults: Sequence[str], texts: Sequence[str]) -> None:
        screen = f"{language} {name}"
        self.faults += [Fault(screen, fault) for fault in faults]
        if language != "en":
            words = set(english(texts, language)) - GAMES_WORDS
            self.faults += [Fault(screen, f"English: {word}") for word in sorted(words)]

    def _file(self, name: str, language: str) -> Path:
        file = self.out / language / f"{name}.webp"
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def _shot(self, name: str, language: str, how: dict[str, Any]) -> None:
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", how)["data"]
        self._file(name, language).write_bytes(base64.b64decode(data))


# Words.


def sheet(drawn: Path, game: str, language: str, out: Path) -> None:
    """Lay out the screens of a game in one language on one picture."""
    rows = []
    for names, high in zip(SHEET, SHEET_HIGH, strict=True):
        shown = [cv2.imread(str(drawn / language / f"{game}-{name}.webp")) for name in names]
        sized = [
            cv2.resize(one, (round(one.shape[1] * high / one.shape[0]), high), interpolation=3)
            for one in shown
            if one is not None
        ]
        gap = SHEET_GAP
        framed = [
            cv2.copyMakeBorder(one, 0, gap, 0, gap, cv2.BORDER_CONSTANT, value=GREY)
            for one in sized
        ]
        rows.append(np.hstack(framed))
    wide = max(row.shape[1] for row in rows)
    rows = [
        cv2.copyMakeBorder(row, 0, 0, 0, wide - row.shape[1], cv2.BORDER_CONSTANT, value=GREY)
        for row in rows
    ]
    out.mkdir(parents=True, exist_ok=True)
    quality = [cv2.IMWRITE_WEBP_QUALITY, SHEET_QUALITY]
    cv2.imwrite(str(out / f"{game}-{language}.webp"), np.vstack(rows), quality)


def english(texts: Sequence[str], language: str) -> list[str]:
    """Words that are English and not words of the language they are shown in."""
    foreign = vocabulary("en") - vocabulary(language) - NEUTRAL
    shown = {word for text in texts for word in tokens(text)}
    return sorted(shown & foreign)


NEUTRAL = frozenset({"english", "all", "in", *map(str.lower, NAMES.values())})
"""The language's own name, and words that are Italian as well."""

GAMES_WORDS = frozenset({"hand"})
"""What players of a German game say in every language: Fipsen's *Hand*."""


@cache
def vocabulary(language: str) -> frozenset[str]:
    """All words that the program has in a language."""
    texts, words = Texts.load(language, strict=True), Words.load(language)
    said = [*texts.sentences.values(), *words.page.values(), *words.rules.values()]
    said += [text for table in texts.words.values() for text in table.values()]
    said += [words.title(name) for name in GAMES]
    plain = (re.sub(r"\{[a-z_]+(:[a-z]+)?\}", " ", text) for text in said)
    return frozenset(word for text in plain for word in tokens(text))


def tokens(text: str) -> Iterator[str]:
    """The words of a text in lower case; single letters do not count."""
    return (word.lower() for word in re.findall(r"[^\W\d_]{2,}", text))


# The screens.


class Table:
    """One game at its moment, in one language."""

    def __init__(self, game: str, language: str, seed: int, artist: Artist, folder: Path) -> None:
        self.game, self.language, self.artist = game, language, artist
        self.served = Served(folder, settings_of(game, language), access=Access(folder / "access"))
        self.seed = seed

    def draw(self, *, pages: bool) -> None:
        """Draw all screens of this moment."""
        with self.served as served:
            access = served.access
            tokens = {
                seat: access.admit(Role.PLAYER, "192.168.1.9", "", seat=seat, called=name)
                for seat, name in NAMES.items()
            }
            play(served, self.seed)
            page = Page(self.artist.driver, served)
            self._dealer(page)
            if pages:
                self._pages(page)
            self._player(page, tokens)
            self._terminals(served)

    def _dealer(self, page: Page[Served]) -> None:
        self._fresh(page)
        page.size(TABLET)
        page.sign_in(self.served.pins.dealer)
        self._view(page, "tablet")
        page.size(PHONE)
        self._view(page, "phone")
        page.size(SCREEN)
        page.go("watch")
        page.one(".watch-view .felt")
        self._view(page, "wall")

    def _pages(self, page: Page[Served]) -> None:
        for view in PAGES:
            page.go(view)
            page.until(lambda: page.all(".page h1, .page .evening"), view)
            for size, name in ((PHONE, "phone"), (TABLET, "tablet")):
                page.size(size)
                self._view(page, f"page-{view.replace('/', '-')}-{name}")

    def _player(self, page: Page[Served], tokens: dict[int, str]) -> None:
        snapshot = self.served.desk.snapshot()
        seat = next((one for one in snapshot.awaited if one in tokens), 1)
        self._fresh(page)
        page.size(PHONE)
        self.artist.driver.get(self.served.url)  # a cookie needs its site
        page.one("#pin")
        page.driver.add_cookie({"name": self.served.console.site.cookie, "value": tokens[seat]})
        page.go("name")
        page.driver.refresh()
        page.one(".player-name")
        page.go()
        page.one(".player-view .felt")
        self._view(page, "player")

    @staticmethod
    def _fresh(page: Page[Served]) -> None:
        page.driver.get("about:blank")
        page.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def _view(self, page: Page[Served], name: str) -> None:
        script = "return [document.activeElement?.blur(), matchMedia('(x)').matches][1]"
        page.driver.execute_script(script)
        self.artist.page(f"{self.game}-{name}", self.language)

    def _terminals(self, served: Served) -> None:
        for size in (NARROW, WIDE):
            name = f"{self.game}-terminal-{size[0]}"
            svg, text, faults = asyncio.run(terminal(served, self.language, size))
            driver = self.artist.driver
            metrics = {"width": size[0] * CELL[0] + 40, "height": size[1] * CELL[1] + 60}
            driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {**metrics, "deviceScaleFactor": 1, "mobile": False},
            )
            self.artist.terminal(name, self.language, svg, text, faults)


async def terminal(
    served: Served, language: str, size: tuple[int, int]
) -> tuple[str, str, list[str]]:
    """A terminal's screen as SVG and as text, and what is missing on it."""
    desk: Desk = served.desk
    app: App[None] = View(desk, language, clock=lambda: 0.0, note=NOTE, names=lambda: NAMES)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        draw: Callable[[], None] = app.draw  # type: ignore[attr-defined]
        draw()
        await pilot.pause()
        svg = app.export_screenshot(title="Mazziere")
        text = screen_text(app)
    return svg, text, list(missing(served, text, language))


def screen_text(app: App[None]) -> str:
    """The text on the screen, part by part and row by row."""
    rows = [strip.text for strip in app.screen._compositor.render_strips()]
    found = app.query("#title, #table, #news, #prompt, #pad, #line")
    parts = [part.region.intersection(part.container_viewport) for part in found]
    wide, high = app.size
    return "\n".join(
        row[one.x : min(one.right, wide)]
        for one in parts
        for row in rows[one.y : min(one.bottom, high)]
    )


def missing(served: Served, text: str, language: str) -> Iterator[str]:
    """What the snapshot says and the screen does not."""
    snapshot = served.desk.snapshot()
    flat = flattened(text)
    keys = Texts.load(language).words["view"]["type"]
    for said in (snapshot.sentence, *snapshot.facts, *snapshot.match, *snapshot.warnings, keys):
        if flattened(said) not in flat:
            yield f"missing: {said}"


def flattened(text: str) -> str:
    """Letters and digits only: lines are broken, and boxes are drawn between words."""
    return re.sub(r"\W+", "", text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the screens; exit status 1 if a machine can detect a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.screens", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", default=",".join(EIGHT))
    parser.add_argument("--languages", default=",".join(languages()))
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--sheets", type=Path, help="folder for one picture per game and language")
    options = parser.parse_args(arguments)
    with browsing.browser() as driver:
        artist = Artist(driver, options.folder)
        for game in options.games.split(","):
            for language in options.languages.split(","):
                with tempfile.TemporaryDirectory() as folder:
                    table = Table(game, language, options.seed, artist, Path(folder))
                    table.draw(pages=options.pages and game == options.games.split(",")[0])
                if options.sheets:
                    sheet(options.folder, game, language, options.sheets)
            print(f"{game}: drawn", flush=True)
    print(*artist.faults, f"faults: {len(artist.faults)}", sep="\n", flush=True)
    return 1 if artist.faults else 0


if __name__ == "__main__":
    sys.exit(main())
