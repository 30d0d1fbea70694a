"""What the print of an index that is partly under another card tells of its card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.cards import Card
from tests.knowing import lying
from tests.lasting import lies, shown_by, unsettled, upper_left_index
from vision import Box
from vision.join.proportions import EDGE_ACROSS
from vision.picture.geometry import Frame, Polygon
from vision.sightings import Lying
from vision.track import under_others
from vision.track.as_before import as_before
from vision.track.consensus import Vote
from vision.track.in_view import Patch
from vision.track.lasting import outcome
from vision.track.light import Noise
from vision.track.prints import take_prints
from vision.track.settling import read_where_gone
from vision.track.zones import Look, Shot, Site, Zone


def printed(card: Lying) -> tuple[Zone, Frame]:
    """A spot at which a card lies whose print is kept, and the picture of noise that shows it."""
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    zone = Zone("side", None, Box(0, 0, 960, 540), everything, mask, mask)
    zone.lying, zone.glance = (card,), upper_left_index(card)
    frame = np.random.default_rng(1).integers(0, 255, (540, 960, 3)).astype(np.uint8)
    take_prints(zone, Site.of(mask.copy()), Shot(frame, frame[::3, ::3], 1 / 3, 1.0), 1.0)
    return zone, frame


@pytest.mark.parametrize("same", [True, False])
def test_the_print_of_a_half_covered_index_is_kept_while_the_rest_looks_the_same(
    same: bool,
) -> None:
    """Half the heart of a four looked like a diamond once a seven lay over the other half."""
    four = replace(lying("4H", 300), whole=False)
    zone, frame = printed(four)
    aside = float(upper_left_index(four).indices.centres[0, 0]) + 50
    seven = replace(lying("7C", aside), whole=True)
    now = frame.copy() if same else np.ascontiguousarray(frame[::-1])
    (left, top), (right, bottom) = (np.round(seven.outline[n]).astype(int) for n in (0, 2))
    now[top:bottom, left:right] = 240
    zone.lying, zone.glance = (four, seven), upper_left_index(replace(four, card=Card.parse("4D")))
    shown = np.full((180, 320), 255, np.uint8)
    take_prints(zone, Site.of(shown), Shot(now, now[::3, ::3], 1 / 3, 1.1), 1.1)
    assert any(one.shows(four) for one in zone.prints) is same


@pytest.mark.parametrize(("read", "anew"), [(1.1, False), (1.3, True)])
def test_a_card_taken_since_it_was_read_keeps_its_print(read: float, anew: bool) -> None:
    """A two was drawn within a fifth of a second, and the three below it was kept as its print."""
    two = replace(lying("2D", 300), whole=True)
    zone, frame = printed(two)
    (before,) = [one for one in zone.prints if one.shows(two)][:1]
    now = np.ascontiguousarray(frame[::-1])
    shown = np.full((180, 320), 255, np.uint8)
    take_prints(zone, Site.of(shown), Shot(now, now[::3, ::3], 1 / 3, 1.3), read)
    (after,) = [one for one in zone.prints if one.shows(two)][:1]
    same = bool((after.picture == before.picture).all())
    assert same is not anew


@pytest.mark.parametrize(("read_too", "there"), [(False, True), (True, False)])
def test_a_card_whose_index_a_new_one_touches_is_still_there_unless_it_is_read_anew(
    read_too: bool, there: bool
) -> None:
    """On a pile beside a meld, a six under a new card was read as one that lies in the meld."""
    six = replace(lying("6C", 300), whole=False)
    zone, frame = printed(six)
    aside = float(upper_left_index(six).indices.centres[0, 0]) + 53
    ten = replace(lying("TD", aside), whole=True)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.1)
    changed = np.zeros((180, 320), np.bool_)
    (left, top), (right, bottom) = (np.round(np.divide(ten.outline[n], 3)).astype(int)
                                    for n in (0, 2))  # fmt: skip
    changed[top:bottom, left:right] = True
    here, seen = Patch(zone, shot, changed, zone.lying), [ten, *[six] * read_too]
    assert under_others.half_covered(here, six, seen, [], [ten]) is there


@pytest.mark.parametrize(
    ("down", "whole", "more"), [(19.0, True, 1), (19.0, False, 0), (0.0, True, 0)]
)
def test_an_equal_card_whose_edge_runs_over_the_index_of_one_is_another_if_it_is_in_full_view(
    down: float, whole: bool, more: int
) -> None:
    """Only a jack's upper right corner peeped out on a pile when the other jack came onto it."""
    jack = replace(lying("JC", 300), whole=False)
    zone, frame = printed(jack)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.1)
    here = Patch(zone, shot, np.zeros((180, 320), np.bool_), zone.lying)
    seen = replace(lying("JC", 285, jack.centre[1] + down), whole=whole)
    assert len(under_others.besides(here, [jack], [seen])) == more


@pytest.mark.parametrize("under_too", [True, False])
def test_an_equal_card_half_over_one_in_full_view_does_not_move_there(under_too: bool) -> None:
    """Of two jacks of diamonds in a meld, the second was told to lie where the first one does."""
    jack = replace(lying("JD", 300), whole=True)
    zone, frame = printed(jack)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.1)
    here = Patch(zone, shot, np.zeros((180, 320), np.bool_), zone.lying)
    second = replace(lying("JD", 298, jack.centre[1] + 24), whole=True, confidence=0.97)
    under = replace(lying("JD", 301, jack.centre[1] + 2), whole=False, confidence=0.97)
    *_, told = as_before(here, [under, second] if under_too else [second], [jack], [], [])
    assert (told.centre == second.centre) is under_too


@pytest.mark.parametrize("latest", [True, False])
def test_of_two_equal_cards_the_one_is_left_that_was_read_there_latest(latest: bool) -> None:
    """Of a five on a pile one index peeped out, by which it was read a fifth of a card away from
    where it lay: nearer to the equal one that had come over it, and was taken."""
    under = replace(lying("5C", 300), whole=False)
    zone, frame = printed(under)
    shot = Shot(frame, frame[::3, ::3], 1 / 3, 1.1)
    here = Patch(zone, shot, np.ones((180, 320), np.bool_), zone.lying)
    seen = replace(lying("5C", 312), whole=False, confidence=0.97)
    under = replace(under, latest=(seen.centre[0] + 1, seen.centre[1]) if latest else None)
    over = replace(lying("5C", 320), whole=True)
    (told,) = as_before(here, [seen], [under, over], [], [])
    assert (told.outline == under.outline) is latest
    assert told.outline != over.outline


def test_where_a_card_was_read_latest_is_known_of_one_that_stays() -> None:
    """Its outline stays as it was read when more of it was in view."""
    under = replace(lying("5C", 300), whole=False)
    seen = replace(lying("5C", 306), whole=False)
    (told,) = lies([under], [seen], (slice(110, 113), slice(84, 88)))
    assert told.outline == under.outline
    assert told.latest == seen.centre


@pytest.mark.parametrize(
    ("gone", "again", "anew"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_where_a_card_that_has_gone_was_read_is_read_anew(
    *, gone: bool, again: bool, anew: bool
) -> None:
    """An ace was drawn out of a meld, and the thin index that it took along showed no change."""
    ace, other = replace(lying("AS", 300), whole=False), lying("AH", 350)
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    border = Polygon(((0, 0), (960, 0), (960, 540), (0, 540)))
    zone = Zone("side", border, Box(0, 0, 960, 540), everything, mask, mask)
    zone.glance, zone.lying = upper_left_index(ace), (other,) if gone else (ace, other)
    small = np.full((180, 320, 3), 90, np.uint8)
    zone.memory.settle(small, np.zeros((180, 320), np.bool_))
    shot = Shot(np.full((540, 960, 3), 90, np.uint8), small, 1 / 3, 1.0)
    read = upper_left_index(ace) if again else shown_by(1.0)
    read_where_gone(zone, (ace, other), [Look(small, 1.0, mask, (), (read,))], shot)
    changed = zone.memory.changed(small, Noise().limit(12, 3))
    (x, y) = upper_left_index(ace).indices.centres[0] / 3
    assert bool(changed[round(float(y)), round(float(x))]) is anew
    assert np.count_nonzero(changed) < 400
    assert len(zone.glance.indices.centres) == (again or not gone)


def test_a_card_whose_index_still_peeps_out_is_not_waited_for() -> None:
    """Beside an ace that came onto another, the index of a jack was in view as before.

    The pile was not reported before the next card lay on it.
    """
    jack, ace = replace(lying("JH", 300), whole=False), replace(lying("AD", 314), whole=True)
    zone, frame = printed(jack)
    (left, top), (right, bottom) = (np.round(ace.outline[n]).astype(int) for n in (0, 2))
    now, mask = frame.copy(), np.full((180, 320), 255, np.uint8)
    frame[top:bottom, left + 1 : right] = now[top:bottom, left:right] = 240
    zone.prints = ()
    take_prints(zone, Site.of(mask), Shot(frame, frame[::3, ::3], 1 / 3, 1.0), 1.0)
    zone.lying = jack, ace
    shown = np.zeros((180, 320), np.uint8)
    shown[67:82, 84:93] = 255
    seen, shot = Vote((ace,), clear=True), Shot(now, now[::3, ::3], 1 / 3, 1.0)
    found = outcome(zone, Site.of(shown), seen, shot, [upper_left_index(ace)])
    assert not found.covered
    assert {str(one.card) for one in found.lying} == {"JH", "AD"}


@pytest.mark.parametrize(("faces", "others"), [(0.1, 0), (0.9, 1)], ids=["a hand", "paper"])
def test_an_index_beside_a_hand_is_that_of_the_card_under_it(faces: float, others: int) -> None:
    """Of a deck with indices in all corners, one was put on the wrong side of an equal card."""
    queen = replace(lying("QC", 300), whole=False)
    zone, _, shot = unsettled("meld", [queen], (slice(60, 120), slice(80, 120)))
    there = upper_left_index(queen)
    (x, _), now = there.indices.centres[0], replace(there, areas=shown_by(faces).areas)
    seen = replace(lying("QC", float(x) + EDGE_ACROSS * 26 - 48), whole=False)
    changed = np.zeros((180, 320), np.bool_)
    changed[75:110, 90:115] = True
    here = Patch(zone, shot, changed, zone.lying)
    assert len(as_before(here, [seen], [], [queen], [now])) == others


@pytest.mark.parametrize(("down", "whole"), [(20, False), (-65, True)])
def test_a_card_that_lies_still_is_in_full_view_unless_another_lies_over_an_end_of_it(
    down: int, whole: bool
) -> None:
    """A deuce on a pile counted as in full view although later cards had covered it long since."""
    under = replace(lying("2D", 300), whole=True)
    over = replace(lying("5D", 340, 270 + down), whole=True)
    found = lies([under], [over], (slice(140, 144), slice(120, 124)))
    assert {str(one.card): one.whole for one in found} == {"2D": whole, "5D": True}


@pytest.mark.parametrize(("down", "gone"), [(-16, True), (-50, False)])
def test_a_card_is_gone_if_both_ends_of_the_next_lie_open_where_it_covered_one(
    down: int, gone: bool
) -> None:
    """An ace was taken off a pile: of the three under it hardly more than an end came to light."""
    three, ace = lying("3S", 300), replace(lying("AH", 349, 270 + down), whole=True)
    three = replace(three, whole=False)
    zone, site, shot = unsettled("side", [three, ace], (slice(55, 112), slice(100, 133)))
    zone.glance = upper_left_index(ace)
    read = Vote((replace(three, whole=True),), clear=True)
    told = outcome(zone, site, read, shot, [shown_by(0.9)])
    assert told.gone is gone
    assert [str(one.card) for one in told.lying] == (["3S"] if gone else [])
