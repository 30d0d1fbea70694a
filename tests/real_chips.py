"""Measure how well drawings of real chips are read: ``python -m tests.real_chips``.

For each set one photograph is drawn with one chip of each value, then others with one to nine
chips, with or without cards, slanted, dim and noisy; all go through the card reader as by `mazziere
teach` and `mazziere read`. Nothing in `vision.chips` is tuned on the validation sets.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from math import hypot

import numpy as np

from tests.chip_looks import SETS, Look, Rng
from tests.chip_photos import CLOTHS, SIZES, Air, Camera, Laid, Photo, Table, cards, cloth, places
from vision.chips.chip_set import ChipSet
from vision.chips.reader import ChipReader
from vision.chips.seen import UNKNOWN, SeenChips
from vision.chips.teaching import learned
from vision.errors import ProfileError
from vision.picture.geometry import Frame
from vision.reader import CardReader
from vision.sightings import Reading

DEVELOPMENT = ("suited", "split", "ribbed", "ceramic", "dice")
VALIDATION = ("sticker", "metal", "plain", "stripes", "near")
LAYOUTS = ("apart", "touching", "spread", "stacks")
HIDDEN = 0.45
"""A chip whose hidden share is larger than this need not be read. A choice."""


def camera_for(rng: Rng, tilt: float) -> Camera:
    """A camera in which a chip is 28 to 110 pixels across."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    scale = float(np.exp(rng.uniform(np.log(28), np.log(110)))) / 39
    scale = max(scale, size[0] / 1150)
    return Camera.over(size, scale, tilt, float(rng.uniform(-8, 8)), float(rng.uniform(0.7, 1.0)))


def taught_photo(
    looks: Sequence[Look], rng: Rng, *, tilt: float, hard: float, beside: int = 5
) -> Photo:
    """A photograph with one chip of each value in one or two skewed rows, next to cards."""
    camera = camera_for(rng, tilt)
    rows = [list(looks)] if rng.random() < 0.5 else [list(looks)[:3], list(looks)[3:]]
    gap = float(rng.uniform(55, 80))
    span = camera.locate(np.array([[0, 0], camera.size], np.float64))
    room = float(span[1, 0] - span[0, 0]) / (len(looks) + 0.5)
    gap = max(45.0, min(gap, room))
    middle = np.array([rng.uniform(-0.1, 0.1) * camera.size[0] / 2, 0]) + np.array(camera.size) / 2
    x0, y0 = camera.locate(middle[None])[0]
    laid = []
    for row, parts in enumerate(rows):
        for number, look in enumerate(parts):
            x = x0 + (number - (len(parts) - 1) / 2) * gap + rng.normal(0, 3)
            y = y0 + (row - (len(rows) - 1) / 2) * 62 + rng.normal(0, 3)
            laid.append(Laid(look, float(x), float(y)))
    return taken(camera, laid, rng, Air.of(rng, hard), beside=beside)


def taken(camera: Camera, laid: Sequence[Laid], rng: Rng, air: Air, *, beside: int = 5) -> Photo:
    """A photograph of the given chips and some cards on a drawn table."""
    name = list(CLOTHS)[int(rng.integers(len(CLOTHS)))]
    table = Table(camera, cloth(camera, name, rng), air, rng)
    cards(table, beside, [(one.x, one.y) for one in laid])
    for one in laid:
        table.chips(one)
    return table.photo()


def laid_out(looks: Sequence[Look], camera: Camera, layout: str, rng: Rng) -> list[Laid]:
    """A layout of one to nine chips, or of stacks."""

    def any_look() -> Look:
        return looks[int(rng.integers(len(looks)))]

    wide = looks[0].across
    count = int(rng.integers(1, 10))
    if layout in ("apart", "stacks"):
        most = 6 if layout == "stacks" else 1
        return [
            Laid(any_look(), x, y, int(rng.integers(1, most + 1)))
            for x, y in places(camera, count, 1.35 * wide, rng)
        ]
    laid: list[Laid] = []
    for start in places(camera, max(1, count // 3), 5.2 * wide, rng, inset=0.2):
        x, y = start
        turn, lift = float(rng.uniform(0, 2 * np.pi)), 0.0
        for number in range(min(count, int(rng.integers(2, 5)))):
            look = any_look()
            laid.append(Laid(look, float(x), float(y), 1, lift if number else 0.0))
            turn += float(rng.normal(0, 0.5))
            share = 1.004 if layout == "touching" else float(rng.uniform(0.5, 0.8))
            x, y = x + share * wide * np.cos(turn), y + share * wide * np.sin(turn)
            lift = 0.0 if layout == "touching" else look.thick * 0.9
    return laid


def read_photo_of(
    looks: Sequence[Look], layout: str, rng: Rng, *, tilt: float, hard: float, beside: int = 5
) -> Photo:
    """A photograph of chips to be read."""
    camera = camera_for(rng, tilt)
    laid = laid_out(looks, camera, layout, rng)
    return taken(camera, laid, rng, Air.of(rng, hard), beside=beside)


def learn(looks: Sequence[Look], picture: Frame, reading: Reading) -> ChipSet:
    """Learn a chip set as `mazziere teach` does."""
    faces = set(reading.faces)
    backs = [one.outline for one in reading.sightings if one.outline not in faces]
    values = [look.value for look in looks]
    return learned("set", values, picture, reading.faces, backs=backs)


def judged(photo: Photo, seen: Sequence[SeenChips]) -> Iterator[str]:
    """The outcomes of each chip or stack, and of each sighting that fits none."""
    left = list(seen)
    for one in photo.shown:
        near = [
            other
            for other in left
            if hypot(other.centre[0] - one.x, other.centre[1] - one.y) < 0.6 * one.radius
        ]
        if one.hidden > HIDDEN and not near:
            continue
        yield "chips"
        if not near:
            yield "missed"
            continue
        best = min(near, key=lambda o: hypot(o.centre[0] - one.x, o.centre[1] - one.y))
        left.remove(best)
        right = best.value == one.value
        sure = "doubtful" if best.confidence < 0.9 else "sure"
        yield "valued" if right else "unknown" if best.value == UNKNOWN else f"wrong {sure}"
        if right and best.confidence < 0.9:
            yield "asked"
        if best.count == one.count:
            yield "exact"
        yield "held" if best.least <= one.count <= best.most else "not held"
        yield "single" if best.least == best.most else "range"
        yield from ["wide"] * (best.most - best.least + 1)
    yield from ("invented" for _ in left)


def line(total: Counter[str]) -> str:
    """The outcomes as one line, with shares of the chips."""
    chips = max(1, total["chips"])
    shares = ", ".join(f"{name} {total[name] / chips:.1%}" for name in ("valued", "exact", "held"))
    seen = max(1, total["chips"] - total["missed"])
    shares += f", ranges {total['wide'] / seen:.1f} wide"
    names = ("missed", "wrong sure", "wrong doubtful", "asked", "range", "invented", "untaught")
    return f"{chips} chips: {shares}; " + ", ".join(f"{name} {total[name]}" for name in names)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the outcomes; status 1 if a value was wrong but sure, or a chip was invented."""
    parser = ArgumentParser(prog="python -m tests.real_chips", description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(VALIDATION))
    parser.add_argument("--photos", type=int, default=4, help="photographs for each set and layout")
    parser.add_argument("--layouts", nargs="+", choices=LAYOUTS, default=list(LAYOUTS))
    parser.add_argument(
        "--tilt", type=float, default=12.0, help="largest tilt, in degrees from straight down"
    )
    parser.add_argument(
        "--hard", type=float, default=0.7, help="from 0 (good light) to 1 (any light)"
    )
    parser.add_argument("--beside", type=int, default=5, help="cards in each photograph to read")
    parser.add_argument("--shown", type=int, default=5, help="cards in the photograph taught from")
    parser.add_argument("--seed", type=int, default=50_000)
    options = parser.parse_args(arguments)
    eyes, false = CardReader(threads=2), 0
    totals = {layout: Counter[str]() for layout in options.layouts}
    for name in options.sets:
        rng = np.random.default_rng(options.seed)
        tilt = options.tilt * rng.random()
        photo = taught_photo(SETS[name], rng, tilt=tilt, hard=0.3, beside=options.shown)
        try:
            chips = learn(SETS[name], photo.picture, eyes.read(photo.picture))
        except ProfileError as error:
            print(f"  {name}: {error}", flush=True)
            for total in totals.values():
                total["untaught"] += 1
            continue
        for layout, total in totals.items():
            found = Counter[str]()
            for number in range(options.photos):
                rng = np.random.default_rng([options.seed, number, LAYOUTS.index(layout)])
                tilt = options.tilt * rng.random()
                shown = read_photo_of(
                    SETS[name], layout, rng, tilt=tilt, hard=options.hard, beside=options.beside
                )
                reading = eyes.read(shown.picture)
                found.update(judged(shown, ChipReader(chips).beside(shown.picture, reading)))
            print(f"  {layout} {name}: {line(found)}", flush=True)
            total.update(found)
            false += found["wrong sure"] + found["invented"]
    for layout, total in totals.items():
        print(f"{layout}: {line(total)}", flush=True)
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
