"""A discard pile from several packs, shown to the loop card by card."""

from __future__ import annotations

from dataclasses import replace

from firmware.follow.loop import Loop
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from hardware.press import Button, Pressed
from rules.games import find_game
from rules.match import Match
from rules.start import Start
from tests.felt import FRAME_S, Plain, lying
from vision.sightings import Lying, Seen

BESIDE = 0.5
"""Offset, in hundreds of pixels, at which the next card leaves a card's index visible."""


class Heap:
    """The discard pile of Three Thirteen with three players, each card at its position."""

    def __init__(
        self, game: str = "three-thirteen", seats: int = 3, *, journal: Journal | None = None
    ) -> None:
        start = Start(seats=tuple(range(1, seats + 1)), dealer=1)
        self.loop = Loop(Ledger(Match(find_game(game), start), journal, now=lambda: 0.0), Plain())
        self.time = 0.0
        self._spots: dict[str, tuple[Lying, ...]] = dict.fromkeys(self.loop.state.spots, ())
        self.resting = frozenset[str]()
        """The spots covered by a hand."""
        self.still = frozenset[str]()
        """The covered spots where the hand does not move."""

    def look(self, *cards: tuple[str, float], seconds: float = FRAME_S) -> None:
        """Show these cards at the discards, each with its offset to the right."""
        pile = tuple(lying(text, place) for text, place in cards)  # type: ignore[arg-type]
        self.show("discards", *pile, seconds=seconds)

    def show(self, spot: str, *cards: Lying, seconds: float = FRAME_S) -> None:
        """Show these sightings at a spot."""
        until = self.time + seconds
        while self.time < until - 1e-9:
            self.time += FRAME_S
            self._spots = {**self._spots, spot: cards}
            self.loop.see(Seen(self._spots, self.resting, (), self.time, still=self.still))

    def meld(self, spot: str, *cards: str) -> None:
        """Let cards appear at another spot all at once."""
        there = tuple(lying(text, place) for place, text in enumerate(cards))
        self._spots = {**self._spots, spot: there}

    def cover(self, spot: str, seconds: float, *, still: bool = False) -> None:
        """Hold a hand over a spot for some seconds, moving or still."""
        until = self.time + seconds
        rests = frozenset({spot} if still else ())
        while self.time < until - 1e-9:
            self.time += FRAME_S
            self.loop.see(Seen(self._spots, self.resting | {spot}, (), self.time, still=rests))

    def acts(self) -> list[str]:
        """The acts followed, without hidden ones."""
        return [str(act) for act in self.loop.state.acts if "??" not in str(act)]

    def press(self, button: Button) -> None:
        self.loop.button(Pressed(button, self.time))

    @property
    def offered(self) -> list[str]:
        question = self.loop.question
        if question is None:
            return []
        return ["; ".join(str(a) for a in option.acts) for option in question.options]


def heap(*tops: tuple[str, float], journal: Journal | None = None) -> Heap:
    made = Heap(journal=journal)
    for top in tops:
        made.look(top)
    return made


def at(text: str, place: float) -> Lying:
    """A card at rest with this offset to the right."""
    return lying(text, place)  # type: ignore[arg-type]


def whole(text: str, place: float) -> Lying:
    """The same card with both ends in view."""
    return replace(at(text, place), whole=True)
