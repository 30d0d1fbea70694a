"""Checks that need nobody: is everything present, connected and working?

Each check reports one thing and never raises; the caller prints the reports. Paths start at
`root`, so that a simulated machine can be checked too.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np

from hardware.camera import Camera
from hardware.errors import CameraError, HardwareError
from hardware.lamps import Pattern
from hardware.panel import Panel
from hardware.pins import LGPIO_REMEDY, Pins, choose_pins, lgpio_fault, model
from hardware.pixels import Image
from hardware.voice import Voice
from hardware.wiring import Wiring

LEAST_DISK = 200_000_000
"""Bytes: twenty times a long evening's journal with its pictures of cards."""
LITTLE_DISK = 1_000_000_000
WARM_C, HOT_C = 75.0, 80.0
"""Temperatures in °C that warn and fail: a Raspberry Pi slows itself down from 80 °C."""
DARK, BRIGHT = 45.0, 215.0
"""Mean brightness (0 to 255) below which noise drowns an index, above which glare washes it out."""
BLOWN_SHARE = 0.2
"""Share of full-white pixels above which a picture counts as glare, not paper."""
SHARP = 40.0
"""Variance of the Laplacian for a table in focus with anything on it; a blurred picture has less
than ten."""
FIRST_TIMEOUT_S = 10.0
"""The first picture may have to wait for the exposure to settle and, on a cold start, for the disk.
"""
FRAMES = 5
"""Pictures in a row that the camera must deliver."""


class Verdict(StrEnum):
    """The outcome of a check."""

    OK = "ok"
    WARN = "warn"
    """It works, but something needs attention."""
    FAIL = "fail"
    """It does not work."""
    ABSENT = "absent"
    """This machine does not have one."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check: its name, the verdict, and the figures or the remedy."""

    name: str
    verdict: Verdict
    detail: str

    def __str__(self) -> str:
        return f"{self.verdict.upper():6} {self.name}: {self.detail}"


def run_checks(
    wiring: Wiring,
    *,
    pins: Pins | None = None,
    camera: Camera | None = None,
    voice: Voice | None = None,
    folder: Path = Path(),
    look_s: float = 0.3,
    root: Path = Path("/"),
) -> Iterator[Check]:
    """All checks, each yielded as soon as it is done.

    `folder` is where the journal is kept; each lamp is lit for `look_s` seconds.
    """
    yield check_board(root)
    yield check_power(root)
    yield check_temperature(root)
    yield check_disk(folder)
    yield check_lgpio(root)
    yield from check_panel(wiring, pins, look_s)
    yield check_voice(voice or Voice())
    yield from check_camera(camera)


# The board


def check_board(root: Path = Path("/")) -> Check:
    """Which board this is."""
    name = model(root)
    if "Raspberry Pi" in name:
        return Check("board", Verdict.OK, name)
    return Check("board", Verdict.ABSENT, f"no Raspberry Pi ({name or 'unknown'}): pins simulated")


def check_power(root: Path = Path("/")) -> Check:
    """Whether the supply voltage has been too low since start-up, by the firmware's own flags."""
    throttled = root / "sys/devices/platform/soc/soc:firmware/get_throttled"
    try:
        flags = int(throttled.read_text().strip(), 16)
    except (OSError, ValueError):
        return _voltage_alarm(root)
    # Raspberry Pi documentation, "vcgencmd get_throttled": bit 0 now, bit 16 since the start.
    if flags & 1:
        return Check("power", Verdict.FAIL, f"the supply is too weak now (flags {flags:#x})")
    if flags & 1 << 16:
        return Check("power", Verdict.WARN, f"the supply has been too weak (flags {flags:#x})")
    return Check("power", Verdict.OK, f"never too weak since the start (flags {flags:#x})")


def _voltage_alarm(root: Path) -> Check:
    for alarm in sorted((root / "sys/class/hwmon").glob("*/in0_lcrit_alarm")):
        if _read(alarm) == "1":
            return Check("power", Verdict.WARN, "the supply has been too weak (kernel's alarm)")
        return Check("power", Verdict.OK, "never too weak since the start (kernel's alarm)")
    return Check("power", Verdict.ABSENT, "this board does not report its voltage")


def check_temperature(root: Path = Path("/")) -> Check:
    """How hot the processor is."""
    try:
        degrees = int(_read(root / "sys/class/thermal/thermal_zone0/temp")) / 1000
    except ValueError:
        return Check("temperature", Verdict.ABSENT, "this board does not report its temperature")
    verdict = Verdict.OK if degrees < WARM_C else Verdict.WARN if degrees < HOT_C else Verdict.FAIL
    remedy = "" if verdict is Verdict.OK else "; give the box more air or a fan"
    return Check("temperature", verdict, f"{degrees:.0f} °C, slow from {HOT_C:.0f} °C{remedy}")


def check_disk(folder: Path, free: int | None = None) -> Check:
    """How much room is left for the journal; `free` (bytes) is measured unless given."""
    try:
        free = shutil.disk_usage(folder).free if free is None else free
    except OSError as error:
        return Check("disk", Verdict.FAIL, f"{folder}: {error.strerror}")
    verdict = Verdict.OK if free >= LITTLE_DISK else Verdict.WARN
    verdict = Verdict.FAIL if free < LEAST_DISK else verdict
    return Check("disk", verdict, f"{free / 1e9:.1f} GB free at {folder.resolve()}")


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


# Pins


def check_lgpio(root: Path = Path("/")) -> Check:
    """Whether the pin driver is the real one."""
    if "Raspberry Pi" not in model(root):
        return Check("lgpio", Verdict.ABSENT, "not needed off a Raspberry Pi")
    fault = lgpio_fault()
    if fault:
        return Check("lgpio", Verdict.FAIL, f"{fault}; {LGPIO_REMEDY}")
    return Check("lgpio", Verdict.OK, "installed")


def check_panel(wiring: Wiring, pins: Pins | None = None, look_s: float = 0.0) -> Iterator[Check]:
    """Whether the pins are available, the lamps can be switched, and no button is pressed.

    Each lamp is lit for `look_s` seconds, for somebody to watch.
    """
    try:
        pins = pins or choose_pins()
        with Panel(wiring, pins) as panel:
            yield Check("pins", Verdict.OK, f"{len(wiring.pins())} pins on {pins.name}")
            yield _check_lamps(panel, look_s)
            yield from _check_buttons(panel)
    except HardwareError as error:
        yield Check("pins", Verdict.FAIL, str(error))


def _check_lamps(panel: Panel, look_s: float) -> Check:
    for lamp in panel.showing():
        try:
            panel.show_only({lamp: Pattern.STEADY})
            panel.wait(look_s)
            panel.show_only({})
        except Exception as error:  # gpiozero, lgpio and the kernel each raise their own exceptions
            return Check("lamps", Verdict.FAIL, f"the {lamp} lamp cannot be switched: {error}")
    lamps = ", ".join(panel.showing())
    return Check("lamps", Verdict.OK, f"lit one after the other: {lamps}")


def _check_buttons(panel: Panel) -> Iterator[Check]:
    down = panel.down()
    pins = panel.wiring.pins()
    for button in panel.buttons:
        where = f"GPIO{pins[f'{button}_button']}"
        if button in down:
            detail = f"{where} reads pressed: held down, shorted, or wired to the other rail"
            yield Check(f"{button} button", Verdict.FAIL, detail)
        else:
            yield Check(f"{button} button", Verdict.OK, f"{where} released")


# Voice and camera


def check_voice(voice: Voice) -> Check:
    """What speaks, if anything does."""
    if voice.program is None:
        return Check("voice", Verdict.ABSENT, voice.reason)
    return Check("voice", Verdict.OK, f"{voice.program}, language {voice.language}")


def check_camera(camera: Camera | None) -> Iterator[Check]:
    """Whether the camera opens and delivers pictures, and how bright and sharp they are."""
    if camera is None:
        yield Check("camera", Verdict.ABSENT, "none was given")
        return
    try:
        with camera:
            frames = [camera.frame(FIRST_TIMEOUT_S)]
            if camera.live:
                frames += [camera.frame() for _ in range(FRAMES - 1)]
            name = camera.describe()
    except CameraError as error:
        yield Check("camera", Verdict.FAIL, str(error))
        return
    yield Check("camera", Verdict.OK, f"{name}: {_rate([frame.time_s for frame in frames])}")
    yield check_light(frames[-1].image)
    yield check_focus(frames[-1].image)


def _rate(times: list[float]) -> str:
    span = times[-1] - times[0]
    if span <= 0:
        return "delivers pictures"
    return f"{(len(times) - 1) / span:.0f} pictures a second"


def check_light(image: Image) -> Check:
    """Whether the picture is well exposed: neither too dark nor full of glare."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    mean, blown = float(grey.mean()), float(np.mean(grey >= 250))
    detail = f"mean {mean:.0f} of 255, {blown:.0%} at full white"
    if mean < DARK:
        return Check("light", Verdict.WARN, f"too dark: {detail}")
    if mean > BRIGHT or blown > BLOWN_SHARE:
        return Check("light", Verdict.WARN, f"too bright: {detail}")
    return Check("light", Verdict.OK, detail)


def check_focus(image: Image) -> Check:
    """Whether the picture has sharp edges; an empty table may have none."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    sharpness = float(cv2.Laplacian(grey, cv2.CV_64F).var())
    if sharpness < SHARP:
        detail = f"sharpness {sharpness:.0f}, expected {SHARP:.0f}: out of focus, or an empty table"
        return Check("focus", Verdict.WARN, detail)
    return Check("focus", Verdict.OK, f"sharpness {sharpness:.0f}")
