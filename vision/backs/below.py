"""Find the next card in a heap, below those already known, as a copy of the uppermost one.

At thousands of places the picture is compared with the uppermost card's print and searched for
edges; the likeliest places are fitted to their edges, and the best of these are registered by their
print.
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
"""Number of places fitted to their edges for each further card, and how many of those are examined
closely. A choice: of 22 drawn fans, 12 were explained correctly with 4 places, 17 with 12, and 15
with 24 of which 5 are examined closely, at four fifths of the work; `python -m tests.face_down fan`
judges it."""
PRINT = 0.6
"""Minimum share of another card's visible part that must show its print during the search. A
choice; `python -m tests.face_down` judges it."""
USEFUL = 0.025
"""Minimum share of a card by which it must explain a heap. A choice: half of what must be left for
another card to be searched for, as places are three dots apart."""
CORNERS = 0.015
"""Minimum share explained by a card of which only the corners show. A choice; rotated by ten
degrees they are at least 0.02; `python -m tests.face_down pair` judges it."""
GAIN, AS_GOOD = 0.1, 0.045
"""Weight of the share of a card that explains the heap, relative to its edges and print, and how
much less two cards may show for the one that explains more to come first. A choice;
`python -m tests.face_down fan` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Prints:
    """The uppermost card's print: blurred over one and two dots (`near` and `wide`), and exact."""

    near: Pattern
    wide: Pattern
    exact: Print

    @classmethod
    def of(cls, top: Poses) -> Prints:
        """The print of the first of some cards."""
        return cls(Pattern.of(top), Pattern.of(top, 2), Print.of(top))


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What the picture shows at all `places` where a copy of a heap's uppermost card may lie.

    What lies over those places is not considered yet.
    """

    places: Poses
    prints: Prints
    faces: Faces
    borders: Borders

    @classmethod
    def of(cls, places: Poses, prints: Prints) -> Survey:
        """The picture at some places, compared with the uppermost card's print."""
        return cls(places, prints, Faces.of(places, prints.wide), Borders.of(places))

    def chosen(self, which: Bools) -> Survey:
        """Only these places."""
        faces, borders = self.faces.chosen(which), self.borders.chosen(which)
        return Survey(self.places.chosen(which), self.prints, faces, borders)

    def beside(self, left: Cells) -> Survey:
        """The places that explain part of what is `left` of the heap."""
        return self.chosen(self.faces.held(left) >= USEFUL)

    def likely(self, bare: Bare, left: Cells) -> Poses:
        """The likeliest places of a card whose visible part is `bare`.

        Half are the best by print and edges, half by those and by how much they explain of what is
        `left`.
        """
        alike, sight = self.faces.beside(bare)
        at = (alike >= PRINT) & (sight > 0)
        some, sides = self.places.chosen(at), self.borders.chosen(at).beside(bare)
        worth = np.asarray(alike[at] + sides.shares + sides.bordered / 2, np.float32)
        gains = self.faces.chosen(at).held(left)
        # With a repetitive print, the fully visible card next to it would be one of many equally
        # good ones.
        ways = (distinct(some, one, NEXT // 2) for one in (worth, worth + gains))
        return some.chosen(np.unique(np.concatenate([*ways])))


def surveyed(places: Poses, left: Cells, prints: Prints) -> Survey | None:
    """Survey the places that explain part of what is `left` of a heap, if there are any.

    No others need to be examined.
    """
    useful = places.chosen(held(places, left) >= USEFUL)
    return Survey.of(useful, prints) if len(useful) else None


def below(survey: Survey, left: Cells, laid: Sequence[Floats]) -> Copy | None:
    """The card below those `laid` (4, 2) that explains some of what is `left` of a heap, if any."""
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
        # A card rotated slightly under another shows its corners and hardly any print.
        corners = copy.edged >= SHARP and copy.bordered >= SHARP and gain >= CORNERS
        if corners or (gain >= USEFUL and copy.sight >= LEAST and strip):
            found.append((replace(copy, seam=seam(copy.pose, prints.wide, laid)), gain))
    if not found:
        return None
    best = max(copy.worth for copy, _ in found)
    good = [one for one in found if one[0].worth >= best - AS_GOOD]
    return max(good, key=lambda one: one[1])[0]


def copies(cards: Poses, pattern: Pattern, bare: Bare) -> list[Copy]:
    """These cards, with what the picture shows of the `bare` part of each."""
    alike, sight = printed_alike(cards, pattern, bare, DENSE)
    sides = sides_of(cards, bare, CLOSELY)
    shown = zip(cards, sides.shares, alike, sight, sides.bordered, strict=True)
    return [Copy(pose, *(float(share) for share in shares)) for pose, *shares in shown]


def _gains(cards: Sequence[Copy], left: Cells) -> Floats:
    """The share of each card that lies on what is `left` of a heap."""
    return held(_joined(cards), left, DENSE)


def _closer(cards: Sequence[Copy], prints: Prints, bare: Bare) -> list[Copy]:
    """Each card where it shows most: as it is, or at one of the best places nearby.

    Places are compared by their edges and print.
    """
    near = places_near(_joined(cards), prints.near, bare)
    ways = copies(registered(fitted(near, bare), prints.exact, bare), prints.near, bare)
    tried = ([card, *ways[n * BEST : (n + 1) * BEST]] for n, card in enumerate(cards))
    return [max(one, key=lambda copy: copy.worth) for one in tried]


def _joined(cards: Sequence[Copy]) -> Poses:
    """The places of these cards."""
    sizes, at = ([one.pose.sizes for one in cards], [one.pose.at for one in cards])
    return Poses(cards[0].pose.sheet, np.concatenate(sizes), np.concatenate(at))
