"""How long a card lies until it is settled, in the film's own time: the same on any machine.

``python -m tests.benchmarks.settling [SENSOR…]`` deals a hand's ten cards, the hand leaving after
each, under each simulated camera at fifteen pictures a second. Reading takes no time here.
"""

from __future__ import annotations

import sys

import numpy as np

from firmware.appliance import tracker_of
from firmware.rehearsal.tabletop import Tabletop, filmed, setting
from firmware.settings.settings import Settings
from firmware.table.places import Places
from rules.cards import Card, parse_cards
from tests.benchmarks.latency import CARDS, PAUSE_S, RATE_HZ, SETTINGS
from vision.picture.plane import Plane
from vision.scene.items import Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.sightings import Seen


def waits(sensor: str, seed: int = 1) -> list[float]:
    """Seconds from each card at rest to the look in which it is told and its spot is not busy."""
    settings = Settings.from_mapping(SETTINGS)
    table = Tabletop(filmed(setting(seed=seed), SENSORS[sensor]), seed=seed)
    camera, plane = SimulatedCamera(SENSORS[sensor], seed), Plane(table.matrix)
    state = settings.rules().open(settings.start)
    places = Places(plane)
    tracker = tracker_of(places.outlines(state), plane, state.game.deck(state.start))
    cells = {name: iter(place.cells) for name, place in places.layout(state).places.items()}
    now, number, told = 1.0, 0, list[float]()
    camera.lock()
    for place, card in enumerate(parse_cards(CARDS)):
        spot = "banker" if place == 2 else "board"
        x, y, angle = next(cells[spot])
        end = table.bring(table.piece(card), Pose(x, y, angle), now=now, spot=spot)
        (carry,) = [carry for gesture in table._gestures for carry in gesture.carries]
        seen_at: float | None = None
        while number / RATE_HZ < end + PAUSE_S:
            number += 1
            time = number / RATE_HZ
            camera.lock()
            picture = camera.shoot(table.frame, time, still=not table.moving(time))
            if _told(tracker.update(picture, time), spot, card) and seen_at is None:
                seen_at = time
        told.append(np.nan if seen_at is None else seen_at - carry.laid)
        now = end + PAUSE_S
    return told


def _told(seen: Seen, spot: str, card: Card) -> bool:
    there = [one.card for one in seen.spots[spot] if not one.doubtful]
    return spot not in seen.busy and card in there


def main() -> None:
    """Print a line for each camera."""
    for sensor in sys.argv[1:] or ("clean", "webcam"):
        found = np.array(waits(sensor)) * 1000
        known = found[~np.isnan(found)]
        print(
            f"{sensor:10} settled {len(known)} of {len(found)}; "
            f"median {np.median(known):.0f} ms, 95th percentile {np.percentile(known, 95):.0f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
