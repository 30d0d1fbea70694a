"""Whether what is seen may be a card that lay there, told by its face and its place alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rules.cards import BACK
from vision.picture.geometry import Polygon, distance, overlap, short_side
from vision.sightings import Lying, Sighting
from vision.track.consensus import NEAR, apart, off_place, paired

SAME = 0.35
"""Minimum share of its place that a doubtful card shares with another for it to be that card seen
again, slightly displaced: its outline jumps when a neighbour is laid close by. The same holds for a
back and one that was not seen again; two seen at the same time are two. A choice;
`python -m tests.dealt_table` judges it."""
SQUARE = 0.2
"""Distance of another face's centre from that of a card that hardly changed, in short sides, beyond
which it is not a card laid squarely on it; indices in a fan are this close to each other. A choice;
`python -m tests.dealt_table` judges it."""
REPLACED = 0.25
"""Minimum share of a card's place occupied by another for it to have replaced the card that is no
longer seen. A choice; `python -m tests.dealt_table` judges it."""

TWIN = 0.14
"""Distance between two equal faces, in short sides, below which they are one card: 9 mm. A card
that juts out by so little from under another shows at most half of its index. Follows from where
indices are; of an ace of which another covered the middle, both ends were read, 0.12 apart."""

ANOTHER = 0.25
"""Distance in short sides between the corners of two readings from which each shows an index of its
own. A choice: an index is an eighth of a short side wide and a quarter high; of two fives across
each other the corners were 0.4 and 0.5 apart."""


def seen_again(old: Lying, seen: Lying | Sighting) -> bool:
    """Whether a card that lay there has been seen again."""
    return old.card == seen.card and off_place(old, seen) < NEAR


Second = Callable[[Lying, Lying], bool]
"""Whether a face has an index which an equal one in full view, near by, has not."""


def singly(seen: Sequence[Lying], second: Second, lay: Sequence[Lying] = ()) -> tuple[Lying, ...]:
    """What was read, with two equal faces in one place as one card unless one is a `second`.

    They are two as well if two equal cards `lay` there.
    """
    found: list[Lying] = []
    for one in sorted(seen, key=lambda card: (not card.whole, -card.confidence)):
        same = [other for other in found if one.card != BACK and _is_same(other, one)]
        if all(_both_lay(lay, one, other) or (other.whole and second(one, other))
               for other in same):  # fmt: skip
            found.append(one)
    return tuple(one for one in seen if any(one is other for other in found))


def _both_lay(lay: Sequence[Lying], one: Lying, other: Lying) -> bool:
    """Whether two equal cards already lay where these are read, each nearest to one of them."""
    equal = [old for old in lay if old.card == one.card]
    if len(equal) < 2:
        return False
    first, second = (min(equal, key=partial(apart, read)) for read in (one, other))
    return first is not second and max(apart(first, one), apart(second, other)) < TWIN


def _is_same(one: Lying, other: Lying) -> bool:
    """Whether two equal faces are one card, read twice.

    Two of which each shows both its indices, none of them where the other has one, lie across each
    other.
    """
    if one.card != other.card or apart(one, other) >= TWIN:
        return False
    side = max(short_side(one.outline), 1.0)
    pairs = ((one.outline[end], there) for end in (0, 2) for there in other.outline[::2])
    across = all(distance(*pair) > ANOTHER * side for pair in pairs)
    return not (one.whole and other.whole and across)


def may_be(old: Lying, seen: Lying) -> bool:
    """Whether something doubtful may be a card that lay there, by its print and its place.

    A back of which a strip is visible may be reported at any place it overlaps.
    """
    told = seen.nameless or any(card == old.card for card, _ in seen.candidates)
    if not seen.doubtful or not told:
        return False
    return apart(old, seen) < NEAR or (old.card == BACK and is_one_of([old], seen))


def vague(seen: Lying) -> bool:
    """Whether a card may be a back, or nothing."""
    return seen.doubtful and seen.card == BACK


def without_again(old: Lying, fresh: Sequence[Lying]) -> list[Lying]:
    """The fresh cards without a back that is only the old one seen again."""
    again = paired([old], [one for one in fresh if one.card == BACK])
    return [one for one in fresh if one is not again.get(id(old))]


def may_be_still(old: Lying, fresh: Lying) -> bool:
    """Whether what lies where little has changed is what lay there.

    From afar, an ace laid on a two of its suit changes little, but then a different face is read
    with confidence.
    """
    other = fresh.card != old.card and BACK not in (old.card, fresh.card)
    return fresh.doubtful or not (old.doubtful or other)


def next_to(old: Lying, fresh: Lying) -> bool:
    """Whether two faces are those of neighbours in a fan."""
    other = fresh.card != old.card and BACK not in (old.card, fresh.card)
    return other and not (old.doubtful or fresh.doubtful) and apart(old, fresh) > SQUARE


def replaced(old: Lying, fresh: Sequence[Lying]) -> bool:
    """Whether one of the fresh cards has taken a card's place."""
    area = Polygon(old.outline).area
    return any(overlap(old.outline, card.outline) > REPLACED * area for card in fresh)


def is_one_of(known: Sequence[Lying], card: Lying) -> bool:
    """Whether something doubtful, or a back, is one of the cards already `known`."""
    twins = [other for other in known if card.doubtful or card.card == other.card == BACK]
    area = Polygon(card.outline).area
    return any(overlap(card.outline, other.outline) > SAME * area for other in twins)


def parts_of(lay: Sequence[Lying], seen: Sequence[Lying]) -> list[Lying]:
    """The doubtful backs of those that `lay` there that are now seen to be parts of others.

    What a hand left in view of a back was read beside its place; once the hand has left, the back
    is seen where none lay, and that part no more.
    """
    backs = [one for one in seen if one.card == BACK]
    surely = [old for old in lay if not vague(old)]
    new = [
        one for one in backs if not one.doubtful and not any(seen_again(old, one) for old in surely)
    ]
    return [
        old
        for old in lay
        if vague(old)
        and is_one_of(new, old)
        and not any(one.doubtful and seen_again(old, one) for one in backs)
    ]
