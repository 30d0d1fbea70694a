"""Overlapping cards of a taught deck: only what shows a border is one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rules.cards import Card, parse_cards
from tests.teaching import taught
from vision.backs.parts import sides
from vision.decide import profiles
from vision.decide.corners import side_lengths
from vision.decide.faces_in_heap import Heap
from vision.decide.overlaps import Explanation, explained, size_of
from vision.decide.overlooked import add_overlooked
from vision.decide.partly import Partly, fitted, seen
from vision.decide.profiles import Profile
from vision.find.outlines import Mask
from vision.picture.geometry import Box, Floats, Frame
from vision.read.face_search import FaceSearch
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface, Weave
from vision.scene.regional import Kind, RegionalDeck
from vision.scene.render import render
from vision.scene.view import View
from vision.sightings import NAMELESS

DECK = RegionalDeck(Kind.CHILDREN, seed=5)
WIDE, HIGH = DECK.size
VIEW = View.above((400, 300), height_mm=800, px_per_mm=1.0)


@pytest.fixture(scope="module")
def profile() -> Profile:
    return taught(DECK, np.random.default_rng(17))


def pictured(*places: tuple[Card, float]) -> Frame:
    """Cards on a plain dark cloth, each with its offset (mm) to the right of the middle."""
    items = [CardItem(DECK, card, Pose(x, 0, 0)) for card, x in places]
    cloth = Surface(Weave.FELT, (70, 50, 60), (56, 40, 48), 1)
    rng, lens = np.random.default_rng(3), Lens(blur_px=1, noise=3)
    return np.asarray(render(items, cloth, VIEW, Light(brightness=0.5), lens, rng=rng), np.uint8)


def lying(x: float) -> Floats:
    """The corners of a card with that offset to the right of the middle."""
    half = np.array([(-WIDE, -HIGH), (WIDE, -HIGH), (WIDE, HIGH), (-WIDE, HIGH)]) / 2
    return np.asarray(half + np.array((200 + x, 150)), np.float32)


def area(*shapes: Floats) -> Mask:
    mask = np.zeros((300, 400), np.uint8)
    for corners in shapes:
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), (255,))
    return mask


@pytest.mark.slow
def test_bare_cloth_next_to_a_card_shows_no_others(profile: Profile) -> None:
    (card,) = parse_cards("2S")
    picture = pictured((card, -100))
    shadow = np.array([(125, 110), (300, 110), (300, 250), (125, 250)], np.float32)
    faces = FaceSearch(profile.both_ways, picture, profile.owners)
    found = explained(area(lying(-100), shadow), (WIDE, HIGH), faces)
    (only,) = found.cards
    assert np.abs(only.corners.mean(axis=0) - (100, 150)).max() < 3
    assert found.left > 3


def test_a_separate_card_is_read_where_a_shadow_joins_it_to_another(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = parse_cards("2S 7H")
    picture = pictured((cards[0], -100), (cards[1], 100))
    joined = area(lying(-100), lying(100), np.array([(90, 140), (310, 140), (310, 160), (90, 160)]))
    one = Explanation(joined, [Partly(lying(-100), np.ones(77, np.bool_), 1.0)], 1.0)
    monkeypatch.setattr(profiles, "explanations", lambda *_: [one])
    found = profile.sightings(picture, Box(0, 0, 400, 300), (WIDE, HIGH))
    assert sorted(str(one.card) for one in found.sightings) == ["2S", "7H"]
    assert not any(one.doubtful for one in found.sightings)


def test_a_card_of_which_bare_paper_shows_is_reported_without_a_name(profile: Profile) -> None:
    under, over = parse_cards("KD 2S")
    picture = pictured((under, -7), (over, 7))
    heap = area(lying(-7), lying(7))
    found = explained(heap, (WIDE, HIGH), FaceSearch(profile.both_ways, picture, profile.owners))
    for card, x in zip(found.cards, (7, -7), strict=True):
        assert np.abs(card.corners - lying(x)).max() < 3
    assert [card.named for card in found.cards] == [True, False]
    both = profile.sightings(picture, Box(0, 0, 400, 300), (WIDE, HIGH)).sightings
    (sure,) = [one for one in both if not one.doubtful]
    (vague,) = [one for one in both if one.doubtful]
    assert sure.card == over
    assert vague.confidence < NAMELESS


def test_one_card_mistaken_for_two_of_its_kind_is_reported_once(profile: Profile) -> None:
    under, over = parse_cards("7H 2S")
    picture = pictured((under, -20), (over, 20))
    faces = FaceSearch(profile.both_ways, picture, profile.owners)
    heap = Heap(area(lying(-20), lying(20)), (WIDE, HIGH), faces)
    twice: list[tuple[Floats, list[Floats]]] = [
        (lying(20), []), (lying(-20), [lying(20)]), (lying(-26), [lying(20)]),
    ]  # fmt: skip
    heap.cards = [seen(faces, corners, covers) for corners, covers in twice]
    heap.part_twins()
    assert len(heap.cards) == 2
    assert np.abs(heap.cards[1].corners - lying(-20)).max() < 4


def test_a_second_card_of_a_kind_that_nothing_else_explains_is_a_question(profile: Profile) -> None:
    (card,) = parse_cards("7H")
    picture = pictured((card, -20), (card, 20))
    faces = FaceSearch(profile.both_ways, picture, profile.owners)
    heap = Heap(area(lying(-20), lying(20)), (WIDE, HIGH), faces)
    heap.cards = [seen(faces, lying(20)), seen(faces, lying(-20), [lying(20)])]
    heap.part_twins()
    assert [one.named for one in heap.cards] == [True, False]


def test_a_card_between_two_others_that_was_overlooked_is_added(profile: Profile) -> None:
    under, between, over = parse_cards("7H JC 2S")
    picture = pictured((under, -35), (between, -12), (over, 10))
    faces = FaceSearch(profile.both_ways, picture, profile.owners)
    heap = Heap(area(lying(-35), lying(-12), lying(10)), (WIDE, HIGH), faces)
    heap.cards = [seen(faces, lying(10)), seen(faces, lying(-35), [lying(10)])]
    before = heap.misfit
    add_overlooked(heap)
    named = [profile.cards[faces.which(one.corners, one.visible)] for one in heap.cards]
    assert named == [over, between, under]
    assert heap.misfit < before / 2


def test_nothing_is_added_to_cards_that_agree(profile: Profile) -> None:
    under, over = parse_cards("7H 2S")
    picture = pictured((under, -20), (over, 20))
    faces = FaceSearch(profile.both_ways, picture, profile.owners)
    heap = Heap(area(lying(-20), lying(20)), (WIDE, HIGH), faces)
    heap.cards = [seen(faces, lying(20)), seen(faces, lying(-20), [lying(20)])]
    add_overlooked(heap)
    assert len(heap.cards) == 2


def test_round_corners_do_not_shorten_the_sides_of_an_area() -> None:
    square, round_ = np.zeros((300, 400), np.uint8), cv2.getStructuringElement(2, (13, 13))
    cv2.rectangle(square, (100, 50), (100 + 99, 50 + 159), (255,), -1)
    rounded = np.asarray(cv2.morphologyEx(square, cv2.MORPH_OPEN, round_), np.uint8)
    lengths = sorted(side_lengths(rounded, 100.0))
    assert lengths == pytest.approx([99, 99, 159, 159], abs=2)


def test_the_outline_of_a_printed_frame_is_enlarged_to_the_card(profile: Profile) -> None:
    (card,) = parse_cards("7H")
    faces = FaceSearch(profile.both_ways, pictured((card, 0)), profile.owners)
    middle = lying(0).mean(axis=0)
    frame = np.asarray(middle + (lying(0) - middle) * 0.85, np.float32)
    short, long = sides(fitted(faces, frame))
    assert short == pytest.approx(WIDE, rel=0.03)
    assert long == pytest.approx(HIGH, rel=0.03)


def test_the_size_of_overlapping_cards_is_told_by_them(profile: Profile) -> None:
    under, over = parse_cards("7H 2S")
    picture = pictured((under, -20), (over, 20))
    faces = FaceSearch(profile.both_ways, picture, profile.owners)
    found = size_of([area(lying(-20), lying(20))], HIGH / WIDE, faces)
    assert found is not None
    assert found[0] == pytest.approx(WIDE, rel=0.03)
