"""Latin decks that nobody taught: coins, cups, swords and clubs read by their number.

A network that was shown decks of many makers says which sign a face holds and how many; the signs
are counted in the picture as well (`vision.read.sign_count`), and weigh what it says by how likely
that count is on each card (`vision.decide.sign_odds`). A card with signs is read where that leaves
no doubt; a fante, a cavallo or a re looks different in each deck and is always a question. Cards
are read where they lie apart from each other: of one that lies over another too little is known.

>>> latin("spagnole"), latin("neapolitan")
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations

import numpy as np

from rules.cards import RANKS, SUITS, Card, Rank
from vision.decide.answers import outline, ranked
from vision.decide.patterns import DECKS
from vision.decide.profiles import Known
from vision.decide.sign_odds import PIPS, odds
from vision.find.outlines import outlines
from vision.network import Network, Run
from vision.picture.geometry import Box, Floats, Frame, bearing
from vision.read.face_search import Size
from vision.read.fingerprint import straight
from vision.read.index_classifier import FACES, softmax
from vision.read.sign_count import Counted, counted
from vision.sightings import Sighting

LATIN = "latin"
"""The name of the deck of which only the suit signs are known."""
ALSO = (
    "latino", "latine", "spanish", "spagnole", "sicilian", "siciliane", "sardinian", "sarde",
    "trevisane", "trevigiane",
)  # fmt: skip
"""What it is called too: decks of which no whole pack could be had as pictures. A choice."""
TRUST = 0.8
"""How much the opinion of a network counts that never saw the deck (an exponent): on such decks it
is surer than right. With it and the count's odds 58 % and 43 % of the cards with signs of drawn
makers are read (those whose swords and clubs cross are the second) instead of 44 % and 37 %, 10
instead of 13 of 1,168 wrongly; of Neapolitan and Bergamasque ones, by a network trained without
them, 74 % and 58 % instead of 74 % and 55 %, 5 instead of 7 of 280 wrongly. A choice;
`python -m tests.latin_decks` judges it."""
UNCOUNTED = 2.0
"""What becomes of a probability where nothing can be counted (an exponent: 0.949 is sure then). A
choice, made together with that before it."""
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
    [0.92, 0.79, 0.85, 0.44]
    """
    weighed = _weighed(shown, signs)
    best = int(weighed.argmax())
    rank, most = FACES[best].rank, float(weighed[best])
    told = rank in PIPS and best == int(shown.argmax())
    wanted = (most if signs.any else most**UNCOUNTED) if told else min(most, COURT)
    changed = weighed.copy()
    changed[best] = wanted
    rest = float(weighed.sum()) - most
    if rest > 0:
        changed *= np.where(np.arange(len(shown)) == best, 1.0, min(1.0, (1 - wanted) / rest))
    return changed


def _weighed(shown: Floats, signs: Counted) -> Floats:
    """Opinions (53,), trusted so far, as they are once signs were counted. That it is none of
    these cards any count allows."""
    trusted = shown**TRUST * odds(signs)
    none = max(0.0, 1 - float(shown.sum())) ** TRUST
    return np.asarray(trusted / (float(trusted.sum()) + none), np.float32)


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
