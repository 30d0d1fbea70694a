"""The second network: which rank and suit, or letter and suit, an index shows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.cards import JOKER, RANKS, SUITS, Card, Rank
from vision.find.finder import Indices
from vision.network import Run
from vision.picture.geometry import Floats, Frame
from vision.read import many_looks
from vision.read.alphabets import (
    LETTERED,
    MEANT,
    UNDERSTOOD,
    Alphabet,
    Letters,
)
from vision.read.index_prints import OF_FACES, Prints, letter_ranks
from vision.read.ink import by_ink
from vision.read.looks import BEST, CLEAR, MOST, Looks
from vision.read.many_looks import EIGHT, SO_FAR
from vision.read.patches import POSES, cut

BATCH = 64
"""Batch size: enough to keep the processor busy, small enough for its caches. A choice;
`python -m tests.dealt_table` judges it."""
FACES: tuple[Card, ...] = (*(Card(rank, suit) for rank in RANKS for suit in SUITS), JOKER)
"""The faces an index can show, in the order used by `Prints.faces`."""
JOKER_FACE = FACES.index(JOKER)
"""The joker's position in `FACES`."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What letters mean on a deck: its `alphabet` if known, and else how likely each letter is."""

    alphabet: Alphabet | None = None
    odds: tuple[float, ...] | None = None
    """Of each of `LETTERS`, as `Letters.odds` gives them; None if nothing is known of it."""
    also: Collection[str] = ()
    """English letters printed besides: any may be where somebody has told the alphabet."""
    unknown: bool = False
    """Whether the letters seem to be those of no alphabet."""
    supposed: bool = False
    """Whether the alphabet is told by unclear letters: clear ones are looked at as if unknown."""
    lacking: Collection[str] = ()
    """English letters that such a deck hardly has, by the letters of other countries it shows."""

    def like_eights(self, prints: Prints) -> bool:
        """Whether the deck's jack has a letter that looks like an eight, or may have: there are
        letters of another country among the `prints`, and not enough to tell whose."""
        if self.alphabet is None:
            return bool(prints.foreign.any())
        return many_looks.LIKE_EIGHTS in self.alphabet.ranks

    def of(self, prints: Prints) -> Prints:
        """The `prints` of such a deck."""
        return prints if self.odds is None else prints.weighed(self.odds)

    def understood(
        self, faces: Floats, letters: Floats, eights: Floats, prints: Prints
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """What `prints` show, (N, 53), and which show a letter (N,) that many looks make clear.

        By the `faces` (N, 53) that were read, and the means over these looks of their `letters`
        (N, 12) and of the probabilities (N,) that they are `eights`.
        """
        best, clear, eight = many_looks.letters(letters, prints.letters, eights)
        clear &= not self.unknown
        # A first look at an eight may be as clear.
        faces = np.where(eight[:, None], faces * np.float32(MEANT), faces)
        meant = np.zeros_like(faces)
        pairs = letter_ranks(None, UNDERSTOOD)[best][:, :, None] * prints.suits[:, None, :4]
        meant[:, :JOKER_FACE] = pairs.reshape(len(faces), -1)
        return np.where(clear[:, None], meant, faces), clear

    def misfits(self, faces: Floats) -> NDArray[np.bool_]:
        """Which of the `faces` (N, 53) are of English letters that such a deck hardly has (N,)."""
        lacking = [FACES.index(Card(Rank(one), suit)) for one in self.lacking for suit in SUITS]
        return np.isin(faces.argmax(axis=1), lacking)

    def strange(self, prints: Prints) -> NDArray[np.bool_]:
        """Which of the `prints` show a letter (N,) that is not understood."""
        strange = prints.strange(self.alphabet, self.also)
        return strange | prints.foreign | prints.courts if self.unknown else strange


class IndexClassifier:
    """The second network: which rank and suit an upright patch shows.

    The `alphabet` says what the deck's letters stand for. Without it, the `letters` read so far may
    reveal it; without these too, each picture stands alone.
    """

    def __init__(
        self, network: Run, alphabet: Alphabet | None = None, letters: Letters | None = None
    ) -> None:
        self._network = network
        self._set = alphabet
        self._letters = letters

    @property
    def alphabet(self) -> Alphabet | None:
        """The alphabet of the deck, as far as it is known before a picture is read."""
        return self._set or (self._letters.alphabet if self._letters else None)

    def read(self, patches: NDArray[np.uint8]) -> Prints:
        """What the `patches` (N, 64, 48, 3) show."""
        parts = [
            self._network(patches[first : first + BATCH]) for first in range(0, len(patches), BATCH)
        ]
        if not parts:
            return Prints(np.zeros((0, OF_FACES), np.float32), np.zeros((0, 5), np.float32))
        ranks, suits, *letters = (np.concatenate(logits) for logits in zip(*parts, strict=True))
        spelled = [softmax(one)[:, OF_FACES:] for one in letters]
        return Prints(softmax(ranks), by_ink(softmax(suits), patches), *spelled)

    def look(
        self, frame: Frame, indices: Indices
    ) -> tuple[NDArray[np.uint8], Floats, NDArray[np.bool_]]:
        """The patches (N, 64, 48, 3) of `indices` in `frame`, and what they show, (N, 53).

        The third array tells which show a letter (N,) that is not understood. Unclear indices are
        read again, slightly rotated, scaled and shifted.
        """
        patches = cut(frame, indices)
        first = self.read(patches)
        spelling = self._spelling(first)
        prints, alphabet = spelling.of(first), spelling.alphabet
        faces, strange = prints.faces(alphabet), spelling.strange(prints)
        clear = np.maximum(faces.max(axis=1, initial=0), prints.clear_letters)
        hard, kings = (clear < CLEAR) & ~prints.doubled, first.kings(alphabet)
        unknown = alphabet is None or spelling.supposed
        lone, other = prints.lone & unknown, prints.other
        partly = prints.partly(faces) & unknown
        wavering = many_looks.perhaps_eights(faces) & spelling.like_eights(prints)
        again = np.flatnonzero(hard | lone | other | kings | partly | wavering)
        if not len(again):
            return patches, many_looks.questioned(faces, first.letters), strange
        looks = self._posed(frame, indices[again], spelling)
        if hard.any():
            faces[hard] = self._harder(frame, looks.chosen(hard[again]), spelling)
        if lone.any():
            own = looks.chosen(lone[again])
            letters, eights = own.letters.mean(axis=0), own.ranks[:, :, EIGHT].mean(axis=0)
            shown = prints.chosen(lone)
            faces[lone], clear = spelling.understood(faces[lone], letters, eights, shown)
            strange[lone] &= ~clear
        if other.any():
            ranks = looks.ranks.mean(axis=0)[other[again]]
            faces[other], clear = many_looks.numbered(faces[other], ranks, prints.suits[other])
            strange[other] &= ~clear
            faces[other] = many_looks.outvoted(faces[other], ranks, ~clear)
        if kings.any():
            letters = looks.letters.mean(axis=0)[kings[again]]
            faces[kings] = many_looks.kings_or_jacks(faces[kings], letters)
        if wavering.any():
            own = looks.chosen(wavering[again])
            letters, eights = own.letters.mean(axis=0), own.ranks[:, :, EIGHT].mean(axis=0)
            faces[wavering] = many_looks.eights_or_jacks(faces[wavering], letters, eights)
        if unknown:
            faces[again] = many_looks.contradicted(faces[again], looks.letters.mean(axis=0))
        faces = many_looks.doubtful(faces, partly & spelling.misfits(faces), SO_FAR)
        return patches, many_looks.questioned(faces, first.letters), strange

    def _spelling(self, prints: Prints) -> Spelling:
        """What letters mean, by all that were read so far, these ones included."""
        if self._set is not None:
            return Spelling(self._set, also=[rank.value for rank in LETTERED])
        letters = Letters() if self._letters is None else self._letters
        letters.note(prints.shown)
        supposed = letters.beside(prints.unclear)
        alphabet = letters.alphabet or supposed
        odds = None if alphabet else letters.odds()
        return Spelling(
            alphabet, odds, letters.mixed, unknown=letters.strange, supposed=supposed is not None,
            lacking=letters.lacking,
        )  # fmt: skip

    def all_round(self, frame: Frame, indices: Indices) -> Floats:
        """What `indices` in `frame` show, (N, 53), if most of many looks must agree.

        What merely resembles an index seldom does so in every pose. One that was located badly
        counts as what is clear around its clearest look, if anything is: print seldom is, even
        there.
        """
        spelling = Spelling(self.alphabet)
        looks = self._posed(frame, indices, spelling)
        faces, doubtful = looks.best(MOST), looks.doubtful(MOST)
        if len(doubtful):
            nearer = self._posed(frame, looks.clearest(doubtful), spelling).best(MOST)
            clear = nearer.max(axis=1) >= CLEAR
            faces[doubtful[clear]] = nearer[clear]
        return faces

    def _harder(self, frame: Frame, looks: Looks, spelling: Spelling) -> Floats:
        """What each index shows by the clearest of many looks, (N, 53).

        An index that only a few looks make clear was located badly: it is read again starting from
        the pose of the clearest look, and most looks must then agree.
        """
        faces, lone = looks.best(BEST), looks.doubtful(BEST)
        if len(lone):
            faces[lone] = self._posed(frame, looks.clearest(lone), spelling).best(MOST)
        return faces

    def _posed(self, frame: Frame, indices: Indices, spelling: Spelling) -> Looks:
        """The looks at `indices` in all poses."""
        posed = [pose.of(indices) for pose in POSES]
        prints = spelling.of(self.read(np.concatenate([cut(frame, one) for one in posed])))
        shape, alphabet = (len(POSES), len(indices), -1), spelling.alphabet
        faces = prints.faces(alphabet).reshape(shape)
        return Looks(posed, faces, prints.ranks.reshape(shape), prints.letters.reshape(shape))


def softmax(logits: Floats) -> Floats:
    """Probabilities over the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return result
