"""The simulated table: cards as physical things, a hand that moves them, a camera above.

A `Tabletop` knows nothing of rules. It is told which card goes where and when, and draws the
picture that the camera takes at any moment in between. Places are in millimetres from the upper
left corner of the area that the camera sees, x to the right and y towards the dealer.

    >>> from firmware.rehearsal.setting import setting
    >>> table = Tabletop(setting(seed=1), seed=1)
    >>> queen = table.piece(Card.parse("QS"))
    >>> end = table.bring(queen, Pose(600.0, 340.0, 4.0), now=0.0)
    >>> table.frame(end).shape, table.resting
    ((1080, 1920, 3), (Piece(number=1, card=<QS>, up=True, pose=Pose(x=600.0, y=340.0, angle=4.0,
    lift=0.0), spot=''),))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import atan2, cos, degrees, sin

import numpy as np
from numpy.typing import NDArray

from firmware.rehearsal.arm import drawn_hand
from firmware.rehearsal.gestures import (
    CARRIED,
    Carry,
    Flight,
    Gesture,
    Piece,
    Point,
    Way,
    gripped,
)
from firmware.rehearsal.setting import AREA, Setting
from rules.cards import Card
from vision.scene.faces import Texture
from vision.scene.items import CardItem, Item, Pose, Sprite, outline
from vision.scene.render import Canvas

KNUCKLES = 14.0
"""How far above the card the hand is drawn, in the picture plane, mm."""
SHOULDER = 330.0
"""Distance of the dealer's shoulder from the table's edge, mm: it determines the angle of the
arm.
"""
DECK = (-70.0, 75.0)
"""Where the dealer holds the deck: from the middle of their edge, outside the picture, mm."""
RACK = (260.0, 130.0)
"""Where the discards go, likewise."""
LET_GO = 0.55
"""Share of its path after which a thrown card leaves the hand."""
SPIN_DEG = 70.0
"""Largest rotation of such a card before it comes to rest, degrees."""
TOSS_S = 0.45
"""How long tossed cards slide."""


@dataclass(frozen=True)
class _Narrowed:
    """A card seen while it is being turned over: only part of its width shows."""

    item: CardItem
    width: float

    @property
    def pose(self) -> Pose:
        return self.item.pose

    @property
    def gloss(self) -> float:
        return self.item.gloss

    @property
    def size(self) -> tuple[float, float]:
        width, height = self.item.size
        return max(width * self.width, 4.0), height

    def texture(self, px_per_mm: float) -> Texture:
        return self.item.texture(px_per_mm)


class Tabletop:
    """A table seen by a camera, with one hand that moves the cards.

    Each of `bring`, `turn`, `shift` and `take` is one gesture that begins at `now` and returns the
    moment (seconds) when the hand has left again; gestures must not overlap. `pace` is the time in
    seconds that the hand takes to cross half the table; `hand` is its picture, with the arm and
    with the fingertips at the upper edge; by default it is drawn.
    """

    def __init__(
        self, place: Setting, *, seed: int = 0, pace: float = 0.6, hand: Sprite | None = None
    ) -> None:
        self._setting = place
        self._pace = pace
        self._rng = np.random.default_rng((seed, 2))
        self._seed = seed
        self._made = 0
        self._pieces: tuple[Piece, ...] = ()
        self._gestures: list[Gesture] = []
        self._hand = hand or drawn_hand(self._rng)
        self.clutter: tuple[Sprite, ...] = ()
        """What else is on the table: chips, glasses, telephones."""
        self.chips: tuple[Sprite, ...] = ()
        """The chips in play."""

    @cached_property
    def _canvas(self) -> Canvas:
        place = self._setting
        return Canvas(place.view, place.surface, place.light, place.lens, seed=self._seed)

    @property
    def matrix(self) -> NDArray[np.float64]:
        """(3,3): from millimetres on the table to pixels, as a calibration would find it."""
        shift = np.array([[1, 0, -AREA[0] / 2], [0, 1, -AREA[1] / 2], [0, 0, 1]], np.float64)
        return np.asarray(self._setting.view.homography() @ shift, np.float64)

    @property
    def resting(self) -> tuple[Piece, ...]:
        """The cards lying on the table, lowest first, without those in the hand."""
        return self._pieces

    def at(self, spot: str) -> tuple[Piece, ...]:
        """The cards at a spot, in the order in which they came."""
        return tuple(piece for piece in self._pieces if piece.spot == spot)

    def piece(self, card: Card, *, up: bool = True) -> Piece:
        """A new card from the deck, still in the dealer's hand."""
        self._made += 1
        return Piece(self._made, card, up, Pose(AREA[0] / 2 + DECK[0], AREA[1] + DECK[1], 8.0))

    # Gestures.

    def bring(self, piece: Piece, pose: Pose, *, now: float, spot: str = "") -> float:
        """Lay one card of the deck at `pose`."""
        return self.deal([(piece, pose, spot)], now=now)

    def packet(self, cards: Sequence[tuple[Piece, Pose, str]], *, now: float) -> float:
        """Lay several cards at once: as a squared packet, or spread as they were held."""
        tip = gripped(cards[-1][1])
        outside = self._outside(DECK, now)
        laid = now + self._lasts(outside[1:], tip)
        path = [outside, (laid, *tip), self._outside(DECK, laid + self._lasts(tip, outside[1:]))]
        carries = [
            Carry(piece, now, laid, replace(piece, pose=pose, spot=spot))
            for piece, pose, spot in cards
        ]
        return self._begin(path, carries)

    def deal(
        self,
        cards: Sequence[tuple[Piece, Pose, str]],
        *,
        now: float,
        way: Callable[[], Way] = lambda: Way.CARRIED,
    ) -> float:
        """Lay several cards of the deck, one after another, each with its pose and spot.

        `way` is called for each card and says how it gets there.
        """
        path: list[tuple[float, float, float]] = [self._outside(DECK, now)]
        carries: list[Carry | Flight] = []
        for piece, pose, spot in cards:
            how, target = way(), replace(piece, pose=pose, spot=spot)
            lifted, start, tip = path[-1][0], path[-1][1:], gripped(pose)
            laid = lifted + self._lasts(start, tip)
            if how is Way.THROWN:
                tip = _between(start, tip, LET_GO)
                spin = float(self._rng.uniform(-SPIN_DEG, SPIN_DEG))
                let_go = lifted + LET_GO * (laid - lifted)
                path.append((let_go, *tip))
                carries.append(Flight(piece, lifted, laid, target, spin))
                path.append(self._outside(DECK, let_go + self._lasts(tip, path[0][1:])))
                continue
            path.append((laid, *tip))
            height = 0.0 if how is Way.SLID else CARRIED
            carries.append(Carry(piece, lifted, laid, target, height))
            path.append(self._outside(DECK, laid + self._lasts(tip, path[0][1:])))
        return self._begin(path, carries)

    def nudge(
        self,
        changes: Sequence[tuple[Piece, Piece]],
        *,
        now: float,
        hold: float,
        shoulder: Point,
        pushed: bool = False,
    ) -> float:
        """Take hold of several cards where they lie, and leave them slightly moved.

        A hand that comes from `shoulder` lifts them for `hold` seconds, or pushes them over the
        table if `pushed`: then whatever covers them still does.
        """
        tip = gripped(changes[-1][0].pose)
        lifted = now + self._lasts(shoulder, tip)
        laid = lifted + hold
        path = [(now, *shoulder), (lifted, *tip), (laid, *tip)]
        path.append((laid + self._lasts(tip, shoulder), *shoulder))
        carries = [Carry(old, lifted, laid, new, pushed=pushed) for old, new in changes]
        return self._begin(path, carries, shoulder)

    def pick_up(
        self, changes: Sequence[tuple[Piece, Piece]], *, now: float, hold: float, shoulder: Point
    ) -> float:
        """Take cards off the table for `hold` seconds, and lay them back."""
        tip = gripped(changes[-1][0].pose)
        lifted = now + self._lasts(shoulder, tip)
        away = lifted + self._lasts(tip, shoulder)
        back = away + hold
        laid = back + self._lasts(shoulder, tip)
        path = [(now, *shoulder), (lifted, *tip), (away, *shoulder), (back, *shoulder)]
        path += [(laid, *tip), (laid + self._lasts(tip, shoulder), *shoulder)]
        held = [
            replace(old, pose=replace(old.pose, x=shoulder[0], y=shoulder[1])) for old, _ in changes
        ]
        carries = [Carry(old, lifted, away, None) for old, _ in changes]
        carries += [
            Carry(one, back, laid, new) for one, (_, new) in zip(held, changes, strict=True)
        ]
        return self._begin(path, carries, shoulder)

    def rest(self, at: Point, *, now: float, hold: float, shoulder: Point) -> float:
        """Let a hand rest with its fingertips at a place for `hold` seconds."""
        there = now + self._lasts(shoulder, at)
        path = [(now, *shoulder), (there, *at), (there + hold, *at)]
        path.append((path[-1][0] + self._lasts(at, shoulder), *shoulder))
        return self._begin(path, (), shoulder)

    def toss(self, changes: Sequence[tuple[Piece, Piece]], *, now: float, shoulder: Point) -> float:
        """Throw cards from where they are to somewhere else, all at once."""
        start = gripped(changes[-1][0].pose)
        lifted = now + self._lasts(shoulder, start)
        path = [(now, *shoulder), (lifted, *start)]
        path.append((lifted + self._lasts(start, shoulder), *shoulder))
        flights = [
            Flight(old, lifted, lifted + TOSS_S + number * 0.02, new, spin=40.0 * (number + 1))
            for number, (old, new) in enumerate(changes)
        ]
        return self._begin(path, flights, shoulder)

    def turn(self, pieces: Iterable[Piece], *, now: float) -> float:
        """Turn cards over where they are, one after another."""
        changed = [(piece, replace(piece, up=not piece.up)) for piece in pieces]
        return self._rearrange(changed, now)

    def shift(self, changes: Sequence[tuple[Piece, Piece]], *, now: float) -> float:
        """Carry cards, one after another, from their old poses to their new ones."""
        return self._rearrange(changes, now)

    def gather(self, changes: Sequence[tuple[Piece, Piece]], *, now: float) -> float:
        """Pick cards up one after another and lay them down together, as on a pile."""
        path, lifted = [self._outside(RACK, now)], []
        for old, _ in changes:
            tip = gripped(old.pose)
            path.append((path[-1][0] + self._lasts(path[-1][1:], tip), *tip))
            lifted.append(path[-1][0])
        tip = gripped(changes[-1][1].pose)
        laid = path[-1][0] + max(0.35, self._lasts(path[-1][1:], tip))
        path.append((laid, *tip))
        path.append(self._outside(RACK, laid + self._lasts(tip, path[0][1:])))
        carries = [
            Carry(old, moment, laid, new)
            for (old, new), moment in zip(changes, lifted, strict=True)
        ]
        return self._begin(path, carries)

    def take(self, pieces: Iterable[Piece], *, now: float) -> float:
        """Gather cards and carry them off the table."""
        path, gathered = [self._outside(RACK, now)], []
        for piece in pieces:
            tip = gripped(piece.pose)
            path.append((path[-1][0] + self._lasts(path[-1][1:], tip), *tip))
            gathered.append((piece, path[-1][0]))
        end = path[-1][0] + self._lasts(path[-1][1:], path[0][1:])
        path.append(self._outside(RACK, end))
        carries = [Carry(piece, moment, end, None) for piece, moment in gathered]
        return self._begin(path, carries)

    def _rearrange(self, changes: Sequence[tuple[Piece, Piece]], now: float) -> float:
        path, carries = [self._outside(RACK, now)], []
        for old, new in changes:
            there, here = gripped(old.pose), gripped(new.pose)
            lifted = path[-1][0] + self._lasts(path[-1][1:], there)
            laid = lifted + max(0.35, self._lasts(there, here))
            path += [(lifted, *there), (laid, *here)]
            carries.append(Carry(old, lifted, laid, new))
        path.append(self._outside(RACK, path[-1][0] + self._lasts(path[-1][1:], path[0][1:])))
        return self._begin(path, carries)

    def _begin(
        self,
        path: Sequence[tuple[float, float, float]],
        carries: Sequence[Carry | Flight],
        shoulder: Point | None = None,
    ) -> float:
        gesture = Gesture(tuple(path), tuple(carries), shoulder)
        self._gestures.append(gesture)
        return gesture.end

    def _outside(self, place: Point, moment: float) -> tuple[float, float, float]:
        return moment, AREA[0] / 2 + place[0], AREA[1] + place[1]

    def _lasts(self, start: Sequence[float], end: Sequence[float]) -> float:
        """How long the hand takes from one place to another: it goes faster over long ways."""
        way = float(np.hypot(end[0] - start[0], end[1] - start[1]))
        return self._pace * (0.35 + 0.65 * min(way / (AREA[0] / 2), 1.3)) * self._haste()

    def _haste(self) -> float:
        return float(self._rng.uniform(0.85, 1.15))

    # Pictures.

    def arms(self, now: float) -> tuple[tuple[Point, Point], ...]:
        """Each arm over the table at `now`: its fingertips and its shoulder, mm."""
        dealer = (AREA[0] / 2, AREA[1] + SHOULDER)
        return tuple(
            (gesture.tip(now), gesture.shoulder or dealer)
            for gesture in self._gestures
            if gesture.path[0][0] <= now < gesture.path[-1][0]
        )

    def arms_from(self, now: float) -> tuple[tuple[Point, Point], ...]:
        """The same, plus each place where it will stop later: people see where it is going."""
        dealer = (AREA[0] / 2, AREA[1] + SHOULDER)
        return tuple(
            (tip, gesture.shoulder or dealer)
            for gesture in self._gestures
            if gesture.path[0][0] <= now < gesture.path[-1][0]
            for tip in (gesture.tip(now), *(stop[1:] for stop in gesture.path if stop[0] > now))
        )

    def carried(self, now: float) -> tuple[Piece, ...]:
        """The cards being carried at `now`, with their poses in the air."""
        return tuple(
            carry.at(now, gesture.tip(now), _ends(gesture, carry))[0]
            for gesture in self._gestures
            for carry in gesture.carries
            if carry.lifted <= now < carry.laid
        )

    def moving(self, now: float) -> bool:
        """Whether the hand is over the table, or on its way."""
        return any(now < gesture.end for gesture in self._gestures)

    def advance(self, now: float) -> None:
        """Apply everything that has happened by `now`."""
        for gesture in self._gestures:
            for carry in gesture.carries:
                landed = now >= carry.laid and carry.target is not None
                if landed and carry.target in self._pieces:
                    continue
                if isinstance(carry, Carry) and carry.pushed:
                    self._push(carry, gesture, now)
                    continue
                if now >= carry.lifted:
                    self._pieces = tuple(p for p in self._pieces if p != carry.piece)
                if landed and carry.target and not self._lies(carry.target):
                    self._pieces = (*self._pieces, carry.target)
        self._gestures = [gesture for gesture in self._gestures if now < gesture.end]

    def _push(self, carry: Carry, gesture: Gesture, now: float) -> None:
        """Move a card to where it has been pushed by now, under the cards that cover it."""
        if now < carry.lifted:
            return
        there = carry.target if now >= carry.laid else None
        if there is None:
            there = carry.at(now, gesture.tip(now), _ends(gesture, carry))[0]
            there = replace(there, pose=replace(there.pose, lift=0.0))
        self._pieces = tuple(there if p.number == there.number else p for p in self._pieces)

    def _lies(self, piece: Piece) -> bool:
        return any(other.number == piece.number for other in self._pieces)

    def frame(self, now: float) -> NDArray[np.uint8]:
        """The camera's picture at `now` seconds, (1080, 1920, 3), blue-green-red."""
        self.advance(now)
        atop = {piece.pose: piece for piece in self._pieces}  # the last one of a squared pile
        cards = [self._item(piece) for piece in self._pieces if atop[piece.pose] is piece]
        # A stack beside a card stands before what lies behind it.
        items: list[Item] = [*self.clutter, *cards, *self.chips]
        if items != list(self._canvas.items):
            self._canvas.settle(items)
        return self._canvas.frame(self._moving_items(now))

    def _moving_items(self, now: float) -> list[Item]:
        items: list[Item] = []
        for gesture in self._gestures:
            if not gesture.path[0][0] <= now < gesture.end:
                continue
            tip = gesture.tip(now)
            for carry in gesture.carries:
                pushed = isinstance(carry, Carry) and carry.pushed
                if carry.lifted <= now < carry.laid and not pushed:
                    piece, width = carry.at(now, tip, _ends(gesture, carry))
                    card = self._item(piece)
                    items.append(card if width == 1.0 else _Narrowed(card, width))
            if now < gesture.path[-1][0]:
                items.append(self._arm(tip, gesture.shoulder))
        return [item for item in items if self._inside(item)]

    def _inside(self, item: Item) -> bool:
        """Whether any part of it is in the picture."""
        shape, size = outline(item, self._setting.view), self._setting.view.size
        return bool((shape.max(axis=0) > 0).all() and (shape.min(axis=0) < size).all())

    def _item(self, piece: Piece) -> CardItem:
        pose = replace(piece.pose, x=piece.pose.x - AREA[0] / 2, y=piece.pose.y - AREA[1] / 2)
        return CardItem(self._setting.deck, piece.view, pose)

    def _arm(self, tip: Point, shoulder: Point | None = None) -> Item:
        """The hand and sleeve with the fingertips at `tip`, by default the dealer's."""
        shoulder = shoulder or (AREA[0] / 2, AREA[1] + SHOULDER)
        angle = atan2(tip[0] - shoulder[0], shoulder[1] - tip[1])
        along = self._hand.size[1] / 2
        x = tip[0] - along * sin(angle) - AREA[0] / 2
        y = tip[1] + along * cos(angle) - AREA[1] / 2
        return self._hand.moved(x, y, degrees(angle), CARRIED + KNUCKLES)


def _between(start: Point, end: Point, part: float) -> Point:
    """The point after that share of the way."""
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _ends(gesture: Gesture, carry: Carry | Flight) -> tuple[Point, Point]:
    """Where the fingertips are when a card is lifted and when it is laid."""
    return gesture.tip(carry.lifted), gesture.tip(carry.laid)
