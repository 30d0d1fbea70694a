"""A card drawn out from among others in a meld is gone, though paper takes the place of paper."""

from __future__ import annotations

import pytest

from firmware.eye import tracker_of
from firmware.rehearsal.setting import setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import Card, Deck
from vision.picture.plane import Plane
from vision.scene.items import Pose
from vision.track.tracker import Tracker

FRAME_S = 0.1
FOURS = [
    ("4C", Pose(1035, 634, -88)),
    ("4D", Pose(1035, 612, 95)),
    ("4S", Pose(1043, 582, -91)),
    ("4S", Pose(1041, 549, -90)),
    ("4H", Pose(1036, 525, -91)),
    ("4S", Pose(1037, 492, 94)),
]
"""A meld out of several packs in a column, the lowest first."""


def told(table: Tabletop, tracker: Tracker, begin: float, until: float) -> list[str]:
    """What is read at the meld at last."""
    for number in range(round((until - begin) / FRAME_S)):
        seen = tracker.update(table.frame(begin + number * FRAME_S), begin + number * FRAME_S)
    assert not seen.busy
    return sorted(("?" if one.doubtful else "") + str(one.card) for one in seen.spots["meld"])


@pytest.mark.parametrize("taken", [("4C", "4D", "4H"), ("4H",)])
def test_a_card_drawn_out_of_a_meld_of_its_like_is_gone(taken: tuple[str, ...]) -> None:
    table = Tabletop(setting(seed=1), seed=1)
    plane = Plane(table.matrix)
    spots = {"meld": plane.rectangle(920, 430, 220, 240)}
    tracker = tracker_of(spots, plane, Deck.standard(packs=8))
    meld = [(table.piece(Card.parse(text)), pose, "meld") for text, pose in FOURS]
    laid = table.packet(meld, now=0.0)
    every = sorted(text for text, _ in FOURS)
    assert told(table, tracker, laid, laid + 0.8) == every
    drawn = [piece for piece in table.resting if str(piece.card) in taken]
    gone = table.take(drawn, now=laid + 0.8)
    left = [text for text in every if text not in taken]
    assert told(table, tracker, gone, gone + 0.8) == left
