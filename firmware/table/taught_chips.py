"""Taught sets of chips: `mazziere teach NAME PHOTO --chips "1 5 25 100"`.

A set is one file next to the taught decks; it may have the same name as one of them.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from firmware.errors import UsageError
from firmware.table.reporting import Report
from firmware.table.taught_decks import folder, kept_at
from vision.chips.chip_set import THICK_MM, ChipSet
from vision.chips.seen import SeenChips
from vision.chips.teaching import learned
from vision.errors import ProfileError
from vision.picture.photos import read_photo
from vision.reader import CardReader

ENDING = ".chips"
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
    taught = sorted(file.stem for file in folder().glob(f"*{ENDING}"))
    there = f"there are {', '.join(taught)}" if taught else "none was taught"
    raise ProfileError(f"no set of chips is called {name!r}; {there}")


def teach_chips(options: Namespace) -> Report:
    """Learn a set from one photograph and save it; returns what was learned."""
    if len(options.photos) != 1 or options.live:
        raise UsageError("teach --chips takes one photograph that shows one chip of each value")
    values = options.chips.replace(",", " ").split()
    thick = THICK_MM if options.thickness is None else options.thickness
    if not THICKNESS_MM[0] <= thick <= THICKNESS_MM[1]:
        raise UsageError(
            f"--thickness takes {THICKNESS_MM[0]} to {THICKNESS_MM[1]} mm: got {thick}"
        )
    path = path_of(options.name)
    photo = read_photo(options.photos[0])
    reading = CardReader().read(photo)
    chips = learned(
        options.name, values, photo, reading.faces, backs=reading.unread, thick_mm=thick
    )
    chips.save(path)
    return report(chips, path)


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
