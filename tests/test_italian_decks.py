"""Decks with coins, cups, swords and clubs: known without teaching, and read where they overlap."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from pathlib import Path
from statistics import fmean
from typing import ClassVar

import numpy as np
import pytest

from firmware.commands.parser import DRAWN_DECKS
from firmware.settings.settings import Settings
from firmware.table.known_decks import known_deck, texts_of
from rules.cards import BACK, Card, parse_cards
from tests.draws import mostly_nightly
from tests.italian_decks import LAID, art, trials
from vision.decide.patterns import PATTERNS, pattern
from vision.decide.profiles import Known, Profile, chances
from vision.errors import ProfileError
from vision.find.outlines import outlines
from vision.measure import Score, scored
from vision.picture.geometry import Box, Floats, Frame
from vision.read.face_search import Size, softened
from vision.read.fingerprint import (
    CELLS,
    BothWays,
    Cells,
    bells,
    fingerprint,
    in_sight,
    straight,
)
from vision.reader import CardReader
from vision.scene.items import CardItem, Pose
from vision.scene.light import Lens, Light, Surface
from vision.scene.portraits import portraits
from vision.scene.regional import Kind, RegionalDeck, forty
from vision.scene.render import render
from vision.scene.view import View
from vision.sightings import INDEX_MM, Sighting

SCALE = 1.5
DRAWN = RegionalDeck(Kind.ITALIAN, seed=4)
RECALL = {"apart": 0.9, "pairs": 0.7, "rows": 0.0}
"""Minimum share of cards to be read, by arrangement: none in long rows, but never wrongly."""
ORDINARY = (("bergamasque", "apart"),)
"""What is read in the ordinary run: two decks in one arrangement each; everything at night."""
HALF = np.array([number % 7 < 3 for number in range(CELLS)])
"""The left half of a card."""


@pytest.fixture(scope="module")
def profile() -> Profile:
    shown = [look for card in forty() for look in portraits(DRAWN, card, 2.0)]
    return Profile.taught("drawn", shown, size_mm=DRAWN.size)


def read(
    profile: Profile, laid: dict[str, Pose], *, scaled: bool = True, deck: RegionalDeck = DRAWN
) -> Score:
    """How drawn cards in these places are read by a camera, with or without known scale."""
    view = View.above((960, 540), height_mm=800, px_per_mm=SCALE)
    items = [CardItem(deck, Card.parse(name), pose) for name, pose in laid.items()]
    picture = render(items, Surface(), view, Light(), Lens(), rng=np.random.default_rng(1))
    reader = CardReader(known=profile, index_height=INDEX_MM * SCALE if scaled else None)
    cards = parse_cards(" ".join(laid))
    return scored(cards, reader.read(np.asarray(picture, np.uint8)))


@pytest.mark.parametrize("scaled", mostly_nightly([True, False], False))
@pytest.mark.parametrize(
    "laid",
    [
        pytest.param({"KS": Pose(0, 0, 0), "5D": Pose(25, 2, -2)}, marks=pytest.mark.slow),
        {"KH": Pose(0, 0, 8), "JC": Pose(20, -14, 12)},
        {"2C": Pose(0, 0, 0), "KD": Pose(30, 1, 2), "4S": Pose(58, -1, -3)},
        {"AD": Pose(-150, 0, 0), "QH": Pose(60, 0, 90), "3S": Pose(60, 28, 93)},
    ],
    ids=["side by side", "askew", "three", "crosswise"],
)
def test_overlapping_cards_are_all_read(
    profile: Profile, laid: dict[str, Pose], scaled: bool
) -> None:
    score = read(profile, laid, scaled=scaled)
    assert (score.missed, score.wrong) == (0, 0)
    assert score.right >= 2  # less than half of a third one may be visible


@pytest.mark.parametrize("scaled", mostly_nightly([True, False], True))
@pytest.mark.parametrize(
    "laid",
    [
        {"4C": Pose(0, 0, 2), "QS": Pose(20, -4, 4), "7C": Pose(40, -7, 1)},
        {"KS": Pose(0, 0, 15), "JC": Pose(20, -6, 4), "6S": Pose(40, 3, 17)},
        {"AH": Pose(0, 0, 8), "7D": Pose(30, -3, 2), "AD": Pose(60, -5, 5)},
    ],
    ids=["a strip between two", "another turn between two", "signs in rows"],
)
def test_a_strip_between_two_cards_is_a_card_and_signs_in_rows_are_not_another(
    profile: Profile, laid: dict[str, Pose], scaled: bool
) -> None:
    score = read(profile, laid, scaled=scaled)
    assert (score.right + score.asked, score.missed, score.wrong, score.vain) == (3, 0, 0, 0)


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_each_pattern_is_drawn_in_its_size_with_forty_cards_that_differ(name: str) -> None:
    deck = RegionalDeck(Kind(name))
    assert deck.size == PATTERNS[name].size_mm
    assert name in DRAWN_DECKS
    alike = prints_of(deck) @ prints_of(deck).T - 2 * np.eye(40)
    assert float(alike.max()) < 0.985


@pytest.mark.slow
def test_no_pattern_is_drawn_as_another() -> None:
    decks = [prints_of(RegionalDeck(Kind(name))) for name in sorted(PATTERNS)]
    for one, other in combinations(decks, 2):
        # Coins and cups look alike in all of them, as printed ones do.
        assert np.count_nonzero((one * other).sum(axis=1) < 0.85) >= 10


def prints_of(deck: RegionalDeck) -> Floats:
    """The fingerprint (40, D) of each card."""
    looks = (next(portraits(deck, card, 2.0)) for card in forty())
    return np.stack([fingerprint(straight(frame, corners)) for _, frame, corners in looks])


def test_a_drawn_pattern_is_read_in_pairs() -> None:
    deck = RegionalDeck(Kind.BRESCIAN)
    shown = [look for card in forty() for look in portraits(deck, card, 2.0)]
    known = Profile.taught("drawn", shown, size_mm=deck.size)
    score = read(known, {"5D": Pose(0, 0, 4), "KC": Pose(24, 3, 0)}, deck=deck)
    assert (score.right, score.wrong, score.missed) == (2, 0, 0)


def test_cells_are_softened_wherever_they_lie_as_on_a_straightened_face() -> None:
    maps = np.random.default_rng(3).random((2, 120, 104)).astype(np.float32)
    down, across = (
        bells(np.arange(3.5, side, 4, dtype=np.float32), side) for side in maps.shape[1:]
    )
    inner = np.s_[:, 3:-3, 3:-3]
    assert np.allclose(softened(maps)[inner], (down @ maps @ across.T)[inner], atol=1e-3)


def test_a_card_has_the_same_fingerprint_upside_down() -> None:
    face = straight(*next(portraits(DRAWN, Card.parse("KD"), 2.0))[1:])
    turned = np.ascontiguousarray(face[::-1, ::-1])
    both = BothWays.of(fingerprint(face)[None])
    assert both.agreements(fingerprint(turned)[None], None)[1, 0] == pytest.approx(1, abs=1e-4)


def test_a_seven_whose_seventh_sign_is_covered_is_a_question(profile: Profile) -> None:
    score = read(profile, {"7H": Pose(0, 0, 8), "JC": Pose(20, -14, 12)})
    assert (score.right, score.asked, score.wrong) == (1, 1, 0)


def test_what_is_covered_does_not_count() -> None:
    card = np.array([(0, 0), (50, 0), (50, 80), (0, 80)], np.float32)
    visible = in_sight(card, [np.asarray(card + np.array((20, 0)), np.float32)])
    columns = visible.reshape(11, 7).all(axis=0)
    assert columns.tolist() == [True, True, False, False, False, False, False]


def test_a_small_lead_means_less_if_little_of_a_card_is_visible() -> None:
    pair = Card.parse("6D"), Card.parse("7D")
    alike: Floats = np.array([[1, 0.96], [0.96, 1]], np.float32)
    agreed: Floats = np.array([0.97, 0.94], np.float32)

    def sure(visible: Cells | None) -> float:
        return chances(pair, agreed, alike, visible=visible)[0][1]

    assert sure(None) > sure(HALF)


@pytest.mark.parametrize("seed", mostly_nightly([4, 9], 9))
def test_an_unset_latin_deck_is_recognised_as_one_and_never_read_as_another(
    seed: int,
) -> None:
    deck = RegionalDeck(Kind.ITALIAN, seed=seed)
    cards = parse_cards("4D 7D 6H 5C QS KH 3D 7C")
    view = View.above((960, 540), height_mm=800, px_per_mm=SCALE)
    places = [Pose((n % 4 - 1.5) * 120, (n // 4 - 0.5) * 150, 3.0 * n) for n in range(len(cards))]
    items = [CardItem(deck, card, pose) for card, pose in zip(cards, places, strict=True)]
    picture = render(items, Surface(), view, Light(), Lens(), rng=np.random.default_rng(1))
    for height in (INDEX_MM * SCALE, None):
        reading = CardReader(index_height=height).read(np.asarray(picture, np.uint8))
        assert set(reading.cards) <= {BACK}
        assert reading.trouble == ("foreign",)


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_the_regional_decks_are_known_by_their_names_in_both_languages(name: str) -> None:
    for called in (name, *PATTERNS[name].also):
        known = known_deck(called)
        assert isinstance(known, Profile)
        assert set(known.cards) == set(forty())


def test_an_unknown_deck_is_refused_with_a_list_of_the_known_ones() -> None:
    with pytest.raises(ProfileError, match="neapolitan, piacentine, bergamasque, brescian"):
        known_deck("martian")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "knight of cups"), ("it", "cavallo di coppe")]
)
def test_its_cards_are_called_as_the_deck_calls_them(language: str, said: str) -> None:
    texts = texts_of(Settings(language=language, deck="napoletane"))
    assert texts.card(Card.parse("QH")) == said
    assert pattern("napoletane") is PATTERNS["neapolitan"]


class Undecided:
    """A deck in which everything looks like several cards at once."""

    name, size_mm = "undecided", DRAWN.size
    cards = forty()
    names: ClassVar[Mapping[Card, str]] = {}

    def sightings(self, frame: Frame, box: Box, size: Size | None = None) -> Known:
        """All outlines, each as likely one card as another."""
        del size
        some = tuple((card, 0.25) for card in parse_cards("QH QS 5S AS"))
        found = [tuple((float(x + box.x), float(y + box.y)) for x, y in one)
                 for one in outlines(np.ascontiguousarray(box.cut(frame)))]  # fmt: skip
        middles = [(fmean(x for x, _ in one), fmean(y for _, y in one)) for one in found]
        pairs = zip(found, middles, strict=True)
        return Known([Sighting(*some[0], some, one, at, 0.0) for one, at in pairs], [])


@pytest.mark.parametrize("shown", [BACK, Card.parse("7D")])
def test_what_may_be_any_of_several_cards_may_be_a_back(shown: Card) -> None:
    _, frame, _ = next(portraits(DRAWN, shown, 3.0))
    (seen,) = CardReader(known=Undecided(), index_height=INDEX_MM * 3.0).read(frame).sightings
    assert (seen.card == BACK) == (shown == BACK)
    assert seen.doubtful == (shown != BACK)


@pytest.mark.skipif(art() is None, reason="MAZZIERE_ART names no pictures of regional decks")
@pytest.mark.parametrize(
    ("name", "laid"), mostly_nightly(product(sorted(PATTERNS), LAID), *ORDINARY)
)
def test_other_makers_cards_are_never_read_wrongly(name: str, laid: str) -> None:
    score = next(trials(PATTERNS[name], art() or Path(), laid, range(1)))
    assert score.wrong == 0
    assert score.recall >= RECALL[laid]
