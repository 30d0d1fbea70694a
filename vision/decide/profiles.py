"""Taught decks: what each card of an unusual deck looks like, kept in a file.

A `Profile` knows a deck by its whole faces, so it reads regional, tarot and children's decks that
have no index: cards that lie apart, and a few over each other (`vision.decide.overlaps`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK, Card
from vision.decide.corners import around
from vision.decide.overlaps import TOP, explanations, size_of
from vision.errors import ProfileError
from vision.find.outlines import outlines, standing_out
from vision.picture import stored
from vision.picture.geometry import Box, Floats, Frame, bearing, shrunk, within
from vision.picture.stored import opened
from vision.read.face_search import FaceSearch, Size
from vision.read.fingerprint import (
    CELLS,
    BothWays,
    Cells,
    fingerprint,
    looks,
    seen_through,
    straight,
)
from vision.sightings import Sighting

KNOWN = 0.75
"""A face that agrees less with every taught one is foreign to the deck or half covered. A choice;
`python -m tests.teaching` judges it."""
STRANGE = 0.6
"""Below this agreement a thing is not a card but something else with a card's shape. A choice;
`python -m tests.teaching` judges it."""
POSSIBLE = 0.63
"""What the likeliest card counts to agree where only its border tells that one lies there. Follows
from `STRANGE` and `vision.sightings.NAMELESS`: it is offered, and nameless."""
EVEN, STEP = 0.04, 0.025
"""How far the best card must be ahead for even chances, and how fast they rise from there: in units
of how unlike the two cards and how noisy the look are. On 512 drawn cards in good and bad light 99
right answers of 100 were ahead by 0.14 and more, wrong ones by under 0.1. A choice;
`python -m tests.teaching` judges it."""
CLEAR, SCARCE = 0.84, 0.16
"""A card partly in sight is known from the first on, and by the second more where hardly any of it
shows. On 36 drawn rows of three, cards that were named wrongly agreed to 0.91 and less by a quarter
of their cells, to 0.79 by two thirds. `python -m tests.italian_decks` judges it."""
EQUAL = 0.01
"""The least difference that two cards in full sight count to have. Follows from the prints being
kept in half precision."""
PARTLY = 0.45
"""The least difference that two cards count to have where only a part is in sight: a six and a
seven differ by one sign, which may be hidden. A choice; `python -m tests.italian_decks` judges
it."""
LEAST = 0.02
"""Candidates below this probability are not offered. A choice; `python -m tests.teaching` judges
it."""
SHAPE = 0.12
"""By which part of it the length by width of a single card may differ from the deck's, for a slant
and a lens. A choice; `python -m tests.italian_decks --unscaled` judges it."""
OFFERED = 5
"""The most candidates kept of a card. A choice: as many as a person looks through."""
ROW = 0.6
"""Cards whose centres differ by less than this share of their height are in one row. A choice;
`python -m tests.teaching` judges it."""
_VERSION = 2
"""The format of a stored profile. A choice, raised with each change of it."""
UNPACKED_MOST = 50_000_000
"""Bytes that a deck may unpack to: ours take less than one million. A choice;
`python -m tests.teaching` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What a face agrees with: each card (C,), either way up; `turned` where upside down is the
    better way, and the cells of the card's print that are in `visible` sight."""

    agreed: Floats
    turned: bool
    visible: Cells | None

    @property
    def unnamed(self) -> Look:
        """The same where too little shows to say which card it is: none is more than possible."""
        return replace(self, agreed=self.agreed + np.float32(POSSIBLE - self.best))

    @property
    def best(self) -> float:
        """How well the likeliest card agrees."""
        return float(self.agreed.max())


Placed: TypeAlias = tuple[Floats, Look]
"""The corners (4, 2) of a card, and what it looks like."""
Contoured: TypeAlias = tuple[Floats, list[Placed]]
"""The contour (N, 2) of an area in which cards lie over each other, and those cards."""


@dataclass(frozen=True, slots=True)
class Known:
    """The cards of a deck in a part of a picture.

    `strange` is what is card-shaped and hardly one of its faces: its corners (4, 2), and what it
    would be if it is one.
    """

    sightings: list[Sighting]
    strange: list[tuple[Floats, Sighting | None]]


class FaceDeck(Protocol):
    """A deck whose cards are known by their whole faces: one that was taught, or one of a kind."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that it can be read as."""

    @property
    def size_mm(self) -> tuple[float, float] | None:
        """Their width and height, where those are known."""

    @property
    def names(self) -> Mapping[Card, str]:
        """The cards that have a name of their own in this deck."""

    def sightings(self, frame: Frame, box: Box, size: Size | None = None) -> Known:
        """The cards of this deck in a part of a picture, in which a card has this `size`."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A taught deck: fingerprints of its cards, and what they are called.

    `prints` (N, D) holds one fingerprint a look, `owners` (N,) the position of its card in `cards`;
    `words` what each of the `cards` is called in that deck. `size_mm` is the cards' width and
    height, where they are known.
    """

    name: str
    cards: tuple[Card, ...]
    words: tuple[str, ...]
    prints: Floats
    owners: NDArray[np.intp]
    size_mm: tuple[float, float] | None = None

    @classmethod
    def taught(
        cls,
        name: str,
        shown: Iterable[tuple[Card, Frame, Floats]],
        words: Sequence[str] = (),
        *,
        size_mm: tuple[float, float] | None = None,
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
        return cls(name, cards, tuple(words) or tuple(map(str, cards)), prints, owners, size_mm)

    @classmethod
    def load(cls, path: Path) -> Profile:
        """The deck saved in a file; raises `ProfileError` if it is missing or not a taught deck."""
        with opened(path, "taught deck", ("version", _VERSION), UNPACKED_MOST) as file:
            cards = tuple(Card.parse(str(word)) for word in file["cards"])
            if set(file["owners"].tolist()) != set(range(len(cards))):
                raise ProfileError(f"{path}: expected prints of each of its {len(cards)} cards")
            return cls(
                str(file["name"]), cards, tuple(map(str, file["words"])),
                file["prints"].astype(np.float32), file["owners"].astype(np.intp),
                _size(file["size_mm"]),
            )  # fmt: skip

    def save(self, path: Path) -> None:
        """Save the deck, whole or not at all; raises `ProfileError` if it cannot be written."""
        stored.save(
            path, version=_VERSION, name=self.name, cards=list(map(str, self.cards)),
            words=list(self.words), prints=self.prints.astype(np.float16), owners=self.owners,
            size_mm=self.size_mm or (),
        )  # fmt: skip

    def word(self, card: Card) -> str:
        """What a card is called in this deck."""
        return self.words[self.cards.index(card)] if card in self.cards else str(card)

    @property
    def names(self) -> dict[Card, str]:
        """The cards that have a name of their own in this deck."""
        pairs = zip(self.cards, self.words, strict=True)
        return {card: word for card, word in pairs if word != str(card)}

    def agreements(self, looked: Floats, visible: Cells | None = None) -> Floats:
        """How well looks (L, D) agree with each card (2, C), as it is and turned half round: the
        best over all looks and prints.

        Of a card partly under others only the `visible` cells count.
        """
        return self._by_card(self.both_ways.agreements(looked, visible))

    @cached_property
    def both_ways(self) -> BothWays:
        """The prints as they are compared."""
        return BothWays.of(self.prints)

    @cached_property
    def _alike_whole(self) -> Floats:
        return self._alike_among(self.prints)

    @cached_property
    def _in_order(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The prints card by card, and where each card's begin."""
        order = np.argsort(self.owners, kind="stable")
        return order, np.searchsorted(self.owners[order], np.arange(len(self.cards)))

    def _by_card(self, by_print: Floats) -> Floats:
        """The best of each card's prints: (..., N) as (..., C)."""
        order, begins = self._in_order
        best = np.maximum.reduceat(by_print[..., order], begins, axis=-1)
        return np.asarray(best, np.float32)

    def sightings(self, frame: Frame, box: Box, size: Size | None = None) -> Known:
        """The cards of this deck that lie in a part of the picture.

        `size` is a card's short and long side in pixels, where it is known; otherwise single cards
        in the part tell it, or the straight edges of cards that lie over each other.
        """
        part = np.ascontiguousarray(box.cut(frame))
        found = [(corners, self._look(part, corners)) for corners in outlines(part)]
        heaped = self._heaped(part, size or self._usual(found))
        apart = [one for one in found if not any(_explains(heap, one) for heap in heaped)]
        known = [(corners, look) for corners, look in apart if look.best >= KNOWN]
        known += [pair for _, cards in heaped for pair in cards]
        offset = np.array((box.x, box.y), np.float32)
        sightings = [self._sighting(corners + offset, look) for corners, look in known]
        strange: list[tuple[Floats, Sighting | None]] = [
            (
                corners + offset,
                self._sighting(corners + offset, look) if look.best >= STRANGE else None,
            )
            for corners, look in apart
            if look.best < KNOWN
        ]
        return Known(sightings, strange)

    def _heaped(self, part: Frame, size: Size | None) -> list[Contoured]:
        """The areas in which cards lie over each other, with the cards of each."""
        if size is None and self.size_mm is None:
            return []
        masks, scale = standing_out(part)
        faces = FaceSearch(self.both_ways, shrunk(part, max(masks[0].shape)), self.owners)
        shrunk_to = (size[0] * scale, size[1] * scale) if size else None
        if shrunk_to is None and self.size_mm is not None:
            shrunk_to = size_of(masks, self.size_mm[1] / self.size_mm[0], faces)
        if shrunk_to is None:
            return []
        found = []
        for one in explanations(masks, shrunk_to, faces):
            looked = []
            for number, card in enumerate(one.cards):
                corners = card.corners / np.float32(scale)
                look = self._look(part, corners, card.visible if number else None)
                looked.append((corners, look if card.named else look.unnamed))
            found.append((around(one.area) / np.float32(scale), looked))
        return found

    def _usual(self, found: Sequence[Placed]) -> Size | None:
        """The size of the cards that lie singly and are known, if any do: what has another shape
        than the deck's cards is several that lie over each other."""
        known = np.array([_sides(corners) for corners, look in found if look.best >= TOP])
        if self.size_mm is not None and len(known):
            ratio = known[:, 1] / known[:, 0] / (self.size_mm[1] / self.size_mm[0])
            known = known[np.abs(ratio - 1) <= SHAPE]
        if not len(known):
            return None
        short, long = np.median(known, axis=0)
        return float(short), float(long)

    def _look(self, part: Frame, corners: Floats, visible: Cells | None = None) -> Look:
        """What a card's face agrees with, either way up."""
        agreed = self.agreements(looks(part, corners, visible), visible)
        turned = bool(agreed[1].max() > agreed[0].max())
        if turned and visible is not None:
            visible = visible[::-1]
        return Look(agreed.max(axis=0), turned, visible)

    def _alike(self, visible: Cells | None) -> Floats:
        """How well each two cards (C, C) agree, by their prints."""
        if visible is None:
            return self._alike_whole
        return self._alike_among(seen_through(self.prints, visible))

    def _alike_among(self, prints: Floats) -> Floats:
        return self._by_card(self._by_card(prints @ prints.T).T)

    def _sighting(self, corners: Floats, look: Look) -> Sighting:
        alike = self._alike(look.visible)
        candidates = chances(self.cards, look.agreed, alike, visible=look.visible)
        card, confidence = candidates[0]
        placed = np.roll(corners, 2, axis=0) if look.turned else corners
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


def chances(
    cards: Sequence[Card], agreed: Floats, alike: Floats, *, visible: Cells | None = None
) -> tuple[tuple[Card, float], ...]:
    """The likeliest of `cards` and their probabilities, best first.

    `agreed` (C,) says how well the look agrees with each, `alike` (C, C) how well they do with
    each other: between two cards that look nearly the same a small lead says much. It says less
    where only some cells are `visible`.

    >>> pair = Card.parse("6D"), Card.parse("7D")
    >>> alike = np.array([[1, 0.96], [0.96, 1]])
    >>> [(str(card), round(p, 2)) for card, p in chances(pair, np.array([0.98, 0.94]), alike)]
    [('6D', 1.0)]
    >>> [(str(card), round(p, 2)) for card, p in chances(pair, np.array([0.80, 0.795]), alike)]
    [('6D', 0.5), ('7D', 0.5)]
    """
    order = np.argsort(-agreed, kind="stable")[:OFFERED]
    best = float(agreed[order[0]])
    unlike = np.maximum(
        np.sqrt(np.maximum(2 - 2 * alike[order[0], order], 0)),
        EQUAL if visible is None else PARTLY,
    )
    noise = np.sqrt(max(2 - 2 * best, 1e-4))
    if visible is not None:
        noise *= np.sqrt(CELLS / max(1.0, float(np.count_nonzero(visible))))
    lead = (best - agreed[order]) / (unlike * noise)
    odds = np.exp(-np.maximum(lead - EVEN, 0) / STEP)
    odds[0] = 1.0
    known = min(1.0, max(0.0, (best - STRANGE) / (_enough(visible) - STRANGE)))
    shares = odds / odds.sum() * known
    pairs = [(cards[place], float(share)) for place, share in zip(order, shares, strict=True)]
    return tuple(pairs[:1] + [pair for pair in pairs[1:] if pair[1] >= LEAST])


def _enough(visible: Cells | None) -> float:
    """How well a card must agree to be taken for known: the better, the less of it is in sight."""
    if visible is None:
        return KNOWN
    hidden = 1 - float(np.count_nonzero(visible)) / CELLS
    return CLEAR + SCARCE * hidden


def _sides(corners: Floats) -> Size:
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    short, long = sorted((float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2))
    return short, long


def _explains(heap: Contoured, single: Placed) -> bool:
    """Whether what has an outline of its own is in a heap, and no card that was overlooked there:
    shadows join cards that lie by themselves."""
    contour, cards = heap
    corners, look = single
    if not _holds(contour, corners):
        return False
    middle = corners.mean(axis=0)
    alone = not any(within(one, middle) or within(corners, one.mean(axis=0)) for one, _ in cards)
    return not (alone and look.best >= TOP)


def _holds(heap: Floats, corners: Floats) -> bool:
    """Whether the middle of a card lies in an area."""
    x, y = (float(value) for value in corners.mean(axis=0))
    return cv2.pointPolygonTest(heap, (x, y), False) >= 0


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


def _size(stored: NDArray[np.float64]) -> tuple[float, float] | None:
    """A card's width and height, where they were known."""
    if stored.size == 0:
        return None
    width, height = (float(value) for value in stored)
    return width, height
