"""Our Pi camera on the real picamera2 and libcamera; run by ``virtual_camera.sh``."""

from __future__ import annotations

import sys
import threading
import time
from importlib.metadata import version
from itertools import pairwise

import memfd  # type: ignore[import-not-found]
import numpy as np

from hardware.camera import Camera, Frame, Picamera2Camera, open_camera
from hardware.errors import CameraError, CameraTimeoutError
from hardware.pixels import Image
from hardware.selftest import check_camera

PATIENCE_S = 60.0
"""Generous: this tests whether a picture comes, not how fast the machine is."""

failures = 0


def tell(what: str, good: bool, detail: object = "") -> None:
    """Print a line, and count failures."""
    global failures  # noqa: PLW0603
    failures += not good
    print(f"{'ok  ' if good else 'FAIL'} {what} {detail}".rstrip(), flush=True)


def index_of(model: str) -> int:
    """The camera's number; libcamera lists them in arbitrary order."""
    return next(
        place
        for place, told in enumerate(memfd.Picamera2.global_camera_info())
        if told["Model"] == model
    )


def mean(image: Image, x: int, y: int) -> tuple[int, ...]:
    """The colour around a point: blue, green, red."""
    patch = image[y - 4 : y + 5, x - 4 : x + 5].reshape(-1, 3)
    return tuple(int(part) for part in np.round(patch.mean(axis=0)))


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two colours differ by no more than JPEG and YUV conversion explain."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 20


def try_table(index: int) -> None:
    """The camera that plays a table with a red card: colours, order, times."""
    with Picamera2Camera(index, (1280, 720)) as camera:
        frames = [camera.frame(PATIENCE_S) for _ in range(30)]
        tell("opens and describes itself:", True, camera.describe())
        image = frames[-1].image
        tell("gives the size asked for:", image.shape == (720, 1280, 3), image.shape)
        card, felt = mean(image, 300, 400), mean(image, 900, 400)
        tell("shows the red card red:", near(card, (0, 0, 255)), card)
        tell("shows the green table green:", near(felt, (60, 120, 40)), felt)
        try_times(frames)
        try_lock(camera)


def try_times(frames: list[Frame]) -> None:
    """Pictures never go back in time and never come faster than wanted."""
    steps = [later.time_s - sooner.time_s for sooner, later in pairwise(frames)]
    tell("dates pictures in their order", min(steps) > 0, f"(shortest step {min(steps):.4f} s)")
    rate = (len(frames) - 1) / (frames[-1].time_s - frames[0].time_s)
    tell("holds back a camera that has no pace:", rate < 70, f"{rate:.0f} pictures a second")


def try_lock(camera: Camera) -> None:
    """The virtual camera reports nothing about its light; locking must say so and go on."""
    camera.lock()
    for _ in range(40):
        camera.frame(PATIENCE_S)
    tell("locks what there is to lock:", camera.locked is not None, camera.locked)


def try_reopening(index: int) -> None:
    """Open and close it again and again, as after a hang."""
    for _ in range(5):
        with Picamera2Camera(index) as camera:
            camera.frame(PATIENCE_S)
            camera.reopen()
            camera.frame(PATIENCE_S)
    tell("opens and closes ten times", True)


def try_freezing(index: int) -> None:
    """As if a cable had come off: no picture comes, and picamera2's ``stop`` would hang."""
    with Picamera2Camera(index) as camera:
        camera.frame(PATIENCE_S)
        with memfd.frozen():
            try:
                while True:
                    camera.frame(3.0)
            except CameraTimeoutError as error:
                tell("reports a frozen camera:", True, error)
            begun = time.monotonic()
            told = camera.reopen()
            took = time.monotonic() - begun
            tell("and can be opened again at once:", took < 5.0, f"{told} (in {took:.1f} s)")
        camera.reopen()
        camera.frame(PATIENCE_S)
        tell("and once it has thawed gives pictures", True)


def try_stop(index: int) -> None:
    """What ``close`` avoids: picamera2's own ``stop`` waits for a capture that never ends."""
    camera = memfd.Picamera2(index)
    camera.configure(camera.create_video_configuration(main={"size": (1280, 720)}))
    camera.start()
    with memfd.frozen():
        time.sleep(0.5)  # for pictures on their way
        for _ in range(2):  # the first may still be served from buffered pictures
            camera.capture_request(wait=False)
        stop = threading.Thread(target=camera.stop, daemon=True)
        stop.start()
        stop.join(3.0)
        tell("picamera2's stop hangs, which is why it is not used", stop.is_alive())
        camera.close()
    tell("picamera2's close does not", not camera.is_open)


def try_bars(index: int) -> None:
    """Open it as the command line does, and run the self-test as well."""
    with open_camera(f"pi:{index}") as camera:
        image = camera.frame(PATIENCE_S).image
        tell("shows colour bars:", len(np.unique(image[100, ::60], axis=0)) >= 6, image.shape)
    for check in check_camera(open_camera(f"pi:{index}")):
        tell(f"self-test: {check}", check.verdict != "fail")


def try_missing() -> None:
    """A third camera is not connected."""
    try:
        open_camera("pi:9")
    except CameraError as error:
        tell("reports a missing camera:", True, error)
    else:
        tell("reports a missing camera", False)


def main(which: str) -> int:
    """Try the camera called `which`; return a shell's exit status."""
    memfd.install()
    print(f"{which}: python {sys.version.split()[0]}, picamera2 {version('picamera2')}", flush=True)
    if which == "Bars":
        try_bars(index_of(which))
    else:
        try_table(index_of(which))
        try_reopening(index_of(which))
        try_freezing(index_of(which))
        try_stop(index_of(which))
    try_missing()
    print("all is well" if not failures else f"{failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
