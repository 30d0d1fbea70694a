"""Decks without indices that were taught.

`mazziere teach` learns what a deck's cards look like and keeps it in one file. Its cards have the
names that the deck's own players use.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from firmware.errors import UsageError
from firmware.table.cameras import at_hand
from firmware.table.deck_check import FRAME_TIMEOUT_S, deck_of
from firmware.table.known_decks import path_of
from firmware.table.reporting import Report
from firmware.texts.plain import native
from hardware.camera import find_camera
from hardware.capture import Camera
from rules.cards import Card, Deck, Rank, Suit, parse_cards
from vision.decide.latin import FINE, LatinDeck, order_shown
from vision.decide.profiles import Profile, laid_out, learned
from vision.errors import ProfileError
from vision.find.outlines import outlines
from vision.picture.geometry import Floats, Frame
from vision.picture.photos import photos_in, read_photo
from vision.read.fingerprint import fingerprint, straight

HELD = 4
"""Number of pictures in a row that must show a card at rest before it is learned. A choice; `python
-m tests.teaching` judges it.
"""
RESTING, ANOTHER = 0.985, 0.93
"""Agreement with the picture before from which a card counts as at rest; agreement with what was
learned last below which a hand has come in and another card may follow. A choice; `python -m
tests.teaching` judges it.
"""
# The deck of forty runs ace to seven, fante, cavallo, re, and bastoni, denari, coppe, spade.
_RANKS = {
    Rank.ACE: "asso", Rank.TWO: "due", Rank.THREE: "tre", Rank.FOUR: "quattro",
    Rank.FIVE: "cinque", Rank.SIX: "sei", Rank.SEVEN: "sette", Rank.JACK: "fante",
    Rank.QUEEN: "cavallo", Rank.KING: "re",
}  # fmt: skip
_SUITS = {
    Suit.CLUBS: "bastoni", Suit.DIAMONDS: "denari", Suit.HEARTS: "coppe", Suit.SPADES: "spade"
}  # fmt: skip


def italian_name(card: Card) -> str:
    """The Italian name of a card of the deck of forty.

    >>> italian_name(Card.parse("KD")), italian_name(Card.parse("QC"))
    ('re di denari', 'cavallo di bastoni')
    """
    return f"{_RANKS[card.rank]} di {_SUITS[card.suit]}"


def order_of(options: Namespace) -> tuple[tuple[Card, ...], tuple[str, ...]]:
    """The cards in the order in which they are shown, and their names."""
    if options.order:
        return parse_cards(options.order), ()
    if options.italian:
        cards = Deck.italian().cards
        return cards, tuple(map(italian_name, cards))
    return deck_of(options).cards, ()


def teach(options: Namespace) -> Report:
    """Learn a deck from photographs or under the camera and save it; returns what was learned."""
    if bool(options.photos) == bool(options.live):
        raise UsageError("teach takes photographs or --live, not both")
    path = path_of(options.name)
    cards, words = order_of(options)
    if options.live:
        camera = find_camera(options.camera or at_hand())
        profile = shown_live(options.name, camera, cards, words, _ask)
    else:
        paths = [p for one in options.photos for p in _photos(Path(one))]
        pictures = [read_photo(one) for one in paths]
        if options.italian and not options.order:
            cards = by_signs(pictures, cards)
            words = tuple(map(italian_name, cards))
        profile = learned(options.name, pictures, cards, words)
    profile.save(path)
    return report(profile, path)


def by_signs(pictures: Sequence[Frame], cards: Sequence[Card]) -> tuple[Card, ...]:
    """The order in which pictures show Latin cards, by their signs, or else the given order."""
    faces = [straight(frame, one, FINE) for frame in pictures for one in laid_out(frame)]
    return order_shown(LatinDeck.load(), faces, cards) or tuple(cards)


def _photos(path: Path) -> Sequence[Path]:
    return photos_in(path) if path.is_dir() else (path,)


def _ask(word: str, number: int, count: int) -> None:
    print(native(f"{number:3} of {count}: show {word}"), flush=True)


def shown_live(
    name: str,
    camera: Camera,
    cards: Sequence[Card],
    words: Sequence[str],
    ask: Callable[[str, int, int], None],
) -> Profile:
    """The deck whose cards are laid under the camera one by one, as `ask` names them.

    Raises `ProfileError` if the pictures end before the last card is shown.
    """
    called = tuple(words) or tuple(map(str, cards))
    shown: list[tuple[Card, Frame, Floats]] = []
    watch = Resting()
    with camera:
        ask(called[0], 1, len(cards))
        while len(shown) < len(cards):
            try:
                frame = camera.frame(FRAME_TIMEOUT_S).image
            except EOFError as error:
                raise ProfileError(
                    f"{name}: expected {len(cards)} cards: the pictures end after {len(shown)}"
                ) from error
            corners = watch.see(frame)
            if corners is not None:
                shown.append((cards[len(shown)], frame, corners))
                if len(shown) < len(cards):
                    ask(called[len(shown)], len(shown) + 1, len(cards))
    return Profile.taught(name, shown, words)


class Resting:
    """Notices when a new card has come to rest under the camera."""

    def __init__(self) -> None:
        self._last: Floats | None = None
        self._learned: Floats | None = None
        self._held = 0

    def see(self, frame: Frame) -> Floats | None:
        """The corners (4, 2) of a new card at rest; None without one, or with a hand in view."""
        found = outlines(frame)
        look = fingerprint(straight(frame, found[0])) if len(found) == 1 else None
        if look is None or (self._learned is not None and _agree(look, self._learned) < ANOTHER):
            self._learned = None
        resting = look is not None and self._last is not None and _agree(look, self._last) > RESTING
        self._held = self._held + 1 if resting else 0
        self._last = look
        if self._held < HELD - 1 or self._learned is not None:
            return None
        self._learned = look
        return found[0]


def _agree(one: Floats, other: Floats) -> float:
    return float(np.dot(one, other))


def _begun(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The first card of each suit."""
    return tuple({card.suit: card for card in reversed(cards)}.values())[::-1]


def report(profile: Profile, path: Path) -> Report:
    """What was learned, as plain values: the cards, and how alike the two most alike ones are."""
    agreed = profile.prints @ profile.prints.T
    apart = profile.owners[:, None] != profile.owners[None]
    first, second = np.unravel_index(int(np.where(apart, agreed, -1).argmax()), agreed.shape)
    alike = [profile.words[profile.owners[place]] for place in (first, second)]
    return {
        "name": profile.name,
        "file": str(path),
        "cards": dict(zip(map(str, profile.cards), profile.words, strict=True)),
        "rows": [profile.word(one) for one in _begun(profile.cards)],
        "looks": len(profile.prints),
        "most_alike": alike if apart.any() else [],
        "agreement": round(float(agreed[first, second]), 3),
    }
