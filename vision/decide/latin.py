"""Latin decks that nobody taught: coins, cups, swords and clubs, read by their number.

A network trained on decks of many makers reports the sign on a face and the number of signs; the
signs are also counted in the picture (`vision.read.sign_count`), and each card's probability is
weighted by the likelihood of that count (`vision.decide.sign_odds`). A card with signs is read if
that leaves no doubt; a fante, a cavallo or a re looks different in every deck and is always asked
about. Cards are read if they are apart from each other: of one on top of another too little is
known.

>>> latin("spagnole"), latin("neapolitan")
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from math import inf

import numpy as np

from rules.cards import RANKS, SUITS, Card, Rank, Suit
from vision.decide.answers import outline, ranked
from vision.decide.card_classifier import IN_COURT
from vision.decide.patterns import DECKS
from vision.decide.profiles import Known
from vision.decide.sign_odds import LONG, PIPS, odds
from vision.find.outlines import outlines
from vision.network import Network, Run
from vision.picture.geometry import Box, Floats, Frame, bearing
from vision.read.face_search import Size
from vision.read.fingerprint import straight
from vision.read.held_signs import held
from vision.read.index_classifier import FACES, JOKER_FACE, softmax
from vision.read.sign_count import Counted, counted
from vision.sightings import SURE, Sighting

LATIN = "latin"
"""The name of the deck of which only the suit signs are known."""
ALSO = (
    "latino", "latine", "spanish", "spagnole", "sicilian", "siciliane", "sardinian", "sarde",
    "trevisane", "trevigiane",
)  # fmt: skip
"""Its other names: decks for which no complete pack was available as pictures. A choice."""
COURT = 0.85
"""Maximum probability of a court card, and of a card that is likeliest only because of the count of
its signs: never enough to be read. Follows from the threshold for sure cards."""
VESSEL, CLEAR_VESSEL = Card(Rank.ACE, Suit.HEARTS), 0.97
"""The ace of cups, and its minimum probability to be read: some makers draw a large vessel on it,
and robed figures resemble one. With something on one side only, as a figure's sign is, it is not
read at all. A choice: of 400 aces of cups of makers that training never saw, 382 reach 0.95, of
which 329 have nothing there; all 124 court cards of drawn Italian, tarot and Brescian decks that
reach it have."""
CLEAR_ROUND = 0.99
"""Minimum probability of any other coins and cups that cannot be counted, with something on one
side only. A choice: pages of drawn Brescian decks reach 0.95 as an eight of cups; of 632 cards with
coins or cups of 40 makers that are read, 9 show something there."""
UNCONFIRMED = 0.94
"""Minimum probability of a card if the count of its signs is another, or they cannot be counted, as
where they cross. A choice: of 4,800 cards with signs of 150 makers that training never saw, 4,566
are read with 0.9 and 14 wrongly, with this 4,502 and 6 wrongly (`python -m tests.sign_counts` with
`--makers 75 --first 42000` and `--first 52000`)."""
DOUBT, CLEARLY = 0.01, 10.0
"""Constant added to each card's probability, and minimum lead of one order over any other for it to
be the one shown (a logarithm), as given by two certain cards or many uncertain ones. A choice;
`tests/test_teaching.py` judges it."""
VIEWS, OF_SUITS = 2, 1.5
"""Views of a face, and how much less certain their mean is of the suit than it says: what the
network cannot know of a maker, it cannot know in any view, and one draws clubs as another draws
swords. A choice: of 4,800 cards with signs of 150 makers that training never saw, 4,502 are read
and 6 wrongly, with three views 4,510 and 7; with a suit less certain by 1.2, 4,515 and 8;
with a number less certain by 1.2, 4,456 and 6 (`python -m tests.sign_counts` with
`--makers 75 --first 42000` and `--first 52000`).
"""
FINE = (96, 144)
"""Width and height to which a face is straightened for its signs to be read, in pixels. A choice:
as fine as a camera sees it that shows 1.6 pixels a millimetre, so that blades stay apart."""
FIGURE, OTHERWISE = 0.8, 0.1
"""Probability that a face in doubt with something on one side only is a court card where the
network says otherwise, and the minimum probability of what else it says. A choice: the card that it
names is then still among those offered; `python -m tests.latin_decks` judges it."""
LIKELY, ASKED = 0.5, 0.25
"""Minimum probability of one number of signs at which a face is not a back, though crossing clubs
look like one; and minimum probability of any card at which a card-shaped thing is asked about. A
choice; `python -m tests.latin_decks` judges it."""


def latin(name: str) -> bool:
    """Whether the deck with this name is read by its signs alone."""
    return name in (LATIN, *ALSO)


@dataclass(frozen=True, slots=True, eq=False)
class LatinDeck:
    """A deck of which only its four suits are known; `network` reads straightened faces."""

    network: Run
    name: str = LATIN
    cards: tuple[Card, ...] = tuple(
        Card(rank, suit) for suit in SUITS for rank in (*PIPS, Rank.JACK, Rank.QUEEN, Rank.KING)
    )
    size_mm: tuple[float, float] | None = None

    @classmethod
    def load(cls) -> LatinDeck:
        """Load the weights in this package; raises `WeightsError` if they cannot be used."""
        return cls(Network(DECKS / "latin.onnx", ("rank", "suit")))

    @property
    def names(self) -> Mapping[Card, str]:
        """No names of its own: its cards use the language's Latin names."""
        return {}

    def sightings(self, frame: Frame, box: Box, size: Size | None = None) -> Known:
        """Find the cards that are apart from each other in a part of the picture.

        Each of the doubtful ones, which are `strange`, may also be a back. The `size` of a card
        would add nothing.
        """
        part = np.ascontiguousarray(box.cut(frame))
        found = outlines(part)
        offset = np.array((box.x, box.y), np.float32)
        faces = [straight(part, corners, FINE) for corners in found]
        known = Known([], [])
        for corners, face, shown in zip(found, faces, self.opinions(faces), strict=True):
            placed = np.asarray(corners + offset, np.float32)
            seen = _sighting(placed, self.perhaps_court(face, shown, counted(face)))
            present = float(shown.sum())
            signs = seen.confidence >= LIKELY and seen.candidates[0][0].rank in PIPS
            if signs or not seen.doubtful:
                known.sightings.append(seen)
            else:
                known.strange.append((placed, seen if present >= ASKED else None))
        return known

    def opinions(self, faces: Sequence[Frame]) -> Floats:
        """The probability (N, 53) of each card for faces (144, 96, 3), either way up.

        It is the geometric mean of two views, with caution as to the suit: a view that is sure of
        another card has more say than in an arithmetic one. A row adds up to less than one if it
        may not be a card of such a deck.
        """
        if not faces:
            return np.zeros((0, len(FACES)), np.float32)
        looks = np.stack([look for face in faces for look in _ways(face)])
        told = self.network(np.ascontiguousarray(looks))
        rank, suit = (
            softmax(one.reshape(len(faces), VIEWS, -1).mean(axis=1) / caution)
            for one, caution in zip(told, (1.0, OF_SUITS), strict=True)
        )
        pairs = rank[:, : len(RANKS), None] * suit[:, None, : len(SUITS)]
        shown = pairs.reshape(len(faces), -1)
        return np.concatenate([shown, np.zeros((len(faces), 1))], axis=1).astype(np.float32)

    def perhaps_court(self, face: Frame, shown: Floats, signs: Counted) -> Floats:
        """Combine opinions (53,) with the count, as `doubted` does, and with what a figure holds.

        Figures of other makers resemble a vessel or a large sword to the network. The sign in their
        hand or beside them resembles an ace, and tells the suit.
        """
        weighed = doubted(shown, signs)
        others = np.where(IN_COURT, 0, weighed)
        if not signs.aside or weighed.max() >= SURE or others.sum() < OTHERWISE:
            return weighed
        courts = _courts(shown, self.opinions(held(face)))
        return np.asarray(weighed + FIGURE * (others.sum() * courts - others), np.float32)


def _courts(shown: Floats, signs: Floats) -> Floats:
    """The probability (53,) of each court card, if it is one, of the suit that its `signs` (N, 53)
    have as aces.

    Which figure it is, the opinion on the whole face (53,) says little about.
    """
    of_face = shown[:JOKER_FACE].reshape(-1, len(SUITS)).sum(axis=1) + np.float32(DOUBT)
    suits = signs[:, :JOKER_FACE].reshape(-1, JOKER_FACE // len(SUITS), len(SUITS))
    of_suit = suits.sum(axis=(0, 1)) + np.float32(DOUBT)
    ranks = np.where(IN_COURT[: JOKER_FACE : len(SUITS)], of_face / of_face.sum() + 1, 0)
    pairs = ranks[:, None] * of_suit
    return np.append(pairs / pairs.sum(), 0).astype(np.float32)


def _ways(face: Frame) -> Sequence[Frame]:
    """A face as it is, and upside down: the signs keep their number and suit."""
    return face, face[::-1, ::-1]


def doubted(shown: Floats, signs: Counted) -> Floats:
    """Combine opinions (53,) with the count, and keep court cards in doubt.

    >>> five = np.zeros(53, np.float32)
    >>> five[FACES.index(Card.parse("5H"))], five[FACES.index(Card.parse("6H"))] = 0.7, 0.3
    >>> counts = Counted(5, 5), Counted(4, 5), Counted(6, 6), Counted(1, 1)
    >>> [round(float(doubted(five, signs).max()), 2) for signs in counts]
    [0.94, 0.81, 0.85, 0.7]
    """
    weighed = _weighed(shown, signs)
    best = int(weighed.argmax())
    if weighed[best] < _least(FACES[best], signs) or best != int(shown.argmax()):
        weighed[best] = min(float(weighed[best]), COURT)
    return weighed


def _least(card: Card, signs: Counted) -> float:
    """The minimum probability at which a card is read."""
    if card.rank not in PIPS or (card == VESSEL and signs.aside):
        return inf
    if signs.confirms(PIPS.index(card.rank) + 1):
        return SURE
    if card == VESSEL:
        return CLEAR_VESSEL
    return CLEAR_ROUND if signs.aside and card.suit not in LONG else UNCONFIRMED


def _weighed(shown: Floats, signs: Counted) -> Floats:
    """Combine opinions (53,), taken as they are, with the count of signs.

    Any count is compatible with its being none of these cards.
    """
    likely = shown * odds(signs)
    none = max(0.0, 1 - float(shown.sum()))
    return np.asarray(likely / (float(likely.sum()) + none), np.float32)


def _sighting(corners: Floats, shown: Floats) -> Sighting:
    candidates = ranked(shown)
    x, y = (round(float(one), 1) for one in corners.mean(axis=0))
    up = corners[0] - corners[3]
    way = bearing((float(up[0]), float(up[1])))
    return Sighting(*candidates[0], candidates, outline(corners), (x, y), way)


def order_shown(
    deck: LatinDeck, faces: Sequence[Frame], cards: Sequence[Card]
) -> tuple[Card, ...] | None:
    """The order in which `faces` (144, 96, 3) show `cards`, given suit by suit.

    The suits may come in any order, each from its first card or its last; `None` if their signs do
    not decide it. Several packs may follow one another; an extra face in each is the back.
    """
    each = next((n for n in (len(cards), len(cards) + 1) if faces and len(faces) % n == 0), 0)
    if not each:
        return None
    packs = deck.opinions(faces).reshape(-1, each, len(FACES))[:, : len(cards)]
    likely = np.log(packs + DOUBT).sum(axis=0)
    orders = list(_orders(cards))
    worth = [
        sum(float(likely[n, FACES.index(card)]) for n, card in enumerate(one)) for one in orders
    ]
    first, second = np.argsort(worth)[::-1][:2]
    return orders[int(first)] if worth[first] - worth[second] >= CLEARLY else None


def _orders(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """The cards with their suits in any order, forwards or backwards within each."""
    suits = dict.fromkeys(card.suit for card in cards)
    for order in permutations(suits):
        for step in (1, -1):
            of_suit = ([card for card in cards if card.suit == suit][::step] for suit in order)
            yield tuple(chain.from_iterable(of_suit))
