"""Explain areas of backs not shaped like one card by cards of the deck's size.

Two overlapping hole cards, a trick across another, a row of touching cards, a back under a face:
the maps show one area. Its corners are corners of cards, and a card's size is known, so each corner
gives places where a card may lie. The edges in the picture show which of these hold one, and what
no card covers is examined again, from the uppermost card down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.corner_places import corner_places
from vision.backs.edges import FEWEST, SEEN, edged, even_sided, framed, hidden_under, points_along
from vision.backs.parts import BACK, Size, centred, ratio
from vision.backs.prints import PRINTED, TINT, likeness, printed, tint
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame

Cells = NDArray[np.uint8]

FINE = 4
"""Subdivisions of the maps' cells when an area is examined: its border is accurate to a third of a
cell if the probability between two cells is interpolated. A choice; `python -m tests.face_down`
judges it."""
FAINT = 0.25
"""Minimum probability of face or back at which a place next to an area belongs to it: for a card
half under another, the finder is less sure. A choice; `python -m tests.face_down` judges it."""
LIKELIER = 0.5
"""Probability from which a cell is likelier a back than not. Follows from what a probability is."""
MOST = 12
"""Most cards explaining one area; a row across a table has ten. A choice;
`python -m tests.face_down` judges it."""
LEAST = 0.05
"""Share of a card that must be left of an area for another card to be searched for under it. A
choice; `python -m tests.face_down` judges it."""
FRINGE = 0.055
"""Width of an area's uncertain border, in short sides of a card: leftover strips narrower than
twice that belong to the border, not to a card. A choice; `python -m tests.face_down` judges it."""
OUTSIDE = 1.5
"""Distance from an outline, in fringes, beyond which things no longer belong to the area. A choice;
`python -m tests.face_down` judges it."""
AROUND = 1.2
"""Margin examined around an area, in long sides of a card: as far as a card under it reaches. A
choice; `python -m tests.face_down` judges it."""
OVER = 0.06
"""Largest share of a card that may lie beyond the area and what covers it. A choice;
`python -m tests.face_down` judges it."""
FAR = 0.35
"""The same before the card is fitted to its edges in the picture, which are up to `REACH` away. A
choice; `python -m tests.face_down` judges it."""
REACH = 0.11
"""Distance, in short sides of a card, within which an edge is searched for around the place implied
by a corner. A choice; `python -m tests.face_down` judges it."""
NEAR = 0.11
"""Distance between corners, in short sides of a card, below which two outlines are one. A choice;
`python -m tests.face_down` judges it."""
LIKENESS = 1.0
"""Weight of looking exactly like the uppermost card, relative to having all edges. A choice;
`python -m tests.face_down` judges it."""
PROVEN = 0.95
"""Minimum share of its visible border showing an edge at which the picture proves a card half
overlooked by the maps, if its print is the uppermost card's. A choice; `python -m tests.face_down`
judges it."""
OVERLOOKED = 0.35
"""Largest share of such a card that the maps may not show. A choice; `python -m tests.face_down`
judges it."""
ADDED_MOST = 3
"""Most cards laid at once on those that are known; more are searched for as if none were. A choice;
`python -m tests.soak --pictures` judges it."""
STILL = 0.8
"""Minimum share of the border of a known card that shows an edge where nothing known lies over it,
if it lies as it lay. A choice; `python -m tests.soak --pictures` judges it."""
EACH_SIDE = 0.7
"""The same for each side of which half is in view: a card that lies over one side, itself half
hidden by the next, leaves the other sides as they were. A choice: 0.64 of such a side seemed to
show an edge, by the print of the card over it; `python -m tests.soak --pictures` judges it."""
PUSHED = 0.2
"""Distance between corners, in short sides of a card, below which a card that seems laid on one
that lay there may be that one: 13 mm. A choice: under a resting arm a corner of a hidden card was
found 0.18 off, and once the arm was gone one more was counted; `python -m tests.soak --pictures`
judges it."""
ALIKE = 1.09
"""Largest size ratio between an outline fitted to edges and the deck's cards. A choice;
`python -m tests.face_down` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A card that explains part of an area.

    `corners` (4, 2) are in the picture; `edged` is the share of its visible border that shows an
    edge, `beyond` the share of the card that lies beyond the area, and `bordered` the share of its
    visible border that is the area's own, which the lines of a print never are. All are 0..1.
    """

    corners: Floats
    edged: float
    beyond: float
    bordered: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """The cards of an area, uppermost first, and the share of a card left unexplained.

    `under` is whether one of them lies partly under a face.
    """

    cards: tuple[Laid, ...]
    left: float
    under: bool = False

    @property
    def complete(self) -> bool:
        """Whether the whole area is explained."""
        return bool(self.cards) and self.left < LEAST


@dataclass(slots=True, eq=False)
class Heap:
    """One area of a picture that looks like backs, in pixels of `FINE` to a cell.

    `mask` (H, W) is the area; `open_to` (H, W) is where its cards may extend: under what is known
    to lie there, or beyond the picture.
    """

    frame: Frame
    size: Size
    mask: Cells
    open_to: Cells
    origin: Floats
    scale: float
    faces: Sequence[Floats] = field(default_factory=tuple)

    def explained(self) -> Explanation:
        """The cards of the area, from the uppermost down."""
        laid: list[Laid] = []
        left = self._opened(self.mask)
        while len(laid) < MOST and self._share(left) >= LEAST:
            found = self._next(left, [one.corners for one in laid])
            if found is None:
                break
            laid.append(found)
            left = self._opened(left & ~self._filled(found.corners, grown=FRINGE))
        cards = tuple(self._needed(laid))
        under = any(hidden_under(one.corners, self.faces).any() for one in cards)
        return Explanation(cards, self._share(left), under)

    def beside(self, parts: Sequence[Floats]) -> tuple[Laid, ...]:
        """A card at each of the `parts` (4, 2) into which the maps cut the area.

        Empty if the cards do not show all their edges or leave some of the area unexplained.
        """
        laid = []
        for corners in parts:
            placed = self.snapped(centred(corners, self.size), self.faces)
            laid.append(self.laid(placed, self.faces))
        edged = all(
            one.edged >= SEEN and one.beyond <= OVER and even_sided(one.corners) for one in laid
        )
        if not laid or not edged or self.without([one.corners for one in laid]) >= LEAST:
            return ()
        return tuple(laid)

    def added(self, lay: Sequence[Floats]) -> tuple[Laid, ...]:
        """The cards that have been laid on those that `lay` (4, 2) there, uppermost first.

        Empty unless they show all their edges, explain with the others the whole area, and these
        lie as they lay. What is known of them leaves no room for a different number; but a card
        that nearly coincides with one of these may be that one, which was pushed or badly seen.
        """
        fresh: list[Laid] = []
        while len(fresh) < ADDED_MOST:
            known = [*lay, *(one.corners for one in fresh)]
            if self.without(known) < LEAST:
                break
            found = self._on_top(known, [one.corners for one in fresh])
            if found is None:
                return ()
            fresh.append(found)
        covers = [one.corners for one in fresh]
        if not fresh or self.without([*lay, *covers]) >= LEAST:
            return ()
        near = PUSHED * self.size[0]
        if any(same_place(one, old, near) for one in covers for old in lay):
            return ()
        return tuple(fresh) if all(self._still(one, lay, covers) for one in lay) else ()

    def _on_top(self, known: Sequence[Floats], above: Sequence[Floats]) -> Laid | None:
        """The card that explains most of what the `known` ones leave, over all but those `above`.

        It looks like the uppermost of those.
        """
        left, covers = self.mask.copy(), [*above, *self.faces]
        for corners in known:
            left &= ~self._filled(corners, grown=FRINGE)
        left = self._opened(left)
        pattern = printed(self.frame, above[0]) if above else None
        best, most = None, 0.0
        for corners in self._distinct(left, covers):
            laid = self.laid(corners, covers)
            gain = self._share(left & self._filled(corners, grown=FRINGE))
            like = likeness(self.frame, corners, pattern, covers)
            shown = laid.edged >= SEEN and laid.beyond <= OVER and gain >= LEAST / 2
            worth = gain + laid.edged + laid.bordered - 4 * laid.beyond
            if shown and (pattern is None or like.alike) and worth > most:
                best, most = laid, worth
        return best

    def _still(self, card: Floats, lay: Sequence[Floats], above: Sequence[Floats]) -> bool:
        """Whether a card that lay there shows its edges beside the others and those `above`."""
        others = [*(one for one in lay if one is not card), *self.faces]
        before, hidden = hidden_under(card, others), hidden_under(card, [*others, *above])
        if np.count_nonzero(~before) < FEWEST:
            return True
        shown = int(np.count_nonzero(~hidden)) >= FEWEST and self._shows_sides(card, hidden)
        if not shown or edged(self.frame, card, 3, hidden) < STILL:
            return False
        return tint(self.frame, card, printed(self.frame, above[0]), [*others, *above]) <= TINT

    def _shows_sides(self, card: Floats, hidden: NDArray[np.bool_]) -> bool:
        """Whether a card shows an edge along each of its sides of which half is not `hidden`."""
        shares = framed(self.frame, card, 3, hidden).shares
        half = np.count_nonzero(~hidden, axis=1) >= hidden.shape[1] / 2
        return bool((shares[half & ~np.isnan(shares)] >= EACH_SIDE).all())

    def without(self, cards: Sequence[Floats]) -> float:
        """The area, in cards, left without these cards, each an outline (4, 2)."""
        left = self.mask.copy()
        for corners in cards:
            left &= ~self._filled(corners, grown=FRINGE)
        return self._share(self._opened(left))

    def _needed(self, laid: list[Laid]) -> list[Laid]:
        """`laid` without cards whose area the others explain just as well."""
        kept = list(laid)
        for one in sorted(laid, key=lambda card: card.edged):
            others = [card for card in kept if card is not one]
            if others and self.without([other.corners for other in others]) < LEAST:
                kept = others
        return kept

    def _next(self, left: Cells, above: Sequence[Floats]) -> Laid | None:
        """The card that explains most of what is `left` beside the cards `above`.

        Backs of one deck look alike: after the first one, which lies on top, that counts too.
        """
        covers = [*above, *self.faces]
        pattern = printed(self.frame, above[0]) if above else None
        best, most = None, 0.0
        for corners in self._distinct(left, covers):
            laid = self.laid(corners, covers)
            gain = self._share(left & self._filled(laid.corners))
            if laid.beyond > OVERLOOKED or gain < LEAST / 2:
                continue
            like = likeness(self.frame, laid.corners, pattern, covers)
            proven = laid.edged >= PROVEN and like.print >= PRINTED
            if like.tint > TINT or (laid.beyond > OVER and not proven):
                continue
            doubt = laid.beyond * (1 if proven else 4)
            worth = laid.edged - doubt + gain + laid.bordered + LIKENESS * like.print
            if best is None or worth > most:
                best, most = laid, worth
        return best

    def _distinct(self, left: Cells, covers: Sequence[Floats]) -> Iterator[Floats]:
        """Each distinct place of a card at a corner of what is `left`, fitted to its edges."""
        kept: list[Floats] = []
        tried: set[bytes] = set()  # most corners are found at several tolerances
        near = NEAR * self.size[0]
        for corners in corner_places(left, self.size, self.scale, self.origin):
            if corners.tobytes() in tried or self._beyond(corners) > FAR:
                continue
            tried.add(corners.tobytes())
            placed = self.snapped(corners, covers)
            if not any(same_place(placed, one, near) for one in kept):
                kept.append(placed)
                yield placed

    def snapped(self, corners: Floats, covers: Sequence[Floats]) -> Floats:
        """A card's corners moved onto nearby edges in the picture, keeping the deck's size."""
        for reach in (REACH, REACH / 2):
            near = max(3, round(reach * self.size[0]))
            outline = framed(self.frame, corners, near, hidden_under(corners, covers))
            whole = _completed(outline.corners, outline.shares >= SEEN, self.size)
            corners = whole if ratio(whole, self.size) <= ALIKE else corners
        return corners

    def laid(self, corners: Floats, covers: Sequence[Floats]) -> Laid:
        """A card with these corners, and what the picture shows of it beside its `covers`."""
        hidden = hidden_under(corners, covers)
        seen = edged(self.frame, corners, 3, hidden)
        return Laid(corners, seen, self._beyond(corners), self._bordered(corners, hidden))

    def in_sight(self, corners: Floats) -> float:
        """The share of a card not covered by anything known to lie there."""
        return self._share(self._filled(corners) & ~self.open_to)

    def _beyond(self, corners: Floats) -> float:
        """The share of a card that lies beyond the area and where its cards may extend."""
        inner = self._filled(corners, grown=-FRINGE)
        return self._share(inner & ~self.mask & ~self.open_to)

    def _bordered(self, corners: Floats, hidden: NDArray[np.bool_]) -> float:
        """The share of an outline's visible part that runs along the area's border."""
        middle = corners.mean(axis=0)
        points = points_along(corners)
        away = points.mean(axis=1) - middle
        away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6)
        outside = points + away[:, None] * np.float32(OUTSIDE * FRINGE * self.size[0])
        places = np.round((outside - self.origin) * np.float32(self.scale)).astype(np.intp)
        high, wide = self.mask.shape
        rows, columns = places[..., 1].clip(0, high - 1), places[..., 0].clip(0, wide - 1)
        lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        weights = np.where(hidden, 0.0, lengths[:, None])
        bare = (self.mask[rows, columns] == 0) & (self.open_to[rows, columns] == 0)
        return float((weights * bare).sum() / max(float(weights.sum()), 1e-6))

    def _filled(self, corners: Floats, *, grown: float = 0.0) -> Cells:
        """An outline's area, `grown` by this many short sides of a card all round."""
        middle = corners.mean(axis=0)
        if grown:
            sides = np.linalg.norm(corners[[1, 3]] - corners[0], axis=1)
            axes = (corners[[1, 3]] - corners[0]) / np.maximum(sides, 1e-6)[:, None]
            ways = (corners - middle) @ axes.T
            ways += np.sign(ways) * np.float32(grown * self.size[0])
            corners = middle + ways @ axes
        filled = np.zeros_like(self.mask)
        placed = (corners - self.origin) * np.float32(self.scale)
        cv2.fillConvexPoly(filled, np.round(placed * 16).astype(np.int32), (1,), cv2.LINE_8, 4)
        return filled

    def _opened(self, area: Cells) -> Cells:
        """An area without the parts narrower than its border's uncertainty."""
        side = max(3, 2 * round(FRINGE * self.size[0] * self.scale) + 1)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
        core = cv2.erode(area, kernel)
        # Opening removes an area's corners, on which everything else is based, so they are
        # restored.
        wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * side + 1, 2 * side + 1))
        return np.asarray(cv2.dilate(core, wide), np.uint8) & area

    def _share(self, area: Cells) -> float:
        """The size of an area in cards."""
        whole = self.size[0] * self.size[1] * self.scale**2
        return float(np.count_nonzero(area)) / whole


def same_place(one: Floats, other: Floats, near: float) -> bool:
    """Whether each corner of two outlines is `near`, in pixels both ways, one of the other's."""
    # Their middles are then, too, which is soon found out.
    if np.abs(one.sum(axis=0) - other.sum(axis=0)).max() > 4 * near:
        return False
    return bool(np.abs(_nearest(one, other) - other).max() < near)


def _nearest(corners: Floats, other: Floats) -> Floats:
    """`corners`, starting with the one nearest to the other outline's first."""
    first = int(np.linalg.norm(corners - other[0], axis=1).argmin())
    return np.roll(corners, -first, axis=0)


def _completed(corners: Floats, seen: NDArray[np.bool_], size: Size) -> Floats:
    """An outline with each unseen side placed opposite a seen one, at the deck's size."""
    result = corners.copy()
    for side in np.flatnonzero(~seen & np.roll(seen, 2)):
        first, second, third, fourth = ((side + step) % 4 for step in range(4))
        away = (result[first] + result[second] - result[third] - result[fourth]) / 2
        wide = float(np.linalg.norm(away))
        wanted = min(size, key=lambda one: abs(one - wide))
        shift = away * np.float32(wanted / max(wide, 1e-6))
        result[first], result[second] = result[fourth] + shift, result[third] + shift
    return result


def heap(frame: Frame, areas: Areas, blob: Cells, size: Size, faces: Sequence[Floats]) -> Heap:
    """The area `blob` (h, w) in the maps' cells, prepared for being explained in a picture.

    `faces` are the corners (4, 2) of read cards that lie there; a card of the area may lie under
    them.
    """
    rows, columns = np.nonzero(blob)
    margin = int(np.ceil(AROUND * size[1] * areas.scale))
    top, left = max(0, int(rows.min()) - margin), max(0, int(columns.min()) - margin)
    bottom, right = int(rows.max()) + margin + 1, int(columns.max()) + margin + 1
    part = slice(top, bottom), slice(left, right)
    near = np.asarray(cv2.dilate(blob[part], np.ones((7, 7), np.uint8)), np.uint8)
    # What lies between two areas of a row belongs to neither of them.
    others = ((areas.back[part] >= BACK) & (blob[part] == 0)).astype(np.uint8)
    near &= 1 - np.asarray(cv2.dilate(others, np.ones((3, 3), np.uint8)), np.uint8) | blob[part]
    shown = np.clip(areas.back[part] + areas.face[part], 0, 1) * near.astype(np.float32)
    high, wide = shown.shape
    fine = cv2.resize(shown, (wide * FINE, high * FINE), interpolation=cv2.INTER_LINEAR)
    scale = areas.scale * FINE
    origin = np.array((left, top), np.float32) / np.float32(areas.scale)
    origin = origin + np.array((areas.box.x, areas.box.y), np.float32)
    mask = (fine >= FAINT).astype(np.uint8)
    known = Heap(frame, size, mask, np.zeros_like(mask), origin, scale, faces)
    for corners in faces:
        # Outlines estimated from indices are accurate to a few millimetres.
        known.open_to |= known._filled(corners, grown=FRINGE)
    known.mask &= ~known.open_to
    known.open_to |= _beyond(frame, known)
    return known


def plainly_shown(
    frame: Frame, areas: Areas, blob: Cells, size: Size, faces: Sequence[Floats]
) -> Heap:
    """What `heap` makes of an area, without what the maps only faintly show of it."""
    back = np.where(areas.back >= LIKELIER, areas.back, np.float32(0))
    return heap(frame, replace(areas, back=back), blob, size, faces)


def _beyond(frame: Frame, heap: Heap) -> Cells:
    """The part of a heap's surroundings that lies outside the picture."""
    height, width = frame.shape[:2]
    inside = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    return np.asarray(1 - heap._filled(inside), np.uint8)
