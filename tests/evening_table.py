"""The table of a first evening: drawn, read by the real reader, and paused whenever needed.

Before the first hand the camera sees the empty felt between its markers, then a deck spread face
up; after that a rehearsal is played. Once the reader is made to misread a card, so that there is
something to correct.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from firmware.console.access import Access
from firmware.console.book import Book
from firmware.console_link import ConsoleLink
from firmware.follow.taking import Crop
from firmware.rehearsal import attention
from firmware.rehearsal.desk import LiveDesk
from firmware.rehearsal.plan import CameraWatcher, Plan
from firmware.rehearsal.rehearsal import Rehearsal
from firmware.rehearsal.tabletop import Tabletop
from firmware.settings.settings import Settings
from firmware.store.journal import Journal
from firmware.table.calibration import first_hand
from firmware.table.optics import Optics
from rules.cards import Card, Deck, Suit
from tests.test_install_markers import laid, table
from vision.draw import annotate
from vision.picture.geometry import Polygon
from vision.scene.faces import DeckStyle, DrawnDeck
from vision.scene.items import CardItem, Pose
from vision.scene.sensor import SENSORS
from vision.scene.sensor_camera import SimulatedCamera
from vision.scene.view import View
from vision.sightings import Lying, Seen

AREA = (1100.0, 620.0)
"""Distances between the markers, mm."""
VIEW = View.above(px_per_mm=1.6)
EVERY_S = 0.05
"""Interval between pictures of the empty table."""
IDLE_S = 0.02
HAND_S = 1200.0
"""The longest that ten hands may take to be drawn and read on a busy machine."""
TWIN = {Suit.CLUBS: Suit.SPADES, Suit.SPADES: Suit.CLUBS} | {
    Suit.HEARTS: Suit.DIAMONDS, Suit.DIAMONDS: Suit.HEARTS
}  # fmt: skip


class Still:
    """A camera in its own thread that shows one drawn picture again and again."""

    def __init__(self) -> None:
        self.optics = Optics()
        self.picture = table(VIEW, laid(*AREA))
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def spread(self, settings: Settings) -> None:
        """Spread the whole deck face up, in rows."""
        state = first_hand(settings)
        art = DrawnDeck(DeckStyle())
        items = [
            CardItem(art, card, Pose((place % 10 - 4.5) * 78, (place // 10 - 1.5) * 100, 0.0))
            for place, card in enumerate(state.game.deck(state.start).cards)
        ]
        self.picture = table(VIEW, [*laid(*AREA), *items])

    def _run(self) -> None:
        while not self._ended.wait(EVERY_S):
            self.optics.show(self.picture)

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()


class Misreader(CameraWatcher):
    """The real reader, except that it misreads the cards in `slips`."""

    def __init__(self, table: Tabletop, spots: Mapping[str, Polygon], deck: Deck) -> None:
        super().__init__(table, spots, deck, camera=SimulatedCamera(SENSORS["clean"]))
        self.slips: dict[Card, Card] = {}
        self.seen = Seen({}, frozenset(), (), 0.0)
        self._shown = table

    def look(self, now: float) -> tuple[Seen, Crop | None]:
        seen, crop = super().look(now)
        spots = {
            name: tuple(self._slipped(one) for one in cards) for name, cards in seen.spots.items()
        }
        self.seen = replace(seen, spots=spots)
        return self.seen, crop

    def _slipped(self, lying: Lying) -> Lying:
        other = self.slips.get(lying.card)
        return replace(lying, card=other, candidates=((other, 0.99),)) if other else lying

    def picture(self) -> Any:
        """The camera's last picture, with the reader's answers drawn in."""
        return annotate(self._shown.frame(self.seen.time), self.seen)


class Evening:
    """A rehearsal with its console; it plays next what is chosen on the page.

    The dealer's hands rest except during `deal_until`.
    """

    def __init__(self, settings: Settings, seed: int, hands: int) -> None:
        # A dealer kept waiting by people at a console must not conclude that nobody follows.
        attention.PATIENCE_S = HAND_S
        self.settings, self.seed, self.hands = settings, seed, hands
        self.still = Still()
        self.link = ConsoleLink(Access(settings.access_file))
        self._journal = Journal(settings.journal_file)
        self._dealing = threading.Event()
        self._wanted: Callable[[], bool] = lambda: False
        self._sit()

    def _sit(self) -> None:
        plan = Plan.of(self.settings, seed=self.seed)
        self.rehearsal = Rehearsal(plan, watches=self._watch, journal=self._journal)
        self._deal = self.rehearsal.dealer.step
        self.rehearsal.dealer.step = self._step  # type: ignore[method-assign]
        self._time = 0.0
        self.desk = LiveDesk(self.rehearsal, self.hands, now=self._now)
        self.desk.start()
        self._stand_beside(self.still.optics)

    def _stand_beside(self, optics: Optics | None) -> None:
        file = self.settings.journal_file
        self.link.stand_beside(self.desk, self.settings, file, self.desk.end, optics)

    def _watch(self, table: Tabletop, spots: Mapping[str, Polygon], deck: Deck) -> Misreader:
        self.reader = Misreader(table, spots, deck)
        return self.reader

    def _now(self) -> float:
        """A clock that is always late, so that nothing waits."""
        self._time += 10.0
        return self._time

    def _step(self, now: float) -> None:
        """What the dealer does between two pictures."""
        if self._wanted():
            self._dealing.clear()
        if self._dealing.is_set():
            self._deal(now)
        else:
            time.sleep(IDLE_S)

    def sit_down_anew(self) -> None:
        """Continue with what was chosen on the page, as the service does."""
        chosen = self.link.chosen
        assert chosen is not None
        self._leave()
        self.settings = chosen
        self._sit()

    def begin(self) -> None:
        """Take up the deck; from now on the camera sees the table being dealt at."""
        self._stand_beside(self.desk.optics)

    def deal_until(self, wanted: Callable[[], bool], what: str) -> None:
        """Let the dealer deal until the condition holds."""
        self._wanted = wanted
        self._dealing.set()
        end = time.monotonic() + HAND_S
        while self._dealing.is_set() and self.desk.running:
            assert time.monotonic() < end, f"{what} did not come"
            time.sleep(IDLE_S)
        assert wanted(), f"the table ended before {what}"

    def deal_to_the_end(self) -> None:
        """Let the dealer deal until the last hand is over."""
        self._wanted = lambda: False
        self._dealing.set()
        end = time.monotonic() + HAND_S
        while self.desk.running:
            assert time.monotonic() < end, "the last hand did not end"
            time.sleep(IDLE_S)

    def misread_next(self) -> tuple[Card, Card]:
        """Make the reader mistake the next card for the other one of its colour; return both."""
        right = self.rehearsal.world.deck[0]
        wrong = Card(right.rank, TWIN[right.suit])
        self.reader.slips = {right: wrong}
        return right, wrong

    def photograph(self) -> Any:
        """The table as the camera sees it, with the reader's answers."""
        return self.reader.picture()

    def record(self) -> str:
        """The record of all hands, as saved by the page."""
        with Book(self.settings.journal_file) as book:
            book.follow()
            return book.record(book.hands)

    def _leave(self) -> None:
        self.desk.stop()
        self.rehearsal.close()

    def stop(self) -> None:
        """Close everything."""
        self._leave()
        self.still.stop()
        self.link.__exit__(None, None, None)
        self._journal.close()


def smaller(picture: Any, width: int) -> Any:
    """The picture scaled to that width."""
    high, wide = picture.shape[:2]
    size = (width, round(high * width / wide))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
