"""From indices to physical cards: which indices belong to one card, and which to none.

Two opposite indices make one card, and both opinions count; so do all visible corners of a deck
with indices in four of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.find.finder import Indices
from vision.join.corners import at_bare_corner
from vision.join.folding import folded
from vision.join.joined import Joined, Mark, card_of, cards_of, marks_of
from vision.join.pairs import (
    ALIGNED,
    ALIKE_ENOUGH,
    estimate,
    pairs_of,
    sure_ways,
    ways_between,
)
from vision.join.proportions import FURTHER, SLACK, Proportions, Shape
from vision.join.rectangles import Four, apart, every_rectangle, rectangles
from vision.picture.geometry import Floats
from vision.read.index_classifier import FACES
from vision.sightings import SURE

SEVERAL = 3
"""Number of cards of a picture, each with two opposite indices in sight, of which one would show a
third if the deck had them. A choice; `python -m tests.spreads` judges it."""
TWO_CARDS = 2.0
"""How many times as slim as a card the rectangle is, at most, that the corners on one side of two
equal cards in a row form. Follows from cards that lie half a card apart."""
OWNERS = 2
"""Number of other cards to which the corners of a pair belong, if it is no card. Follows from two
corners being two."""
OF_ONE_DECK = 1.1
"""Largest ratio of the proportions of two cards of one deck in a picture, with the error of four
indices and the slant. A choice: two jacks in a row, three quarters of a card apart, had 1.23 times
those of the three beside them; `python -m tests.equal_cards` judges it."""


def join(
    indices: Indices, faces: Floats, deck: Proportions | None = None
) -> tuple[tuple[Joined, ...], Shape]:
    """The physical cards that `indices` with these `faces` (N, 53) show, and the deck's shape.

    The shape comes from what is known of the `deck` in play, which is updated; without a deck, from
    the picture.
    """
    ways, possible = ways_between(indices)
    known = deck.shape if deck is not None else None
    every = list(every_rectangle(indices, faces, range(len(indices)), Shape()))
    loose = apart(every)
    others = sorted({*range(len(indices))} - {number for four in loose for number in four})
    slim = rectangles(indices, faces, others, Shape(), TWO_CARDS) if loose else []
    single = _of_one_card(indices, [*loose, *slim])
    shape = (
        known
        or _of_rectangles(indices, loose, single[: len(loose)])
        or estimate(ways, possible, faces)
    )
    parted = [(one, other) for four, sole in zip([*loose, *slim], single, strict=True) if not sole
              for one in (four[0], four[3]) for other in (four[1], four[2])]  # fmt: skip
    for one, other in parted:
        possible[one, other] = possible[other, one] = False
    if deck is not None and shape == Shape():
        shape = deck.perhaps or shape
    plain = [four for four, one in zip(loose, single, strict=False)
             if one and _is_plain(four, every, faces)]  # fmt: skip
    pairs = _without_strays(pairs_of(ways, possible, faces, shape, indices), plain)
    if deck is not None:
        deck.note(sure_ways(ways, pairs, faces))
    two_cornered = deck is not None and deck.two_cornered
    cards = _Grouping(indices, faces, shape, parted, two_cornered).fewest(pairs)
    if deck is not None:
        deck.note_corners(_further(cards, faces))
    return cards, shape


@dataclass(frozen=True)
class _Grouping:
    """How the indices of a picture, some of them in pairs, are grouped to cards.

    Two indices that are `parted` are known to be two cards'; the deck may be known to be
    `two_cornered`.
    """

    indices: Indices
    faces: Floats
    shape: Shape
    parted: Sequence[tuple[int, int]]
    two_cornered: bool

    def cards(self, pairs: Sequence[tuple[int, int]]) -> tuple[Joined, ...]:
        """The cards with these `pairs`, and what the other indices make."""
        indices, faces, shape = self.indices, self.faces, self.shape
        marks = marks_of(indices)
        paired = cards_of(marks, faces, pairs, shape)
        taken = {number for pair in pairs for number in pair}
        rest = [number for number in range(len(indices)) if number not in taken]
        fours = [
            four
            for four in rectangles(indices, faces, rest, shape)
            if not any(one in four and other in four for one, other in self.parted)
        ]
        paired += [_four_cornered(marks, faces, four) for four in fours]
        taken.update(number for four in fours for number in four)
        singles = [card_of(marks, faces, number, shape) for number in rest if number not in taken]
        two_cornered = self.two_cornered or _two_cornered(paired, indices, faces)
        joined = [*paired, *singles]
        return folded(joined, indices, shape, two_cornered=two_cornered, parted=self.parted)

    def fewest(self, pairs: Sequence[tuple[int, int]]) -> tuple[Joined, ...]:
        """The cards with these `pairs`, without any that makes more cards than there need be.

        In a spread pile of a deck with indices in four corners, the corners of two cards that the
        others leave in sight may lie as the two ends of a third one would, and each with the rest
        of its own card's too.
        """
        kept = list(pairs)
        cards = self.cards(kept)
        four_cornered = any(len(card.members) > 2 for card in cards)
        for pair in pairs if four_cornered else ():
            if not self._may_be_two(pair, cards):
                continue
            others = [other for other in kept if other != pair]
            fewer = self.cards(others)
            if len(fewer) < len(cards) and self._read_the_same(pair, fewer):
                kept, cards = others, fewer
        return cards

    def _may_be_two(self, pair: tuple[int, int], cards: Sequence[Joined]) -> bool:
        """Whether nothing but its two ends is seen of a card, and two others read the same."""
        own = next((card for card in cards if pair[0] in card.members), None)
        if own is None or set(own.members) != set(pair):
            return False
        alike = [card for card in cards if float(card.faces @ own.faces) >= ALIKE_ENOUGH]
        return len(alike) > OWNERS

    def _read_the_same(self, numbers: Iterable[int], cards: Iterable[Joined]) -> bool:
        """Whether each of these indices shows what the others of its card do.

        A card may hide part of a suit sign, but not its ink.
        """
        shown = [FACES[face] for face in self.faces.argmax(axis=1).tolist()]
        own = [card.members for number in numbers for card in cards if number in card.members]
        return all(len({(shown[n].rank, shown[n].suit.red) for n in one}) == 1 for one in own)


def _of_rectangles(indices: Indices, fours: Sequence[Four], single: Sequence[bool]) -> Shape | None:
    """The shape of the cards of which all four corners are in sight, if there are any.

    Their sides tell it better than their diagonals do, whose direction follows from two indices.
    """
    cards = [four for four, one in zip(fours, single, strict=True) if one]
    if not cards:
        return None
    heights = indices.heights[np.array(cards)].mean(axis=1)
    across, down = (float(np.median(pair / heights)) for pair in _sides_of(indices, cards))
    return Shape(across, down, SLACK)


def _sides_of(indices: Indices, fours: Sequence[Four]) -> tuple[Floats, Floats]:
    """The lengths of the short and of the long sides (2, N) of rectangles of indices, in pixels."""
    corners = indices.centres[np.array(fours)]  # upper left, lower right, upper right, lower left
    sides = [corners[:, one] - corners[:, other] for one, other in ((0, 2), (1, 3), (0, 3), (1, 2))]
    lengths = np.stack([np.linalg.norm(side, axis=1) for side in sides])
    return np.asarray(lengths[:2], np.float32), np.asarray(lengths[2:], np.float32)


def _of_one_card(indices: Indices, fours: Sequence[Four]) -> list[bool]:
    """Whether each of some rectangles is one card's, or too narrow beside a card that lies as it
    does.

    The corners on one side of two equal cards in a row form a rectangle, too, and of those in a
    picture the one with a standard card's proportions decides.
    """
    if not fours:
        return []
    short, long = (pair.mean(axis=0) for pair in _sides_of(indices, fours))
    slim = np.log(long / short * (Shape().across / Shape().down))
    ups = indices.ups[[four[0] for four in fours]]
    aligned = np.abs(ups @ ups.T) >= ALIGNED
    best = [slim[row][np.abs(slim[row]).argmin()] for row in aligned]
    return [bool(one - other <= np.log(OF_ONE_DECK)) for one, other in zip(slim, best, strict=True)]


def _is_plain(four: Four, every: Sequence[Four], faces: Floats) -> bool:
    """Whether four corners are read with confidence, and none could be another card's as well."""
    sure = bool((faces[list(four)].max(axis=1) >= SURE).all())
    rivals = (other for other in every if set(other) != set(four))
    return sure and not any(set(other) & set(four) for other in rivals)


def _without_strays(
    pairs: Sequence[tuple[int, int]], plain: Iterable[Four]
) -> list[tuple[int, int]]:
    """The `pairs`, but for any that takes one end of a `plain` card's diagonal and leaves the other
    end alone, while the card's other diagonal is a pair.

    In a column of equal cards, an end of the next one lies nearly where the card's own does.
    """
    kept = list(pairs)
    for four in plain:
        for one, other in ((four[:2], four[2:]), (four[2:], four[:2])):
            strays = [pair for pair in kept if set(pair) & set(other)]
            whole = any(set(pair) == set(one) for pair in kept)
            if whole and len(strays) == 1 and set(strays[0]) != set(other):
                kept = [*(pair for pair in kept if pair is not strays[0]), other]
    return kept


def _four_cornered(marks: Sequence[Mark], faces: Floats, four: Four) -> Joined:
    """The card that shows the same at all of its `four` corners."""
    diagonals = cards_of(marks, faces, [four[:2], four[2:]], None)
    best = max(diagonals, key=lambda card: float(card.faces.max()))
    other = four[2:] if best is diagonals[0] else four[:2]
    return replace(best, members=best.members + other)


def _two_cornered(paired: Sequence[Joined], indices: Indices, faces: Floats) -> bool:
    """Whether the cards of a picture have an index in two of their corners only.

    Several show both of these with confidence, and hardly one shows the same at a third corner: of
    a row of cards of which each covers the edge of the one before, the next card's index lies
    there, and may be the same card of another pack.
    """
    sure = [card for card in paired if card.agreement is not None and _sure(card, faces)]
    if len(sure) < SEVERAL:
        return False
    first = [card.members[0] for card in sure]
    alike = np.asarray(faces[first] @ faces.T >= ALIKE_ENOUGH, np.bool_)
    for number, card in enumerate(sure):
        alike[number, list(card.members)] = False
    others = set(np.nonzero(alike)[0].tolist())
    thirds = sum(
        len(card.members) > 2 or (number in others and _has_third(card, indices, alike[number]))
        for number, card in enumerate(sure)
    )
    return thirds <= FURTHER * len(sure)


def _has_third(card: Joined, indices: Indices, alike: NDArray[np.bool_]) -> bool:
    """Whether another index that reads `alike` (N,) lies at a bare corner of a card."""
    return any(at_bare_corner(card, indices, number) for number in np.flatnonzero(alike).tolist())


def _sure(card: Joined, faces: Floats) -> bool:
    """Whether a card's two opposite indices were read with confidence, and the same."""
    first, last = card.members[:2]
    return float((faces[first] * faces[last]).max()) >= SURE**2


def _further(cards: Sequence[Joined], faces: Floats) -> Iterator[bool]:
    """Of each card with two opposite indices that were read with confidence, whether it has more.

    Where a card of four corners shows two opposite ones, it nearly always shows a third.
    """
    for card in cards:
        if card.agreement is not None and _sure(card, faces):
            yield len(card.members) > 2
