"""Follow whole hands with regional decks from pictures: ``python -m tests.italian_tables``.

The simulated table uses cards as another maker prints them; its camera watches, and the cards are
read by the stored profile of their pattern. The artwork is not part of the project;
``MAZZIERE_ART`` names the folder that holds it, as `vision.training.patterns` describes it. Status
1 if a hand was not followed as it was dealt.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from firmware.rehearsal.handling import MANNERS, NONE
from firmware.rehearsal.plan import CameraWatcher, Plan, Watcher
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.report import HandReport, transcript
from firmware.rehearsal.setting import filmed, setting
from firmware.rehearsal.tabletop import Tabletop
from firmware.settings.settings import Settings
from rules.cards import Deck
from tests.italian_decks import FIRST_PRINT, art
from vision.decide.patterns import PATTERNS
from vision.decide.profiles import Profile
from vision.picture.geometry import Polygon
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.training.patterns import FOLDERS, PrintedDeck

GAMES = ("ziginette", "seven-and-a-half")
"""The games of this project that Italians play with forty cards."""


@dataclass(frozen=True)
class Table:
    """A game with one maker's print of a regional deck, on a table drawn from a seed."""

    game: str
    deck: str
    seed: int
    handling: str = NONE
    sensor: str = "webcam"

    def played(self, folder: Path, hands: int) -> tuple[HandReport, ...]:
        """Play hands from the camera's pictures; `folder` holds the artwork."""
        settings = Settings.from_mapping({"table": {"game": self.game}})
        plan = Plan.of(settings, seed=self.seed, handling=self.handling, sensor=self.sensor)
        pattern = PATTERNS[self.deck]
        print_ = PrintedDeck(pattern, folder / FOLDERS[self.deck], FIRST_PRINT + self.seed)
        around = filmed(replace(setting(self.seed), deck=print_), plan.sensor)

        def watching(table: Tabletop, spots: Mapping[str, Polygon], deck: Deck) -> Watcher:
            camera = SimulatedCamera(plan.sensor, self.seed)
            profile = Profile.load(pattern.path)
            return CameraWatcher(table, spots, deck, camera=camera, known=profile)

        table = Tabletop(around, seed=self.seed)
        rehearsal = Rehearsal(plan, watches=watching, table=table)
        try:
            return tuple(rehearsal.play(hands))
        finally:
            rehearsal.close()


def _seeds(text: str) -> range:
    first, _, after = text.partition(":")
    return range(int(first), int(after) if after else int(first) + 1)


def main() -> int:
    """Play the tables asked for and print those not followed as dealt."""
    parser = ArgumentParser(prog="python -m tests.italian_tables", description=__doc__)
    parser.add_argument("--decks", nargs="*", default=sorted(PATTERNS), choices=sorted(PATTERNS))
    parser.add_argument("--games", nargs="*", default=GAMES, choices=GAMES)
    parser.add_argument("--seeds", type=_seeds, default=_seeds("0:5"), metavar="FROM:TO")
    parser.add_argument("--hands", type=int, default=2, metavar="N")
    parser.add_argument("--handling", default=NONE, choices=(NONE, *MANNERS))
    parser.add_argument("--sensor", default="webcam", choices=SENSORS)
    options = parser.parse_args()
    folder = art()
    if folder is None:
        print("MAZZIERE_ART must name a folder that holds one called italian", file=sys.stderr)
        return 2
    played = lost = 0
    for seed in options.seeds:
        for game in options.games:
            for deck in options.decks:
                table = Table(game, deck, seed, options.handling, options.sensor)
                reports = table.played(folder, options.hands)
                bad = [one for one in reports if not one.faithful or one.wrong]
                played, lost = played + len(reports), lost + len(bad)
                presses = sum(one.counts.presses for one in reports)
                print(f"{table}: {len(reports)} hands, {len(bad)} lost, {presses} presses")
                print(*(line for one in bad for line in transcript(one)), sep="\n", flush=True)
    print(f"{played} hands, {lost} not followed as dealt")
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
