"""Plaques: taught beside round chips, then found, valued, counted, and told from cards."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.commands.cli import main
from rules.cards import BACK, Card
from tests.chip_scenes import Put, Scene, apart, drawn, one_of_each, spread, stacks
from tests.chip_tables import played
from tests.chips import camera_of, judged, taught
from tests.draws import NIGHTLY, mostly_nightly
from vision.chips.beside_cards import no_chips
from vision.chips.chip_set import ChipSet
from vision.chips.circles import ANGLES
from vision.chips.contours import contour
from vision.chips.plaque_faces import registered
from vision.chips.plaque_stacks import centred
from vision.chips.print_middles import evened
from vision.chips.reader import ChipReader
from vision.chips.seen import SeenChips
from vision.chips.sizes import taught as taught_faces
from vision.chips.teaching import learned
from vision.chips.teaching_plaques import flat_things
from vision.errors import ProfileError
from vision.reader import CardReader
from vision.scene.chip_sets import DEVELOPMENT, VALIDATION, ChipSetStyles
from vision.scene.chips import Shape, stack
from vision.sightings import Lying

SETS = {**DEVELOPMENT, **VALIDATION}
FRESH = 4100
"""Seeds from here on were never looked at while plaques were built."""


@cache
def chips_of(name: str) -> ChipSet:
    return taught(name, SETS[name])


def read(name: str, scene: Scene) -> tuple[SeenChips, ...]:
    reader = ChipReader(chips_of(name), camera=camera_of(scene))
    return reader.read(scene.picture, scene.cards)


def outcomes(name: str, scene: Scene) -> list[str]:
    return [one for one in judged(scene, read(name, scene)) if ":" not in one]


def test_a_contour_is_the_same_once_turned_by_half() -> None:
    plaque = contour(74.0, 48.0)
    assert np.allclose(plaque.places, -np.roll(plaque.places, ANGLES // 2, axis=0), atol=1e-4)
    assert np.allclose(np.linalg.norm(plaque.normals, axis=1), 1.0, atol=1e-5)
    steps = np.linalg.norm(np.diff(plaque.places, axis=0), axis=1)
    assert np.ptp(steps) < 0.4


def test_a_square_contour_is_the_same_once_turned_by_a_quarter() -> None:
    plaque = contour(48.0, 48.0)
    assert plaque.turns == (0, ANGLES // 4, ANGLES // 2, 3 * ANGLES // 4)
    quarter = np.stack([-plaque.places[:, 1], plaque.places[:, 0]], axis=1)
    assert np.allclose(quarter, np.roll(plaque.places, -ANGLES // 4, axis=0), atol=1e-4)
    assert contour(74.0, 48.0).turns == (0, ANGLES // 2)


@cache
def squares() -> tuple[ChipSetStyles, ChipSet]:
    """A set of round chips, square plaques and oblong ones, and how it was taught."""
    every = SETS["salon"]
    sides = ((60.0, 60.0), (74.0, 48.0), (60.0, 60.0))
    plaques = (replace(one, size=size) for one, size in zip(every[3:], sides, strict=True))
    styles = (*every[:2], *plaques)
    return styles, taught("squares", styles)


def test_square_plaques_are_taught_beside_others_and_kept(tmp_path: Path) -> None:
    styles, chips = squares()
    assert chips.round.tolist() == [1, 1, 0, 0, 0]
    assert chips.square.tolist() == [False, False, True, False, True]
    for size, style in zip(chips.sizes, styles, strict=True):
        assert np.allclose(size, style.size, rtol=0.035), f"{style.value}: {size}"
    assert len(chips.shapes) == 2
    chips.save(tmp_path / "squares.npz")
    again = ChipSet.load(tmp_path / "squares.npz")
    assert np.array_equal(again.square, chips.square)


def test_square_plaques_are_read_whichever_way_they_lie() -> None:
    styles, chips = squares()
    angles = (0.0, 50.0, 90.0, 140.0, 180.0, 230.0, 270.0, 320.0)
    puts = [
        Put(styles[2 + 2 * (n % 2)], 130.0 * (n % 4) - 190, 150.0 * (n // 4) - 75, 1, angle)
        for n, angle in enumerate(angles)
    ]
    puts.append(Put(styles[2], 230.0, -50.0, 1, 12.0))  # half over another
    scene = drawn(puts, np.random.default_rng(FRESH + 40), tidy=True, cards=2)
    found = ChipReader(chips, camera=camera_of(scene)).read(scene.picture, scene.cards)
    outcome = [one for one in judged(scene, found) if ":" not in one]
    assert outcome.count("exact") == outcome.count("piles") == len(puts)
    assert "invented" not in outcome


@pytest.mark.parametrize("name", mostly_nightly(["salon", "plaques"], "salon"))
def test_round_chips_and_plaques_are_taught_together(name: str) -> None:
    chips, styles = chips_of(name), SETS[name]
    assert chips.values == tuple(style.value for style in styles)
    for size, style in zip(chips.sizes, styles, strict=True):
        limit = 0.035 if style.shape is Shape.ROUND else 0.015
        assert np.allclose(size, style.size, rtol=limit), f"{style.value}: {size}"
    assert len(chips.shapes) == 1


def test_what_is_printed_on_a_card_face_down_is_no_plaque() -> None:
    styles = SETS["manor"]
    scene = one_of_each(styles, np.random.default_rng(8))
    back = ((655, 332), (787, 273), (827, 363), (698, 425))
    values = [style.value for style in styles]
    backs = [tuple((float(x), float(y)) for x, y in back)]
    chips = learned(
        "manor", values, scene.picture, scene.cards, backs=backs, px_per_mm=scene.px_per_mm
    )
    assert chips.round.tolist() == [1, 1, 1, 0, 0, 0]


def test_a_frame_printed_far_inside_is_not_taken_for_the_edge() -> None:
    dark = replace(SETS["manor"][5], size=(70.0, 47.0), depth=0.28, second=(205, 215, 225))
    styles = [replace(dark, value=value) for value in ("5", "10", "20")]
    sizes = taught("deep", tuple(styles)).sizes.tolist()
    assert len(sizes) == len(styles)
    for long, short in sizes:
        assert (long, short) == (pytest.approx(70, abs=2), pytest.approx(47, abs=2))


def off_at_teaching(name: str, value: str, seed: int) -> tuple[float, float, bool]:
    """How far a plaque is taken to lie from where it lies, in pixels, as its edges tell and as its
    outline or print does; and whether that is its outline."""
    scene = one_of_each(SETS[name], np.random.default_rng(seed))
    (pile,) = (one for one in scene.piles if one.value == value)
    # Places on a table are counted from the corner of a pixel.
    place = np.array([pile.x, pile.y]) - 0.5
    found = flat_things(scene.picture, scene.cards, scene.px_per_mm)
    (one,) = (one for one in found if np.linalg.norm(one.centres[0] - place) < pile.radius / 2)
    there, shown = centred(scene.picture, one, camera_of(scene), SETS[name][-1].thick, None)
    told = there if shown.all() else evened(scene.picture, one)
    before, after = (float(np.linalg.norm(some.centres[0] - place)) for some in (one, told))
    return before, after, bool(shown.all())


@pytest.mark.parametrize("seed", mostly_nightly([7, 8, 11, 12], 11))
def test_a_dark_plaque_is_taught_where_its_outline_is_and_not_its_shadow(seed: int) -> None:
    before, after, outlined = off_at_teaching("club", "100", seed)
    assert outlined
    assert before > 1.2
    assert after < 0.5


@pytest.mark.parametrize("seed", mostly_nightly([8, 9, 12], 9))
def test_a_plaque_in_the_colour_of_the_cloth_is_taught_where_its_print_is(seed: int) -> None:
    before, after, outlined = off_at_teaching("plaques", "50", seed)
    assert not outlined
    assert before > 1.2
    assert after < 0.5


def test_a_print_that_is_even_nowhere_leaves_a_plaque_where_it_was() -> None:
    scene = one_of_each(SETS["salon"], np.random.default_rng(7))
    found = flat_things(scene.picture, scene.cards, scene.px_per_mm)
    assert all(evened(scene.picture, one) is one for one in found)


def test_a_face_is_found_beside_a_contour_that_is_half_its_foot() -> None:
    scene, chips = one_of_each(SETS["salon"], np.random.default_rng(9)), chips_of("salon")
    (one,) = (
        one
        for one in flat_things(scene.picture, scene.cards, scene.px_per_mm)
        if abs(one.centres[0, 0] - scene.piles[4].x) < 20
    )
    outwards = np.array([[1.0, 0.0]], np.float32)
    inwards = np.asarray(one.centres - 0.25 * one.radii[:, None] * outwards, np.float32)
    for alone in (True, False):
        moved, good = registered(
            scene.picture, [taught_faces(chips)[4]], replace(one, centres=inwards.copy()),
            outwards=outwards, alone=np.array([alone]),
        )  # fmt: skip
        assert bool(good[0]) is alone
        assert bool(np.linalg.norm(moved.centres - one.centres) < 1) is alone


@pytest.mark.slow
def test_a_plaque_too_few_is_said() -> None:
    scene = one_of_each(SETS["club"], np.random.default_rng(7))
    with pytest.raises(ProfileError, match="club: 7 values named"):
        learned("club", list("abcdefg"), scene.picture, scene.cards, px_per_mm=scene.px_per_mm)


@pytest.mark.parametrize("name", mostly_nightly(["salon", "club", "plaques"], "salon"))
def test_plaques_are_valued_and_counted(name: str) -> None:
    rng = np.random.default_rng(FRESH)
    found = outcomes(name, drawn(apart(SETS[name], 14, 6, rng), rng))
    assert found.count("valued") == found.count("exact") == found.count("piles") > 9
    assert "invented" not in found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["salon", "club", "plaques"])
def test_stacks_of_plaques_are_within_their_range(name: str) -> None:
    rng = np.random.default_rng(FRESH + 1)
    found = outcomes(name, drawn(stacks(SETS[name], 12, 5, rng), rng))
    assert found.count("held") == found.count("piles")
    assert "invented" not in found


def test_stacks_that_the_edge_of_the_picture_cuts_are_read() -> None:
    styles, found = SETS["plaques"], list[str]()
    places = (-525.0, -150.0), (-530.0, 120.0), (530.0, -140.0), (525.0, 130.0)
    for seed in (FRESH, FRESH + 6):  # under cameras that lean by two degrees and more
        rng = np.random.default_rng(seed)
        puts = [
            Put(styles[n], *place, 1 + n, float(rng.uniform(0, 360)))
            for n, place in enumerate(places)
        ]
        found += outcomes("plaques", drawn(puts, rng, cards=3))
    assert found.count("held") == 8
    assert "invented" not in found


def test_a_plaque_half_under_another_is_read() -> None:
    style = SETS["salon"][3]
    puts = [Put(style, -200.0, 40.0, 1, 10.0), Put(SETS["salon"][4], -150.0, 40.0, 1, 14.0)]
    scene = drawn(puts, np.random.default_rng(FRESH + 2), tidy=True)
    assert sorted(one.value for one in read("salon", scene)) == ["1000", "500"]


def test_ribbons_of_equal_plaques_are_read() -> None:
    light, dark = SETS["plaques"][3], SETS["plaques"][0]
    ribbon = [Put(light, -300.0 + 36 * step, 8.0 * step, 1, 8.0 + step) for step in range(5)]
    mixed = [Put((light, dark)[step % 2], 150.0 + 24 * step, 60.0, 1, 93.0) for step in range(5)]
    found = outcomes("plaques", drawn([*ribbon, *mixed], np.random.default_rng(FRESH + 6)))
    assert found.count("valued") == 10
    assert "invented" not in found


@pytest.mark.parametrize("seed", mostly_nightly([3008, 3009, 3012], 3012))
def test_marbled_plaques_under_others_are_read_in_the_dark(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = drawn(spread(SETS["salon"], 20, rng), rng)
    outcome = list(judged(scene, read("salon", scene)))
    assert outcome.count("plaque:exact") == outcome.count("plaque:piles") > 6


def test_a_chip_on_a_plaque_does_not_hide_it() -> None:
    plaque, chip = SETS["salon"][5], SETS["salon"][0]
    puts = [Put(plaque, 150.0, 40.0, 1, 10.0), Put(chip, 165.0, 45.0)]
    scene = drawn(puts, np.random.default_rng(FRESH + 3), tidy=True)
    assert sorted(one.value for one in read("salon", scene)) == ["5", "5000"]


def test_a_stack_on_a_plaque_ends_at_the_plaque() -> None:
    low, high = SETS["club"][0], SETS["club"][3]
    places = [(-300.0, -120.0), (300.0, -120.0), (300.0, 130.0)]
    puts = [Put(high, *place, 1, 30.0) for place in places]
    layers = [
        one
        for number, place in enumerate(places, 2)
        for one in stack(low, *place, count=number, lift=high.thick)
    ]
    seen = read("club", drawn(puts, np.random.default_rng(5), cards=2, over=layers))
    chips = sorted((one for one in seen if one.value == "1"), key=lambda one: one.count)
    assert [one.least <= number <= one.most for number, one in enumerate(chips, 2)] == [True] * 3
    assert sum(one.most for one in chips) < 40  # each may be any of twenty if none is counted
    assert sum(one.value == "50" for one in seen) == len(places)


def test_cards_are_no_plaques() -> None:
    scene = drawn([], np.random.default_rng(FRESH + 10), cards=10)
    assert read("salon", scene) == ()
    if NIGHTLY:
        assert ChipReader(chips_of("salon")).read(scene.picture, scene.cards) == ()


def test_a_picture_that_shows_no_edge_has_no_plaques() -> None:
    blank = np.full((480, 640, 3), 90, np.uint8)
    for scale in (None, 1.0):
        assert ChipReader(chips_of("salon"), px_per_mm=scale).read(blank) == ()


def test_plaques_are_no_cards() -> None:
    rng = np.random.default_rng(FRESH + 20)
    scene = drawn(apart(SETS["salon"][3:], 6, 6, rng), rng, cards=3)
    reader = ChipReader(chips_of("salon"), camera=camera_of(scene))
    rounds = reader.rounds(scene.picture)
    assert rounds is not None
    reading = CardReader(index_height=30.0).read(scene.picture, discs=rounds.discs)
    seen = reader.beside(scene.picture, reading, rounds)
    assert len(seen) == len(scene.piles)
    left = no_chips(reading.sightings, seen)
    true = len(scene.cards)
    assert sum(one.card != BACK and not one.doubtful for one in left) == true
    assert sum(one.card == BACK for one in left) <= 3 - true


def test_what_is_read_with_confidence_stays_a_card() -> None:
    ring = np.array([(0, 2), (2, 0), (8, 0), (10, 2), (10, 4), (8, 6), (2, 6), (0, 4)], np.float32)
    chip = SeenChips("5", 1, 1, 1, 0.99, ring)
    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, 6.0), (0.0, 6.0))
    back = Lying(BACK, 0.95, ((BACK, 0.95),), corners)
    seven = Card.parse("7H")
    assert no_chips((back,), [chip]) == ()
    assert no_chips((replace(back, card=seven, candidates=((seven, 0.99),)),), [chip])
    elsewhere = (replace(back, outline=tuple((x + 6, y) for x, y in corners)),)
    assert no_chips(elsewhere, [chip]) is elsewhere, "nothing has changed"


@pytest.mark.slow
def test_the_commands_teach_and_read_plaques(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MAZZIERE_DECKS", str(tmp_path / "decks"))
    scene = one_of_each(SETS["club"], np.random.default_rng(7))
    photo, values = str(tmp_path / "plaques.png"), "1 5 10 50 100"
    cv2.imwrite(photo, scene.picture)
    assert main(["teach", "club", photo, "--chips", values, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [pair[0] > 1.3 * pair[1] for pair in told["millimetres"]] == [False] * 3 + [True] * 2
    assert main(["read", photo, "--chips", "club", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert sorted(one["value"] for one in report["chips"]) == sorted(values.split())
    assert all(np.shape(one["outline"]) == (8, 2) for one in report["chips"])
    assert "BACK" not in report["cards"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["salon", "club"])
def test_overlapping_plaques_are_read(name: str) -> None:
    rng = np.random.default_rng(FRESH + 30)
    found = outcomes(name, drawn(spread(SETS[name], 16, rng), rng))
    assert found.count("valued") >= 0.85 * found.count("piles")
    assert "wrong" not in found


@pytest.mark.slow
def test_a_game_played_with_plaques_is_followed_as_dealt() -> None:
    (report,) = played("seven-and-a-half", hands=1, seed=61, pictures=True, chips="drawn-plaques")
    assert report.faithful
    assert not report.counts.typed
