"""The memory of the appliance at a table with chips, whose pictures it reads as they are laid.

A simulated table of Ziginette is filmed: every two seconds a still picture, each of which the
camera shows for a while, as a hand would leave it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2

from firmware.rehearsal.chip_set import taught_here
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.setting import AREA, SIZE, setting
from firmware.settings.settings import Settings
from tests.benchmarks.latency import running
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Frame
from vision.picture.plane import Plane

SEED = 163
TABLE = {"game": "ziginette", "level": "amounts", "chips": "drawn"}
BEGAN_S, EVERY_S, PICTURES = 10.0, 2.0, 24
"""When the first picture is taken, how long after it the next one, and how many there are: the bets
of a hand are laid, change and are taken."""
STEPS = 20
"""Steps of the rehearsal in that time."""


def most_megabytes() -> float:
    """The peak memory in megabytes of `run` at a table with chips."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "table").mkdir()
        rehearsal = Rehearsal(Plan.of(Settings.from_mapping({"table": TABLE}), seed=SEED))
        for number, picture in enumerate(_pictures(rehearsal)):
            cv2.imwrite(str(folder / "table" / f"{number:02}.png"), picture)
        _set_up(rehearsal, folder)
        rehearsal.close()
        return running(folder)[1]


def _pictures(rehearsal: Rehearsal) -> Iterator[Frame]:
    while rehearsal.clock.now < BEGAN_S:
        rehearsal.step()
    for _ in range(PICTURES):
        for _ in range(STEPS):
            rehearsal.step()
        yield rehearsal.table.frame(rehearsal.clock.now)


def _set_up(rehearsal: Rehearsal, folder: Path) -> None:
    """Write the set of chips and the settings of a table into a folder."""
    place, plane = setting(SEED), Plane(rehearsal.table.matrix)
    height = round(place.view.height_mm)
    assert rehearsal.chips is not None
    camera = Standpoint.of(plane, SIZE, height_mm=height)
    chips, _ = taught_here(place, camera, rehearsal.chips.styles)
    chips.save(folder / "drawn.chips")
    wide, high = AREA
    corners = [list(plane.pixels(at)) for at in ((0, 0), (wide, 0), (wide, high), (0, high))]
    (folder / "my.toml").write_text(
        '[table]\ngame = "ziginette"\nlevel = "amounts"\n'
        f'chips = "{folder / "drawn.chips"}"\n'
        f'[camera]\nsource = "table"\ncorners = {corners}\nsize_mm = [{wide}, {high}]\n'
        f'height_mm = {height}\n[voice]\nsays = "silent"\n'
        '[console]\nlisten = "127.0.0.1:0"\n'
    )


if __name__ == "__main__":
    print(f"{most_megabytes():.0f} MB")
