"""A card drawn out of a meld is gone; one under a resting hand is not."""

from __future__ import annotations

import pytest

from firmware.eye import tracker_of
from firmware.rehearsal.setting import setting
from firmware.rehearsal.tabletop import Tabletop
from rules.cards import Card, Deck, parse_cards
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
"""A meld from several packs in a column, the lowest first."""


def told(table: Tabletop, tracker: Tracker, begin: float, until: float) -> list[str]:
    """What is finally read at the meld."""
    for number in range(round((until - begin) / FRAME_S)):
        seen = tracker.update(table.frame(begin + number * FRAME_S), begin + number * FRAME_S)
    assert not seen.busy
    return sorted(("?" if one.doubtful else "") + str(one.card) for one in seen.spots["meld"])


@pytest.mark.parametrize("taken", [("4C", "4D", "4H"), ("4H",)])
def test_a_card_drawn_out_of_a_meld_of_equal_cards_is_gone(taken: tuple[str, ...]) -> None:
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


@pytest.mark.slow
def test_a_card_among_others_under_a_resting_hand_is_not_gone() -> None:
    table = Tabletop(setting(seed=1), seed=1)
    plane = Plane(table.matrix)
    spots = {"meld": plane.rectangle(930, 60, 200, 180)}
    tracker = tracker_of(spots, plane, Deck.standard())
    run = [
        (table.piece(card), Pose(993 + 21.5 * place, 150, 0), "meld")
        for place, card in enumerate(parse_cards("5D 6D 7D 8D"))
    ]
    laid = table.packet(run, now=0.0)
    assert told(table, tracker, laid, laid + 0.8) == ["5D", "6D", "7D", "8D"]
    table.rest((1000, 200), now=laid + 0.8, hold=3.0, shoulder=(1036, -330))
    trouble: set[str] = set()
    for number in range(8, 30):
        now = laid + number * FRAME_S
        seen = tracker.update(table.frame(now), now)
        trouble |= set(seen.trouble)
        assert len(seen.spots["meld"]) == 4
    assert "covered" in trouble
