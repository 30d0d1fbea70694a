"""Decks that were taught: what each card of an unusual deck looks like, kept in a file.

A `Profile` knows a deck by its whole faces, so it reads regional, tarot and children's decks that
have no index. Its cards lie apart and in full sight; fans of them cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from struct import error as StructError  # noqa: N812 - an exception, named as one
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812

import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, Card
from vision.errors import ProfileError
from vision.find.outlines import outlines
from vision.picture.geometry import Box, Floats, Frame, bearing
from vision.read.fingerprint import fingerprint, looks, straight
from vision.sightings import Sighting

KNOWN = 0.75
"""A face that agrees less with every taught one is foreign to the deck or half covered. A choice;
`python -m tests.teaching` judges it."""
STRANGE = 0.6
"""Below this agreement it is not a card but something else shaped like one. A choice;
`python -m tests.teaching` judges it."""
EVEN, STEP = 0.04, 0.025
"""How far the best card must be ahead for even chances, and how fast they rise from there: in units
of how unlike the two cards and how noisy the look are. On 512 drawn cards in good and bad light 99
right answers of 100 were ahead by 0.14 and more, wrong ones by under 0.1. A choice;
`python -m tests.teaching` judges it."""
LEAST = 0.02
"""Candidates below this probability are not offered. A choice; `python -m tests.teaching` judges
it."""
OFFERED = 5
"""The most candidates kept of a card. A choice: as many as a person looks through."""
ROW = 0.6
"""Cards whose centres differ by less than this share of their height are in one row. A choice;
`python -m tests.teaching` judges it."""
_VERSION = 1
"""The format of a stored profile. A choice, raised with each change of it."""
UNPACKED_MOST = 50_000_000
"""Bytes that a deck may unpack to: ours take less than one million. A choice;
`python -m tests.teaching` judges it."""
_DAMAGE = (
    KeyError, ValueError, IndexError, TypeError, BadZipFile, ZlibError, StructError, EOFError,
    NotImplementedError, MemoryError, OverflowError, RuntimeError, SyntaxError,
)  # fmt: skip
"""What numpy and its zip files raise for a damaged file."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A taught deck: fingerprints of its cards, and what they are called.

    `prints` (N, D) holds one fingerprint a look, `owners` (N,) the position of its card in `cards`;
    `words` what each of the `cards` is called in that deck.
    """

    name: str
    cards: tuple[Card, ...]
    words: tuple[str, ...]
    prints: Floats
    owners: NDArray[np.intp]

    @classmethod
    def taught(
        cls, name: str, shown: Iterable[tuple[Card, Frame, Floats]], words: Sequence[str] = ()
    ) -> Profile:
        """The deck whose cards were `shown`: each with a picture and its corners (4, 2) in it.

        Raises `ProfileError` if nothing was shown, or the `words` are not as many as the cards.
        """
        looked = [(card, fingerprint(straight(frame, corners))) for card, frame, corners in shown]
        cards = tuple(dict.fromkeys(card for card, _ in looked))
        if not cards:
            raise ProfileError(f"{name}: expected cards to learn: none was shown")
        if words and len(words) != len(cards):
            raise ProfileError(f"{name}: expected {len(cards)} names: got {len(words)}")
        owners = np.array([cards.index(card) for card, _ in looked], np.intp)
        prints = np.stack([look for _, look in looked])
        return cls(name, cards, tuple(words) or tuple(map(str, cards)), prints, owners)

    @classmethod
    def load(cls, path: Path) -> Profile:
        """The deck saved in a file; raises `ProfileError` if it is missing or not a taught deck."""
        try:
            _check_size(path)
            with np.load(path, allow_pickle=False) as file:
                if int(file["version"]) != _VERSION:
                    raise ProfileError(f"{path}: expected a deck of version {_VERSION}")
                cards = tuple(Card.parse(str(word)) for word in file["cards"])
                return cls(
                    str(file["name"]), cards, tuple(map(str, file["words"])),
                    file["prints"].astype(np.float32), file["owners"].astype(np.intp),
                )  # fmt: skip
        except OSError as error:
            raise ProfileError(f"{path}: no taught deck: {error.strerror or error}") from error
        except ProfileError:
            raise
        except _DAMAGE as error:
            raise ProfileError(f"{path}: expected a taught deck: {error}") from error

    def save(self, path: Path) -> None:
        """Save the deck, whole or not at all; raises `ProfileError` if it cannot be written."""
        partial = path.with_suffix(".partial")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with partial.open("wb") as file:
                np.savez_compressed(
                    file, version=_VERSION, name=self.name, cards=list(map(str, self.cards)),
                    words=list(self.words), prints=self.prints.astype(np.float16),
                    owners=self.owners,
                )  # fmt: skip
            partial.replace(path)
        except OSError as error:
            raise ProfileError(f"{path}: cannot be written: {error.strerror}") from error

    def word(self, card: Card) -> str:
        """What a card is called in this deck."""
        return self.words[self.cards.index(card)] if card in self.cards else str(card)

    @property
    def names(self) -> dict[Card, str]:
        """The cards that have a name of their own in this deck."""
        pairs = zip(self.cards, self.words, strict=True)
        return {card: word for card, word in pairs if word != str(card)}

    def agreements(self, fingerprints: Floats) -> Floats:
        """How well looks (L, D) agree with each card (C,): the best over all looks and prints."""
        best = (fingerprints @ self.prints.T).max(axis=0)
        result = np.zeros(len(self.cards), np.float32)
        np.maximum.at(result, self.owners, best)
        return result

    def sightings(self, frame: Frame, box: Box) -> list[Sighting]:
        """The cards of this deck that lie in a part of the picture."""
        part = np.ascontiguousarray(box.cut(frame))
        alike = self._alike()
        found = [self._sighting(part, corners, box, alike) for corners in outlines(part)]
        return [sighting for sighting in found if sighting is not None]

    def _alike(self) -> Floats:
        """How well each two cards (C, C) agree, by their prints."""
        numbers = range(len(self.cards))
        return np.stack([self.agreements(self.prints[self.owners == n]) for n in numbers])

    def _sighting(self, part: Frame, corners: Floats, box: Box, alike: Floats) -> Sighting | None:
        ways = [corners, np.roll(corners, 2, axis=0)]
        agreed = np.stack([self.agreements(looks(part, way)) for way in ways])
        if float(agreed.max()) < STRANGE:
            return None
        candidates = chances(self.cards, agreed.max(axis=0), alike)
        card, confidence = candidates[0]
        placed = ways[int(agreed.max(axis=1).argmax())] + np.array((box.x, box.y), np.float32)
        up = placed[0] - placed[3]
        x, y = placed.mean(axis=0)
        return Sighting(
            card,
            confidence,
            candidates,
            tuple((round(float(u), 1), round(float(v), 1)) for u, v in placed),
            (round(float(x), 1), round(float(y), 1)),
            bearing((float(up[0]), float(up[1]))),
        )


def chances(cards: Sequence[Card], agreed: Floats, alike: Floats) -> tuple[tuple[Card, float], ...]:
    """The likeliest of `cards` and their probabilities, best first.

    `agreed` (C,) says how well the look agrees with each, `alike` (C, C) how well they do with
    each other: between two cards that look nearly the same a small lead says much.

    >>> pair = Card.parse("6D"), Card.parse("7D")
    >>> alike = np.array([[1, 0.96], [0.96, 1]])
    >>> [(str(card), round(p, 2)) for card, p in chances(pair, np.array([0.98, 0.94]), alike)]
    [('6D', 1.0)]
    >>> [(str(card), round(p, 2)) for card, p in chances(pair, np.array([0.80, 0.795]), alike)]
    [('6D', 0.5), ('7D', 0.5)]
    """
    order = np.argsort(-agreed, kind="stable")[:OFFERED]
    best = float(agreed[order[0]])
    unlike = np.sqrt(np.maximum(2 - 2 * alike[order[0], order], 1e-4))
    noise = np.sqrt(max(2 - 2 * best, 1e-4))
    lead = (best - agreed[order]) / (unlike * noise)
    odds = np.exp(-np.maximum(lead - EVEN, 0) / STEP)
    odds[0] = 1.0
    known = min(1.0, max(0.0, (best - STRANGE) / (KNOWN - STRANGE)))
    shares = odds / odds.sum() * known
    pairs = [(cards[place], float(share)) for place, share in zip(order, shares, strict=True)]
    return tuple(pairs[:1] + [pair for pair in pairs[1:] if pair[1] >= LEAST])


def laid_out(frame: Frame) -> list[Floats]:
    """The corners of all cards in a picture in reading order: row by row, each left to right.

    A card with its long side horizontal counts as lying on its side, not upside down.
    """
    found = outlines(frame)
    rows: list[list[Floats]] = []
    for corners in sorted(found, key=lambda one: float(one[:, 1].mean())):
        height = float(np.ptp(corners[:, 1]))
        top = float(corners[:, 1].mean())
        row = next((r for r in rows if abs(_middle(r) - top) < ROW * height), None)
        if row is None:
            rows.append([corners])
        else:
            row.append(corners)
    return [one for row in rows for one in sorted(row, key=lambda c: float(c[:, 0].mean()))]


def _middle(row: Sequence[Floats]) -> float:
    return float(np.mean([corners[:, 1].mean() for corners in row]))


def learned(
    name: str, pictures: Sequence[Frame], order: Sequence[Card], words: Sequence[str] = ()
) -> Profile:
    """The deck that `pictures` show one after the other, its cards in the given `order`.

    They may show it several times over; one card more a time is the deck's back. Raises
    `ProfileError` if they show another number of cards.
    """
    shown = [(frame, corners) for frame in pictures for corners in laid_out(frame)]
    for wanted, called in ((tuple(order), tuple(words)), ((*order, BACK), (*words, "back"))):
        if shown and len(shown) % len(wanted) == 0:
            cards = wanted * (len(shown) // len(wanted))
            looks_at = [(card, *one) for card, one in zip(cards, shown, strict=True)]
            return Profile.taught(name, looks_at, called if words else ())
    raise ProfileError(
        f"{name}: expected {len(order)} cards in all pictures, apart from each other and in full "
        f"sight: found {len(shown)}"
    )


def _check_size(path: Path) -> None:
    """Raise `ProfileError` if a file would unpack to more than any deck takes."""
    with ZipFile(path) as file:
        size = sum(part.file_size for part in file.infolist())
    if size > UNPACKED_MOST:
        raise ProfileError(f"{path}: expected a taught deck, got {size} bytes of something")
