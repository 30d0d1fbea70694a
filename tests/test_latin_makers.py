"""Drawn Latin decks: as many signs as the rank says, whoever draws or cuts them out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.cards import SUITS, Card, Rank, Suit
from vision.read.sign_count import alone, counted
from vision.scene.crossing import REACH, crossing
from vision.scene.latin import SIGNS, drawn, maker, signs_at
from vision.scene.pen import Pen
from vision.scene.regional import Kind, RegionalDeck
from vision.scene.stands import IN_ROWS, LONG, stands
from vision.training.cuttings import Cut, cuttings, signs_of

PATTERN = RegionalDeck(Kind.NEAPOLITAN)
COUNTS = range(1, 10)


@pytest.mark.parametrize("suit", SUITS)
def test_as_many_signs_are_drawn_as_are_asked_for(suit: Suit) -> None:
    rng = np.random.default_rng(5)
    for count in COUNTS:
        assert all(len(stands(suit, count, rng)) == count for _ in range(40))
    assert all(sum(rows) == count for count, ways in IN_ROWS.items() for rows in ways)


@pytest.mark.parametrize("suit", [suit for suit in SUITS if suit not in LONG])
def test_coins_and_cups_stay_on_the_card(suit: Suit) -> None:
    rng = np.random.default_rng(6)
    for count in range(2, 10):
        for _ in range(40):
            for _, y, tall, _ in stands(suit, count, rng):
                assert tall / 2 < y < 1 - tall / 2


@pytest.mark.parametrize("count", [4, 6, 9])
def test_crossing_clubs_stay_on_the_card(count: int) -> None:
    inks = [(40, 40, 200), (200, 60, 40), (40, 180, 220)]
    for seed in range(30):
        page = np.full((200, 200, 3), 255, np.uint8)
        crossing(Pen(page, (100, 100), 160), Suit.CLUBS, count, inks, np.random.default_rng(seed))
        columns, rows = (np.flatnonzero((page < 200).any(axis=(way, 2))) for way in (0, 1))
        room = (REACH + 0.07) * 160  # the knobs at their ends reach farther
        assert 100 - room <= columns.min() <= columns.max() <= 100 + room
        assert 100 - 0.57 * 160 <= rows.min() <= rows.max() <= 100 + 0.57 * 160


def test_the_ends_of_crossing_clubs_are_level_or_on_an_oval() -> None:
    """With some makers, the leftmost end of four is lower than the highest."""
    inks, lower = [(40, 40, 200), (200, 60, 40)], []
    for seed in range(30):
        page = np.full((200, 200, 3), 255, np.uint8)
        crossing(Pen(page, (100, 100), 160), Suit.CLUBS, 4, inks, np.random.default_rng(seed))
        inked = np.asarray((page < 200).any(axis=2))
        left = int(inked.any(axis=0).argmax())
        leftmost = inked[:, left : left + 8].any(axis=1)
        lower.append(int(leftmost.argmax()) - int(inked.any(axis=1).argmax()))
    assert min(lower) < 6
    assert max(lower) > 16


@pytest.mark.parametrize("crossed", [True, False])
@pytest.mark.parametrize("name", ["4C", "5S", "8S", "9C", "6D", "3H"])
def test_the_signs_are_where_they_are_said_to_be(name: str, crossed: bool) -> None:
    card, size = Card.parse(name), (224, 368)
    count = int(name[0])
    for seed in range(6):
        by = replace(maker(seed, crossed=crossed, numbered=False), frame=0, named=False)
        page = drawn(by, card, size).astype(int)
        signs = signs_at(by, card, size)
        assert len(signs) == count
        for line in signs:
            x, y = np.clip(np.round(line[len(line) // 2]).astype(int), 4, np.array(size) - 5)
            around = np.abs(page[y - 4 : y + 5, x - 4 : x + 5] - by.paper).max()
            assert around > 30


@pytest.mark.parametrize("suit", SUITS)
def test_aces_of_many_makers_show_more_than_their_sign(suit: Suit) -> None:
    ace = Card(Rank.ACE, suit)
    makers = [maker(seed) for seed in range(30)]
    assert {by.ornate for by in makers} == {True, False}
    for by in makers:
        plain = replace(by, ornate=False)
        differs = (drawn(by, ace, (56, 92)) != drawn(plain, ace, (56, 92))).any()
        assert differs == by.ornate


def test_a_tapered_line_is_as_wide_as_asked_at_each_end() -> None:
    page = np.full((100, 200, 3), 255, np.uint8)
    line = [(x, 0.0) for x in (-0.8, 0.0, 0.8)]
    Pen(page, (100, 50), 100, weight=0).tapered(line, [0.1, 0.3, 0.5], (0, 0, 200), 1 / 30)
    high = (page[..., 1] < 128).sum(axis=0)
    assert high[[30, 100, 170]].tolist() == pytest.approx([13, 30, 47], abs=3)


def test_makers_draw_edges_of_different_weight() -> None:
    card = Card.parse("6S")
    dark = [
        int((drawn(replace(maker(4), weight=weight, dark=(0, 0, 0)), card, (224, 368)) < 30)
            .all(axis=2).sum()) for weight in (0.25, 0.8, 1.4)
    ]  # fmt: skip
    assert dark == sorted(set(dark))


def test_a_maker_who_prints_names_changes_nothing_else() -> None:
    for card in (Card.parse("4D"), Card.parse("KC")):
        plain, named = (drawn(replace(maker(5), named=name), card, (112, 184))
                        for name in (False, True))  # fmt: skip
        rows = np.flatnonzero((plain != named).any(axis=(1, 2)))
        assert len(rows) > 0
        assert np.all((rows < 16) | (rows >= 168))


def test_concentric_rings_are_one_sign() -> None:
    face = np.full((96, 64, 3), 245, np.uint8)
    for x in (18, 46):
        pen = Pen(face, (x, 48), 20)
        pen.disc((0, 0), 0.5, (40, 160, 200))
        pen.disc((0, 0), 0.42, (245, 245, 245))
        pen.disc((0, 0), 0.2, (40, 160, 200))
    assert counted(face).alike == 2


def test_signs_are_cut_out_whole_and_laid_out_by_any_maker() -> None:
    found = cuttings(PATTERN)
    assert {Suit.DIAMONDS, Suit.HEARTS} <= found.keys()
    signs = dict(SIGNS) | {suit: Cut(of_suit) for suit, of_suit in found.items()}
    card, right = Card.parse("6D"), 0
    for seed in range(10):
        face = drawn(maker(seed), card, (112, 184), signs)
        assert (face != drawn(maker(seed), card, (112, 184))).any()
        right += len(alone(face)) == 6
    assert right >= 7  # in the others some signs touch each other or an ornament


def test_each_suit_is_cut_from_one_deck_or_drawn() -> None:
    choose = signs_of([cuttings(PATTERN)], SIGNS)
    shown = [choose(np.random.default_rng(seed))[Suit.DIAMONDS] for seed in range(12)]
    assert {isinstance(one, Cut) for one in shown} == {True, False}
