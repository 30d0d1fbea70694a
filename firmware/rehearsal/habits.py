"""What hands do between two acts: push a card straight, square a pile, peek at hidden cards, rest.

None of these is an act, and none may become one in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import dist
from typing import ClassVar

from firmware.rehearsal.cells import JITTER_DEG, JITTER_MM
from firmware.rehearsal.gestures import Piece, Point
from firmware.rehearsal.world import MUCK, World
from rules.acts import Act, Verb
from rules.spots import DECK, GONE, Move, Shape, Trace
from rules.state import CLEARING
from vision.scene.items import Pose

Occasions = Iterator[Callable[[float], float]]
"""What may be done now: each is called with its start, and returns until when the dealer waits."""

NUDGE_S = 0.3
"""Time it takes to push a card straight."""
LOOK_S = (0.6, 2.0)
"""How long a player looks at lifted cards."""
AWAY_S = (1.0, 3.0)
"""How long a player looks at cards taken up from the table."""
REST_S = (2.0, 6.0)
"""How long a hand rests."""
EDGE = 0.12
"""How far a resting hand reaches from the rim towards the middle, as a share."""
STACKED_MM = 2 * JITTER_MM
"""Cards nearer than this are on top of each other: laid back among others, they are a little out of
line.
"""
WAITS = (0.2, 1.2)
"""How long a misplaced card lies before it is moved, or a wrong one is away, in seconds: people
notice at once.
"""


@dataclass(frozen=True)
class Habits:
    """The habits of the people at one table that are gestures of their own."""

    world: World

    def between(self, now: float) -> float:
        """Do whatever hands do now; returns until when the dealer waits for it."""
        free = now
        for name, do in self._between.items():
            occasions = list(do(self))
            if occasions and self.world.manner.does(name):
                rng = self.world.manner.rng(name)
                free = max(free, occasions[int(rng.integers(len(occasions)))](free))
        return free

    def _straightened(self) -> Occasions:
        for piece in self._apart():
            yield partial(self._nudged, [piece], None, hold=NUDGE_S, pushed=True)

    def _squared(self) -> Occasions:
        for name, spot in self.world.state.spots.items():
            pieces = self.world.table.at(name)
            if spot.shape is Shape.PILE and len({piece.pose for piece in pieces}) > 1:
                yield partial(self._together, pieces, None)

    def _squared_hand(self) -> Occasions:
        for seat, pieces in self._hidden():
            if len({piece.pose for piece in pieces}) > 1:
                yield partial(self._together, pieces, seat)

    def _peeked(self) -> Occasions:
        for seat, pieces in self._hidden():
            hold = float(self.world.manner.rng("peeked").uniform(*LOOK_S))
            yield partial(self._nudged, pieces, seat, hold=hold)

    def _picked_up(self) -> Occasions:
        state = self.world.state
        for seat, pieces in self._hidden():
            spot, number = pieces[0].spot, len(pieces)
            # Picking up cards that must be taken away anyway would be the act itself.
            if not any(
                one.required and ((one.pick == number and spot in one.spots) or one == CLEARING)
                for one in state.turn
            ):
                yield partial(self._taken_up, pieces, seat)

    def _rests_at_edge(self) -> Occasions:
        for seat, (x, y) in self.world.layout.seats.items():
            wide, high = self.world.layout.size
            at = (x + EDGE * (wide / 2 - x), y + EDGE * (high / 2 - y))
            yield partial(self._rests, at, seat, "resting-edge")

    def _rests_over(self) -> Occasions:
        for piece in self._apart():
            spot = self.world.state.spots.get(piece.spot)
            seat, at = (spot.owner if spot else None), (piece.pose.x, piece.pose.y)
            yield partial(self._rests, at, seat, "resting-over")

    _between: ClassVar[dict[str, Callable[[Habits], Occasions]]] = {
        "straightened": _straightened,
        "squared": _squared,
        "squared-hand": _squared_hand,
        "peeked": _peeked,
        "picked-up": _picked_up,
        "resting-edge": _rests_at_edge,
        "resting-over": _rests_over,
    }

    def _apart(self) -> Iterator[Piece]:
        """The cards in places where they lie singly."""
        for piece in self.world.table.resting:
            spot = self.world.state.spots.get(piece.spot)
            if spot is not None and spot.shape is not Shape.PILE:
                yield piece

    def _hidden(self) -> Iterator[tuple[int, list[Piece]]]:
        """The hidden cards in front of each player, spot by spot."""
        for name, spot in self.world.state.spots.items():
            pieces = [piece for piece in self.world.table.at(name) if not piece.up]
            if spot.owner and pieces and spot.shape is not Shape.PILE:
                yield spot.owner, pieces

    def _nudged(
        self,
        pieces: Sequence[Piece],
        seat: int | None,
        now: float,
        *,
        hold: float,
        pushed: bool = False,
    ) -> float:
        shoulder = self.world.shoulder(seat)
        changes = [(piece, replace(piece, pose=self._near(piece.pose))) for piece in pieces]
        return self.world.table.nudge(changes, now=now, hold=hold, shoulder=shoulder, pushed=pushed)

    def _near(self, pose: Pose) -> Pose:
        rng = self.world.manner.rng("straightened")
        dx, dy, turn = (float(v) for v in rng.uniform(-1, 1, 3))
        room, askew = JITTER_MM / 2, JITTER_DEG / 2
        return Pose(pose.x + dx * room, pose.y + dy * room, pose.angle + turn * askew)

    def _together(self, pieces: Sequence[Piece], seat: int | None, now: float) -> float:
        changes = [(piece, replace(piece, pose=pieces[0].pose)) for piece in pieces]
        shoulder = self.world.shoulder(seat)
        return self.world.table.nudge(changes, now=now, hold=2 * NUDGE_S, shoulder=shoulder)

    def _taken_up(self, pieces: Sequence[Piece], seat: int, now: float) -> float:
        hold = float(self.world.manner.rng("picked-up").uniform(*AWAY_S))
        changes = [(piece, replace(piece, pose=self._near(piece.pose))) for piece in pieces]
        shoulder = self.world.shoulder(seat)
        return self.world.table.pick_up(changes, now=now, hold=hold, shoulder=shoulder)

    def _rests(self, at: Point, seat: int | None, habit: str, now: float) -> float:
        """Let a hand rest while the others go on."""
        hold = float(self.world.manner.rng(habit).uniform(*REST_S))
        self.world.table.rest(at, now=now, hold=hold, shoulder=self.world.shoulder(seat))
        return now

    def fans(self, act: Act, now: float) -> float:
        """Let a player spread stacked cards to choose some of them; returns when that is done."""
        away = {move.source for move in self.world.state.trace(act) if move.source != move.target}
        for seat, pieces in self._hidden():
            if pieces[0].spot in away and _stacked(pieces) and act.verb is not Verb.FOLD:
                changes = [
                    (piece, replace(piece, pose=pose))
                    for piece, pose in zip(pieces, self.world.apart(pieces), strict=True)
                ]
                shoulder = self.world.shoulder(seat)
                now = self.world.table.nudge(changes, now=now, hold=2 * NUDGE_S, shoulder=shoulder)
        return now

    # What goes wrong within an act, and is corrected at once.

    def misplacing(self, act: Act) -> tuple[Trace, Trace] | None:
        """Lay the card of `act` in a wrong place, then the right one; None if impossible now."""
        trace = self.world.state.trace(act)
        if len(trace) != 1 or trace[0].target not in self.world.layout.places:
            return None
        move, spots = trace[0], self.world.state.spots
        if move.source == move.target or spots[move.target].held or self.world.lies(move):
            return None
        wrong = [n for n in self._confusable(move.target) if not self._on_the_way(act, move, n)]
        if not wrong or not self.world.manner.does("misplaced"):
            return None
        place = wrong[int(self.world.manner.rng("misplaced").integers(len(wrong)))]
        return (replace(move, target=place),), (replace(move, source=place, lay_up=None),)

    def _confusable(self, spot: str) -> list[str]:
        """The spots similar to this one that have room for one more card."""
        spots, right = self.world.state.spots, self.world.state.spots[spot]
        return [
            name
            for name, one in spots.items()
            if name != spot
            and name in self.world.layout.places
            and not one.held
            and one.shape is not Shape.PILE
            and (one.role == right.role or right.owner is None)
            and len(self.world.table.at(name)) < one.capacity
        ]

    def _on_the_way(self, act: Act, move: Move, place: str) -> bool:
        """Whether the rules let the card of `act` come to a place first, which is no mistake."""
        state = self.world.state
        for one in state.turn:
            for spot in (one.spots or (None,)) if one.pick == 1 else ():
                first = one.fill((move.card,), seat=act.seat, spot=spot)
                if state.allows(first) and state.play(first).allows(act):
                    lays = state.trace(first)
                    if [(m.source, m.target) for m in lays] == [(move.source, place)]:
                        return True
        return False

    def mistaking(self, act: Act) -> tuple[Trace, Trace] | None:
        """Take a wrong card away instead of that of `act`, and put it back; None if impossible."""
        trace = self.world.state.trace(act)
        sources = {move.source for move in trace}
        away = all(move.target == GONE and self.world.lies(move) for move in trace)
        if act.verb is not Verb.TAKE or not trace or not away or len(sources) != 1:
            return None
        spot = next(iter(sources))
        cards = {move.card for move in trace}
        others = [p for p in self.world.table.at(spot) if p.up and p.card not in cards]
        if not others or not self.world.manner.does("wrong-pair"):
            return None
        one = others[int(self.world.manner.rng("wrong-pair").integers(len(others)))]
        return (Move(one.card, spot, GONE),), (Move(one.card, DECK, spot),)

    def pause(self, habit: str) -> float:
        """How long it takes to notice that something went wrong, in seconds."""
        return float(self.world.manner.rng(habit).uniform(*WAITS))

    # Acts that form one gesture.

    def straight(self, act: Act, following: Act) -> Trace | None:
        """The single gesture of two acts, if the second picks up where the first lays down."""
        state = self.world.state
        first = state.trace(act)
        second = list(state.play(act).trace(following))
        merged: list[Move] = []
        for move in first:
            on = next((m for m in second if m.card == move.card and m.source == move.target), None)
            if on is None or not self._passes(move, on):
                return None
            merged.append(replace(on, source=move.source))
            second.remove(on)
        gathered = {move.source for move in second} & {move.target for move in first}
        if not merged or gathered or not self.world.manner.does("straight"):
            return None
        return (*merged, *second)

    def _passes(self, first: Move, second: Move) -> bool:
        """Whether a card need not come to rest where the first act lays it."""
        spots, places = self.world.state.spots, self.world.layout.places
        between, end = first.target, second.target
        if first.source == between or (first.up and not second.up):
            return False  # whoever turns a card up does so to show it
        on_table = between in places and end in places and between != end
        return on_table and not spots[between].held and not spots[end].held

    def tosses(self, act: Act) -> bool | None:
        """Whether a hand is tossed away, and if so whether face up; None if it is handed in."""
        if act.verb is not Verb.FOLD or not self.world.table.resting:
            return None
        if self.world.manner.does("tossed-up"):
            return True
        return False if self.world.manner.does("tossed-down") else None

    def sweeps(self) -> bool:
        """Whether there are tossed cards."""
        return bool(self.world.table.at(MUCK))


def _stacked(pieces: Sequence[Piece]) -> bool:
    """Whether some of these cards are on top of each other, as if laid back or squared up."""
    places = [(piece.pose.x, piece.pose.y) for piece in pieces]
    return any(dist(one, other) < STACKED_MM for one, other in combinations(places, 2))
