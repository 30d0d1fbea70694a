"""A card on the border of two spots belongs to one of them, whichever it is read at."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.knowing import KnowingReader, lying
from tests.lasting import lower_right_index, upper_left_index
from vision import Box
from vision.picture.geometry import Outline, Polygon
from vision.sightings import Lying, Sighting
from vision.track.light import Noise
from vision.track.settling import is_coming
from vision.track.surveying import Surveyor
from vision.track.zones import Look, Site, Zone

SPOTS = {"upper": Polygon.rectangle(0, 0, 960, 270), "lower": Polygon.rectangle(0, 270, 960, 270)}


def seen(card: Lying, outline: Outline | None = None) -> Sighting:
    """A sighting of a card, by default where it lies."""
    corners = outline or card.outline
    middle = tuple(float(one) for one in np.asarray(corners).mean(axis=0))
    return Sighting(
        card.card, 1.0, ((card.card, 1.0),), corners, (middle[0], middle[1]), 0.0, whole=False
    )


def surveyor(*below: Lying) -> tuple[Surveyor, Zone, Zone]:
    """One for both spots, and these; some cards lie at the lower one."""
    everything, mask = (slice(0, 180), slice(0, 320)), np.full((180, 320), 255, np.uint8)
    upper, lower = (
        Zone(name, polygon, Box(0, 0, 960, 540), everything, mask, mask)
        for name, polygon in SPOTS.items()
    )
    lower.lying = below
    one = Surveyor(KnowingReader(), SPOTS, Noise(), 3, discs=lambda frame, box: None)
    one.zones = upper, lower
    return one, upper, lower


@pytest.mark.parametrize(("known", "spot"), [(False, "upper"), (True, "lower")])
def test_a_card_read_across_the_border_stays_where_it_is_known_to_lie(
    known: bool, spot: str
) -> None:
    king, again = lying("KC", 300, 272), seen(lying("KC", 300, 268))
    both, upper, lower = surveyor(*[king] * known)
    assert [zone.name for zone in (upper, lower) if both.is_of(zone, again)] == [spot]


@pytest.mark.parametrize(
    ("whole", "known", "more"), [(True, 1, False), (False, 1, False), (False, -1, True)]
)
def test_a_card_read_by_two_corners_of_one_across_the_border_is_not_on_their_other_side(
    whole: bool, known: int, more: bool
) -> None:
    """Of a deck with four indices a card, two corners side by side may be either side's.

    A six on a pile showed its right corners beside others, and was read in the meld next to them.
    """
    king = replace(lying("KC", 300, 318), whole=whole)
    both, upper, lower = surveyor(king)
    lower.glance = (upper_left_index if known > 0 else lower_right_index)(king)
    (x, y), *_ = king.outline
    flipped = ((x, y - 136 + 34), (x + 96, y - 136 + 34), (x + 96, y + 34), (x, y + 34))
    there = upper_left_index(king)
    turned = replace(there, indices=replace(there.indices, ups=np.array([(0, 1)], np.float32)))
    assert both.is_of(upper, seen(king, flipped), (turned,)) is more


FLIPPED = ((252, 148), (348, 148), (348, 284), (252, 284))
"""The outline of a card on the other side of the upper corners of one at (300, 318)."""


@pytest.mark.parametrize(("whole", "more"), [(True, False), (False, True)])
def test_a_card_read_by_corners_of_one_just_laid_across_the_border_is_not_there(
    whole: bool, more: bool
) -> None:
    """A six laid into a meld covered a part of the pile beside it, and was read on both."""
    king = replace(seen(lying("KC", 300, 318)), whole=whole)
    both, upper, lower = surveyor()
    there = upper_left_index(lying("KC", 300, 318))
    read = np.zeros((180, 320), np.uint8)
    lower.looks = [Look(read, 1.0, read, (king,), (there,))]
    turned = replace(there, indices=replace(there.indices, ups=np.array([(0, 1)], np.float32)))
    assert both.is_of(upper, seen(lying("KC", 300, 216), FLIPPED), (turned,)) is more


@pytest.mark.parametrize(("whole", "left"), [(True, 0), (False, 1)])
def test_what_was_read_by_corners_of_a_card_across_the_border_goes_once_that_has_settled(
    whole: bool, left: int
) -> None:
    king = replace(lying("KC", 300, 318), whole=whole)
    both, upper, lower = surveyor(king)
    there = upper_left_index(king)
    upper.lying = (replace(lying("KC", 300, 216), outline=FLIPPED, whole=False),)
    turned = replace(there, indices=replace(there.indices, ups=np.array([(0, 1)], np.float32)))
    upper.glance, lower.glance = turned, there
    both.disown(lower)
    assert len(upper.lying) == left


@pytest.mark.parametrize(
    ("known", "at", "coming"), [(False, 90, True), (True, 90, False), (False, 10, False)]
)
def test_a_card_that_the_latest_look_shows_at_a_site_is_coming_until_it_lies_there(
    known: bool, at: int, coming: bool
) -> None:
    """Of three hole cards laid back at once, the third was taken for discarded."""
    third = lying("??", 300, 400)
    _, _, lower = surveyor(*[third] * known)
    read = np.zeros((180, 320), np.uint8)
    lower.looks = [Look(read, 1.0, read, (seen(third),), ())]
    shown = read.copy()
    shown[120:140, at : at + 20] = 255
    assert is_coming(lower, Site.of(shown), 1 / 3) is coming


def test_another_card_across_the_border_is_one_more() -> None:
    king = replace(lying("KC", 300, 318), whole=True)
    both, upper, lower = surveyor(king)
    lower.glance = upper_left_index(king)
    other = lying("KC", 300, 190)
    assert both.is_of(upper, seen(other), (upper_left_index(other),))
