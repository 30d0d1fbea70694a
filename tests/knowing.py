"""A reader that knows the scene, and a small rendered table for testing a tracker.

The reader can be told to err, so that everything from frames to settled cards is tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np

from rules.cards import BACK, Card, Deck
from vision import Box, CardReader, Frame, Polygon, Seen, Tracker
from vision.decide.card_classifier import CardClassifier
from vision.find.asked import Asked
from vision.find.discs import Discs
from vision.find.finder import Areas, Finder
from vision.picture.geometry import Outline
from vision.read.glances import Glance, nothing
from vision.read.index_classifier import IndexClassifier
from vision.reader import Survey
from vision.scene.items import CardItem, Item, Pose, outline
from vision.scene.render import Canvas, DeckStyle, DrawnDeck, Lens, Light, Surface, View, truth
from vision.sightings import Lying, Reading, Sighting

Candidates: TypeAlias = tuple[tuple[Card, float], ...]

DECK = DrawnDeck(DeckStyle())
VIEW = View.above((960, 540), px_per_mm=1.2)
SPOTS = {
    "left": Polygon.rectangle(140, 160, 240, 200),
    "right": Polygon.rectangle(560, 160, 240, 200),
}
LEFT, RIGHT = Pose(-180, 0), Pose(160, 0)


class KnowingReader(CardReader):
    """Reads a rendered scene by its truth.

    `errors` gives a card other candidates; faces are reported `aside` of their true place, by
    pixels to the right and down.
    """

    def __init__(self) -> None:
        nothing = np.zeros((0, 0), np.float32)
        super().__init__(
            index_height=20.0,
            finder=Finder(lambda pictures: (nothing,)),
            indices=IndexClassifier(lambda pictures: (nothing, nothing)),
            faces=CardClassifier(lambda pictures: (nothing, nothing)),
        )
        self.items: Sequence[Item] = ()
        self.errors: list[dict[str, Candidates]] = []
        self.blind: Sequence[Item] = ()
        self.aside = 0.0, 0.0
        self.reads = 0
        self.known: list[tuple[Sighting, ...] | None] = []
        """What each look was told about the backs in advance."""

    def survey(
        self,
        frame: Frame,
        *,
        regions: Sequence[Box] | None = None,
        scales: Sequence[float] | None = None,
        small: Frame | None = None,
        asked: Asked | None = None,
        discs: Discs | None = None,
    ) -> Survey:
        errors = self.errors[self.reads] if self.reads < len(self.errors) else {}
        self.reads += 1
        self.known.append(asked.known if asked else None)
        box = (regions or [Box(0, 0, 960, 540)])[0]
        cover = np.zeros((540, 960), np.uint8)
        seen = []
        unseen = [card.outline for card in truth(self.blind, VIEW)]
        for card in truth(self.items, VIEW):
            cv2.fillConvexPoly(cover, np.asarray(card.outline).astype(np.int32), (1,))
            if card.outline in unseen:
                continue
            clear = card.card == BACK or any(index.visible > 0.9 for index in card.indices)
            middle = np.asarray(card.outline).mean(axis=0)
            inside = box.x <= middle[0] < box.x + box.width
            if clear and inside and box.y <= middle[1] < box.y + box.height:
                candidates = errors.get(str(card.card), ((card.card, 0.97),))
                if candidates:
                    best, confidence = candidates[0]
                    point = (float(middle[0]), float(middle[1]))
                    told = card.outline if card.card == BACK else self._beside(card.outline)
                    seen.append(Sighting(best, confidence, candidates, told, point, 0.0))
        for item in self.items:
            if not isinstance(item, CardItem):
                corners = outline(item, VIEW).astype(np.int32)
                cv2.fillPoly(cover, [corners], (0,))
        part = box.cut(cover).astype(np.float32)
        reading = Reading(tuple(seen), (), 1.0, (960, 540))
        return Survey(reading, (nothing(Areas(part, np.zeros_like(part), box, 1.0)),))

    def _beside(self, outline: Outline) -> Outline:
        one, two, three, four = ((x + self.aside[0], y + self.aside[1]) for x, y in outline)
        return one, two, three, four

    def again(
        self,
        frame: Frame,
        glance: Glance,
        changed: Sequence[Box],
        *,
        small: Frame | None = None,
        asked: Asked | None = None,
        discs: Discs | None = None,
    ) -> Survey:
        assert changed, "nothing changed, yet it is looked at"
        return self.survey(frame, regions=[glance.areas.box], asked=asked)


class Table:
    """A rendered table with its tracker and clock."""

    def __init__(self, *, deck: Deck | None = None, light: Light | None = None) -> None:
        self.canvas = Canvas(VIEW, Surface(), light or Light(), Lens(), seed=3)
        self.reader = KnowingReader()
        self.tracker = Tracker(self.reader, SPOTS, deck=deck)
        self.time = 0.0

    def show(self, still: Sequence[Item], moving: Sequence[Item] = (), frames: int = 1) -> Seen:
        """Show some frames of a picture at rest, or with something held over it."""
        self.canvas.settle(still)
        self.reader.items = [*still, *moving]
        for _ in range(frames):
            self.time += 0.1
            seen = self.tracker.update(self.canvas.frame(moving), self.time)
        return seen


def looked_at() -> Table:
    """A bare table at which the tracker has looked for more than a second."""
    table = Table()
    table.show([], frames=12)
    return table


def card(name: str, pose: Pose) -> CardItem:
    return CardItem(DECK, Card.parse(name), pose)


def names(seen: Seen, spot: str) -> list[str]:
    return [str(lying.card) for lying in seen.spots[spot]]


def lying(name: str, x: float, y: float = 270.0, sure: float = 1.0) -> Lying:
    """A card at rest around this point, in pixels, that is read with such confidence."""
    corners = ((x - 48, y - 68), (x + 48, y - 68), (x + 48, y + 68), (x - 48, y + 68))
    return Lying(Card.parse(name), sure, ((Card.parse(name), sure),), corners)


def sighted(one: Lying) -> Sighting:
    """The same card in one picture."""
    told = one.card, one.confidence, one.candidates, one.outline, one.centre
    return Sighting(*told, 0.0, whole=one.whole)
