"""Explain a heap of backs from its uppermost card down, by copies of that card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import cv2
import numpy as np

from vision.backs.below import Prints, below, copies, seen_again
from vision.backs.borders import CLOSELY, sides_of
from vision.backs.copies import everywhere, held, symmetry
from vision.backs.explanation import (
    CROSSED,
    EDGED,
    FAINT,
    FEWER,
    LEAST,
    RIVAL,
    SEAM,
    SLIVER,
    SYMMETRIC,
    Copy,
    Stack,
    across,
)
from vision.backs.light import evened
from vision.backs.outlined import outline, outlined
from vision.backs.parts import BACK, Cells, Size, coincide
from vision.backs.poses import Bare, Poses, grown, pose
from vision.backs.seams import crossed, in_view
from vision.backs.sheet import ACROSS, Sheet, beside_others, filled, joined_to, sheet
from vision.backs.survey import Survey
from vision.backs.symmetry import symmetries
from vision.backs.turned import turned
from vision.backs.uppermost import TRIED, settled, uppermost
from vision.find.finder import Areas
from vision.picture.geometry import Floats, Frame

MOST = 12
"""Most cards explaining one heap; a row across a table has ten. A choice;
`python -m tests.face_down` judges it."""
HOPELESS = 2.0
"""Area, in cards, that an explanation may leave of a heap for another uppermost card to be tried,
unless all it has found are certain and it is the first or has found several. A choice: what leaves
more is a thing as large as several cards, like a sheet of paper, of which each try takes seconds;
`python -m tests.face_down` judges it."""
BORDER = 2.0
"""Dots around a card that belong to it, because of its shadow and the error of both. A choice;
`python -m tests.face_down` judges it."""
ONE = (0.9, 1.15)
"""Area, in cards, of a heap that may be one card. A choice; `python -m tests.face_down` judges it.
"""
SAME_SIZE = 0.05
"""Largest relative difference of its size from the deck's. A choice: the rest is perspective and
the error of a size estimated from indices."""
SWOLLEN = 1.5
"""Dots by which a heap is larger than its cards all round, because of its soft border and what juts
out of packets. A choice: of two cards shifted by ten, one card between them leaves a band of four;
`python -m tests.face_down pair` judges it."""
THREAD = 5
"""Width in dots up to which what is left of a heap is a thread along a border, not a card. A
choice; `python -m tests.face_down` judges it."""
ON_HEAP = 0.5
"""Minimum share of the uppermost card that lies on the heap; the rest may lie under faces. A
choice; `python -m tests.face_down` judges it."""
BLURRED = 0.1
"""Area, in cards, by which a heap may exceed its cards because of its soft border. A choice;
`python -m tests.face_down` judges it."""
HOLLOW, UNLIKELY = 0.04, 0.4
"""Minimum share of a supposed card's outline within which ground shows: of those that were found
between an edge of theirs and one of their neighbour's, 0.067 and more; of true ones, none, or 0.8
of a card that looks like its ground. A choice between them; `python -m tests.face_down spaced`
judges it."""
BARE = 0.015
"""The same for a card of a heap not to be certain. A choice: on 40 drawn heaps nothing showed
within those that were counted rightly; within one that explained corners of a trick it was 0.026;
`python -m tests.face_down trick` judges it."""
SAME_PLACE = 0.1
"""Distance between the corners of two outlines of one card, in short sides: 6 mm. A choice: a card
that another one is laid on may be pushed by that much."""
AMID = 3.0
"""Distance in dots between the middle of one of the cards and that of the certain one that others
lie under. A choice: it was 1.5 in a pair whose outline was turned; two that explained a blurred
card of a row and the gaps beside it had 4.5 and 5.7; `python -m tests.face_down pair spaced` judges
it."""


@dataclass(frozen=True, slots=True, eq=False)
class Heaped:
    """The best explanation of a heap.

    `cards` are the corners (4, 2) of its cards in the picture, uppermost first, and `certain`
    whether they are proven. There are none if nothing explains all of the heap, or if its uppermost
    card is the `whole` of it. If some number of cards is proven, but another explains the heap as
    well, `cards` are the most that may lie there, clearest first, and the first `fewest` of them
    are certain. If the supposed uppermost card is `hollow`, as ground shows within its outline, the
    one of `cards`, if any, is what lies there instead.
    """

    cards: tuple[Floats, ...] = ()
    certain: bool = False
    whole: bool = False
    fewest: int = 0
    hollow: bool = False
    uncrossed: bool = False


def stacked(
    frame: Frame,
    areas: Areas,
    seed: Floats,
    size: Size,
    faces: Sequence[Floats],
    *,
    under: bool = False,
    lain: Sequence[Floats] = (),
    own: Cells | None = None,
) -> Heaped:
    """The cards of a heap, which are about `size` pixels.

    The heap stands out from its ground and touches the outline `seed` (4, 2), which is its
    uppermost card if something lies `under` that. What `faces` (4, 2) hide belongs to it if
    necessary. Of two ways to explain it by as many cards, the one with those that have `lain` there
    before (4, 2) is believed if it is nearly as good. Where other areas of backs touch it in the
    picture only, what is nearer to its `own` cells of the maps is explained; nothing, if none do.
    """
    others = None if own is None else (areas.back >= BACK).astype(np.uint8) & (1 - own)
    if others is not None and not others.any():
        return Heaped()
    made, begun, dots = begun_on(frame, areas, seed, size, faces)
    if own is not None and others is not None:
        near = beside_others(made, own, others, areas)
        if near is made.heap:
            return Heaped()
        made.heap = joined_to(near, filled(near.shape, begun))
    if under and HOLLOW <= _ground(made, begun) < UNLIKELY:
        return _moved(made, begun, dots)
    one = None if under else alone(made, begun, dots)
    if (under or one) and (two := _turned(made, begun, dots)):
        return Heaped(two, certain=True)
    if under and _is_all(made, begun, dots):
        return Heaped(whole=True)
    found = [one] if one else list(stacks(made, dots))
    best, certain = best_of(found, [made.on_sheet(one) for one in lain])
    if best is None or (len(best.cards) == 1 and not one):
        return Heaped()
    uncrossed = all(each.uncrossed for each in best.cards[1:])
    # Within a margin, a print may look like its ground.
    margins = uncrossed and len(best.cards) > 1
    hollow = not margins and any(_shows_ground(made, each.corners) for each in best.cards)
    certain &= not hollow
    if under and not any(_is_amid(begun, each.corners) for each in best.cards):
        return Heaped()
    either = () if certain or hollow else contested(found)
    if either:
        most = max(either, key=lambda each: (len(each.cards), each.worth))
        shown = sorted(most.cards, key=lambda card: -card.sight)
        fewest = min(len(each.cards) for each in either)
        return Heaped(tuple(made.in_frame(each.corners) for each in shown), fewest=fewest)
    placed = tuple(made.in_frame(each.corners) for each in best.cards)
    return Heaped(placed, certain, uncrossed=certain and uncrossed)


def _ground(made: Sheet, outline: Floats) -> float:
    """The share of an outline (4, 2), in dots, within which ground shows beside what hides it."""
    inside = filled(made.heap.shape, grown(outline, -BORDER))
    bare = inside & (1 - made.heap) & (1 - made.open_to)
    return np.count_nonzero(bare) / max(int(np.count_nonzero(inside)), 1)


def _shows_ground(made: Sheet, card: Floats) -> bool:
    """Whether ground shows within a card, but for one that looks like its ground."""
    return BARE <= _ground(made, card) < UNLIKELY


def _moved(made: Sheet, outline: Floats, size: Size) -> Heaped:
    """The card that lies where an outline (4, 2) is found to be hollow, if its edges show it.

    It may lie a finger's breadth away, if it is all of a heap.
    """
    card = settled(pose(made, outline, size))
    corners = np.asarray(card.outlines()[0], np.float32)
    edged = float(sides_of(card, Bare.beside(made, ()), CLOSELY).shares[0]) >= EDGED
    if edged and _ground(made, corners) < HOLLOW / 4:
        return Heaped((made.in_frame(corners),), hollow=True)
    best, _ = best_of(list(stacks(made, size)))
    if best is None or not best.single or _shows_ground(made, best.cards[0].corners):
        return Heaped(hollow=True)
    return Heaped((made.in_frame(best.cards[0].corners),), hollow=True)


def _is_amid(outline: Floats, card: Floats) -> bool:
    """Whether two outlines (4, 2) have their middles in one place."""
    return float(np.linalg.norm(outline.mean(axis=0) - card.mean(axis=0))) <= AMID


def two_turned(
    frame: Frame, areas: Areas, seed: Floats, size: Size, faces: Sequence[Floats]
) -> tuple[Floats, ...]:
    """The uppermost card of a heap, with about the outline `seed` (4, 2), and the one that lies
    turned a little under it; none if that does not explain the heap."""
    return _turned(*begun_on(frame, areas, seed, size, faces))


def _turned(made: Sheet, outline: Floats, size: Size) -> tuple[Floats, ...]:
    """The same on a `made` sheet, with that outline on it and a card's size in dots."""
    two = turned(pose(made, outline, size)) or ()
    return tuple(made.in_frame(corners) for corners in two)


def begun_on(
    frame: Frame, areas: Areas, seed: Floats, size: Size, faces: Sequence[Floats]
) -> tuple[Sheet, Floats, Size]:
    """The sheet of the heap that touches the outline `seed` (4, 2), that outline on it, and the
    size of a card there."""
    made = sheet(frame, areas, seed, size, faces)
    begun = made.on_sheet(seed)
    made.heap = joined_to(made.heap, filled(made.heap.shape, begun))
    made = evened(made, ACROSS)
    return made, begun, (float(ACROSS), ACROSS * size[1] / size[0])


def _is_all(heap: Sheet, outline: Floats, size: Size) -> bool:
    """Whether a card with about this `outline` (4, 2) leaves nothing of a heap.

    An outline may be too large, so the card is first fitted to its edges.
    """
    if _share(_left(heap, [outline]), size) >= LEAST:
        return False
    card = settled(pose(heap, outline, size))
    return uncovered(heap, [card.outlines()[0]], card.size) < LEAST


def alone(heap: Sheet, outline: Floats, size: Size) -> Stack | None:
    """The single card that a heap with about this `outline` (4, 2) clearly is, or None.

    This is tried first, as most heaps are single cards whose shadow makes them look larger.
    """
    if not ONE[0] <= _share(heap.heap, size) <= ONE[1]:
        return None
    card, nothing = settled(pose(heap, outline, size)), Bare.beside(heap, ())
    (seen,) = copies(card, Prints(card), nothing)
    left = uncovered(heap, [seen.corners], card.size)
    stack = Stack((replace(seen, printed=1.0),), left, float(symmetries(card)[0]))
    deck = float(np.abs(card.sizes[0] / np.array(size) - 1).max()) <= SAME_SIZE
    return stack if deck and stack.plain else None


def best_of(found: Sequence[Stack], lain: Sequence[Floats] = ()) -> tuple[Stack | None, bool]:
    """The best of the explanations `found` of a heap, and whether it is certain.

    It leaves nothing of the heap. It is certain if every card shows its edges and the uppermost
    one's print, and no other number of cards explains the heap as well. Of several certain ones of
    as many cards, one with a card that has `lain` there (4, 2), in dots, may be a little worse.
    """
    found = [one for one in found if one.left < LEAST]
    certain = [one for one in found if one.certain]
    # Where one card explains all, others would show nowhere but within it.
    certain = [one for one in certain if len(one.cards) == 1] or certain
    best = max(certain, key=lambda one: one.worth, default=None)
    if best is not None and len(best.cards) == 1:
        return best, True
    if best is not None:
        alike = (one for one in certain if len(one.cards) == len(best.cards)
                 and one.worth >= best.worth - RIVAL)  # fmt: skip
        best = max(alike, key=lambda one: (_has_any(one, lain), one.worth))
    if best is not None and not any(one.rivals(best) for one in found):
        return best, True
    return max(found, key=lambda one: one.worth, default=None), False


def _has_any(stack: Stack, lain: Sequence[Floats]) -> bool:
    """Whether a card of an explanation is one that has `lain` there (4, 2)."""
    near = SAME_PLACE * ACROSS
    return any(coincide(one.corners, old, near) for one in stack.cards for old in lain)


def contested(found: Sequence[Stack]) -> tuple[Stack, ...]:
    """Of the explanations `found` of a heap, one that is certain but for others, and those.

    There are none if no number of cards is certain. Each leaves nothing of the heap.
    """
    found = [one for one in found if one.left < LEAST]
    best = max((one for one in found if one.certain), key=lambda one: one.worth, default=None)
    if best is None:
        return ()
    return (best, *(one for one in found if one.certain or one.rivals(best)))


def stacks(heap: Sheet, size: tuple[float, float]) -> Iterator[Stack]:
    """The ways to explain a heap, one for each card that may be its uppermost."""
    fewest = max(2, ceil(_share(heap.heap, size) - BLURRED))
    if fewest > MOST:
        return
    places = everywhere(heap, size)
    if not len(places):
        return
    # If nothing can hide a card, each place lies entirely on the heap.
    gains = held(places, heap.heap) if heap.open_to.any() else np.ones(len(places), np.float32)
    likely = places.chosen(gains >= ON_HEAP)
    shown, waiting, tried = Bare.beside(heap, ()), list(uppermost(likely)), 0
    if not waiting:
        shown, waiting = outline(heap), list(outlined(likely))
    floor = 0.0
    while waiting and tried < TRIED:
        whole = waiting.pop(0)
        tried += 1
        near = Poses.of(heap, whole.size, places.at[gains >= LEAST])
        stack = explained(whole, near, shown, floor)
        doubted = len(stack.cards) > fewest or not stack.certain
        if doubted and any(_crosswise(one.pose, whole) for one in stack.cards):
            # On a print that looks the same crosswise, such a card may explain a strip of another.
            along = explained(whole, near.chosen(~across(near.at, whole)), shown, floor)
            fewer = along.left < LEAST and len(along.cards) < len(stack.cards)
            proven = along.certain and all(one.uncrossed for one in along.cards[1:])
            if (fewer and along.rivals(stack)) or (proven and not stack.certain):
                stack = along
        yield stack
        if stack.certain:
            floor = max(floor, stack.worth - RIVAL)
        # With a uniform print, any card may pass for the uppermost one; more cards then make up for
        # that.
        backs = all(one.certain for one in stack.cards) and (len(stack.cards) > 1 or tried == 1)
        if (stack.left > HOPELESS and not backs) or (stack.plain and len(stack.cards) <= fewest):
            return
        # A lower card may turn out to be the uppermost.
        if len(stack.cards) == 2 and tried == 1:
            waiting.insert(0, settled(stack.cards[1].pose))


def _crosswise(one: Poses, whole: Poses) -> bool:
    """Whether a card lies across another one."""
    return bool(across(one.at, whole)[0])


def explained(top: Poses, places: Poses, shown: Bare, floor: float = 0.0) -> Stack:
    """Explain a sheet's heap below its uppermost card `top`, by copies at some of the `places`.

    The border of `top` must be visible where it is `shown`. The search stops when the explanation
    can be worth no more than `floor`.
    """
    heap, prints = top.sheet, Prints(top)
    laid = [top.outlines()[0]]
    edged = float(sides_of(top, shown, CLOSELY).shares[0])
    both = symmetry(top, prints.near, shown)
    lined = both >= SYMMETRIC and _lined(top, prints)
    cards = [Copy(top, edged, printed=1.0, sight=1.0, bordered=1.0, seam=SEAM if lined else 0.0)]
    survey = None
    while len(cards) < MOST:
        if uncovered(heap, laid, top.size) < LEAST:
            break
        left = _left(heap, laid)
        if _share(left, top.size) < LEAST:
            # What juts out at the corners of a slightly rotated card under it is thin everywhere.
            left = _left(heap, laid, 1)
        if _share(left, top.size) > MOST - len(cards):
            break
        if survey is None:
            survey = Survey.of(places, left, prints.wide)
        else:
            survey.keep(left)
        found = below(survey, prints, left, cards) if survey else None
        if found is None or not found.possible:
            break
        if found.worth + both - 1 - FEWER * (len(cards) + 1) < floor:
            break
        cards.append(found)
        laid.append(found.corners)
        prints = prints.learned(found)
    if prints.rim is not None:
        cards = _bared(heap, cards, prints)
    needed = _needed(heap, cards, prints)
    return Stack(needed, uncovered(heap, [one.corners for one in needed], top.size), both)


def _lined(top: Poses, prints: Prints) -> bool:
    """Whether another card's border runs across the first card, which is not there upside down."""
    if prints.margin is None:
        return crossed(top, prints.wide)
    return prints.margin.across(top, in_view(top, ()), ways=(-1,)) >= CROSSED


def _needed(heap: Sheet, cards: Sequence[Copy], prints: Prints) -> tuple[Copy, ...]:
    """Cards, uppermost first, without those whose part of the heap the others explain as well."""
    kept = list(cards)
    for one in sorted(cards[1:], key=lambda card: card.sight):
        others = [card for card in kept if card is not one]
        if uncovered(heap, [card.corners for card in others], one.pose.size) >= LEAST:
            continue
        fewer = _bared(heap, others, prints)
        least = min(card.worth for card in kept)
        seamless = all(card.seam < FAINT or card.seam <= old.seam
                       for card, old in zip(fewer, others, strict=True))  # fmt: skip
        if one.sight < SLIVER or (seamless and min(c.worth for c in fewer) >= least - FEWER):
            kept = fewer
    return tuple(kept)


def _bared(heap: Sheet, cards: Sequence[Copy], prints: Prints) -> list[Copy]:
    """Cards, uppermost first, with what the picture shows of each beside those over it.

    Of which more is bared is placed anew: a fine print is another one a dot aside.
    """
    shown = [cards[0]]
    for one in cards[1:]:
        shown.append(seen_again(one, prints, heap, [card.corners for card in shown]))
    return shown


def _left(heap: Sheet, laid: Sequence[Floats], thread: int = THREAD) -> Cells:
    """The parts of a sheet's heap left unexplained by cards that are wider than a `thread`."""
    left = heap.heap.copy()
    for corners in laid:
        left &= 1 - filled(left.shape, grown(corners, BORDER))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thread, thread))
    return np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, kernel), np.uint8)


def uncovered(heap: Sheet, laid: Sequence[Floats], size: Size) -> float:
    """The area, in cards, of a sheet's heap left unexplained by cards.

    It may lie beside them, or be a band around them wider than a soft border. What is as narrow as
    a thread between the soft borders of two is the gap between them.
    """
    covered = np.zeros_like(heap.heap)
    for corners in laid:
        covered |= filled(covered.shape, corners)
    gap = THREAD + 2 * int(BORDER)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (gap, gap))
    covered = np.asarray(cv2.morphologyEx(covered, cv2.MORPH_CLOSE, kernel), np.uint8)
    around, _ = cv2.findContours(covered, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    soft = SWOLLEN * sum(cv2.arcLength(one, closed=True) for one in around)
    band = float(np.count_nonzero(heap.heap & (1 - covered))) - soft
    return max(_share(_left(heap, laid), size), band / (size[0] * size[1]))


def _share(cells: Cells, size: Size) -> float:
    """The area of these cells in cards."""
    return float(np.count_nonzero(cells)) / (size[0] * size[1])
