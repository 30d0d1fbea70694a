"""Find the uppermost card of a heap: the one with all its edges, to a fraction of a dot.

Everything reported about a heap depends on it: its size is the other cards', and its print is how
they are recognized. Next to its own edges there are its frame's and those of the cards below, so it
is searched for from several places nearby, and the clearest fit in size and edges is chosen.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from vision.backs.borders import EXACTLY, Sides, sides_of
from vision.backs.fitting import fitted
from vision.backs.poses import Bare, Poses, best_around, distinct, joined
from vision.backs.symmetry import centred, symmetries
from vision.picture.geometry import Floats

PLACES, TRIED = 8, 3
"""Number of places examined closely for the uppermost card, and number tried as it. A choice;
`python -m tests.face_down` judges it."""
WHOLE_SIDE, WHOLE = 0.6, 0.8
"""Minimum share of each side, and of the whole border, showing an edge on a card tried as the
uppermost. A choice; `python -m tests.face_down` judges it."""
NEAR = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""Offsets in dots to the right and down, and in degrees, from which a card is fitted to its edges.
A choice: on 43 drawn heaps the card that comes first lies within a dot of where it was drawn in 32,
from a single place only in 24."""
OFFSETS = np.array(list(product(NEAR, NEAR, NEAR)), np.float32)
"""The same as places. Follows from it."""
BEST = 3
"""Number of those fitted to their edges. A choice; `python -m tests.face_down` judges it."""
STEEPEST = 200.0
"""Rise in levels over two dots beyond which an edge is no clearer. A choice: of two lines along a
border the outer one is steeper."""
STRETCHED = 2.5
"""Penalty for a relative deviation from the deck's size. A choice: places of a card that use an
edge of its frame are a fiftieth too narrow."""

SYMMETRIC = 3.0
"""Weight of the share of a card that looks the same upside down, relative to the share of its
border that shows an edge. A choice; `python -m tests.face_down` judges it."""
ALIKE, SAME_FIT = 10, (0.7, 1.0)
"""Number of fits whose symmetry is measured, and the distance in dots and degrees within which two
are the same. A choice; `python -m tests.face_down` judges it."""
NO_CARD = -100.0
"""Worth of a place that shows no card. Follows from the largest worth of others."""


def uppermost(places: Poses) -> Poses:
    """The cards among some `places` that have edges all round, clearest first."""
    if not len(places):
        return places
    bare = Bare.beside(places.sheet, ())
    worth = places.each(lambda some: _bordered(sides_of(some, bare)))
    cards, clear = _settled(places.chosen(distinct(places, worth, PLACES)), bare)
    return cards.chosen(distinct(cards, clear, TRIED))


def settled(place: Poses) -> Poses:
    """A card fitted to the edges around it as an uppermost one."""
    cards, clear = _settled(place, Bare.beside(place.sheet, ()))
    return cards.chosen(np.argsort(-clear)[:1]) if len(cards) else place


def _settled(places: Poses, bare: Bare) -> tuple[Poses, Floats]:
    """Cards fitted in several ways to the edges around them, and how clear each is.

    Only those that show enough of all their sides are returned.
    """
    begun = joined([places, best_around(places, OFFSETS, lambda near: _edges(near, bare), BEST)])
    cards = fitted(begun, bare, sized=True)
    clear = _clear(cards, bare, places.sizes[0])
    cards = cards.chosen(distinct(cards, clear, ALIKE, SAME_FIT))
    cards = joined([cards, centred(cards)])
    clear = _clear(cards, bare, places.sizes[0]) + SYMMETRIC * symmetries(cards)
    return cards.chosen(clear > 0), clear[clear > 0]


def _clear(cards: Poses, bare: Bare, size: Floats) -> Floats:
    """How clear the edges of cards are, if a card has about this `size` (2,).

    It is far below zero for cards that do not show enough of all their sides.
    """
    sides = sides_of(cards, bare, EXACTLY)
    whole = (sides.least >= WHOLE_SIDE) & (sides.shares >= WHOLE)
    stretched = np.abs(cards.sizes / size - 1).sum(axis=1)
    clear = sides.least + sides.shares + sides.bordered + sides.strength(STEEPEST)
    return np.asarray(np.where(whole, clear - STRETCHED * stretched, NO_CARD), np.float32)


def _bordered(sides: Sides) -> Floats:
    """How much of an edge all sides of cards show."""
    return np.asarray(sides.shares + sides.least + sides.bordered, np.float32)


def _edges(near: Poses, bare: Bare) -> Floats:
    """How clear the edges of cards at these places are."""
    sides = sides_of(near, bare)
    return np.asarray(sides.shares + sides.bordered + sides.strength() / 2, np.float32)
