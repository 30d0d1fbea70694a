"""The uppermost card of a heap: the one with all its edges, laid on them to a fraction of a dot.

All that is told of a heap hangs on it: its size is the other cards', and its print is what they are
known by. Beside its own edges there are its frame's and those of the cards below, so it is looked
for from several places around, and the clearest of size and edges is taken.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from vision.backs.borders import EXACTLY, sides_of
from vision.backs.fitting import fitted
from vision.backs.poses import Bare, Poses, best_around, distinct
from vision.backs.symmetry import centred, symmetries
from vision.picture.geometry import Floats

PLACES, TRIED = 8, 3
"""How many places are looked at closely for the uppermost card, and how many are tried as it. A
choice; `python -m tests.face_down` judges it."""
WHOLE_SIDE, WHOLE = 0.6, 0.8
"""The share of each side, and of all of the border, that must show an edge of what is tried as the
uppermost card. A choice; `python -m tests.face_down` judges it."""
NEAR = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""Dots to the right and down, and degrees, by which a card is moved before it is laid on its edges.
A choice: on 43 drawn heaps the card that comes first lies within a dot of where it was drawn in 32,
from one place only in 24."""
OFFSETS = np.array(list(product(NEAR, NEAR, NEAR)), np.float32)
"""The same as places. Follows from it."""
BEST = 3
"""How many of those are laid on their edges. A choice; `python -m tests.face_down` judges it."""
STEEPEST = 200.0
"""Levels over two dots beyond which an edge is no clearer. A choice: of two lines along a border
the outer one is the steeper."""
STRETCHED = 2.5
"""How much a size counts that is not the deck's, by the share that it is off. A choice: of the
places of one card those with an edge of its frame's are a fiftieth too narrow."""

SYMMETRIC = 3.0
"""How much it counts which share of a card is the same turned half round, compared with the share
of an edge that it shows. A choice; `python -m tests.face_down` judges it."""
ALIKE, SAME_FIT = 10, (0.7, 1.0)
"""How many fits are looked at for their symmetry, and within how many dots and degrees two are one.
A choice; `python -m tests.face_down` judges it."""
NO_CARD = -100.0
"""What a place is worth that shows no card. Follows from what others are worth at most."""


def uppermost(places: Poses) -> Poses:
    """The cards with edges all round, clearest first, among some `places`."""
    if not len(places):
        return places
    bare = Bare.beside(places.sheet, ())
    sides = sides_of(places, bare)
    worth = sides.shares + sides.least + sides.bordered
    cards, clear = _settled(places.chosen(distinct(places, worth, PLACES)), bare)
    return cards.chosen(distinct(cards, clear, TRIED))


def settled(place: Poses) -> Poses:
    """A card laid on the edges around it as an uppermost one."""
    cards, clear = _settled(place, Bare.beside(place.sheet, ()))
    return cards.chosen(np.argsort(-clear)[:1]) if len(cards) else place


def _settled(places: Poses, bare: Bare) -> tuple[Poses, Floats]:
    """Some cards on the edges around them in several ways, and how clear each is; only those that
    show enough of all their sides."""
    begun = places.joined(best_around(places, OFFSETS, lambda near: _edges(near, bare), BEST))
    cards = fitted(begun, bare, sized=True)
    clear = _clear(cards, bare, places.sizes[0])
    cards = cards.chosen(distinct(cards, clear, ALIKE, SAME_FIT))
    cards = cards.joined(centred(cards))
    clear = _clear(cards, bare, places.sizes[0]) + SYMMETRIC * symmetries(cards)
    return cards.chosen(clear > 0), clear[clear > 0]


def _clear(cards: Poses, bare: Bare, size: Floats) -> Floats:
    """How clear the edges of cards are of which one has about a `size` (2,); far below zero of
    those that do not show enough of all their sides."""
    sides = sides_of(cards, bare, EXACTLY)
    whole = (sides.least >= WHOLE_SIDE) & (sides.shares >= WHOLE)
    stretched = np.abs(cards.sizes / size - 1).sum(axis=1)
    clear = sides.least + sides.shares + sides.bordered + sides.strength(STEEPEST)
    return np.asarray(np.where(whole, clear - STRETCHED * stretched, NO_CARD), np.float32)


def _edges(near: Poses, bare: Bare) -> Floats:
    """How clear the edges of cards at some places are."""
    sides = sides_of(near, bare)
    return np.asarray(sides.shares + sides.bordered + sides.strength() / 2, np.float32)
