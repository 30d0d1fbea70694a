"""Find the next card in a heap, below those already known, as a copy of the uppermost one.

At thousands of places the picture is compared with the uppermost card's print and searched for
edges; the likeliest places are fitted to their edges, and the best of these are registered by their
print.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vision.backs.borders import CLOSELY, sides_of
from vision.backs.copies import DENSE, Pattern, held, light_on, printed_alike
from vision.backs.dark_rims import DarkRim, dark_rim
from vision.backs.explanation import IN_FULL, LEAST, OUTER, RIMMED, SHARP, SLIVER, Copy
from vision.backs.fitting import fitted
from vision.backs.margins import Margin
from vision.backs.parts import Cells
from vision.backs.poses import Bare, Poses, distinct, joined
from vision.backs.registration import BEST, Print, places_near, registered
from vision.backs.rims import rimmed
from vision.backs.seams import in_view, seam
from vision.backs.sheet import Sheet
from vision.backs.steps import continued
from vision.backs.survey import NEXT, USEFUL, Survey
from vision.picture.geometry import Floats

CHOSEN = 5
"""Number of the likeliest places for each further card that are examined closely. A choice: see
`survey.NEXT`; `python -m tests.face_down fan` judges it."""
MARGIN_MORE, RIM_MORE, RIM_SHOWN = (72, 6), (120, 8), 0.2
"""Number of places where a margin or a dark rim tells cards apart and none of the likeliest is
certain, and how many of those are examined closely; the weight of the share of a card's border that
shows it. A choice: on dots that run to the edge, the right one of seven cards was not among the 24
that show most print and edges; `python -m tests.hidden_hands` judges it."""
REACHED = (2.0, 2.0)
"""Distance in dots and degrees within which two of those places are one: half as far as a card is
moved when it is examined closely (`registration.AROUND`). A choice; `python -m tests.hidden_hands`
judges it."""
CORNERS = 0.015
"""Minimum share explained by a card of which only the corners show. A choice; rotated by ten
degrees they are at least 0.02; `python -m tests.face_down pair` judges it."""
GAIN, AS_GOOD = 0.1, 0.045
"""Weight of the share of a card that explains the heap, relative to its edges and print, and how
much less two cards may show for the one that explains more to come first. A choice;
`python -m tests.face_down fan` judges it."""

RELIT = 0.015
"""Smallest difference in light for which a card is looked at again. A choice: two or three levels,
a third of what prints may differ by."""

BARED = 0.05
"""Share of a card that must have come into view for it to be placed anew. A choice: at least a few
lines of print."""


@dataclass(frozen=True, eq=False)
class Prints:
    """What the uppermost card `top` shows, by which the others are found.

    A `rim` that another card of the heap showed may tell them apart, if its own does not.
    """

    top: Poses
    rim: DarkRim | None = None

    @cached_property
    def near(self) -> Pattern:
        """Its print, blurred over a dot."""
        return Pattern.of(self.top)

    @cached_property
    def wide(self) -> Pattern:
        """Its print, blurred over two dots."""
        return Pattern.of(self.top, 2)

    @cached_property
    def exact(self) -> Print:
        """Its print as it is."""
        return Print.of(self.top)

    @cached_property
    def margin(self) -> Margin | None:
        """The margin around its print, or its dark rim, if it stands out from that."""
        return Margin.of(self.top, self.exact) or dark_rim(self.top, self.exact) or self.rim

    def learned(self, card: Copy) -> Prints:
        """The same, with the rim of another card that nothing lies over, if none is known yet."""
        if self.margin is not None or card.sight < IN_FULL:
            return self
        rim = dark_rim(card.pose, Print.of(card.pose))
        return self if rim is None else Prints(self.top, rim)

    def rimmed(self, cards: Poses, bare: Bare, light: float = 1.0) -> Floats:
        """The share (N,) of the `bare` borders of cards between others along which the print's own
        rim shows, in a light relative to the uppermost one's."""
        if self.margin is not None:
            return self.margin.shares(cards, bare)
        return rimmed(cards, self.near if light == 1.0 else self.near.lit(light), bare)

    def compared(self, card: Copy, bare: Bare, light: float = 1.0) -> Copy:
        """A card with what lines across what is `bare` of it show, in such a light."""
        pattern = self.wide if light == 1.0 else self.wide.lit(light)
        crossing = None if self.margin is None else self.margin.across(card.pose, bare, light)
        return replace(card, seam=seam(card.pose, pattern, bare), crossing=crossing)


def below(survey: Survey, prints: Prints, left: Cells, cards: Sequence[Copy]) -> Copy | None:
    """The card below those `cards` that explains some of what is `left` of a heap, if any."""
    laid, whole = [card.corners for card in cards], cards[0].pose
    bare = Bare.beside(survey.sheet, laid)
    evenly = _evenly(cards, prints, bare, left)
    found: list[tuple[Copy, float]] = []
    for ranked in _ranked(survey, prints, bare, left):
        some = [*evenly, *ranked]
        found += _useful(_closer(some, prints, bare), prints, bare, left, laid) if some else []
        if any(copy.certain and not copy.loosely_across(whole) for copy, _ in found):
            break
        evenly = []
    if not found:
        return None
    best = max(copy.worth for copy, _ in found)
    good = [one for one in found if one[0].worth >= best - AS_GOOD]
    return max(good, key=lambda one: one[1])[0]


def _evenly(cards: Sequence[Copy], prints: Prints, bare: Bare, left: Cells) -> list[Copy]:
    """Where a card that continues the last two would lie, if it explains some of what is `left`."""
    steps = continued([card.pose for card in cards])
    if steps is None:
        return []
    useful = held(steps, left, DENSE) >= USEFUL
    return copies(steps.chosen(useful), prints, bare) if useful.any() else []


def _ranked(survey: Survey, prints: Prints, bare: Bare, left: Cells) -> Iterator[list[Copy]]:
    """The likeliest places of another card, to be examined closely.

    Where a fine print repeats itself, the right place may be among the less likely ones. If a
    margin or a rim tells it from those, they follow.
    """
    ways = [(NEXT, 0.0, CHOSEN)]
    if prints.margin is not None:
        more, chosen = RIM_MORE if isinstance(prints.margin, DarkRim) else MARGIN_MORE
        ways.append((more, RIM_SHOWN, chosen))
    for most, rim, chosen in ways:
        likely = survey.likely(bare, left, most)
        if not len(likely):
            return
        near = fitted(likely, bare)
        first = copies(near, prints, bare)
        worth = np.array([copy.worth + rim * copy.rimmed for copy in first], np.float32)
        best = distinct(near, worth + GAIN * _gains(first, left), chosen, REACHED)
        yield [first[n] for n in best]


def _useful(
    cards: Sequence[Copy], prints: Prints, bare: Bare, left: Cells, laid: Sequence[Floats]
) -> list[tuple[Copy, float]]:
    """Those of the cards that explain some of what is `left` of a heap, and how much."""
    found = []
    for copy, gain in zip(cards, _gains(cards, left), strict=True):
        strip = copy.sight >= SLIVER or copy.bordered >= OUTER
        # A card rotated slightly under another shows its corners and hardly any print.
        corners = copy.edged >= SHARP and copy.bordered >= SHARP and gain >= CORNERS
        if copy.rimmed < RIMMED:
            continue
        if corners or (gain >= USEFUL and copy.sight >= LEAST and strip):
            found.append((_lit(copy, prints, bare, laid), gain))
    return found


def _lit(card: Copy, prints: Prints, bare: Bare, laid: Sequence[Floats]) -> Copy:
    """A card with its seam, in the light in which it shows more: the uppermost one's, or its own.

    A lamp's light falls off over the length of a heap by more than prints may differ.
    """
    lines = in_view(card.pose, laid)
    usual = prints.compared(card, lines)
    light = light_on(card.pose, prints.near, bare)
    if abs(light - 1) < RELIT:
        return usual
    printed, _ = printed_alike(card.pose, prints.near.lit(light), bare, DENSE)
    rims = prints.rimmed(card.pose, bare, light)
    own = replace(card, printed=float(printed[0]), rimmed=float(rims[0]))
    own = prints.compared(own, lines, light)
    return max(usual, own, key=lambda copy: copy.worth)


def seen_again(card: Copy, prints: Prints, heap: Sheet, laid: Sequence[Floats]) -> Copy:
    """A card with what the picture shows of it beside those `laid` (4, 2) over it.

    If more of it is in view than before, it is placed anew.
    """
    bare = Bare.beside(heap, laid)
    (seen,) = copies(card.pose, prints, bare)
    if seen.sight > card.sight + BARED:
        (seen,) = _closer([seen], prints, bare)
    return _lit(seen, prints, bare, laid)


def copies(cards: Poses, prints: Prints, bare: Bare) -> list[Copy]:
    """These cards, with what the picture shows of the `bare` part of each."""
    alike, sight = printed_alike(cards, prints.near, bare, DENSE)
    sides = sides_of(cards, bare, CLOSELY)
    rims = prints.rimmed(cards, bare)
    shown = np.stack([sides.shares, alike, sight, sides.bordered, np.zeros(len(cards)), rims], 1)
    return [Copy(pose, *shares) for pose, shares in zip(cards, shown.tolist(), strict=True)]


def _gains(cards: Sequence[Copy], left: Cells) -> Floats:
    """The share of each card that lies on what is `left` of a heap."""
    return held(joined([one.pose for one in cards]), left, DENSE)


def _closer(cards: Sequence[Copy], prints: Prints, bare: Bare) -> list[Copy]:
    """Each card where it shows most: as it is, or at one of the best places nearby.

    Places are compared by their edges and print.
    """
    near = places_near(joined([one.pose for one in cards]), prints.near, bare)
    ways = copies(registered(fitted(near, bare), prints.exact, bare), prints, bare)
    tried = ([card, *ways[n * BEST : (n + 1) * BEST]] for n, card in enumerate(cards))
    # A fine print fits at many places, and its card's border at one.
    return [max(one, key=lambda copy: (copy.rimmed >= RIMMED, copy.worth)) for one in tried]
