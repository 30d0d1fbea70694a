"""What really happens at a simulated table: the cards as they are, and the hands that move them.

The world knows every card. All that the appliance gets from it is the camera's picture and what the
dealer does at the panel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import cos, dist, radians, sin

import numpy as np

from firmware.rehearsal.cells import (
    INDEX_MM,
    JITTER_DEG,
    JITTER_MM,
    in_order,
    leeway,
    pitch,
    second_row,
)
from firmware.rehearsal.gestures import Piece, Point, Way
from firmware.rehearsal.handling import Manner
from firmware.rehearsal.tabletop import Tabletop
from firmware.table.layout import Layout
from firmware.table.place import CARD_MM, Place
from rules.acts import Act, Verb
from rules.cards import Card
from rules.match import Match
from rules.secret import Secrets
from rules.spots import DECK, Face, Move, Shape, Spot, Trace
from rules.state import State
from vision.scene.items import Pose

PILE_JITTER = 3.0
"""How far out of line the cards of an open pile are, in mm and in degrees."""
SCATTER_MM, SCATTER_DEG = 14.0, 22.0
"""Largest distance from its place, and largest rotation, of a thrown card."""
BESIDE_MM = (26.0, 34.0)
"""How far to the right of a pile's last card another is laid so that the last index stays
visible.
"""
OVERLAP_MM = (22.0, 42.0)
"""Distance from a card to one laid partly over it, whose index still shows."""
SPREAD_MM = 20.0
"""Cards nearer than this to each other are spread when they are turned up."""
SHOULDER_MM = 300.0
"""Distance of a player's shoulder from the rim, outside."""
FREE_STEP_MM = 20.0
"""Spacing of the points checked for free room: less than a card's width. A choice."""
RIM_MM = 8.0
"""Distance from the border of its place to the middle of a card thrown there or laid beside others:
whoever lays it down sees whose place it is.
"""
MUCK = "muck"
"""Where tossed hands are until they are gathered: a place that people use, not the rules."""


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
        manner: Manner | None = None,
    ) -> None:
        self.match = match
        self.manner = manner or Manner({})
        self.table = table
        self._lay_out = lay_out
        self._rng = rng
        self.deck: list[Card] = []
        self.put_back: list[tuple[int, Move]] = []
        """The cards that were wrongly taken and put back at once, with the number of the hand."""
        self.misplaced: list[tuple[int, Move]] = []
        """The cards that were laid in a wrong place first, likewise."""
        self._laid: dict[str, list[Pose]] = {}
        """By spot, the poses of the cards once the whole gesture is done."""
        self._moving: set[int] = set()
        """The numbers of the pieces that the gesture moves."""
        self._at: dict[str, str] = {}
        """The place of each spot in this hand that does not lie at its own."""
        self.shuffle()

    @property
    def state(self) -> State:
        """The present state, with every card known."""
        return self.match.state

    def learn(self, sealed: str, rule: str) -> None:
        """Learn the next hand's secret rule and its seal, as its dealer does."""
        self.match.confide(Secrets.of((*self.match.secrets.kept, (sealed, rule))))

    @property
    def layout(self) -> Layout:
        """Where the cards of this hand are laid."""
        made = self._lay_out(self.state)
        moved = {spot: made.places[place] for spot, place in self._at.items()}
        return replace(made, places={**made.places, **moved}) if moved else made

    def shuffle(self) -> None:
        """Make a deck of every card that is not out."""
        cards = list(self.state.game.deck(self.state.start))
        out = [sighted.card for sighted in self.state.start.shoe]
        for card in (*out, *(laid.card for _, laid in self.state.table)):
            if card in cards:
                cards.remove(card)
        self.deck = [cards[place] for place in self._rng.permutation(len(cards))]

    def shows(self, *acts: Act) -> bool:
        """Whether the table looks different after these acts."""
        before = after = self.state
        for act in acts[:-1]:
            after = after.play(act)
        table = after.table.moved(after.trace(acts[-1]))
        return any(
            spot.shows(table) != spot.shows(before.table)
            for name, spot in before.spots.items()
            if name in self.layout.places
        )

    def lays_unseen(self, act: Act) -> bool:
        """Whether it lays cards at a spot without room on the table, so that it must be said."""
        spots, places = self.state.spots, self.layout.places
        laid = {move.target for move in self.state.trace(act)} & spots.keys()
        return any(spots[name].in_sight and name not in places for name in laid)

    def say(self, act: Act) -> None:
        """Apply an act whose cards, if it has any, nobody sees being moved."""
        hand = self.match.hand
        del self.deck[: sum(move.source == DECK for move in self.state.trace(act))]
        self.match.play(act)
        if self.match.hand is not hand:
            self._at = {}
        if self.match.hand is not hand or act.verb is Verb.SHUFFLE:
            self._between(hand_over=self.match.hand is not hand)

    def perform(self, act: Act, now: float) -> float:
        """Perform `act`, beginning at `now`; returns when the hand has left the table."""
        return self.perform_all((act,), self.state.trace(act), now)

    def perform_all(self, acts: Sequence[Act], trace: Trace, now: float) -> float:
        """The same for acts that form one gesture with its own trace."""
        end = self.gesture(trace, now)
        for act in acts:
            self.say(act)
        return end

    # What people do besides acts.

    def shoulder(self, seat: int | None) -> Point:
        """Where a player's arm comes from; the dealer's for None."""
        wide, high = self.layout.size
        x, y = self.layout.seats.get(seat or 0, (wide / 2, high))
        dx, dy = x - wide / 2, y - high / 2
        out = SHOULDER_MM / max(1.0, dist((0, 0), (dx, dy)))
        return x + out * dx, y + out * dy

    def toss(self, act: Act, now: float, *, up: bool) -> float:
        """Give up a hand by throwing it away; returns when it is at rest."""
        seat, trace = act.seat, self.state.trace(act)
        self._laid, self._moving = {}, set()
        pieces = list(self._found([move for move in trace if self.lies(move)]))
        place = self.muck
        self.say(act)
        if not pieces or place is None:
            return self.table.take(pieces, now=now) if pieces else now
        rng = self.manner.rng("tossed-up" if up else "tossed-down")
        changes = []
        for piece in pieces:
            dx, dy = rng.uniform(-1, 1, 2) * SCATTER_MM
            pose = Pose(place[0] + float(dx), place[1] + float(dy), float(rng.uniform(-60, 60)))
            changes.append((piece, replace(piece, spot=MUCK, up=up, pose=pose)))
        return self.table.toss(changes, now=now, shoulder=self.shoulder(seat))

    def sweep(self, now: float) -> float:
        """Gather what was tossed."""
        tossed = self.table.at(MUCK)
        return self.table.take(tossed, now=now) if tossed else now

    @property
    def muck(self) -> Point | None:
        """Where hands are tossed: the discards' place, or the free spot nearest to the middle."""
        if self.layout.gone is not None:
            return self.layout.gone.cells[0][:2]
        return min(
            self.free_points(CARD_MM[1] / 2 + SCATTER_MM),
            key=lambda point: dist(point, (self.layout.size[0] / 2, self.layout.size[1] / 2)),
            default=None,
        )

    def free_points(self, room: float) -> list[Point]:
        """Points of the table that belong to no place, with at least `room` mm around them.

        Whoever holds the bank later has other places, and nobody leaves a telephone there either.
        """
        wide, high = self.layout.size
        across = np.arange(room, wide - room, FREE_STEP_MM)
        down = np.arange(room, high - room, FREE_STEP_MM)
        points = np.stack(np.meshgrid(across, down, indexing="ij"), axis=-1).reshape(-1, 2)
        free = np.ones(len(points), bool)
        layouts = self._layouts()
        for place in (one for lay in layouts for one in (*lay.places.values(), *lay.bets.values())):
            box = np.reshape(place.bounds, (2, 2))
            beyond = np.maximum(box[0] - points, points - box[1]).clip(min=0.0)
            free &= np.hypot(*beyond.T) >= room
        return [(float(x), float(y)) for x, y in points[free]]

    def _layouts(self) -> list[Layout]:
        """Where the cards are laid in this hand, and if others hold the bank."""
        game, start = self.state.game, self.state.start
        banks = start.seats if start.banker is not None else ()
        others = [game.open(replace(start, banker=seat)) for seat in banks if seat != start.banker]
        return [self.layout, *(self._lay_out(state) for state in others)]

    def _between(self, *, hand_over: bool) -> None:
        if not hand_over or not self.state.start.shoe:
            self.shuffle()

    # The hand.

    def gesture(self, trace: Trace, now: float) -> float:
        """Move the cards of `trace` and nothing else; returns when the hand has left."""
        self._laid, self._moving = {}, set()
        self._choose_place(trace)
        for how, group in groupby(trace, key=self._how):
            now = self._moved(how, tuple(group), now)
        return now

    def _choose_place(self, trace: Trace) -> None:
        """Lay a new meld at another free place of its player, as people do."""
        state, places = self.state, self.layout.places
        spot = next((move.target for move in trace if move.target in places), "")
        if spot not in state.spots or not state.spots[spot].anywhere or state.table.at(spot):
            return
        cards = tuple(move.card for move in trace if move.target == spot)
        free = [
            name
            for name, other in state.spots.items()
            if other.anywhere
            and other.owner == state.spots[spot].owner
            and name in places
            and not state.table.at(name)
            and state.game.home(state, name, cards) == spot
        ]
        if len(free) > 1 and self.manner.does("elsewhere"):
            other = free[int(self.manner.rng("elsewhere").integers(len(free)))]
            at = {name: self._at.get(name, name) for name in (spot, other)}
            self._at |= {spot: at[other], other: at[spot]}

    def _how(self, move: Move) -> str:
        hand = move.target in self.state.spots and self.state.spots[move.target].held
        there = move.target in self.layout.places and (move.up or not hand)
        here = move.source in self.layout.places and self.lies(move)
        if move.source == move.target and here:
            return "turn"
        if here:
            return f"to {move.target}" if there else "take"
        if not there:
            return "unseen"
        own = move.source in self.state.spots and self.state.spots[move.source].held
        return f"lay {move.target}" if own else f"bring {move.target}"

    def lies(self, move: Move) -> bool:
        """Whether the card is on the table, not in a hand."""
        return any(_fits(piece, move) for piece in self.table.resting)

    def _moved(self, how: str, moves: Sequence[Move], now: float) -> float:
        if how == "unseen":
            return now
        target = self.state.spots.get(moves[0].target)
        piled = target is not None and target.shape is Shape.PILE
        if how.startswith(("bring", "lay")):
            return self._laid_down(how, moves, now, piled=piled)
        pieces = list(self._found(moves))
        if how == "turn":
            return self._turned_up(pieces, now)
        if how == "take":
            return self.table.take(pieces, now=now)
        carry = self.table.gather if piled else self.table.shift
        return carry(list(self._carried(pieces, moves)), now=now)

    def _laid_down(self, how: str, moves: Sequence[Move], now: float, *, piled: bool) -> float:
        # A dealer deals card by card; a player who plays several cards lays them down together.
        several = len(moves) > 1
        at_once = several and (piled or how.startswith("lay") or self.manner.does("together"))
        if at_once:
            return self.table.packet(list(self._brought(moves)), now=now)
        ways = [self._way() for _ in moves]
        cards = list(self._brought(moves, ways))
        return self.table.deal(cards, now=now, way=iter(ways).__next__)

    def _way(self) -> Way:
        if self.manner.does("thrown"):
            return Way.THROWN
        return Way.SLID if self.manner.does("slid") else Way.CARRIED

    def _turned_up(self, pieces: Sequence[Piece], now: float) -> float:
        """Turn cards over; those on top of each other are spread out."""
        taken = [p.pose for p in self.table.at(pieces[0].spot)]
        changes = []
        for number, piece in enumerate(pieces):
            others = [one.pose for one in pieces[number + 1 :]]
            near = any(dist((o.x, o.y), (piece.pose.x, piece.pose.y)) < SPREAD_MM for o in others)
            pose = self._pose(piece.spot, taken) if near else piece.pose
            taken.append(pose)
            changes.append((piece, replace(piece, up=not piece.up, pose=pose)))
        if all(old.pose == new.pose for old, new in changes):
            return self.table.turn(pieces, now=now)
        return self.table.shift(changes, now=now)

    def apart(self, pieces: Sequence[Piece]) -> list[Pose]:
        """Where the cards of one place would be side by side."""
        poses: list[Pose] = []
        for piece in pieces:
            poses.append(self._pose(piece.spot, poses))
        return poses

    def _carried(
        self, pieces: Sequence[Piece], moves: Sequence[Move]
    ) -> Iterator[tuple[Piece, Piece]]:
        for piece, move, pose in zip(pieces, moves, self._poses(moves), strict=True):
            yield piece, replace(piece, pose=pose, spot=move.target, up=move.up)

    def _brought(
        self, moves: Sequence[Move], ways: Sequence[Way] = ()
    ) -> Iterator[tuple[Piece, Pose, str]]:
        for number, (move, pose) in enumerate(zip(moves, self._poses(moves), strict=True)):
            thrown = number < len(ways) and ways[number] is Way.THROWN
            lies = self._scattered(pose, move.target) if thrown else pose
            yield self.table.piece(move.card, up=move.up), lies, move.target

    def _scattered(self, pose: Pose, spot: str) -> Pose:
        """Where a thrown card lands: rotated, and near its place as far as there is room."""
        rng, place = self.manner.rng("thrown"), self.layout.places[spot]
        room = SCATTER_MM
        if self.state.spots[spot].shape is not Shape.PILE:
            room = min(SCATTER_MM, max(2.0, (pitch(place) - CARD_MM[0]) / 2))
        dx, dy = rng.uniform(-1, 1, 2) * room
        turn = rng.uniform(-1, 1) * SCATTER_DEG * room / SCATTER_MM
        x, y = place.within(pose.x + float(dx), pose.y + float(dy), RIM_MM)
        return replace(pose, x=x, y=y, angle=pose.angle + turn)

    def _poses(self, moves: Sequence[Move]) -> Iterator[Pose]:
        """Where each card is laid, one after another."""
        for move in moves:
            there = [piece.pose for piece in self.table.at(move.target)]
            poses = self._laid.setdefault(move.target, there)
            poses.append(self._pose(move.target, poses))
            yield poses[-1]

    def _found(self, moves: Sequence[Move]) -> Iterator[Piece]:
        """The pieces that `moves` refer to; of two equal ones, the one laid last."""
        free = [piece for piece in self.table.resting if piece.number not in self._moving]
        for move in moves:
            fits = [piece for piece in free if _fits(piece, move)]
            wanted = [p for p in fits if p.up is not move.up] if move.source == move.target else []
            piece = (wanted or fits)[-1]
            free.remove(piece)
            self._moving.add(piece.number)
            yield piece

    def _pose(self, spot: str, taken: Sequence[Pose]) -> Pose:
        """Where the next card of a spot is laid: roughly in a free cell."""
        place = self.layout.places[spot]
        if self.state.spots[spot].shape is Shape.PILE:
            return self._on_pile(self.state.spots[spot], place, taken)
        step = pitch(place)
        roomy = step >= CARD_MM[0] and 0 < len(taken) < len(place.cells)
        roomy &= not self._carries_bets(spot)  # no card is laid where those are, or will be
        over = self._over(taken[-1], place) if roomy else None
        bare = over is not None and all(
            dist((over.x, over.y), (pose.x, pose.y)) >= INDEX_MM for pose in taken
        )
        if over is not None and bare and self.manner.does("overlapping"):
            return over
        free = [
            cell
            for cell in in_order(self.state.spots[spot], place, len(taken))
            if all(dist(cell[:2], (pose.x, pose.y)) > step / 2 for pose in taken)
        ]
        x, y, angle = (free or second_row(place, len(taken)))[0]
        dx, dy = self._rng.uniform(-1, 1, 2) * leeway(step)
        turn = self._rng.uniform(-JITTER_DEG, JITTER_DEG)
        return Pose(x + float(dx), y + float(dy), angle + float(turn))

    def _carries_bets(self, spot: str) -> bool:
        """Whether chips are laid next to the cards of a spot."""
        places = self.state.game.betting_places(self.state.start) if self.layout.bets else ()
        return any(one.beside == spot for one in places)

    def _over(self, last: Pose, place: Place) -> Pose | None:
        """A pose partly over the last card of a row, towards its end; None at the end."""
        rng = self.manner.rng("overlapping")
        (x0, y0, _), (x1, y1, angle) = place.cells[:2]
        way = float(rng.uniform(*OVERLAP_MM)) / dist((x0, y0), (x1, y1))
        askew = float(rng.uniform(-2, 2) * JITTER_DEG)
        x, y = last.x + way * (x1 - x0), last.y + way * (y1 - y0)
        xs, ys, _ = zip(*place.cells, strict=True)
        inside = min(xs) - JITTER_MM <= x <= max(xs) + JITTER_MM
        inside &= min(ys) - JITTER_MM <= y <= max(ys) + JITTER_MM
        return Pose(x, y, angle + askew) if inside else None

    def _on_pile(self, spot: Spot, place: Place, taken: Sequence[Pose]) -> Pose:
        """Face-down piles are squared up; cards thrown onto an open one are slightly askew."""
        x, y, angle = place.cells[0]
        if spot.face is not Face.DOWN and taken and self.manner.does("beside"):
            rng, across = self.manner.rng("beside"), radians(angle)
            way = float(rng.uniform(*BESIDE_MM))
            x, y = place.within(x + way * cos(across), y + way * sin(across), RIM_MM)
            # Many cards stop at the rim, but no two of them in exactly the same pose.
            dx, dy, turn = (float(value) for value in rng.uniform(-1, 1, 3) * PILE_JITTER)
            return Pose(x + dx, y + dy, angle + turn)
        askew = PILE_JITTER * (spot.face is not Face.DOWN)
        dx, dy, turn = self._rng.uniform(-askew, askew, 3)
        return Pose(x + float(dx), y + float(dy), angle + float(turn))


def _fits(piece: Piece, move: Move) -> bool:
    """Whether `move` can refer to this card."""
    alike = piece.spot == move.source and piece.card == move.card
    return alike and move.may_take(up=piece.up)
