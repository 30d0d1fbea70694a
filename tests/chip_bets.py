"""How well bets are read at simulated tables: ``python -m tests.chip_bets --seeds 0:10``.

Hands are played by eyes that know cards and chips. Whenever the chips have changed and no hand is
over the table, a picture of it is read at the betting places, as a tracker does, and the reading of
each stack is compared with what is there.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import dist, hypot

import numpy as np

from firmware.rehearsal.chip_set import taught_chips
from firmware.rehearsal.chips import CHIP_MM, Pile
from firmware.rehearsal.plan import Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.setting import AREA, PX_PER_MM, SIZE, setting
from firmware.settings.settings import Settings
from firmware.table.places import Places
from rules.cards import BACK
from tests.chip_scenes import nadir
from tests.rehearsing import TruthfulWatcher
from vision.chips.seen import SeenChips
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Frame, Outline, Polygon
from vision.picture.plane import Plane
from vision.track.chip_watch import Chips, chips_at

GAMES = ("ziginette", "seven-and-a-half", "guts", "pai-gow-poker")
PAIRED = 0.6
"""Maximum distance between a reading and the top of its stack, in chip widths."""
THICK_MM = 3.3
"""Thickness of the drawn chips."""
MOST = 5
"""Stacks taller than this are counted separately: people seldom bet so many chips."""
FAR_MM = 250.0
"""Minimum distance from the point below the camera at which a stack counts as outer."""


@dataclass(frozen=True, eq=False)
class Table:
    """A picture of a table with stacks on it.

    `tops` are the places where the stacks' tops appear (px), and `away` their distances from the
    point below the camera (mm); `places` are those of bets, and `faces` and `backs` the cards at
    rest.
    """

    frame: Frame
    piles: tuple[Pile, ...]
    tops: tuple[tuple[float, float], ...]
    away: tuple[float, ...]
    places: dict[str, Polygon]
    faces: tuple[Outline, ...]
    backs: tuple[Outline, ...]
    plane: Plane
    height_mm: float | None = None
    """The camera's height, if somebody measured it."""

    def read(self) -> list[SeenChips]:
        """Read the chips at the betting places."""
        camera = Standpoint.of(self.plane, SIZE, height_mm=self.height_mm)
        chips = Chips(taught_chips(), camera, self.places)
        return [
            one
            for place in self.places.values()
            for one in chips_at(chips, place, self.frame, self.faces, self.backs)
        ]


def tables(game: str, seed: int, hands: int) -> Iterator[Table]:
    """Pictures of a table while `hands` are played, one for each change of the chips."""
    settings = {"table": {"game": game, "level": "amounts", "chips": "drawn"}}
    plan = Plan.of(Settings.from_mapping(settings), seed=seed)
    rehearsal = Rehearsal(plan, watches=TruthfulWatcher)
    assert rehearsal.chips is not None
    rehearsal.chips.own = False  # readings give values, not players
    places = plan.places(Plane(rehearsal.table.matrix))
    known: set[tuple[Pile, ...]] = {()}
    found: list[Table] = []

    def look() -> None:
        chips, now = rehearsal.chips, rehearsal.clock.now
        assert chips is not None
        if chips.piles not in known and not rehearsal.table.moving(now):
            known.add(chips.piles)
            found.append(_table(rehearsal, chips.piles, places))

    try:
        for _ in rehearsal.play(hands, pause=look):
            yield from found
            found.clear()
    finally:
        rehearsal.close()


def _table(rehearsal: Rehearsal, piles: tuple[Pile, ...], places: Places) -> Table:
    """The picture of a table at this moment, and what is on it."""
    plane = Plane(rehearsal.table.matrix)
    view = setting(rehearsal.plan.seed).view
    below = np.add(nadir(view), np.divide(AREA, 2))
    tops = []
    for pile in piles:
        at = pile.at[0] - AREA[0] / 2, pile.at[1] - AREA[1] / 2
        x, y = view.project([at], pile.count * THICK_MM)[0]
        tops.append((float(x), float(y)))
    seen = rehearsal.loop.seen
    lying = [one for some in seen.spots.values() for one in some] if seen is not None else []
    return Table(
        rehearsal.table.frame(rehearsal.clock.now), piles, tuple(tops),
        tuple(float(hypot(*np.subtract(pile.at, below))) for pile in piles),
        dict(places.bets(rehearsal.loop.state)),
        tuple(one.outline for one in lying if one.card != BACK),
        tuple(one.outline for one in lying if one.card == BACK),
        plane, 10.0 * round(view.height_mm / 10),
    )  # fmt: skip


def judged(table: Table, seen: Sequence[SeenChips]) -> Iterator[str]:
    """The verdict on each stack, and on anything else that was read."""
    left, reach = list(seen), PAIRED * CHIP_MM * PX_PER_MM
    for pile, top, away in zip(table.piles, table.tops, table.away, strict=True):
        if not any(place.contains(top) for place in table.places.values()):
            continue
        kind = "single" if pile.count == 1 else "low" if pile.count <= MOST else "high"
        kinds = ("stacks", kind, f"{kind} {'outer' if away >= FAR_MM else 'inner'}")
        yield from (f"{one}: all" for one in kinds)
        near = min(left, key=lambda one: dist(one.centre, top), default=None)
        if near is None or dist(near.centre, top) > reach:
            yield from (f"{one}: missed" for one in kinds)
            continue
        left.remove(near)
        yield from (f"{one}: {told}" for one in kinds for told in _told(pile, near))
    yield from ("invented" for _ in left)


def _told(pile: Pile, seen: SeenChips) -> Iterator[str]:
    """How well a stack was read: `sure` if there is nothing left to ask."""
    if seen.value != str(pile.value):
        yield "wrong value"
        return
    yield "held" if seen.least <= pile.count <= seen.most else "not held"
    if not seen.doubtful:
        yield "sure" if seen.count == pile.count else "sure and wrong"


def lines(total: Counter[str]) -> Iterator[str]:
    """The counts as lines of text."""
    told = ("sure", "held", "sure and wrong", "not held", "wrong value", "missed")
    for kind in sorted({name.partition(":")[0] for name in total if name.endswith(": all")}):
        every = total[f"{kind}: all"]
        shares = ", ".join(
            f"{name} {total[f'{kind}: {name}'] / every:.1%}"
            if name in ("sure", "held")
            else f"{name} {total[f'{kind}: {name}']}"
            for name in told
        )
        yield f"{kind} {every}: {shares}"
    yield f"invented {total['invented']}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how well the stacks were read; status 1 if any was read wrongly."""
    parser = ArgumentParser(prog="python -m tests.chip_bets", description=__doc__)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--seeds", default="0:10")
    parser.add_argument("--hands", type=int, default=4)
    options = parser.parse_args(arguments)
    first, _, last = options.seeds.partition(":")
    total = Counter[str]()
    for game in options.games.split(","):
        found = Counter[str]()
        for seed in range(int(first), int(last or int(first) + 1)):
            for table in tables(game, seed, options.hands):
                found["pictures"] += 1
                found.update(judged(table, table.read()))
        print(f"{game}, {found.pop('pictures', 0)} pictures", flush=True)
        print("\n".join(f"  {line}" for line in lines(found)), flush=True)
        total += found
    print("\n".join(lines(total)))
    wrong = ("sure and wrong", "not held", "wrong value")
    return 1 if any(total[f"stacks: {name}"] for name in wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
