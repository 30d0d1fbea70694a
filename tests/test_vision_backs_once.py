"""No face-down card is counted twice, whichever way it was found and whatever was known before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.backs_drawn import (
    CARD,
    SCALE,
    SIZE,
    areas_of,
    bordered,
    placed,
)
from vision.backs import remainder, several
from vision.backs.found import Found
from vision.backs.heaps import Heap, Laid, heap
from vision.backs.once import once, without_doubles
from vision.backs.parts import FRAMED, Back, blobs_of_backs
from vision.backs.remainder import FAINT
from vision.backs.several import Several
from vision.backs.stack import Heaped
from vision.backs.unmoved import Lay
from vision.find.finder import Areas
from vision.picture.geometry import Box, Floats, Frame


@pytest.mark.parametrize(("off", "more"), [(18, 0), (40, 1)])
def test_a_back_that_was_badly_seen_under_an_arm_is_no_second_one(
    off: int, more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A corner of the lower card was found 18 pixels off, which left some of it unexplained."""
    high, low = placed(300, 200, 90), placed(300, 290, 90)
    frame, areas = bordered([high, low]), areas_of([high, low], rim=0.97)
    (blob,) = blobs_of_backs(areas, (CARD[0] * SCALE, CARD[1] * SCALE))
    area = heap(frame, areas, blob, (CARD[0] * SCALE, CARD[1] * SCALE), [])
    monkeypatch.setattr(Heap, "without", lambda heap, cards: 0.2 if len(cards) < 3 else 0.0)
    monkeypatch.setattr(Heap, "_on_top", lambda *shown: Laid(low, 1.0, 0.0))
    monkeypatch.setattr(Heap, "_still", lambda *shown: True)
    askew = low.copy()
    askew[int((low @ (1, 1)).argmax())] -= np.array((off, 0), np.float32)
    assert len(area.added([high, askew])) == more


def test_a_back_detected_in_two_ways_is_one() -> None:
    """The outlines are those read of one card from the pictures of a hand of Pineapple."""
    shape = [(1457, 32), (1556, 21), (1572, 160), (1473, 171)]
    colour = [(1471, 173), (1456, 31), (1557, 18), (1572, 160)]
    one, two = (Back(np.array(corners, np.float32), 0.95) for corners in (shape, colour))
    beside = Back(one.corners + np.float32(8), 0.95)
    assert once([one, two]) == [one]
    assert once([one, beside, two]) == [one, beside]


def test_a_card_beside_a_heap_is_not_counted_again_with_the_heap() -> None:
    """The outlines are those read of two overlapping cards and a third next to them from the
    pictures of a hand of Chinese Poker; the maps kept the third one apart."""
    third = [(1002, 28), (1102, 33), (1095, 173), (995, 168)]
    others = [(834, 31), (934, 32), (933, 172), (833, 171)], [(878, 34), (978, 30), (985, 170)]
    heaped = [
        Back(np.array(corners, np.float32), 0.67)
        for corners in (third, others[0], [*others[1], (885, 174)])
    ]
    shape = np.array([(992, 24), (1103, 24), (1103, 175), (992, 175)], np.float32)
    alone = Back(shape, 0.97)
    size, vague = (100.0, 140.0), Back(shape, 0.5)
    assert without_doubles(heaped, [alone], size) == [*heaped[1:], alone]
    assert without_doubles(heaped, [vague], size) == [*heaped, vague]
    sure = Back(heaped[0].corners, FRAMED)
    assert without_doubles([sure], [alone], size) == [sure]


@pytest.mark.parametrize("sure", [0.67, 0.95])
def test_a_card_of_a_heap_that_was_found_before_the_others_is_not_counted_twice(
    sure: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three hole cards, the lowest was known, a little off; the whole heap shows it again."""
    card = np.array(((0, 40), (100, 40), (100, 180), (0, 180)), np.float32)
    heap = [np.asarray(np.add(card, (x, 0)), np.float32) for x in (40, 80, 140)]
    known = Back(np.asarray(np.add(heap[2], (4, -7)), np.float32), sure)
    maps = np.zeros((80, 80), np.float32)
    areas = Areas(maps, maps + np.float32(FAINT), Box(0, 0, 320, 320), 0.25)
    bare = np.zeros(maps.shape, np.uint8)
    bare[10:45, 10:33] = 1
    monkeypatch.setattr(remainder, "_even_parts", lambda *shown: iter([bare]))
    monkeypatch.setattr(remainder, "stacked", lambda *shown: Heaped(tuple(heap), certain=True))
    picture = np.zeros((320, 320, 3), np.uint8)
    told = remainder.faint(picture, areas, (100.0, 140.0), [known], [])
    assert len(told) == 3
    assert all(one.confidence >= FRAMED for one in told)


@pytest.mark.parametrize("contested", [False, True])
def test_of_a_heap_that_two_numbers_of_cards_explain_the_fewest_are_certain(
    contested: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three cards to pass lie over each other: two of them already cover all that shows."""
    card = np.array(((20, 40), (120, 40), (120, 180), (20, 180)), np.float32)
    heap = (card, np.asarray(np.add(card, (92, 0)), np.float32))
    maps = np.zeros((80, 80), np.float32)
    maps[10:45, 5:53] = 1.0
    areas = Areas(np.zeros_like(maps), maps, Box(0, 0, 320, 320), 0.25)
    blob = (maps > 0).astype(np.uint8)
    sizes: list[float] = []

    def explained(*given: Any, own: object = None, **_: object) -> Heaped:
        if own is not None:  # nothing else touches it
            return Heaped()
        sizes.append(given[3][0])
        narrow = given[3][0] < 100
        return Heaped(heap, certain=narrow, fewest=1 if contested and not narrow else 0)

    monkeypatch.setattr(several, "stacked", explained)
    monkeypatch.setattr(several, "unbroken", lambda *shown: True)
    picture = np.zeros((320, 320, 3), np.uint8)
    told, _ = Several(picture, areas, (100.0, 140.0), [blob], (), (90.0, 140.0)).heaped()
    assert [one.confidence >= FRAMED for one in told] == [True, not contested]
    assert len(sizes) == (1 if contested else 2)


@pytest.mark.parametrize("sure", [0.67, FRAMED])
def test_a_card_that_another_area_has_for_certain_is_not_counted_twice(
    sure: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The grain of a table joins two of three cards in a row, which the maps keep apart."""
    card = np.array(((20, 40), (120, 40), (120, 180), (20, 180)), np.float32)
    first, second, third = (np.asarray(np.add(card, (x, 0)), np.float32) for x in (0, 130, 240))
    maps = np.zeros((80, 120), np.float32)
    areas = Areas(maps, maps, Box(0, 0, 480, 320), 0.25)
    left, right = np.zeros((2, *maps.shape), np.uint8)
    left[10:45, 5:30], right[10:45, 37:90] = 1, 1
    again = np.asarray(np.add(second, (4, -7)), np.float32)

    def explained(area: Several, blob: Any) -> list[Back]:
        if blob is right:
            return [Back(second, FRAMED), Back(third, FRAMED)]
        if area.faces:
            return [Back(first, FRAMED)]
        return [Back(first, sure), Back(again, sure)]

    monkeypatch.setattr(Several, "_of_either_size", explained)
    picture = np.zeros((320, 480, 3), np.uint8)
    for uneven in ([left, right], [right, left]):
        told, _ = Several(picture, areas, (100.0, 140.0), uneven, ()).heaped()
        assert len(told) == 3
        assert all(one.confidence >= FRAMED for one in told)


def test_hidden_cards_that_lie_as_they_lay_are_not_counted_again() -> None:
    """Only if each shows its edges where neither a card nor a hand lies over it, and nothing else
    lies there."""
    lay = [placed(400.0, y, 90.0) for y in (200.0, 245.0, 330.0)]
    size = CARD[0] * SCALE, CARD[1] * SCALE

    def still(cards: Sequence[Floats], shown: Frame, seen: Sequence[Floats] = lay) -> bool:
        areas = areas_of(seen, rim=0.97)
        (blob,) = blobs_of_backs(areas, size)
        return Lay(shown, areas, size, cards).unmoved(blob)

    frame = bordered(lay[::-1])
    assert still(lay, frame)
    assert not still(lay[1:], frame)
    assert not still([*lay, placed(400.0, 260.0, 90.0)], frame)
    another = placed(400.0, 290.0, 90.0)
    assert not still(lay, bordered([*lay[::-1], another]), [*lay, another])
    moved = [*lay[:2], placed(412.0, 342.0, 95.0)]
    assert not still(lay, bordered(moved[::-1]), moved)


def test_a_hand_that_rests_on_hidden_cards_leaves_them_as_they_lay() -> None:
    lay = [placed(300.0, 300.0, 0.0), placed(408.0, 300.0, 0.0)]
    size = CARD[0] * SCALE, CARD[1] * SCALE
    areas, frame = areas_of(lay, rim=0.97), bordered(lay)
    frame[200:300, 330:390] = 120, 150, 200
    areas.back[50:75, 83:97] = 0.1
    blob = (areas.back >= 0.35).astype(np.uint8)
    assert Lay(frame, areas, size, lay).unmoved(blob)
    frame[200:400, 250:500] = 120, 150, 200
    areas.back[50:100, 62:125] = 0.1
    assert not Lay(frame, areas, size, lay).unmoved(blob)


@pytest.mark.parametrize(("turn", "more"), [(0.0, 1), (6.0, 0)])
def test_a_card_that_covers_another_one_s_side_is_not_overlooked(turn: float, more: int) -> None:
    """The third of a row, over the second, which hides most of the first one's right side."""
    first, second = placed(400.0, 300.0, 0.0), placed(440.0, 300.0, 0.0)
    third = placed(506.0 if turn else 440.0, 300.0, turn)
    row = [first, second, third] if turn else [first, third]
    frame, areas = bordered(row), areas_of(row, rim=0.97)
    size = CARD[0] * SCALE, CARD[1] * SCALE
    (blob,) = blobs_of_backs(areas, size)
    assert len(heap(frame, areas, blob, size, []).added([first])) == more


@pytest.mark.parametrize(("apart", "turned", "believed"), [(20.0, 90.0, 0), (60.0, 0.0, 3)])
def test_two_cards_laid_at_once_do_not_hide_each_other(
    apart: float, turned: float, believed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A back of lines laid beside one that lay there was taken for two across one another."""
    size = CARD[0] * SCALE, CARD[1] * SCALE
    lay, first, second = (
        placed(300.0, 420.0, 90.0),
        placed(300.0, 280.0, 0.0),
        placed(300.0 + apart, 280.0, turned),
    )
    areas = areas_of([lay, first, second], rim=0.97)
    blob = (areas.back >= 0.35).astype(np.uint8)
    laid = tuple(Laid(corners, 1.0, 1.0, 0.0) for corners in (first, second))
    monkeypatch.setattr(Heap, "added", lambda *_: laid)
    monkeypatch.setattr(Lay, "unmoved", lambda *_: False)
    monkeypatch.setattr(Several, "_backs_of", lambda *_: Found([]))
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    found, _ = Several(picture, areas, size, [blob], (), None, [lay]).heaped()
    assert len(found) == believed


@pytest.mark.parametrize(("off", "cards"), [(14.0, 1), (60.0, 2)])
def test_a_card_alone_by_the_maps_is_no_second_one_of_the_heap_beside_it(
    off: float, cards: int
) -> None:
    """A shadow joined the last card of a row to the others; alone, it was found larger."""
    heaped = Back(placed(300, 200, 40), 0.95)
    swollen = (CARD[0] + 2 * off / SCALE, CARD[1] + off / SCALE) if cards == 1 else CARD
    alone = Back(placed(300 + off / 3 * cards**2, 200, 37, swollen), 0.98)
    told = without_doubles([heaped], [alone], (CARD[0] * SCALE, CARD[1] * SCALE))
    assert len(told) == cards


def test_what_a_hand_left_in_view_of_a_back_is_no_second_one_when_it_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a card under fingers, a nearly square part was read beside them; then it lay open."""
    card = placed(300, 300, 90)
    off = np.array([(22, -6), (140, -6), (140, 101), (22, 101)], np.float32)
    part = card.min(axis=0) + off
    frame, areas = bordered([card]), areas_of([card], rim=0.97)
    size = CARD[0] * SCALE, CARD[1] * SCALE
    (blob,) = blobs_of_backs(areas, size)
    found = (Laid(card, 1.0, 1.0, 0.0),)
    monkeypatch.setattr(Lay, "unmoved", lambda *_: False)
    monkeypatch.setattr(Heap, "added", lambda *_: found)
    for lay, known in ((part, 0), (card, 2)):
        picture = Several(frame, areas, size, [blob], (), None, [lay])
        assert len(picture._added(blob)) == known
