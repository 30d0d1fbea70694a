"""A deck without an index at the simulated table: drawn, and taught before the first hand.

>>> art, profile = taught_deck(Kind.ITALIAN, seed=1)
>>> profile.word(Card.parse("KD")), len(profile.cards)
('re di denari', 41)
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from firmware.rehearsal.tabletop import PX_PER_MM
from firmware.table.taught_decks import italian_name
from rules.cards import BACK, Card
from vision.decide.profiles import Profile
from vision.picture.geometry import Floats, Frame
from vision.scene.regional import Kind, RegionalDeck, forty

BLURS_PX = (0.3, 0.7)
"""Each card is shown in focus, and as soft as the simulated camera may be."""
CLOTH = 90
"""Grey around the rounded corners."""
MARGIN = 8


def taught_deck(kind: Kind, seed: int) -> tuple[RegionalDeck, Profile]:
    """A deck of forty cards and a back, with what the reader has learned of it."""
    art = RegionalDeck(kind, seed=seed)
    cards = (*forty(), BACK)
    words = tuple(str(card) if card == BACK else italian_name(card) for card in cards)
    shown = (look for card in cards for look in _looks(art, card))
    return art, Profile.taught(kind.value, shown, words)


def _looks(art: RegionalDeck, card: Card) -> Iterator[tuple[Card, Frame, Floats]]:
    """Pictures of a card at the table's scale, each with the card's corners (4, 2)."""
    texture = art.back(PX_PER_MM) if card == BACK else art.face(card, PX_PER_MM)
    high, wide = texture.shape[:2]
    share = texture[..., 3:].astype(np.float32) / 255
    picture = np.full((high + 2 * MARGIN, wide + 2 * MARGIN, 3), CLOTH, np.uint8)
    inner = picture[MARGIN : MARGIN + high, MARGIN : MARGIN + wide]
    inner[:] = (texture[..., :3] * share + CLOTH * (1 - share)).astype(np.uint8)
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) + MARGIN
    for blur in BLURS_PX:
        soft = cv2.GaussianBlur(picture, (0, 0), blur)
        yield card, np.asarray(soft, np.uint8), np.asarray(corners, np.float32)
