"""The answer for a card: which face, how certain, and what else it could be."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, JOKER, Card, Rank, Suit
from vision.backs.parts import Back
from vision.find.finder import Indices
from vision.find.parts import lacking
from vision.join.evidence import supports
from vision.join.joined import Joined
from vision.join.suppression import CLEAR, impossible
from vision.picture.geometry import Floats, Frame, Outline, bearing
from vision.read.alphabets import LETTERED
from vision.read.glances import Glance
from vision.read.index_classifier import FACES, JOKER_FACE
from vision.sightings import OFFERED, SURE, Sighting

ASKABLE = 0.4
"""Minimum confidence of a question. Below it, nine of ten questions are about something that is not
a card. A card that is hard to read in one frame gets another chance in the next. A choice;
`python -m tests.dealt_table` judges it."""
EITHER = 0.7
"""The same for the two likeliest cards of a question together, if a letter leaves them, of one
suit: a V is a jack on some decks and a queen on others. A choice; `python -m
vision.training tables fan` judges it."""
SUPPORTED = 0.5
"""Minimum share of a card's area that must look like cards for its index to count fully; half a
card may be covered by a hand or by chips. A choice; `python -m tests.dealt_table` judges it."""
STRANGE_TRUST = 0.85
"""Weight of a reading of which the letter is not understood: a question, whatever the face says.
Which court it shows is seen wrongly on four of a hundred. A choice;
`python -m tests.foreign_letters` judges it."""
FAIRLY = 0.8
"""Minimum probability at which a letter disputes another reading of the same card, which is more
certain: that of a clear letter whose meaning is not certain. A choice; `python -m
tests.foreign_letters` judges it."""
LONE_JOKER, BOTH_JOKERS = 0.8, 0.85
"""Weight of a joker's index without a second one at the card's other end, and the minimum mean
probability of the two. Lettering of all kinds resembles it, and no suit sign confirms it, so it
asks rather than commits; two words of a line in large print were taken for the two indices of one
side, and two on the back of a book had 0.75. A choice: of jokers on photographs both ends have at
least 0.9, but for one with 0.7, and on 160 drawn ones nearly 1."""
TINY, TINY_TRUST = 11.0, 0.85
"""Index height in pixels below which a clear reading is still often wrong (four of nine on
generated pictures), and the weight of such a reading. A choice; `python -m tests.dealt_table`
judges it."""
CUT_TRUST = 0.85
"""Weight of a clear reading of an index that lacks too much of its print, or whose card cannot lie
as it seems: half an eight is a clear seven. A choice; `python -m tests.dealt_table` judges it."""
SOLID = 0.77
"""Share of a disc's radius that hides what is under it: the rest is its shadow. Follows from
`vision.chips.rounds.HALO`."""
BLURRED = 0.095
"""Spread of an edge, in index heights, beyond which a clear reading counts no more than one of a
tiny index: on generated tables one answer in ten was wrong there. A choice;
`python -m tests.dealt_table` judges it."""
NO_OTHER = ((BACK, 0.0),)
"""What stands for the second candidate where there is none. Follows from `askable`."""
KEPT = 0.001
"""Minimum probability of a candidate that is kept, lower than what is worth offering: a card read
at 0.98 that the deck in play lacks may be one of the deck at 0.002. A choice; `python -m tests.soak
--pictures` judges it."""


def cut_off(indices: Indices, frame: Frame) -> NDArray[np.bool_]:
    """Which of the indices (N,) are cut off by the picture's edge."""
    last = np.array((frame.shape[1], frame.shape[0]), np.float32)
    reach = indices.heights[:, None]
    beside = (indices.centres < reach) | (indices.centres >= last - reach)
    near, told = np.flatnonzero(beside.any(axis=1)), np.zeros(len(indices), np.bool_)
    if not len(near):
        return told  # as in nearly every part of a calibrated picture

    def beyond(points: Floats) -> NDArray[np.bool_]:
        return np.asarray(((points < 0) | (points >= last)).any(axis=2), np.bool_)

    told[near] = lacking(indices[near], beyond)
    return told


def covered(indices: Indices, discs: Floats) -> NDArray[np.bool_]:
    """Which of the indices (N,) lie partly under `discs` (M, 3), centres and radii in pixels."""
    away = np.linalg.norm(indices.centres[:, None] - discs[None, :, :2], axis=2)
    some = np.flatnonzero((away < discs[:, 2] + indices.heights[:, None]).any(axis=1))
    told = np.zeros(len(indices), np.bool_)
    if not len(some):
        return told

    def under(points: Floats) -> NDArray[np.bool_]:
        off = np.linalg.norm(points[:, :, None] - discs[:, :2], axis=3)
        return np.asarray((off < SOLID * discs[:, 2]).any(axis=2), np.bool_)

    told[some] = lacking(indices[some], under)
    return told


def answers(
    cards: Sequence[Joined],
    glance: Glance,
    figured: Collection[int] = (),
    disputed: Collection[int] = (),
) -> list[Sighting]:
    """The answers for the joined `cards` in a glance.

    Of those `figured`, by number, the figure tells what a strange letter means. Of those with an
    index that is `disputed`, by number, another index shows a strange letter.
    """
    shares = supports(glance.areas, [card.corners for card in cards]).tolist()
    cut = covered_by_cards(cards, glance.indices) | impossible(cards, glance.indices)
    # Nothing strange is in sight on most tables.
    plain = not disputed and not glance.strange.any()
    return [
        _answer(
            card,
            quality(card, glance, figured=plain or number in figured, disputed=disputed)
            * min(1.0, share / SUPPORTED)
            * (CUT_TRUST if number in cut else 1.0),
        )
        for number, (card, share) in enumerate(zip(cards, shares, strict=True))
    ]


def _answer(card: Joined, trust: float) -> Sighting:
    """The answer for a joined card whose reading has this weight, 0..1."""
    likely = ranked(card.faces * np.float32(trust))
    return _told(likely, card.corners, card.up, whole=card.agreement is not None)


def covered_by_cards(cards: Sequence[Joined], indices: Indices) -> frozenset[int]:
    """The cards, by number, that show one index only, unclear and partly under another card.

    Of that one both ends are in sight. Half a heart was read as a diamond at 0.96.
    """
    whole = [card for card in cards if card.agreement is not None]
    unclear = [number for number, card in enumerate(cards)
               if len(card.members) == 1 and card.faces.max() < CLEAR]  # fmt: skip
    if not whole or not unclear:
        return frozenset()

    def under(points: Floats) -> NDArray[np.bool_]:
        inside = [card.insets(points.reshape(-1, 2)) > 0 for card in whole]
        return np.asarray(np.any(inside, axis=0).reshape(points.shape[:2]), np.bool_)

    ends = np.array([cards[number].members[0] for number in unclear])
    told = lacking(indices[ends], under).tolist()
    return frozenset(number for number, cut in zip(unclear, told, strict=True) if cut)


def askable(answer: Sighting) -> bool:
    """Whether an answer is likely enough for a question: its card, or either of two that its letter
    may mean.

    >>> parse = Card.parse
    >>> def answer(*found: tuple[str, float]) -> Sighting:
    ...     candidates = tuple((parse(name), likely) for name, likely in found)
    ...     return Sighting(*candidates[0], candidates, ((0, 0),) * 4, (0, 0), 0)
    >>> askable(answer(("JS", 0.38), ("QS", 0.38))), askable(answer(("JS", 0.38), ("QC", 0.38)))
    (True, False)
    """
    if answer.confidence >= ASKABLE:
        return True
    (card, likely), (other, less) = (*answer.candidates, *NO_OTHER)[:2]
    alike = card.suit is other.suit and {card.rank, other.rank} <= {*LETTERED}
    return alike and likely + less >= EITHER


def contested(
    cards: Sequence[Joined], kept: Sequence[Joined], strange: NDArray[np.bool_]
) -> frozenset[int]:
    """The indices, by number, of those `kept` of the `cards` whose place another one disputes.

    That one has the same suit and another letter, fairly clear or one of the `strange` (N,): of a
    king with an H in two corners, the one that was half covered looked like a J, and more certainly
    so.
    """
    left = {card.members for card in kept}
    given_up = [card for card in cards if card.members not in left and _lettered(card, strange)]
    return frozenset(
        member
        for card in kept
        if any(_differ(card, one) and card.insets(one.centre[None])[0] > 0 for one in given_up)
        for member in card.members
    )


def _lettered(card: Joined, strange: NDArray[np.bool_]) -> bool:
    """Whether a card shows a letter that is strange or fairly clear."""
    clear = strange[list(card.members)].any() or card.faces.max() >= FAIRLY
    return bool(clear) and FACES[int(card.faces.argmax())].rank in LETTERED


def _differ(card: Joined, other: Joined) -> bool:
    """Whether both are likeliest cards of one suit, of different ranks."""
    one, two = (FACES[int(shown.faces.argmax())] for shown in (card, other))
    return one.suit is two.suit and one.rank is not two.rank


def quality(
    card: Joined, glance: Glance, *, figured: bool = False, disputed: Collection[int] = ()
) -> float:
    """The weight of a clear reading, based on the number, size and sharpness of its indices.

    If it is `figured`, a strange letter does not make a question of it. The `disputed` indices, by
    number, may show a strange letter too.
    """
    members = list(card.members)
    tiny = sum(glance.indices.heights[members].tolist()) < TINY * len(members)
    # An index without contrast says nothing about sharpness; of two, the sharper one was read.
    trust = TINY_TRUST if tiny or min(glance.blur[members].tolist()) > BLURRED else 1.0
    best = int(card.faces.argmax())
    if best == JOKER_FACE:
        paired = card.agreement is not None
        both = paired and glance.faces[members, JOKER_FACE].mean() >= BOTH_JOKERS
        trust *= 1.0 if both else LONE_JOKER
    # A letter that looks like a number shows a figure in the middle, which the face has told.
    if figured or FACES[best].rank not in LETTERED:
        return trust
    strange = _strange(members, glance) or not set(members).isdisjoint(disputed)
    return min(trust, STRANGE_TRUST) if strange else trust


def _strange(members: Sequence[int], glance: Glance) -> bool:
    """Whether an index among a card's `members` shows a letter that is not understood.

    One that is half covered says nothing against a clear one that it agrees with.
    """
    strange = glance.strange[members]
    if not strange.any():
        return False
    faces = glance.faces[members]
    clear = np.flatnonzero(~strange & (faces.max(axis=1) >= SURE))
    shown = faces.argmax(axis=1)
    return not len(clear) or bool((shown[strange] != shown[clear[0]]).any())


def by_face(corners: Floats, faces: Floats) -> Sighting:
    """A card with these `corners` (4, 2) read only by its face (53,), without an index."""
    return _told(ranked(faces), corners, corners[0] - corners[3])


def face_down(back: Back) -> Sighting:
    """The answer for a card's back."""
    return _told(((BACK, back.confidence),), back.corners, back.corners[0] - back.corners[3])


def among_strangers(seen: Sequence[Sighting]) -> list[Sighting]:
    """The answers among cards of another deck, whose figures resemble a joker's."""
    return [
        replace(one, confidence=min(one.confidence, LONE_JOKER)) if one.card == JOKER else one
        for one in seen
    ]


def _told(
    candidates: tuple[tuple[Card, float], ...],
    corners: Floats,
    up: Floats,
    *,
    whole: bool = False,
) -> Sighting:
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = corners.tolist()
    return Sighting(
        named(candidates),
        candidates[0][1],
        candidates,
        outline(corners),
        (round((x1 + x2 + x3 + x4) / 4, 1), round((y1 + y2 + y3 + y4) / 4, 1)),
        bearing(tuple(up.tolist())),
        whole,
    )


def ranked(faces: Floats) -> tuple[tuple[Card, float], ...]:
    """The likeliest faces and their probabilities, best first; at least one."""
    best = int(faces.argmax())
    if faces[best] >= 1 - KEPT:
        return ((FACES[best], float(faces[best])),)
    order = np.argsort(-faces, kind="stable")[:OFFERED]
    likely = [(FACES[number], float(faces[number])) for number in order]
    return tuple(likely[:1] + [pair for pair in likely[1:] if pair[1] >= KEPT])


def named(candidates: Sequence[tuple[Card, float]]) -> Card:
    """The card that the `candidates` agree on, with rank or suit left open if they differ.

    If they differ in both, it is the likeliest card, with a low confidence.

    >>> named([(Card.parse("6D"), 0.5), (Card.parse("6H"), 0.45)])
    <6?>
    """
    best, probability = candidates[0]
    if probability >= SURE or best in (JOKER, BACK):
        return best
    for part in (Card(best.rank, Suit.UNKNOWN), Card(Rank.UNKNOWN, best.suit)):
        if (
            sum(p for card, p in candidates if card not in (JOKER, BACK) and part.covers(card))
            >= SURE
        ):
            return part
    return best


def outline(corners: Floats) -> Outline:
    """Corners (4, 2) as plain numbers, to a tenth of a pixel."""
    return tuple((round(x, 1), round(y, 1)) for x, y in corners.tolist())
