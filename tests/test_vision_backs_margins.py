"""Another card's margin across what seems to be one card, and the light on a heap of backs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.backs_drawn import (
    INDEX,
    SIZE_PX,
    areas_of,
    bordered,
    drawn,
    heap,
    laid_over,
    placed,
    sure,
)
from tests.hidden_hands import told
from vision.backs import several
from vision.backs.below import Prints
from vision.backs.count import backs
from vision.backs.explanation import CROSSED
from vision.backs.light import evened
from vision.backs.poses import Poses
from vision.backs.seams import in_view
from vision.backs.sheet import ACROSS
from vision.join.proportions import Shape
from vision.picture.geometry import Floats, Frame


def test_only_a_print_within_a_margin_has_one() -> None:
    laid = [placed(300, 300, 0)]
    for frame, has in ((bordered(laid), True), (drawn(laid), False)):
        _, (card,) = heap(frame, laid)
        assert (Prints(card).margin is not None) is has


@pytest.mark.parametrize("off", [0.0, 0.7, 1.5])
def test_a_card_a_little_off_its_place_is_not_crossed(off: float) -> None:
    """Its lines are beside where they should be, too light and too dark by turns."""
    made, (under, top) = heap(*both(placed(300, 300, 0), placed(350, 303, 2)))
    margin = Prints(top).margin
    assert margin is not None
    moved = Poses(made, under.sizes, under.at + np.array((0, off, 0), np.float32))
    assert margin.across(moved, in_view(moved, [top.outlines()[0]])) < CROSSED


def test_a_card_that_stands_for_two_is_crossed_by_the_margin_of_the_other() -> None:
    made, (_, under, top) = heap(
        *both(placed(270, 300, 0), placed(300, 303, 0), placed(350, 300, 0))
    )
    margin = Prints(top).margin
    assert margin is not None
    stands = Poses(made, under.sizes, under.at - np.array((12, 0, 0), np.float32))
    assert margin.across(stands, in_view(stands, [top.outlines()[0]])) >= CROSSED


def both(*laid: Floats) -> tuple[Frame, list[Floats]]:
    return bordered(list(laid)), list(laid)


@pytest.mark.parametrize("slope", [(-0.08, 0.0), (0.06, 0.05)])
def test_a_row_under_a_lamp_is_evened_out(slope: tuple[float, float]) -> None:
    laid = [placed(200 + 104 * n, 300, 0) for n in range(5)]
    down, right = np.mgrid[:600, :1000] / SIZE_PX[0]
    light = np.exp(slope[0] * (right - 4) + slope[1] * (down - 3))[..., None]
    frame = np.clip(drawn(laid) * light, 0, 255).astype(np.uint8)
    made, cards = heap(frame, laid)
    made = evened(made, ACROSS)
    levels = [
        made.levels[round(float(y)) - 8 : round(float(y)) + 8, round(float(x))].mean(axis=0)
        for x, y, _ in (card.at[0] for card in cards)
    ]
    assert np.ptp(levels, axis=0).max() < 6


def test_even_light_is_left_as_it_is() -> None:
    laid = [placed(200 + 104 * n, 300, 0) for n in range(5)]
    made, _ = heap(bordered(laid), laid)
    assert evened(made, ACROSS) is made


@pytest.mark.parametrize("has", [True, False])
def test_three_cards_whose_print_differs_are_told_by_their_margins(
    has: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By their prints alone they would be asked about."""
    monkeypatch.setattr(several, "unbroken", lambda *_: False)
    monkeypatch.setattr(several, "agreeing", lambda _, laid: [False] * len(laid))
    if not has:
        monkeypatch.setattr(Prints, "margin", None)
    fan = laid_over((300, 300, 0), (362, 301, 3), (394, 300, -2))
    found = backs(bordered(fan), areas_of(fan, rim=0.97), (), Shape(), INDEX)
    assert len(sure(found)) == (3 if has else 0)
    assert len(found) == 3


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(8, marks=pytest.mark.slow),  # cards of a fine print in a row of seven
        9,  # plain cards under a lamp
    ],
)
def test_hands_under_a_webcam_are_counted(seed: int) -> None:
    assert all(laid == sure and not asked for laid, sure, asked in told(seed, "webcam"))
