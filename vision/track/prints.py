"""Whether the indices of cards at rest still look as they did, at the camera's own resolution.

On the shrunken picture, a four of spades laid exactly on one of clubs changes less than a hand's
shadow. Its index, as large as the camera shows it, is another print all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK
from vision.picture.geometry import Frame, Outline, corners_apart, holding, overlap
from vision.read.glances import Glance
from vision.sightings import Lying
from vision.track.consensus import NEAR
from vision.track.corners import OWN, indices_of, same_index
from vision.track.in_view import placed
from vision.track.motion import Shown, both
from vision.track.zones import Print, Shot, Site, Zone

SIZE, SLACK = (16, 32), 1
"""Width and height in pixels to which the print of an index is brought, about a webcam's own, and
by how many of them it may have moved. A choice; `python -m tests.soak --pictures` judges it."""
IN_VIEW = 0.2
"""Minimum share of a print that must be in view beside the cards over it to tell that it is the
same. A choice: of a ten of which 0.31 was in view, and which was read as a king with 0.99, that
part had a correlation of 0.999, and of a queen of which 0.21 was, under another one, 0.997;
`python -m tests.soak --pictures` judges it."""
NEARLY = 0.9
"""The same to tell that it is another one. A choice, on the safe side: a cover's outline may be off
by a few pixels."""
MOSTLY = 0.5
"""The same where another face is probably read there. A choice: of the index of an ace that had
been taken 0.67 was free, and showed with a correlation of -0.07 the three below it; `python -m
tests.soak --pictures` judges it."""
EXACTLY = 0.1
"""Distance between the corners of two outlines, in short sides, below which one was read where the
other lay: 6 mm. A choice: outlines jump by as much; `python -m tests.soak --pictures` judges it."""
ALIKE = 0.95
"""Correlation from which two pictures of an index show one print: in a webcam's pictures of one
hand, 157 indices of cards that lay still under passing hands had at least 0.98, and a four of clubs
at most 0.85 after one of spades came onto it. A choice between them; `python -m tests.soak
--pictures` judges it."""
ANOTHER = 0.9
"""Correlation below which the later one shows another print: a seven of clubs that came to light
where one of spades had lain had 0.87. A choice between that and those that lay still."""
SHADED = 0.75
"""Correlation from which the later one shows the print in a shadow that falls across it: beside a
wrist it was 0.90, and under the fingers of that hand at most 0.58. A choice between them."""
BLANK = 0.25
"""Largest contrast that is left where an index was if nothing is printed there any more, as a share
of the contrast that it had. A choice: of an ace that was drawn out from between two others 0.14 was
left, of the paper's grain and the edge of a shadow."""
AS_BRIGHT = 0.8
"""Minimum brightness of what shows there now, as a share of that of the paper around the print, for
it to be paper, too. A choice: a hand that comes near takes a tenth of the light, and skin is darker
than a card."""
PAPER_SHARE = 75
"""Percentile of brightness in a print at which the paper around it is. A choice: its strokes cover
less than half of it."""


def take_prints(zone: Zone, site: Site, shot: Shot, read: float) -> None:
    """Keep how the indices of a spot's cards look, those outside the site as they looked before.

    One that another card covers in part is still the same if what is left in view looks the same,
    though what was read there may now pass for another card's. And if the site was `read` before
    this picture (both times in seconds), in which an index in view looks different, its card may
    just have been taken.
    """
    taken: list[Print] = []
    for card in zone.lying:
        over = [one.outline for one in zone.lying if one.whole and one is not card]
        kept: list[Print] = []
        for one in zone.prints:
            if not one.shows(card) or _again(one, kept):
                continue
            taken_since = read < shot.time and _differs(shot.frame, one, over)
            if taken_since or not _changed(zone, site, shot, one):
                kept.append(replace(one, card=card))
            elif not card.whole and _stays(shot.frame, one, over):
                kept.append(_taken(shot.frame, card, one.outline, over))
        taken += kept
        taken += (
            _taken(shot.frame, card, index, () if card.whole else over)
            for index in _shown(zone, card)
            if not any(same_index(index, one.outline) for one in kept)
        )
    zone.prints = tuple(taken)


def _again(one: Print, kept: Sequence[Print]) -> bool:
    """Whether the index of a print is among those `kept`: two equal cards in exactly one place have
    the prints of both."""
    return any(same_index(one.outline, other.outline) for other in kept)


def _taken(frame: Frame, card: Lying, index: Outline, over: Sequence[Outline]) -> Print:
    """How an index of a card looks beside the cards that are `over` it."""
    bare = _beside(index, over)
    return Print(card, index, _print(frame, index), None if bare.all() else bare)


def _shown(zone: Zone, card: Lying) -> Iterable[Outline]:
    """The outlines of a card's indices at the last look.

    In full view and with no equal card there, it shows those of all its corners, and any of them
    may be left in view when others come over it.
    """
    if zone.glance is None:
        return ()
    alone = all(one is card or one.card != card.card for one in zone.lying)
    return indices_of(zone, card, zone.glance, either_side=card.whole and alone)


def _changed(zone: Zone, site: Site, shot: Shot, one: Print) -> bool:
    """Whether something at the place of a print has changed with a site."""
    part, place = placed(zone, shot.scale, one.outline)
    return bool((site.shown[part] > 0)[place].any())


def reprinted(zone: Zone, shot: Shot) -> Shown | None:
    """Where (255), on the spot's shrunken picture, indices look different; None if none does.

    What is not watched would never be read again.
    """
    shown = np.zeros(zone.mask.shape, np.uint8)
    for one in changed_prints(zone, shot.frame):
        part, place = placed(zone, shot.scale, one.outline)
        shown[part][place] = 255
    shown = both(shown, zone.watched)
    return shown if cv2.countNonZero(shown) else None


def changed_prints(zone: Zone, frame: Frame, card: Lying | None = None) -> Iterator[Print]:
    """The indices (of this `card`) that look different in a `frame`."""
    for one in zone.prints:
        if card in (None, one.card) and not _alike(one.picture, _print(frame, one.outline)):
            yield one


def drawn_out(
    zone: Zone, shot: Shot, card: Lying, others: Sequence[Lying], came: Sequence[Lying]
) -> bool:
    """Whether blank paper of `others` that lay there, and of none that `came`, shows in place of
    each index of a card.

    A card between two others of a meld leaves nothing else behind. On the shrunken picture the thin
    strokes of an ace are hardly more than a shade of the paper.
    """
    mine = [one for one in zone.prints if one.shows(card)]
    below, over = ([np.asarray(one.outline, np.float32) for one in some] for some in (others, came))
    return bool(mine) and all(
        holding(below, middle).any()
        and not holding(over, middle).any()
        and _is_paper(one.picture, _print(shot.frame, one.outline))
        for one in mine
        for middle in [[np.asarray(one.outline, np.float32).mean(axis=0)]]
    )


def _is_paper(before: Frame, now: Frame) -> bool:
    """Whether the paper around a print that was there `before` is all that shows `now`."""
    paper = np.percentile(before, PAPER_SHARE, axis=(0, 1))
    bright = np.median(now, axis=(0, 1)) >= AS_BRIGHT * paper
    return bool(bright.all()) and float(now.std()) <= BLANK * float(before.std())


def as_printed(
    zone: Zone, shot: Shot, seen: Sequence[Lying], glances: Sequence[Glance]
) -> tuple[Lying, ...]:
    """What was `seen` in these glances, with the card that lay exactly there if its print is what
    was read as another.

    In the corner that another card leaves in view, a B may look like an 8; nobody lays a card so
    exactly on another without covering its indices.
    """
    over = [one for one in seen if one.whole]
    return tuple(_printed(zone, shot.frame, one, glances, over) for one in seen)


def _printed(
    zone: Zone, frame: Frame, seen: Lying, glances: Sequence[Glance], over: Sequence[Lying]
) -> Lying:
    """The card that lay exactly there, if what is seen is read by its prints, of which at least one
    has not changed: of two, a shadow may fall on the other.

    A card in full view that two indices tell is what they say: between the jacks of clubs and of
    spades, squared up, neither print changes much. One that a single index tells is the card that
    lay there if none of the prints that it was read by has changed. Of a print partly under a card
    that is `over` it, what is left in view tells.
    """
    olds = [one for one in zone.prints if _misread(one.card, seen)]
    if not olds:
        return seen
    mine = [one for glance in glances for one in indices_of(zone, seen, glance)]
    above = [one for one in over if one is not seen and overlap(one.outline, seen.outline) > 0]
    whole = seen.whole and (not above or any(old.card.whole for old in olds))
    if whole and any(_told_twice(zone, seen, glance) for glance in glances):
        return seen
    # The print of a card below may peep out just beside the index that came over it.
    pairs = [[old for old in olds if same_index(one, old.outline, OWN)] for one in mine]
    read_by = [old for some in pairs for old in some]
    covers = [] if whole else [one.outline for one in above]
    stays = [_stays(frame, old, covers) for old in read_by]
    same = all(stays) if whole else any(stays)
    if not stays or not all(pairs) or not same:
        return seen
    itself = next(old for old, stayed in zip(read_by, stays, strict=True) if stayed)
    return replace(itself.card, whole=whole)


def _told_twice(zone: Zone, seen: Lying, glance: Glance) -> bool:
    """Whether indices in two corners of a card, or more, show its face."""
    telling = list(indices_of(zone, replace(seen, whole=False), glance))
    return any(not same_index(one, telling[0], OWN) for one in telling)


def _misread(old: Lying, seen: Lying) -> bool:
    """Whether another face was read exactly where a card lay that was read with confidence.

    Of one that is half covered the place is worked out from what is left of an index.
    """
    other = BACK not in (old.card, seen.card) and seen.card != old.card
    away = corners_apart(old.outline, seen.outline)
    return other and not old.doubtful and away < (EXACTLY if seen.whole else NEAR)


def _stays(
    frame: Frame, old: Print, covers: Sequence[Outline], *, least: float | None = None
) -> bool:
    """Whether what the `covers` leave in view of a print looks as it did."""
    bare = _bare_still(old, covers)
    if cv2.countNonZero(bare) < IN_VIEW * bare.size:
        return False
    return _alike(old.picture, _print(frame, old.outline), bare, least=least)


def _bare_still(old: Print, covers: Sequence[Outline]) -> Frame:
    """What the `covers` leave in view of a print (255) that was in view when it was taken.

    Of a six that lay half under a two, the rest came to light when the two was drawn away.
    """
    bare = _beside(old.outline, covers)
    return bare if old.bare is None else both(bare, old.bare)


def _beside(index: Outline, covers: Sequence[Outline]) -> Frame:
    """What the `covers` leave in view of an index (255), upright."""
    bare = np.full(SIZE[::-1], 255, np.uint8)
    for cover in covers:
        (there,) = cv2.transform(np.asarray([cover], np.float32), _upright(index))
        corners = [np.round(there).astype(np.int32)]
        # The cover's outline may be off by a pixel, and its edge throws a shadow.
        cv2.fillPoly(bare, corners, (0,))
        cv2.polylines(bare, corners, isClosed=True, color=(0,), thickness=3)
    return bare


def shows_another(
    zone: Zone, shot: Shot, card: Lying, over: Sequence[Lying], *, share: float = NEARLY
) -> bool:
    """Whether another print shows where an index of a card was, of which the cards that are `over`
    it leave at least this `share` in view."""
    covers = [one.outline for one in over]
    mine = (one for one in zone.prints if one.shows(card))
    return any(_differs(shot.frame, one, covers, share) for one in mine)


def _differs(frame: Frame, old: Print, covers: Sequence[Outline], share: float = NEARLY) -> bool:
    """Whether another print shows in place of one of which the `covers` leave this `share` in
    view."""
    bare = _bare_still(old, covers)
    in_view = cv2.countNonZero(bare) >= share * bare.size
    return in_view and not _alike(old.picture, _print(frame, old.outline), bare, least=ANOTHER)


def peeps_out(
    zone: Zone, shot: Shot, card: Lying, over: Sequence[Lying], *, least: float | None = None
) -> bool:
    """Whether an index of a card still looks as it did beside the cards that are `over` it."""
    covers = [one.outline for one in over]
    mine = (one for one in zone.prints if one.shows(card))
    return any(_stays(shot.frame, one, covers, least=least) for one in mine)


def still_printed(zone: Zone, shot: Shot, card: Lying, over: Sequence[Lying]) -> Iterator[Outline]:
    """The indices of a card that look as they did beside the cards that are `over` it."""
    covers = [one.outline for one in over]
    return (
        one.outline for one in zone.prints if one.shows(card) and _stays(shot.frame, one, covers)
    )


def _upright(index: Outline) -> NDArray[np.float64]:
    """The map (2, 3) that brings the part of a picture within an outline upright."""
    width, height = SIZE
    corners = np.array(((0, 0), (width, 0), (width, height)), np.float32)
    straight = cv2.getAffineTransform(np.asarray(index[:3], np.float32), corners)
    return np.asarray(straight, np.float64)


def _print(frame: Frame, index: Outline) -> Frame:
    """The part of a picture within an outline, upright."""
    upright = cv2.warpAffine(frame, _upright(index), SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(upright, (3, 3), 0), np.uint8)


def _alike(
    before: Frame, now: Frame, bare: Frame | None = None, *, least: float | None = None
) -> bool:
    """Whether two pictures of an index show one print, where it is `bare` (255) or everywhere."""
    inner = slice(SLACK, -SLACK), slice(SLACK, -SLACK)
    mask = None if bare is None or bare.all() else bare[inner]
    found = cv2.matchTemplate(now, before[inner], cv2.TM_CCOEFF_NORMED, mask=mask)
    # Where all is plain paper, there is nothing to compare.
    return float(found[np.isfinite(found)].max(initial=0.0)) >= (ALIKE if least is None else least)
