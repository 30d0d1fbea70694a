"""Read and track the real films: ``python -m tests.films.real``.

Prints what was read and when, and for the film of four cards how long after coming to rest. The
films of hands moving plastic cards show no playing card, so any card reported in them is wrong.
With ``--uncalibrated`` nothing is known of the table, as when a stranger's film is followed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from math import inf
from pathlib import Path

from firmware.eye import tracker_of
from firmware.settings.settings import Settings
from firmware.table.places import table_mm
from firmware.table.sizing import Size, SizeGuard, index_height, plane_of, resized, shaped
from hardware.camera import open_camera
from hardware.capture import Camera, Frame
from rules.cards import Card, Deck
from tests.films.sources import FILMS, films, folder
from vision.picture.geometry import Polygon
from vision.reader import CardReader
from vision.sightings import Seen
from vision.track.tracker import Tracker

SUECA = "sueca.mp4"
INDEX_PX = {SUECA: 18.0}
"""Height of an index in a film, as calibration would find it; unknown for films without cards."""
SOON_S = 2.0
"""Time limit for reading a card after it has come to rest."""


@dataclass(frozen=True)
class Read:
    """A card that the tracker reported for certain, and when first."""

    card: Card
    time_s: float


def read(path: Path, until_s: float = inf, *, calibrated: bool = True) -> list[Read]:
    """The cards reported for certain in a film, in order; doubtful ones do not count.

    The film is cut off after `until_s` seconds. If it is not `calibrated`, the first cards show how
    large the table is.
    """
    first: dict[Card, float] = {}
    seeing = _seen(path) if calibrated else _seen_by_a_stranger(path)
    for seen in takewhile(lambda seen: seen.time <= until_s, seeing):
        for lying in (one for cards in seen.spots.values() for one in cards if not one.doubtful):
            first.setdefault(lying.card, seen.time)
    return [Read(card, time_s) for card, time_s in first.items()]


def _seen(path: Path) -> Iterator[Seen]:
    with open_camera(str(path)) as camera:
        reader = CardReader(index_height=INDEX_PX.get(path.name))
        tracker = Tracker(reader, {}, deck=Deck.standard())
        for frame in _frames(camera):
            yield tracker.update(frame.image, frame.time_s)


def _frames(camera: Camera) -> Iterator[Frame]:
    """The pictures of a film, to its end."""
    with suppress(EOFError):
        while True:
            yield camera.frame()


def _seen_by_a_stranger(path: Path) -> Iterator[Seen]:
    with open_camera(str(path)) as camera:
        picture = camera.peek().image
        settings = shaped(Settings(), picture)
        size_mm, plane = settings.size_mm, plane_of(settings, picture)
        whole = {"table": Polygon(plane.outline(table_mm(size_mm)))}
        tracker = tracker_of(whole, plane, Deck.standard(), assumed=True)

        def sized(found_mm: Size) -> None:
            tracker.rescale(index_height(resized(plane, size_mm, found_mm), found_mm))

        guard = SizeGuard(size_mm, plane, tracker.cards, sized)
        for frame in _frames(camera):
            yield tracker.update(frame.image, frame.time_s)
            guard(frame.image, frame.time_s)


def rests(path: Path) -> dict[Card, float]:
    """When each card of a film first comes to rest, according to the text next to it."""
    found: dict[Card, float] = {}
    for line in path.with_suffix(".txt").read_text("utf-8").splitlines():
        fields = line.split("\t")
        if len(fields) == 3 and fields[1] == "rest":
            found.setdefault(Card.parse(fields[2].split()[0]), float(fields[0]))
    return found


def main() -> int:
    """Print what was read; the exit status is 1 if anything was missed, late or invented."""
    parser = ArgumentParser(prog="python -m tests.films.real", description=__doc__)
    parser.add_argument("--uncalibrated", action="store_true", help="without the table's size")
    options = parser.parse_args()
    there = folder(FILMS)
    if there is None:
        print(f"films needed: {FILMS} must name a folder", file=sys.stderr)
        return 2
    good = True
    for path in films():
        due = rests(path) if path.with_suffix(".txt").is_file() else {}
        found = read(path, calibrated=not options.uncalibrated)
        for one in found:
            wait = one.time_s - due[one.card] if one.card in due else None
            told = "INVENTED" if wait is None else f"{wait:.1f} s after its rest"
            print(f"{path.name}: {one.time_s:5.1f} s  {one.card}  {told}", flush=True)
            good = good and wait is not None and wait <= SOON_S
        missed = due.keys() - {one.card for one in found}
        print(f"{path.name}: {len(found)} cards read, {len(missed)} missed", flush=True)
        good = good and not missed
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
