"""Measurements for `firmware`: sizes of what it stores, sends and receives."""

from __future__ import annotations

import random
from collections.abc import Iterator
from unittest.mock import patch

import cv2
import numpy as np

from firmware.console.messages import TEXT_MOST
from firmware.eye import crops_of
from firmware.store.spare import LINE_MOST
from firmware.table import markers
from rules.cards import BACK
from rules.games import GAMES
from rules.records import print_match
from tests.play import play_hand, play_match, start_for
from tests.test_install_markers import laid
from tests.test_install_markers import table as marked
from tests.thresholds.claims import Claim, supports
from tests.thresholds.tables import SEEDS, reader, surveyed, table
from vision.scene.view import View
from vision.sightings import Lying, Sighting

FEW = 3
"""Hands of each game from which the length of a hundred hands is extrapolated."""


def _at_rest(one: Sighting) -> Lying:
    return Lying(one.card, one.confidence, one.candidates, one.outline)


@supports("firmware.eye.CROP_QUALITY")
def crops() -> Iterator[Claim]:
    """How large the pictures of cards are, and whether the cards can still be read from them."""
    sizes, right, shown = [], 0, 0
    for seed in SEEDS[:4]:
        one = table(seed)
        cut = crops_of(one.frame)
        before = surveyed(seed).reading.sightings
        for sighting in before:
            if sighting.card == BACK:
                continue
            data = cut(_at_rest(sighting))
            assert data is not None
            sizes.append(len(data))
            picture = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))
            room = cv2.copyMakeBorder(picture, 60, 60, 60, 60, cv2.BORDER_REPLICATE)
            reader().index_height = one.index_px
            shown += 1
            right += sighting.card in reader().read(np.asarray(room, np.uint8)).cards
    yield Claim("bytes of a card's picture", float(np.mean(sizes)), most=8000)
    yield Claim("share of the cards that are read from it again", right / shown, least=0.95)


@supports("firmware.console.messages.TEXT_MOST")
def longest_lines() -> Iterator[Claim]:
    """The length of a record's longest line."""
    longest = 0
    for name in sorted(GAMES):
        last = play_hand(GAMES[name](), start_for(GAMES[name]()), random.Random(name))[-1]
        longest = max(longest, *(len(str(act)) for act in last.acts))
    yield Claim(
        "letters of the longest act in a hand of every game", float(longest), most=TEXT_MOST
    )


@supports("firmware.store.spare.LINE_MOST")
def longest_records() -> Iterator[Claim]:
    """The length of a record of a hundred hands, extrapolated from a few hands of every game."""
    longest = 0.0
    for name in sorted(GAMES):
        game = GAMES[name]()
        match = play_match(game, start_for(game), random.Random(name), FEW)
        longest = max(longest, 100 * len(print_match(match).encode()) / max(1, len(match.hands)))
    yield Claim("bytes of a hundred hands' record of the longest game", longest, most=LINE_MOST / 2)


@supports("firmware.table.markers.STEPS_MOST")
def marker_steps() -> Iterator[Claim]:
    """Whether the search for the area's size converges long before its last step."""
    view = View.above(px_per_mm=1.6, tilt_deg=6.0)
    picture = marked(view, laid(1100.0, 620.0))
    whole = markers.find_by_markers(picture)
    with patch.object(markers, "STEPS_MOST", 5):
        soon = markers.find_by_markers(picture)
    assert whole is not None
    assert soon is not None
    assert whole.size_mm is not None
    assert soon.size_mm is not None
    off = float(np.abs(np.subtract(whole.size_mm, soon.size_mm)).max())
    yield Claim("millimetres by which the size after five steps is off", off, most=1)
