"""Count and locate the cards that lie face down.

A back has no index, so its area and edges must do. Whatever has the size of the deck's cards and
four straight edges in the picture is certainly one; what has neither edges nor anything lying over
it is a texture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.card_size import CardSize
from vision.backs.edges import SEEN, Framed, even_sided, framed
from vision.backs.even_rows import even_rows
from vision.backs.faced import unread
from vision.backs.ground_between import parted
from vision.backs.half_under import half_under
from vision.backs.lower import Lower
from vision.backs.measuring import measured
from vision.backs.meeting import on_any, overlap
from vision.backs.once import once, without_doubles
from vision.backs.one_under import rejoined
from vision.backs.parts import (
    BACK,
    FRAMED,
    SAME_SIZE,
    VAGUE,
    Back,
    Part,
    Size,
    as_backs,
    blobs_of_backs,
    centred,
    mixed,
    odd,
    parts,
    ratio,
    sides,
)
from vision.backs.plain_pairs import plain_pairs
from vision.backs.poses import grown
from vision.backs.remainder import faint, unexplained
from vision.backs.several import IN_SIGHT, LIKELY
from vision.backs.sight import in_sight, outside, touched
from vision.backs.surroundings import standing_out
from vision.find.finder import Areas
from vision.join.joined import Joined
from vision.join.proportions import Proportions, Shape
from vision.picture.geometry import Floats, Frame, Point, upright, within

NEAR = 1.4
"""Largest size ratio between an area and a card at which edges are worth searching for: the maps
enlarge what they half see. A choice; `python -m tests.face_down` judges it."""
EXACT_SIZE = 1.07
"""Largest size ratio between a card and others of its deck once the edges of both were found in the
picture: the rest is perspective. A choice; `python -m tests.face_down` judges it."""
REACH = 0.11
"""Distance from where an area ends, in short sides of a card, within which its edge is searched
for. A choice; `python -m tests.face_down` judges it."""
NUDGE = 4
"""Tolerance in pixels for an edge whose position follows from the deck's size and the card's other
edges, or its middle. In a soft picture the outermost trace of an edge is taken, and half as far is
tried as well. A choice; `python -m tests.face_down` judges it."""
PLAINLY = 0.93
"""Minimum mean probability of "back" at which an area needs no other evidence. On drawn tables
textures reach 0.91; backs partly cut off by the picture's edge have at least 0.94. A choice;
`python -m tests.face_down` judges it."""
KNOWN = 3
"""Number of sides whose ends must be known; a chip or a glass may stand beside one. A choice;
`python -m tests.face_down` judges it."""
ALL_IN_SIGHT, SHORTEST = 0.98, 1.35
"""Minimum share of a card inside the picture for it to tell the size of the others whatever its
proportions, and the minimum length of another, in widths: a poker card has 1.4. A choice: of one
with 0.82 in sight the long side, cut by the picture's edge, seemed a twentieth too short, 1.33
widths; `python -m tests.face_down fan` judges it."""
FEWEST_BACKS = 2
"""Fewest backs of heaps by which the size is measured. A choice: one may be a card and the edge of
what lies beside it; `python -m tests.face_down spaced` judges it."""
MEASURED = 8
"""Most read cards from which the deck's size is measured. A choice; `python -m tests.face_down`
judges it."""
EVEN, UNEQUAL = 0.5, 1.6
"""Least confidence of a back that tells the size of a card where nothing else does, and the largest
ratio of two such cards' short sides, in a photograph taken at a slant. A choice: parts of a king's
print, in a photograph that he fills, differed by 2; `python -m tests.other_cameras` judges it."""
SHARED = 0.03
"""Largest share of a card's outline that another's may overlap, given the errors of both. A choice;
`python -m tests.face_down` judges it."""


def backs(
    frame: Frame,
    areas: Areas,
    cards: Sequence[Joined],
    shape: Shape,
    usual: float,
    *,
    plain: Sequence[Floats] = (),
    lay: Sequence[Floats] = (),
    stirred: Sequence[Floats] = (),
    deck: Proportions | None = None,
    unit: float = 0.0,
    rows: bool = True,
) -> list[Back]:
    """Each card that lies face down in `frame`.

    `usual` is the height in pixels of the indices of the `cards` in the picture, which have the
    given `shape`, or zero if no size is known: then only fully visible single cards are reported,
    based on the `areas` alone. `plain` are the corners (4, 2) of things of one colour, which may be
    cards, and `lay` those of cards that lay face down there before; those `stirred` did too, but
    may have been moved since, or have another over them. Where no face tells the size, the `deck`
    does, in heights of a standard index, which is `unit` pixels high here, and learns
    it. Rows and pairs that have one even colour, and backs half under faces that the maps do not
    show, are looked for only with `rows`: it takes a look at all of the picture.
    """
    told_by_faces = any(card.agreement is not None for card in cards)
    here = _middle(areas)
    sized = CardSize.of(_card_size(shape, usual), deck, unit, here, told=told_by_faces)
    size = sized.size
    if not usual:
        singly = [part for part in parts(areas, size) if not _occupied(part.corners, cards)]
        told = [Back(part.corners, part.confidence(areas)) for part in singly]
        return unread(frame, areas, standing_out(frame, areas, _of_one_deck(told), cards), ())
    judge = Judge(frame, areas, size, sized)
    several = judge.several(cards, lay, stirred)
    heaped, rest = several.heaped()
    judge.learn(heaped)
    found = [part for part in parts(rest, size) if not _occupied(part.corners, cards)]
    others = [*mixed(rest, cards), *plain]
    taken = [back.corners for back in heaped]
    others = [
        corners
        for corners in others
        if not _occupied(corners, cards)
        and not any(within(one, corners.mean(axis=0)) for one in taken)
    ]
    alone = judge.told(found, others, cards, heaped)
    told = without_doubles(heaped, alone, judge.size)
    told = several.beneath(told)
    told += several.jutting(told)
    told = once(told)
    faces = [card.corners for card in cards]
    told += unexplained(areas, size, told, faces)
    told = faint(frame, areas, judge.size, told, faces)
    if rows:
        told = half_under(frame, areas, judge.size, told, cards)
        told = plain_pairs(frame, areas, judge.size, told, plain=plain, faces=faces)
    told = unread(frame, areas, standing_out(frame, areas, told, cards), faces)
    return judge.in_even_rows(told, cards) if rows else told


def _of_one_deck(told: Sequence[Back]) -> list[Back]:
    """The backs `told` where no size is known; none is certain if their sizes differ too much for
    cards of one deck."""
    short = [sides(back.corners)[0] for back in told if back.confidence >= EVEN]
    if not short or max(short) <= UNEQUAL * min(short):
        return list(told)
    return [replace(back, confidence=min(back.confidence, VAGUE)) for back in told]


@dataclass(slots=True, eq=False)
class Judge:
    """Compares areas with a picture whose cards are about `size` pixels."""

    frame: Frame
    areas: Areas
    size: Size
    sized: CardSize
    measured: bool = False
    """Whether the size was measured on a card of the deck, so that other cards match it closely."""

    def several(
        self,
        cards: Sequence[Joined],
        lay: Sequence[Floats] = (),
        stirred: Sequence[Floats] = (),
    ) -> Lower:
        """The areas not shaped like one card, to be explained by cards of the deck's size.

        Some of them `lay` (4, 2) there before, or were `stirred`.
        """
        faces = [card.corners for card in cards]
        areas = parted(self.frame, self.areas, self.size, faces)
        blobs = blobs_of_backs(areas, self.size)
        short, long = self.size
        cells = short * areas.scale, long * areas.scale
        uneven = [blob for blob in blobs if odd(blob, cells)]
        uneven = rejoined(self.frame, areas, self.size, uneven, faces)
        if uneven and not self.measured:
            self._measure(cards)
        narrow = None if self.measured else self.sized.narrow
        return Lower(self.frame, areas, self.size, uneven, faces, narrow, lay, stirred)

    def in_even_rows(self, told: Sequence[Back], cards: Sequence[Joined]) -> list[Back]:
        """The backs `told`, with those of rows that have one even colour, where all are certain.

        What else has the size of several cards may be anything.
        """
        found, faces = list(told), [card.corners for card in cards]
        for row, number in even_rows(self.frame, self.areas, self.size, [b.corners for b in told]):
            alone = as_backs(self.areas, row)
            narrow = None if self.measured else self.sized.narrow
            backs, _ = Lower(self.frame, alone, self.size, [row], faces, narrow).heaped()
            if len(backs) == number and all(back.confidence >= FRAMED for back in backs):
                corners = [back.corners for back in backs]
                found = [one for one in found if not on_any(one.corners, corners)] + backs
        return found

    def learn(self, heaped: Sequence[Back]) -> None:
        """Measure the uppermost cards of heaps, of which all edges show, wherever that is new.

        A heap may be explained by cards of a wrong size, but the edges nearest to them are true.
        """
        for back in heaped:
            if back.confidence >= FRAMED and self.sized.wants(back.corners):
                outline = self._framed(back.corners)
                seen = in_sight(self.frame, outline.corners) >= IN_SIGHT
                if outline.whole and seen:
                    self.sized.note_heaped(self.frame, outline.corners)

    def told(
        self,
        found: Sequence[Part],
        others: Sequence[Floats],
        cards: Sequence[Joined],
        heaped: Sequence[Back] = (),
    ) -> list[Back]:
        """The backs among the areas `found`, and `others` that only their edges reveal as backs.

        Those that were found in heaps may tell the size of a card where no face does.
        """
        printed = [part.corners for part in found if ratio(part.corners, self.size) <= NEAR]
        near = [corners for corners in others if ratio(corners, self.size) <= NEAR]
        if printed or near:
            self._measure(cards)
            if not self.measured:
                self._measure_backs(heaped)
        # If cards lie in a spread, none of them can be measured, and proximity is not enough.
        candidates = [*printed, *near] if self.measured or not cards else printed
        certain: list[Floats] = []
        for number, corners in enumerate(candidates):
            beside = [] if number < len(printed) else [one for one in near if one is not corners]
            whole = self._whole(corners, beside, printed=number < len(printed))
            if whole is not None and not any(within(one, whole.mean(axis=0)) for one in certain):
                certain.append(whole)
                self.sized.note(self.frame, whole)
        left = [
            part
            for part in found
            if not any(within(one, part.corners.mean(axis=0)) for one in certain)
        ]
        told = [Back(corners, FRAMED) for corners in certain]
        return told + self._explained(left, [*certain, *(card.corners for card in cards)])

    def _explained(self, left: Sequence[Part], lying: Sequence[Floats]) -> list[Back]:
        """The backs in what is `left` without a whole outline, next to and under the cards `lying`.

        In a row of overlapping backs the uppermost is whole, and explains the next.
        """
        likely = [part.likely(self.areas) for part in left]
        believed = [
            part
            for part, one in zip(left, likely, strict=True)
            if one >= PLAINLY and not self._is_larger(part)
        ]
        known = [*lying, *(part.corners for part in believed)]
        waiting = [
            (part, self._framed(part.corners).shares >= SEEN)
            for part, one in zip(left, likely, strict=True)
            if LIKELY <= one < PLAINLY
        ]
        while fresh := [part for part, edges in waiting if self._is_explained(part, edges, known)]:
            waiting = [(part, edges) for part, edges in waiting if part not in fresh]
            believed += fresh
            known += [part.corners for part in fresh]
        return [
            Back(part.corners, min(part.confidence(self.areas), 1.0 if part in believed else VAGUE))
            for part in left
        ]

    def _is_larger(self, part: Part) -> bool:
        """Whether an area is too large for one card, though nothing shows it to be several."""
        short, long = sides(part.corners)
        return max(short / self.size[0], long / self.size[1]) > SAME_SIZE

    def _is_explained(self, part: Part, edges: NDArray[np.bool_], lying: Sequence[Floats]) -> bool:
        """Whether enough of an area's sides (4,) are `edges`, or end at something known."""
        covered = touched(self.frame, part.corners, lying, 2 / self.areas.scale)
        # What is smaller than a card has something lying over it.
        whole = ratio(part.corners, self.size) <= SAME_SIZE
        return int((edges | covered).sum()) >= KNOWN and (whole or bool(covered.any()))

    def _framed(self, corners: Floats) -> Framed:
        return framed(self.frame, corners, max(4, round(REACH * self.size[0])))

    def _whole(self, corners: Floats, others: Sequence[Floats], *, printed: bool) -> Floats | None:
        """A whole card's corners near an outline, if four edges of the right size show.

        Next to something `printed` like a back, an edge may belong to the print; for other things
        of about a card's size, such as tiles and stones, each extra edge is another chance of
        error. The `others` (4, 2) may be cards, too.
        """
        outline = self._framed(corners)
        missing, ways = ~(outline.shares >= SEEN), [outline]
        wide, *beside = (grown(one, REACH * self.size[0]) for one in (corners, *others))
        if any(overlap([wide, one]) for one in beside):
            # The edges found may be those of the next card, across a gap.
            middle = centred(corners, self.size)
            ways += [framed(self.frame, middle, reach) for reach in (NUDGE, NUDGE // 2)]
        if not self.measured:
            # Without a measured size, nothing can stand in for an edge that is not visible.
            ways = [] if any(outside(self.frame, corner) for corner in outline.corners) else ways
        elif missing.any():
            ways.append(self._completed(outline, missing))
        elif printed and ratio(outline.corners, self.size) > EXACT_SIZE:
            # An edge of the print or the table next to a side was clearer than the side's own.
            ways += [self._completed(outline, np.arange(4) == side) for side in range(4)]
        elif not printed:
            # A shadow or the table's grain was clearer at one end of a dark card than its own edge.
            ways += [self._completed(outline, np.arange(4) == n) for n in self._too_far(outline)]
        alike = EXACT_SIZE if self.measured else SAME_SIZE
        fitting = (
            way
            for way in ways
            if way.whole
            and even_sided(way.corners)
            and ratio(way.corners, self.size) <= alike
            and in_sight(self.frame, way.corners) >= IN_SIGHT
        )
        return next((upright(way.corners) for way in fitting), None)

    def _completed(self, outline: Framed, missing: NDArray[np.bool_]) -> Framed:
        """An outline whose `missing` sides are as far from those found as on a card."""
        corners = outline.corners.copy()
        for side in np.flatnonzero(missing & ~np.roll(missing, 2)):
            first, second, third, fourth = ((side + step) % 4 for step in range(4))
            away = (corners[first] + corners[second] - corners[third] - corners[fourth]) / 2
            along = (corners[first] + corners[fourth] - corners[second] - corners[third]) / 2
            wide, high = float(np.linalg.norm(away)), float(np.linalg.norm(along))
            wanted = self._other_side(high)
            shift = away * np.float32(wanted / max(wide, 1e-6))
            corners[first], corners[second] = corners[fourth] + shift, corners[third] + shift
        return framed(self.frame, corners, NUDGE)

    def _too_far(self, outline: Framed) -> tuple[int, ...]:
        """The two sides of an outline that are too far from each other for a card, if two are."""
        lengths = np.linalg.norm(np.roll(outline.corners, -1, axis=0) - outline.corners, axis=1)
        short, long = sorted(self.size)
        # The ends of a length are the two sides across it.
        apart = [float(lengths[n + 1] + lengths[n - 1]) / 2 for n in (0, 1)]
        whole = (short, long) if apart[0] < apart[1] else (long, short)
        far = [n for n in (0, 1) if apart[n] > EXACT_SIZE * whole[n]]
        return (far[0], far[0] + 2) if len(far) == 1 else ()

    def _other_side(self, side: float) -> float:
        """The length of a card's other side, given this one."""
        short, long = self.size
        return long if side * side < short * long else short

    def _measure(self, cards: Sequence[Joined]) -> None:
        """Measure the deck's size on cards that were read, by the same kind of edges as the backs'.

        If one card lies over another, the other's edge may be mistaken for its own.
        """
        pairs = [card for card in cards if card.agreement is not None and self._alone(card, cards)]
        sizes = self._sizes(sorted(pairs, key=lambda card: -float(card.faces.max())))
        if sizes:
            short, long = np.median(sizes, axis=0)
            self.size, self.measured = (float(short), float(long)), True

    def _measure_backs(self, heaped: Sequence[Back]) -> None:
        """Measure the deck's size on certain backs of heaps, if several have the same."""
        sizes = self._sizes([back for back in heaped if back.confidence >= FRAMED])
        if len(sizes) < FEWEST_BACKS:
            return
        short, long = np.median(sizes, axis=0).tolist()
        if all(max(one / short, short / one) <= EXACT_SIZE for one, _ in sizes):
            self.size, self.measured = (short, long), True

    def _sizes(self, cards: Sequence[Joined] | Sequence[Back]) -> list[Size]:
        """The sizes of the first few cards whose edges are all in the picture.

        One that is cut by the picture's edge counts only if it is as long as cards are.
        """
        outlines = (self._framed(card.corners) for card in cards[:MEASURED])
        whole = (outline.corners for outline in outlines if outline.whole)
        found = ((corners, measured(self.frame, corners)) for corners in whole)
        return [
            (short, long)
            for corners, (short, long) in found
            if in_sight(self.frame, corners) >= ALL_IN_SIGHT or long >= SHORTEST * short
        ]

    @staticmethod
    def _alone(card: Joined, cards: Sequence[Joined]) -> bool:
        """Whether no other card lies over or under this one."""
        whole = cv2.contourArea(card.corners)
        others = (other.corners for other in cards if other is not card)
        return all(
            cv2.intersectConvexConvex(card.corners, corners)[0] <= SHARED * whole
            for corners in others
        )


def _card_size(shape: Shape, height: float) -> Size:
    """A card's sides if its indices have this height."""
    return height * shape.width, height * shape.length


def _middle(areas: Areas) -> Point:
    """The middle in pixels of what the maps take for backs, or else of the maps."""
    shown = areas.back >= BACK
    first, scale = (areas.box.x, areas.box.y), areas.scale
    if not shown.any():
        high, wide = shown.shape
        return first[0] + wide / 2 / scale, first[1] + high / 2 / scale
    counts = shown.sum(axis=0), shown.sum(axis=1)
    across, down = (
        float(count @ (np.arange(len(count)) + 0.5) / count.sum()) / scale + start
        for count, start in zip(counts, first, strict=True)
    )
    return across, down


def _occupied(corners: Floats, cards: Sequence[Joined]) -> bool:
    """Whether a card that was read has its centre there, which a visible back would cover."""
    return any(len(card.members) > 1 and within(corners, card.centre) for card in cards)
