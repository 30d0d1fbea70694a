"""A deck without indices at the simulated table: drawn, and taught before the first hand.

>>> from rules.cards import Card
>>> art, profile = taught_deck(Kind.ITALIAN, seed=1)
>>> profile.word(Card.parse("KD")), len(profile.cards)
('re di denari', 41)
"""

from __future__ import annotations

from firmware.rehearsal.setting import PX_PER_MM
from firmware.table.taught_decks import italian_name
from rules.cards import BACK
from vision.decide.profiles import Profile
from vision.scene.portraits import portraits
from vision.scene.regional import Kind, RegionalDeck, forty


def taught_deck(kind: Kind, seed: int) -> tuple[RegionalDeck, Profile]:
    """A deck of forty cards and a back, with what the reader learned about it."""
    art = RegionalDeck(kind, seed=seed)
    cards = (*forty(), BACK)
    words = tuple(str(card) if card == BACK else italian_name(card) for card in cards)
    shown = (look for card in cards for look in portraits(art, card, PX_PER_MM))
    return art, Profile.taught(kind.value, shown, words, size_mm=art.size)
