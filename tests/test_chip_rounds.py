"""What is plainly round is left to the chips: cards beside it, and under it, are read as before."""

from __future__ import annotations

from functools import cache
from math import hypot

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import Card, Deck
from tests.chip_scenes import Put, Scene, drawn
from tests.chips import camera_of, taught
from vision.backs.parts import Back
from vision.backs.remainder import without
from vision.chips.chip_set import ChipSet
from vision.chips.reader import ChipReader
from vision.find.discs import Discs
from vision.find.finder import Areas, Finder, Indices
from vision.find.ground import places
from vision.network import WEIGHTS, Network
from vision.picture.geometry import Box, Floats, Frame
from vision.picture.pyramid import Pyramid
from vision.read.index_classifier import IndexClassifier
from vision.reader import CardReader
from vision.scene.chip_sets import DEVELOPMENT
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Item, Pose

INDEX_PX = 30.0
STYLES = DEVELOPMENT["clay"]
GRID = [(-420.0 + 60 * column, -200.0 + 60 * row) for column in range(8) for row in range(6)]


class Counting:
    """The finder's network, counting the pixels that it is given."""

    def __init__(self) -> None:
        self.pixels = 0
        self._network = Network(WEIGHTS / "finder.onnx", ("maps",), threads=1)

    def __call__(self, pictures: NDArray[np.uint8]) -> tuple[Floats, ...]:
        self.pixels += pictures[0, ..., 0].size
        return self._network(pictures)


@cache
def clay() -> ChipSet:
    return taught("clay", STYLES)


def cards(*poses: Pose) -> list[Item]:
    deck, faces = DrawnDeck(DeckStyle()), Deck.standard().cards
    return [CardItem(deck, faces[5 * number], pose) for number, pose in enumerate(poses)]


def scene_with(items: list[Item], *, seed: int = 6) -> Scene:
    puts = [Put(STYLES[n % len(STYLES)], x, y) for n, (x, y) in enumerate(GRID)]
    return drawn(puts, np.random.default_rng(seed), cards=0, extra=items)


def read(scene: Scene, discs: Discs | None) -> tuple[list[Card], int]:
    """The cards of a scene in order, and how many pixels were searched for them."""
    counting = Counting()
    eyes = CardReader(index_height=INDEX_PX, finder=Finder(counting))
    seen = eyes.read(scene.picture, discs=discs)
    return sorted(seen.cards, key=str), counting.pixels


def discs_of(scene: Scene) -> Discs:
    rounds = ChipReader(clay(), camera=camera_of(scene)).rounds(scene.picture)
    assert rounds is not None
    return rounds.discs


def test_beside_chips_the_cards_are_read_as_before_on_less_of_the_table() -> None:
    scene = scene_with(cards(Pose(330, -120), Pose(430, 40, 20)))
    alone, whole = read(scene, None)
    beside, less = read(scene, discs_of(scene))
    assert beside == alone
    assert len(alone) == 2
    assert less < whole / 3


def test_a_card_among_chips_is_searched_for_all_the_same() -> None:
    scene = scene_with(cards(Pose(-150, 10, 30)))
    alone, _ = read(scene, None)
    assert alone, "the card is read at all"
    assert read(scene, discs_of(scene))[0] == alone


def test_discs_are_where_the_chips_are() -> None:
    scene = scene_with([])
    discs = discs_of(scene).places
    for pile in scene.piles:
        away = [hypot(x - pile.x, y - pile.y) for x, y, _ in discs.tolist()]
        radius = float(discs[int(np.argmin(away)), 2])
        assert min(away) < 0.2 * pile.radius
        assert 1.1 * pile.radius < radius < 1.5 * pile.radius


def test_discs_are_known_before_the_cards_only_by_a_camera_whose_scale_is_known() -> None:
    bare = np.zeros((200, 300, 3), np.uint8)
    assert ChipReader(clay()).rounds(bare) is None
    assert ChipReader(clay(), px_per_mm=1.7).rounds(bare) is not None


@pytest.mark.parametrize("apart", [0, 60])
def test_an_index_outside_a_disc_is_searched_for_even_if_nothing_else_shows(apart: int) -> None:
    # The print of a white card on a white table, beside a dark chip.
    picture = np.full((640, 960, 3), 235, np.uint8)
    cv2.circle(picture, (400, 300), 40, (30, 30, 30), -1)
    left = 400 + 62 + apart
    cv2.rectangle(picture, (left, 290), (left + 14, 314), (20, 20, 20), -1)
    whole = Box(0, 0, 960, 640)
    (place,) = places(Pyramid(picture), whole, 1.0, np.array([(400, 300, 52)], np.float32))
    assert place.holds(np.array([(left, 290.0), (left + 14.0, 314.0)])).all()
    assert not place.holds(np.array([(370.0, 300.0)])).any()


class Guessing(IndexClassifier):
    """A classifier of indices that is as sure of each as it is told."""

    def __init__(self, sure: float) -> None:
        super().__init__(
            Network(WEIGHTS / "reader.onnx", ("rank", "suit", "letters"), threads=1), None
        )
        self._sure = sure

    def look(
        self, frame: Frame, indices: Indices
    ) -> tuple[NDArray[np.uint8], Floats, NDArray[np.bool_]]:
        patches, faces, strange = super().look(frame, indices)
        return patches, np.asarray(faces * np.float32(self._sure), np.float32), strange


@pytest.mark.parametrize(("sure", "count"), [(1.0, 2), (0.6, 0)])
def test_what_reads_as_an_index_in_the_middle_of_a_disc_counts_if_it_is_clear(
    sure: float, count: int
) -> None:
    """A one on a chip was taken for a doubtful seven beside the card that was bet on."""
    scene = drawn([], np.random.default_rng(2), cards=0, extra=cards(Pose(0.0, 0.0)))
    eyes = CardReader(index_height=INDEX_PX, indices=Guessing(sure))
    (seen,) = eyes.read(scene.picture).sightings
    glance = eyes.survey(scene.picture).glances[0]
    places = np.column_stack([glance.indices.centres, np.full(len(glance.indices), 30)])
    discs = Discs(places.astype(np.float32))
    box = Box.around(seen.outline, margin=20)
    again = eyes.again(scene.picture, glance, [box], discs=discs)
    assert len(again.glances[0].indices) == count


def test_the_print_of_courts_is_no_disc() -> None:
    """Beside plaques a king was asked about: circles in its print had as many edges as a chip."""
    courts = [card for card in Deck.standard().cards if str(card)[0] in "JQK"]
    for seed in (6, 12):
        laid = [
            CardItem(
                DrawnDeck(DeckStyle()), card, Pose(-400.0 + 150 * (n % 6), -120.0 + 240 * (n // 6))
            )
            for n, card in enumerate(courts)
        ]
        scene = drawn([], np.random.default_rng(seed), cards=0, extra=laid)
        assert not len(discs_of(scene).places)


def test_a_doubtful_back_that_is_nothing_but_a_plaque_is_none() -> None:
    """Six plaques on a card were taken for backs of a third of a card's size, and asked about."""
    back = np.zeros((40, 60), np.float32)
    back[10:20, 10:25] = 0.8
    areas = Areas(np.zeros_like(back), back, Box(0, 0, 240, 160), 0.25)
    around = np.array([[36, 36], [106, 36], [106, 86], [36, 86]], np.float32)
    plaque = np.array([[39, 39], [101, 39], [101, 81], [39, 81]], np.float32)
    doubted, sure = Back(around, 0.67), Back(around, 0.9)
    assert without([doubted, sure], areas, []) == [doubted, sure]
    assert without([doubted, sure], areas, [plaque]) == [sure]
    assert without([doubted], areas, [plaque - np.array([0, 20], np.float32)]) == [doubted]
