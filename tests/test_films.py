"""Real and semi-real films, followed by the whole appliance."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.cards import Card
from tests.films.cutting import filmed_hand, photographed, wanted
from tests.films.following import follow
from tests.films.noise import film, measured
from tests.films.real import read, rests
from tests.films.semireal import SemiReal, made
from tests.films.sources import FILMS, films, folder

semi_real = pytest.mark.skipif(bool(wanted()), reason=wanted() or "all there")
real = pytest.mark.skipif(folder(FILMS) is None, reason=f"films wanted: {FILMS} names no folder")


@real
@pytest.mark.parametrize("name", ["hands_black.avi", "hands_card.mp4"])
def test_hands_that_move_other_cards_are_no_card_and_no_back(name: str) -> None:
    there = folder(FILMS)
    assert there is not None
    assert read(there / name) == []


@real
def test_the_four_cards_of_a_real_film_are_read_right_and_none_is_invented() -> None:
    there = folder(FILMS)
    assert there is not None
    path = there / "sueca.mp4"
    due = rests(path)
    assert list(map(str, due)) == ["AS", "3C", "9S", "6D"]
    assert {one.card for one in read(path)} == due.keys()


@real
def test_the_noise_of_real_films_can_be_measured() -> None:
    found = {path.name: measured(film(path)) for path in films()}
    hands = found["hands_black.avi"]
    assert 0.1 < float(np.median(hands.sigma[64])) < 1.0
    assert float(np.median(hands.gaps)) == pytest.approx(41.7, abs=0.1)
    assert 100 * float((np.array(found["sueca.mp4"].gaps) > 50).mean()) > 30


@semi_real
def test_a_photographed_deck_has_every_card_once() -> None:
    deck = photographed()
    assert len(deck) == 52
    assert list(map(str, deck))[:2] == ["KH", "QH"]
    # The five of hearts is red in its middle, the five of clubs is black.
    middles = [
        deck[Card.parse(card)][160:196, 110:144, :3].mean(axis=(0, 1)) for card in ("5H", "5C")
    ]
    assert middles[0][2] > middles[0][1] + 40
    assert max(middles[1]) - min(middles[1]) < 30


@semi_real
def test_a_hand_cut_by_its_colour_points_up() -> None:
    picture = filmed_hand().picture
    rows = [int((picture[row, :, 3] > 128).sum()) for row in (12, 150, 600)]
    assert 10 < rows[0] < 40 < rows[1]
    assert rows[2] > 100
    luma = cv2.cvtColor(picture[8:80, :, :3], cv2.COLOR_BGR2YCrCb)[picture[8:80, :, 3] > 200]
    assert 140 < float(np.median(luma[:, 1])) < 175


@pytest.fixture(scope="module")
def ziginette(tmp_path_factory: pytest.TempPathFactory) -> SemiReal:
    return made(tmp_path_factory.mktemp("films"), "ziginette", seed=100)


@semi_real
def test_a_semi_real_film_is_followed_whole_the_same_way_twice(ziginette: SemiReal) -> None:
    first, again = follow(ziginette), follow(ziginette)
    assert len(ziginette.rests) >= 7
    assert first.missed == []
    assert first.invented == []
    assert first.record == again.record
    assert [c.time_s for c in first.commits] == [c.time_s for c in again.commits]


@semi_real
def test_a_film_that_is_kept_is_not_made_again(ziginette: SemiReal) -> None:
    written = ziginette.path.stat().st_mtime_ns
    assert made(ziginette.path.parent, "ziginette", seed=100) == ziginette
    assert ziginette.path.stat().st_mtime_ns == written


def test_without_films_and_photographs_it_is_said_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MAZZIERE_PHOTOS", raising=False)
    monkeypatch.delenv("MAZZIERE_FILMS", raising=False)
    assert wanted().startswith("photographs wanted: MAZZIERE_PHOTOS names no folder")
