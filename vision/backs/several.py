"""Explain areas not shaped like one card: several backs, overlapping or touching, or under a face.

The cards of such an area are searched for in three ways: as the parts into which the maps' own
borders cut it, as copies of its uppermost card, and by its corners. If none of these is certain,
there is a question for each card of the best explanation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

import cv2
import numpy as np

from vision.backs.edges import SEEN, touching
from vision.backs.found import Found, told_at
from vision.backs.heaps import (
    FRINGE,
    LEAST,
    MOST,
    OVER,
    PUSHED,
    Explanation,
    Heap,
    Laid,
    heap,
    plainly_shown,
    same_place,
)
from vision.backs.meeting import on_any, overlap
from vision.backs.one_under import plainly_one
from vision.backs.parts import (
    FRAMED,
    VAGUE,
    Back,
    Cells,
    Part,
    Size,
    around,
    coincide,
    parts,
    ratio,
    sides,
)
from vision.backs.poses import grown
from vision.backs.prints import agreeing, same_upside_down, unbroken
from vision.backs.remainder import SAME
from vision.backs.sight import in_sight
from vision.backs.stack import Heaped, stacked
from vision.backs.standing import Standing
from vision.backs.unmoved import Lay
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame, upright

LIKELY = 0.75
"""Minimum mean probability of "back" at which an area can be a back if its outline suggests one:
textures reach 0.70 next to a card. A choice; `python -m tests.face_down` judges it."""
SOME = 0.65
"""Minimum mean probability of "back" over an area at which several visible cards can explain it. An
area under a face has to be likelier: book covers and print next to a face reached 0.71 on
photographs, drawn overlapping pairs had at least 0.73. A choice; `python -m tests.face_down` judges
it."""
HINTED = 0.45
"""The same if copies of one card explain it with certainty, or what a face leaves of it in view
plainly has the edges of a card. A choice: for some backs without a print inside a border, the maps
show no more, and for many under a face 0.58 to 0.75; on photographs no other area beside a face
showed more than 0.73 of the edges. `python -m vision.measure` judges it."""
HALF, MOSTLY = 0.5, 0.8
"""Minimum share of the visible border showing an edge, for each card that explains an area and for
all together: some edges of overlapping plain backs are hardly visible, and tiles that only half
fill a larger thing have none. A choice; `python -m tests.face_down` judges it."""
PLAIN_ENOUGH, BORDERED, HIDDEN = 0.85, 0.65, 0.7
"""Minimums for an area and its uppermost card if that does not show all its edges because the card
under it looks the same there: the mean probability of "back", the share of the card's border that
is the area's own, and the share of it that shows an edge. On drawn tables, tricks laid across each
other have at least 0.86, 0.69 and 0.71; for a chip mistaken for two small cards the border's share
is 0.53. A choice; `python -m tests.face_down` judges it."""
APART = 1.25
"""Largest size, in sides of a card, of a part that is a whole card next to others, if the maps' own
borders cut the area: in touching rows that lie slightly askew they reach 1.22. A choice;
`python -m tests.face_down` judges it."""
ALONE = 1.1
"""The same for an area without such a border; a single card's swollen area reaches it. A choice;
`python -m tests.face_down` judges it."""
HEAPED = 9.0
"""Largest area, in cards, of a heap explained by copies of its uppermost card: the time grows with
the area. A choice: the maps swell seven cards side by side to more than seven;
`python -m tests.hidden_hands` judges it."""
NEARER = 0.03
"""Share by which cards may be larger or smaller than the deck's at their place in the picture, in a
heap that is not explained at that size. A choice: at a picture's edge it was 0.03, where a
telephone's lens draws them out; `python -m tests.soak --pictures` judges it."""
SHOWN = 0.5
"""Minimum area of a heap, in cards, that the maps must show for each card of an uncertain
explanation to be asked about. A choice; the photographs with clutter and
`python -m tests.face_down` judge it."""
EITHER_MOST = 3.5
"""Largest area, in cards, of a heap that is explained with either size: the time grows with the
area, and the first lone back tells the size. A choice; `python -m tests.soak --pictures` judges it.
"""
OVERLOOKED = 0.12
"""Largest share of a card that the maps may show beside the copies that explain a heap: a heap in
the colour of its ground is cut off. A choice; `python -m tests.face_down fan` judges it."""
PLAINLY = 0.95
"""Minimum share of its border at which a card shows an edge for its print not to matter, if it lies
beside others or under a face. A choice; `python -m tests.face_down row column spaced under` judges
it."""
JOINED = 0.5
"""Share of the way between two cards in a row that stands out from the ground, from which another
card may lie there. A choice: of a finger's width of table, shadows leave most."""
EXPLAINED = 0.75
"""Minimum share of an area that the cards of others must cover for it to be theirs. A choice: the
maps swell, and a single card's rim is a tenth of it."""
IN_SIGHT = 0.75
"""Minimum share of a card inside the picture for its edges alone to identify it: half a check of a
checked cloth at the picture's edge has three edges. A choice; `python -m tests.face_down` judges
it."""


HIDDEN = 0.55
"""Largest share of a card that another of those laid at the same time may hide. A choice: hands
spread their cards by more; of one card that was taken for two it was 0.67 and 0.74."""
CUT_SHORT = 0.92
"""Share of a card's length below which an outline is not of a whole one. A choice: of a card under
the fingers of a resting hand it was 0.88, and nearly square; a card's length is measured to a few
hundredths. `python -m tests.soak --pictures` judges it."""
MAINLY = 0.5
"""Minimum share of a known card on an area to which it belongs, not to the next one. A choice:
half."""


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """The `uneven` areas (h, w) on the maps of a picture, to be explained as several cards.

    Cards are about `size` pixels, or possibly as `narrow` as that; `faces` are the corners (4, 2)
    of those that were read, and `lay` those of the cards that lay there face down before.
    """

    frame: Frame
    areas: Areas
    size: Size
    uneven: Sequence[Cells]
    faces: Sequence[Floats]
    narrow: Size | None = None
    lay: Sequence[Floats] = ()
    stirred: Sequence[Floats] = ()
    """Cards that lay there too, but may have been moved, or have another over them."""

    def heaped(self) -> tuple[list[Back], Areas]:
        """The backs in the uneven areas, and the maps without them."""
        each: list[tuple[Cells, list[Back]]] = []
        left = self.areas.back.copy()
        for blob in self.uneven:
            told = [one.corners for _, found in each for one in found]
            known = self._is_explained(blob, told)
            found = [] if known else self._of_either_size(blob)
            each.append((blob, found))
            if known or found:
                left[blob > 0] = 0.0
        backs: list[Back] = []
        for blob, found in each:
            certain = [back.corners for back in backs if back.confidence >= FRAMED]
            own = self._own(blob, found, each)
            backs += [one for one in own if not self._is_any(one, certain)]
        return backs, replace(self.areas, back=left) if backs else self.areas

    def _is_explained(self, blob: Cells, told: Sequence[Floats]) -> bool:
        """Whether cards that other areas showed explain an area as well."""
        if not on_any(around(blob, self.areas), told):
            return False
        covered = np.zeros_like(blob)
        for corners in told:
            covered |= self._place(blob, corners)
        return bool(np.count_nonzero(blob & covered) >= EXPLAINED * np.count_nonzero(blob))

    def _own(
        self, blob: Cells, found: list[Back], each: Sequence[tuple[Cells, Sequence[Back]]]
    ) -> list[Back]:
        """The backs `found` in one area, without any that another area has with certainty.

        Where a table's grain joins two areas that the maps keep apart, one may be explained by the
        other's cards as well; then it is explained anew beside these.
        """
        others = [back for other, backs in each if other is not blob for back in backs]
        certain = [back.corners for back in others if back.confidence >= FRAMED]
        if all(one.confidence >= FRAMED or not self._is_any(one, certain) for one in found):
            return found
        beside = replace(self, faces=(*self.faces, *certain))
        return [one for one in beside._of_either_size(blob) if not self._is_any(one, certain)]

    def _is_any(self, back: Back, certain: Sequence[Floats]) -> bool:
        """Whether a back is one of the `certain` cards (4, 2), seen twice."""
        near = SAME * self.size[0]
        return any(coincide(back.corners, one, near) for one in certain)

    def _added(self, blob: Cells) -> list[Floats]:
        """The cards in an uneven area that lay there, if they lie still and some were only laid on
        them.

        What lay where a face is read has been turned over. Where one was stirred, it may lie under
        another, or be gone: what shows there must tell.
        """
        near = PUSHED * self.size[0]
        here = [
            corners
            for corners in self.lay
            if self._on(blob, corners)
            and not any(same_place(face, corners, near) for face in self.faces)
        ]
        if not here or any(self._on(blob, corners) for corners in self.stirred):
            return []
        short, long = np.median([sides(corners) for corners in here], axis=0).tolist()
        own = [corners for corners in here if self._on(blob, corners, MAINLY)]
        if Lay(self.frame, self.areas, (short, long), own, self.faces).unmoved(blob):
            return own
        if any(self._was_cut_short(corners) for corners in here):
            return []
        area = heap(self.frame, self.areas, blob, (short, long), self.faces)
        fresh = [one.corners for one in area.added(here)]
        # Nobody lays two cards at once of which one hides the other: on a print of lines, two
        # across one another may show as many edges as the one that was laid.
        if not fresh or overlap(fresh) > HIDDEN * short * long:
            return []
        return [*fresh, *here]

    def _was_cut_short(self, corners: Floats) -> bool:
        """Whether an outline is only of what a hand had left in view of a card."""
        return sides(corners)[1] < CUT_SHORT * self.size[1]

    def _on(self, blob: Cells, corners: Floats, least: float = 0.0) -> bool:
        """Whether part of a card, more than this share, lies on these cells of the maps."""
        place = self._place(blob, corners)
        return bool(np.count_nonzero(place & (blob > 0)) > least * np.count_nonzero(place))

    def _place(self, blob: Cells, corners: Floats) -> Cells:
        """The cells of the maps that a card covers."""
        place = np.zeros(blob.shape, np.uint8)
        at = (corners - (self.areas.box.x, self.areas.box.y)) * self.areas.scale - 0.5
        cv2.fillConvexPoly(place, np.round(at).astype(np.int32), (1,))
        return place

    def _of_either_size(self, blob: Cells) -> list[Back]:
        """The backs in an uneven area, of another size if only that makes all of them certain.

        Where both nearly equal sizes fit, they must agree on the number; a single one may add one
        card to what seems to lie there, or any if margins tell its cards apart.
        """
        if known := self._added(blob):
            return told_at(known, whole=True)
        first = self._backs_of(blob)
        found = first.backs
        # Where two numbers of cards fit this size, a third answer settles nothing.
        doubted = any(back.confidence < FRAMED for back in found) and not first.contested
        if not doubted or self._cards_of(blob) > EITHER_MOST:
            return found
        if self.narrow is not None and (other := self._sure_of(blob, self.narrow)):
            return other.backs
        nearly = ((self.size[0] * one, self.size[1] * one) for one in (1 + NEARER, 1 - NEARER))
        fitting = [other for size in nearly if (other := self._sure_of(blob, size))]
        single = len(fitting) == 1 and not fitting[0].by_margins
        most = len(found) + 1 if single else MOST
        agreed = len({len(one.backs) for one in fitting}) == 1 and len(fitting[0].backs) <= most
        return fitting[0].backs if agreed else found

    def _sure_of(self, blob: Cells, size: Size) -> Found | None:
        """The backs in an uneven area, if they are several of this size, and all certain."""
        found = replace(self, size=size)._backs_of(blob)
        certain = len(found.backs) > 1 and all(one.confidence >= FRAMED for one in found.backs)
        return found if certain else None

    def _backs_of(self, blob: Cells) -> Found:
        """The backs in one uneven area: none if it is not clearly one or several."""
        cut = self._cut(blob)
        area = heap(self.frame, self.areas, blob, self.size, self.faces)
        # If one part is slightly larger than a card, a second card may be visible.
        alone = len(cut) == 1 and ratio(cut[0].corners, self.size) > ALONE
        beside = () if alone else area.beside([part.corners for part in cut])
        parted = [one.corners for one in beside]
        plainly = self._side_by_side(beside)
        # Where a print differs, it may be another card's border that runs through it.
        if (plainly and unbroken(self.frame, parted)) or (
            beside and all(agreeing(self.frame, parted))
        ):
            return Found(told_at(parted))
        copies = self._copies(blob)
        seed = around(blob, self.areas)
        several = max(len(copies.cards), len(cut)) > 1
        explained = area.explained() if several and [*touching(seed, self.faces)] else None
        if explained is not None and plainly_one(explained):
            return Found(told_at([explained.cards[0].corners]))
        proven = copies.certain and self._explain(blob, area, copies.cards)
        whole = copies.uncrossed or self._lay_before(copies.cards)
        if proven and (whole or self.unbroken(copies.cards)):
            return Found(told_at(copies.cards, whole=True), by_margins=copies.uncrossed)
        fewest = len(copies.cards) if copies.certain else copies.fewest
        in_row = fewest <= len(beside) >= len(copies.cards) and self._touch(parted)
        if beside and in_row and (plainly or self._cards_of(blob) <= ALONE * len(beside)):
            # Of a fine print, or in uneven light, the prints of a row differ too.
            return Found(told_at(parted))
        explained = explained or area.explained()
        laid = explained.cards if self._several(explained, cut, blob) else ()
        for cards in (copies.cards, [one.corners for one in laid]):
            if self._stand_apart(area, seed, cards):
                return Found(told_at(cards))
        if copies.fewest:
            number = copies.fewest
            backs = [*told_at(copies.cards[:number]), *told_at(copies.cards[number:], VAGUE)]
            return Found(backs, contested=True)
        if proven or (len(copies.cards) > 1 and len(laid) != len(copies.cards)):
            return Found(told_at(copies.cards, VAGUE))
        # A third card's border may run through one with a different print.
        sure = agreeing(self.frame, [one.corners for one in laid])
        if not all(sure) and not same_upside_down(self.frame, laid[0].corners):
            sure[0] = False
        if all(sure) and self.overlooked(seed, [one.corners for one in laid]):
            sure = [False] * len(laid)
        told = [
            Back(upright(one.corners), FRAMED if certain else VAGUE)
            for one, certain in zip(laid, sure, strict=True)
        ]
        return Found(told)

    def _explain(self, blob: Cells, area: Heap, cards: Sequence[Floats]) -> bool:
        """Whether these cards explain what the maps show of an area.

        Beside a heap they faintly show a cloth of its colour, which does not stand out from itself.
        """
        if area.without(cards) < OVERLOOKED:
            return True
        shown = plainly_shown(self.frame, self.areas, blob, self.size, self.faces).without(cards)
        return shown < OVERLOOKED and not self.overlooked(around(blob, self.areas), cards)

    def _lay_before(self, cards: Sequence[Floats]) -> bool:
        """Whether all of these cards, uppermost first, lay there before, but for the first.

        Then a print that differs is a fine one as it falls on the pixels.
        """
        near, lain = PUSHED * self.size[0], [*self.lay, *self.stirred]
        return len(cards) > 1 and all(
            any(coincide(corners, one, near) for one in lain) for corners in cards[1:]
        )

    def unbroken(self, cards: Sequence[Floats]) -> bool:
        """Whether no other card's border shows within these, uppermost first; if they touch at
        most, all their edges are in sight."""
        return self._touch(cards) or unbroken(self.frame, cards)

    def _side_by_side(self, cards: Sequence[Laid]) -> bool:
        """Whether these cards touch at most, and plainly show all of their edges."""
        edged = min((one.edged for one in cards), default=0.0) >= PLAINLY
        return edged and len(cards) > 1 and self._touch([one.corners for one in cards])

    def _touch(self, cards: Sequence[Floats]) -> bool:
        """Whether no two of these cards overlap by more than the errors of their outlines."""
        short, long = self.size
        return overlap(cards) <= OVER * short * long

    def _stand_apart(self, area: Heap, seed: Floats, cards: Sequence[Floats]) -> bool:
        """Whether there is ground between these cards, and nothing else stands out from it.

        The maps join those less than two cells apart, and a fine print differs from card to card as
        it falls on the pixels; but each of them shows all four edges, as a card alone must.
        """
        gap = FRINGE * self.size[0] / 2
        if len(cards) < 2 or overlap([grown(corners, gap) for corners in cards]):
            return False
        laid = [area.laid(corners, self.faces) for corners in cards]
        edged = all(one.edged >= SEEN and one.beyond <= OVER for one in laid)
        if not edged:
            return False
        standing = self.standing(seed)
        return standing.without(cards) < LEAST and standing.between(cards) < JOINED

    def overlooked(self, seed: Floats, laid: Sequence[Floats]) -> bool:
        """Whether more stands out from the ground around `seed` (4, 2) than these cards explain: of
        backs without a border, the maps may show all but the last of a fan."""
        return self.standing(seed).without(laid) >= OVERLOOKED

    def standing(self, seed: Floats) -> Standing:
        """What stands out from the ground around an outline."""
        return Standing.of(self.frame, self.areas, seed, self.size, self.faces)

    def _copies(self, blob: Cells) -> Heaped:
        """The cards of a heap that are copies of its uppermost one, if there are several."""
        likely = float(self.areas.back[blob > 0].mean())
        if self._cards_of(blob) > HEAPED or likely < HINTED:
            return Heaped()
        found = self._stacked(blob)
        if not found.certain:
            # In the picture, a shadow may join it to its neighbour.
            parted = self._stacked(blob, own=blob)
            found = parted if parted.certain else found
        seen = all(in_sight(self.frame, corners) >= IN_SIGHT for corners in found.cards)
        shown = likely >= SOME and self._cards_of(blob) >= SHOWN
        believed = found.certain or (shown and len(found.cards) > 1)
        return found if seen and believed else Heaped()

    def _stacked(self, blob: Cells, own: Cells | None = None) -> Heaped:
        seed, lain = around(blob, self.areas), [*self.lay, *self.stirred]
        return stacked(self.frame, self.areas, seed, self.size, self.faces, lain=lain, own=own)

    def _several(self, explained: Explanation, cut: Sequence[Part], blob: Cells) -> bool:
        """Whether an area is several cards, or one under a face, and not what its parts suggest."""
        number = len(explained.cards)
        several = number > 1 or explained.under
        largest = max((ratio(part.corners, self.size) for part in cut), default=inf)
        if len(cut) > 1 and largest <= APART and self._cards_of(blob) <= APART * len(cut):
            several &= number == len(cut)
        elif largest <= ALONE and not explained.under:
            # At the size of one card, it is two only if every edge of both shows.
            several &= min((card.edged for card in explained.cards), default=0.0) >= SEEN
        # If the maps show borders between more cards than that, those count.
        several &= len(cut) <= max(number, 1)
        return several and explained.complete and self._trusted(explained, blob)

    def _cards_of(self, blob: Cells) -> float:
        """The area of these cells in cards."""
        short, long = self.cells()
        return float(np.count_nonzero(blob)) / (short * long)

    def _cut(self, blob: Cells) -> list[Part]:
        """The cards into which the maps' borders cut an area."""
        alone = np.where(blob > 0, self.areas.back, np.float32(0))
        return parts(replace(self.areas, back=alone), self.size)

    def _trusted(self, explained: Explanation, blob: Cells) -> bool:
        """Whether the cards that explain an area show their edges, and it looks like backs."""
        edged = [card.edged for card in explained.cards]
        likely = float(self.areas.back[blob > 0].mean())
        # The uppermost card is fully visible: it has all its edges, unless a face lies over it.
        first = explained.cards[0]
        plainly = likely >= PLAIN_ENOUGH and first.bordered >= BORDERED
        whole = MOSTLY if explained.under else HIDDEN if plainly else SEEN
        shown = edged[0] >= whole and min(edged) >= HALF and sum(edged) >= MOSTLY * len(edged)
        sight = min(in_sight(self.frame, card.corners) for card in explained.cards)
        enough = LIKELY if explained.under else SOME
        # Of nothing else in a card's size does an edge run along all that no face covers.
        if explained.under and min(edged) >= PLAINLY and first.bordered >= BORDERED:
            enough = HINTED
        return shown and likely >= enough and sight >= IN_SIGHT

    def cells(self) -> Size:
        """A card's sides in cells of the maps."""
        short, long = self.size
        return short * self.areas.scale, long * self.areas.scale
