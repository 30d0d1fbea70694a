"""Things of one even colour may be backs without a print: a sleeve is not, and costs no search."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.backs_drawn import CARD, CLOTH, SCALE, WHITE
from vision.backs import remainder, stack
from vision.backs.explanation import Copy, Stack
from vision.backs.parts import Size
from vision.backs.plain import plain
from vision.backs.poses import Poses
from vision.backs.remainder import faint
from vision.backs.sheet import ACROSS, Sheet
from vision.backs.stack import Heaped, stacks
from vision.find.finder import Areas
from vision.picture.geometry import Box
from vision.picture.pyramid import Pyramid

SIZE = (340, 320)
"""What is read of a place for a meld: a card and half of one beyond each border, in pixels."""

SIZE_DOTS: Size = float(ACROSS), ACROSS * 1.4
"""A card's size in dots of a sheet."""


@pytest.mark.parametrize(
    ("ends", "searched"),
    [
        (((120, 0), (220, 319)), False),
        (((0, 200), (339, 120)), False),
        (((170, 160), (220, 319)), True),
        (((110, 160), (230, 160)), True),
    ],
)
def test_a_sleeve_across_a_spot_is_not_searched_for_backs(
    ends: tuple[tuple[int, int], tuple[int, int]], searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards lie across one border at most: those of the spot beside it, or a hand's own."""
    looked: list[object] = []

    def search(*heap: object) -> Heaped:
        looked.append(heap)
        return Heaped()

    monkeypatch.setattr(remainder, "stacked", search)
    frame = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    cv2.line(frame, ends[0], ends[1], WHITE, 90)
    back = np.zeros((SIZE[1] // 4, SIZE[0] // 4), np.float32)
    (x, y), (to_x, to_y) = ends
    cv2.line(back, (x // 4, y // 4), (to_x // 4, to_y // 4), 0.1, 24)
    areas = Areas(np.zeros_like(back), back, Box(0, 0, *SIZE), 0.25)
    faint(frame, areas, (CARD[0] * SCALE, CARD[1] * SCALE), [], [])
    assert bool(looked) is searched


@pytest.mark.parametrize(("left", "tries"), [(0.5, 3), (2.5, 1)])
def test_what_leaves_several_cards_unexplained_is_soon_given_up(
    left: float, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a score sheet, another card tried as the uppermost explains no more, and takes seconds."""
    begun: list[Poses] = []

    def explained(top: Poses, *_: object) -> Stack:
        begun.append(top)
        return Stack((Copy(top, edged=0.5, printed=1.0, sight=1.0, bordered=1.0),), left, 1.0)

    monkeypatch.setattr(stack, "uppermost", lambda likely: likely.chosen([0, 1, 2]))
    monkeypatch.setattr(stack, "explained", explained)
    list(stacks(_paper(1.5), SIZE_DOTS))
    assert len(begun) == tries


@pytest.mark.parametrize(("wide", "searched"), [(1.5, True), (3.6, False)])
def test_what_no_twelve_cards_cover_is_not_searched(
    wide: float, searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thing 3.6 times as wide and as high as a card has the area of thirteen."""
    looked: list[object] = []

    def everywhere(sheet: Sheet, size: Size) -> Poses:
        looked.append(sheet)
        return Poses.of(sheet, size, np.zeros((0, 3), np.float32))

    monkeypatch.setattr(stack, "everywhere", everywhere)
    list(stacks(_paper(wide), SIZE_DOTS))
    assert bool(looked) is searched


def _paper(wide: float) -> Sheet:
    """A white sheet `wide` times as wide and as high as a card."""
    across, down = (round(wide * side) for side in SIZE_DOTS)
    picture = np.full((down + 80, across + 80, 3), CLOTH, np.uint8)
    picture[40:-40, 40:-40] = WHITE
    paper = Sheet.of(picture, np.zeros(2, np.float32), 1.0)
    paper.heap[40:-40, 40:-40] = 1
    return paper


@pytest.mark.parametrize("period", [5.0, 6.0, 7.0])
def test_a_back_with_a_fine_grid_is_a_thing_of_one_colour(period: float) -> None:
    """Its grid beats with the cells in which it is looked at, 4 to 6 pixels wide."""
    frame = np.full((320, 340, 3), (40, 45, 60), np.uint8)
    x, y = np.meshgrid(np.arange(101), np.arange(142))
    grid = np.where((x % period < 2) | (y % period < 2), 120, 150)
    frame[80 : 80 + len(grid), 110 : 110 + grid.shape[1]] = grid[..., None]
    frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), 0.8), np.uint8)
    for scale in (0.17, 0.19, 0.25):
        bare = np.zeros((round(320 * scale), round(340 * scale)), np.float32)
        (corners,) = plain(Pyramid(frame), Areas(bare, bare, Box(0, 0, 340, 320), scale))
        assert np.abs(corners.mean(axis=0) - (160, 151)).max() < 6
