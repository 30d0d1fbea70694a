"""Find what shows of backs under others that are known: their borders, corners and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.backs.found import told_at
from vision.backs.heaps import LEAST, MOST, heap
from vision.backs.jutting import jutting, sides_beside
from vision.backs.meeting import on_any, on_each_other
from vision.backs.parts import BACK, FRAMED, VAGUE, Back, Cells, coincide
from vision.backs.remainder import SAME
from vision.backs.several import IN_SIGHT, Several
from vision.backs.sight import in_sight
from vision.backs.stack import stacked, two_turned
from vision.picture.geometry import Floats, upright


class Lower(Several):
    """Explains the uneven areas, and what shows of backs under those that were found."""

    def _turned(self, told: Sequence[Back]) -> list[Back]:
        """The backs `told`, of which two that lie on each other are certain if the corners of one
        jut out from under the other."""
        found = list(told)
        for back in told:
            two = [one for one in found if on_each_other(one, back)]
            known = all(one.confidence >= FRAMED for one in two)
            if known or len(two) != 2 or not any(back is one for one in two):
                continue
            covers = [*self.faces, *(one.corners for one in found if one not in two)]
            cards = two_turned(self.frame, self.areas, back.corners, self.size, covers)
            if cards and self.unbroken(cards):
                found = [one for one in found if one not in two] + told_at(cards, whole=True)
        return found

    def beneath(self, told: Sequence[Back]) -> list[Back]:
        """The backs `told`, with those under each certain one."""
        found = self._turned(told)
        for back in [one for one in told if one.confidence >= FRAMED and not one.whole]:
            if not any(back is one for one in found):
                continue
            others = [one.corners for one in found if one is not back]
            covers = [*self.faces, *others]
            copies = stacked(self.frame, self.areas, back.corners, self.size, covers, under=True)
            if copies.hollow:
                moved = told_at(copies.cards) or [replace(back, confidence=VAGUE)]
                found = [one for one in found if one is not back] + moved
                continue
            if copies.whole:
                found = [replace(one, whole=True) if one is back else one for one in found]
            seen = all(in_sight(self.frame, corners) >= IN_SIGHT for corners in copies.cards)
            several = len(copies.cards) > 1 and copies.certain and self.unbroken(copies.cards)
            over = self._is_over(back.corners, copies.cards)
            if several and seen and over and on_any(back.corners, copies.cards):
                found = [one for one in found if not on_any(one.corners, copies.cards)]
                found += told_at(copies.cards, whole=True)
        return found

    def _is_over(self, card: Floats, cards: Sequence[Floats]) -> bool:
        """Whether a certain card, if it is one of those that explain what is there, uppermost
        first, is the uppermost: all its edges show, so that none of them lies over it.

        The gap to the next card of a row was taken for a strip of one over both.
        """
        near = SAME * self.size[0]
        itself = [number for number, one in enumerate(cards) if coincide(one, card, near)]
        return not itself or itself[0] == 0

    def jutting(self, told: Sequence[Back]) -> list[Back]:
        """The backs that jut out from under the certain ones (`told`) and from under each other."""
        found: list[Back] = []
        waiting = [back for back in told if back.confidence >= FRAMED and not back.whole]
        while waiting and len(found) < MOST:
            over = waiting[0].corners
            covers = [*self.faces, *(back.corners for back in (*told, *found))]
            shown, sides = self._around(over), []
            if shown.any():
                sides = sides_beside(self.areas, over, self.size[0], covers)
            laid = None
            if sides:
                area = heap(self.frame, self.areas, shown, self.size, covers)
                laid = jutting(area, over, sides, covers)
            if laid is None or not self.standing(over).shows(laid.corners, covers):
                waiting.pop(0)
                continue
            # If some is left, another card may lie between.
            whole = area.without([*covers, laid.corners]) < LEAST
            found.append(Back(upright(laid.corners), FRAMED if whole else VAGUE))
            if whole:
                waiting.append(found[-1])
        lying = [back.corners for back in (*told, *found)]
        if any(self.overlooked(back.corners, lying) for back in found):
            return [replace(back, confidence=VAGUE) for back in found]
        return found

    def _around(self, corners: Floats) -> Cells:
        """What looks like a back on the maps, at a card and around it."""
        short, long = self.cells()
        middle = (corners.mean(axis=0) - (self.areas.box.x, self.areas.box.y)) * self.areas.scale
        near = np.zeros(self.areas.back.shape, np.uint8)
        top, left = (max(0, int(value - long - short)) for value in middle[::-1])
        bottom, right = (max(0, int(value + long + short)) for value in middle[::-1])
        near[top:bottom, left:right] = 1
        return near & (self.areas.back >= BACK).astype(np.uint8)
