"""How large a face appears, and how many chips that makes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from firmware.rehearsal.chip_set import HEIGHT_MM, STYLES, taught_chips
from firmware.rehearsal.setting import PX_PER_MM, SIZE
from tests.chip_scenes import drawn as drawn_scene
from tests.chip_scenes import stacks
from tests.chips import camera_of, judged, taught
from vision.chips import sizes
from vision.chips.chances import NUMBERS, ranged
from vision.chips.faces import Magnified, TaughtFace
from vision.chips.gauge import THICKER, Evidence, Gauge, Sized, rises
from vision.chips.measured_faces import magnified
from vision.chips.reader import ChipReader
from vision.chips.seen import SeenChips
from vision.chips.standpoint import Standpoint
from vision.picture.geometry import Frame
from vision.scene.chip_sets import DEVELOPMENT
from vision.scene.chips import stack
from vision.scene.items import Item
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View
from vision.track.counting import Counting

VIEW = View.above(SIZE, height_mm=HEIGHT_MM, px_per_mm=PX_PER_MM)
CAMERA = Standpoint(((SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2), HEIGHT_MM, PX_PER_MM)
RISES = rises(NUMBERS, 3.3, HEIGHT_MM)
AROUND = [
    (5, 1, -430.0, 160.0),
    (5, 3, 400.0, 160.0),
    (5, 1, -260.0, -60.0),
    (5, 1, 250.0, -70.0),
    (5, 2, -150.0, 190.0),
    (5, 1, 140.0, 180.0),
    (5, 1, -70.0, -190.0),
    (5, 1, 90.0, -170.0),
    (5, 1, 300.0, 60.0),
]
"""Stacks (value, count, x, y) far enough from the middle to be counted by their sides."""


def drawn(*piles: tuple[int, int, float, float], seed: int = 5) -> Frame:
    """A picture of stacks (value, count, x, y)."""
    rng, items = np.random.default_rng(seed), list[Item]()
    for value, count, x, y in piles:
        items += stack(STYLES[value], x, y, count=count, rng=rng)
    light = Light(brightness=0.95)
    return np.asarray(render(items, Surface(), VIEW, light, Lens(), rng=rng), np.uint8)


@cache
def around() -> tuple[SeenChips, ...]:
    """What the reader makes of the stacks around the middle and a stack of four in it."""
    return ChipReader(taught_chips(), camera=CAMERA).read(drawn(*AROUND, (5, 4, 8.0, 3.0)))


def test_a_face_on_a_stack_appears_larger_by_its_height() -> None:
    """Straight below the camera no side is visible, and each chip makes 0.12 pixels."""
    face = TaughtFace.of(taught_chips().faces[1].astype(np.float32))
    sizes = []
    for count in (1, 3, 6):
        frame, centre = drawn((5, count, 0.0, 0.0)), np.array([(959.8, 539.2)], np.float32)
        (seen,) = magnified(frame, [face], centre, np.array([31.0]))
        assert seen is not None
        sizes.append(seen.ratio - RISES[count - 1])
    assert np.ptp(sizes) < 0.0015


def test_a_face_is_measured_whichever_way_it_is_turned_and_a_little_off_its_place() -> None:
    """Its stripes fit six ways; a circle that is three pixels off moves the print in its middle."""
    face = TaughtFace.of(taught_chips().faces[0].astype(np.float32))
    found = []
    for number in range(4, 8):
        items = stack(STYLES[1], 0.0, 0.0, count=2, angle=22.5 * number)
        light, rng = Light(brightness=0.95), np.random.default_rng(number)
        lens = Lens(blur_px=0.8)
        frame = np.asarray(render(items, Surface(), VIEW, light, lens, rng=rng), np.uint8)
        centre = [(959.7 + 3.2 * np.cos(number), 539.4 + 3.2 * np.sin(number))]
        (seen,) = magnified(frame, [face], np.array(centre, np.float32), np.array([31.0]))
        assert seen is not None
        assert seen.error < 0.0008
        found.append(seen.ratio)
    assert np.ptp(found) < 0.0015


def test_a_tall_stack_that_stands_in_front_of_another_is_counted_by_its_face() -> None:
    """Its top hides half of the other's, as though it lay on it."""
    frame = drawn((5, 2, -430.0, 60.0), (1, 9, -391.0, 55.0))
    seen = ChipReader(taught_chips(), camera=CAMERA).read(frame)
    tall = next(one for one in seen if one.value == "1")
    assert tall.evidence is not None
    assert tall.evidence.sized is not None
    low = next(one for one in seen if one.value == "5")
    assert low.evidence is None or low.evidence.sized is None, "it is not in full view"


def test_nothing_is_measured_where_the_face_is_another() -> None:
    face = TaughtFace.of(taught_chips().faces[2].astype(np.float32))
    centre = np.array([(959.5, 539.5)], np.float32)
    assert magnified(drawn((5, 1, 0.0, 0.0)), [face], centre, np.array([31.0])) == [None]


def test_stacks_around_the_middle_tell_how_many_chips_are_in_it() -> None:
    """By its side alone, it may be any number."""
    inner = min(around(), key=lambda one: abs(one.centre[0] - 960) + abs(one.centre[1] - 540))
    assert (inner.value, inner.least, inner.most) == ("5", 4, 4)
    (alone,) = ChipReader(taught_chips(), camera=CAMERA).read(drawn((5, 4, 8.0, 3.0)))
    assert alone.most - alone.least >= 4


def test_of_many_stacks_the_least_and_the_most_certain_ones_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sizes, "MOST", 4)
    frame = drawn(*AROUND, (5, 4, 8.0, 3.0))
    some = ChipReader(taught_chips(), camera=CAMERA).read(frame)
    measured = [one for one in some if one.evidence is not None and one.evidence.sized is not None]
    assert (len(some), len(measured)) == (10, 4)
    assert min(abs(one.centre[0] - 960) for one in measured) < 60, "what is least certain"


def seen(count: int, place: tuple[float, float], sides: dict[int, float], off: float) -> Evidence:
    """A stack whose face is as large as that of `count` chips, on a table that makes it `off`."""
    chances = np.zeros(len(NUMBERS))
    for number, chance in sides.items():
        chances[number - 1] = chance
    size = Magnified(float(RISES[count - 1]) + off, 0.0003)
    return Evidence(chances / chances.sum(), Sized(0, place, size), RISES)


ANY = dict.fromkeys(range(1, 8), 1.0)


@pytest.mark.parametrize("off", [0.0, 0.006, -0.012])
def test_a_lens_or_a_ruler_that_is_off_everywhere_is_learned(off: float) -> None:
    known = [seen(2, (0.3, 0.2 * side), {2: 0.98, 3: 0.02}, off) for side in (-1, 0, 1)]
    told, gauge = Gauge.of(1).judged([*known, seen(4, (0.28, 0.1), ANY, off)])
    assert told[-1].argmax() == 3
    assert told[-1].max() > 0.97
    later, _ = gauge.judged([seen(5, (0.3, 0.0), ANY, off)])
    assert later[0].argmax() == 4
    first, _ = Gauge.of(1).judged([seen(5, (0.3, 0.0), ANY, off)])
    assert first[0].max() < 0.6, "without other stacks, a size says little"


def test_a_height_that_nobody_measured_leaves_tall_stacks_a_range() -> None:
    """A camera hung a tenth lower than presumed: ten chips look like eleven."""
    known = [seen(1, (0.3, 0.1 * step), {1: 1.0}, 0.0) for step in range(-2, 3)]
    sides = {9: 0.1, 10: 0.4, 11: 0.4, 12: 0.1}
    told = []
    tall = seen(10, (0.3, 0.0), sides, 0.1 * float(RISES[9]))
    for doubt in (0.0, 0.07):
        chances = Gauge.of(1, doubt).judged([*known, tall])[0][-1]
        told.append(ranged(chances / chances.sum()))
    assert told[0] == (11, 11, 11), "as if the height were known, it would be certain and wrong"
    assert told[1][1] <= 10 < told[1][2]


def test_what_is_learned_in_one_place_says_less_about_another() -> None:
    """A lens that nobody has calibrated may bulge."""
    known = [seen(1, (0.0, 0.02 * step), {1: 1.0}, 0.0) for step in range(5)]
    near, far = (
        Gauge.of(1).judged([*known, seen(3, (x, 0.0), ANY, 0.0)])[0][-1] for x in (0.05, 0.6)
    )
    assert near.max() > 0.97
    assert far.max() < 0.7


def test_a_face_that_is_amiss_excludes_nothing_and_teaches_nothing() -> None:
    known = [seen(1, (0.3, 0.1 * step), {1: 1.0}, 0.0) for step in range(5)]
    told, gauge = Gauge.of(1).judged([*known, seen(1, (0.3, 0.3), {1: 0.9, 2: 0.1}, 0.05)])
    assert told[-1][0] == pytest.approx(0.9, abs=0.03)
    later, _ = gauge.judged([seen(3, (0.3, 0.2), ANY, 0.0)])
    assert later[0].argmax() == 2


def test_stacks_at_other_places_and_earlier_ones_make_numbers_certain() -> None:
    plain = sorted(around(), key=lambda one: -abs(one.centre[0] - 960))
    counting = Counting.of(taught_chips())
    counting.see("1.bet", [plain[-1]], last=True)
    assert not counting.told()["1.bet"][0].exact
    counting.see("2.bet", plain[:-1], last=True)
    assert counting.told()["1.bet"][0].exact
    counting.see("2.bet", [], last=True)
    assert not counting.told()["2.bet"]
    assert counting.told()["1.bet"][0].exact, "what stacks have told holds once they have left"
    counting.keep(["2.bet"])
    assert counting.told() == {"2.bet": ()}


def test_a_table_that_was_leant_on_is_learned_anew() -> None:
    """Two millimetres nearer, everything looks larger by half of what a chip makes."""
    said = Evidence(np.eye(len(NUMBERS))[0], None, RISES)
    counting, ring = Counting.of(taught_chips()), np.zeros((8, 2), np.float32)

    def passes(times: int, off: float) -> None:
        for number in range(times):
            place = 0.3 * np.cos(number), 0.3 * np.sin(number)
            size = Sized(0, (float(place[0]), float(place[1])), Magnified(off, 0.0003))
            one = SeenChips("1", 1, 1, 1, 1.0, ring, replace(said, sized=size))
            counting.see("1.bet", [one], last=True)
            counting.see("1.bet", [], last=True)

    passes(60, 0.0)
    passes(15, 0.0025)
    three = seen(3, (0.3, 0.0), dict.fromkeys(range(1, 8), 1.0), 0.0025)
    chances = counting.gauge.judged([three])[0][0]
    assert chances.argmax() == 2
    assert chances.max() > 0.9


def test_a_chip_laid_on_a_stack_is_a_new_stack() -> None:
    (one,) = [one for one in around() if abs(one.centre[0] - 960) < 60]
    assert one.evidence is not None
    assert one.evidence.sized is not None
    size = one.evidence.sized.seen
    grown = replace(
        one.evidence,
        sized=replace(one.evidence.sized, seen=replace(size, ratio=size.ratio + 0.004)),
    )
    counting = Counting.of(taught_chips())
    counting.see("1.bet", [one], last=True)
    counting.see("1.bet", [one], last=True)
    counting.see("1.bet", [replace(one, evidence=grown)], last=True)
    (told,) = counting.told()["1.bet"]
    assert told.evidence is not None
    assert told.evidence.times == 1


def sided(count: int, shift: float = 0.0) -> SeenChips:
    """A stack away from the middle by its side alone, its top that many pixels aside."""
    sides = np.full(len(NUMBERS), 1e-4)
    sides[count - 1] = 1.0
    ring = np.zeros((8, 2), np.float32) + np.float32(400 + shift)
    evidence = Evidence(sides / sides.sum(), None, RISES)
    return SeenChips("1", count, count, count, 1.0, ring, evidence)


@pytest.mark.parametrize("later", [sided(2), sided(1, 1.0)])
def test_a_chip_laid_on_one_whose_face_is_not_seen_is_a_new_stack(later: SeenChips) -> None:
    counting = Counting.of(taught_chips())
    for number in range(3):
        counting.see("1.bet", [sided(1)], first=not number, last=number == 2)
    for number in range(3):
        counting.see("1.bet", [later], first=not number, last=number == 2)
    (told,) = counting.told()["1.bet"]
    assert (told.least, told.most) == (later.count, later.count)
    assert told.evidence is not None
    assert told.evidence.times == 3


def test_a_stack_beside_which_a_hand_was_keeps_what_was_seen_of_it() -> None:
    counting = Counting.of(taught_chips())
    for number in range(6):
        counting.see("1.bet", [sided(2, 0.02 * number)], first=not number % 3, last=number % 3 == 2)
    (told,) = counting.told()["1.bet"]
    assert told.evidence is not None
    assert told.evidence.times == 6


def test_what_a_person_said_holds_though_the_pictures_say_otherwise() -> None:
    counting = Counting.of(taught_chips())
    counting.see("1.bet", [sided(1)], first=True, last=True)
    counting.say(sided(1), 2)
    counting.see("1.bet", [sided(1)], first=True, last=True)
    (told,) = counting.told()["1.bet"]
    assert (told.least, told.most) == (2, 2)


def test_what_a_person_says_of_one_stack_makes_others_certain() -> None:
    inner = min(around(), key=lambda one: abs(one.centre[0] - 960))
    assert inner.evidence is not None
    assert inner.evidence.sized is not None
    size = inner.evidence.sized.seen
    lower = replace(
        inner.evidence,
        sized=replace(inner.evidence.sized, seen=replace(size, ratio=size.ratio - RISES[1])),
    )
    other = replace(inner, outline=inner.outline + np.float32(80), evidence=lower)
    counting = Counting.of(taught_chips())
    counting.see("1.bet", [inner], last=True)
    counting.see("2.bet", [other], last=True)
    before = counting.told()
    assert not before["2.bet"][0].exact
    assert [before[place][0].settles for place in ("1.bet", "2.bet")] == [2, 2]
    counting.say(inner, 4)
    assert [(one.least, one.most) for one in counting.told()["2.bet"]] == [(3, 3)]


def standing(count: int, thick: float, *, spread: float = 0.12) -> Evidence:
    """A stack of chips that are so much thicker than they are taken for, by its side alone."""
    numbers = np.arange(1, 21)
    seen = count * (1 + thick)
    sides = np.exp(-(((numbers[None] * (1 + THICKER[:, None]) - seen) / spread) ** 2) / 2)
    return Evidence(sides / sides.sum(axis=1).max(), None, rises(numbers, 3.3, 820.0))


def test_stacks_tell_together_how_thick_their_chips_are() -> None:
    thin = float(THICKER[np.abs(THICKER + 0.22).argmin()])
    gauge = Gauge.of(1, thick_doubt=0.1)
    (alone,), _ = gauge.judged([standing(4, thin)])
    assert int(alone.argmax()) + 1 == 3, "of the usual thickness, it would be three"
    assert ranged(alone)[2] >= 4, "but that was not measured"
    single = [standing(1, thin, spread=0.1)] * 4
    told, known = gauge.judged([*single, standing(4, thin), standing(7, thin)])
    assert [ranged(one)[0] for one in told[-2:]] == [4, 7]
    again, _ = known.judged([standing(4, thin)])
    assert ranged(again[0])[0] == 4, "what was learned is kept"


def test_a_person_s_answer_tells_how_thick_chips_are() -> None:
    thick = float(THICKER[-2])
    gauge = Gauge.of(1, thick_doubt=0.1)
    _, known = gauge.judged([standing(5, thick).said(5)])
    told, _ = known.judged([standing(4, thick)])
    assert ranged(told[0]) == (4, 4, 4)


@pytest.mark.slow
@pytest.mark.parametrize("thick", [2.5, 3.0, 4.0])
def test_the_range_holds_stacks_whose_thickness_nobody_measured(thick: float) -> None:
    styles = tuple(replace(style, thick=thick) for style in DEVELOPMENT["clay"])
    chips, found = taught("clay", styles, measured=False), Counter[str]()
    for seed in (4200, 4201, 4202):
        rng = np.random.default_rng(seed)
        scene = drawn_scene(stacks(styles, 12, 5, rng), rng)
        reader = ChipReader(chips, camera=camera_of(scene))
        found.update(judged(scene, reader.read(scene.picture, scene.cards)))
    assert found["held"] >= found["piles"] - 1
    assert found["exact"] >= 0.75 * found["piles"]
