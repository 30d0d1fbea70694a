"""The cards that lie face down: how many, and where.

A back has no index, so its area and its edges must do. Whatever has the size of the deck's cards
and four straight edges in the picture certainly is one; what has neither edges nor anything that
lies over it is a texture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.backs.edges import SEEN, Framed, framed
from vision.backs.heaps import LEAST, MOST, Explanation, heap
from vision.backs.jutting import jutting, sides_beside
from vision.backs.parts import (
    BACK,
    SAME_SIZE,
    VAGUE,
    Back,
    Cells,
    Part,
    Size,
    around,
    blobs_of_backs,
    mixed,
    odd,
    parts,
    ratio,
    share_of_back,
    sides,
)
from vision.backs.prints import agreeing
from vision.backs.remainder import unexplained
from vision.backs.sight import in_sight, outside, touched
from vision.backs.stack import stacked
from vision.backs.surroundings import standing_out
from vision.find.finder import Areas
from vision.join.joining import EDGE_ACROSS, EDGE_DOWN, Joined, Shape
from vision.picture.geometry import Floats, Frame, upright, within

NEAR = 1.4
"""How much larger or smaller than a card an area may be whose edges are worth looking for: the maps
swell what they half see. A choice; `python -m tests.face_down` judges it."""
EXACT_SIZE = 1.07
"""How much larger or smaller a card may be than others of its deck, once the edges of both were
found in the picture: the rest is perspective. A choice; `python -m tests.face_down` judges it."""
REACH = 0.11
"""How far from where an area ends, in short sides of a card, its edge is looked for. A choice;
`python -m tests.face_down` judges it."""
NUDGE = 4
"""Pixels from where an edge must be by the deck's size and the card's other edges. A choice;
`python -m tests.face_down` judges it."""
FRAMED = 0.95
"""What an outline of the deck's size counts that has an edge on all four sides. A choice;
`python -m tests.face_down` judges it."""
PLAINLY, LIKELY = 0.93, 0.75
"""From which mean probability of "back" an area stands for itself, and from which it can be a back
at all if its outline speaks for one. On drawn tables textures reach 0.91, and 0.70 where they lie
beside a card; backs of which the picture's edge cuts a part have 0.94 and more. A choice;
`python -m tests.face_down` judges it."""
SOME = 0.65
"""The mean probability of "back" over an area from which several cards in sight can explain it.
What a face lies over has to be likelier: book covers and print beside a face came at up to 0.71
on photographs, drawn overlapping pairs at 0.73 and more. A choice; `python -m tests.face_down`
judges it."""
HALF, MOSTLY = 0.5, 0.8
"""The share of its border in sight that must show an edge, of each card that explains an area and
of all together: of plain backs over each other some edges are hardly seen, and tiles that only half
fill a larger thing have none. A choice; `python -m tests.face_down` judges it."""
PLAIN_ENOUGH, BORDERED, HIDDEN = 0.85, 0.65, 0.7
"""What an area and its uppermost card must show where that has not all its edges, because the card
under it looks the same there: the mean probability of "back", the share of the card's border that
is the area's own, and the share of it that shows an edge. On drawn tables tricks laid across each
other have 0.86, 0.69 and 0.71 and more; a chip taken for two small cards has 0.53 of a border. A
choice; `python -m tests.face_down` judges it."""
KNOWN = 3
"""Of how many sides it must be known where they end; beside one a chip or a glass may stand. A
choice; `python -m tests.face_down` judges it."""
IN_SIGHT = 0.75
"""The share of a card that must lie in the picture for its edges alone to identify it: of a checked
cloth at the picture's edge half a check has three of them. A choice; `python -m tests.face_down`
judges it."""
MEASURED = 8
"""On how many read cards at most the deck's size is measured. A choice; `python -m tests.face_down`
judges it."""
APART = 1.25
"""Up to how many times a card's side the parts are whole cards beside each other into which the
maps' own borders cut an area: of touching rows that lie a little askew they reach 1.22. A choice;
`python -m tests.face_down` judges it."""
ALONE = 1.1
"""The same for an area without such a border, which a single card's swollen one reaches. A choice;
`python -m tests.face_down` judges it."""
NO_CARD = 0.25
"""How much rarer than a back some other thing is that has exactly a card's size and shows none of
its deck's faces. A choice; `python -m tests.italian_decks` judges it."""
HEAPED = 3.5
"""Up to how many cards' area a heap is explained by copies of its uppermost card: the time grows
with the area, and of a longer row the maps show the borders. A choice;
`python -m tests.face_down` judges it."""
SHARED = 0.03
"""The share of a card's outline that another one's may take, by the errors of both. A choice;
`python -m tests.face_down` judges it."""


def by_shape(areas: Areas, corners: Floats) -> Back | None:
    """The back that an outline (4, 2) shows, if any.

    For decks whose faces are all known: the outline has a card's size and is none of them.
    """
    share = share_of_back(areas, corners)
    if share < BACK:
        return None
    return Back(corners, share / (share + (1 - share) * NO_CARD))


def backs(
    frame: Frame,
    areas: Areas,
    cards: Sequence[Joined],
    shape: Shape,
    usual: float,
    *,
    plain: Sequence[Floats] = (),
) -> list[Back]:
    """Each card that lies face down in `frame`.

    `usual` is the height in pixels of the indices of the `cards` in the picture, of the given
    `shape`, or zero if no size is known: then only single cards in full sight are reported, by the
    `areas` alone. `plain` are the corners (4, 2) of things of one colour, which may be cards.
    """
    size = _card_size(shape, usual)
    if not usual:
        singly = [part for part in parts(areas, size) if not _occupied(part.corners, cards)]
        told = [Back(part.corners, part.confidence(areas)) for part in singly]
        return standing_out(frame, areas, told, cards)
    judge = Judge(frame, areas, size)
    heaped, rest = judge.heaped(cards)
    found = [part for part in parts(rest, size) if not _occupied(part.corners, cards)]
    others = [*mixed(rest, cards), *plain]
    taken = [back.corners for back in heaped]
    others = [
        corners
        for corners in others
        if not _occupied(corners, cards)
        and not any(within(one, corners.mean(axis=0)) for one in taken)
    ]
    told = [*heaped, *judge.told(found, others, cards)]
    told = judge.beneath(told, cards)
    told += judge.jutting(told, cards)
    return standing_out(
        frame, areas, told + unexplained(areas, size, told, [card.corners for card in cards]), cards
    )


@dataclass(slots=True, eq=False)
class Judge:
    """Holds areas against a picture whose cards are about of a `size` in pixels."""

    frame: Frame
    areas: Areas
    size: Size
    measured: bool = False
    """Whether the size was taken from a card of the deck, so that another one's is just that."""

    def heaped(self, cards: Sequence[Joined]) -> tuple[list[Back], Areas]:
        """The backs of areas that are not one card's shape, and what the maps show beside them."""
        told: list[Back] = []
        left = self.areas.back.copy()
        faces = [card.corners for card in cards]
        for blob in blobs_of_backs(self.areas, self.size):
            if _on_any(around(blob, self.areas), [one.corners for one in told]):
                left[blob > 0] = 0.0
                continue
            if not odd(blob, self._cells()):
                continue
            if not self.measured:
                self._measure(cards)
            cut = self._cut(blob)
            area = heap(self.frame, self.areas, blob, self.size, faces)
            # Of one part a little larger than a card, a second card may be in sight.
            alone = len(cut) == 1 and ratio(cut[0].corners, self.size) > ALONE
            laid = () if alone else area.beside([part.corners for part in cut])
            sure = [True] * len(laid)
            copies: list[Floats] = []
            if not laid:
                copies = self._copies(blob, faces)
                told += [Back(upright(corners), FRAMED) for corners in copies]
            if not laid and not copies:
                explained = area.explained()
                laid = explained.cards if self._several(explained, cut, blob) else ()
                # A third card's border may run through one of another print.
                sure = agreeing(self.frame, [one.corners for one in laid])
            for one, certain in zip(laid, sure, strict=True):
                told.append(Back(upright(one.corners), FRAMED if certain else VAGUE))
            if laid or copies:
                left[blob > 0] = 0.0
        return told, replace(self.areas, back=left) if told else self.areas

    def _copies(self, blob: Cells, faces: Sequence[Floats]) -> list[Floats]:
        """The cards of a heap that are copies of its uppermost one, if it is plainly several."""
        if self._cards_of(blob) > HEAPED or float(self.areas.back[blob > 0].mean()) < SOME:
            return []
        found = stacked(self.frame, self.areas, around(blob, self.areas), self.size, faces)
        seen = all(in_sight(self.frame, corners) >= IN_SIGHT for corners in found)
        return found if seen else []

    def beneath(self, told: Sequence[Back], cards: Sequence[Joined]) -> list[Back]:
        """The backs `told`, and with each one that is certain those that lie under it."""
        faces = [card.corners for card in cards]
        found = list(told)
        for back in [one for one in told if one.confidence >= FRAMED]:
            if not any(back is one for one in found):
                continue
            others = [one.corners for one in found if one is not back]
            copies = stacked(
                self.frame, self.areas, back.corners, self.size, [*faces, *others], under=True
            )
            seen = all(in_sight(self.frame, corners) >= IN_SIGHT for corners in copies)
            if seen and _on_any(back.corners, copies):
                found = [one for one in found if not _on_any(one.corners, copies)]
                found += [Back(upright(corners), FRAMED) for corners in copies]
        return found

    def jutting(self, told: Sequence[Back], cards: Sequence[Joined]) -> list[Back]:
        """The backs that jut out from under those known for certain (`told`), and from under each
        other.
        """
        found: list[Back] = []
        waiting = [back for back in told if back.confidence >= FRAMED]
        faces = [card.corners for card in cards]
        while waiting and len(found) < MOST:
            over = waiting[0].corners
            covers = [*faces, *(back.corners for back in (*told, *found))]
            shown, sides = self._around(over), []
            if shown.any():
                sides = sides_beside(self.areas, over, self.size[0], covers)
            laid = None
            if sides:
                area = heap(self.frame, self.areas, shown, self.size, covers)
                laid = jutting(area, over, sides, covers)
            if laid is None:
                waiting.pop(0)
                continue
            # Where there is more, a card may lie between.
            whole = area.without([*covers, laid.corners]) < LEAST
            found.append(Back(upright(laid.corners), FRAMED if whole else VAGUE))
            if whole:
                waiting.append(found[-1])
        return found

    def _around(self, corners: Floats) -> Cells:
        """What looks like a back on the maps, at a card and around it."""
        short, long = self._cells()
        middle = (corners.mean(axis=0) - (self.areas.box.x, self.areas.box.y)) * self.areas.scale
        near = np.zeros(self.areas.back.shape, np.uint8)
        top, left = (max(0, int(value - long - short)) for value in middle[::-1])
        bottom, right = (max(0, int(value + long + short)) for value in middle[::-1])
        near[top:bottom, left:right] = 1
        return near & (self.areas.back >= BACK).astype(np.uint8)

    def _several(self, explained: Explanation, cut: Sequence[Part], blob: Cells) -> bool:
        """Whether an area is several cards, or one under a face, and not what its parts are."""
        number = len(explained.cards)
        several = number > 1 or explained.under
        largest = max((ratio(part.corners, self.size) for part in cut), default=inf)
        if len(cut) > 1 and largest <= APART and self._cards_of(blob) <= APART * len(cut):
            several &= number == len(cut)
        elif largest <= ALONE and not explained.under:
            # Of one card's size, it is two only if every edge of both shows.
            several &= min((card.edged for card in explained.cards), default=0.0) >= SEEN
        # Where the maps show borders between more cards than that, those count.
        several &= len(cut) <= max(number, 1)
        return several and explained.complete and self._trusted(explained, blob)

    def _cards_of(self, blob: Cells) -> float:
        """How many cards' area the cells of an area are."""
        short, long = self._cells()
        return float(np.count_nonzero(blob)) / (short * long)

    def _cut(self, blob: Cells) -> list[Part]:
        """The cards into which the maps' borders cut an area."""
        alone = np.where(blob > 0, self.areas.back, np.float32(0))
        return parts(replace(self.areas, back=alone), self.size)

    def _trusted(self, explained: Explanation, blob: Cells) -> bool:
        """Whether the cards that explain an area show their edges, and it looks like backs."""
        edged = [card.edged for card in explained.cards]
        likely = float(self.areas.back[blob > 0].mean())
        # The uppermost card lies in full sight: it has all its edges, if no face lies over it.
        first = explained.cards[0]
        plainly = likely >= PLAIN_ENOUGH and first.bordered >= BORDERED
        whole = MOSTLY if explained.under else HIDDEN if plainly else SEEN
        shown = edged[0] >= whole and min(edged) >= HALF and sum(edged) >= MOSTLY * len(edged)
        sight = min(in_sight(self.frame, card.corners) for card in explained.cards)
        enough = LIKELY if explained.under else SOME
        return shown and likely >= enough and sight >= IN_SIGHT

    def _cells(self) -> Size:
        """A card's sides in cells of the maps."""
        short, long = self.size
        return short * self.areas.scale, long * self.areas.scale

    def told(
        self, found: Sequence[Part], others: Sequence[Floats], cards: Sequence[Joined]
    ) -> list[Back]:
        """The backs among the areas `found` and among `others` that only their edges can reveal."""
        printed = [part.corners for part in found if ratio(part.corners, self.size) <= NEAR]
        near = [corners for corners in others if ratio(corners, self.size) <= NEAR]
        if printed or near:
            self._measure(cards)
        # Where cards lie in a spread, none of them can be measured, and near is not enough.
        candidates = [*printed, *near] if self.measured or not cards else printed
        certain: list[Floats] = []
        for number, corners in enumerate(candidates):
            whole = self._whole(corners, printed=number < len(printed))
            if whole is not None and not any(within(one, whole.mean(axis=0)) for one in certain):
                certain.append(whole)
        left = [
            part
            for part in found
            if not any(within(one, part.corners.mean(axis=0)) for one in certain)
        ]
        told = [Back(corners, FRAMED) for corners in certain]
        return told + self._explained(left, [*certain, *(card.corners for card in cards)])

    def _explained(self, left: Sequence[Part], lying: Sequence[Floats]) -> list[Back]:
        """What is `left`, whose outline is not to be had whole, beside and under the cards `lying`.

        Of a row of backs over each other the uppermost is whole, and explains the next.
        """
        likely = [part.likely(self.areas) for part in left]
        believed = [part for part, one in zip(left, likely, strict=True) if one >= PLAINLY]
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

    def _is_explained(self, part: Part, edges: NDArray[np.bool_], lying: Sequence[Floats]) -> bool:
        """Whether enough of an area's sides (4,) are `edges`, or end at something that is known."""
        covered = touched(self.frame, part.corners, lying, 2 / self.areas.scale)
        # What is smaller than a card has something lying over it.
        whole = ratio(part.corners, self.size) <= SAME_SIZE
        return int((edges | covered).sum()) >= KNOWN and (whole or bool(covered.any()))

    def _framed(self, corners: Floats) -> Framed:
        return framed(self.frame, corners, max(4, round(REACH * self.size[0])))

    def _whole(self, corners: Floats, *, printed: bool) -> Floats | None:
        """The corners of a whole card near an outline, if four edges of the right size are.

        Beside what looks `printed` like a back an edge may be the print's; of other things of
        about a card's size, tiles and stones, an edge more is a chance more to err.
        """
        outline = self._framed(corners)
        missing, ways = ~(outline.shares >= SEEN), [outline]
        if not self.measured:
            # What was not measured cannot stand in for an edge that is not in sight.
            ways = [] if any(outside(self.frame, corner) for corner in outline.corners) else ways
        elif missing.any():
            ways.append(self._completed(outline, missing))
        elif printed and ratio(outline.corners, self.size) > EXACT_SIZE:
            # A print's or the table's edge beside a side was clearer than its own.
            ways += [self._completed(outline, np.arange(4) == side) for side in range(4)]
        alike = EXACT_SIZE if self.measured else SAME_SIZE
        fitting = (
            way
            for way in ways
            if way.whole
            and ratio(way.corners, self.size) <= alike
            and in_sight(self.frame, way.corners) >= IN_SIGHT
        )
        return next((upright(way.corners) for way in fitting), None)

    def _completed(self, outline: Framed, missing: NDArray[np.bool_]) -> Framed:
        """An outline with its `missing` sides as far from those found as a card's are."""
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

    def _other_side(self, side: float) -> float:
        """How long a card is across a side of this length."""
        short, long = self.size
        return long if side * side < short * long else short

    def _measure(self, cards: Sequence[Joined]) -> None:
        """Take the deck's size from cards that were read, by the same edges as the backs'.

        Of one that lies over another the other's edge may be taken for its own.
        """
        pairs = [card for card in cards if card.agreement is not None and self._alone(card, cards)]
        pairs = sorted(pairs, key=lambda card: -float(card.faces.max()))[:MEASURED]
        whole = [
            sides(outline.corners)
            for card in pairs
            if (outline := self._framed(card.corners)).whole
        ]
        if whole:
            short, long = np.median(whole, axis=0)
            self.size, self.measured = (float(short), float(long)), True

    @staticmethod
    def _alone(card: Joined, cards: Sequence[Joined]) -> bool:
        """Whether no other card lies over or under this one."""
        whole = cv2.contourArea(card.corners)
        others = (other.corners for other in cards if other is not card)
        return all(
            cv2.intersectConvexConvex(card.corners, corners)[0] <= SHARED * whole
            for corners in others
        )


def _on_any(outline: Floats, cards: Sequence[Floats]) -> bool:
    """Whether the middle of an outline lies on one of the cards."""
    return any(within(corners, outline.mean(axis=0)) for corners in cards)


def _card_size(shape: Shape, height: float) -> Size:
    """A card's sides where its indices are of this height."""
    return (
        height * (shape.across + 2 * EDGE_ACROSS),
        height * (shape.down + 2 * EDGE_DOWN),
    )


def _occupied(corners: Floats, cards: Sequence[Joined]) -> bool:
    """Whether a card that was read has its middle there, which a back in sight would cover."""
    return any(len(card.members) > 1 and within(corners, card.centre) for card in cards)
