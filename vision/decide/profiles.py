"""Taught decks: what each card of an unusual deck looks like, stored in a file.

A `Profile` knows a deck by its whole faces, so it reads regional, tarot and children's decks
without indices: cards that lie apart, and a few that overlap (`vision.decide.overlaps`).
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
from vision.decide.faces_in_heap import TOP
from vision.decide.overlaps import explanations, size_of
from vision.decide.usual_size import usual_size
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
"""Minimum agreement with a taught face; below it, a card is foreign to the deck or half covered. A
choice; `python -m tests.teaching` judges it."""
STRANGE = 0.6
"""Agreement below which something shaped like a card is not a card. A choice;
`python -m tests.teaching` judges it."""
POSSIBLE = 0.63
"""Agreement assigned to the likeliest card if only its border shows that a card is there. Follows
from `STRANGE` and `vision.sightings.NAMELESS`: it is offered, and nameless."""
EVEN, STEP = 0.04, 0.025
"""Lead of the best card at which its odds begin to rise above even, and the scale of the rise, in
units of how much the two cards differ times the noise of the look. On 512 drawn cards in good and
bad light, 99 of 100 correct answers led by at least 0.14, wrong ones by less than 0.1. A choice;
`python -m tests.teaching` judges it."""
CLEAR, SCARCE = 0.84, 0.16
"""Minimum agreement of a partly visible card, and how much more is required when hardly any of it
shows. On 36 drawn rows of three, wrongly named cards agreed to at most 0.91 by a quarter of their
cells, and at most 0.79 by two thirds. `python -m tests.italian_decks` judges it."""
EQUAL = 0.01
"""Minimum difference assumed between two fully visible cards. Follows from the prints being stored
in half precision."""
PARTLY = 0.45
"""Minimum difference assumed between two cards if only part of one is visible: a six and a seven
differ by one sign, which may be hidden. A choice; `python -m tests.italian_decks` judges it."""
LEAST = 0.02
"""Minimum probability of a candidate worth offering. A choice; `python -m tests.teaching` judges
it."""
OFFERED = 5
"""Most candidates kept for a card. A choice: as many as a person will look through."""
ROW = 0.6
"""Largest distance between the centres of cards in one row, as a share of their height. A choice;
`python -m tests.teaching` judges it."""
_VERSION = 2
"""Format version of a stored profile. A choice, raised with each change of the format."""
UNPACKED_MOST = 50_000_000
"""Largest unpacked size of a deck in bytes: ours take less than one million. A choice;
`python -m tests.teaching` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How a face compares with the deck.

    `agreed` (C,) is how well each card agrees, in its better orientation; `turned` is whether
    upside down is better; `visible` are the cells of the card's print that can be seen.
    """

    agreed: Floats
    turned: bool
    visible: Cells | None

    @property
    def unnamed(self) -> Look:
        """The same for a card that shows too little to be named: no card is more than possible."""
        return replace(self, agreed=self.agreed + np.float32(POSSIBLE - self.best))

    @property
    def best(self) -> float:
        """How well the likeliest card agrees."""
        return float(self.agreed.max())


Placed: TypeAlias = tuple[Floats, Look]
"""The corners (4, 2) of a card, and what it looks like."""
Contoured: TypeAlias = tuple[Floats, list[Placed]]
"""The contour (N, 2) of an area of overlapping cards, and those cards."""


@dataclass(frozen=True, slots=True)
class Known:
    """The cards of a deck in a part of a picture.

    `strange` lists what is shaped like a card but is hardly one of the deck's faces: its corners
    (4, 2), and what it would be if it were one.
    """

    sightings: list[Sighting]
    strange: list[tuple[Floats, Sighting | None]]


class FaceDeck(Protocol):
    """A deck known by the whole faces of its cards, taught or built in."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards it can be read as."""

    @property
    def size_mm(self) -> tuple[float, float] | None:
        """Their width and height, if known."""

    @property
    def names(self) -> Mapping[Card, str]:
        """The names of cards that have their own name in this deck."""

    def sightings(self, frame: Frame, box: Box, size: Size | None = None) -> Known:
        """The cards of this deck in a part of a picture in which a card has this `size`."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A taught deck: the fingerprints of its cards and their names.

    `prints` (N, D) holds one fingerprint per look, and `owners` (N,) the position of its card in
    `cards`; `words` are the names of the `cards` in that deck. `size_mm` is the cards' width and
    height, if known.
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
        """The deck whose cards were `shown`, each with a picture and its corners (4, 2) in it.

        Raises `ProfileError` if no cards were shown or the number of `words` differs from that of
        cards.
        """
        looked = [(card, fingerprint(straight(frame, corners))) for card, frame, corners in shown]
        cards = tuple(dict.fromkeys(card for card, _ in looked))
        if not cards:
            raise ProfileError(f"{name}: expected cards to learn: none were shown")
        if words and len(words) != len(cards):
            raise ProfileError(f"{name}: expected {len(cards)} names: got {len(words)}")
        owners = np.array([cards.index(card) for card, _ in looked], np.intp)
        prints = np.stack([look for _, look in looked])
        return cls(name, cards, tuple(words) or tuple(map(str, cards)), prints, owners, size_mm)

    @classmethod
    def load(cls, path: Path) -> Profile:
        """Load a deck from a file; raises `ProfileError` if it is missing or not a taught deck."""
        with opened(path, "taught deck", ("version", _VERSION), UNPACKED_MOST) as file:
            cards = tuple(Card.parse(str(word)) for word in file["cards"])
            if set(file["owners"].tolist()) != set(range(len(cards))):
                raise ProfileError(f"{path}: expected a print of each of its {len(cards)} cards")
            return cls(
                str(file["name"]), cards, tuple(map(str, file["words"])),
                file["prints"].astype(np.float32), file["owners"].astype(np.intp),
                _size(file["size_mm"]),
            )  # fmt: skip

    def save(self, path: Path) -> None:
        """Save the deck atomically; raises `ProfileError` if it cannot be written."""
        stored.save(
            path, version=_VERSION, name=self.name, cards=list(map(str, self.cards)),
            words=list(self.words), prints=self.prints.astype(np.float16), owners=self.owners,
            size_mm=self.size_mm or (),
        )  # fmt: skip

    def word(self, card: Card) -> str:
        """The name of a card in this deck."""
        return self.words[self.cards.index(card)] if card in self.cards else str(card)

    @property
    def names(self) -> dict[Card, str]:
        """The names of cards that have their own name in this deck."""
        pairs = zip(self.cards, self.words, strict=True)
        return {card: word for card, word in pairs if word != str(card)}

    def agreements(self, looked: Floats, visible: Cells | None = None) -> Floats:
        """How well looks (L, D) agree with each card (2, C), upright and upside down.

        This is the best over all looks and prints. For a partly covered card, only the `visible`
        cells count.
        """
        return self._by_card(self.both_ways.agreements(looked, visible))

    @cached_property
    def both_ways(self) -> BothWays:
        """The prints in the form in which they are compared."""
        return BothWays.of(self.prints)

    @cached_property
    def _alike_whole(self) -> Floats:
        return self._alike_among(self.prints)

    @cached_property
    def _in_order(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The prints in order of their cards, and where each card's prints begin."""
        order = np.argsort(self.owners, kind="stable")
        return order, np.searchsorted(self.owners[order], np.arange(len(self.cards)))

    def _by_card(self, by_print: Floats) -> Floats:
        """The best of each card's prints: (..., N) to (..., C)."""
        order, begins = self._in_order
        best = np.maximum.reduceat(by_print[..., order], begins, axis=-1)
        return np.asarray(best, np.float32)

    def sightings(self, frame: Frame, box: Box, size: Size | None = None) -> Known:
        """The cards of this deck in a part of the picture.

        `size` is a card's short and long side in pixels, if known; otherwise it is estimated from
        single cards in the part, or from the straight edges of overlapping ones.
        """
        part = np.ascontiguousarray(box.cut(frame))
        found = [(corners, self._look(part, corners)) for corners in outlines(part)]
        heaped = self._heaped(part, size, found)
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

    def _heaped(self, part: Frame, size: Size | None, apart: Sequence[Placed]) -> list[Contoured]:
        """The areas of overlapping cards, with the cards of each.

        If no `size` is given, the cards that lie `apart` tell it, or else those of the areas.
        """
        known = [corners for corners, look in apart if look.best >= TOP]
        if size is None and self.size_mm is None and not known:
            return []
        masks, scale = standing_out(part)
        faces = FaceSearch(self.both_ways, shrunk(part, max(masks[0].shape)), self.owners)
        at = np.float32(scale)
        shrunk_to = (size[0] * scale, size[1] * scale) if size else None
        shrunk_to = shrunk_to or usual_size([one * at for one in known], faces, self.size_mm)
        if shrunk_to is None and self.size_mm is not None:
            shrunk_to = size_of(masks, self.size_mm[1] / self.size_mm[0], faces)
        if shrunk_to is None:
            return []
        found = []
        for one in explanations(masks, shrunk_to, faces):
            looked = []
            for number, card in enumerate(one.cards):
                corners = card.corners / at
                look = self._look(part, corners, card.visible if number else None)
                looked.append((corners, look if card.named else look.unnamed))
            found.append((around(one.area) / at, looked))
        return found

    def _look(self, part: Frame, corners: Floats, visible: Cells | None = None) -> Look:
        """How a card's face compares with the deck, in either orientation."""
        agreed = self.agreements(looks(part, corners, visible), visible)
        turned = bool(agreed[1].max() > agreed[0].max())
        if turned and visible is not None:
            visible = visible[::-1]
        return Look(agreed.max(axis=0), turned, visible)

    def _alike(self, visible: Cells | None) -> Floats:
        """How well each pair of cards (C, C) agrees, by their prints."""
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

    `agreed` (C,) is how well the look agrees with each card, and `alike` (C, C) how well the cards
    agree with each other: between two cards that look nearly the same, a small lead means a lot. It
    means less if only some cells are `visible`.

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
    """The agreement needed to recognize a card: higher, the less of it is visible."""
    if visible is None:
        return KNOWN
    hidden = 1 - float(np.count_nonzero(visible)) / CELLS
    return CLEAR + SCARCE * hidden


def _explains(heap: Contoured, single: Placed) -> bool:
    """Whether something with its own outline is already explained by a heap.

    It is not if it is a card overlooked there: shadows connect cards that lie apart.
    """
    contour, cards = heap
    corners, look = single
    if not _holds(contour, corners):
        return False
    middle = corners.mean(axis=0)
    alone = not any(within(one, middle) or within(corners, one.mean(axis=0)) for one, _ in cards)
    return not (alone and look.best >= TOP)


def _holds(heap: Floats, corners: Floats) -> bool:
    """Whether the centre of a card lies in an area."""
    x, y = (float(value) for value in corners.mean(axis=0))
    return cv2.pointPolygonTest(heap, (x, y), False) >= 0


def laid_out(frame: Frame) -> list[Floats]:
    """The corners of all cards in a picture in reading order: row by row, left to right.

    A card whose long side is horizontal counts as lying on its side, not upside down.
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
    """Learn the deck that `pictures` show one after another, with its cards in the given `order`.

    They may show it several times; one extra card each time is the deck's back. Raises
    `ProfileError` if they show a different number of cards.
    """
    shown = [(frame, corners) for frame in pictures for corners in laid_out(frame)]
    for wanted, called in ((tuple(order), tuple(words)), ((*order, BACK), (*words, "back"))):
        if shown and len(shown) % len(wanted) == 0:
            cards = wanted * (len(shown) // len(wanted))
            looks_at = [(card, *one) for card, one in zip(cards, shown, strict=True)]
            return Profile.taught(name, looks_at, called if words else ())
    raise ProfileError(
        f"{name}: expected {len(order)} cards in all pictures, apart from each other and fully "
        f"visible: found {len(shown)}"
    )


def _size(stored: NDArray[np.float64]) -> tuple[float, float] | None:
    """A card's width and height, if stored."""
    if stored.size == 0:
        return None
    width, height = (float(value) for value in stored)
    return width, height
