"""Chips at betting places, as successive pictures of a camera show them."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.rehearsal.chip_set import STYLES, taught_chips
from firmware.rehearsal.setting import PX_PER_MM, SIZE
from firmware.table.chips_watched import ChipsWatched
from rules.cards import Card, Deck
from vision.chips.gauge import Gauge
from vision.chips.reader import ChipReader
from vision.chips.seen import SeenChips
from vision.find.asked import Asked
from vision.find.discs import Discs
from vision.picture.geometry import Box, Frame, Polygon
from vision.picture.plane import Plane
from vision.read.alphabets import Alphabet
from vision.reader import CardReader, Survey
from vision.scene.chips import stack
from vision.scene.items import Item, hand_item
from vision.scene.light import Lens, Light, Surface
from vision.scene.render import render
from vision.scene.view import View
from vision.sightings import Lying, Reading, Seen
from vision.track import chip_watch
from vision.track.chip_watch import ChipsTracker

VIEW = View.above(SIZE, height_mm=830.0, px_per_mm=PX_PER_MM)
LEFT, RIGHT = (-200.0, 60.0), (200.0, 60.0)
"""Centres of two betting places, mm."""
DEEP, WIDE = 50.0, 90.0


class NoCards:
    """A card reader that sees no cards, and keeps what it is told to leave to the chips."""

    index_height = 27.0
    alphabet: Alphabet | None = None

    def __init__(self) -> None:
        self.discs: list[Discs] = []

    def survey(
        self,
        frame: Frame,
        *,
        regions: list[Box],
        small: Frame,
        asked: Asked | None = None,
        discs: Discs | None = None,
    ) -> Survey:
        """Report nothing, wherever it looks."""
        if discs is not None:
            self.discs.append(discs)
        return Survey(Reading(()), ())


def _place(middle: tuple[float, float]) -> Polygon:
    x, y = middle
    corners = [
        (x - WIDE, y - DEEP),
        (x + WIDE, y - DEEP),
        (x + WIDE, y + DEEP),
        (x - WIDE, y + DEEP),
    ]
    return Polygon(tuple((float(a), float(b)) for a, b in VIEW.project(corners, 0.0)))


def picture(*piles: tuple[int, int, float, float], hand: bool = False) -> NDArray[np.uint8]:
    """A picture of stacks (value, count, x, y), with or without a hand over the left place."""
    items: list[Item] = []
    for value, count, x, y in piles:
        items += stack(STYLES[value], x, y, count=count)
    if hand:
        items.append(hand_item(*LEFT))
    rng = np.random.default_rng(5)
    return np.asarray(
        render(items, Surface(), VIEW, Light(brightness=0.95), Lens(noise=1.0), rng=rng), np.uint8
    )


@cache
def _bets() -> NDArray[np.uint8]:
    return picture((5, 1, -210.0, 60.0), (1, 1, -160.0, 60.0), (25, 1, 200.0, 60.0))


@cache
def _empty() -> NDArray[np.uint8]:
    return picture()


@dataclass
class Watched:
    """A tracker fed ten pictures per second, and how often it has read a place."""

    tracker: ChipsTracker
    cards: NoCards
    readings: list[tuple[SeenChips, ...]] = field(default_factory=list)
    now: float = 0.0

    def see(self, frame: NDArray[np.uint8], times: int = 1) -> Seen:
        """The last report of several equal pictures."""
        for _ in range(times):
            self.now += 0.1
            seen = self.tracker.update(frame, self.now)
        return seen


@pytest.fixture
def kept() -> list[Gauge]:
    """What the tracker has kept of the sizes of chips."""
    return []


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch, kept: list[Gauge]) -> Watched:
    corners = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
    pixels = tuple((float(x), float(y)) for x, y in VIEW.project(corners, 0.0))
    plane = Plane.from_points(corners, pixels)
    chips = ChipsWatched(
        taught_chips(),
        {"1.bet": _place(LEFT), "2.bet": _place(RIGHT)},
        plane,
        SIZE,
        keep=kept.append,
    )
    cards = NoCards()
    tracker = chips.tracker(cast(CardReader, cards), {}, Deck.standard())
    made = Watched(tracker, cards)
    read = ChipReader.read

    def counted(self: ChipReader, *given: Any) -> tuple[SeenChips, ...]:
        made.readings.append(read(self, *given))
        return made.readings[-1]

    monkeypatch.setattr(ChipReader, "read", counted)
    return made


def _values(seen: Seen) -> dict[str, list[str]]:
    assert seen.chips is not None
    return {name: sorted(one.value for one in some) for name, some in seen.chips.places.items()}


def test_chips_at_rest_are_reported_by_place_and_read_only_while_they_are_new(
    watched: Watched,
) -> None:
    assert _values(watched.see(_empty(), 8)) == {"1.bet": [], "2.bet": []}
    seen = watched.see(_bets(), 12)
    assert _values(seen) == {"1.bet": ["1", "5"], "2.bet": ["25"]}
    read = len(watched.readings)
    watched.see(_bets(), 10)
    assert len(watched.readings) == read


def test_what_is_plainly_round_is_not_searched_for_cards(watched: Watched) -> None:
    watched.see(_bets(), 12)
    for x, y in VIEW.project([(-210.0, 60.0), (-160.0, 60.0), (200.0, 60.0)], 0.0):
        away = [
            np.hypot(one.places[:, 0] - x, one.places[:, 1] - y).min()
            for one in watched.cards.discs
        ]
        assert max(away) < 10.0, "each look is told of each chip"


def test_a_place_under_a_hand_is_busy_and_read_again_once_the_hand_has_left(
    watched: Watched,
) -> None:
    watched.see(_empty(), 8)
    covered = watched.see(picture(hand=True))
    assert covered.chips is not None
    assert "1.bet" in covered.chips.busy
    read = len(watched.readings)
    watched.see(_empty(), 6)
    assert len(watched.readings) > read


def test_chips_under_something_that_rests_on_them_stay_until_it_has_left(watched: Watched) -> None:
    """An arm that lay beside a bet was taken for a bet withdrawn."""
    watched.see(_empty(), 20)
    bets = {"1.bet": ["1", "5"], "2.bet": ["25"]}
    assert _values(watched.see(_bets(), 20)) == bets
    sleeve = _bets().copy()
    x = int(VIEW.project([LEFT], 0.0)[0][0])
    sleeve[:, x - 150 : x + 10] = (30, 34, 36)
    seen = watched.see(sleeve, 40)
    assert _values(seen) == bets
    assert seen.chips is not None
    assert "1.bet" in seen.chips.covered
    gone = watched.see(_empty(), 20)
    assert _values(gone) == {"1.bet": [], "2.bet": []}
    assert gone.chips is not None
    assert not gone.chips.busy


def test_what_lies_where_chips_were_for_long_is_believed_to_have_replaced_them(
    watched: Watched,
) -> None:
    watched.see(_empty(), 20)
    watched.see(_bets(), 20)
    mat = _bets().copy()
    x, y = (int(one) for one in VIEW.project([LEFT], 0.0)[0])
    mat[y - 150 : y + 150, x - 150 : x + 150] = (30, 34, 36)
    assert _values(watched.see(mat, 30))["1.bet"] == ["1", "5"]
    assert _values(watched.see(mat, 260))["1.bet"] == []


def test_a_place_that_is_not_bare_is_read_again_until_its_chips_are_found(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.see(_empty(), 20)
    read, number = ChipReader.read, len(watched.readings)

    def blind(self: ChipReader, *arguments: Any, **named: Any) -> tuple[SeenChips, ...]:
        found = read(self, *arguments, **named)
        return found if len(watched.readings) > number + 8 else ()

    monkeypatch.setattr(ChipReader, "read", blind)
    assert not any(_values(watched.see(_bets(), 8)).values())
    assert _values(watched.see(_bets(), 30)) == {"1.bet": ["1", "5"], "2.bet": ["25"]}
    known = len(watched.readings)
    watched.see(_bets(), 20)
    assert len(watched.readings) == known


@pytest.mark.parametrize("bare", [True, False])
def test_chips_that_are_not_read_stay_if_they_look_as_before(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, bare: bool
) -> None:
    """A reading in the light of a card that had just left saw none of them."""
    if bare:
        watched.see(_empty(), 20)
    bets = {"1.bet": ["1", "5"], "2.bet": ["25"]}
    assert _values(watched.see(_bets(), 20)) == bets
    read = ChipReader.read
    monkeypatch.setattr(ChipReader, "read", lambda *_, **__: ())
    piles = (5, 1, -210.0, 60.0), (1, 1, -160.0, 60.0), (25, 1, 200.0, 60.0)
    watched.see(picture(*piles, hand=True), 2)
    assert _values(watched.see(_bets(), 10)) == bets
    monkeypatch.setattr(ChipReader, "read", read)
    assert _values(watched.see(_bets(), 10)) == bets
    assert _values(watched.see(_empty(), 20)) == {"1.bet": [], "2.bet": []}


def test_a_card_that_may_have_left_does_not_show_the_colour_of_paper() -> None:
    six, nine = (
        Lying(Card.parse(name), 0.99, ((Card.parse(name), 0.99),), ((0.0, 0.0),) * 4)
        for name in ("6H", "9C")
    )
    seen = Seen({"1": (six,), "2": (nine,)}, frozenset("2"), (), 0.0)
    assert chip_watch._sheets(seen) == [six.outline]


def test_what_is_no_chip_is_read_only_a_few_more_times(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.see(_empty(), 20)
    number = len(watched.readings)

    def blind(*_: Any, **__: Any) -> tuple[SeenChips, ...]:
        watched.readings.append(())
        return ()

    monkeypatch.setattr(ChipReader, "read", blind)
    watched.see(_bets(), 80)
    most = 2 * (chip_watch.READINGS + chip_watch.AGAIN)
    assert len(watched.readings) == number + most


def test_chips_elsewhere_are_no_bet(watched: Watched) -> None:
    assert _values(watched.see(picture((5, 1, 0.0, -200.0)), 10)) == {"1.bet": [], "2.bet": []}


def test_what_chips_have_told_of_their_sizes_is_kept_once_they_have_left(
    watched: Watched, kept: list[Gauge], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chip_watch, "KEPT_AFTER_S", 1.0)
    watched.see(_empty(), 8)
    watched.see(_bets(), 12)
    assert not kept, "nothing has left"
    watched.see(_empty(), 24)
    assert 0 < len(kept) <= 2, "one a place"
    told = len(kept)
    watched.see(_empty(), 12)
    assert len(kept) == told
    watched.tracker.rescale(28.0)
    watched.see(_bets(), 12)
    watched.see(_empty(), 12)
    assert len(kept) == told, "under a camera that is now another, as for the file"


def test_no_chip_code_is_loaded_if_no_chips_are_set() -> None:
    code = (
        "import sys, firmware.appliance, firmware.service, firmware.rehearsal.rehearsal;"
        "print([m for m in sys.modules if m in"
        " ('vision.chips.reader', 'vision.chips.teaching', 'vision.track.chip_watch')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
