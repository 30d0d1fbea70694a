"""Find backs that lie half under a face where the maps show nothing.

To the finder a back of one colour is any other thing of that colour, and what a face leaves of it
has no card's shape either. But beside a face that was read it stands out from the ground, and all
that shows of it is a card's corner: two sides of a card's size, or three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.backs.edges import inside, touching
from vision.backs.faced import FACED
from vision.backs.heaps import LEAST, OVER, heap
from vision.backs.meeting import on_any
from vision.backs.parts import BACK, FRAMED, Back, Size, as_backs, sides
from vision.backs.poses import grown
from vision.backs.standing import Standing
from vision.find.finder import Areas
from vision.join.joined import Joined
from vision.picture.geometry import Floats, Frame, upright

BESIDE = (0.12, 0.28)
"""Distances from a face, in short sides of a card, at which the picture around it is looked at. A
choice: beyond its shadow, and nearer than what a back half under it shows."""
ALONG = np.linspace(0, 1, 12, endpoint=False, dtype=np.float32)[:, None]
"""Places looked at along each side there, as shares of it. A choice: one for half a centimetre."""
STRANGE, SHARE = 26.0, 0.06
"""Smallest difference of a point's colour from the usual one around a face, summed over L*, a* and
b* as eight bits hold them, and the share of the points that must have it for more to be looked for.
A choice: most tables have one colour, and nothing more is done there; `python -m tests.face_down
under` judges it.
"""
FEWEST = 4
"""One in so many of these places must be in view. A choice."""
STEPS = np.linspace(0.05, 0.95, 19, dtype=np.float32)
"""Places looked at along each side of a back, as shares of it. A choice: one for every three to
five millimetres."""
ACROSS = np.stack(np.meshgrid(STEPS, STEPS), 2).reshape(-1, 2)
"""Places looked at over a back, as shares of both sides. Follows from `STEPS`."""
SHOWN = (0.15, 0.95)
"""Smallest and largest part of a card that stands out beside the face. A choice: less is a shadow's
edge, and more lies beside the face; shadows make what shows larger, too."""
EDGED, BORDERED = 0.95, 0.65
"""Minimum share of its border in view at which the back shows an edge, and which is its area's own.
A choice: of nothing else in a card's size does an edge run along all that no face covers;
`python -m vision.measure` and `python -m tests.face_down under` judge them."""


def half_under(
    frame: Frame, areas: Areas, size: Size, told: Sequence[Back], cards: Sequence[Joined]
) -> list[Back]:
    """The backs `told`, with those half under one of the `cards` where the maps show none.

    Cards are about `size` pixels. What was doubted where one lies gives way to it.
    """
    found = list(told)
    faces = [card.corners for card in cards if card.agreement is not None]
    if not faces:
        return found
    lying = _lying(cards, found)
    around = _Around.of(frame, areas, faces, lying)
    for number, face in enumerate(faces):
        back = _under(frame, areas, size, face, lying) if around.strange(number) else None
        if back is not None and not around.is_ground(frame, back, lying):
            found = [one for one in found if not _gives_way(one, back)]
            found.append(Back(upright(back), FRAMED))
            lying = _lying(cards, found)
            around = _Around.of(frame, areas, faces, lying)
    return found


def _lying(cards: Sequence[Joined], backs: Sequence[Back]) -> list[Floats]:
    """The corners (4, 2) of all that lies there for certain."""
    sure = [back.corners for back in backs if back.confidence >= FRAMED]
    return [*(card.corners for card in cards), *sure]


def _gives_way(one: Back, back: Floats) -> bool:
    """Whether a doubted back lies where a certain one (4, 2) was found."""
    return one.confidence < FRAMED and on_any(one.corners, [back])


@dataclass(frozen=True, slots=True, eq=False)
class _Around:
    """The colours (CIE L*a*b*, N, 3) around each of the faces, beside what is known to lie there;
    none where too little of that is in view."""

    colours: Sequence[Floats]

    @classmethod
    def of(
        cls, frame: Frame, areas: Areas, faces: Sequence[Floats], lying: Sequence[Floats]
    ) -> _Around:
        """The colours around these `faces` (4, 2)."""
        points = _around(np.stack(faces))
        high, wide = frame.shape[:2]
        in_view = ((points >= 0) & (points < (wide - 1, high - 1))).all(axis=-1)
        free = in_view & (_shown(areas, points) < BACK)
        colours = _colours(frame, points)
        found: list[Floats] = []
        for number, face in enumerate(faces):
            for other in touching(points[number], lying):
                if other is not face:
                    free[number] &= ~inside(points[number], other)
            ground = colours[number, free[number]]
            found.append(ground if len(ground) >= points.shape[1] / FEWEST else ground[:0])
        return cls(found)

    def strange(self, number: int) -> bool:
        """Whether something else than one ground lies around this face."""
        ground = self.colours[number]
        if not len(ground):
            return False
        apart = np.abs(ground - np.median(ground, axis=0)).sum(axis=1)
        return bool((apart > STRANGE).mean() >= SHARE)

    def is_ground(self, frame: Frame, back: Floats, lying: Sequence[Floats]) -> bool:
        """Whether what shows of a supposed `back` (4, 2) has the colour that is usual around all
        faces: between cards that lie side by side, what little shows of the table stands out."""
        shown = back[0] + ACROSS[:, :1] * (back[1] - back[0]) + ACROSS[:, 1:] * (back[3] - back[0])
        high, wide = frame.shape[:2]
        free = ((shown >= 0) & (shown < (wide - 1, high - 1))).all(axis=1)
        for other in lying:
            free &= ~inside(shown, other)
        if not free.any():
            return False
        usual = np.median(np.concatenate(list(self.colours)), axis=0)
        own = np.median(_colours(frame, shown[free]), axis=0)
        return bool(np.abs(own - usual).sum() <= STRANGE)


def _colours(frame: Frame, points: Floats) -> Floats:
    """The colours (CIE L*a*b*, ..., 3) at points (..., 2) of the picture, or nearest to them."""
    high, wide = frame.shape[:2]
    nearest = np.rint(points).astype(np.intp).clip(0, (wide - 1, high - 1))
    shown = frame[nearest[..., 1], nearest[..., 0]].reshape(1, -1, 3)
    lab = cv2.cvtColor(np.ascontiguousarray(shown), cv2.COLOR_BGR2LAB)
    return np.asarray(lab.reshape(*points.shape[:-1], 3), np.float32)


def _shown(areas: Areas, points: Floats) -> Floats:
    """The probability that a card shows in the cells of these points (..., 2) of the picture."""
    high, wide = areas.back.shape
    places = np.floor((points - (areas.box.x, areas.box.y)) * areas.scale).astype(np.intp)
    at = places[..., 1].clip(0, high - 1), places[..., 0].clip(0, wide - 1)
    return np.asarray(areas.back[at] + areas.face[at], np.float32)


def _around(faces: Floats) -> Floats:
    """Points (F, P, 2) at some distances around each outline (F, 4, 2)."""
    rings = np.stack([_rings(face) for face in faces])
    ways = np.roll(rings, -1, axis=2) - rings
    points = rings[:, :, :, None] + ways[:, :, :, None] * ALONG
    return np.asarray(points.reshape(len(faces), -1, 2), np.float32)


def _rings(face: Floats) -> Floats:
    """An outline (4, 2) grown by each of the distances, (R, 4, 2)."""
    short, _ = sides(face)
    return np.stack([grown(face, far * short) for far in BESIDE])


def _under(
    frame: Frame, areas: Areas, size: Size, face: Floats, lying: Sequence[Floats]
) -> Floats | None:
    """The back (4, 2) that explains all that stands out from the ground beside a `face`."""
    standing = Standing.of(frame, areas, face, size, ())
    if not SHOWN[0] <= standing.without(lying) <= SHOWN[1]:
        return None
    blob = standing.on_maps(areas, lying)
    if not blob.any() or float(areas.face[blob > 0].mean()) >= FACED:
        return None
    explained = heap(frame, as_backs(areas, blob), blob, size, lying).explained()
    if len(explained.cards) != 1 or not explained.under or explained.left >= LEAST:
        return None
    (card,) = explained.cards
    clear = card.edged >= EDGED and card.bordered >= BORDERED and card.beyond <= OVER
    return card.corners if clear else None
