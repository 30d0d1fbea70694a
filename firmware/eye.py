"""The eye: takes pictures and reads them in a worker that holds no state of the game."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.follow.taking import Crop
from firmware.table.cameras import FRAME_TIMEOUT_S
from firmware.table.guards import Guard
from hardware.capture import Camera
from hardware.errors import CameraError, CameraMissingError, CameraStuckError, PictureError
from rules.cards import Deck
from vision.chips.seen import SeenChips
from vision.join.measures import Measures
from vision.join.proportions import Proportions
from vision.picture.geometry import Frame, Polygon
from vision.picture.plane import Plane
from vision.read.alphabets import Letters
from vision.reader import CardReader, KnownDeck
from vision.sightings import INDEX_MM, Lying, Seen
from vision.track.tracker import Tracker

CROP_MARGIN = 0.08
"""Width of the margin kept around a card in its crop, as a share of the card's size. A choice."""
CROP_QUALITY = 85
"""JPEG quality at which an index 25 px high stays readable: about 6 KB a card. Measured by `python
-m tests.thresholds`.
"""
STUCK_S = 20.0
"""A capture that has hung for this long will not release the camera: the program exits, and the
service restarts it. The Pi's drivers give up on a lost sensor after 1 to 5 s. A choice.
"""
LOOKS_WAITING = 2
"""Looks that may wait for the loop; older ones are dropped, as the newest shows the same table. A
choice.
"""


def tracker_of(
    spots: Mapping[str, Polygon],
    plane: Plane,
    deck: Deck,
    known: KnownDeck | None = None,
    chips: Chips | None = None,
    *,
    assumed: bool = False,
) -> Tracker:
    """A tracker of the `spots` whose reader looks for cards at the scale of this table.

    The scale may be only `assumed`, until cards have shown it (`firmware.table.sizing`). A `known`
    deck is read by its faces or its letters; `chips` are looked for where bets are placed.
    """
    corners = np.array([point for polygon in spots.values() for point in polygon.points])
    x, y = (float(value) for value in corners.mean(axis=0))
    index_height = INDEX_MM * plane.scale(plane.millimetres((x, y)))
    reader = CardReader(
        index_height=index_height,
        assumed=assumed,
        known=known,
        deck=Proportions(measures=Measures.on(plane, (x, y), index_height)),
        letters=Letters(),
    )
    if chips is not None:
        return chips.tracker(reader, spots, deck)
    return Tracker(reader, spots, deck=deck)


class Chips(Protocol):
    """A taught set of chips, and where bets are placed (`firmware.table.chips_watched`)."""

    def tracker(self, reader: CardReader, spots: Mapping[str, Polygon], deck: Deck) -> Tracker:
        """The tracker that follows both cards and chips."""


def crops_of(frame: Frame) -> Crop:
    """A function that cuts the picture of a card out of `frame`, as a JPEG file."""

    def crop(lying: Lying) -> bytes | None:
        corners = np.asarray(lying.outline)
        low, high = corners.min(axis=0), corners.max(axis=0)
        margin = (high - low) * CROP_MARGIN
        left, top = np.maximum(low - margin, 0).astype(int)
        right, bottom = (high + margin).astype(int)
        part = frame[top:bottom, left:right]
        if not part.size:
            return None
        done, data = cv2.imencode(".jpg", part, (cv2.IMWRITE_JPEG_QUALITY, CROP_QUALITY))
        return bytes(data) if done else None

    return crop


@dataclass(frozen=True)
class Look:
    """One report of the eye: what it saw, or why it could not see."""

    seen: Seen
    crop: Crop


Watching = Callable[[NDArray[np.uint8], Look], None]
"""Called with every picture and what was read in it, in order to save or draw it."""


class Eye:
    """Takes pictures and reads them, in its own thread.

    A camera that fails is reopened; meanwhile each look reports the trouble ``camera``, so that the
    loop can tell the dealer.
    """

    def __init__(
        self,
        camera: Camera,
        tracker: Tracker,
        watching: Watching | None = None,
        guard: Guard | None = None,
    ) -> None:
        self.camera = camera
        self.tracker = tracker
        self.looks: queue.Queue[Look] = queue.Queue(LOOKS_WAITING)
        self.failure: BaseException | None = None
        self._watching = watching
        self._guard = guard
        self._spots: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def start(self) -> None:
        """Start looking."""
        self._thread.start()

    def watch(
        self, spots: Mapping[str, Polygon], deck: Deck, bets: Mapping[str, Polygon] | None = None
    ) -> None:
        """Look at other spots, and for chips at other places, from the next picture on."""

        def watched() -> None:
            self.tracker.watch(spots, deck)
            if bets:
                self.tracker.watch_bets(bets)

        self._spots.put(watched)

    def count(self, counted: Sequence[tuple[SeenChips, int]]) -> None:
        """Take in how many chips are in stacks that were reported, before the next picture."""

        def told() -> None:
            for chips, number in counted:
                self.tracker.count(chips, number)

        self._spots.put(told)

    @property
    def looking(self) -> bool:
        """Whether it is still looking, or still has looks to deliver."""
        return self._thread.is_alive() or not self.looks.empty()

    def stop(self) -> None:
        """Stop looking; returns once the worker has ended."""
        self._ended.set()
        self._thread.join(FRAME_TIMEOUT_S)

    def _run(self) -> None:
        live = self.camera.live
        while not self._ended.is_set():
            try:
                self._look()
            except EOFError:
                return
            except (CameraMissingError, PictureError) as error:
                self.failure = error
                return
            except CameraError as error:
                if not live:  # a damaged film would only fail at the same place again
                    self.failure = error
                    return
                self._blind()
            except BaseException as error:  # the loop's thread must be told
                self.failure = error
                return

    def _look(self) -> None:
        self._give(self.look())

    def look(self) -> Look:
        """What the next picture shows; raises `CameraError` if none can be taken.

        It runs in the caller's thread and skips no picture.
        """
        while not self._spots.empty():
            self._spots.get()()
        picture = self.camera.frame(FRAME_TIMEOUT_S)
        seen = self.tracker.update(picture.image, picture.time_s)
        if self._guard is not None:
            troubles = self._guard(picture.image, picture.time_s)
            seen = replace(seen, trouble=(*seen.trouble, *troubles))
        look = Look(seen, crops_of(picture.image))
        if self._watching is not None:
            self._watching(picture.image, look)
        return look

    def _blind(self) -> None:
        """Report that nothing can be seen, and retry after a pause."""
        spots: Mapping[str, tuple[Lying, ...]] = {}
        self._give(Look(Seen(spots, frozenset(), ("camera",), time.monotonic()), lambda _: None))
        if not self._ended.wait(1.0):
            try:
                self.camera.reopen()
            except CameraStuckError as again:
                if again.stuck_s >= STUCK_S:  # a new process can reopen it, this one cannot
                    self.failure = again
                    self._ended.set()
            except CameraError:
                pass  # not plugged back in yet

    def _give(self, look: Look) -> None:
        """Deliver the look, replacing one that has not been fetched yet."""
        while True:
            try:
                self.looks.put_nowait(look)
            except queue.Full:
                try:
                    self.looks.get_nowait()
                except queue.Empty:
                    continue
            else:
                return
