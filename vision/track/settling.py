"""Settle the parts of spots that changed: what several readings agree on is what lies there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from rules.cards import BACK, Deck
from vision.picture.geometry import Box, Outline, gathered
from vision.sightings import Lying, Sighting
from vision.track.consensus import HEAPED, NEAR, Vote, apart, vote
from vision.track.corners import indices_of
from vision.track.in_view import placed
from vision.track.lasting import Outcome, outcome
from vision.track.likeness import seen_again
from vision.track.motion import Shown, both, either, inverse, widened
from vision.track.prints import take_prints
from vision.track.surveying import AGREED_S, FEW_TRIES, TRIES, Surveyor
from vision.track.texture import take_texture
from vision.track.zones import Bared, Look, Shot, Site, Zone, mark

BIDE_S = 1.5
"""Time in seconds for which a card that is touched, or gone while something moves, delays what came
to rest elsewhere in its spot: it may be on its way there. A card is slid in under a second. A
choice; `python -m tests.dealt_table` judges it."""

PEEPS = 0.9
"""Distance between two cards, in short sides, below which the upper one covers print of the lower.
A choice; `python -m tests.soak --pictures` judges it."""


class Settler:
    """Settles the sites of spots whose readings, made by a `surveyor`, agree.

    The `deck` in play only helps to rank what the picture leaves in doubt.
    """

    def __init__(self, surveyor: Surveyor, deck: Deck | None) -> None:
        self._surveyor = surveyor
        self._deck = deck

    def settle(self, zone: Zone, shot: Shot, sites: Sequence[Site], still: Sequence[Site]) -> None:
        """Settle those of a spot's sites whose readings agree."""
        left, before, seen, between = list(sites), zone.lying, zone.looks[-1:], False
        zone.covered = False
        leaving: list[tuple[Site, Vote, Look]] = []
        for site in still:
            looks = self._surveyor.looks(zone, site, shot.of(zone))
            result = self._agreed(zone, site, looks, shot.scale)
            if result is None:
                continue
            zone.relight(shot.small)
            came = outcome(zone, site, result, shot, looks[-1].glances)
            if came.covered:
                zone.covered = True
            elif came.gone:
                leaving.append((site, result, looks[-1]))
                _note_bared(zone, site, came)
            elif between := _was_bared(zone, site, came):
                break  # the rest is told with the next frame
            else:
                left.remove(site)
                zone.lying = _placed(zone, came.lying, shot)
                self._keep(zone, site, looks[-1], shot, left)
        if not between:
            self._take_away(zone, leaving, shot, left)
        if zone.lying is not before:
            self._surveyor.disown(zone)
            read_where_gone(zone, before, seen, shot)
        _noted(zone, left, before, shot)
        zone.held &= not between

    def _take_away(
        self,
        zone: Zone,
        leaving: Sequence[tuple[Site, Vote, Look]],
        shot: Shot,
        left: list[Site],
    ) -> None:
        """Settle the sites from which cards are `leaving`, unless something still moves near by.

        A card that has gone may come to rest there.
        """
        others = [one for one in left if not any(one is site for site, _, _ in leaving)]
        for site, result, look in leaving:
            if others and shot.time - site.since < BIDE_S:
                continue
            came = outcome(zone, site, result, shot, look.glances)
            if came.covered:  # judged again, as another site may just have settled
                continue
            left.remove(site)
            zone.lying = _placed(zone, came.lying, shot)
            self._keep(zone, site, look, shot, left)

    def _agreed(self, zone: Zone, site: Site, looks: Sequence[Look], scale: float) -> Vote | None:
        """What a site's readings agree on, once there are enough."""
        frames = self._surveyor.frames
        if len(looks) < frames:
            return None
        near = widened(site.shown, 3)
        readings = [
            [
                seen
                for seen in _concerned(zone, look, near, scale)
                if self._surveyor.is_of(zone, seen, look.glances)
            ]
            for look in looks
        ]
        result = vote(readings, self._deck)
        clear = result.clear or (result.same and _is_known(zone, result))
        apart = looks[-1].time - looks[0].time >= AGREED_S or len(looks) >= 2 * frames
        backs = bool(result.lying) and all(one.card == BACK for one in result.lying)
        few = backs or only_peeps(result)
        tried = len(looks) >= (FEW_TRIES if few else TRIES) * frames
        return result if (clear and apart) or tried else None

    def _keep(
        self,
        zone: Zone,
        site: Site,
        look: Look,
        shot: Shot,
        left: Sequence[Site],
    ) -> None:
        """Mark a site as read, and learn how the table looks where no card lies."""
        part, covered = placed(zone, shot.scale, *(card.outline for card in zone.lying))
        cards = np.zeros(zone.mask.shape, np.uint8)
        cards[part] = covered.astype(np.uint8) * np.uint8(255)
        shown = cards.copy()
        for glance in look.glances:
            mark(shown, glance.areas, zone.part, shot.scale)
        # Outlines are accurate to a pixel or two of the shrunken picture.
        bare = widened(shown, 5) == 0
        # What moved at the beginning was not waited for: it is read as soon as it is still.
        passed = not zone.settled and cv2.countNonZero(both(zone.watched, inverse(site.shown))) > 0
        where = site.apart_from(left) if left or passed else None
        zone.memory.settle(shot.of(zone), bare, where)
        if zone.changed is not None:
            zone.changed = both(zone.changed, inverse(site.shown if where is None else where))
        self.remember(zone, site, look, shot.scale, whole=not left)
        if where is None and zone.settled:
            zone.note_beside()
        take_prints(zone, site, shot, look.time)
        take_texture(zone, site, shot)
        zone.watched = either(zone.mask, cards)
        zone.settled = True
        zone.done(site)
        if not left and not passed:
            zone.rest()

    def remember(self, zone: Zone, site: Site, look: Look, scale: float, *, whole: bool) -> None:
        """Keep what the networks saw of a site; elsewhere, a look may be older than the rest."""
        # Without a known scale, a small part may be read at the wrong one.
        if not self._surveyor.reader.index_height or not look.glances:
            zone.glance = None
        elif zone.glance is None:
            zone.glance = look.glances[0] if whole else None
            zone.stale = None
        else:
            boxes = self._surveyor.changed_boxes(zone, site.shown, scale)
            boxes = gathered([*boxes, *look.beyond])
            zone.glance = zone.glance.renewed([(box, look.glances[0]) for box in boxes])
            zone.renewed_in(boxes, scale)


def read_where_gone(zone: Zone, before: Sequence[Lying], looks: Sequence[Look], shot: Shot) -> None:
    """Let no index of a card that has gone be left of what the networks saw at a spot.

    It has so few dark dots that the shrunken picture may not show that it is there no more: an ace
    that was drawn out of a meld was read again once the next one had gone, too. Where the latest of
    the `looks` saw it as well, the place is read anew from the next frame on.
    """
    gone = [old for old in before if not any(seen_again(old, one) for one in zone.lying)]
    for old in (replace(one, whole=False) for one in gone):  # its own indices alone
        if zone.glance is None or zone.polygon is None:
            return
        boxes = [Box.around(index) for index in indices_of(zone, old, zone.glance)]
        seen = [glance for look in looks[-1:] for glance in look.glances[:1]]
        if boxes and seen:
            zone.glance = zone.glance.renewed([(box, seen[0]) for box in boxes])
        for index in indices_of(zone, old, zone.glance):
            part, place = placed(zone, shot.scale, index)
            shown = np.zeros(zone.mask.shape, np.uint8)
            shown[part][place] = 255
            zone.memory.forget(both(shown, zone.watched))
            zone.quiet = False


def _placed(zone: Zone, lying: tuple[Lying, ...], shot: Shot) -> tuple[Lying, ...]:
    """What is `lying` at a spot, with new cards' places measured if the camera is steady."""
    if shot.sways:
        return lying
    return zone.whereabouts.measured(lying, zone.lying, shot.frame)


def _note_bared(zone: Zone, site: Site, came: Outcome) -> None:
    """Note what is left where cards have gone from a site, if nothing came instead of them."""
    if all(any(seen_again(old, one) for old in zone.lying) for one in came.lying):
        zone.bared = Bared(site, zone.lying, came.lying)


def _was_bared(zone: Zone, site: Site, came: Outcome) -> bool:
    """Whether a site was seen without cards that now seem to lie under what came; then they left.

    What was left between the two is what lies there until the next frame: where a discard had been
    drawn, the next one was laid on its very place within a second, and might have covered it.
    """
    bared = zone.bared
    if bared is None or not bared.site.meets(site.shown):
        return False
    zone.bared = None
    if bared.before is not zone.lying:
        return False
    gone = [old for old in bared.before if not any(seen_again(old, one) for one in bared.lying)]
    back = any(old.card == one.card for old in gone for one in came.lying)
    fresh = any(all(not seen_again(old, one) for old in bared.lying) for one in came.lying)
    if back or not gone or not fresh:
        return False
    zone.lying = bared.lying
    return True


def _noted(zone: Zone, left: Sequence[Site], before: tuple[Lying, ...], shot: Shot) -> None:
    """Record what other spots' cards and people learn while something here has not settled."""
    if not left:
        return
    zone.news |= zone.lying != before
    young = [site for site in left if shot.time - site.since < BIDE_S]
    zone.held = any(
        is_coming(zone, site, shot.scale)
        or any(_touches(zone, old.outline, site.shown, shot.scale) for old in zone.lying)
        for site in young
    )


def is_coming(zone: Zone, site: Site, scale: float) -> bool:
    """Whether the latest look shows a card at a site that does not lie there yet.

    Of three hole cards that were laid back at once, two settled a picture before the third, which
    was taken for discarded.
    """
    return any(
        _touches(zone, seen.outline, site.shown, scale)
        and not any(seen_again(old, seen) for old in zone.lying)
        for look in zone.looks[-1:]
        for seen in look.sightings
    )


def _is_known(zone: Zone, result: Vote) -> bool:
    """Whether all that is read with doubt seems to be what lies there.

    Further readings would not change that: a card was put on a pile's ace before nine of them had
    said that it was probably the ace, and that one had been drawn from it was never seen.
    """
    lay = [old for old in zone.lying if not old.doubtful]
    return all(
        any(old.card == one.candidates[0][0] and apart(old, one) < NEAR for old in lay)
        for one in result.lying
        if one.doubtful
    )


def only_peeps(result: Vote) -> bool:
    """Whether all that is doubted, or only seen now and then, peeps out from under cards in full
    view, as in a pile."""
    sure = [one for one in result.lying if not one.doubtful and one not in result.flickering]
    over = [one for one in sure if one.whole]
    doubted = [one for one in result.lying if one.doubtful]
    doubted += (one for one in result.flickering if one not in doubted)
    return bool(doubted) and all(
        not low.whole and any(apart(low, one) < PEEPS for one in over) for low in doubted
    )


def _concerned(zone: Zone, look: Look, near: Shown, scale: float) -> list[Sighting]:
    """What a look shows where something changed, with the backs that lie over or under these.

    How many cards a heap of backs shows is told of all of it: of three backs, a hand had left the
    lowest one in view, and when it was gone that one was read as the middle one.
    """
    touched = [one for one in look.sightings if _touches(zone, one.outline, near, scale)]
    heap = [one for one in touched if one.card == BACK]
    others = [one for one in look.sightings if one.card == BACK and one not in touched]
    for back in heap:
        found = [one for one in others if apart(back, one) < HEAPED]
        others = [one for one in others if one not in found]
        heap += found
    return [one for one in look.sightings if one in touched or one in heap]


def _touches(zone: Zone, outline: Outline, shown: Shown, scale: float) -> bool:
    """Whether a card covers anything marked in the zone's part of the picture."""
    part, place = placed(zone, scale, outline)
    return bool((shown[part] > 0)[place].any())
