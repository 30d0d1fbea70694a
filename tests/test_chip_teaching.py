"""A set of chips taught under the table's own camera, and what is remembered of its sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.commands.cli import main
from firmware.console.chip_teaching import ChipTeacher
from firmware.errors import MessageError
from firmware.rehearsal.chip_set import STYLES
from firmware.rehearsal.setting import AREA, PX_PER_MM, SIZE
from firmware.settings.settings import Settings
from firmware.table.taught_chips import Sizes, forget_sizes, known_chips
from firmware.texts.words import Words
from rules.cards import Card
from vision.chips.chip_set import ChipSet
from vision.chips.gauge import COMMON, Gauge
from vision.chips.gauge_file import GaugeFile
from vision.chips.standpoint import Standpoint
from vision.chips.teaching_here import learned_here, spread_out
from vision.errors import ProfileError
from vision.picture.geometry import Frame
from vision.picture.plane import Plane
from vision.scene.chips import stack
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Item, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View

VIEW = View.above(SIZE, height_mm=830.0, px_per_mm=PX_PER_MM, tilt_deg=1.5)
VALUES = tuple(style.value for style in STYLES.values())
MIDDLE = ((-90.0, 30.0), (0.0, 28.0), (90.0, 33.0))
SPREAD = ((-440.0, -120.0), (400.0, -150.0), (-50.0, 240.0))
CORNERS = ((0.0, 0.0), (AREA[0], 0.0), AREA, (0.0, AREA[1]))
"""The watched area, mm."""


@cache
def shown(places: tuple[tuple[float, float], ...], *, card: bool = False) -> Frame:
    """A picture of one chip of each value at these places (mm)."""
    deck = DrawnDeck(DeckStyle())
    items: list[Item] = [CardItem(deck, Card.parse("7H"), Pose(0.0, -120.0, 0.0))] if card else []
    for style, (x, y) in zip(STYLES.values(), places, strict=False):
        items += stack(style, x, y)
    light, rng = Light(brightness=0.92), np.random.default_rng(3)
    return np.asarray(render(items, Surface(), VIEW, light, Lens(), rng=rng), np.uint8)


def corners() -> list[list[float]]:
    """Where the watched area's corners are in the picture."""
    middle = np.subtract(CORNERS, np.divide(AREA, 2))
    return [[float(x), float(y)] for x, y in VIEW.project(middle)]


def camera() -> Standpoint:
    plane = Plane.from_points(CORNERS, tuple((x, y) for x, y in corners()))
    return Standpoint.of(plane, SIZE, height_mm=830.0)


def bulged(frame: Frame, by: float) -> Frame:
    """A picture through a lens that enlarges by `by` times the square of the distance from the
    middle, in focal lengths."""
    focal = camera().focal_px
    y, x = np.mgrid[: SIZE[1], : SIZE[0]].astype(np.float32)
    u, v = (x - SIZE[0] / 2) / focal, (y - SIZE[1] / 2) / focal
    shrunk = 1 - by / 2 * (u * u + v * v)
    where = [
        np.asarray(n * shrunk * focal + s / 2, np.float32) for n, s in ((u, SIZE[0]), (v, SIZE[1]))
    ]
    return np.asarray(cv2.remap(frame, where[0], where[1], cv2.INTER_CUBIC), np.uint8)


def expected(gauge: Gauge, kind: int, across: float, down: float) -> tuple[float, float]:
    """The size expected at a place, and its standard deviation."""
    row = np.zeros(gauge.means.shape[1])
    row[:4], row[COMMON + kind] = (1.0, across, down, across**2 + down**2), 1.0
    best = int(gauge.weights.argmax())
    return float(gauge.means[best] @ row), float(np.sqrt(row @ gauge.spreads[best] @ row))


@cache
def taught(bulge: float) -> tuple[ChipSet, Gauge, Gauge]:
    """A set taught in the middle, what that tells of sizes, and what spreading it out adds."""
    pictures = [bulged(shown(some), bulge) if bulge else shown(some) for some in (MIDDLE, SPREAD)]
    chips, first = learned_here("club", VALUES, pictures[0], camera())
    return chips, first, spread_out(chips, first, pictures[1], camera())


@pytest.mark.parametrize("bulge", [0.0, pytest.param(0.05, marks=pytest.mark.slow)])
def test_single_chips_tell_how_large_they_appear_all_over_the_table(bulge: float) -> None:
    """A chip more on a stack would make 0.004."""
    chips, first, both = taught(bulge)
    for kind in range(len(VALUES)):
        middle, _ = expected(both, kind, 0.0, 0.0)
        outer, error = expected(both, kind, 0.35, 0.15)
        assert abs(outer - middle - bulge * (0.35**2 + 0.15**2)) < 0.0025
        assert error < 0.0014 < expected(first, kind, 0.35, 0.15)[1]
    assert chips.values == VALUES


def test_a_picture_that_lacks_a_chip_tells_nothing() -> None:
    chips, first, _ = taught(0.0)
    with pytest.raises(ProfileError, match="no 25 seen, one of each needed"):
        spread_out(chips, first, shown(SPREAD[:2]), camera())


def test_what_was_learned_holds_for_one_set_under_one_camera(tmp_path: Path) -> None:
    chips, _, gauge = taught(0.0)
    file = GaugeFile.of(tmp_path / "club.gauge", chips, camera())
    assert file.load(3) is None
    file.save(gauge)
    known = file.load(3)
    assert known is not None
    assert np.array_equal(known.means, gauge.means)
    others = (
        GaugeFile.of(file.path, replace(chips, sizes=chips.sizes * 1.01), camera()),
        GaugeFile.of(file.path, chips, replace(camera(), height_mm=820.0)),
    )
    assert [other.load(3) for other in others] == [None, None]
    assert file.load(4) is None
    file.path.write_bytes(file.path.read_bytes()[:-20])
    assert file.load(3) is None, "what a power cut leaves is as good as nothing"


def test_what_is_not_looked_at_for_an_evening_is_less_certain() -> None:
    gauge = taught(0.0)[2]
    before, after = (expected(one, 0, 0.3, 0.1) for one in (gauge, gauge.loosened()))
    assert before[0] == after[0]
    assert before[1] < after[1] < 2 * before[1]


def test_the_command_teaches_under_the_tables_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MAZZIERE_DECKS", str(tmp_path / "decks"))
    folder = tmp_path / "camera"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), shown(MIDDLE, card=True))
    cv2.imwrite(str(folder / "2.png"), shown(SPREAD))
    settings = tmp_path / "table.toml"
    settings.write_text("")
    live = ["teach", "club", "--chips", " ".join(VALUES), "--live", "--camera", str(folder)]
    live += ["--settings", str(settings)]
    assert main(live) == 2
    assert "mazziere calibrate" in capsys.readouterr().err
    settings.write_text(
        f"[camera]\ncorners = {corners()}\nsize_mm = {list(AREA)}\nheight_mm = 830\n"
    )
    assert main(live) == 0, capsys.readouterr().err
    chips = known_chips("club")
    assert chips.values == VALUES
    sizes = Sizes.of("club", chips, camera())
    assert sizes.known() is not None
    assert main(["teach", "club", str(folder / "1.png"), "--chips", " ".join(VALUES)]) == 0
    assert Sizes.of("club", known_chips("club"), camera()).known() is None, "taught again"
    forget_sizes()
    assert sizes.known() is None


@dataclass
class Site:
    """What the page knows of a table: its settings, and a camera that shows one picture."""

    settings: Settings
    picture: Frame

    @property
    def table(self) -> Site:
        """The table itself."""
        return self

    @property
    def words(self) -> Words:
        """The page's words."""
        return Words.load("en")

    def pictures(self, count: int) -> list[Frame]:
        """The next pictures."""
        return [self.picture] * min(count, 1)


def test_the_page_teaches_by_touch_and_plays_with_the_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAZZIERE_DECKS", str(tmp_path))
    site: Any = Site(Settings(), shown(MIDDLE))
    teacher = ChipTeacher(site, lambda: site)
    with pytest.raises(MessageError, match="Keep the calibration first"):
        teacher.learn({"values": [1, 5, 25]})
    seen = {"corners": corners(), "size_mm": list(AREA), "height_mm": 830}
    site.settings = Settings.from_mapping({"camera": seen})
    for values in (None, [], ["1"], [0], [True]):
        with pytest.raises(MessageError, match="values: expected"):
            teacher.learn({"values": values})
    with pytest.raises(MessageError, match="learned first"):
        teacher.chosen()
    with pytest.raises(MessageError, match="Exactly one chip"):
        teacher.learn({"values": [1, 5]})
    assert teacher.learn({"values": [25, 5, 1]}) == {"values": ["1", "5", "25"]}
    known = Sizes.of("chips", known_chips("chips"), camera()).known()
    site.picture = shown(SPREAD[:2])
    with pytest.raises(MessageError, match="Each value has to lie there"):
        teacher.measure()
    site.picture = shown(SPREAD)
    teacher.measure()
    now = Sizes.of("chips", known_chips("chips"), camera()).known()
    assert known is not None
    assert now is not None
    assert expected(now, 0, 0.35, 0.15)[1] < expected(known, 0, 0.35, 0.15)[1]
    assert teacher.chosen().chips == "chips"
    assert teacher.chosen().plays_as(site.settings), "the hand in play goes on"
