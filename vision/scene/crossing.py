"""Swords bent around each other and crossed clubs, as on cards from the north-east of Italy.

>>> picture = np.full((184, 112, 3), 255, np.uint8)
>>> pen = Pen(picture, (56, 92), 160)
>>> inks = [(200, 60, 40), (40, 40, 200), (40, 180, 220)]
>>> crossing(pen, Suit.SPADES, 5, inks, np.random.default_rng(3))
>>> bool((picture < 255).any())
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rules.cards import Suit
from vision.scene.courts import BLACK, Colour
from vision.scene.long_signs import crossing_club, crossing_sword
from vision.scene.pen import Pen, Place, Points
from vision.scene.signs import Inks, ornament

Rng: TypeAlias = np.random.Generator
ACROSS = 0.58
"""A card's width as a share of its height. Follows from existing decks."""
REACH = ACROSS * 0.46
"""Maximum distance of the ends of clubs from the middle. A choice: they stay on the card."""
WIDEST = 0.05
"""Maximum width of a blade or a staff, as a share of the card. A choice."""
ALIKE = 0.6
"""Probability that the odd sign is built like the others. A choice."""
FILLED = 0.5
"""Share of makers whose clubs fill the same part of a card however many cross. A choice."""
CLASPED = 0.3
"""Share of makers who cover the places where swords cross. A choice."""


def crossing(pen: Pen, suit: Suit, count: int, inks: Inks, rng: Rng) -> None:
    """Draw pairs that cross, with an odd sign upright between them, over or under."""
    plan = _Plan.of(suit, rng)
    bundle = plan.bundle
    dressed = np.random.default_rng([plan.dressing, count])
    _dressed(pen, inks, dressed)
    odd = count % 2 == 1
    if odd and not plan.over:
        bundle.upright(pen, inks, plan.seed)
    for line, number in bundle.lines(count // 2):
        bundle.draw(pen, line, bundle.inked(inks, number), np.random.default_rng(plan.seed))
    if odd and plan.over:
        bundle.upright(pen, inks, plan.seed)
    if suit is Suit.SPADES:
        bundle.clasped(pen, inks)
    elif count < 4 and dressed.random() < TIED:
        _tied(pen, inks, dressed)


def lines(suit: Suit, count: int, rng: Rng) -> list[list[Place]]:
    """The line of each sign that `crossing` draws with the same random numbers, in the pen's
    units; a sword's ends with its hilt.

    >>> [len(lines(Suit.CLUBS, count, np.random.default_rng(2))) for count in range(2, 10)]
    [2, 3, 4, 5, 6, 7, 8, 9]
    """
    plan = _Plan.of(suit, rng)
    pairs = [line for line, _ in plan.bundle.lines(count // 2)]
    return [*pairs, _upright(np.random.default_rng([plan.seed, 1]))] if count % 2 else pairs


TIED, DRESSED = 0.35, 0.3
"""Probability that two or three clubs are tied where they cross, and that there are leaves in each
gap between signs. Choices."""


def _dressed(pen: Pen, inks: Inks, rng: Rng) -> None:
    """Draw leaves, flowers and flourishes in the gaps above, below and next to the crossing."""
    for x, y in ((0.0, -0.28), (0.0, 0.28), (-0.17, 0.0), (0.17, 0.0)):
        if rng.random() < DRESSED:
            turn = 0.0 if x == 0 else 90.0
            place = pen.centre[0] + x * pen.height, pen.centre[1] + y * pen.height
            ornament(pen.elsewhere(place, pen.height * 0.2, turn), inks, rng)


def _tied(pen: Pen, inks: Inks, rng: Rng) -> None:
    """Tie a ribbon around signs where they cross, with its ends on both sides."""
    reach, ink = float(rng.uniform(0.06, 0.2)), inks[int(rng.integers(len(inks)))]
    for side in (-1, 1):
        end = side * reach, float(rng.uniform(-0.06, 0.06))
        pen.stroke([(0.0, 0.0), (end[0] * 0.6, end[1] - 0.02), end], ink, 0.03)
    pen.disc((0, 0), float(rng.uniform(0.03, 0.06)), ink)


@dataclass(frozen=True, slots=True)
class _Bundle:
    """How one maker makes the signs of a suit cross."""

    suit: Suit
    out: float
    """Distance of the outermost sign from the middle, as a share of the card's height."""
    step: float
    """Distance from one sign to the next on the same side."""
    close: float
    """Width of the signs relative to that distance: nearly one if they are side by side."""
    bow: float
    """Number of half waves in a sword, so that it continues beyond the crossing."""
    flare: float
    """How much farther its ends extend."""
    spread: float
    """Distance of the ends of the outermost clubs from the middle: any number of them fills as much
    of the card; 0 if the distance between them is the same for any number."""
    oval: bool
    """Whether the ends of clubs are on an oval, rather than level with each other."""
    fan: float
    """How much clubs spread towards their ends: 0 if they run alongside each other."""
    colours: int
    """Colours all alike (0), by side (1), or alternating (2)."""
    flipped: bool
    """Whether the hilts of the two sides are at opposite ends."""
    clasp: float
    """Size of a lozenge where bent swords cross; 0 for none."""
    mixed: bool
    """Whether signs are drawn pair by pair, rather than one side after the other."""

    def lines(self, pairs: int) -> list[tuple[list[Place], int]]:
        """The lines of all signs, undermost first, each with a number that decides its inks."""
        places = [(pair, side) for pair in range(pairs) for side in (-1, 1)]
        if not self.mixed:
            places.sort(key=lambda place: place[1])
        return [
            (self._line(pair, pairs, side), (0, int(side > 0), pair + int(side > 0))[self.colours])
            for pair, side in places
        ]

    def _line(self, pair: int, pairs: int, side: int) -> list[Place]:
        ys = np.linspace(-0.5, 0.5, 17)
        if self.suit is Suit.SPADES:
            bent = np.cos(ys * np.pi * self.bow)
            bent = np.where(bent < 0, bent * self.flare, bent)
            line = [(float(x), float(y)) for x, y in
                    zip(side * (self.out - pair * self.step) * bent, ys, strict=True)]  # fmt: skip
            return line[::-1] if self.flipped and side > 0 else line
        place = pair - (pairs - 1) / 2
        out = self.spread if self.spread and pairs == 1 else self.out
        room = ((self.spread or REACH) - out) * 2 / max(1, pairs - 1)
        step = room if self.spread else min(self.step, room)
        if self.oval:
            step = min(self.step * 1.4, OVAL * 1.2 / max(1, pairs - 1))
        lean, beside = out * (1 + self.fan * place / max(1, pairs)), step * place
        if self.oval:
            ys = _within(2 * lean, beside * (1 - self.fan))
        else:
            ys = ys * (1 - 0.12 * abs(place) / max(1, pairs))
        ways = zip(side * (lean * ys * 2 + beside * (1 - self.fan)), ys, strict=True)
        return [(float(x), float(y)) for x, y in ways]

    def clasped(self, pen: Pen, inks: Inks) -> None:
        """Draw what covers the places where bent swords cross."""
        reach = self.clasp
        for y in (-0.5 / self.bow, 0.5 / self.bow) if reach else ():
            around = [(0.0, y - reach), (reach, y), (0.0, y + reach), (-reach, y)]
            pen.shape(around, inks[-1] if self.mixed else BLACK)

    def inked(self, inks: Inks, number: int) -> tuple[Colour, ...]:
        """The inks of the sign with that number; the first and the second change places for odd
        ones."""
        own = list(inks)
        if number % 2:
            own[0], own[1] = own[1], own[0]
        return tuple(own)

    def draw(self, pen: Pen, line: list[Place], inks: Inks, rng: Rng) -> None:
        """Draw one sign along its line."""
        width = min(self.step * self.close, WIDEST)
        drawing = _DRAWN[self.suit]
        drawing(pen, line, inks, rng, width)

    def upright(self, pen: Pen, inks: Inks, seed: int) -> None:
        """Draw the odd sign, straight from end to end, with inks of its own."""
        rng = np.random.default_rng([seed, 1])
        line = _upright(rng)
        own = inks if rng.random() < 0.5 else tuple(inks[::-1])
        alike = rng.random() < ALIKE
        wide = min(self.step * self.close, WIDEST) if alike else float(rng.uniform(0.02, 0.06))
        _DRAWN[self.suit](pen, line, own, np.random.default_rng(seed) if alike else rng, wide)


def _upright(rng: Rng) -> list[Place]:
    """The line of the odd sign, either way up."""
    reach = float(rng.uniform(0.36, 0.5))
    line = [(0.0, float(y)) for y in np.linspace(-reach, reach, 17)]
    return line if rng.random() < 0.5 else line[::-1]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is decided before the signs of a suit are drawn."""

    bundle: _Bundle
    dressing: int
    """The seed of the ornaments in the gaps."""
    over: bool
    """Whether the odd sign lies over the others."""
    seed: int
    """The seed of each sign's shape."""

    @classmethod
    def of(cls, suit: Suit, rng: Rng) -> _Plan:
        bundle, dressing = _bundle(suit, rng), int(rng.integers(2**31))
        over = rng.random() < 0.6
        return cls(bundle, dressing, over, int(rng.integers(2**31)))


def _within(slope: float, beside: float) -> Points:
    """The heights of a line through (beside, 0) inside an oval that fills the card."""
    square = (slope / OVAL) ** 2 + 4
    middle = -slope * beside / OVAL**2 / square
    reach = np.sqrt(max(0.01, middle**2 + (1 - (beside / OVAL) ** 2) / square))
    return np.linspace(middle - reach, middle + reach, 17)


OVAL = REACH * 1.1
"""Half the width of that oval, as a share of a card's height. A choice: clubs stay on the card."""


def _bundle(suit: Suit, rng: Rng) -> _Bundle:
    bent = suit is Suit.SPADES
    return _Bundle(
        suit,
        out=ACROSS * float(rng.uniform(0.34, 0.47) if bent else rng.uniform(0.16, 0.38)),
        step=ACROSS * float(rng.uniform(0.045, 0.11) if bent else rng.uniform(0.1, 0.22)),
        close=float(rng.uniform(0.45, 0.95) if bent else rng.uniform(0.25, 0.7)),
        bow=float(rng.uniform(1.0, 1.6)),
        flare=float(rng.uniform(0.6, 2.2)),
        spread=REACH * float(rng.uniform(0.88, 1.0)) if rng.random() < FILLED else 0.0,
        oval=bool(rng.random() < 0.5),
        fan=float(rng.choice([0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.5])),
        colours=int(rng.integers(3)),
        flipped=bool(rng.random() < 0.4),
        clasp=float(rng.uniform(0.04, 0.08)) if rng.random() < CLASPED else 0.0,
        mixed=bool(rng.random() < 0.5),
    )


_DRAWN: dict[Suit, Callable[[Pen, list[Place], Inks, Rng, float], None]] = {
    Suit.SPADES: crossing_sword, Suit.CLUBS: crossing_club,
}  # fmt: skip
"""The function that draws each suit's sign along a line."""
