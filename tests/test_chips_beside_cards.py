"""Chips in photographs of cards: neither hides the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.cards import BACK, JOKER, Card
from tests.chip_looks import SETS
from tests.chip_photos import Photo
from tests.knowing import lying, sighted
from tests.real_chips import LAYOUTS, learn, read_photo_of, taught_photo
from vision.chips.beside_cards import no_chips, unread
from vision.chips.reader import ChipReader
from vision.chips.seen import SeenChips
from vision.reader import CardReader
from vision.sightings import Reading, Sighting


def read_by(
    name: str, layout: str, number: int, seed: int
) -> tuple[Photo, Reading, tuple[SeenChips, ...]]:
    """A drawn photograph of cards and of chips of a set that was taught from another one, and what
    is read of both."""
    eyes, rng = CardReader(), np.random.default_rng(seed)
    photo = taught_photo(SETS[name], rng, tilt=12 * rng.random(), hard=0.3)
    chips = learn(SETS[name], photo.picture, eyes.read(photo.picture))
    rng = np.random.default_rng([seed, number, LAYOUTS.index(layout)])
    shown = read_photo_of(SETS[name], layout, rng, tilt=12 * rng.random(), hard=0.7)
    reading = eyes.read(shown.picture)
    return shown, reading, ChipReader(chips).beside(shown.picture, reading)


@pytest.mark.parametrize(("name", "number"), [("sticker", 2), ("metal", 2), ("stripes", 1)])
def test_one_chip_among_cards_is_found(name: str, number: int) -> None:
    """Courts and pips have rings of their own, which told a light in which no chip was known; two
    chips on a pale cloth were doubted to be jokers."""
    shown, reading, seen = read_by(name, "apart", number, 7302)
    assert sorted(one.value for one in seen) == sorted(one.value for one in shown.shown)
    left = no_chips(reading.sightings, seen)
    assert all(one.candidates[0][0] != JOKER for one in left)


def test_chips_tell_their_scale_where_cards_tell_another() -> None:
    """Cards half under others, in two slanted photographs, made stacks appear a fifth too large."""
    shown, _, seen = read_by("metal", "stacks", 0, 7301)
    assert sorted(one.value for one in seen) == sorted(one.value for one in shown.shown)


def test_a_chip_is_known_though_the_camera_brightens_what_is_dark() -> None:
    """Of a photograph with another curve than the one taught from, a plain red chip in full view
    was not found. The sliver of the white one under it was found twice."""
    shown, _, seen = read_by("plain", "spread", 1, 7700)
    assert sorted(one.value for one in seen) == sorted(one.value for one in shown.shown)


def test_a_chip_that_was_taught_too_small_is_no_stack() -> None:
    """It lay farther from the camera than the others did, in a photograph at a slant."""
    _, _, seen = read_by("near", "apart", 0, 7301)
    assert [one.count for one in seen] == [1] * 7


def test_a_ring_within_a_chip_does_not_hide_its_rim_when_a_set_is_taught() -> None:
    """On cloth of a similar shade the ring is plainer than the rim."""
    rng = np.random.default_rng(7441)
    photo = taught_photo(SETS["near"], rng, tilt=20 * rng.random(), hard=0.3)
    chips = learn(SETS["near"], photo.picture, CardReader().read(photo.picture))
    across = chips.sizes.mean(axis=1)
    assert len(across) == len(SETS["near"])
    assert across.max() < 1.05 * across.min()


@pytest.mark.parametrize(("name", "seed", "number"), [("sticker", 7401, 0), ("near", 7305, 1)])
def test_the_shadow_of_a_stack_is_no_dark_chip_under_it(name: str, seed: int, number: int) -> None:
    shown, _, seen = read_by(name, "stacks", number, seed)
    assert sorted(one.value for one in seen) == sorted(one.value for one in shown.shown)
    assert all(1 <= one.least <= one.most < 20 for one in seen)


def doubted(card: Card, *, whole: bool = False) -> Sighting:
    """A card in the middle of a picture that may be another one."""
    seen = sighted(lying("7D", 300, 200))
    return replace(seen, card=card, confidence=0.7, candidates=((card, 0.7),), whole=whole)


def test_only_what_may_be_a_chip_is_no_card_to_look_beside() -> None:
    joker, whole, seven = doubted(JOKER), doubted(JOKER, whole=True), doubted(Card.parse("7D"))
    moved = tuple((x + 200, y) for x, y in seven.outline)
    sightings = (joker, replace(seven, outline=moved))
    assert unread(Reading(sightings)) == (moved,)
    assert unread(Reading((whole, replace(joker, card=BACK, candidates=((BACK, 0.99),))))) == (
        whole.outline,
        joker.outline,
    )


@pytest.mark.parametrize(("away", "asked"), [(0.0, False), (45.0, True)])
def test_a_joker_of_which_no_more_than_a_chip_is_seen_is_not_asked_about(
    away: float, *, asked: bool
) -> None:
    turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    joker = doubted(JOKER)
    ring = np.stack([np.cos(turns), np.sin(turns)], axis=1) * 20 + joker.centre + (away, 0)
    chip = SeenChips("5", 1, 1, 1, 0.99, ring.astype(np.float32))
    assert bool(no_chips((joker,), [chip])) is asked
    assert no_chips((doubted(Card.parse("7D")),), [chip]), "a seven is more than a round print"
