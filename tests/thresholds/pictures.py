"""Measurements for `vision` on drawn tables whose truth is known."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from rules.cards import BACK
from tests.stillness import moving, simulated
from tests.thresholds.claims import Claim, supports
from tests.thresholds.tables import SEEDS, matched, outcome, reader, surveyed, table, wrong
from vision.backs.edges import HALF, STEP
from vision.decide.trouble import BLUR, DARK, FAR, middling, white
from vision.find.ground import COARSE, QUIET, WINDOW
from vision.join.joined import CONFIRMED
from vision.join.pairs import ALIKE, OBLIQUE, OPPOSED
from vision.picture.geometry import Frame, averaged, short_side
from vision.sightings import SURE_BACK
from vision.track.consensus import NEAR
from vision.track.motion import CHANGED, MOVED, shrunken

EVENING, DAY = 8.0, 3.0
"""Standard deviation of a sensor's noise, in grey levels, in the evening and by day."""
EVEN = (90, 110, 100)
"""A cloth of uniform colour."""
LOOKED_AT = 12
"""Frames of a board at rest."""


def _ground(sigma: float) -> Frame:
    """A uniform cloth with noise."""
    noise = np.random.default_rng(0).normal(EVEN, sigma, (720, 1280, 3))
    return np.asarray(np.clip(noise, 0, 255).round(), np.uint8)


@supports("vision.backs.edges.STEP")
def edges_of_noise() -> Iterator[Claim]:
    """How often uniform ground with sensor noise is mistaken for an edge."""
    even = np.asarray(cv2.blur(_ground(DAY).astype(np.float32), (1, 5)), np.float32)
    rises = even[2 * HALF :] - even[: -2 * HALF]
    share = float((rises.max(axis=2) >= STEP).mean())
    says = "points of an even ground with noise of 3 levels that look like an edge"
    yield Claim(says, share, most=0.001)


def _apart(frame: Frame) -> Frame:
    """The largest difference of each window's averaged pixels over the colours, in levels."""
    small = averaged(frame, (frame.shape[1] // COARSE, frame.shape[0] // COARSE))
    window = np.ones((WINDOW, WINDOW), np.uint8)
    apart = cv2.subtract(cv2.dilate(small, window), cv2.erode(small, window))
    return np.asarray(apart.max(axis=2), np.uint8)


@supports("vision.find.ground.QUIET")
def quiet_ground() -> Iterator[Claim]:
    """How large noise becomes on uniform ground, and how faint an index on a very dark table."""
    beyond = float((_apart(_ground(EVENING)) > QUIET).mean())
    yield Claim("share of an even ground beyond it under noise of 8 levels", beyond, most=0.01)
    dark = table(0, 22.0)
    frame = np.asarray(cv2.convertScaleAbs(dark.frame, alpha=DARK / white(dark.frame)), np.uint8)
    shown = _apart(frame)
    places = [mark for card in dark.cards if card.card != BACK for mark in card.indices]
    faintest = min(int(shown[int(one.y) // COARSE, int(one.x) // COARSE]) for one in places)
    yield Claim("levels of the faintest index where white paper has 34", faintest, least=QUIET + 1)


@supports("vision.find.finder.HEAT")
def found_indices() -> Iterator[Claim]:
    """The share of printed indices that are found."""
    tables = [matched(seed) for seed in SEEDS]
    missed, printed = sum(one.missed for one in tables), sum(len(one.card) for one in tables)
    yield Claim("share of printed indices that are found", printed / (printed + missed), least=0.97)


@supports("vision.join.joined.CONFIRMED")
def directions() -> Iterator[Claim]:
    """How accurately the directions of indices are found."""
    tables = [matched(seed) for seed in SEEDS]
    off = np.concatenate([(one.indices.ups * one.printed[:, 3:]).sum(axis=1) for one in tables])
    within = float((off >= np.cos(np.radians(8))).mean())
    yield Claim("share of indices found within 8 degrees of their direction", within, least=0.95)
    yield Claim("share within the limit", float((off >= CONFIRMED).mean()), least=0.98)


@supports("vision.join.pairs.ALIKE", "vision.join.pairs.OPPOSED", "vision.join.pairs.OBLIQUE")
def two_of_a_card() -> Iterator[Claim]:
    """How much a card's two indices differ in size, and how far from opposite they point."""
    ratios, ways = [], []
    for one in map(matched, SEEDS):
        for number in np.unique(one.card):
            pair = one.indices[one.card == number]
            if len(pair) == 2:
                ratios.append(float(pair.heights.max() / pair.heights.min()))
                ways.append(float(pair.ups[0] @ pair.ups[1]))
    yield Claim("largest ratio of the heights of a card's indices", max(ratios), most=ALIKE)
    yield Claim("largest cosine of their directions", max(ways), most=OPPOSED)
    oblique = np.degrees(np.arccos(np.clip(-np.array(ways), -1, 1)))
    spread = float(np.sqrt(np.mean(oblique**2)))
    yield Claim("standard deviation of their directions, in degrees", spread, most=OBLIQUE)


@supports("vision.sightings.SURE")
def sure_readings() -> Iterator[Claim]:
    """What a single look at a well-lit, sharp table reads for certain."""
    read = float(np.mean([outcome(seed) for seed in SEEDS]))
    yield Claim("share of the faces that are read correctly and for certain", read, least=0.95)
    yield Claim("faces read for certain that are not there",
                float(sum(len(wrong(seed)) for seed in SEEDS)), most=0)  # fmt: skip


@supports("vision.sightings.SURE_BACK")
def sure_backs() -> Iterator[Claim]:
    """The confidence of backs that lie singly, and of false ones."""
    known: list[float] = []
    false = [0.0]
    for seed in SEEDS:
        centres = [np.mean(card.outline, axis=0) for card in table(seed).cards if card.card == BACK]
        for one in surveyed(seed).reading.sightings:
            if one.card == BACK:
                lies = min(float(np.linalg.norm(one.centre - centre)) for centre in centres) < 30
                (known if lies else false).append(one.confidence)
    yield Claim("confidence of the least certain back", min(known), least=SURE_BACK)
    yield Claim("backs found of sixteen", float(len(known)), least=16)
    yield Claim("confidence of the most certain false one", max(false), most=SURE_BACK)


@supports("vision.decide.trouble.BLUR")
def focus() -> Iterator[Claim]:
    """How far edges are spread in and out of focus, and what is read in each case."""

    def spread(blur: float) -> list[float]:
        return [middling(surveyed(seed, 27.0, blur).glances[0].blur) for seed in SEEDS]

    yield Claim("spread of the edges of the least sharp table in focus", max(spread(0.03)),
                most=BLUR)  # fmt: skip
    yield Claim("spread where the lens blurs by 0.12 index heights", min(spread(0.12)), least=BLUR)
    clear, soft = (
        float(np.mean([outcome(seed, 27.0, blur) for seed in SEEDS])) for blur in (0.03, 0.12)
    )
    yield Claim("share of the faces read that the blur costs", clear - soft, least=0.1)


@supports("vision.decide.trouble.FAR")
def distance() -> Iterator[Claim]:
    """What is read of a table at a suitable distance and from too far away."""
    near, far = (
        float(np.mean([outcome(seed, height) for seed in SEEDS])) for height in (25.0, FAR - 3)
    )
    yield Claim("share of the faces read at an index height of 25 px", near, least=0.95)
    yield Claim("share at 3 px below the limit", far, most=0.8)


@supports("vision.decide.trouble.DARK")
def darkness() -> Iterator[Claim]:
    """What is read of a table that is just bright enough."""
    usual = float(np.mean([white(table(seed).frame) for seed in SEEDS]))
    dim = [(seed, 27.0, 0.03, 0.9 * (DARK + 4) / usual) for seed in SEEDS]
    bright = float(np.mean([white(table(*one).frame) for one in dim]))
    yield Claim("how bright white is on a table that is just light enough", bright, least=DARK)
    read = float(np.mean([outcome(*one) for one in dim]))
    yield Claim("share of the faces read there", read, least=0.9)


def _without_first_index(seed: int) -> Frame:
    """A table with the first index of each card covered."""
    frame = table(seed).frame.copy()
    for card in table(seed).cards:
        for mark in card.indices[:1]:
            middle, size = (round(mark.x), round(mark.y)), round(0.7 * mark.height)
            cv2.circle(frame, middle, size, (240, 240, 240), -1)
    return frame


@supports("vision.track.consensus.NEAR")
def jumps() -> Iterator[Claim]:
    """How far a card's position jumps if one of its two indices is missed."""
    ways = []
    for seed in SEEDS[:4]:
        before = {one.card: one for one in surveyed(seed).reading.sightings if one.card != BACK}
        for again in reader().read(_without_first_index(seed)).sightings:
            if old := before.get(again.card):
                away = float(np.hypot(*np.subtract(old.centre, again.centre)))
                ways.append(away / short_side(old.outline))
    yield Claim("cards seen again by one index", float(len(ways)), least=10)
    yield Claim("farthest jump, in short sides", max(ways, default=0.0), most=NEAR)


@supports("vision.track.motion.MOVED", "vision.track.motion.CHANGED")
def noise_at_rest() -> Iterator[Claim]:
    """How two reduced frames of a board at rest differ under cameras' noise."""

    def beyond(sensor: str, limit: int, step: int) -> float:
        frames = [shrunken(frame)[0] for frame in simulated(sensor, frames=LOOKED_AT)]
        pairs = zip(frames, frames[step:], strict=False)
        return float(np.mean([cv2.absdiff(one, other) > limit for one, other in pairs]))

    yield Claim("share of a webcam's shrunken pixels that noise moves from frame to frame",
                beyond("webcam", MOVED, 1), most=1e-4)  # fmt: skip
    yield Claim("share of them in an evening's noise that differ from the frame ten before",
                beyond("evening", CHANGED, 10), most=1e-3)  # fmt: skip


@supports("vision.track.motion.NOISE")
def patches_at_rest() -> Iterator[Claim]:
    """How often noise makes a patch of changes on a board at rest."""
    _, patchy, _ = moving(simulated("webcam", frames=3 * LOOKED_AT))
    yield Claim("share of a webcam's frames with a patch of changes", patchy, most=0)
    _, _, moved = moving(simulated("evening", frames=3 * LOOKED_AT))
    yield Claim("share in the evening that no shift of a pixel explains", moved, most=0)
