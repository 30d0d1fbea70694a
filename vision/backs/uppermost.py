"""The uppermost card of a heap: the one with all its edges, laid on them to a fraction of a dot.

All that is told of a heap hangs on it: its size is the other cards', and its print is what they are
known by. Beside its own edges there are its frame's and those of the cards below, so it is looked
for from several places around, and the clearest of size and edges is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from vision.backs.copies import Bare, Poses, Sides, distinct, sides_of
from vision.backs.fitting import fitted
from vision.picture.geometry import Floats

PLACES, TRIED = 8, 3
"""How many places are looked at closely for the uppermost card, and how many are tried as it. A
choice; `python -m tests.face_down` judges it."""
CLOSELY_AT, CLOSELY = (20, 28), (-0.5, 0.0, 0.5)
"""At how many points along a short and a long side the edges of a card are looked at, and how many
dots beside where they have to be. A choice; `python -m tests.face_down` judges it."""
WHOLE_SIDE, WHOLE = 0.6, 0.8
"""The share of each side, and of all of the border, that must show an edge of what is tried as the
uppermost card. A choice; `python -m tests.face_down` judges it."""
NEAR = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""Dots to the right and down, and degrees, by which a card is moved before it is laid on its edges.
A choice: on 43 drawn heaps the card that comes first lies within a dot of where it was drawn in 32,
from one place only in 24."""
OFFSETS = np.array(list(product(NEAR, NEAR, NEAR)), np.float32)
"""The same as places. Follows from it."""
BEST, ANOTHER = 3, 1.6
"""How many of those are laid on their edges, and how many dots they lie apart. A choice;
`python -m tests.face_down` judges it."""
STEEPEST, STEEP = 200.0, 60.0
"""Levels over two dots beyond which an edge is no clearer, and how many of them count as much as
having all edges. A choice: of two lines along a border the outer one is the steeper."""
STRETCHED = 2.5
"""How much a size counts that is not the deck's, by the share that it is off. A choice: of the
places of one card those with an edge of its frame's are a fiftieth too narrow."""
SAME = (5.0, 7.0)
"""Within how many dots and degrees two places are one card's. A choice;
`python -m tests.face_down` judges it."""


def uppermost(places: Poses) -> list[Poses]:
    """The cards with edges all round, clearest first, among some `places`."""
    if not len(places.at):
        return []
    bare = Bare.beside(places.sheet, ())
    sides = sides_of(places, bare)
    worth = sides.shares + _least(sides) + sides.bordered
    clear = [one for place in distinct(places, worth, PLACES) for one in _settled(place, bare)]
    clear.sort(key=lambda one: -one[0])
    kept: list[Poses] = []
    for _, card in clear:
        if len(kept) < TRIED and not any(_same(card, one) for one in kept):
            kept.append(card)
    return kept


def settled(place: Poses) -> Poses:
    """The first of some cards, laid on the edges around it as an uppermost one."""
    found = list(_settled(place, Bare.beside(place.sheet, ())))
    return max(found, key=lambda one: one[0])[1] if found else place


def _settled(place: Poses, bare: Bare) -> Iterator[tuple[float, Poses]]:
    """The first of some cards on the edges around it in several ways, with how clear each is; only
    those that show enough of all their sides."""
    for begun in (place.chosen(np.arange(1)), *_around(place, bare)):
        card = fitted(begun, bare, sized=True)
        shown = sides_of(card, bare, CLOSELY_AT, CLOSELY)
        if _least(shown)[0] >= WHOLE_SIDE and shown.shares[0] >= WHOLE:
            yield _worth(shown) - STRETCHED * _stretched(card, place), card


def _around(place: Poses, bare: Bare) -> Iterator[Poses]:
    """The places with the clearest edges around the first of some cards."""
    near = Poses(place.sheet, place.size, np.asarray(place.at[:1] + OFFSETS, np.float32))
    sides = sides_of(near, bare)
    left = np.argsort(-(sides.shares + sides.bordered + sides.strength() / 2), kind="stable")
    for _ in range(BEST):
        if not len(left):
            return
        yield near.chosen(left[:1])
        away = np.hypot(*(near.at[left, :2] - near.at[left[0], :2]).T)
        left = left[away > ANOTHER]


def _worth(sides: Sides) -> float:
    """How clear all the edges of the first of some cards are."""
    steep = np.minimum(sides.steep[0], STEEPEST)[sides.bare[0]]
    clear = _least(sides)[0] + sides.shares[0] + sides.bordered[0]
    return float(clear) + float(steep.mean()) / STEEP


def _least(sides: Sides) -> Floats:
    """The share (N,) of the side that shows the least edge."""
    return np.asarray(np.nan_to_num(sides.each, nan=1.0).min(axis=1), np.float32)


def _stretched(card: Poses, place: Poses) -> float:
    """By which share both sides of a card together are off from those that were thought."""
    return float(np.abs(np.array(card.size) / np.array(place.size) - 1).sum())


def _same(card: Poses, other: Poses) -> bool:
    """Whether the first of some cards lies where another one does."""
    across, down, turn = np.abs(card.at[0] - other.at[0])
    turn %= 180
    return bool(np.hypot(across, down) <= SAME[0] and min(turn, 180 - turn) <= SAME[1])
