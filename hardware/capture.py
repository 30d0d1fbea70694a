"""Capture with a time-out: each source reads in its own thread, so no caller waits forever.

A `Source` talks to one device or file and may hang doing so; a `Camera` runs it in a thread, hands
over its pictures and gives up on it when it hangs. A *live* source keeps producing pictures and
only the newest one counts. Any other (a film, a folder, a simulated table) is read one picture at
a time, on request, and none is skipped.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from hardware.errors import CameraError, CameraStuckError, CameraTimeoutError
from hardware.pixels import Image

OPEN_TIMEOUT_S = 15.0
"""Longest time a device may take to open: a Pi camera needs about 2 s, after a crash up to 10 s."""
FRAME_TIMEOUT_S = 2.0
"""Longest wait for a picture: the longest exposure we allow is under a second."""
_CLOSE_TIMEOUT_S = 5.0
"""Longest time a device may take to close; libcamera on a busy machine needs a few seconds."""
_FASTEST_S = 1 / 60
"""Shortest time between two readings of a live source: some deliver hundreds of pictures a second.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: `image` is (height, width, 3) bytes, blue, green, red.

    `time_s` is when it was taken, in seconds: on the monotonic clock for live sources, since the
    first picture for a film or a folder. `number` counts the pictures read from 0, so a gap means
    that pictures were skipped.
    """

    image: Image
    time_s: float
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """What a source reads: a picture and the time it was taken."""

    image: Image
    time_s: float


class Source(ABC):
    """A device, file or function that pictures come from.

    All its methods except `interrupt` run in one thread.
    """

    live = False
    """Whether pictures keep coming unrequested, so that only the newest counts."""

    @abstractmethod
    def open(self) -> None:
        """Get ready to read; raises `CameraError`."""

    @abstractmethod
    def read(self) -> Shot:
        """Wait for the next picture, however long it takes; raises `CameraError`."""

    @abstractmethod
    def close(self) -> None:
        """Release the device."""

    @abstractmethod
    def describe(self) -> str:
        """What this is and what it delivers, in half a sentence."""

    def interrupt(self) -> None:  # noqa: B027 - most sources do not wait in a way that can be ended
        """Abort a blocked `read` where possible; called from another thread before `close`."""

    def lock(self) -> str | None:
        """Lock exposure and white balance once they have settled.

        Called before each picture until it returns a line: what was locked, or why nothing can be.
        """
        return "nothing to lock: the pictures have already been taken"

    def unlock(self) -> None:  # noqa: B027 - most sources have nothing to undo
        """Let exposure and white balance follow the light again."""


class _Worker:
    """One opening of a source, in its own thread. A worker that hangs is abandoned."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.description = ""
        self.locked: str | None = None
        self._change = threading.Condition()
        self._ready = self._stopped = self._wanted = False
        self._lock_wish: bool | None = None
        self._frame: Frame | None = None
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    # The caller's side

    def wait_open(self, timeout_s: float) -> bool:
        """Whether the source opened in time; raises whatever opening it raised."""
        with self._change:
            self._change.wait_for(lambda: self._ready or self._error, timeout_s)
            if self._error is not None and not self._ready:
                raise self._error
            return self._ready

    def take(self, timeout_s: float) -> Frame | None:
        """The next picture, or None if none comes in time; raises whatever reading raised."""
        with self._change:
            self._wanted = True
            self._change.notify_all()
            self._change.wait_for(lambda: self._frame or self._error, timeout_s)
            frame, self._frame = self._frame, None
            if frame is None and self._error is not None:
                raise self._error
            if frame is not None:
                self._wanted = False
            return frame

    def wish_lock(self, wish: bool) -> None:
        with self._change:
            self._lock_wish, self.locked = wish, None

    def stop(self, timeout_s: float) -> bool:
        """Whether the thread ended in time."""
        with self._change:
            self._stopped = True
            self._change.notify_all()
        self.source.interrupt()
        self._thread.join(timeout_s)
        return not self.alive

    @property
    def alive(self) -> bool:
        """Whether the thread is still running and so may hold the device."""
        return self._thread.is_alive()

    # The thread's side

    def _run(self) -> None:
        try:
            self.source.open()
            try:
                self._read_all()
            except Exception as error:
                self._fail(error)  # before closing, which may hang for the same reason
            finally:
                self.source.close()
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Raise this at the caller's next request; the first error is the cause."""
        with self._change:
            self._error = self._error or _as_camera_error(error, self.source)
            self._change.notify_all()

    def _read_all(self) -> None:
        description = self.source.describe()
        with self._change:
            self._ready, self.description = True, description
            self._change.notify_all()
        number, next_at = 0, 0.0
        while self._go_on(next_at):
            next_at = time.monotonic() + (_FASTEST_S if self.source.live else 0.0)
            self._lock_or_unlock()
            shot = self.source.read()
            with self._change:
                self._frame = Frame(shot.image, shot.time_s, number)
                self._change.notify_all()
            number += 1

    def _go_on(self, next_at: float) -> bool:
        """Wait until it is time to read the next picture; false once the camera is closed."""
        with self._change:
            if self.source.live:
                pause = next_at - time.monotonic()
                self._change.wait_for(lambda: self._stopped, max(pause, 0.0))
            else:
                self._change.wait_for(lambda: self._stopped or (self._wanted and not self._frame))
            return not self._stopped

    def _lock_or_unlock(self) -> None:
        wish = self._lock_wish
        if wish is None:
            return
        told: str | None = None
        if wish:
            told = self.source.lock()
        else:
            self.source.unlock()
        with self._change:
            if self._lock_wish is wish and (told is not None or not wish):
                self._lock_wish, self.locked = None, told


def _as_camera_error(error: Exception, source: Source) -> CameraError:
    if isinstance(error, CameraError):
        return error
    told = CameraError(f"{source.describe()}: {type(error).__name__}: {error}")
    told.__cause__ = error
    return told


class Camera:
    """Any source of pictures, read with a time-out so that the caller never waits for long.

    `name` is what people call it; `make_source` makes a fresh source at every opening. Use it as a
    context manager, or `open` and `close` it. Its methods may be called from any thread, `frame`
    from one thread at a time.
    """

    def __init__(self, name: str, make_source: Callable[[], Source]) -> None:
        self.name = name
        self._make_source = make_source
        self._worker: _Worker | None = None
        self._locking = False
        self._last_at: float | None = None
        self._last_s = 0.0
        self._kept: Frame | None = None
        self._left: _Worker | None = None
        self._left_at = 0.0

    def __enter__(self) -> Self:
        if self._worker is None:
            self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, timeout_s: float = OPEN_TIMEOUT_S) -> None:
        """Open the source; raises `CameraError` saying what is wrong, or `CameraTimeoutError`."""
        self.close()
        self._kept, self._last_s = None, 0.0
        worker = _Worker(self._make_source())
        if not worker.wait_open(timeout_s):
            self._stop(worker, 0.0)
            raise CameraTimeoutError(f"{self.name}: did not open within {timeout_s:g} s")
        self._worker = worker
        if self._locking:  # a camera that was plugged in again starts with automatic exposure
            worker.wish_lock(True)

    def close(self) -> bool:
        """Close the source; false if it hangs and had to be abandoned."""
        worker, self._worker = self._worker, None
        return worker is None or self._stop(worker, _CLOSE_TIMEOUT_S)

    def _stop(self, worker: _Worker, timeout_s: float) -> bool:
        """Return whether it ended in time; if not, it is abandoned and the time noted."""
        if worker.stop(timeout_s):
            return True
        if not self._stuck_s():
            self._left, self._left_at = worker, time.monotonic()
        return False

    def _stuck_s(self) -> float:
        """Seconds that an abandoned capture has been hanging; 0 if there is none."""
        left = self._left
        return time.monotonic() - self._left_at if left is not None and left.alive else 0.0

    def reopen(self, timeout_s: float = OPEN_TIMEOUT_S) -> str:
        """Close and reopen; returns a line for the log.

        Raises as `open` does, and `CameraStuckError` if a hung capture still holds the device.
        """
        self.close()
        try:
            self.open(timeout_s)
        except CameraError as error:
            stuck_s = self._stuck_s()
            if not stuck_s:
                raise
            held = f"a capture that has hung for {stuck_s:.0f} s still holds {self.name}"
            raise CameraStuckError(f"{error} ({held})", stuck_s) from error
        left = self._stuck_s() > 0
        return f"{self.name}: opened again" + ("; the hung capture was abandoned" if left else "")

    def frame(self, timeout_s: float = FRAME_TIMEOUT_S) -> Frame:
        """The next picture that has not been returned before.

        Raises `CameraTimeoutError` if none comes in time, `EndOfPicturesError` after the last
        one, and `CameraError` saying what is wrong.
        """
        worker = self._open_worker()
        kept, self._kept = self._kept, None
        frame = kept or worker.take(timeout_s)
        now = time.monotonic()
        if frame is None:
            raise CameraTimeoutError(
                f"{self.name}: no picture within {timeout_s:g} s ({self._since(now)}); "
                "open it again"
            )
        self._last_at, self._last_s = now, frame.time_s
        return frame

    def peek(self, timeout_s: float = FRAME_TIMEOUT_S) -> Frame:
        """A picture to look at; `frame` returns it again, unless the camera is live."""
        frame = self.frame(timeout_s)
        self._kept = None if self.live else frame
        return frame

    def now(self) -> float:
        """This camera's clock in seconds: monotonic time if it is live, otherwise its own.

        A film's clock stands still between pictures, however long they take to read.
        """
        return time.monotonic() if self._worker is None or self.live else self._last_s

    def lock(self) -> None:
        """Lock exposure and white balance as soon as they have settled; see `locked`."""
        self._open_worker().wish_lock(True)
        self._locking = True

    def unlock(self) -> None:
        """Let exposure and white balance follow the light again."""
        self._open_worker().wish_lock(False)
        self._locking = False

    @property
    def locked(self) -> str | None:
        """What has been locked since the last `lock`; None while the light is settling."""
        return None if self._worker is None else self._worker.locked

    @property
    def live(self) -> bool:
        """Whether pictures keep coming unrequested, so that only the newest is returned."""
        return self._open_worker().source.live

    def describe(self) -> str:
        """What this is and what it delivers, in half a sentence."""
        worker = self._worker
        return f"{self.name}, closed" if worker is None else worker.description

    def _since(self, now: float) -> str:
        if self._last_at is None:
            return "there has been none yet"
        return f"the last one came {now - self._last_at:.1f} s ago"

    def _open_worker(self) -> _Worker:
        if self._worker is None:
            raise CameraError(f"{self.name}: closed; open it before asking for pictures")
        return self._worker
