"""What the bare table looked like is remembered, and a place that looks so again is bare."""

from __future__ import annotations

import numpy as np

from vision import Box
from vision.track.light import Noise
from vision.track.motion import Memory
from vision.track.zones import Zone


def test_a_place_that_was_seen_bare_in_another_light_is_bare_again() -> None:
    """A hunting exposure settles while cards lie there: the table under them was seen darker."""
    bright = np.tile(np.array((50, 72, 106), np.uint8), (60, 60, 1))
    dark, there = (bright * 0.68).astype(np.uint8), np.zeros((60, 60), np.bool_)
    there[20:43, 20:36] = True
    with_card = np.where(there[..., None], np.uint8(220), bright).astype(np.uint8)
    memory = Memory()
    memory.settle(dark, np.ones((60, 60), np.bool_))
    corner = np.zeros((60, 60), np.uint8)
    corner[:10, :10] = 255
    memory.relight(np.full(3, 1 / 0.68))
    for _ in range(20):
        memory.settle(with_card, ~there, corner)
    everywhere = slice(0, 60), slice(0, 60)
    assert memory.shows_table(bright, everywhere, there)
    assert not memory.shows_table(with_card, everywhere, there)
    assert not memory.shows_table(dark // 2, everywhere, there)


def test_a_sleeve_that_rested_on_bare_table_does_not_become_the_table() -> None:
    """A place that was once learned wrongly is bare again when it looks like its surroundings."""
    table = np.tile(np.array((38, 32, 91), np.uint8), (60, 60, 1))
    there = np.zeros((60, 60), np.bool_)
    there[20:43, 20:36] = True
    sleeve = np.where(there[..., None], np.uint8(140), table).astype(np.uint8)
    memory, everywhere = Memory(), (slice(0, 60), slice(0, 60))
    memory.settle(sleeve, np.ones((60, 60), np.bool_))
    assert memory.shows_table(table, everywhere, there)
    assert not memory.shows_table(np.full_like(table, 200), everywhere, there)


def test_a_sleeve_that_rested_where_the_table_was_seen_hides_nothing_of_its_look() -> None:
    """On a table that does not look alike all over, a place is bare as it was before the sleeve."""
    levels = np.linspace(30, 180, 60, dtype=np.uint8)
    table = np.repeat(np.tile(levels, (60, 1))[..., None], 3, axis=2)
    there = np.zeros((60, 60), np.bool_)
    there[20:43, 4:20] = True
    bare, everywhere = np.ones((60, 60), np.bool_), (slice(0, 60), slice(0, 60))
    sleeve = np.where(there[..., None], np.uint8(200), table).astype(np.uint8)
    memory = Memory()
    memory.settle(table, bare)
    memory.settle(sleeve, bare)
    assert memory.shows_table(table, everywhere, there)
    assert not memory.shows_table(np.full_like(table, 240), everywhere, there)


def test_a_hand_that_rested_on_the_bare_table_is_not_the_table_when_it_returns() -> None:
    """It lay on an empty spot, and came back in the same pose over a card on it."""
    table = np.tile(np.array((53, 55, 59), np.uint8), (60, 60, 1))
    there = np.zeros((60, 60), np.bool_)
    there[20:43, 20:36] = True
    hand = np.where(there[..., None], np.array((120, 150, 190)), table).astype(np.uint8)
    bare, everywhere = np.ones((60, 60), np.bool_), (slice(0, 60), slice(0, 60))
    memory = Memory()
    for seen in (hand, table):
        memory.settle(seen, bare)
    assert memory.shows_table(table, everywhere, there)
    assert not memory.shows_table(hand, everywhere, there)


def test_a_sleeve_over_what_is_bare_of_a_full_spot_says_nothing_about_the_light() -> None:
    """All of a spot is covered except a margin, over which a sleeve rests for a while."""
    table = np.tile(np.array((38, 32, 91), np.uint8), (180, 320, 1))
    part = slice(60, 100), slice(120, 160)
    mask, everywhere = np.full((40, 40), 255, np.uint8), (slice(0, 40), slice(0, 40))
    cards = np.ones((40, 40), np.bool_)
    cards[:3] = False
    zone = Zone("side", None, Box(0, 0, 40, 40), part, mask, mask)
    sleeved = table.copy()
    sleeved[50:, 100:180] = 75, 62, 60
    for picture, bare in ((table, np.ones_like(cards)), (sleeved, ~cards)):
        zone.relight(picture)
        zone.memory.settle(picture[part], bare)
    zone.relight(table)
    assert zone.memory.shows_table(table[part], everywhere, cards)
    brighter = np.clip(table * 1.24, 0, 255).astype(np.uint8)
    assert not zone.memory.shows_table(brighter[part] * 2, everywhere, cards)
    zone.relight(brighter)
    assert zone.memory.shows_table(brighter[part], everywhere, cards)


def test_what_is_as_dark_as_the_table_is_a_change_and_a_shadow_is_not() -> None:
    """In a dim light, dark backs differ from a dark cloth by ten levels of twenty."""
    cloth = np.full((90, 160, 3), (16, 20, 18), np.uint8)
    memory, bare = Memory(), np.ones((90, 160), np.bool_)
    memory.settle(cloth, bare)
    laid, shade = cloth.copy(), cloth.copy()
    laid[20:42, 40:56] = (24, 30, 27)
    shade[20:42, 40:56] = (12, 14, 13)
    place = slice(20, 42), slice(40, 56)
    limits = Noise().limit(16, 4.0)
    assert memory.changed(laid, limits)[place].all()
    assert not memory.shows_table(laid, place, bare[place])
    assert not memory.changed(shade, limits).any()
    assert memory.shows_table(shade, place, bare[place])
