"""When and where each card arrived: acts came in the order of their cards, and a card that was
turned up lies where a back lay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware.follow.candidates import TURNS_UP
from firmware.follow.findings import Explanation
from firmware.follow.sight import lies_at
from rules.cards import BACK, Card
from vision.picture.geometry import Point
from vision.sightings import Seen

Place = tuple[str, Card]
"""A card at a spot."""


@dataclass
class Arrivals:
    """The moments (seconds) at which cards were first seen at their spots, and what lay there."""

    _came: dict[Card, float] = field(default_factory=dict)
    _turned: set[Card] = field(default_factory=set)
    """The cards that came where a back had lain."""
    _backs: dict[str, tuple[Point, ...]] = field(default_factory=dict)
    """Where backs lay at each spot when it was last seen (pixels)."""
    _lying: dict[str, Counter[Card]] = field(default_factory=dict)
    _seen: dict[str, float] = field(default_factory=dict)
    """When each spot was last seen."""
    _without: dict[Place, float] = field(default_factory=dict)

    def see(self, seen: Seen) -> None:
        """Note what is where now."""
        for name in seen.spots.keys() - seen.busy:
            now = Counter(one.card for one in seen.spots[name])
            for card in now - self._lying.get(name, Counter()):
                self._came[card] = seen.time
                self._note_turned(card, name, seen)
                if name in self._seen:
                    self._without[name, card] = self._seen[name]
            self._lying[name], self._seen[name] = now, seen.time
            self._backs[name] = tuple(one.centre for one in seen.spots[name] if one.card == BACK)

    def _note_turned(self, card: Card, name: str, seen: Seen) -> None:
        """Note whether a card that came to a spot lies where a back had lain."""
        equal = [one for one in seen.spots[name] if one.card == card]
        if any(lies_at(one, back) for one in equal for back in self._backs.get(name, ())):
            self._turned.add(card)
        else:
            self._turned.discard(card)

    @property
    def without(self) -> Mapping[Place, float]:
        """When a spot was last seen without a card that has since come there."""
        return self._without

    def rank(self, way: Explanation) -> tuple[float, ...]:
        """A sort key: explanations that name cards in their order of arrival come first.

        Before them come those that turn up cards where backs lay, rather than others that came at
        the same time.
        """
        shown = [(step.act, card) for step in way.steps for card in step.act.cards]
        turned = [card for act, card in shown if act.verb in TURNS_UP and not card.hidden]
        elsewhere = sum(card not in self._turned for card in turned)
        return (elsewhere, *(self._came.get(card, 0.0) for _, card in shown if not card.hidden))
