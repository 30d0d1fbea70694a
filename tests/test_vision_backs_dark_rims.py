"""A print that runs to the edge of a card has a dark rim, which tells cards that lie together."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.backs_drawn import CARD, RED, SCALE, WHITE, drawn, heap, laid_over, placed
from tests.hidden_hands import told
from vision.backs.below import Prints
from vision.backs.dark_rims import DarkRim, dark_rim
from vision.backs.explanation import CROSSED, UNCROSSED, Copy
from vision.backs.poses import Bare, Poses
from vision.backs.seams import in_view
from vision.backs.sheet import Sheet
from vision.picture.geometry import Floats, Frame

PITCH_MM, RADIUS_MM = 3.2, 0.9
"""The distance of a print's dots along both diagonals, and their size: as printed on decks whose
backs run to the edge."""


def dotted(laid: list[Floats], rim_mm: float = 1.4) -> Frame:
    """Red cards with white dots up to a millimetre and a half from their edge."""
    frame = drawn([])
    for outline in laid:
        cv2.fillPoly(frame, [np.round(outline * 8).astype(np.int32)], RED, cv2.LINE_AA, 3)
        short = np.linalg.norm(outline[1] - outline[0]) < np.linalg.norm(outline[2] - outline[1])
        ways = outline[1] - outline[0], outline[3] - outline[0]
        right, down = (way / np.linalg.norm(way) for way in (ways if short else ways[::-1]))
        middle = outline.mean(axis=0)
        steps = np.arange(-40, 41)
        for x, y in np.stack(np.meshgrid(steps, steps), 2).reshape(-1, 2):
            at = np.array((x + y, x - y)) * PITCH_MM / 2
            if (np.abs(at) > np.array(CARD) / 2 - rim_mm - RADIUS_MM).any():
                continue
            dot = middle + (right * at[0] + down * at[1]) * SCALE
            centre = (round(float(dot[0]) * 8), round(float(dot[1]) * 8))
            cv2.circle(frame, centre, round(RADIUS_MM * SCALE * 8), WHITE, -1, cv2.LINE_AA, 3)
    return np.asarray(cv2.GaussianBlur(frame, (0, 0), 0.8), np.uint8)


FAN = laid_over((270, 300, 0), (310, 303, 3), (352, 300, -2))


def rim_of(laid: list[Floats]) -> tuple[Sheet, list[Poses], DarkRim]:
    made, cards = heap(dotted(laid), laid)
    found = Prints(cards[-1]).margin
    assert isinstance(found, DarkRim)
    return made, cards, found


def test_a_rim_is_known_where_a_card_lies_over_another() -> None:
    assert rim_of(FAN)
    alone = [placed(300, 300, 0)]
    _, (card,) = heap(dotted(alone), alone)
    assert Prints(card).margin is None


def test_dots_up_to_the_very_edge_have_none() -> None:
    _, (*_, top) = heap(dotted(FAN, rim_mm=-2.0), FAN)
    assert dark_rim(top, Prints(top).exact) is None


def test_nothing_across_the_card_itself_may_be_as_dark() -> None:
    """As are the lines of a print; one of them would be a card's border everywhere."""
    frame = dotted(FAN)
    middle = FAN[-1].mean(axis=0)
    for off in range(-40, 41, 16):
        x = round(float(middle[0])) + off
        cv2.line(frame, (x, 240), (x, 360), (30, 25, 110), 3, cv2.LINE_AA)
    _, (*_, top) = heap(frame, FAN)
    assert dark_rim(top, Prints(top).exact) is None


def test_a_card_that_stands_for_two_is_crossed_by_the_rim_of_the_other() -> None:
    made, (low, under, top), rim = rim_of(FAN)
    over = [top.outlines()[0]]
    assert rim.across(under, in_view(under, over)) < UNCROSSED
    both = [*over, under.outlines()[0]]
    assert rim.across(low, in_view(low, both)) < UNCROSSED
    stands = Poses(made, under.sizes, under.at - np.array((14, 0, 0), np.float32))
    assert rim.across(stands, in_view(stands, over)) >= CROSSED


@pytest.mark.parametrize("off", [-7.0, 0.0, 7.0])
def test_a_border_between_others_shows_the_rim_where_it_is(off: float) -> None:
    """The dots have edges too, and stand in rows."""
    made, (_, under, top), rim = rim_of(FAN)
    moved = Poses(made, under.sizes, under.at + np.array((off, 0, 0), np.float32))
    (shown,) = rim.shares(moved, Bare.beside(made, [top.outlines()[0]]))
    assert bool(shown >= 0.85) is (off == 0)


def test_a_rim_counts_as_long_as_there_is_some_light() -> None:
    laid = FAN
    dim = (dotted(laid) * 0.7).astype(np.uint8)
    made, cards = heap(dim, laid)
    assert dark_rim(cards[-1], Prints(cards[-1]).exact) is not None
    made = replace(made, levels=made.levels * 0.15)
    dark = Poses(made, cards[-1].sizes, cards[-1].at)
    assert dark_rim(dark, Prints(dark).exact) is None


def test_a_rim_that_another_card_shows_counts_if_the_uppermost_one_touches_none() -> None:
    """A card lay by itself at the end of a row, and the others over each other."""
    laid = [*FAN, placed(470, 300, 0)]
    _, (_, under, top, alone) = heap(dotted(laid), laid)
    prints = Prints(alone)
    assert prints.margin is None
    covered = Copy(under, 1.0, 1.0, 0.4, 1.0)
    assert prints.learned(covered) is prints
    learned = prints.learned(Copy(top, 1.0, 1.0, 1.0, 0.7))
    assert isinstance(learned.margin, DarkRim)
    over = [top.outlines()[0]]
    assert learned.margin.across(under, in_view(under, over)) < UNCROSSED
    assert learned.learned(Copy(top, 1.0, 1.0, 1.0, 0.7)) is learned


@pytest.mark.slow
def test_hands_of_dots_that_run_to_the_edge_are_counted() -> None:
    assert all(laid == sure and not asked for laid, sure, asked in told(48, "webcam"))
