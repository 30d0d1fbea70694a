"""A deck at the simulated table that is none of the English ones.

It has no indices, and was taught before the first hand; or it has another country's letters.

>>> from rules.cards import Card
>>> art, profile = taught_deck(Kind.ITALIAN, seed=1)
>>> profile.word(Card.parse("KD")), len(profile.cards)
('re di denari', 41)
"""

from __future__ import annotations

from typing import TypeAlias

from firmware.rehearsal.setting import PX_PER_MM
from firmware.table.taught_decks import italian_name
from rules.cards import BACK
from vision.decide.profiles import Profile
from vision.read.alphabets import Alphabet
from vision.reader import KnownDeck
from vision.scene.faces import CardArt, DrawnDeck
from vision.scene.portraits import portraits
from vision.scene.regional import Kind, RegionalDeck, forty

Drawn: TypeAlias = Kind | Alphabet
"""What can be drawn: a deck without indices, or one with a country's letters."""


def drawn(name: str) -> Drawn:
    """What is drawn under a name.

    >>> drawn("italian"), drawn("german")
    (<Kind.ITALIAN: 'italian'>, <Alphabet.GERMAN: 'german'>)
    """
    return Kind(name) if name in {one.value for one in Kind} else Alphabet(name)


def deck_of(what: Drawn, usual: CardArt, seed: int) -> tuple[CardArt, KnownDeck]:
    """A deck and what is known of it; one with letters is printed like the `usual` deck there."""
    if isinstance(what, Kind):
        return taught_deck(what, seed)
    assert isinstance(usual, DrawnDeck)
    return lettered(usual, what), what


def lettered(deck: DrawnDeck, alphabet: Alphabet) -> DrawnDeck:
    """The same deck with another country's letters."""
    return DrawnDeck(deck.style, alphabet.letters)


def taught_deck(kind: Kind, seed: int) -> tuple[RegionalDeck, Profile]:
    """A deck of forty cards and a back, with what the reader learned about it."""
    art = RegionalDeck(kind, seed=seed)
    cards = (*forty(), BACK)
    words = tuple(str(card) if card == BACK else italian_name(card) for card in cards)
    shown = (look for card in cards for look in portraits(art, card, PX_PER_MM))
    return art, Profile.taught(kind.value, shown, words, size_mm=art.size)
