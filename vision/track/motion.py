"""Whether something moves at a spot, has changed there, or covers it, on a shrunken picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.picture.geometry import Floats, Frame, halved
from vision.track.light import shares

WIDTH = 320
"""Longer side in pixels of the shrunken picture: on the reference table a pixel is 4 mm, so that a
finger covers a dozen, and sensor noise is averaged over 36 camera pixels. A choice;
`python -m tests.stillness` judges it."""
FINE = 0.25
"""Scale up to which every other row is enough: of 36 camera pixels 18 are left, whose noise is
still a quarter of one pixel's. A choice; `python -m tests.stillness` judges it."""
MOVED = 12
"""Difference in grey levels between consecutive frames that, on that average, a webcam's noise
exceeds at no more than one place in 10,000. Measured by `python -m tests.thresholds`."""
CHANGED = 16
"""Difference in grey levels between a settled spot and now that noise, even in the evening, exceeds
at no more than one place in a thousand. Measured by `python -m tests.thresholds`."""
NOISE = 4.0
"""Multiple of a level's usual difference that noise may reach: of 90 frames of a board at rest,
none has a patch beyond it under the simulated webcam, telephone and Pi camera, one in ninety has in
the evening's noise, and none has one that a shift of a pixel does not explain
(`python -m tests.stillness`). Measured by `python -m tests.thresholds`."""
EDGE = 0.2
"""Share of the step next to it by which a pixel may also differ: along the edges of a print, a
codec and a breathing lens shift levels as a fifth of a pixel would. A third hides the border of a
back on a back; a whole pixel hides the pips of a card laid on another of its suit. A choice between
them; `python -m tests.stillness` judges it."""
PATCH, NEAR = 6, 7
"""Minimum number of changed pixels that make a patch, and the side of the square they lie in: 96
square millimetres, a fingertip, or the edge of a card that has moved by 4 mm. A choice;
`python -m tests.stillness` judges it."""
DRIFT = 0.17
"""Rate at which the settled look follows slow changes of the light, per look. A choice;
`python -m tests.stillness` judges it."""
EMPTY = 26
"""Largest difference in grey levels of the empty table from how it looked before, due to shadow; in
the dark, the same share of a level (`light.shares`). A choice; `python -m tests.stillness` judges
it."""
BARE = 0.7
"""Minimum share of a card's place that must look like the empty table for the card to be gone. A
choice; `python -m tests.stillness` judges it."""


Mask: TypeAlias = NDArray[np.bool_]
Shown: TypeAlias = NDArray[np.uint8]
"""A mask (h, w): 255 where something holds, otherwise 0."""
Limits: TypeAlias = NDArray[np.uint8]
"""The difference that noise does not reach, for each grey level (256,)."""
Part: TypeAlias = tuple[slice, slice]
"""Rows and columns of a picture."""


def shrunken(frame: Frame) -> tuple[Frame, float]:
    """`frame` at the watched size, and by how much it was shrunk (at most 1)."""
    scale = min(1.0, WIDTH / max(frame.shape[:2]))
    size = max(1, round(frame.shape[1] * scale)), max(1, round(frame.shape[0] * scale))
    # Half the rows say nearly as much, and most of the time is spent reading them. Each picture is
    # compared with others that were shrunk the same way, so rounding may be any processor's own.
    some = halved(frame[:: 2 if scale <= FINE else 1], size)
    small = np.asarray(cv2.resize(some, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    return small, max(small.shape[:2]) / max(frame.shape[:2])


def differs(one: Frame, other: Frame, levels: int) -> Mask:
    """Where two pictures differ by more than `levels` in some colour."""
    alike = cv2.inRange(cv2.absdiff(one, other), (0, 0, 0), (levels, levels, levels))
    return np.asarray(alike == 0, np.bool_)


def both(one: Shown, other: Shown) -> Shown:
    """What is marked in both."""
    return np.asarray(cv2.bitwise_and(one, other), np.uint8)


def either(one: Shown, other: Shown) -> Shown:
    """What is marked in either."""
    return np.asarray(cv2.bitwise_or(one, other), np.uint8)


def inverse(shown: Shown) -> Shown:
    """What is not marked."""
    return np.asarray(cv2.bitwise_not(shown), np.uint8)


def widened(shown: Shown, pixels: int) -> Shown:
    """What is marked, grown by a square this many pixels across."""
    return np.asarray(cv2.dilate(shown, np.ones((pixels, pixels), np.uint8)), np.uint8)


def beyond(one: Frame, other: Frame, limits: Limits) -> Shown:
    """Where (255) two pictures differ by more than noise does at their level."""
    away, least = cv2.absdiff(one, other), int(limits.min())
    if cv2.norm(away, cv2.NORM_INF) <= least:
        return np.zeros(away.shape[:2], np.uint8)
    most = (least,) * 3
    if int(limits.max()) > least:
        away, most = cv2.subtract(away, cv2.LUT(other, limits)), (0, 0, 0)
    return inverse(np.asarray(cv2.inRange(away, (0, 0, 0), most), np.uint8))


def beyond_sway(now: Frame, before: Frame, limits: Limits) -> Shown:
    """The same, unless a shift of one pixel, as from a swaying camera, explains it."""
    around = np.ones((3, 3), np.uint8)
    allowed = cv2.LUT(before, limits)
    above = cv2.subtract(cv2.subtract(now, cv2.dilate(before, around)), allowed)
    below = cv2.subtract(cv2.subtract(cv2.erode(before, around), now), allowed)
    over = cv2.max(above, below)
    return inverse(np.asarray(cv2.inRange(over, (0, 0, 0), (0, 0, 0)), np.uint8))


def beyond_edges(now: Frame, before: Frame, limits: Limits) -> Shown:
    """The same, unless a shift of a fifth of a pixel (`EDGE`) explains it."""
    around = np.ones((3, 3), np.uint8)
    steep = cv2.subtract(cv2.dilate(before, around), cv2.erode(before, around))
    allowed = cv2.add(cv2.LUT(before, limits), cv2.convertScaleAbs(steep, alpha=EDGE))
    over = cv2.subtract(cv2.absdiff(now, before), allowed)
    return inverse(np.asarray(cv2.inRange(over, (0, 0, 0), (0, 0, 0)), np.uint8))


def unlike(now: Frame, before: Frame, limits: Limits, *, sways: bool) -> Shown:
    """Where (255), in patches, a place looks different from before; the camera may be swaying."""
    strict = patches(beyond(now, before, limits))
    if not cv2.countNonZero(strict):
        return strict
    return patches(both(strict, (beyond_sway if sways else beyond_edges)(now, before, limits)))


def as_empty(now: Frame, empty: Frame) -> Mask:
    """Where a picture looks as the `empty` table does, but for a shadow."""
    return np.asarray(beyond(now, empty, shares(EMPTY)) == 0, np.bool_)


def patches(shown: Shown) -> Shown:
    """The changed pixels (255) that are in patches rather than specks."""
    if not cv2.countNonZero(shown):
        return shown
    many = cv2.boxFilter(shown & np.uint8(1), -1, (NEAR, NEAR), normalize=False)
    return both(shown, np.asarray(cv2.inRange(many, (PATCH,), (255,)), np.uint8))


def edges(picture: Frame) -> Floats:
    """The gradient magnitude of the picture at each pixel (h, w), in grey levels."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def count(mask: Mask) -> int:
    """How many pixels are set."""
    return int(np.count_nonzero(mask))


def filled(outlines: Sequence[Floats], shape: tuple[int, ...]) -> tuple[Part, Mask]:
    """The part around `outlines` (4, 2) of a picture of this `shape`, and where they cover it.

    A card takes up a fiftieth of the picture, so the rest is left out. Empty if nothing lies
    inside.
    """
    corners = [np.round(one).astype(np.int32) for one in outlines]
    if not corners:
        return (slice(0, 0), slice(0, 0)), np.zeros((0, 0), np.bool_)
    limit = np.array(shape[1::-1])
    every = np.concatenate(corners)
    first = np.clip(every.min(axis=0), 0, limit)
    last = np.clip(every.max(axis=0) + 1, first, limit)
    field = np.zeros((last - first)[::-1], np.uint8)
    if field.size:
        for one in corners:
            cv2.fillConvexPoly(field, one - first, (1,))
    part = slice(int(first[1]), int(last[1])), slice(int(first[0]), int(last[0]))
    return part, field > 0


class Memory:
    """The look of a spot when it was last read, and of its table without cards.

    All pictures are of one size (h, w, 3), parts of the shrunken one. The `own` part (h, w) lies
    within the spot's border: the cards of other spots, beyond it, are not the table. None means all
    of it.
    """

    def __init__(self, own: Mask | None = None) -> None:
        self._own = own
        self._settled: Floats | None = None
        self._rounded: Frame | None = None
        self._read: Shown | None = None
        self._empty: Frame | None = None
        self._known: Mask | None = None
        self._earlier: Frame | None = None
        self._usual: Frame | None = None

    def changed(self, now: Frame, limits: Limits, *, sways: bool = False) -> Shown:
        """Where (255), in patches, the spot has changed since it was read; everywhere if unread."""
        if self._rounded is None or self._read is None:
            return np.full(now.shape[:2], 255, np.uint8)
        return either(unlike(now, self._rounded, limits, sways=sways), inverse(self._read))

    def settle(self, now: Frame, bare: Mask, where: Shown | None = None) -> None:
        """Remember `now` as read, or only `where` it was; where it is `bare`, it shows the table.

        All other arrays have the same size (h, w).
        """
        if self._settled is None or self._rounded is None or self._read is None:
            self._settled, self._rounded = now.astype(np.float32), now.copy()
            self._read = np.zeros(now.shape[:2], np.uint8)
        if self._empty is None or self._known is None or self._earlier is None:
            self._empty, self._known = now.copy(), np.zeros(bare.shape, np.bool_)
            self._earlier = now.copy()
        if where is None:
            # Reuse the array: allocating a large one costs more than filling it.
            self._settled[...], self._rounded[...], self._read[...] = now, now, 255
        else:
            there = where > 0
            self._settled[there], self._rounded[there] = now[there], now[there]
            self._read |= where
        fresh = bare if where is None else bare & (where > 0)
        self._look_again(now, fresh, self._empty, self._known, self._earlier)
        cv2.copyTo(now, fresh.astype(np.uint8), self._empty)
        self._known |= fresh
        self._usual = None

    def _look_again(
        self, now: Frame, fresh: Mask, empty: Frame, known: Mask, earlier: Frame
    ) -> None:
        """Keep the look from before that of `now` where the table is seen anew.

        What looks like the table once may be a sleeve, so what was there before counts as well. But
        where most of the table shows now and something else did, that was a hand or a sleeve: if it
        counted on, it would be the table whenever it rests there again.
        """
        new, other = fresh & ~known, fresh & known & ~as_empty(now, empty)
        earlier[new], earlier[other] = now[new], empty[other]
        strange = fresh & known & ~as_empty(now, earlier)
        if strange.any():
            usual = np.full_like(now, self._most_of_table(empty, known))
            plain = strange & as_empty(now, usual)
            earlier[plain] = now[plain]

    def forget(self, where: Shown) -> None:
        """Let what is marked count as changed until it is read again."""
        if self._read is not None:
            self._read = both(self._read, inverse(where))

    def relight(self, gain: Floats) -> None:
        """Adapt the remembered table to a light that is stronger by `gain` (3,) in each colour."""
        for look in (self._empty, self._earlier):
            if look is not None:
                look[...] = np.rint(np.clip(look * gain, 0, 255)).astype(np.uint8)
        self._usual = None

    def _within(self, place: Mask) -> Mask:
        """The part of a place within the spot's own border."""
        return place if self._own is None else place & self._own

    def follow(self, now: Frame) -> None:
        """Let the settled look drift with the light."""
        if self._settled is not None and self._rounded is not None:
            cv2.accumulateWeighted(now, self._settled, DRIFT)
            self._rounded[...] = self._settled

    @property
    def saw_table(self) -> bool:
        """Whether some of the spot has been seen without cards, so that the table is known."""
        return self._known is not None and bool(self._known.any())

    def shows_table(self, now: Frame, part: Part, place: Mask) -> bool:
        """Whether the empty table shows at a `place`, in a `part` of the spot, where a card lay."""
        shown = self.table_at(now, part)
        return shown is None or not place.any() or float(shown[place].mean()) >= BARE

    def table_at(self, now: Frame, part: Part) -> Mask | None:
        """Where in a `part` of the spot the empty table shows; None if it was never seen.

        It looks as that place did when it was bare, last time or the time before, or as most of the
        table does: for places never seen bare, or mistaken for bare when a sleeve rested there.
        """
        if self._empty is None or self._known is None or self._earlier is None:
            return None
        if not self.saw_table:
            return None
        here = now[part]
        as_usual = as_empty(here, np.full_like(here, self._most_of_table(self._empty, self._known)))
        as_last = as_empty(here, self._empty[part])
        as_before = as_empty(here, self._earlier[part])
        return np.asarray(as_usual | ((as_last | as_before) & self._known[part]), np.bool_)

    def _most_of_table(self, empty: Frame, known: Mask) -> Frame:
        """The colour (3,) of most of the `empty` table, where it is `known`.

        Kept until more of it is seen: the median of a whole spot takes 4 ms, and each card that
        lies there asks for it.
        """
        if self._usual is None:
            own = self._within(known)
            usual = np.median(empty[own if own.any() else known], axis=0)
            self._usual = np.asarray(usual, np.uint8)
        return self._usual
