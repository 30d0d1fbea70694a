"""A table for tests whose contents are known, and a loop that follows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from firmware.follow.loop import Loop
from firmware.store.journal import Journal
from firmware.store.ledger import Ledger
from hardware.press import Button, Held, Pressed
from rules.acts import Act
from rules.cards import Card, parse_cards
from rules.games import find_game
from rules.match import Match
from rules.phrases import Phrase
from rules.settlement import Payment
from rules.start import Level, Start
from vision.sightings import Lying, Seen

FRAME_S = 0.2
"""Seconds between two looks: five a second, a slow Pi."""


class Plain:
    """Renders a phrase as its identifier, which tests look for."""

    def say(self, phrase: Phrase) -> str:
        return phrase.id

    def payment(self, payment: Payment) -> str:
        return payment.reason

    def act(self, act: Act) -> str:
        return str(act)

    def seat(self, number: int | None) -> str:
        return str(number)

    def card(self, card: Card) -> str:
        return str(card)


def lying(text: str, place: int) -> Lying:
    """A card at rest; ``6D/8D`` is doubtful, with its candidates from the likeliest down."""
    cards = parse_cards(text.replace("/", " "))
    left = 100.0 * place
    corners = ((left, 0.0), (left + 60, 0.0), (left + 60, 90.0), (left, 90.0))
    if len(cards) == 1:
        return Lying(cards[0], 0.99, ((cards[0], 0.99),), corners)
    shares = tuple((card, round(0.9 / (n + 1), 3)) for n, card in enumerate(cards))
    rank = {card.rank for card in cards}
    part = Card(cards[0].rank if len(rank) == 1 else Card.parse("??").rank, Card.parse("??").suit)
    return Lying(part, shares[0][1] / 2, shares, corners)


def faint(text: str, place: int) -> Lying:
    """A sighting that may not be a card."""
    clear = lying(text, place)
    return replace(clear, confidence=0.6, candidates=((clear.card, 0.6),))


class Felt:
    """The table and its loop; what is laid here is seen there."""

    def __init__(
        self,
        game: str,
        *,
        seats: int = 3,
        level: Level = Level.NONE,
        limits: tuple[int, int] | None = (1, 20),
        journal: Journal | None = None,
        rules: Mapping[str, str] | None = None,
    ) -> None:
        chosen = find_game(game, rules)
        bank, deal = (1, None) if chosen.banked else (None, 1)
        taken = tuple(range(1, seats + 1))
        start = Start(seats=taken, banker=bank, dealer=deal, level=level, limits=limits)
        match = Match(chosen, start)
        self.loop = Loop(Ledger(match, journal, now=lambda: 0.0), Plain())
        self.cards: dict[str, list[str]] = {spot: [] for spot in self.loop.state.spots}
        self.ghosts: dict[str, list[str]] = {}
        """Cards that the camera doubts."""
        self.busy: set[str] = set()
        self.still: set[str] = set()
        self.places: dict[str, str] = {}
        """The spots at which the camera has trouble, by its name."""
        self.time = 0.0

    def look(self, seconds: float = FRAME_S) -> None:
        """Let the camera look for this long."""
        until = self.time + seconds
        while self.time < until - 1e-9:
            self.time += FRAME_S
            self.loop.see(self.seen())

    def seen(self) -> Seen:
        spots = {
            spot: (
                *(lying(text, place) for place, text in enumerate(cards)),
                *(faint(text, 9 + place) for place, text in enumerate(self.ghosts.get(spot, ()))),
            )
            for spot, cards in self.cards.items()
        }
        still = frozenset(self.still)
        busy = frozenset(self.busy)
        return Seen(spots, busy, tuple(self.places), self.time, self.places, still=still)

    def lay(self, spot: str, *cards: str, seconds: float = FRAME_S) -> None:
        """Lay cards at a spot one by one, looking after each."""
        for card in cards:
            self.cards[spot].append(card)
            self.look(seconds)

    def take(self, spot: str, *cards: str, seconds: float = FRAME_S) -> None:
        for card in cards:
            self.cards[spot].remove(card)
        self.look(seconds)

    def turn(self, spot: str, card: str) -> None:
        """Turn up the first back at a spot."""
        self.cards[spot][self.cards[spot].index("??")] = card
        self.look()

    def sweep(self) -> None:
        """Remove all cards from the table."""
        for cards in self.cards.values():
            cards.clear()
        self.look()

    def press(self, button: Button) -> None:
        self.loop.button(Pressed(button, self.time))
        self.look()

    def hold(self, button: Button) -> None:
        self.loop.button(Held(button, self.time))
        self.look()

    def type(self, *lines: str) -> None:
        """Type lines, confirming them even if they break a rule."""
        for line in lines:
            self.loop.type(line, sure=True)

    def acts(self, back: int = 0) -> list[str]:
        """The acts of the hand in play, or of the one `back` hands ago."""
        return [str(act) for act in self.loop.match.hands[-1 - back].acts]

    @property
    def rules_broken(self) -> Sequence[str]:
        return [violation.rule for violation in self.loop.state.open_violations]
