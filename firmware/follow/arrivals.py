"""When each card arrived where it is seen: acts came in the order of their cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware.follow.findings import Explanation
from rules.cards import Card
from vision.sightings import Seen

Place = tuple[str, Card]
"""A card at a spot."""


@dataclass
class Arrivals:
    """The moments (seconds) at which cards were first seen at their spots."""

    _came: dict[Card, float] = field(default_factory=dict)
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
                if name in self._seen:
                    self._without[name, card] = self._seen[name]
            self._lying[name], self._seen[name] = now, seen.time

    @property
    def without(self) -> Mapping[Place, float]:
        """When a spot was last seen without a card that has since come there."""
        return self._without

    def rank(self, way: Explanation) -> tuple[float, ...]:
        """A sort key: explanations that name cards in their order of arrival come first."""
        shown = (card for step in way.steps for card in step.act.cards if not card.hidden)
        return tuple(self._came.get(card, 0.0) for card in shown)
