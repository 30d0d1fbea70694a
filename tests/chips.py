"""Measure how well chips are read: ``python -m tests.chips``.

Each set is taught from one drawn picture and read on new ones, with other lights, tables, heights
and tilts and with cards next to the chips. The validation sets are never tuned on. Some of them
have plaques beside round chips, and one has nothing else; the totals are for each shape. Chips are
2.5 to 4 mm thick and coins 1.8 to 2.4, which is told unless nobody measured it. With `--earlier`,
other pictures of each table are read first, and how large chips appear there is learned from them,
as in the hands before.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import hypot
from typing import TypeAlias

import numpy as np

from tests.chip_scenes import (
    Pile,
    Put,
    Rng,
    Scene,
    apart,
    drawn,
    one_of_each,
    shaded,
    spread,
    stacks,
    touching,
    upon,
)  # fmt: skip
from vision.chips.chip_set import THICK_DOUBT, THICK_MM, ChipSet
from vision.chips.gauge import Gauge
from vision.chips.reader import ChipReader
from vision.chips.seen import UNKNOWN, SeenChips
from vision.chips.standpoint import Standpoint
from vision.chips.teaching import learned
from vision.scene.chip_sets import DEVELOPMENT, VALIDATION, ChipSetStyles
from vision.scene.chips import Shape

Layout: TypeAlias = Callable[[ChipSetStyles, Rng], list[Put]]
OUTER_MM = 250.0
"""Distance (mm) from the point below the camera beyond which a stack counts as far from the
middle."""
LAYOUTS: dict[str, Layout] = {
    "apart": lambda styles, rng: apart(styles, 20, 6, rng),
    "touching": lambda styles, rng: touching(styles, 20, rng),
    "spread": lambda styles, rng: spread(styles, 20, rng),
    "stacks": lambda styles, rng: stacks(styles, 12, 5, rng),
    "upon": lambda styles, rng: upon(styles, 8, 4, rng),
}


def camera_of(scene: Scene) -> Standpoint:
    """The calibrated camera of a drawn scene."""
    x, y = scene.view.project(scene.nadir)[0]
    return Standpoint((float(x), float(y)), scene.height_mm, scene.px_per_mm)


def taught(name: str, styles: ChipSetStyles, *, measured: bool = True) -> ChipSet:
    """A chip set as taught from one picture under a calibrated camera.

    Unless somebody `measured` it, its thickness is taken for the usual one.
    """
    scene = one_of_each(styles, np.random.default_rng(7))
    values, told = [style.value for style in styles], (THICK_MM, THICK_DOUBT, 0.0)
    if measured:
        told = styles[0].thick, 0.0, styles[-1].thick
    thick, doubt, flat = told
    return learned(
        name, values, scene.picture, scene.cards,
        px_per_mm=scene.px_per_mm, thick_mm=thick, thick_doubt=doubt, flat_mm=flat,
    )  # fmt: skip


def judged(scene: Scene, seen: Sequence[SeenChips]) -> Iterator[str]:
    """The outcomes of each pile, and `invented` for each sighting that fits none.

    Each outcome is given once more after the pile's shape and a colon.
    """
    left = list(seen)
    for pile in scene.piles:
        for outcome in _judged(pile, left):
            yield outcome
            yield f"{pile.shape}:{outcome}"
    yield from ("invented" for _ in left)


def _judged(pile: Pile, left: list[SeenChips]) -> Iterator[str]:
    """The outcomes of one pile; what is seen there is taken out of what is `left`."""
    near = [
        one
        for one in left
        if hypot(one.centre[0] - pile.x, one.centre[1] - pile.y) < 0.5 * pile.radius
    ]
    yield "piles"
    where = "outer" if pile.away >= OUTER_MM else "inner"
    yield where
    if not near:
        yield "missed"
        return
    one = next((some for some in near if some.value == pile.value), near[0])
    left.remove(one)
    right = one.value == pile.value
    yield "valued" if right else "unknown" if one.value == UNKNOWN else "wrong"
    if right and one.count == pile.count:
        yield "exact"
        yield f"{where} exact"
    if one.least <= pile.count <= one.most:
        yield "held"
        yield f"{where} held"


def read(
    name: str, styles: ChipSetStyles, layout: Layout, scenes: int, *, measured: bool = True,
    first: int = 1000, earlier: int = 0,
) -> Counter[str]:  # fmt: skip
    """Outcomes of the piles in `scenes` pictures of one set; `first` is the seed of the first.

    Of each table, as many pictures as are `earlier` were read before.
    """
    chips, total = taught(name, styles, measured=measured), Counter[str]()
    for number in range(first, first + scenes):
        rng = np.random.default_rng(number)
        puts, gauge = layout(styles, rng), None
        for _ in range(earlier):
            gauge = learned_from(_table(layout(styles, rng), number), chips, gauge)
        scene = _table(puts, number) if earlier else drawn(puts, rng)
        reader = ChipReader(chips, camera=camera_of(scene), gauge=gauge)
        total.update(judged(scene, reader.read(scene.picture, scene.cards)))
    return total


def learned_from(scene: Scene, chips: ChipSet, gauge: Gauge | None) -> Gauge:
    """What is known of the sizes of a set's chips once a picture was read."""
    known = gauge or Gauge.of(len(chips.values), 0.0, chips.thick_doubt)
    reader = ChipReader(chips, camera=camera_of(scene), gauge=known)
    seen = reader.read(scene.picture, scene.cards)
    return known.judged([one.evidence for one in seen if one.evidence is not None])[1]


def _table(puts: Sequence[Put], seed: int) -> Scene:
    """Piles on the one table of a seed, under its camera and in its light."""
    return drawn(puts, np.random.default_rng([seed, 1]))


def camouflaged(
    name: str, styles: ChipSetStyles, layout: Layout, scenes: int, cloth: float, *,
    first: int = 1000,
) -> Counter[str]:  # fmt: skip
    """Outcomes in `scenes` pictures for each value that is no plaque, each value alone on a table
    in its own colour, whose light is the share `cloth` of the chip's."""
    chips, total = taught(name, styles), Counter[str]()
    for style in (one for one in styles if one.shape is not Shape.PLAQUE):
        for number in range(scenes):
            rng = np.random.default_rng(first + number)
            scene = drawn(layout((style,), rng), rng, ground=shaded(style.colour, cloth))
            reader = ChipReader(chips, camera=camera_of(scene))
            total.update(judged(scene, reader.read(scene.picture, scene.cards)))
    return total


def invented(sets: dict[str, ChipSetStyles], scenes: int, first: int = 9000) -> int:
    """How many chips are seen on drawn tables with cards and hands but no chips; `first` is the
    seed of the first."""
    count = 0
    readers = [taught(name, styles) for name, styles in sets.items()]
    for number in range(scenes):
        rng = np.random.default_rng(first + number)
        scene = drawn([], rng, cards=int(rng.integers(3, 14)), hand=bool(rng.random() < 0.3))
        chips = readers[number % len(readers)]
        count += len(ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards))
    return count


def of_shape(total: Counter[str], shape: Shape) -> Counter[str]:
    """The outcomes of the piles of one shape."""
    mark = f"{shape}:"
    return Counter(
        {name[len(mark) :]: count for name, count in total.items() if name.startswith(mark)}
    )


def line(total: Counter[str]) -> str:
    """The outcomes as one line, with shares of the piles."""
    piles = max(1, total["piles"])
    shares = ", ".join(f"{name} {total[name] / piles:.1%}" for name in ("valued", "exact", "held"))
    outer = ", ".join(
        f"{name} {total[f'outer {name}'] / max(1, total['outer']):.1%}"
        for name in ("exact", "held")
    )
    names = ("missed", "wrong", "unknown", "invented")
    rest = ", ".join(f"{name} {total[name]}" for name in names)
    return f"{piles} piles: {shares}; {total['outer']} away from the middle: {outer}; {rest}"


def _outcomes(name: str, styles: ChipSetStyles, layout: str, options: Namespace) -> Counter[str]:
    """The outcomes of one set that a user asked for."""
    how, scenes, first = LAYOUTS[layout], options.scenes, options.seed
    if options.camouflage:
        return camouflaged(name, styles, how, scenes, options.camouflage, first=first)
    told = not options.unmeasured
    return read(name, styles, how, scenes, measured=told, first=first, earlier=options.earlier)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the outcomes; status 1 if a value was wrong or a chip invented."""
    parser = ArgumentParser(prog="python -m tests.chips", description=__doc__)
    parser.add_argument("--sets", choices=("development", "validation"), default="validation")
    parser.add_argument("--scenes", type=int, default=10, help="pictures for each set and layout")
    parser.add_argument("--none", type=int, default=100, help="tables without chips")
    parser.add_argument("--first", type=int, default=9000, help="seed of the first of these")
    parser.add_argument("--layouts", nargs="+", choices=LAYOUTS, default=list(LAYOUTS))
    parser.add_argument(
        "--unmeasured", action="store_true", help="nobody says how thick the chips are"
    )
    parser.add_argument(
        "--camouflage", type=float, metavar="LIGHT",
        help="each value alone on cloth of its own colour, in this share of its light",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1000, help="seed of the first picture")
    parser.add_argument("--earlier", type=int, default=0, help="pictures of each table read before")
    parser.add_argument("--only", nargs="+", help="names of sets; all of them unless given")
    options = parser.parse_args(arguments)
    every = DEVELOPMENT if options.sets == "development" else VALIDATION
    sets = {name: every[name] for name in options.only or every}
    false = 0
    for layout in options.layouts:
        totals = Counter[str]()
        for name, styles in sets.items():
            found = _outcomes(name, styles, layout, options)
            print(f"  {layout} {name}: {line(found)}", flush=True)
            totals += found
        for shape in (one for one in Shape if totals[f"{one}:piles"]):
            print(f"{layout}, {shape}: {line(of_shape(totals, shape))}", flush=True)
        print(f"{layout}: {line(totals)}", flush=True)
        false += totals["wrong"] + totals["invented"]
    none = invented(sets, options.none, options.first)
    print(f"{options.none} tables without chips: {none} invented", flush=True)
    return 1 if false or none else 0


if __name__ == "__main__":
    sys.exit(main())
