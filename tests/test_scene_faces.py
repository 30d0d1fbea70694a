"""Drawn cards against what is printed on every French-suited pack."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import BACK, JOKER, RANKS, SUITS, Card, Rank, Suit
from vision.scene.faces import DeckStyle, DrawnDeck, drawn_styles
from vision.scene.glyphs import Typeface, rank_mask, suit_mask

PX = 4.0


def ink(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Where something is printed, 0 or 1."""
    dark = face[..., :3].min(axis=2) < 140
    printed: NDArray[np.uint8] = (dark & (face[..., 3] > 250)).astype(np.uint8)
    return printed


def middle(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The face without the strips that carry the indices."""
    side = face.shape[1] // 6
    return ink(face)[:, side:-side]


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize("rank", [rank for rank in RANKS if not rank.court])
def test_number_cards_carry_as_many_pips_as_they_count(rank: Rank, suit: Suit) -> None:
    face = DrawnDeck(DeckStyle()).face(Card(rank, suit), PX)
    pips = cv2.connectedComponents(middle(face))[0] - 1
    assert pips == RANKS.index(rank) + 1


@pytest.mark.parametrize("style", drawn_styles())
def test_a_card_reads_the_same_from_both_ends(style: DeckStyle) -> None:
    deck = DrawnDeck(style)
    strip = round(style.width * PX / 7)
    for name in ("KS", "TD", "6C"):
        face = ink(deck.face(Card.parse(name), PX))
        half = face.shape[0] // 2
        upper, lower = face[:half, :strip], face[::-1, ::-1][:half, :strip]
        assert upper.sum() > 50
        assert np.mean(upper != lower) < 0.02


@pytest.mark.parametrize("style", drawn_styles())
def test_ink_fills_every_index_box_and_nothing_just_outside(style: DeckStyle) -> None:
    deck = DrawnDeck(style)
    for name in ("8H", "AS", "QD"):
        card = Card.parse(name)
        printed = ink(deck.face(card, PX))
        for index in deck.indices(card):
            x = (index.x + style.width / 2) * PX
            y = (index.y + style.height / 2) * PX
            reach = index.height * PX / 2
            columns = slice(int(x - index.width * PX / 2), int(x + index.width * PX / 2) + 1)
            rows = np.flatnonzero(printed[:, columns].any(axis=1))
            inside = rows[(rows > y - reach - 6) & (rows < y + reach + 6)]
            assert inside.min() == pytest.approx(y - reach, abs=2.0)
            assert inside.max() == pytest.approx(y + reach, abs=2.0)


def test_rank_is_above_the_suit_in_the_index_s_up_direction() -> None:
    style = DeckStyle()
    card = Card.parse("7H")
    indices = DrawnDeck(style).indices(card)
    assert len(indices) == style.corners
    for index in indices:
        # The rank is toward the card's end: away from its middle.
        assert index.up[1] * index.y > 0


def test_four_corner_decks_turn_the_lower_indices() -> None:
    style = next(style for style in drawn_styles() if style.corners == 4)
    deck = DrawnDeck(style)
    card = Card.parse("7S")
    assert len(deck.indices(card)) == 4
    printed = ink(deck.face(card, PX)).astype(float)
    strip = round(style.width * PX / 7)
    half = printed.shape[0] // 2
    left, right = printed[half:, :strip], printed[half:, -strip:]
    below = np.abs(left[:, ::-1] - right).mean()
    moved = min(
        float(np.abs(np.roll(left, shift, axis=1) - right).mean()) for shift in range(-8, 9)
    )
    # The same print, moved across, and not its mirror image.
    assert moved < 0.03 < below


def test_red_suits_are_red_and_black_ones_dark() -> None:
    for suit in SUITS:
        face = DrawnDeck(DeckStyle()).face(Card(Rank.SEVEN, suit), PX)
        blue, _, red = face[..., :3][ink(face) == 1].mean(axis=0)
        assert (red > 2 * blue) == suit.red


def test_sizes_are_those_of_poker_and_bridge_cards() -> None:
    poker = DrawnDeck(DeckStyle()).face(JOKER, 10.0)
    bridge = DrawnDeck(DeckStyle(width=57.2)).back(10.0)
    assert poker.shape[:2] == (889, 635)
    assert bridge.shape[:2] == (889, 572)


def test_backs_have_no_index_and_look_alike() -> None:
    deck = DrawnDeck(DeckStyle())
    assert deck.indices(BACK) == ()
    assert np.array_equal(deck.back(2.0), deck.face(BACK, 2.0))


@pytest.mark.parametrize("rank", RANKS)
def test_every_rank_differs_from_every_other(rank: Rank) -> None:
    face = Typeface()
    mine = cv2.resize(rank_mask(rank, face, 40), (24, 40)).astype(float)
    for other in RANKS:
        if other is not rank:
            theirs = cv2.resize(rank_mask(other, face, 40), (24, 40)).astype(float)
            assert np.abs(mine - theirs).mean() > 15


def test_a_letter_t_is_no_ten_whichever_is_drawn_first() -> None:
    """A rank equals its letter as text; all tens were once drawn as the ace of Russian decks."""
    for face in (Typeface(), Typeface(weight=0.1)):
        drawn = [rank_mask(one, face, 40) for one in (Rank.TEN, "T", Rank.TEN)]
        assert np.array_equal(drawn[0], drawn[2])
        assert drawn[0].shape != drawn[1].shape


def test_holes_of_the_figures() -> None:
    """An 8 encloses two areas, 4, 6, 9, A, Q and the zero of 10 one, the others none."""
    holes = {"8": 2, "4": 1, "6": 1, "9": 1, "A": 1, "Q": 1, "T": 1}
    for rank in RANKS:
        mask = np.pad(rank_mask(rank, Typeface(weight=0.1), 80), 2)
        areas = cv2.connectedComponents((mask < 100).astype(np.uint8), connectivity=4)[0] - 2
        assert areas == holes.get(rank.value, 0), rank


def test_signs_are_symmetrical_left_to_right() -> None:
    for suit in SUITS:
        mask = suit_mask(suit, 60).astype(float)
        assert np.abs(mask - mask[:, ::-1]).mean() < 12
