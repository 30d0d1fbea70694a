"""Chips in pictures: taught from one of each value, then found, valued and counted."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from math import hypot
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.commands.cli import main
from tests.chip_looks import SETS
from tests.chip_scenes import Put, Scene, apart, drawn, one_of_each, spread, touching
from tests.chips import camera_of, judged
from tests.draws import NIGHTLY, mostly_nightly
from tests.real_chips import judged as real_judged
from tests.real_chips import learn, read_photo_of, taught_photo
from vision import annotate
from vision.chips.chip_set import THICK_MM, ChipSet
from vision.chips.circles import ANGLES, Circles
from vision.chips.inlays import inlays
from vision.chips.lighting import light
from vision.chips.matching import Match
from vision.chips.prints import AREAS, PAPER, RINGS, best_turns, gains, logs
from vision.chips.reader import ChipReader
from vision.chips.scales import evidence, kept
from vision.chips.seen import SURE_CHIPS, SeenChips
from vision.chips.teaching import in_reading_order, learned
from vision.errors import ProfileError
from vision.reader import CardReader
from vision.scene.chip_sets import DEVELOPMENT, VALIDATION
from vision.sightings import Reading

CLAY = DEVELOPMENT["clay"]
VALUES = tuple(style.value for style in CLAY)


def taught(name: str = "clay", *, cards: int = 2) -> tuple[ChipSet, Scene]:
    styles = {**DEVELOPMENT, **VALIDATION}[name]
    scene = one_of_each(styles, np.random.default_rng(7), cards=cards)
    values = [style.value for style in styles]
    return learned(name, values, scene.picture, scene.cards, px_per_mm=scene.px_per_mm), scene


def hits(scene: Scene, seen: tuple[SeenChips, ...]) -> list[tuple[str, str]]:
    """For each pile its value and the value seen, or ""; then ("", value) for each false chip."""
    left, found = list(seen), []
    for pile in scene.piles:
        near = [
            one
            for one in left
            if hypot(one.centre[0] - pile.x, one.centre[1] - pile.y) < 0.5 * pile.radius
        ]
        found.append((pile.value, near[0].value if near else ""))
        left = [one for one in left if one not in near[:1]]
    return found + [("", one.value) for one in left]


@pytest.mark.parametrize("laid", mostly_nightly(["apart", "touching", "spread"], "spread"))
def test_chips_are_found_and_valued(laid: str) -> None:
    chips, _ = taught()
    rng = np.random.default_rng(103)
    puts = {
        "apart": lambda: apart(CLAY, 20, 6, rng),
        "touching": lambda: touching(CLAY, 20, rng),
        "spread": lambda: spread(CLAY, 20, rng),
    }[laid]()
    scene = drawn(puts, rng)
    reader = ChipReader(chips, px_per_mm=scene.px_per_mm)
    found = hits(scene, reader.read(scene.picture, scene.cards))
    wrong = [pair for pair in found if pair[0] != pair[1]]
    assert not wrong


@pytest.mark.parametrize("name", mostly_nightly(("dice", "clay", "plain", "coins"), "dice"))
def test_overlapping_chips_are_all_read(name: str) -> None:
    """The lower of two chips agrees in part with its value, and was mistaken for the upper one."""
    chips, _ = taught(name)
    rng = np.random.default_rng([31, 301])
    scene = drawn(spread(DEVELOPMENT[name], 20, rng), rng)
    seen = ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards)
    assert all(true == read for true, read in hits(scene, seen))
    assert all(one.least == 1 for one in seen), "nobody lays a stack half on another"


def test_the_brightness_of_a_chip_is_judged_by_its_visible_part() -> None:
    blue, yellow = np.array([140.0, 72.0, 33.0]), np.array([58.0, 182.0, 212.0])
    print_ = np.tile(blue, (len(RINGS), ANGLES, 1)).astype(np.float32)
    seen = print_.copy()
    seen[:, : ANGLES // 2] = yellow
    visible = np.ones((len(RINGS), ANGLES), np.float32)
    visible[:, : ANGLES // 2] = 0
    assert float(gains(seen, print_, visible)) == pytest.approx(1.0)
    assert float(gains(seen, print_, np.ones_like(visible))) < 1


def test_a_disc_that_agrees_with_no_chip_says_nothing_about_the_light() -> None:
    """The print of a card's back contains many round things of one colour."""
    taught_colours = np.array([[85.0, 146.0, 176.0], [162.0, 163.0, 164.0]])
    rings = np.repeat(taught_colours[:, None, None], len(RINGS), axis=1)
    known = logs(np.repeat(rings, ANGLES, axis=2).astype(np.float32))
    print_of_a_back = known[:1] + np.array([1.5, 0.2, 0.6], np.float32)
    seen = np.concatenate([known, *[print_of_a_back] * 20])
    count = len(seen)
    centres = np.stack([np.arange(count) * 90.0, np.zeros(count)], axis=1).astype(np.float32)
    ones = np.ones(count, np.float32)
    found = Circles(centres, 18 * ones, ones, np.ones((count, ANGLES), np.bool_), ones)
    assert np.abs(light(found, seen, known, told=True).colour).max() < 0.02


@pytest.mark.parametrize("tone", [0.8, 1.0, 1.25])
def test_the_light_is_told_on_a_camera_s_curve(tone: float) -> None:
    taught_colours = np.array([[29.0, 26.0, 154.0], [201.0, 202.0, 202.0], [55.0, 100.0, 23.0]])
    rings = np.repeat(taught_colours[:, None, None], len(RINGS), axis=1)
    taught = np.repeat(rings, ANGLES, axis=2).astype(np.float32)
    cast = np.array([0.1, 0.0, -0.1], np.float32)
    seen = np.asarray(PAPER * (taught * np.exp2(cast) / PAPER) ** tone, np.float32)
    count = len(seen)
    centres = np.stack([np.arange(count) * 90.0, np.zeros(count)], axis=1).astype(np.float32)
    ones = np.ones(count, np.float32)
    found = Circles(centres, 18 * ones, ones, np.ones((count, ANGLES), np.bool_), ones)
    told = light(found, logs(seen), logs(taught), told=True, tone=tone)
    assert np.abs(told.removed(seen) / taught - 1).max() < 0.05


def test_no_chips_are_found_where_there_are_none() -> None:
    chips, _ = taught()
    scene = drawn([], np.random.default_rng(5), cards=12)
    assert ChipReader(chips, px_per_mm=scene.px_per_mm).read(scene.picture, scene.cards) == ()
    assert ChipReader(chips).read(scene.picture, scene.cards) == ()
    if NIGHTLY:  # nothing reveals the scale, so that all are tried, which takes long
        assert ChipReader(chips).read(scene.picture) == ()


def test_what_a_set_does_not_have_is_no_value_of_it() -> None:
    """A chip of another set in a value's colours, or plain white, is asked about."""
    chips, _ = taught()
    others = [*DEVELOPMENT["dice"][1::3], VALIDATION["ribbed"][0]]
    puts = apart([*DEVELOPMENT["clay"], *others], 24, 6, np.random.default_rng(81))
    scene = drawn(puts, np.random.default_rng(81))
    seen = ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards)
    sure = [one for one in seen if one.confidence >= SURE_CHIPS]
    for pile, put in zip(scene.piles, puts, strict=True):
        here = [one for one in sure if hypot(one.centre[0] - pile.x, one.centre[1] - pile.y) < 15]
        told = [one.value for one in here]
        assert told == ([] if put.style in others else [put.style.value])
    assert sum(put.style in others for put in puts) >= 6


def test_a_picture_that_shows_nothing_round_has_no_chips() -> None:
    chips, _ = taught()
    blank = np.full((480, 640, 3), 90, np.uint8)
    assert ChipReader(chips).read(blank) == ()
    assert ChipReader(chips, px_per_mm=1.0).read(blank) == ()


def test_a_set_is_stored_completely_in_a_small_file(tmp_path: Path) -> None:
    chips, _ = taught()
    path = tmp_path / "deep" / "clay.chips"
    chips.save(path)
    again = ChipSet.load(path)
    assert path.stat().st_size < 40_000
    assert again.values == VALUES
    assert again.scaled == chips.scaled
    assert np.allclose(again.sizes, chips.sizes)
    assert np.abs(again.prints - chips.prints).max() <= 0.5
    data = path.read_bytes()
    for damaged in (b"", data[:-30], data[:200] + b"x" + data[201:], b"PK\3\4" + bytes(60)):
        path.write_bytes(damaged)
        with pytest.raises(ProfileError, match=r"clay\.chips"):
            ChipSet.load(path)
    with pytest.raises(ProfileError, match="no set of chips"):
        ChipSet.load(tmp_path / "none.chips")
    wrong = replace(chips, values=("1",))
    wrong.save(path)
    with pytest.raises(ProfileError, match="parts do not fit"):
        ChipSet.load(path)


def test_a_wrong_number_of_chips_is_reported_in_one_clear_line() -> None:
    scene = one_of_each(CLAY[:3], np.random.default_rng(7))
    with pytest.raises(ProfileError, match="club: 4 values named, 3 chips seen"):
        learned("club", ("1", "5", "25", "100"), scene.picture, scene.cards)
    with pytest.raises(ProfileError, match="2 values named, 3 chips seen"):
        learned("club", ("1", "5"), scene.picture, scene.cards)
    with pytest.raises(ProfileError, match="expected values that differ"):
        learned("club", ("1", "5", "5"), scene.picture, scene.cards)


def test_values_are_assigned_by_rows_from_the_top() -> None:
    rng = np.random.default_rng(3)
    places = [(-60.0, -50.0), (50.0, -44.0), (-70.0, 50.0), (40.0, 58.0)]
    puts = [Put(style, *place) for style, place in zip(CLAY, places, strict=False)]
    scene = drawn(puts, rng, cards=2, tidy=True)
    chips = learned("rows", VALUES[:4], scene.picture, scene.cards)
    seen = ChipReader(chips).read(scene.picture, scene.cards)
    assert all(pair[0] == pair[1] for pair in hits(scene, seen))


@pytest.mark.parametrize("degrees", [-12, -6, 0, 7, 12])
@pytest.mark.parametrize("rows", [(5,), (3, 2), (2, 2, 1)])
def test_rows_may_be_slanted(rows: tuple[int, ...], degrees: int) -> None:
    laid = np.array([(60.0 * x, 62.0 * y) for y, row in enumerate(rows) for x in range(row)])
    turn = np.radians(degrees)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    assert ordered(laid @ spin * 1.5 + 300)


def ordered(places: NDArray[np.float64]) -> bool:
    """Whether chips at these places (N, 2), in pixels, are taken in the order given."""
    count = len(places)
    ones, rim = np.ones(count, np.float32), np.ones((count, ANGLES), np.bool_)
    shuffled = np.random.default_rng(1).permutation(count)
    found = Circles(places[shuffled].astype(np.float32), ones * 29, ones, rim, ones)
    return np.allclose(in_reading_order(found).centres, places, atol=0.01)


def test_the_farther_apart_chips_lie_the_farther_they_may_be_off_their_row() -> None:
    """Before, each of three chips spread over a table was a row of its own, from the top."""
    rng = np.random.default_rng(20)
    for step in (70.0, 120.0, 240.0, 400.0):
        for slant in np.radians(rng.normal(0, 3, 10)):
            along = np.arange(int(rng.integers(3, 6))) * step
            laid = np.stack([along, along * np.tan(slant)], axis=1)
            assert ordered(laid + rng.uniform(-0.05, 0.05, laid.shape) * step + 300)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["suited", "ceramic"])
def test_chips_that_look_real_are_read_next_to_cards(name: str) -> None:
    looks, rng, eyes = SETS[name], np.random.default_rng(11), CardReader()
    shown = taught_photo(looks, rng, tilt=6.0, hard=0.3)
    chips = learn(looks, shown.picture, eyes.read(shown.picture))
    photo = read_photo_of(looks, "touching", np.random.default_rng(4), tilt=8.0, hard=0.5)
    seen = ChipReader(chips).beside(photo.picture, eyes.read(photo.picture))
    counted = Counter(real_judged(photo, seen))
    assert counted["valued"] == counted["chips"] > 0
    assert not counted["invented"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["split", "ceramic", "suited"])
def test_without_cards_the_chips_themselves_reveal_the_scale(name: str) -> None:
    rng = np.random.default_rng(50_002)
    shown = taught_photo(SETS[name], rng, tilt=6.0, hard=0.3, beside=0)
    chips = learn(SETS[name], shown.picture, Reading(()))
    assert not chips.scaled
    seen = ChipReader(chips).read(shown.picture)
    counted = Counter(real_judged(shown, seen))
    assert counted["valued"] == counted["chips"] == len(SETS[name])
    assert not counted["invented"]


def test_a_scale_at_which_chips_agree_poorly_is_refused() -> None:
    whole = np.ones((8, ANGLES), np.bool_)
    ones = np.ones(8, np.float32)
    found = Circles(np.zeros((8, 2), np.float32), ones * 20, ones, whole, ones)
    poor = [Match(number, 0, 0, 0.7, 0.76, 0.9) for number in range(8)]
    assert not evidence(found, poor)
    pips = replace(found, votes=ones * np.float32(0.1))
    assert not evidence(pips, [replace(one, agreed=0.95) for one in poor]), "not round"
    assert not evidence(found, [replace(poor[0], agreed=0.95), *poor[1:]]), "one of eight"
    two = [replace(one, agreed=0.9) for one in poor[:2]]
    assert evidence(found, [*two, *poor[2:4]]) > evidence(found, two[:1]) > 0
    assert kept(found, [*two, replace(poor[2], agreed=0.66)])[2].agreed == 0.66
    assert len(kept(found, [two[0], replace(poor[1], agreed=0.66)])) == 1


def test_the_commands_teach_and_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MAZZIERE_DECKS", str(tmp_path / "decks"))
    _, scene = taught()
    photo = str(tmp_path / "chips.png")
    cv2.imwrite(photo, scene.picture)
    assert main(["teach", "club", photo, "--chips", " ".join(VALUES), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["values"] == list(VALUES)
    assert Path(told["file"]) == tmp_path / "decks" / "club.chips"
    assert all(abs(side - 39) < 3 for pair in told["millimetres"] for side in pair)
    assert told["thickness_mm"] == THICK_MM
    pictures = tmp_path / "drawn"
    asked = ["read", photo, "--chips", "club", "--json", "--pictures", str(pictures)]
    assert main(asked) == 0
    report = json.loads(capsys.readouterr().out)
    assert sorted(one["value"] for one in report["chips"]) == sorted(VALUES)
    for one in report["chips"]:
        assert set(one) == {"value", "count", "range", "confidence", "outline"}
        assert one["range"][0] <= one["count"] <= one["range"][1]
        assert np.shape(one["outline"]) == (8, 2)
    assert (pictures / "chips.jpg").is_file()
    assert main(["read", photo, "--json"]) == 0
    assert "chips" not in (alone := json.loads(capsys.readouterr().out))
    assert alone["cards"] == report["cards"], "cards are read as before"
    assert main(["read", photo, "--chips", "club"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(VALUES)
    assert main(["read", photo, "--chips", "casino"]) == 2
    assert "there are club" in capsys.readouterr().err
    assert main(["teach", "club", photo, "--chips", "1 5 25 100"]) == 2
    assert capsys.readouterr().err == "mazziere: club: 4 values named, 5 chips seen\n"


def test_chips_are_drawn_into_the_picture() -> None:
    picture = np.zeros((120, 120, 3), np.uint8)
    turns = np.arange(8) * np.pi / 4
    ring = (np.stack([np.cos(turns), np.sin(turns)], axis=1) * 30 + 60).astype(np.float32)
    drawn_in = annotate(picture, Reading(()), [SeenChips("5", 2, 2, 2, 0.99, ring)])
    assert drawn_in.any()
    assert not picture.any()


def test_a_stack_leans_and_is_counted_or_a_range_holds_it() -> None:
    chips, _ = taught()
    puts = [Put(CLAY[1], -430.0, 180.0, 5), Put(CLAY[0], 430.0, -170.0, 1)]
    scene = drawn(puts, np.random.default_rng(3), cards=2, tidy=True)
    seen = ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards)
    assert [one.value for one in seen] == ["1", "5"]
    assert (seen[0].count, seen[1].least <= 5 <= seen[1].most) == (1, True)
    assert seen[1].least >= 3


def test_a_picture_made_level_is_read_as_the_picture_itself() -> None:
    chips, _ = taught()
    slanted = (np.random.default_rng(seed) for seed in (3, 4, 5, 6))
    scenes = [drawn([Put(CLAY[0], 150.0, 90.0)], rng) for rng in slanted]
    read = 0
    for scene in scenes:
        reader = ChipReader(chips, camera=camera_of(scene))
        level = reader.level(scene.picture)
        if level is not None:
            seen = reader.read(scene.picture, scene.cards)
            same = reader.read_level(level, scene.cards)
            assert [one.value for one in seen] == [one.value for one in same] == [CLAY[0].value]
            assert np.array_equal(seen[0].outline, same[0].outline)
            read += 1
    assert read


@pytest.mark.parametrize("value", mostly_nightly([0, 1, 2, 4], 0, 4))
def test_a_single_chip_away_from_the_middle_is_counted_as_one(value: int) -> None:
    chips, _ = taught()
    puts = [Put(CLAY[value], -400.0, 150.0), Put(CLAY[value], 420.0, -120.0)]
    scene = drawn(puts, np.random.default_rng(40 + value), cards=2, tidy=True)
    seen = ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards)
    assert [(one.least, one.most) for one in seen] == [(1, 1), (1, 1)]


def test_chips_in_a_ribbon_of_one_value_are_all_found() -> None:
    """A chip in a heap is surrounded by others of its colours, rather than by the table."""
    chips, _ = taught()
    puts = [Put(CLAY[1], 100.0 + 26 * step, 60.0 + 3 * step) for step in range(5)]
    scene = drawn(puts, np.random.default_rng(9), cards=2, tidy=True)
    seen = ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards)
    assert [one.value for one in seen] == ["5"] * 5


def test_straight_below_the_camera_a_number_is_a_range() -> None:
    chips, _ = taught()
    scene = drawn([Put(CLAY[1], 0.0, 0.0, 4)], np.random.default_rng(3), cards=2, tidy=True)
    (one,) = ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards)
    assert one.least <= 4 <= one.most
    assert not one.exact


def test_the_top_of_a_stack_is_found_by_the_border_of_its_inlay() -> None:
    """Its outline also includes its foot and its shadow, and circles were found between them."""
    chips, _ = taught("dice")
    black = DEVELOPMENT["dice"][4]
    puts = [Put(black, 300.0, 90.0, 4), Put(black, -300.0, -90.0, 5)]
    scene = drawn(puts, np.random.default_rng([5, 0]), cards=2)
    seen = ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards)
    counted = Counter(judged(scene, seen))
    assert (counted["valued"], counted["held"], counted["invented"]) == (2, 2, 0)


def test_borders_are_detected_from_a_set_s_prints() -> None:
    print_ = np.full((1, len(RINGS), ANGLES, 3), 40, np.float32)
    assert not inlays(ChipSet("plain", ("1",), np.ones((1, 2), np.float32), print_))
    printed = print_.copy()
    printed[:, RINGS < 0.6] = 220
    (border,) = inlays(ChipSet("inlaid", ("1",), np.ones((1, 2), np.float32), printed))
    assert border == pytest.approx(0.6, abs=0.03)


def test_the_best_rotation_is_the_one_found_by_trying_them_all() -> None:
    rng = np.random.default_rng(8)
    prints = rng.uniform(-60, 60, (3, len(RINGS), ANGLES, 3)).astype(np.float32)
    ways = [5, 0, 31]
    seen = np.stack([np.roll(one, -way, axis=1) for one, way in zip(prints, ways, strict=True)])
    seen += rng.normal(0, 5, seen.shape).astype(np.float32)
    visible = (rng.random(seen.shape[:3]) < 0.7).astype(np.float32)
    turns = best_turns(seen, prints, visible)
    assert np.diag(turns).tolist() == ways
    weights = visible[0] * AREAS[:, None]
    errors = [
        float((((seen[0] - np.roll(prints[1], -way, axis=1)) ** 2).sum(axis=-1) * weights).sum())
        for way in range(ANGLES)
    ]
    assert turns[0, 1] == int(np.argmin(errors))


def test_a_light_chip_on_light_cloth_can_be_taught() -> None:
    """Its middle has the cloth's colour, and its edge is lighter in parts."""
    picture = np.full((400, 700, 3), 196, np.uint8)
    picture += np.random.default_rng(2).integers(0, 6, picture.shape, np.uint8)
    for x, body in ((100, (60, 50, 190)), (260, (170, 90, 50)), (420, (60, 60, 60))):
        cv2.circle(picture, (x, 200), 34, body, -1, cv2.LINE_AA)
    cv2.circle(picture, (580, 200), 34, (214, 214, 214), -1, cv2.LINE_AA)
    for turn in range(0, 360, 45):
        cv2.ellipse(picture, (580, 200), (34, 34), turn, 0, 24, (120, 70, 40), -1, cv2.LINE_AA)
    cv2.circle(picture, (580, 200), 25, (200, 200, 200), -1, cv2.LINE_AA)
    assert learned("near", ["1", "5", "25", "100"], picture).values[-1] == "100"


def test_the_measure_of_reading_can_fail() -> None:
    scene = drawn([Put(CLAY[1], -200.0, 0.0)], np.random.default_rng(3), cards=0, tidy=True)
    assert Counter(judged(scene, ()))["missed"] == 1
    chips, _ = taught()
    seen = ChipReader(chips, camera=camera_of(scene)).read(scene.picture)
    found = Counter(judged(scene, [replace(one, value="25") for one in seen]))
    assert found["wrong"] == 1
