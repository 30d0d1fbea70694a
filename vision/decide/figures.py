"""Court cards whose letters are not understood, told by the figures of a deck that proved itself.

On a deck with letters of no known country, a W may be anything. But where the letters of two courts
are understood, and the figures on these cards are recognised for what their letters say, as those
of most decks are, the third court is the one whose figure is left.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card, Rank
from vision.decide.card_classifier import COURTS
from vision.join.joined import Joined
from vision.picture.geometry import Floats
from vision.read.glances import Opinion
from vision.read.index_classifier import FACES
from vision.sightings import SURE

FIGURED = 0.98
"""Minimum share of a face's opinion for one court at which its figure is recognised: which court it
is, is seen wrongly on four of a hundred, mostly with less. A choice;
`python -m tests.foreign_letters` judges it."""
PROVEN, AMISS = 2, 0.1
"""Number of cards of a rank whose letter and figure agree from which its letter is understood, and
the largest share of looks at a deck's courts at which they may disagree. A choice;
`python -m tests.foreign_letters` judges it."""
LETTERED_OTHERWISE = 0.1
"""How often a card whose letter is understood shows a strange one all the same, against one of the
court that is left. A choice; `python -m tests.foreign_letters` judges it."""
RANKS = np.array([face.rank.value for face in FACES])
"""The rank of each of the faces (53,). Follows from `FACES`."""
LOOKS, REMEMBERED = 3, 36
"""Looks at one card that count, as the same ones repeat the same errors, and looks remembered:
those at twelve courts. A choice of both; `python -m tests.foreign_letters` judges it."""
Look: TypeAlias = tuple[Card, bool]
"""A court card by its letters, and whether its figure agrees."""


@dataclass(slots=True)
class Figures:
    """The courts seen of the deck in play, and whether their letters and figures agree.

    >>> figures, parse = Figures(), Card.parse
    >>> for name in ("KS", "KD", "QS", "QH"):
    ...     figures.note(parse(name), agree=True)
    >>> sorted(figures.understood), figures.left
    ([<Rank.KING: 'K'>, <Rank.QUEEN: 'Q'>], <Rank.JACK: 'J'>)
    """

    _looks: deque[Look] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def note(self, card: Card, *, agree: bool) -> None:
        """Add a court card by its letters, and whether its figure agrees."""
        look = card, agree
        if self._looks.count(look) >= LOOKS:
            self._looks.remove(look)
        self._looks.append(look)

    @property
    def understood(self) -> frozenset[Rank]:
        """The ranks whose letters are understood; none while letters and figures disagree."""
        amiss = sum(not agree for _, agree in self._looks)
        if amiss > AMISS * len(self._looks):
            return frozenset()
        cards = Counter(card.rank for card in {card for card, agree in self._looks if agree})
        return frozenset(rank for rank, many in cards.items() if many >= PROVEN)

    @property
    def left(self) -> Rank | None:
        """The court whose letter is not understood, if those of the two others are."""
        rest = [rank for rank in COURTS if rank not in self.understood]
        return rest[0] if len(rest) == 1 else None


def recognised(
    cards: Sequence[Joined],
    faces: Floats,
    told: Mapping[int, Opinion],
    strange: NDArray[np.bool_],
    figures: Figures,
) -> tuple[tuple[Joined, ...], frozenset[int]]:
    """The `cards`, and which of them, by number, their figures tell though a letter is strange.

    `faces` (N, 53) is what each index shows, `told` what the whole faces of some cards show, and
    `strange` (N,) which letters are not understood. The deck's `figures` learn from these cards.
    """
    best, sure = faces.argmax(axis=1).tolist(), faces.max(axis=1, initial=0).tolist()
    lettered = {number: _read(cards[number], best, sure) for number in told}
    for number, letter in lettered.items():
        if letter is not None:
            figures.note(letter, agree=_best(told[number][1]).rank is letter.rank)
    result, found = list(cards), set[int]()
    for number, (_, shown, _) in told.items():
        members = list(cards[number].members)
        if not strange[members].any():
            continue
        card = _by_figure(cards[number], faces[members], shown, lettered[number], figures)
        if card is not None:
            result[number] = card
            found.add(number)
    return tuple(result), frozenset(found)


def _by_figure(
    card: Joined, ends: Floats, shown: Floats, letter: Card | None, figures: Figures
) -> Joined | None:
    """A card as its face (53,) tells it, if that is enough; its indices show the faces `ends`.

    A letter that is understood on this deck after all needs a figure that agrees. Otherwise it is
    the court that is left, unless an index clearly shows another.
    """
    best = _best(shown)
    if best.rank in figures.understood:
        agreed = letter == best and float(shown.max()) >= FIGURED
        return card if agreed and _best(card.faces) == best else None
    if best.rank is not figures.left or best.suit is not _best(card.faces).suit:
        return None
    others = [_best(end).rank for end in ends if float(end.max()) >= SURE]
    if any(rank is not best.rank for rank in others):
        return None
    weights = np.where(best.rank.value == RANKS, 1.0, LETTERED_OTHERWISE).astype(np.float32)
    weighed = shown * weights
    return replace(card, faces=weighed / max(float(weighed.sum()), 1e-6) * shown.sum())


def _best(faces: Floats) -> Card:
    return FACES[int(faces.argmax())]


def _read(card: Joined, best: Sequence[int], sure: Sequence[float]) -> Card | None:
    """The court card that both indices of a card show with confidence, if they do.

    `best` are the likeliest faces of all indices (N,), `sure` how likely these are.
    """
    if card.agreement is None:
        return None
    first, last = card.members[:2]
    shown = FACES[best[first]]
    clear = min(sure[first], sure[last]) >= SURE
    return shown if clear and shown.rank in COURTS and best[first] == best[last] else None
