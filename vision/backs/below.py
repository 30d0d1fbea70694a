"""The card that shows next below those of a heap that are known, as a copy of the uppermost one.

At thousands of places the picture is compared with the uppermost card's print and looked at for
edges; the likeliest are laid on their edges, and the best of these are registered by their print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.backs.borders import CLOSELY, Borders, sides_of
from vision.backs.copies import DENSE, Faces, Pattern, held, printed_alike
from vision.backs.explanation import LEAST, OUTER, SHARP, SLIVER, Copy
from vision.backs.fitting import fitted
from vision.backs.parts import Cells
from vision.backs.poses import Bare, Bools, Poses, distinct
from vision.backs.registration import BEST, Print, places_near, registered
from vision.backs.seams import seam
from vision.picture.geometry import Floats

NEXT, CHOSEN = 24, 5
"""How many places are fitted to their edges for each further card, and how many of those are looked
at closely. A choice: of 22 drawn fans 12 were explained right with 4 places, 17 with 12, and 15
with 24 of which 5 are looked at closely, at four fifths of the work;
`python -m tests.face_down fan` judges it."""
PRINT = 0.6
"""The share of what is in sight of another card that must have its print at a place where it is
only looked for. A choice; `python -m tests.face_down` judges it."""
USEFUL = 0.025
"""The share of a card that one must explain of a heap. A choice: half of what must be left for
another card to be looked for, as places lie three dots apart."""
CORNERS = 0.015
"""The share of a heap that a card explains of which nothing but its corners shows. A choice; turned
by ten degrees they are 0.02 and more; `python -m tests.face_down pair` judges it."""
GAIN, AS_GOOD = 0.1, 0.045
"""How much the share of a card that it explains of a heap counts beside its edges and its print,
and by how much less two cards may show for the one that explains more to come first. A choice;
`python -m tests.face_down fan` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Prints:
    """The uppermost card's print: as it is one and two dots around (`near` and `wide`), and
    exactly."""

    near: Pattern
    wide: Pattern
    exact: Print

    @classmethod
    def of(cls, top: Poses) -> Prints:
        """The print of the first of some cards."""
        return cls(Pattern.of(top), Pattern.of(top, 2), Print.of(top))


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What the picture shows at all `places` where a copy of a heap's uppermost card may lie,
    whatever lies over it."""

    places: Poses
    prints: Prints
    faces: Faces
    borders: Borders

    @classmethod
    def of(cls, places: Poses, prints: Prints) -> Survey:
        """The picture at some places, compared with the uppermost card's print."""
        return cls(places, prints, Faces.of(places, prints.wide), Borders.of(places))

    def chosen(self, which: Bools) -> Survey:
        """Some of the places."""
        faces, borders = self.faces.chosen(which), self.borders.chosen(which)
        return Survey(self.places.chosen(which), self.prints, faces, borders)

    def beside(self, left: Cells) -> Survey:
        """The places that explain something of what is `left` of the heap."""
        return self.chosen(self.faces.held(left) >= USEFUL)

    def likely(self, bare: Bare, left: Cells) -> Poses:
        """The likeliest places of a card of which `bare` is in sight, by its print and its edges,
        and by those and how much it explains of what is `left`."""
        alike, sight = self.faces.beside(bare)
        at = (alike >= PRINT) & (sight > 0)
        some, sides = self.places.chosen(at), self.borders.chosen(at).beside(bare)
        worth = np.asarray(alike[at] + sides.shares + sides.bordered / 2, np.float32)
        gains = self.faces.chosen(at).held(left)
        # Of a print that repeats itself the card beside, in full sight, is one of many as clear.
        ways = (distinct(some, one, NEXT // 2) for one in (worth, worth + gains))
        return some.chosen(np.unique(np.concatenate([*ways])))


def surveyed(places: Poses, left: Cells, prints: Prints) -> Survey | None:
    """What the picture shows at those places that explain something of what is `left` of a heap, if
    any do: all the others need not be looked at."""
    useful = places.chosen(held(places, left) >= USEFUL)
    return Survey.of(useful, prints) if len(useful) else None


def below(survey: Survey, left: Cells, laid: Sequence[Floats]) -> Copy | None:
    """The card below those `laid` (4, 2) that explains some of what is `left` of a heap, if one of
    the places surveyed shows one."""
    bare, prints = Bare.beside(survey.places.sheet, laid), survey.prints
    likely = survey.likely(bare, left)
    if not len(likely):
        return None
    first = copies(fitted(likely, bare), prints.near, bare)
    gains = _gains(first, left)
    order = sorted(zip(first, gains, strict=True), key=lambda one: -one[0].worth - GAIN * one[1])
    closer = _closer([copy for copy, _ in order[:CHOSEN]], prints, bare)
    found = []
    for copy, gain in zip(closer, _gains(closer, left), strict=True):
        strip = copy.sight >= SLIVER or copy.bordered >= OUTER
        # Of a card turned a little under another one the corners show, and hardly any print.
        corners = copy.edged >= SHARP and copy.bordered >= SHARP and gain >= CORNERS
        if corners or (gain >= USEFUL and copy.sight >= LEAST and strip):
            found.append((replace(copy, seam=seam(copy.pose, prints.wide, laid)), gain))
    if not found:
        return None
    best = max(copy.worth for copy, _ in found)
    good = [one for one in found if one[0].worth >= best - AS_GOOD]
    return max(good, key=lambda one: one[1])[0]


def copies(cards: Poses, pattern: Pattern, bare: Bare) -> list[Copy]:
    """Some cards with what the picture shows of each that is `bare`."""
    alike, sight = printed_alike(cards, pattern, bare, DENSE)
    sides = sides_of(cards, bare, CLOSELY)
    shown = zip(cards, sides.shares, alike, sight, sides.bordered, strict=True)
    return [Copy(pose, *(float(share) for share in shares)) for pose, *shares in shown]


def _gains(cards: Sequence[Copy], left: Cells) -> Floats:
    """The share of each card that lies on what is `left` of a heap."""
    return held(_joined(cards), left, DENSE)


def _closer(cards: Sequence[Copy], prints: Prints, bare: Bare) -> list[Copy]:
    """Each of some cards where it shows most: as it is, or at one of the best places around, by its
    edges and its print there."""
    near = places_near(_joined(cards), prints.near, bare)
    ways = copies(registered(fitted(near, bare), prints.exact, bare), prints.near, bare)
    tried = ([card, *ways[n * BEST : (n + 1) * BEST]] for n, card in enumerate(cards))
    return [max(one, key=lambda copy: copy.worth) for one in tried]


def _joined(cards: Sequence[Copy]) -> Poses:
    """The places of some cards."""
    sizes, at = ([one.pose.sizes for one in cards], [one.pose.at for one in cards])
    return Poses(cards[0].pose.sheet, np.concatenate(sizes), np.concatenate(at))
