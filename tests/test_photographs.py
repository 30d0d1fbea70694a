"""Two hands from real photographs, up to the pay-out.

Cards are cut out of labelled photographs, by the corners given here in pixels, and laid one by one
on a photographed piece of empty felt, as a camera above a table would see them. From there they go
the way of every hand: reader, tracker, loop, rules, panel and journal. Face-down cards get a drawn
back, since no photograph shows one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.appliance import Booth
from firmware.eye import crops_of
from firmware.follow.loop import Loop
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from firmware.table.places import Places
from firmware.texts import Texts
from hardware.lamps import Lamp, Pattern
from hardware.press import Button
from hardware.rig import PanelRig
from rules.games import find_game
from rules.match import Match
from rules.start import Start
from vision.picture.plane import Plane
from vision.reader import CardReader
from vision.scene.faces import DrawnDeck, drawn_styles
from vision.track.tracker import Tracker

FOLDER = Path(os.environ.get("MAZZIERE_PHOTOS", "")) / "felt_sergiodomgui"
pytestmark = pytest.mark.skipif(
    not (os.environ.get("MAZZIERE_PHOTOS") and FOLDER.is_dir()),
    reason="photographs needed: MAZZIERE_PHOTOS must name a folder with felt_sergiodomgui",
)

Quad = tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]
CORNERS: dict[str, tuple[str, Quad]] = {
    "4C": ("test_IMG_20210426_184712", ((185, 229), (419, 192), (483, 544), (254, 588))),
    "4S": ("test_IMG_20210426_184712", ((680, 192), (873, 288), (727, 599), (531, 511))),
    "5H": ("test_IMG_20210426_184712", ((1055, 176), (1229, 284), (1068, 571), (892, 469))),
    "2S": ("test_IMG_20210426_184826", ((884, 408), (876, 618), (529, 619), (535, 399))),
    "2D": ("test_IMG_20210426_184826", ((1292, 329), (1478, 369), (1421, 687), (1233, 650))),
    "JH": ("train_IMG_20210426_183843", ((954, 451), (751, 176), (915, 48), (1113, 320))),
    "QD": ("train_IMG_20210426_184326", ((430, 349), (386, 127), (738, 68), (776, 283))),
    "KD": ("train_IMG_20210426_184326", ((226, 738), (137, 530), (491, 391), (570, 594))),
    "7D": ("train_IMG_20210426_184431", ((1078, 512), (821, 304), (946, 137), (1201, 348))),
    "QS": ("test_IMG_20210426_185034", ((1048, 652), (1049, 444), (1365, 440), (1363, 645))),
    "KC": ("test_IMG_20210426_185034", ((1031, 365), (1020, 155), (1339, 139), (1349, 344))),
}
"""For each card, its photograph and its corners there, clockwise from a short side."""
FELT = ("train_IMG_20210426_184431", (610, 20, 770, 1480))
"""A photograph and its part that shows nothing but felt: top, left, bottom, right."""
SIZE = (1920, 1080)
PX_PER_MM = 1.6
CARD_MM = (57.0, 88.0)
FRAME_S = 1 / 10
SPARE = 64
"""Pixels by which the sheet of noise is larger than a frame, each way."""


@cache
def photograph(name: str) -> NDArray[np.uint8]:
    picture = cv2.imread(str(FOLDER / f"{name}.jpg"))
    assert picture is not None
    return np.asarray(picture, np.uint8)


def felt() -> NDArray[np.uint8]:
    """An empty table of the reference rig's size, from a piece of felt and its mirror images."""
    name, (top, left, bottom, right) = FELT
    part = photograph(name)[top:bottom, left:right]
    wide = np.hstack([part, part[:, ::-1]])
    strips = SIZE[1] // len(part) + 1
    high = np.vstack([wide[:: -1 if strip % 2 else 1] for strip in range(strips)])
    return np.ascontiguousarray(high[: SIZE[1], : SIZE[0]])


@cache
def sheet() -> NDArray[np.int16]:
    """A sheet of noise, of which each frame gets another part.

    Drawing it afresh would take longer than reading the frame.
    """
    width, height = SIZE
    noise = np.random.default_rng(0).normal(0, 2, (height + SPARE, width + SPARE, 3))
    return noise.round().astype(np.int16)


class PhotoTable:
    """A table on which photographed cards are laid, with the whole appliance above it."""

    def __init__(self, game: str, journal: Path, *, draw: int = 0) -> None:
        self.draw = draw
        start = Start(seats=(1, 2, 3), banker=1, limits=(1, 20))
        match = Match(find_game(game), start)
        state = match.state
        self.plane = Plane.from_points(
            ((0, 0), (1200, 0), (1200, 675), (0, 675)), ((0, 0), (1920, 0), (1920, 1080), (0, 1080))
        )
        self.rig = PanelRig()
        self.journal = Journal(journal)
        self.loop = Loop(
            Ledger(match, self.journal, now=lambda: 0.0), Texts.load("en", strict=True)
        )
        self.booth = Booth(self.loop, self.rig.panel)
        places = Places(self.plane)
        self.layout = places.layout(state)
        index_px = 17.0 * PX_PER_MM  # this deck's index measures about 17 mm
        self.tracker = Tracker(CardReader(index_height=index_px), places.outlines(state))
        self.felt = felt()
        self.back = DrawnDeck(drawn_styles()[0]).back(4.0)[..., :3]
        self.cards: dict[str, list[str]] = {}
        self.drawn: dict[str, NDArray[np.uint8]] = {}
        self.time = 0.0
        self.look()

    def frame(self) -> NDArray[np.uint8]:
        if (now := str(self.cards)) not in self.drawn:
            self.drawn = {now: self._laid()}
        down, right = np.random.default_rng(round(self.time * 1000) + self.draw).integers(
            0, SPARE, 2
        )
        noise = sheet()[down : down + SIZE[1], right : right + SIZE[0]]
        return np.asarray(cv2.add(self.drawn[now], noise, dtype=cv2.CV_8U), np.uint8)

    def _laid(self) -> NDArray[np.uint8]:
        """The felt with all cards currently on it."""
        frame = self.felt.copy()
        for spot, cards in self.cards.items():
            for number, card in enumerate(cards):
                self._paste(frame, card, self.layout.places[spot].cell(number))
        return frame

    def _paste(self, frame: NDArray[np.uint8], card: str, cell: tuple[float, float, float]) -> None:
        x, y, degrees = cell
        turn = np.deg2rad(degrees + 3.0)  # nobody lays a card quite straight
        halves = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2
        rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners = halves @ rotation + (x, y)
        pixels = [self.plane.pixels((float(u), float(v))) for u, v in corners]
        target = np.asarray(pixels, np.float32)
        left, top = (int(v) for v in np.maximum(target.min(axis=0) - 2, 0))
        right, bottom = (int(v) + 3 for v in target.max(axis=0))
        # Twice the size first, so that shrinking a sharp photograph does not make pips jagged.
        inner = np.asarray((target - (left, top)) * 2, np.float32)
        size = ((right - left) * 2, (bottom - top) * 2)
        picture, source = self._picture(card)
        matrix = cv2.getPerspectiveTransform(np.asarray(source, np.float32), inner)
        warped = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_AREA)
        mask = np.zeros(size[::-1], np.uint8)
        cv2.fillConvexPoly(mask, inner.round().astype(np.int32), (255,))
        small = (right - left, bottom - top)
        share = cv2.resize(mask, small, interpolation=cv2.INTER_AREA)[..., None] / 255.0
        part = frame[top:bottom, left:right]
        card_part = cv2.resize(warped, small, interpolation=cv2.INTER_AREA)
        part[:] = np.asarray(part * (1 - share) + card_part * share, np.uint8)

    def _picture(self, card: str) -> tuple[NDArray[np.uint8], Sequence[tuple[int, int]]]:
        """A picture of the card, and its corners in it."""
        if card != "??":
            name, quad = CORNERS[card]
            return photograph(name), quad
        high, wide = self.back.shape[:2]
        return self.back, ((0, 0), (wide, 0), (wide, high), (0, high))

    def look(self, least: int = 8, most: int = 24) -> None:
        """Look until everything is settled, as a dealer would wait for the lamp."""
        for number in range(most):
            if number >= least and self.loop.seen is not None and not self.loop.seen.busy:
                return
            self.time += FRAME_S
            self.rig.advance(FRAME_S)
            frame = self.frame()
            self.booth.step(self.tracker.update(frame, self.time), crops_of(frame))

    def lay(self, spot: str, card: str) -> None:
        self.cards.setdefault(spot, []).append(card)
        self.look()

    def turn(self, spot: str, card: str) -> None:
        self.cards[spot][self.cards[spot].index("??")] = card
        self.look()

    def take(self, spot: str, *cards: str) -> None:
        for card in cards:
            self.cards[spot].remove(card)
        self.look()

    def sweep(self) -> None:
        self.cards.clear()
        self.look()

    def press_ok(self) -> None:
        self.rig.press(Button.OK)
        for _ in range(50):
            for event in self.rig.advance(0.02):
                self.loop.button(event)
            self.booth.step()

    def type(self, *lines: str) -> None:
        for line in lines:
            self.loop.type(line)

    @property
    def acts(self) -> list[str]:
        return [str(act) for act in self.loop.state.acts]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "photographs.journal"
    yield path
    resumed = Ledger.resumed(Journal.following(path), now=lambda: 0.0)
    assert len(resumed.match.settlements) == 1
    assert Journal.judging(path).verify().whole


@pytest.mark.slow
@pytest.mark.parametrize("draw", [5, 8, 9])
def test_a_photographed_card_turned_over_in_place_is_one_card(tmp_path: Path, draw: int) -> None:
    """Whatever the noise: if its outline is read wrongly, the visible border is its own."""
    table = PhotoTable("seven-and-a-half", tmp_path / "turned.journal", draw=draw)
    table.cards = {spot: ["??"] for spot in ("1", "2", "3")}
    table.look()
    for spot, card in (("2", "JH"), ("3", "JH"), ("1", "4S")):
        table.turn(spot, card)
    assert table.loop.seen is not None
    seen = {spot: [str(one.card) for one in lie] for spot, lie in table.loop.seen.spots.items()}
    assert (seen["2"], seen["3"], seen["1"]) == (["JH"], ["JH"], ["4S"])


def test_a_hand_of_ziginette_from_photographs(journal: Path) -> None:
    table = PhotoTable("ziginette", journal)
    table.lay("board", "QS")
    table.lay("board", "5H")
    table.lay("banker", "KC")
    assert table.acts == ["deal board QS", "deal board 5H", "deal banker KC"]
    table.type("2 bet 5 QS", "3 bet 10 5H")
    assert table.rig.lamps()[Lamp.OK] in (Pattern.SLOW, Pattern.STEADY)
    table.press_ok()
    assert table.acts[-1] == "close"
    table.lay("board", "QD")
    table.take("board", "QS", "QD")
    table.lay("board", "JH")
    table.lay("board", "KD")
    table.sweep()
    assert not table.loop.match.hands[0].state.violations
    assert table.loop.match.settlements[0].net == {1: -5, 2: -5, 3: 10}
    assert table.loop.state.start.banker == 3


@pytest.mark.slow
def test_a_hand_of_seven_and_a_half_from_photographs(journal: Path) -> None:
    table = PhotoTable("seven-and-a-half", journal)
    table.type("2 bet 5", "3 bet 10")
    for seat in ("2", "3", "1"):
        table.lay(seat, "??")
    table.lay("2", "2D")
    table.lay("3", "7D")
    table.turn("3", "JH")
    table.turn("1", "4S")
    table.lay("1", "2S")
    table.turn("2", "4C")
    table.sweep()
    assert not table.loop.match.hands[0].state.violations
    assert table.loop.match.settlements[0].net == {1: -20, 3: 20}
    assert table.loop.state.start.banker == 3
