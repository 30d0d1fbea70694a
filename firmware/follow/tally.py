"""How many cards were seen to come to rest, in the places of the game and outside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import dist

from rules.match import Hand, Match
from vision.sightings import Lying, Seen

SAME_PLACE = 0.35
"""Distance from where a card was, as a share of its shorter side, within which it has not been
moved. A choice; `python -m tests.soak` judges it.
"""


@dataclass
class Tally:
    """Counts the cards that come to rest; one that is moved counts again."""

    at_places: int = 0
    beside: int = 0
    """Those that came to rest outside every place."""
    _lying: dict[str, tuple[Lying, ...]] = field(default_factory=dict)

    def see(self, seen: Seen) -> None:
        """Update from what is where now."""
        for spot in seen.spots.keys() - seen.busy:
            before, now = self._lying.get(spot, ()), seen.spots[spot]
            came = _fresh(before, now)
            self._lying[spot] = now
            if spot:
                self.at_places += came
            else:
                self.beside += came


def followed(match: Match) -> int:
    """Number of times a card came to a visible place, by the acts that stand."""
    return sum(_laid(hand) for hand in match.hands)


def _laid(hand: Hand) -> int:
    state, laid = hand.opening(), 0
    for act in hand.acts:
        moves = state.trace(act)
        laid += sum(
            move.target in state.spots and state.spots[move.target].in_sight for move in moves
        )
        state = state.play(act)
    return laid


def _fresh(before: Sequence[Lying], now: Sequence[Lying]) -> int:
    """Number of these cards that were not there before."""
    old = list(before)
    came = 0
    for card in now:
        there = next((one for one in old if one.card == card.card and _near(one, card)), None)
        if there is None:
            came += 1
        else:
            old.remove(there)
    return came


def _near(one: Lying, other: Lying) -> bool:
    side = min(dist(*one.outline[:2]), dist(*one.outline[1:3]))
    return dist(one.centre, other.centre) < SAME_PLACE * side
