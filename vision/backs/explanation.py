"""The cards that explain a heap of backs: what the picture shows of each, and how sure they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.backs.poses import Poses
from vision.picture.geometry import Floats

LEAST = 0.05
"""Share of a card that must be left of a heap for another card to be searched for. A choice;
`python -m tests.face_down` judges it."""
UNEXPLAINED = 4.0
"""Weight of a card's area left of a heap, relative to its edge and print. A choice;
`python -m tests.face_down` judges it."""
SLIVER, OUTER = 0.1, 0.5
"""Visible share below which a card is dropped if the others explain it too, and the minimum share
of its visible border that must then be the heap's: between two cards of a row there is none. A
choice; `python -m tests.face_down` judges it."""
EDGED, ALIKE = 0.9, 0.92
"""Minimum shares of a certain card's visible border that show an edge, and of its visible face that
show the print. A choice; `python -m tests.face_down` judges it."""
DISTINCT = 0.075
"""Minimum visible share of a certain card: less may be an error in the cards next to it. A choice;
`python -m tests.face_down fan` judges it."""
SLIM, SHARP = 0.35, 0.95
"""Visible share below which the lower of two cards has too little print to compare, and the minimum
share of its border that must then show an edge. A choice: in a fan of three, a finger's breadth
apart, the lowest shows 0.38; `python -m tests.face_down trick` judges it."""
NEARLY = 0.95
"""Minimum share of a card's face that must show the print among three or more cards if a line
across it differs: fewer cards explain it worse. A choice; `python -m tests.face_down fan` judges
it."""
LINE = 0.025
"""Share of a card occupied by another's border: 1.5 mm from side to side. A choice;
`python -m tests.face_down fan` judges it."""
POSSIBLE = 0.8
"""Minimum share of any card's face that must show the print: an explanation with a card that shows
less is abandoned. A choice; `python -m tests.face_down` judges it."""
DIMMED = 0.5
"""The same for a card all around which its own margin shows. A choice: of one a card's length from
a lamp's brightest spot it was 0.67; `python -m tests.hidden_hands` judges it."""
RIVAL = 0.06
"""Minimum lead in worth over the second-best explanation of a heap. A choice;
`python -m tests.face_down` judges it."""
SEAM, FAINT, CLOSELY = 0.32, 0.15, 0.97
"""Share of a line across a card that differs from the print from which there may be a seam, on
cards that show nearly all of the print and on others, and the share of the print that is nearly
all. A choice between pairs and tricks, of which 23 of 25 had at most 0.3 on the drawn tables 15 to
27, and fans of five that passed for fewer cards; `python -m tests.face_down fan pair trick` judges
it."""
SEAMED = 0.25
"""Weight of a seam against a card, relative to its edges and print. A choice: on cards in the right
place, 0.1 to 0.2 of a line differs; across others, at least 0.3; `python -m tests.face_down fan`
judges it."""
CROSSED, PLAINLY_RIMMED = 0.4, 0.85
"""Share of another card's margin that a line across a card shows if its border lies there, and the
minimum share of its own border between others along which a card that lies across the uppermost one
shows its margin. A choice: on cards in the right place the first was below 0.35, on those that
stood for more 0.8 and more; cards that explained strips of others showed the second along 0.62 to
0.75. `python -m tests.hidden_hands` and `python -m tests.face_down fan trick` judge it."""
UNCROSSED = 0.2
"""The most that a card in its place shows of another one's margin. A choice: below it however their
prints fell on the pixels; with the print of an uppermost card that another one lay on, 0.29 and
more. `python -m tests.hidden_hands` judges it."""
CROSSWISE_DEG = 45.0
"""Angle between the long sides of two cards from which one lies across the other. Follows from the
right angle."""
SYMMETRIC = 0.97
"""Minimum share of the uppermost card that looks the same upside down for its print to count as one
card's. Below it, others of its deck are tried as well; `python -m tests.face_down fan` judges it.
"""
STEADY, BARELY, LOOSELY = 5.0, 0.85, 0.88
"""Largest difference between the steps of a fan, in dots and in degrees, and the minimum shares of
its cards' visible borders and faces that must then show edges and print: cards that lie as evenly
as a hand spreads them hardly come about otherwise. A choice: cards of drawn fans lie within 4 mm of
even steps; `python -m tests.face_down fan` judges it."""
TURNED = 0.75
"""The same share from which a strip under it may be a certain card. A choice: a deck's backs reach
it, other games' cards and prints seldom do; the photographs with clutter and
`python -m tests.face_down` judge it."""
UPRIGHT = 0.9
"""The same share from which the corners alone of a card under it make that certain. A choice: a
card nearer to the camera than the others is wider, and passed for two, each with one of its borders
(0.86); the uppermost of thirteen pairs turned on each other had 0.91 and more; `python -m
tests.face_down turned spaced` judges it."""
RIMMED = 0.5
"""Minimum share of a certain card's border between other cards along which its print's own rim
shows. A choice between cards in the right place, which had at least 0.55, and those that only the
dots of a print bordered, which had none, or 0.4 some pixels from the right place; `python -m
tests.soak --pictures` judges it."""
IN_FRAME = 0.9
"""Visible share of a card from which its border in sight is a whole card's frame: in a row or a
column, its neighbours cover less. A choice; `python -m tests.face_down row column spaced` judges
it."""
IN_FULL = 0.97
"""Visible share from which nothing lies over a card; the rest is the cards' error. A choice;
`python -m tests.face_down row column` judges it."""
FEWER = 0.025
"""Penalty for each further card in the explanation of a heap. A choice; `python -m tests.face_down`
judges it."""
PLAIN, CLEAR = 1.93, 0.98
"""Sum of edge and print, and the share of edge on each card, from which a stack is not compared
with others. A choice; `python -m tests.face_down` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """A card of a stack: its place (`pose`) and what the picture shows of it, in shares 0..1.

    `edged` and `bordered` are shares of its visible border: what shows an edge, and what is the
    heap's border. `printed` is the share of its visible face that shows the print, `sight` the
    visible share of its area, `seam` the share of a line across it that differs from the print, and
    `rimmed` the share of its border between other cards along which the rim of the print shows, and
    `crossing` how much a line across it shows of another card's margin: None unless the deck's
    backs have one that stands out from their print.
    """

    pose: Poses
    edged: float
    printed: float
    sight: float
    bordered: float
    seam: float = 0.0
    rimmed: float = 1.0
    crossing: float | None = None

    @property
    def corners(self) -> Floats:
        """Its corners (4, 2) on the sheet."""
        return np.asarray(self.pose.outlines()[0], np.float32)

    @property
    def worth(self) -> float:
        """How much edge and print it shows, and how little of another card's border."""
        line = self.seam if self.crossing is None else self.crossing
        return self.edged + self.printed - SEAMED * line

    @property
    def certain(self) -> bool:
        """Whether it shows its edges and print, and no other card's border runs across it."""
        if self.margined:
            return True
        alike = LOOSELY if self.in_place else ALIKE
        shown = self.edged >= EDGED and self.printed >= alike and self.sight >= DISTINCT
        return shown and self._unbroken(SEAM if self.printed >= CLOSELY else FAINT)

    @property
    def likely(self) -> bool:
        """Whether it is nearly certain, so that the other cards may decide."""
        shown = self.edged >= SHARP and self.printed >= NEARLY and self.sight >= DISTINCT
        return shown and self._unbroken(SEAM)

    @property
    def fitting(self) -> bool:
        """Whether it is certain where other cards say that one must lie."""
        shown = self.edged >= BARELY and self.printed >= LOOSELY and self.sight >= DISTINCT
        return shown and self._unbroken(FAINT)

    def _unbroken(self, seam: float) -> bool:
        """Whether no other card's border lies across it: by its deck's margin, or by less than this
        share of a `seam`."""
        if self.crossing is not None:
            return self.uncrossed
        return self.seamless and self.seam < seam

    @property
    def seamless(self) -> bool:
        """Whether less of it differs from the print than another card's border would, and its own
        border is there."""
        differs = (1 - self.printed) * self.sight >= LINE
        return (self.framed or not differs) and self.rimmed >= RIMMED

    @property
    def uncrossed(self) -> bool:
        """Whether no other card's margin lies across it, and its own is there, on a deck that has
        one."""
        clear = self.crossing is not None and self.crossing < CROSSED
        return clear and self.rimmed >= RIMMED

    @property
    def in_place(self) -> bool:
        """Whether it shows as little of another card's margin as only a card in its place does."""
        return self.crossing is not None and self.crossing < UNCROSSED and self.uncrossed

    @property
    def plainly_one(self) -> bool:
        """Whether no line across it looks like another card's border."""
        return self.seam < SEAM if self.crossing is None else self.crossing < CROSSED

    @property
    def framed(self) -> bool:
        """Whether nearly all of it is in sight, within a border that shows all around it.

        A fine print may then differ here and there, but not along a line.
        """
        around = min(self.edged, self.rimmed) >= SHARP and self.sight >= IN_FRAME
        return around and self.printed >= ALIKE and self.seam < FAINT

    @property
    def margined(self) -> bool:
        """Whether nearly all of it is in sight within its own margin, and no other one's is there.

        However its print falls on the pixels, and whatever light falls on it, it is one card.
        """
        around = min(self.edged, self.rimmed) >= SHARP and self.sight >= IN_FRAME
        return around and self.in_place and self.printed >= DIMMED

    @property
    def possible(self) -> bool:
        """Whether it shows enough for an explanation with it to be worth pursuing."""
        return min(self.edged, self.printed) >= POSSIBLE or self.margined

    def loosely_across(self, whole: Poses) -> bool:
        """Whether it lies across the uppermost card (`whole`), but hardly shows its own margin.

        On a print that looks the same crosswise, it may explain a strip of another.
        """
        loose = self.crossing is not None and self.rimmed < PLAINLY_RIMMED
        return loose and bool(across(self.pose.at, whole)[0])

    @property
    def slim(self) -> bool:
        """Whether so little is visible that its border must be enough, and is."""
        border = self.edged >= SHARP and self.bordered >= OUTER
        some = DISTINCT <= self.sight < SLIM and self.printed >= POSSIBLE
        return border and (some or self.corners_only) and self.seam < SEAM

    @property
    def corners_only(self) -> bool:
        """Whether only corners are visible, and they are clearly a card's."""
        plainly = min(self.edged, self.bordered) >= SHARP and self.printed >= ALIKE
        return plainly and LEAST <= self.sight < DISTINCT


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """The cards of a heap, uppermost first, and the share of a card left unexplained."""

    cards: tuple[Copy, ...]
    left: float
    symmetry: float = 1.0
    """Share of the uppermost card that looks the same upside down."""

    @property
    def certain(self) -> bool:
        """Whether all its cards are clearly visible and explain the whole heap."""
        two = len(self.cards) == 2
        # Other games' cards and prints also have card-like strips, but seldom look the same upside
        # down.
        narrow = any(one.sight < DISTINCT for one in self.cards)
        strips = not two or self.symmetry >= (UPRIGHT if narrow else TURNED)
        fan = fanned([one.pose for one in self.cards])
        if self.left >= LEAST or self.loosely_across:
            return False
        return self.framed or all(
            (one.certain or (one.slim if two else one.likely) or (fan and one.fitting))
            and (strips or one.sight >= SLIM)
            for one in self.cards
        )

    @property
    def loosely_across(self) -> bool:
        """Whether any of its cards lies loosely across the uppermost one."""
        return any(one.loosely_across(self.cards[0].pose) for one in self.cards)

    @property
    def framed(self) -> bool:
        """Whether it is several cards side by side, all of whose edges show.

        A fine print may then differ from one to the next as it falls on the pixels, but the
        uppermost one's is no other card's in part: it is the same upside down, or each card shows
        the print's own rim where it borders on the next, which what lies half under another lacks.
        """
        rimmed = all(one.rimmed >= PLAINLY_RIMMED for one in self.cards)
        one_print = self.symmetry >= UPRIGHT or rimmed
        return (
            self.apart
            and one_print
            and all(one.edged >= CLEAR and one.plainly_one for one in self.cards)
        )

    @property
    def single(self) -> bool:
        """Whether it is clearly one card: all its edges show, and its print is one upside down."""
        alone = len(self.cards) == 1 and self.cards[0].edged >= CLEAR
        return alone and self.certain and self.symmetry >= UPRIGHT

    @property
    def plain(self) -> bool:
        """Whether it is so clear that no other explanation needs to be tried."""
        clear = all(one.edged >= CLEAR for one in self.cards)
        whole = self.symmetry >= SYMMETRIC and self.shown >= PLAIN
        return self.certain and ((clear and whole) or self.apart)

    @property
    def apart(self) -> bool:
        """Whether it is several fully visible cards side by side."""
        return len(self.cards) > 1 and all(one.sight >= IN_FULL for one in self.cards)

    def rivals(self, other: Stack) -> bool:
        """Whether a different number of cards explains the heap nearly as well as `other` does."""
        near = self.worth >= other.worth - RIVAL
        return near and len(self.cards) != len(other.cards)

    @property
    def worth(self) -> float:
        """How well it explains the heap.

        Fewer cards are likelier, as is a print that looks the same upside down.
        """
        clear = self.shown + self.symmetry - 1
        return clear - UNEXPLAINED * self.left - FEWER * len(self.cards)

    @property
    def shown(self) -> float:
        """How much edge and print shows on the card that shows least."""
        return min(one.worth for one in self.cards)


def across(at: Floats, whole: Poses) -> NDArray[np.bool_]:
    """Which of the places (N, 3) lie across a card."""
    off = np.abs((at[:, 2] - whole.at[0, 2] + 90.0) % 180.0 - 90.0)
    return np.asarray(off > CROSSWISE_DEG, np.bool_)


def fanned(cards: Sequence[Poses]) -> bool:
    """Whether three or more cards, uppermost first, are a fan: each lies to the one over it as that
    to the next, moved and turned about the same pivot."""
    if len(cards) < 3:
        return False
    places = np.concatenate([one.at for one in cards])
    turns = np.unwrap(np.radians(places[:, 2]), period=np.pi)
    right, down = np.diff(places[:, :2], axis=0).T
    cosine, sine = np.cos(turns[:-1]), np.sin(turns[:-1])
    across, along = cosine * right + sine * down, cosine * down - sine * right
    steps = np.stack([across, along, np.degrees(np.diff(turns))], 1)
    return bool((np.abs(steps - np.median(steps, axis=0)) <= STEADY).all())
