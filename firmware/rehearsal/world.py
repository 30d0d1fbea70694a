"""What really happens at a simulated table: the cards as they are, and the hand that moves them.

The world knows every card. Nothing of it goes to the appliance but the camera's picture and what
its dealer does at the panel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import dist

import numpy as np

from firmware.rehearsal.gestures import Piece
from firmware.rehearsal.tabletop import Tabletop
from firmware.table.layout import CARD_MM, Cell, Layout, Place
from rules.acts import Act, Verb
from rules.cards import Card
from rules.match import Match
from rules.spots import DECK, Face, Move, Shape, Spot, Trace
from rules.state import State
from vision.scene.items import Pose

JITTER_MM = 4.0
JITTER_DEG = 4.0
"""How exactly a practised hand lays a card down."""
PILE_JITTER = 3.0
"""How far the cards of an open pile lie askew, in mm and in degrees."""
INDEX_MM = 18.0
"""How much of a card's width its index takes: no card is laid closer to the next on purpose."""
CUT = 0.4
"""A shoe is shuffled between two hands once less than this share of it is left."""


class World:
    """The match as it is really dealt, on a table.

    `deck` holds the cards to come, the next one first.
    """

    def __init__(
        self,
        match: Match,
        table: Tabletop,
        lay_out: Callable[[State], Layout],
        rng: np.random.Generator,
    ) -> None:
        self.match = match
        self.table = table
        self._lay_out = lay_out
        self._rng = rng
        self.deck: list[Card] = []
        self._laid: dict[str, list[Pose]] = {}
        """By spot, how the cards lie when all of the gesture is done."""
        self._moving: set[int] = set()
        """The numbers of the pieces that the gesture moves."""
        self.shuffle()

    @property
    def state(self) -> State:
        """The present moment, with every card known."""
        return self.match.state

    @property
    def layout(self) -> Layout:
        """Where the cards of this hand are laid."""
        return self._lay_out(self.state)

    @property
    def shoe_is_low(self) -> bool:
        """Whether the cards have to be shuffled before the next hand."""
        return len(self.deck) < CUT * len(self.state.game.deck(self.state.start))

    def shuffle(self) -> None:
        """Make a deck of every card that is not out."""
        cards = list(self.state.game.deck(self.state.start))
        out = [sighted.card for sighted in self.state.start.shoe]
        for card in (*out, *(laid.card for _, laid in self.state.table)):
            if card in cards:
                cards.remove(card)
        self.deck = [cards[place] for place in self._rng.permutation(len(cards))]

    def shows(self, act: Act) -> bool:
        """Whether the table looks otherwise after `act`."""
        state = self.state
        after = state.table.moved(state.trace(act))
        return any(
            spot.shows(after) != spot.shows(state.table)
            for name, spot in state.spots.items()
            if name in self.layout.places
        )

    def say(self, act: Act) -> None:
        """Let an act happen whose cards, if it has any, nobody sees moved."""
        hand = self.match.hand
        del self.deck[: sum(move.source == DECK for move in self.state.trace(act))]
        self.match.play(act)
        if self.match.hand is not hand or act.verb is Verb.SHUFFLE:
            self._between(hand_over=self.match.hand is not hand)

    def perform(self, act: Act, now: float) -> float:
        """Let `act` happen, beginning at `now`; gives when the hand has left the table."""
        end = self.gesture(self.state.trace(act), now)
        self.say(act)
        return end

    def _between(self, *, hand_over: bool) -> None:
        if not hand_over or not self.state.start.shoe:
            self.shuffle()

    # The hand.

    def gesture(self, trace: Trace, now: float) -> float:
        """Move the cards of `trace` and nothing else; gives when the hand has left."""
        self._laid, self._moving = {}, set()
        for how, group in groupby(trace, key=self._how):
            now = self._moved(how, tuple(group), now)
        return now

    def _how(self, move: Move) -> str:
        hand = move.target in self.state.spots and self.state.spots[move.target].held
        there = move.target in self.layout.places and (move.up or not hand)
        here = move.source in self.layout.places and self._lies(move)
        if move.source == move.target and here:
            return "turn"
        if here:
            return f"to {move.target}" if there else "take"
        if not there:
            return "unseen"
        own = move.source in self.state.spots and self.state.spots[move.source].held
        return f"lay {move.target}" if own else f"bring {move.target}"

    def _lies(self, move: Move) -> bool:
        """Whether the card lies on the table, not in a hand."""
        return any(p.spot == move.source and p.card == move.card for p in self.table.resting)

    def _moved(self, how: str, moves: Sequence[Move], now: float) -> float:
        if how == "unseen":
            return now
        target = self.state.spots.get(moves[0].target)
        piled = target is not None and target.shape is Shape.PILE
        if how.startswith(("bring", "lay")):
            # A dealer deals card by card; whoever plays several lays them down together.
            at_once = piled or how.startswith("lay")
            lay = self.table.packet if at_once else self.table.deal
            return lay(list(self._brought(moves)), now=now)
        pieces = list(self._found(moves))
        if how == "turn":
            return self.table.turn(pieces, now=now)
        if how == "take":
            return self.table.take(pieces, now=now)
        carry = self.table.gather if piled else self.table.shift
        return carry(list(self._carried(pieces, moves)), now=now)

    def _carried(
        self, pieces: Sequence[Piece], moves: Sequence[Move]
    ) -> Iterator[tuple[Piece, Piece]]:
        for piece, move, pose in zip(pieces, moves, self._poses(moves), strict=True):
            yield piece, replace(piece, pose=pose, spot=move.target, up=move.up)

    def _brought(self, moves: Sequence[Move]) -> Iterator[tuple[Piece, Pose, str]]:
        for move, pose in zip(moves, self._poses(moves), strict=True):
            yield self.table.piece(move.card, up=move.up), pose, move.target

    def _poses(self, moves: Sequence[Move]) -> Iterator[Pose]:
        """Where each card is laid, one after the other."""
        for move in moves:
            there = [piece.pose for piece in self.table.at(move.target)]
            poses = self._laid.setdefault(move.target, there)
            poses.append(self._pose(move.target, poses))
            yield poses[-1]

    def _found(self, moves: Sequence[Move]) -> Iterator[Piece]:
        """The pieces that `moves` are about; of two alike, the one laid last."""
        free = [piece for piece in self.table.resting if piece.number not in self._moving]
        for move in moves:
            fits = [p for p in free if p.spot == move.source and p.card == move.card]
            wanted = [p for p in fits if p.up is not move.up] if move.source == move.target else []
            piece = (wanted or fits)[-1]
            free.remove(piece)
            self._moving.add(piece.number)
            yield piece

    def _pose(self, spot: str, taken: Sequence[Pose]) -> Pose:
        """Where the next card of a spot is laid: a free place, more or less."""
        place = self.layout.places[spot]
        if self.state.spots[spot].shape is Shape.PILE:
            return self._on_pile(self.state.spots[spot], place)
        step = _step(place)
        free = [
            cell
            for cell in _in_order(self.state.spots[spot], place, len(taken))
            if all(dist(cell[:2], (pose.x, pose.y)) > step / 2 for pose in taken)
        ]
        x, y, angle = (free or place.cells[-1:])[0]
        dx, dy = self._rng.uniform(-1, 1, 2) * _room(step)
        turn = self._rng.uniform(-JITTER_DEG, JITTER_DEG)
        return Pose(x + float(dx), y + float(dy), angle + float(turn))

    def _on_pile(self, spot: Spot, place: Place) -> Pose:
        """Piles face down are squared up; what is thrown on an open one lies a little askew."""
        x, y, angle = place.cells[0]
        askew = PILE_JITTER * (spot.face is not Face.DOWN)
        dx, dy, turn = self._rng.uniform(-askew, askew, 3)
        return Pose(x + float(dx), y + float(dy), angle + float(turn))


def _in_order(spot: Spot, place: Place, taken: int) -> Sequence[Cell]:
    """The cells of a place in the order in which they are filled.

    A row grows at its end, until that is reached; on a free area room is left between the cards
    for as long as there is any.
    """
    if spot.shape is Shape.AREA:
        return (*place.cells[::2], *place.cells[1::2])
    return (*place.cells[taken:], *place.cells[:taken])


def _room(step: float) -> float:
    """How far from its cell a card may come to lie without touching the next one, mm.

    Where cards lie on each other anyway, their indices stay in sight.
    """
    gap = step - CARD_MM[0] if step > CARD_MM[0] else step - INDEX_MM
    return min(JITTER_MM, max(0.5, gap / 2 - 0.5))


def _step(place: Place) -> float:
    """From one card of a place to the next, mm."""
    if len(place.cells) < 2:
        return 2 * CARD_MM[0]
    return dist(place.cells[0][:2], place.cells[1][:2])
