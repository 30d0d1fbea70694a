"""The third network: what a whole face shows, as a second opinion on its index.

Pips, court figures and jesters settle what a small, blurred or oddly lettered index leaves open.
The face is cut out at the corners given by the indices, so the card must be fully visible; for a
half-covered one the network says nothing, or only the suit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import SUITS, Card, Rank, Suit
from vision.find.finder import Indices
from vision.join.ends import contradict, paired_ends
from vision.join.evidence import Blobs
from vision.join.joined import FLOOR, Joined
from vision.join.suppression import BORDER, COINCIDENT
from vision.network import Run
from vision.picture.geometry import Floats, Frame, short_side
from vision.read.alphabets import LETTERED
from vision.read.fingerprint import straight
from vision.read.glances import Opinion, Opinions
from vision.read.index_classifier import FACES, JOKER_FACE, softmax
from vision.read.index_prints import Prints

CLEAR = 0.97
"""Minimum confidence of a card's indices at which its face can only cast doubt, not overrule them.
A choice; `python -m tests.dealt_table` judges it."""
PROVEN = 0.9995
"""Confidence above which the face of a card with two agreeing indices is looked at only one way up:
it is enough to tell whether there is a figure, and takes half the time. Not so for an ornate ace. A
choice; `python -m tests.foreign_letters` judges it."""
STRANGE, AT_ODDS, ODD = 0.02, 0.5, 0.1
"""Share of indices whose rank is a letter of another alphabet that looks like one of ours;
agreement of a card's two indices below which they read as different ranks, and that share there. A
choice: of 669 cards on photographs five agree less; `python -m tests.foreign_letters` judges it."""
OTHER_SUIT, SUITED = 0.02, 0.95
"""Share of indices of numbers and aces whose small suit sign is read as the other one of its
colour, as a thin club is as a spade; and the least that a face must give to a card for its large
signs to count in full against that of the index. A choice; `python -m tests.dealt_table` judges it.
"""
WEIGHT = 0.5
"""Weight of the face against a clear index, as an exponent; against an unclear one, or one that is
less sure than the pips, it is 1: a ten at 0.998 was a seven by its index, at 0.99. A choice;
`python -m tests.dealt_table` judges it."""
DOUBT, SHARE = 0.03, 0.6
"""Share of the face's opinion spread over all cards: a constant part, and the part multiplied by
its probability of no card. A choice; `python -m tests.dealt_table` judges it."""
OTHER_KIND, OTHER_FACE, SURE_FACE = np.array([0.6, 0.6, 0.85], np.float32), 0.02, 0.8
"""Least share of the face's opinion for each of the `KINDS` at which it contradicts an answer of
another kind (a face of which only the suit shows gives 0.69 to pips); and its largest share for an
answer that it contradicts if it is at least so sure of another card of the kind. Of 1,515 right
answers, in photographs and on drawn decks with letters of some country, none is contradicted but
for ornate aces; a W read as a king, a ten or a joker is, and so are clubs with a faint small sign
taken for spades. `python -m tests.foreign_letters` judges it. A choice."""
HARDLY = 0.99
"""Confidence of a single index below which what looks like a jester makes another ace than the
ornate one doubtful. A choice: with a chip on it an ace's index is read at 0.999, and that of an ace
of spades in a lamp's glare as another ace's at 0.98; `python -m tests.other_cameras blurred` judges
it."""
CONTRADICTED = 0.85
"""Weight of an answer that its face contradicts. A choice: below `vision.sightings.SURE`, so that
it is asked about, whatever the index says."""
LEGIBLE = 0.4
"""Minimum probability that a face shows some card at which it has an opinion. A choice;
`python -m tests.dealt_table` judges it."""
ALONE = 0.85
"""Weight of a face whose index is hidden: it raises a question rather than decides. A choice;
`python -m tests.dealt_table` judges it."""
OVERLAPPED = 0.15
"""Share of a card of which only one index was read that another card takes up when one of the two
lies on the other: twice what an outline estimated from one index is off, along a side. A choice;
`python -m tests.equal_cards` judges it."""
SMALLEST = 34.0
"""Minimum short side in pixels at which a face can be read, half the size used in training. Follows
from what the network was trained on."""


Bools = NDArray[np.bool_]
"""One answer for each of N cards."""
COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)
WITH_LETTERS = np.array([face.rank in LETTERED for face in FACES], np.float32)
"""Which faces (53,) have a letter for a rank."""
_LETTERED = WITH_LETTERS / WITH_LETTERS.sum() * len(SUITS)
IN_COURT = np.array([face.rank in COURTS for face in FACES], np.bool_)
"""Which faces (53,) show a court figure."""
_ALIKE = dict(zip("CDHS", "SHDC", strict=True))
SWAPPED = np.array([
    FACES.index(face)
    if face.rank is Rank.JOKER or face.rank.court
    else FACES.index(Card(face.rank, Suit(_ALIKE[face.suit.value])))
    for face in FACES
], np.intp)  # fmt: skip
"""The same number (53,) in the other suit of its colour; courts and the joker are themselves."""
KINDS = np.array([
    [face.rank in COURTS for face in FACES],
    [face.rank in (Rank.ACE, Rank.JOKER) for face in FACES],
    [face.rank not in (*COURTS, Rank.ACE, Rank.JOKER) for face in FACES],
], np.float32)  # fmt: skip
"""Which faces (3, 53) show a court figure, one thing in the middle, or pips. A jester is one with
the aces: an ornate ace, or one with a chip on it, looks like him."""
ORNATE = Card(Rank.ACE, Suit.SPADES)
"""The card with the maker's ornament, which may look like a joker's figure."""
_ORNATE = FACES.index(ORNATE)
_OTHER_ACES = [n for n, face in enumerate(FACES) if face.rank is Rank.ACE and face != ORNATE]


class CardClassifier:
    """Reads whole faces, straightened to (96, 64, 3)."""

    def __init__(self, network: Run) -> None:
        self._network = network

    def read(
        self, frame: Frame, corners: Sequence[Floats], *, once: bool = False
    ) -> tuple[Floats, Floats]:
        """What the cards at these `corners` (4, 2) show: opinions (N, 53), and "no card" (N,).

        A card reads the same upside down; two looks average out the errors of one, if not told to
        look only `once`.
        """
        if not len(corners):
            return np.zeros((0, len(FACES)), np.float32), np.zeros(0, np.float32)
        faces = np.stack([straight(frame, one) for one in corners])
        looks = faces if once else np.concatenate([faces, faces[:, ::-1, ::-1]])
        rank, suit = self._network(looks)
        told = opinions(Prints(softmax(rank), softmax(suit)))
        shown = told.reshape(-1, len(corners), told.shape[1]).mean(axis=0)
        nothing = np.clip(1 - shown.sum(axis=1), 0, 1)
        return shown.astype(np.float32), nothing.astype(np.float32)


def opinions(prints: Prints) -> Floats:
    """Probabilities (N, 53) of each face; a suit without a rank supports all cards of the suit."""
    ranks = prints.ranks[:, :13] + prints.nothing[:, None] / 13
    pairs = ranks[:, :, None] * prints.suits[:, None, :4]
    return np.concatenate([pairs.reshape(len(pairs), 52), prints.ranks[:, 13:14]], axis=1)


def second_opinion(card: Joined, shown: Floats, nothing: float) -> Joined:
    """`card` with its face's opinion (53,) weighed in; `nothing` is the probability of no card."""
    return second_opinions([card], shown[None], np.array([nothing], np.float32))[0]


def second_opinions(cards: Sequence[Joined], shown: Floats, nothing: Floats) -> list[Joined]:
    """The `cards` with their faces' opinions (N, 53) weighed in.

    `nothing` (N,) are the probabilities that there is no card.
    """
    if not cards:
        return []
    faces = np.stack([card.faces for card in cards])
    present = faces.sum(axis=1, keepdims=True)
    odd = [card.agreement is not None and card.agreement < AT_ODDS for card in cards]
    shares = np.where(odd, ODD, STRANGE).astype(np.float32)[:, None]
    mixed = _mixed(faces, present, _with_ornament(faces, shown), nothing[:, None], shares)
    once = np.array([card.agreement is None for card in cards], np.bool_)
    hardly = once & (faces.max(axis=1) < HARDLY)
    contradicted = _contradicted_by(shown, mixed.argmax(axis=1), hardly)
    trust = np.where(contradicted, CONTRADICTED, 1.0)[:, None]
    opinions = (mixed / mixed.sum(axis=1, keepdims=True) * present * trust).astype(np.float32)
    heard = (1 - nothing >= LEGIBLE) & (present[:, 0] > 0)
    return [
        replace(card, faces=opinion) if told else card
        for card, opinion, told in zip(cards, opinions, heard.tolist(), strict=True)
    ]


def _contradicted_by(shown: Floats, answers: NDArray[np.intp], hardly: Bools) -> Bools:
    """Which `answers` (N,), numbers of `FACES`, the faces `shown` (N, 53) contradict.

    The maker's ornament may look like anything but another ace, a chip on an ace like a jester.
    But an ace that a single index shows, and `hardly` so (N,), may rather be the ornate one: in the
    glare of a lamp, black print is brown, and its small suit sign passes for a diamond.
    """
    told = shown / np.maximum(shown.sum(axis=1, keepdims=True), 1e-6)
    each = np.arange(len(shown))
    best, sure = told.argmax(axis=1), told.max(axis=1)
    kind = ((told @ KINDS.T >= OTHER_KIND) & (KINDS[:, answers].T < 1)).any(axis=1)
    other = (told[each, answers] < OTHER_FACE) & (sure >= SURE_FACE)
    other &= (KINDS[:, answers] == KINDS[:, best]).all(axis=0) & (best != JOKER_FACE)
    jester = best == JOKER_FACE
    ornate = hardly & jester & (sure >= SURE_FACE) & np.isin(answers, _OTHER_ACES)
    return np.asarray((kind & (answers != _ORNATE)) | other | ornate, np.bool_)


def _with_ornament(faces: Floats, shown: Floats) -> Floats:
    """What is `shown` (N, 53), if a jester on what its indices call the ornate ace is that ace."""
    which = faces.argmax(axis=1) == _ORNATE
    if which.any():
        shown = shown.copy()
        shown[which, _ORNATE] = np.maximum(shown[which, _ORNATE], shown[which, JOKER_FACE])
    return shown


def _mixed(
    faces: Floats, present: Floats, shown: Floats, nothing: Floats, strange: Floats
) -> Floats:
    """What the indices' `faces` (N, 53) and the faces `shown` (N, 53) say together.

    `present` (N, 1) are the probabilities of an index, `nothing` (N, 1) those of no card, and
    `strange` (N, 1) those of another alphabet's letter.
    """
    spread = DOUBT + SHARE * nothing
    face = shown / np.maximum(shown.sum(axis=1, keepdims=True), 1e-6) * (1 - spread)
    face = face + spread / len(FACES)
    told = faces / np.maximum(present, 1e-6) * (1 - FLOOR) + FLOOR / len(FACES)
    index = np.asarray(told, np.float32)
    # Which court it is, is seen less well than how many pips there are, and of which suit.
    best, sure = shown.argmax(axis=1), shown.max(axis=1)
    suited = (best == SWAPPED[faces.argmax(axis=1)]) & (sure >= SUITED)
    surer = ((sure > faces.max(axis=1)) | suited) & ~IN_COURT[best]
    weights = np.where((index.max(axis=1) >= CLEAR) & ~surer, WEIGHT, 1.0)[:, None]
    # Whether there is a court figure is seen better than which one.
    kinds = face @ KINDS.T @ KINDS
    index = _perhaps_strange((1 - OTHER_SUIT) * index + OTHER_SUIT * index[:, SWAPPED], strange)
    mixed: Floats = index * kinds * (face / kinds) ** weights
    return mixed


def _perhaps_strange(index: Floats, share: Floats) -> Floats:
    """What indices (N, 53) say if in this `share` (N, 1) of cases they show another alphabet's
    letter.

    A W looks like a K or a ten, a lambda like an A, a B like an eight. Then only the suit sign says
    anything, and the card is one of those that have letters.
    """
    suits = index[:, :JOKER_FACE].reshape(len(index), -1, len(SUITS)).sum(axis=1)
    lettered = np.empty_like(index)
    lettered[:] = _LETTERED
    lettered[:, :JOKER_FACE] *= np.tile(suits, (1, JOKER_FACE // len(SUITS)))
    return np.asarray((1 - share) * index + share * lettered, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class SecondOpinions:
    """The whole cards of one picture: where the faces lie and who reads them."""

    frame: Frame
    outlines: Blobs
    """The corners (4, 2) of things shaped like a single card."""
    reader: CardClassifier
    known: Opinions = field(default_factory=dict)
    """Opinions already known, of cards that have not changed since."""
    told: dict[bytes, Opinion] = field(default_factory=dict)
    """The opinions on this picture's cards, kept for the next time."""

    def weighed(
        self, cards: Sequence[Joined], indices: Indices, faces: Floats
    ) -> tuple[Joined, ...]:
        """`cards` with their faces read: ends of one card joined, and each opinion weighed in."""
        cards = self._joined_ends(cards, indices, faces)
        keys, reached = _keys(cards, indices), _reached(cards, indices)
        large = {
            keys[number]: card
            for number, card in enumerate(cards)
            if short_side(card.corners.tolist()) >= SMALLEST
            and not _covered(card, cards, indices, reached=reached[number])
        }
        self.told.update({key: self.known[key] for key in large if key in self.known})
        fresh = {key: card for key, card in large.items() if key not in self.known}
        for once in (False, True):
            some = {key: card.corners for key, card in fresh.items() if _proven(card) is once}
            shown, nothing = self.reader.read(self.frame, list(some.values()), once=once)
            for (key, corners), face, none in zip(some.items(), shown, nothing, strict=True):
                self.told[key] = corners, face, float(none)
        return self._weighed(cards, indices)

    def _weighed(self, cards: Sequence[Joined], indices: Indices) -> tuple[Joined, ...]:
        """The `cards` with all opinions told weighed in."""
        told = self.of(cards, indices)
        if not told:
            return tuple(cards)
        _, shown, nothing = zip(*told.values(), strict=True)
        heard = [cards[number] for number in told]
        opinions = second_opinions(heard, np.stack(shown), np.array(nothing, np.float32))
        weighed = dict(zip(told, opinions, strict=True))
        return tuple(weighed.get(number, card) for number, card in enumerate(cards))

    def of(self, cards: Sequence[Joined], indices: Indices) -> dict[int, Opinion]:
        """The opinions told on some of the `cards`, by number."""
        keys = enumerate(_keys(cards, indices))
        return {number: self.told[key] for number, key in keys if key in self.told}

    def _joined_ends(
        self, cards: Sequence[Joined], indices: Indices, faces: Floats
    ) -> tuple[Joined, ...]:
        """`cards` with two single indices merged if a single face lies between them.

        A lens or a slant may squeeze a card so far that only the face distinguishes it from two
        overlapping cards. Where both ends clearly read as different cards, they are two: a queen
        laid over an eight filled most of a square, and the face between their indices seemed one.
        """
        result = list(cards)
        for pair in paired_ends(cards, indices, faces, self.outlines):
            if short_side(pair.corners.tolist()) < SMALLEST or _contradicted(pair, cards):
                continue
            _, nothing = self.reader.read(self.frame, [pair.corners])
            if float(nothing[0]) < 0.5:
                result = [one for one in result if not set(one.members) & set(pair.members)]
                result.append(pair)
        return tuple(result)

    def unindexed(self, cards: Sequence[Joined]) -> list[tuple[Floats, Floats]]:
        """The corners (4, 2) and opinions (53,) of fully visible cards whose index was not read."""
        bare = self.outlines.without([card.centre for card in cards])
        places = [corners for corners in bare if short_side(corners.tolist()) >= SMALLEST]
        ways = [way for corners in places for way in (corners, np.roll(corners, 1, axis=0))]
        shown, nothing = self.reader.read(self.frame, ways)
        best = [
            min((way, way + 1), key=lambda number: float(nothing[number]))
            for way in range(0, len(ways), 2)
        ]
        return [
            (ways[way], shown[way] * np.float32(ALONE))
            for way in best
            if 1 - float(nothing[way]) >= LEGIBLE
        ]


def _keys(cards: Sequence[Joined], indices: Indices) -> list[bytes]:
    """Key of each of the `cards`: the positions of its indices."""
    places = [place.tobytes() for place in indices.centres]
    return [b"".join(places[one] for one in sorted(card.members)) for card in cards]


def _contradicted(pair: Joined, cards: Sequence[Joined]) -> bool:
    """Whether the two ends of a pair, singles among the `cards`, clearly read as different ones."""
    ends = [card for card in cards if set(card.members) <= set(pair.members)]
    return any(contradict(one, other) for one, other in combinations(ends, 2))


def _proven(card: Joined) -> bool:
    if card.agreement is None or FACES[int(card.faces.argmax())] == ORNATE:
        return False
    return float(card.faces.max()) >= PROVEN


def _reached(cards: Sequence[Joined], indices: Indices) -> list[bool]:
    """Of each of the `cards`, whether an index of another one lies in the upright box around it.

    Only such an index may lie on it; on most tables there is none.
    """
    if not cards:
        return []
    owners = [number for number, card in enumerate(cards) for _ in card.members]
    members = indices.centres[[one for card in cards for one in card.members]]
    corners = np.stack([card.corners for card in cards])
    first, last = corners.min(axis=1), corners.max(axis=1)
    near = ((members[None] >= first[:, None]) & (members[None] <= last[:, None])).all(axis=2)
    near[owners, np.arange(len(owners))] = False
    result: list[bool] = near.any(axis=1).tolist()
    return result


def _covered(
    card: Joined, cards: Sequence[Joined], indices: Indices, *, reached: bool = True
) -> bool:
    """Whether another card lies on this one: with its index inside the outline, or over an end.

    In a column of melds, one that lies a little askew shows its index at the very edge of the next.
    If it is not `reached` by any other index, there is none inside.
    """
    if not reached and len(card.members) > 1:
        return False
    rest = [other for other in cards if other is not card]
    others = [number for other in rest for number in other.members]
    margin = BORDER * float(indices.heights[list(card.members)].mean())
    if (card.insets(indices.centres[others]) >= margin).any():
        return True
    if len(card.members) > 1:
        return False
    # Whichever lies just where this one does may be its other end: then the face decides.
    return any(OVERLAPPED <= _shared(card, other) < COINCIDENT for other in rest)


def _shared(card: Joined, other: Joined) -> float:
    """The share of a card's area that another card takes up."""
    if float(np.abs(card.centre - other.centre).max()) > float(np.ptp(card.corners, axis=0).sum()):
        return 0.0
    common, _ = cv2.intersectConvexConvex(card.corners, other.corners)
    return float(common) / max(float(cv2.contourArea(card.corners)), 1.0)
