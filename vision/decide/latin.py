"""Latin decks that nobody taught: coins, cups, swords and clubs read by their number.

A network that was shown decks of many makers says which sign a face holds and how many; the signs
are counted in the picture as well (`vision.read.sign_count`). Where both agree a card with signs is
read; a fante, a cavallo or a re looks different in each deck and is always a question, as is
whatever else is in doubt. Cards are read where they lie apart from each other: of one that lies
over another too little is known.

>>> latin("spagnole"), latin("neapolitan")
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations

import numpy as np

from rules.cards import RANKS, SUITS, Card, Rank, Suit
from vision.decide.answers import outline, ranked
from vision.decide.patterns import DECKS
from vision.decide.profiles import Known
from vision.find.outlines import outlines
from vision.network import Network, Run
from vision.picture.geometry import Box, Floats, Frame, bearing
from vision.read.face_search import Size
from vision.read.fingerprint import straight
from vision.read.index_classifier import FACES, softmax
from vision.read.sign_count import Counted, counted
from vision.sightings import SURE, Sighting

LATIN = "latin"
"""The name of the deck of which only the suit signs are known."""
ALSO = (
    "latino", "latine", "spanish", "spagnole", "sicilian", "siciliane", "sardinian", "sarde",
    "trevisane", "trevigiane",
)  # fmt: skip
"""What it is called too: decks of which no whole pack could be had as pictures. A choice."""
LONG = (Suit.SPADES, Suit.CLUBS)
"""Swords and clubs."""
PIPS = tuple(map(Rank, "A23456789"))
"""The ranks that are told by a number of signs; Spanish decks of 48 have an eight and a nine."""
UNCOUNTED, DIFFERENT = 3.0, 0.88
"""What becomes of a probability where nothing can be counted (an exponent: 0.966 is sure then) and
where the count differs (a factor: never sure). With 0.9 sure where nothing was counted, and less
where the count agreed, 3 of 156 answers on five drawn decks were wrong; none was on 192 cards of
two patterns left out of training. A choice; `python -m tests.latin_decks` judges it."""
_WEIGHTS = np.array([1.0, 0.3, 0.05], np.float32)
"""How much likelier it is to count so many signs on a card that has so many, on a court (two, where
it is double-headed) and on a card of another number. With a network that was trained without
Neapolitan and Bergamasque cards it read 49 to 50 of 100 cards with signs of those and of drawn
decks instead of 45, no more of them wrongly. A choice; `python -m tests.latin_decks` judges it."""
LEAST = 1e-6
"""What probabilities add up to at least. A choice: nothing is divided by nothing."""
COURT = 0.85
"""What the likeliest court counts, and a card that is likeliest only by the count of its signs:
never enough to be read. Follows from what is sure."""
DOUBT, CLEARLY = 0.01, 10.0
"""What is added to each card's probability, and by how much one order must be likelier than any
other (a logarithm) to be the one shown: two cards of which it is certain, or many of which it is
not. A choice; `tests/test_teaching.py` judges it."""
LIKELY, ASKED = 0.5, 0.25
"""From which probability of one number of signs a face is no back, though clubs that cross look
like one, and from which of some card a thing of a card's shape is asked about. A choice;
`python -m tests.latin_decks` judges it."""


def latin(name: str) -> bool:
    """Whether a deck of that name is read by its signs alone."""
    return name in (LATIN, *ALSO)


@dataclass(frozen=True, slots=True, eq=False)
class LatinDeck:
    """A deck of which nothing is known but its four suits; `network` reads straightened faces."""

    network: Run
    name: str = LATIN
    cards: tuple[Card, ...] = tuple(
        Card(rank, suit) for suit in SUITS for rank in (*PIPS, Rank.JACK, Rank.QUEEN, Rank.KING)
    )
    size_mm: tuple[float, float] | None = None

    @classmethod
    def load(cls) -> LatinDeck:
        """With the weights of this package; raises `WeightsError` if they cannot be used."""
        return cls(Network(DECKS / "latin.onnx", ("rank", "suit")))

    @property
    def names(self) -> Mapping[Card, str]:
        """None of its own: its cards go by the language's Latin names."""
        return {}

    def sightings(self, frame: Frame, box: Box, size: Size | None = None) -> Known:
        """The cards that lie apart in a part of the picture; of what is in doubt, which is
        `strange`, each may be a back too. The `size` of a card would say nothing more."""
        part = np.ascontiguousarray(box.cut(frame))
        found = outlines(part)
        offset = np.array((box.x, box.y), np.float32)
        faces = [straight(part, corners) for corners in found]
        known = Known([], [])
        for corners, face, shown in zip(found, faces, self.opinions(faces), strict=True):
            placed = np.asarray(corners + offset, np.float32)
            seen = _sighting(placed, doubted(shown, counted(face)))
            present = float(shown.sum())
            signs = seen.confidence >= LIKELY and seen.candidates[0][0].rank in PIPS
            if signs or not seen.doubtful:
                known.sightings.append(seen)
            else:
                known.strange.append((placed, seen if present >= ASKED else None))
        return known

    def opinions(self, faces: Sequence[Frame]) -> Floats:
        """The probability (N, 53) of each card for faces (96, 64, 3), whichever way up: the mean of
        four looks. Rows add up to less than one where it may be no card of such a deck."""
        if not faces:
            return np.zeros((0, len(FACES)), np.float32)
        looks = np.stack([look for face in faces for look in _ways(face)])
        rank, suit = (softmax(one) for one in self.network(np.ascontiguousarray(looks)))
        pairs = rank[:, : len(RANKS), None] * suit[:, None, : len(SUITS)]
        shown = pairs.reshape(len(faces), 4, -1).mean(axis=1)
        return np.concatenate([shown, np.zeros((len(faces), 1))], axis=1).astype(np.float32)


def _ways(face: Frame) -> Sequence[Frame]:
    """A face as it is, upside down, and both mirrored: signs stay as many, and of their suit."""
    return face, face[::-1, ::-1], face[:, ::-1], face[::-1]


def doubted(shown: Floats, signs: Counted) -> Floats:
    """Opinions (53,) with what was counted weighed in, and courts kept in doubt.

    >>> five = np.zeros(53, np.float32)
    >>> five[FACES.index(Card.parse("5H"))], five[FACES.index(Card.parse("6H"))] = 0.7, 0.3
    >>> counts = Counted(5, 5), Counted(4, 5), Counted(6, 6), Counted(1, 1)
    >>> [round(float(doubted(five, signs).max()), 2) for signs in counts]
    [0.98, 0.94, 0.85, 0.34]
    """
    weighed = _weighed(shown, signs)
    best = int(weighed.argmax())
    rank, most = FACES[best].rank, float(weighed[best])
    told = rank in PIPS and best == int(shown.argmax())
    wanted = _counted(most, FACES[best], signs) if told else min(most, COURT)
    changed = weighed.copy()
    changed[best] = wanted
    rest = float(weighed.sum()) - most
    if rest > 0:
        changed *= np.where(np.arange(len(shown)) == best, 1.0, min(1.0, (1 - wanted) / rest))
    return changed


def _weighed(shown: Floats, signs: Counted) -> Floats:
    """Opinions (53,) as they are once signs were counted: what has another number is unlikely."""
    if not signs.any:
        return shown
    weighed = shown * _WEIGHTS[[_fits(card, signs) for card in FACES]]
    return np.asarray(
        weighed / max(1 - float(shown.sum()) + float(weighed.sum()), LEAST), np.float32
    )


def _fits(card: Card, signs: Counted) -> int:
    """Which of the weights a card has where so many signs were counted."""
    if card.rank not in PIPS:
        return 1
    return 0 if _allows(card, signs) else 2


def _allows(card: Card, signs: Counted) -> bool:
    """Whether a card may show so many signs: of coins and cups one may be larger than the others,
    while what lies between swords or clubs that are alike is an ornament."""
    count = PIPS.index(card.rank) + 1
    return signs.alike == count if card.suit in LONG else signs.allows(count)


def _counted(chance: float, card: Card, signs: Counted) -> float:
    """The chance of a card with signs, with what was counted weighed in."""
    if signs.any and not _allows(card, signs):
        return min(chance, SURE) * DIFFERENT
    return chance if signs.any and signs.alike == PIPS.index(card.rank) + 1 else chance**UNCOUNTED


def _sighting(corners: Floats, shown: Floats) -> Sighting:
    candidates = ranked(shown)
    x, y = (round(float(one), 1) for one in corners.mean(axis=0))
    up = corners[0] - corners[3]
    way = bearing((float(up[0]), float(up[1])))
    return Sighting(*candidates[0], candidates, outline(corners), (x, y), way)


def order_shown(
    deck: LatinDeck, faces: Sequence[Frame], cards: Sequence[Card]
) -> tuple[Card, ...] | None:
    """The order in which `faces` (96, 64, 3) show `cards`, given suit by suit: with which suits
    first, and each from its first card or its last. `None` where their signs do not tell.

    Packs may follow one another; one face more in each is the back's.
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
