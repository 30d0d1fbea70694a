"""`mazziere calibrate`: find the table, judge light and focus, show where everything will lie."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from html import escape
from pathlib import Path

import cv2
import numpy as np

from firmware.errors import UsageError
from firmware.files import write_whole
from firmware.settings.settings import Settings
from firmware.table.cameras import FRAME_TIMEOUT_S, camera_of
from firmware.table.markers import Found, Picture, find_by_edges, find_by_markers, sheet_svg
from firmware.table.optics import SETTLING_MOST
from firmware.table.places import Places, table_mm
from firmware.table.reporting import Report
from firmware.table.sizing import index_height, size_by_cards
from firmware.texts import Texts
from firmware.texts.plain import said
from firmware.texts.words import Words
from hardware.capture import Camera
from hardware.errors import EndOfPicturesError
from hardware.selftest import Check, Verdict, check_focus, check_light
from rules.state import State
from vision.draw import FONT, PALE, PLATE, READ
from vision.picture.plane import Plane
from vision.reader import CardReader

LOOKS = 9
"""Number of pictures combined: the median of nine removes noise and a passing hand. A choice."""
SAFE_PX = 25.0
"""Index height from which cards are read reliably. A choice."""


@dataclass(frozen=True)
class Calibration:
    """The result of a calibration: the settings to keep, the checks, and the picture.

    `by` says how the table was found: ``markers``, ``edges`` or the whole ``picture``.
    """

    settings: Settings
    by: str
    index_px: float
    locked: str
    checks: tuple[Check, ...]
    trouble: tuple[str, ...]
    picture: Picture

    @property
    def good(self) -> bool:
        """Whether cards will be read well here."""
        return not self.trouble and all(check.verdict is Verdict.OK for check in self.checks)


def calibrate(
    settings: Settings, camera: Camera, size_mm: tuple[float, float] | None = None
) -> Calibration:
    """Calibrate to the table that the open camera sees.

    `size_mm` is the watched area's width and height, if somebody has measured it.
    """
    locked = settled(camera)
    found = judged(looked(camera), settings, locked=locked, size_mm=size_mm)
    if not settings.game:
        return found
    return replace(found, picture=with_spots(found.picture, found.settings))


def judged(
    picture: Picture,
    settings: Settings,
    *,
    locked: str = "",
    size_mm: tuple[float, float] | None = None,
) -> Calibration:
    """What one picture shows: where the table is, and whether light and focus are good."""
    found = find_by_markers(picture) or find_by_edges(picture) or whole(picture)
    size = size_mm or found.size_mm or _by_cards(picture, standing(settings, found, None))
    settings = standing(settings, found, size)
    index_px = index_of(settings)
    reading = CardReader(index_height=index_px).read(picture)
    checks = (
        check_light(picture),
        check_focus(picture),
        check_scale(index_px, assumed=size is None),
    )
    trouble = tuple(reading.trouble)
    return Calibration(settings, found.by, index_px, locked, checks, trouble, picture)


def _by_cards(picture: Picture, settings: Settings) -> tuple[float, float] | None:
    """The size of the area, measured by any cards lying there; None if there are none."""
    return size_by_cards(settings.size_mm, seen_by(settings), CardReader().read(picture).faces)


def standing(settings: Settings, found: Found, size_mm: tuple[float, float] | None) -> Settings:
    """The settings with the table where it was found."""
    size = size_mm or settings.size_mm
    return replace(settings, corners=found.corners, size_mm=size, markers=found.by == "markers")


def index_of(settings: Settings) -> float:
    """The height of an index in the middle of the configured table, in pixels."""
    return index_height(seen_by(settings), settings.size_mm)


def seen_by(settings: Settings) -> Plane:
    """The table plane as seen by a camera calibrated to these settings."""
    return Plane.from_points(table_mm(settings.size_mm), settings.corners)


def places_of(settings: Settings) -> Places:
    """Where the game's spots lie on that table and in the camera's pictures."""
    return Places(
        seen_by(settings),
        settings.size_mm,
        around=settings.around,
        dealer_at=settings.dealer_at,
        moved=settings.moved,
        chips=bool(settings.chips),
    )


def first_hand(settings: Settings) -> State:
    """The game's first hand, whose spots are drawn."""
    state: State = settings.rules().open(settings.start)
    return state


def settled(camera: Camera) -> str:
    """Lock the exposure once the light has settled; returns what was locked, or why nothing was."""
    if not camera.live:
        return "nothing to lock: the pictures have already been taken"
    camera.lock()
    for _ in range(SETTLING_MOST):
        camera.frame(FRAME_TIMEOUT_S)
        if camera.locked is not None:
            return camera.locked
    return "nothing: the light does not settle"


def looked(camera: Camera) -> Picture:
    """What the camera sees without passing hands: the median of a few pictures."""
    pictures = [camera.frame(FRAME_TIMEOUT_S).image]
    while len(pictures) < LOOKS:
        try:
            pictures.append(camera.frame(FRAME_TIMEOUT_S).image)
        except EndOfPicturesError:
            break
    return middle_of(pictures)


def middle_of(pictures: Sequence[Picture]) -> Picture:
    """The median of pictures of one size, which removes noise and a passing hand.

    >>> dark, middle, bright = (np.full((1, 2, 1), value, np.uint8) for value in (9, 40, 250))
    >>> middle_of([bright, dark, middle]).tolist(), middle_of([bright, middle]).tolist()
    ([[[40], [40]]], [[[145], [145]]])
    """
    like = [picture for picture in pictures if picture.shape == pictures[0].shape]
    # Odd-even sorting of whole pictures: `np.median` sorts each pixel by itself, which takes ten
    # times as long.
    for start in range(len(like)):
        for low in range(start % 2, len(like) - 1, 2):
            pair = like[low : low + 2]
            like[low : low + 2] = np.minimum(*pair), np.maximum(*pair)
    lower, upper = like[(len(like) - 1) // 2], like[len(like) // 2]
    return np.asarray(lower + (upper - lower) // 2, np.uint8)


def whole(picture: Picture) -> Found:
    """The picture's own corners, for lack of anything better."""
    height, width = picture.shape[:2]
    return Found(
        ((0.0, 0.0), (float(width), 0.0), (float(width), float(height)), (0.0, float(height))),
        "picture",
    )


def check_scale(index_px: float, *, assumed: bool = False) -> Check:
    """Check that indices are high enough in the picture to be read reliably.

    If the size of the table is only `assumed`, the verdict is unknown.
    """
    if assumed:
        told = "the size of the table is only assumed: lay a card down, or give --size"
        return Check("scale", Verdict.WARN, told)
    verdict = Verdict.OK if index_px >= SAFE_PX else Verdict.WARN
    remedy = "" if verdict is Verdict.OK else f", {SAFE_PX:.0f} expected: hang the camera lower"
    return Check("scale", verdict, f"an index is {index_px:.0f} px high{remedy}")


def with_spots(picture: Picture, settings: Settings) -> Picture:
    """A copy of the picture with the spots of the game's first hand drawn in and named."""
    state, places = first_hand(settings), places_of(settings)
    texts, drawn = Texts.load(settings.language), picture.copy()
    size = max(0.5, picture.shape[1] / 2400)
    beside = {one.name for one in state.game.betting_places(state.start) if one.beside}
    bets = {name: one for name, one in places.bets(state).items() if name not in beside}
    for name, polygon in {**places.outlines(state), **bets}.items():
        corners = np.round(np.asarray(polygon.points)).astype(np.int32)
        cv2.polylines(drawn, [corners], True, READ, max(2, round(3 * size)), cv2.LINE_AA)
        _name(drawn, texts.spot(name), corners.mean(axis=0), size)
    return drawn


def _name(drawn: Picture, text: str, middle: Sequence[float], size: float) -> None:
    plain = text.encode("ascii", "replace").decode()  # the drawing font has no other letters
    (wide, high), _ = cv2.getTextSize(plain, FONT, size, 1)
    x, y = round(middle[0] - wide / 2), round(middle[1] + high / 2)
    cv2.rectangle(drawn, (x - 6, y - high - 6), (x + wide + 6, y + 6), PLATE, -1)
    cv2.putText(drawn, plain, (x, y), FONT, size, PALE, 1, cv2.LINE_AA)


# The sign.

_STYLE = (
    "body{font-family:sans-serif;max-width:17cm;margin:1.5cm auto;color:#000;background:#fff}"
    "h1{font-size:30pt;margin:0}h2{font-size:22pt}td{padding:.15cm .4cm .15cm 0;font-size:13pt;"
    "vertical-align:top}td+td{font-weight:bold}"
)


def sign(settings: Settings) -> str:
    """A sign for the table as an HTML page: the game, the limits and the house rules in words.

    It is generated from the program's own parameters, so the two always agree.
    """
    words, game = Words.load(settings.language), settings.rules()
    rows = "".join(
        f"<tr><td>{escape(words.house_rule(game.name, rule))}</td>"
        f"<td>{escape(words.value(rule.value))}</td></tr>"
        for rule in game.house_rules()
    )
    title = escape(words.title(game.name))
    limits = ""
    if settings.limits:
        least, greatest = settings.limits
        said = words.page["limits"].format(least=least, greatest=greatest)
        limits = f"<h2>{escape(said)}</h2>"
    return (
        f'<!doctype html><html lang="{settings.language}"><head><meta charset="utf-8">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>{limits}"
        f"<table>{rows}</table></body></html>\n"
    )


# The command.


def command(
    options: argparse.Namespace, settings: Settings, keep: Path | None = None
) -> Calibration | None:
    """Run the command, and save what was found in the file `keep`.

    With `--print-only` no camera is needed and only the pages are written.
    """
    for file, text in ((options.markers, sheet_svg), (options.sign, lambda: sign(settings))):
        if file is not None:
            _written(Path(file), text())
    if options.print_only:
        return None

    with camera_of(settings) as camera:
        asks = camera.live and sys.stdin.isatty() and not options.json
        found = until_good(partial(calibrate, settings, camera, options.size), asks=asks)
    if options.picture and not cv2.imwrite(options.picture, found.picture):
        raise UsageError(f"{options.picture}: the picture cannot be written")
    if keep is not None:
        found.settings.save(keep)
    return found


def until_good(
    look: Callable[[], Calibration], *, asks: bool, tell: Callable[[str], None] = print
) -> Calibration:
    """Calibrate; if somebody `asks`, report what is amiss and look again until all is good.

    On an interrupt, the last result is kept.
    """
    found, told = look(), list[str]()
    with suppress(KeyboardInterrupt):
        while asks and not found.good:
            new = [line for line in lines(found) if line not in told]
            told += new
            for line in new:
                tell(line)
            found = look()
    return found


def _written(file: Path, text: str) -> None:
    try:
        write_whole(file, text)
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror}") from error


def report(found: Calibration) -> Report:
    """The result as plain values for JSON."""
    return {
        "by": found.by,
        "corners": [list(corner) for corner in found.settings.corners],
        "size_mm": list(found.settings.size_mm),
        "index_px": round(found.index_px, 1),
        "locked": found.locked,
        "trouble": list(found.trouble),
        "checks": [{**asdict(one), "verdict": str(one.verdict)} for one in found.checks],
        "good": found.good,
    }


def lines(found: Calibration) -> Sequence[str]:
    """The result in words."""
    wide, high = found.settings.size_mm
    texts = Texts.load(found.settings.language)
    language = found.settings.language
    told = [f"table: found by its {found.by}, {wide:.0f} x {high:.0f} mm"]
    told += [f"exposure: {found.locked}"]
    told = [said(line, language) for line in told]
    told += [
        f"{one.verdict.upper():6} {one.name}: {said(one.detail, language)}" for one in found.checks
    ]
    told += [texts.sentences[f"trouble.{name}"] for name in found.trouble]
    return told
