"""What hands can reach: nobody moves cards under an arm, or deals with a resting hand."""

from __future__ import annotations

from math import dist

from firmware.rehearsal.gestures import Point
from firmware.rehearsal.world import World
from rules.acts import Act
from rules.spots import Shape

UNDER_MM = 45.0
"""Distance of a card's middle from the middle of an arm below which it is under the arm: half the
width of a hand and its sleeve.
"""


def within_reach(world: World, act: Act, now: float) -> bool:
    """Whether no arm is or comes over what `act` picks up or covers, and its actor has a hand free.

    A dealer whose hand is resting deals on once it has moved away.
    """
    arms, trace = world.table.arms_from(now), world.state.trace(act)
    if act.seat is None and any(shoulder == world.shoulder(None) for _, shoulder in arms):
        return False
    covered = {move.target for move in trace if _is_pile(world, move.target)}
    taken = {(move.source, move.card) for move in trace}
    poses = [
        piece.pose
        for piece in world.table.resting
        if piece.spot in covered or (piece.spot, piece.card) in taken
    ]
    return all(_off((pose.x, pose.y), arm) > UNDER_MM for pose in poses for arm in arms)


def _is_pile(world: World, name: str) -> bool:
    spots = world.state.spots
    return name in spots and spots[name].shape is Shape.PILE


def _off(point: Point, arm: tuple[Point, Point]) -> float:
    """How far a point is from an arm, mm: from the line between fingertips and shoulder."""
    (x, y), (u, v) = arm
    along = max(dist((x, y), (u, v)), 1.0)
    share = ((point[0] - x) * (u - x) + (point[1] - y) * (v - y)) / along**2
    share = min(1.0, max(0.0, share))
    return dist(point, (x + share * (u - x), y + share * (v - y)))
