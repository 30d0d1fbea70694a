"""What many looks at one index, slightly displaced, make clear that one look leaves open.

A letter of another country's deck is understood from one index if most looks agree on it, a number
is one although the first look saw a letter that is none of those known here, and a K is a jack's if
some looks see that an n follows. Faces are those of `vision.read.index_classifier.FACES`: rank by
rank in four suits, and the joker.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from rules.cards import RANKS, SUITS, Rank
from vision.picture.geometry import Floats
from vision.read.alphabets import (
    DAMA,
    LETTERED,
    LETTERS,
    MEANT,
    OTHER,
    PLAIN,
    UNDERSTOOD,
    UNMISTAKABLE,
    meanings,
)

AT_FIRST: Mapping[str, float] = MappingProxyType(
    {"D": 0.8, "E": 0.8, "F": 0.8, "Kn": 0.8, "R": 0.8, DAMA: 0.8, "1": 0.7, "B": 0.9}
)
"""Minimum probability by the first look at which a letter is understood from one index that reads
so in many poses. A choice; `OFTEN` says what was measured."""
OFTEN: Mapping[str, float] = MappingProxyType(
    {"D": 0.5, "E": 0.5, "F": 0.5, "Kn": 0.5, "R": 0.5, DAMA: 0.35, "1": 0.4, "B": 0.4}
)
"""Minimum mean of its probabilities over all poses. Of 297 such letters in 1,040 drawn fans in
typefaces never seen, 260 reach both or, but for the B, are understood by a clear first look: 34 of
36 ones, 62 of 80 Bs, 11 of 12 Russian Ds. So do 2 letters of no country, both a P, and a part of a
covered seven; no ten is taken for a one. A choice; `python -m tests.foreign_letters` judges it."""
LIKE_EIGHTS, RATHER = "B", 0.1
"""A letter as which an eight of some typefaces reads in many poses, too, and the most by which its
mean probability of an eight over all poses may exceed that of this letter. In the same fans none
of the 98 eights that look somewhat like a B is understood as one. A choice; `python -m
vision.training tables fan` judges it."""
AS_NUMBER, AS_TEN = 0.5, 0.7
"""Minimum mean probability over all poses of a number from two to nine, and of a ten, at which an
index that at first looks like none of the letters known here is one all the same, as a seven with a
wavy top. In the same fans 20 of 25 such numbers and 5 of 8 such tens reach it as what they are,
none as another, and none of 16 letters: these look like one of the English ones, and a W like a
ten, with at most 0.66. A choice of both; `python -m vision.training tables fan` judges it."""
_AT_FIRST, _OFTEN = (
    np.array([least.get(one, 2.0) for one in LETTERS], np.float32) for least in (AT_FIRST, OFTEN)
)
"""Of each of `LETTERS` (12,); out of reach for all others. Follows from `AT_FIRST` and `OFTEN`."""
_NUMBERED = np.array(
    [2.0 if one in LETTERED else AS_TEN if one is Rank.TEN else AS_NUMBER for one in RANKS],
    np.float32,
)
"""Of each rank (13,); out of reach where letters are. Follows from `AS_NUMBER` and `AS_TEN`."""
_EIGHT_LIKE = LETTERS.index(LIKE_EIGHTS)
EIGHT = RANKS.index(Rank.EIGHT)
"""The position of the eight among the ranks. Follows from `RANKS`."""
KN = LETTERS.index("Kn")
"""The position of the Scandinavian jack's two letters in `LETTERS`."""
KING, JACK = RANKS.index(Rank.KING), RANKS.index(Rank.JACK)
"""The positions of the two ranks whose letters begin alike there. Follow from `RANKS`."""
HALF_SEEN = 0.02
"""Minimum probability of the jack's two letters by the first look at which a K may be the first of
them, on a deck whose letters are not known. Of 1,232 Ks in drawn fans none has more than 0.009, and
of a jack that read as a clear king in one it was 0.033. A choice; `python -m vision.training tables
fan` judges it."""
FOLLOWED, PERHAPS = 0.2, 0.1
"""Minimum mean of that probability over all poses at which an n follows a clear K, and at which it
may. Of the same Ks, of which many have the next card's letter beside them, none has more than 0.17,
and 99 of 100 have less than 0.1; of kings that lie apart 0.02 at most; of four jacks in large bold
type whose n lay outside of what is cut out of the picture, seven ends have 0.29 to 0.51 and one
0.155. A choice of both; `python -m tests.foreign_letters` judges it."""
PARTLY, OFTEN_OTHER = 0.05, 0.25
"""Minimum probability by the first look, and in the mean over all poses, of letters together that
do not mean the rank that is read, at which it is a question. Of 17,000 numbers and English letters
that are read clearly in 2,240 drawn fans, 5 reach both; of 29 letters of no country that are read
as clear numbers, mostly a W or M as a ten, 19, and a 1 as a four. A choice of both; `python -m
vision.training tables fan` judges it."""
SO_FAR = 0.5
"""The largest probability of what is read then: too little for both ends of a card together, which
show the same letter. A choice; the same command judges it."""
EIGHT_CLEAR = 0.995
"""Confidence from which a B is no eight, nor an eight a B, whatever many looks say. A choice; the
command below judges it."""
BETWEEN, STEEP, EITHER = -0.55, 2.0, 0.4
"""Where many looks waver between the two: the logarithm of a B's mean probability to an eight's at
which either is as likely, how fast one grows likelier beside it, and within what distance it is a
question. On 43 drawn ribbons of decks with a B, narrow and bold ones among them, in typefaces never
seen, 9 of 11 that were read as the other were within it, and 17 of 247 that were read rightly. A
choice of all; `python -m vision.training tables ribbon` judges them."""
LEAST_SEEN = 1e-3
"""The smallest mean probability there. A choice: what no look shows."""
_APART = np.array([one not in ("D", LIKE_EIGHTS, OTHER) for one in LETTERS], np.bool_)
"""Which of `LETTERS` (12,) count there: tens resemble a D in many poses, eights a B, and wavy
sevens none that is known. Measured by the same command."""
_UNLIKE = np.array([one in PLAIN and one != LIKE_EIGHTS for one in LETTERS], np.bool_)
"""Which of `LETTERS` (12,) no number looks like: of 7,000 numbers in drawn fans in typefaces never
seen, none reaches 0.95 as one of them. Measured by `python -m vision.training tables fan`."""
_MEANT = np.array([[rank in meanings(one) for rank in RANKS] for one in LETTERS], np.bool_)
"""Which ranks each of `LETTERS` may mean, (12, 13)."""
Bools = NDArray[np.bool_]


def worth(first: Floats) -> Bools:
    """Which indices (N,) may show a letter that many looks make clear, by the `first` look at it.

    `first` is the probability of each of `LETTERS` (N, 12).
    """
    return np.asarray((first >= _AT_FIRST).any(axis=1), np.bool_)


def letters(means: Floats, first: Floats, eights: Floats) -> tuple[NDArray[np.intp], Bools, Bools]:
    """The likeliest of `LETTERS` (N,), which of these are clear (N,), and which may be an eight.

    By the `means` over many looks and the `first` look, (N, 12) each, and by the mean probability
    that they are `eights` (N,).
    """
    best, each = means.argmax(axis=1), np.arange(len(means))
    clear = (means[each, best] >= _OFTEN[best]) & (first[each, best] >= _AT_FIRST[best])
    eight = (best == _EIGHT_LIKE) & (means[:, _EIGHT_LIKE] < eights - RATHER)
    return best, np.asarray(clear & ~eight, np.bool_), np.asarray(eight, np.bool_)


def numbers(means: Floats) -> tuple[NDArray[np.intp], Bools]:
    """The likeliest ranks (N,), by their `means` over many looks (N, 13), and which are numbers."""
    best = means.argmax(axis=1)
    return best, np.asarray(means[np.arange(len(means)), best] >= _NUMBERED[best], np.bool_)


def numbered(faces: Floats, ranks: Floats, suits: Floats) -> tuple[Floats, Bools]:
    """What indices show, (N, 53), if it is a number after all, and which of them (N,) do.

    By the `faces` (N, 53) that were read, the means (N, 15) of their `ranks` over many looks, and
    their `suits` (N, 5).
    """
    best, told = numbers(ranks[:, :13])
    shown = np.eye(13, dtype=np.float32)[best] * np.float32(UNDERSTOOD)
    meant = np.zeros_like(faces)
    meant[:, :-1] = (shown[:, :, None] * suits[:, None, :4]).reshape(len(faces), -1)
    return np.where(told[:, None], meant, faces), told


def outvoted(faces: Floats, ranks: Floats, which: Bools) -> Floats:
    """The `faces` (N, 53), of which those of `which` (N,) are questions that few looks read so.

    `ranks` (N, 15) are the means over all looks: of a ten whose half is covered, three clear looks
    made a seven, and most a ten.
    """
    return doubtful(faces, which & (ranks[:, :13].argmax(axis=1) != _ranks(faces)))


def kings_or_jacks(faces: Floats, letters: Floats) -> Floats:
    """What clear Ks show, (N, 53), if an n may follow: a Scandinavian jack, or one of the two.

    By the `faces` (N, 53) that were read, and the means (N, 12) of their `letters` over many looks.
    """
    means = letters[:, KN]
    share = np.where(means >= FOLLOWED, UNDERSTOOD, np.where(means >= PERHAPS, 0.5, 0.0))
    shown = faces.copy()
    ranks = shown[:, :-1].reshape(len(faces), len(RANKS), len(SUITS))
    both = ranks[:, KING] + ranks[:, JACK]
    jacks = np.maximum(ranks[:, JACK], both * share[:, None])
    ranks[:, KING], ranks[:, JACK] = both - jacks, jacks
    return shown


def perhaps_eights(faces: Floats) -> Bools:
    """Which of the `faces` (N, 53) are an eight or a jack (N,), of a deck whose jack has a B, that
    one look does not tell apart for certain."""
    either = np.isin(_ranks(faces), (EIGHT, JACK))
    return np.asarray(either & (faces.max(axis=1, initial=0) < EIGHT_CLEAR), np.bool_)


def eights_or_jacks(faces: Floats, letters: Floats, eights: Floats) -> Floats:
    """What the `faces` (N, 53) of eights and of jacks with a B show if many looks waver: either.

    By the means (N, 12) of their `letters` over these looks, and of the probability (N,) that they
    are `eights`.
    """
    odds = (letters[:, _EIGHT_LIKE] + LEAST_SEEN) / (eights + LEAST_SEEN)
    beyond = np.log(odds) - BETWEEN
    share = (1 / (1 + np.exp(-STEEP * beyond))).astype(np.float32)
    shown = faces.copy()
    ranks = shown[:, :-1].reshape(len(faces), len(RANKS), len(SUITS))
    both = ranks[:, EIGHT] + ranks[:, JACK]
    wavers = (np.abs(beyond) < EITHER)[:, None]
    ranks[:, JACK] = np.where(wavers, both * share[:, None], ranks[:, JACK])
    ranks[:, EIGHT] = np.where(wavers, both - ranks[:, JACK], ranks[:, EIGHT])
    return shown


def questioned(faces: Floats, first: Floats) -> Floats:
    """The `faces` (N, 53) without certainty where the `first` look saw another letter for certain.

    A T of which other looks, or a queen with a Q on the same table, make a seven is a question.
    `first` is the probability of each of `LETTERS` (N, 12), or nothing.
    """
    which = np.flatnonzero(((first >= UNMISTAKABLE) & _UNLIKE).any(axis=1)) if first.size else ()
    if not len(which):
        return faces
    doubted = np.zeros(len(faces), np.bool_)
    doubted[which] = ~_MEANT[first[which].argmax(axis=1), _ranks(faces[which])]
    return doubtful(faces, doubted)


def contradicted(faces: Floats, letters: Floats) -> Floats:
    """The `faces` (N, 53), of which those are questions that many looks take for another letter.

    `letters` (N, 12) are the means over these looks.
    """
    return doubtful(faces, _others(faces, letters) >= OFTEN_OTHER, SO_FAR)


def perhaps_others(faces: Floats, letters: Floats) -> Bools:
    """Which of the `faces` (N, 53) many looks should confirm (N,), by `letters` of one (N, 12)."""
    return np.asarray(_others(faces, letters) >= PARTLY, np.bool_)


def _others(faces: Floats, letters: Floats) -> Floats:
    """The probability (N,) that each index shows a letter that does not mean what is read.

    By the `faces` (N, 53) and the `letters` (N, 12), or none if the network tells none; only
    letters that no number resembles count, and a joker's lettering may look like any.
    """
    if not letters.size:
        return np.zeros(len(faces), np.float32)
    unmeant = _APART & ~_MEANT.T[_ranks(faces)]
    joker = faces.argmax(axis=1) == faces.shape[1] - 1
    return np.asarray(np.where(joker, 0, (letters * unmeant).sum(axis=1)), np.float32)


def doubtful(faces: Floats, which: Bools, most: float = MEANT) -> Floats:
    """The `faces` (N, 53) with those of `which` (N,) no surer than a question: at `most` so."""
    sure = np.maximum(faces.max(axis=1, initial=0), most)
    weights = np.where(which, most / sure, 1).astype(np.float32)
    return np.asarray(faces * weights[:, None], np.float32)


def _ranks(faces: Floats) -> NDArray[np.intp]:
    """The position among the ranks (N,) of what the `faces` (N, 53) show, a joker's as the last."""
    best: NDArray[np.intp] = faces.argmax(axis=1) // len(SUITS)
    return np.minimum(best, len(RANKS) - 1)
