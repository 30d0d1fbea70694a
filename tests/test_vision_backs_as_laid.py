"""Face-down cards on drawn tables, as people lay them and as the finder maps them."""

from __future__ import annotations

import pytest

from firmware.rehearsal.setting import setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import Card
from tests.draws import mostly_nightly
from tests.face_down import table, told, told_again
from vision.picture.geometry import Box
from vision.reader import CardReader
from vision.scene.items import Pose


@pytest.mark.parametrize(
    ("way", "seed"),
    [
        ("pair", 20023),
        pytest.param("pair", 50030, marks=pytest.mark.slow),
        pytest.param("pair", 50052, marks=pytest.mark.slow),
        pytest.param("pair", 60008, marks=pytest.mark.slow),
        pytest.param("pair", 60017, marks=pytest.mark.slow),
        pytest.param("pair", 60037, marks=pytest.mark.slow),
        pytest.param("pair", 60049, marks=pytest.mark.slow),
        pytest.param("pair", 91016, marks=pytest.mark.slow),
        pytest.param("pair", 91022, marks=pytest.mark.slow),
        ("pair", 91037),
        pytest.param("pair", 60016, marks=pytest.mark.slow),
        pytest.param("pair", 60044, marks=pytest.mark.slow),
        ("trick", 20012),
        pytest.param("trick", 92001, marks=pytest.mark.slow),
        pytest.param("trick", 50001, marks=pytest.mark.slow),
        ("column", 20009),
        pytest.param("row", 50009, marks=pytest.mark.slow),
        pytest.param("fan", 20019, marks=pytest.mark.slow),
        ("spaced", 93004),
        ("spaced", 116005),
        ("spaced", 118006),
        pytest.param("spaced", 117023, marks=pytest.mark.slow),
        ("turned", 26),
        pytest.param("turned", 9, marks=pytest.mark.slow),
        pytest.param("turned", 115006, marks=pytest.mark.slow),
        pytest.param("turned", 115008, marks=pytest.mark.slow),
        ("pile", 116034),
        pytest.param("pile", 117030, marks=pytest.mark.slow),
    ],
)
def test_backs_as_people_lay_them_are_counted_for_certain(way: str, seed: int) -> None:
    """Drawn tables on which each was asked about or miscounted."""
    drawn = table(seed, way)
    count = told(CardReader(), drawn)
    assert (count.backs, count.asked) == (drawn.backs, 0)


STEADY = [
    *(("pair", seed) for seed in range(21000, 21020)),
    *(("trick", seed) for seed in range(21000, 21010)),
    *(("fan", seed) for seed in (20019, *range(21000, 21010))),
]
"""Drawn tables whose answers must not depend on the last bits of the networks' numbers."""


@pytest.mark.slow
@pytest.mark.parametrize(("way", "seed"), STEADY)
def test_an_answer_does_not_depend_on_the_last_bits(way: str, seed: int) -> None:
    """From processor to processor the networks differ by a millionth; here they differ by more."""
    drawn = table(seed, way)
    first = told(CardReader(), drawn)
    for again in range(2):
        other = told_again(drawn, again)
        assert (other.backs, other.asked) == (first.backs, first.asked)


@pytest.mark.parametrize(("way", "seed"), [("pair", 20002), ("fan", 31012)])
def test_backs_of_one_colour_that_the_maps_hardly_show_are_asked_about(way: str, seed: int) -> None:
    count = told(CardReader(), table(seed, way))
    assert count.backs + count.asked > 0


def test_corners_next_to_a_card_are_those_of_one_turned_under_it() -> None:
    """A card under another one, turned by ten degrees, shows little else."""
    count = told(CardReader(), table(60010, "pair"))
    assert (count.backs, count.asked) == (2, 0)


@pytest.mark.slow
def test_a_back_that_juts_out_from_under_another_is_reported() -> None:
    """Two parallel borders separate its strip from the card over it, and the maps half see it."""
    table, end = Tabletop(setting(13), seed=13), 0.0
    for x, y, angle in ((1136.6, 523.5, 269.5), (1142.9, 444.7, 270.0), (1142.9, 418.8, 271.3)):
        back = table.piece(Card.parse("QH"), up=False)
        end = table.bring(back, Pose(x, y, angle), now=end)
    corner = Box(1620, 400, 300, 580)
    told = CardReader(index_height=26.7).read(table.frame(end), regions=[corner])
    assert [str(one.card) for one in told.sightings if not one.doubtful] == ["??"] * 3


CORNERS = (Box(1470, 0, 450, 220), Box(1440, 0, 480, 240))


@pytest.mark.parametrize("corner", mostly_nightly(CORNERS, CORNERS[0]))
def test_table_between_two_cards_is_not_a_card_under_one_of_them(corner: Box) -> None:
    """The maps bridge the gap, whose borders are the edges of the cards next to it."""
    table, end = Tabletop(setting(13), seed=13), 0.0
    for x, y, angle in ((1115.5, 57.9, 182.4), (1039.3, 61.7, 178.1), (1008.6, 61.7, 175.4)):
        back = table.piece(Card.parse("QH"), up=False)
        end = table.bring(back, Pose(x, y, angle), now=end)
    told = CardReader(index_height=26.7).read(table.frame(end), regions=[corner])
    assert [str(one.card) for one in told.sightings] == ["??"] * 3


def test_table_in_two_corners_of_a_card_is_not_explained_away() -> None:
    """A trick of two packets crosswise was three cards, for certain; ground showed within one."""
    drawn = table(410000, "trick")
    assert told(CardReader(), drawn).backs == drawn.backs == 2
