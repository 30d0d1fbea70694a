"""Taught sets of chips: `mazziere teach NAME PHOTO --chips "1 5 25 100"`, or `--live`.

A set is one file next to the taught decks; it may have the same name as one of them. Another file
beside it holds how large its chips appear on the table.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from firmware.errors import UsageError
from firmware.settings.settings import Settings
from firmware.table.calibration import index_of, looked, seen_by, settled
from firmware.table.cameras import camera_of
from firmware.table.known_decks import CHIPS_ENDING as ENDING
from firmware.table.known_decks import folder, kept_at, taught
from firmware.table.reporting import Report
from firmware.texts.plain import native
from vision.chips.beside_cards import unread
from vision.chips.chip_set import THICK_DOUBT, THICK_MM, ChipSet
from vision.chips.gauge import Gauge
from vision.chips.gauge_file import GaugeFile
from vision.chips.seen import SeenChips
from vision.chips.standpoint import Standpoint
from vision.chips.teaching import learned
from vision.chips.teaching_here import learned_here, spread_out
from vision.errors import ProfileError
from vision.picture.geometry import Frame
from vision.picture.photos import read_photo
from vision.reader import CardReader

SIZES_ENDING = ".gauge"
THICKNESS_MM = (1.0, 10.0)
"""Range of a chip's thickness. A choice: coins are 1.5 mm or more, plaques 5 or less."""


def path_of(name: str) -> Path:
    """The file of a taught set, given its name or the file itself.

    >>> path_of("sets/club.chips").name
    'club.chips'
    """
    return kept_at(name, ENDING)


def known_chips(name: str) -> ChipSet:
    """The set taught under a name; raises `ProfileError` listing the known ones."""
    path = path_of(name)
    if path.is_file():
        return ChipSet.load(path)
    names = taught(ENDING)
    there = f"there are {', '.join(names)}" if names else "none was taught"
    raise ProfileError(f"no set of chips is called {name!r}; {there}")


@dataclass(frozen=True)
class Sizes:
    """How large the chips of a taught set appear on a calibrated table, kept beside the set."""

    file: GaugeFile
    values: int

    @classmethod
    def of(cls, name: str, chips: ChipSet, camera: Standpoint) -> Self:
        """Those of a set taught under a name, as a camera sees it."""
        path = path_of(name).with_suffix(SIZES_ENDING)
        return cls(GaugeFile.of(path, chips, camera), len(chips.values))

    def known(self) -> Gauge | None:
        """What was learned on an earlier evening; None if nothing was, or not of these."""
        known = self.file.load(self.values)
        return known.loosened() if known is not None else None

    def keep(self, gauge: Gauge) -> None:
        """Keep what was learned, if the disk allows: the game goes on without."""
        with suppress(ProfileError):
            self.file.save(gauge)


def forget_sizes() -> None:
    """Forget how large chips appear, as after a camera was calibrated anew."""
    for file in folder().glob(f"*{SIZES_ENDING}"):
        file.unlink(missing_ok=True)


@dataclass(frozen=True)
class Thickness:
    """How thick the chips of a set are, in mm, and how surely that is known.

    `flat_mm` is the thickness of plaques, 0 if it is that of the chips; `doubt` is the relative
    standard deviation of both, 0 if they were measured.
    """

    mm: float = THICK_MM
    flat_mm: float = 0.0
    doubt: float = THICK_DOUBT

    @classmethod
    def of(cls, options: Namespace) -> Self:
        """What a person said; raises `UsageError` if no chip is that thick."""
        told = options.thickness, options.plaque_thickness
        for option, thick in zip(("--thickness", "--plaque-thickness"), told, strict=True):
            if thick is not None and not THICKNESS_MM[0] <= thick <= THICKNESS_MM[1]:
                low, high = THICKNESS_MM
                raise UsageError(f"{option} takes {low} to {high} mm: got {thick}")
        flat = options.plaque_thickness or 0.0
        if options.thickness is None:
            return cls(flat_mm=flat)
        return cls(options.thickness, flat, 0.0)


def teach_chips(options: Namespace, settings: Callable[[], Settings]) -> Report:
    """Learn a set from a photograph, or under the camera, and save it; returns what was learned.

    The `settings` are those of the table, for its camera.
    """
    if options.live == bool(options.photos) or len(options.photos) > 1:
        raise UsageError(
            "teach --chips takes one photograph that shows one chip of each value, or --live"
        )
    values = options.chips.replace(",", " ").split()
    thick = Thickness.of(options)
    path = path_of(options.name)
    if options.live:
        return _taught_live(options.name, values, thick, settings())
    photo = read_photo(options.photos[0])
    reading = CardReader().read(photo)
    chips = learned(
        options.name, values, photo, reading.faces, backs=unread(reading),
        thick_mm=thick.mm, thick_doubt=thick.doubt, flat_mm=thick.flat_mm,
    )  # fmt: skip
    chips.save(path)
    return report(chips, path)


@dataclass(frozen=True)
class Taught:
    """A set as it was learned under a table's camera, with its sizes there."""

    settings: Settings
    chips: ChipSet
    gauge: Gauge
    camera: Standpoint

    def spread_out(self, picture: Frame) -> Taught:
        """The same once a picture shows single chips all over the table.

        Raises `ProfileError` unless it shows each value, and nothing that may be two chips.
        """
        reading = CardReader(index_height=index_of(self.settings)).read(picture)
        gauge = spread_out(
            self.chips, self.gauge, picture, self.camera, reading.faces, backs=unread(reading)
        )
        return replace(self, gauge=gauge)

    def save(self) -> Path:
        """Keep the set and its sizes; returns the set's file."""
        path = path_of(self.chips.name)
        self.chips.save(path)
        Sizes.of(self.chips.name, self.chips, self.camera).file.save(self.gauge)
        return path


def learned_at(
    settings: Settings,
    name: str,
    values: Sequence[str],
    seen: Frame,
    thick: Thickness | None = None,
) -> Taught:
    """Learn a set from a picture of the calibrated table, one chip of each value in its middle.

    Raises `ProfileError` if another number of chips is seen.
    """
    thick = thick or Thickness()
    size = seen.shape[1], seen.shape[0]
    camera = Standpoint.of(seen_by(settings), size, height_mm=settings.height_mm)
    reading = CardReader(index_height=index_of(settings)).read(seen)
    chips, gauge = learned_here(
        name, values, seen, camera, reading.faces, backs=unread(reading),
        thick_mm=thick.mm, thick_doubt=thick.doubt, flat_mm=thick.flat_mm,
    )  # fmt: skip
    return Taught(settings, chips, gauge, camera)


def _taught_live(name: str, values: Sequence[str], thick: Thickness, settings: Settings) -> Report:
    """Learn a set under the table's camera, from one chip of each value and then more of them."""
    if not settings.corners:
        raise UsageError("teach --chips --live needs a calibrated table: mazziere calibrate")
    with camera_of(settings) as camera:
        settled(camera)
        _ask("lay one chip of each value in the middle of the table beside a card, least first")
        taught = learned_at(settings, name, values, looked(camera), thick)
        _ask("now lay single chips all over the table, some of each value, out to its edges")
        taught = taught.spread_out(looked(camera))
    return report(taught.chips, taught.save())


def _ask(what: str) -> None:
    """Ask for something, and wait until somebody at a keyboard has done it."""
    if sys.stdin.isatty():
        print(native(f"{what}, then press Enter"), end=" ", file=sys.stderr, flush=True)
        sys.stdin.readline()


def report(chips: ChipSet, path: Path) -> Report:
    """What was learned, as plain values: sizes in mm where cards in the picture gave the scale."""
    sizes = [[round(float(side), 1) for side in pair] for pair in chips.sizes]
    return {
        "name": chips.name,
        "file": str(path),
        "values": list(chips.values),
        "millimetres": sizes if chips.scaled else None,
        "light_known": chips.lit,
        "thickness_mm": chips.thick_mm,
    }


def taught_line(found: Report) -> str:
    """What was learned, as one line."""
    values = ", ".join(found["values"])
    hint = "" if found["millimetres"] else "; with a card in the picture, their size is known too"
    return f"{found['name']}: chips {values} learned, kept in {found['file']}{hint}"


def chip_report(one: SeenChips) -> Report:
    """A chip or a stack, as plain values."""
    return {
        "value": one.value,
        "count": one.count,
        "range": [one.least, one.most],
        "confidence": one.confidence,
        "outline": [[round(float(x), 1), round(float(y), 1)] for x, y in one.outline],
    }


def chip_line(one: Report) -> str:
    """A chip or a stack, as one line.

    >>> chip_line({"value": "5", "count": 2, "range": [2, 3], "confidence": 0.97, "outline": []})
    '  2 (2 to 3) x 5, 97 %'
    """
    least, most = one["range"]
    span = "" if least == most else f" ({least} to {most})"
    return f"  {one['count']}{span} x {one['value']}, {one['confidence']:.0%}".replace("%", " %")
