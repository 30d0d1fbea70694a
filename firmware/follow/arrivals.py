"""When and where each card arrived: acts came in the order of their cards, and a card that was
turned up lies where a back lay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from firmware.follow.candidates import TURNS_UP
from firmware.follow.findings import Explanation
from firmware.follow.sight import lies_at
from rules.cards import BACK, Card
from vision.picture.geometry import Point
from vision.sightings import Lying, Seen

Place = tuple[str, Card]
"""A card at a spot."""


@dataclass
class Arrivals:
    """The moments (seconds) at which cards were first seen at their spots, and what lay there."""

    _came: dict[Card, float] = field(default_factory=dict)
    _turned: set[Card] = field(default_factory=set)
    """The cards that came where a back had lain."""
    _backs: dict[str, tuple[Point, ...]] = field(default_factory=dict)
    """Where backs lay at each place when it was last seen (pixels)."""
    _lying: dict[str, Counter[Card]] = field(default_factory=dict)
    _seen: dict[str, float] = field(default_factory=dict)
    """When each place was last seen, whichever spot it stood for."""
    _without: dict[Place, float] = field(default_factory=dict)

    def see(self, seen: Seen) -> None:
        """Note what is where now."""
        for name in seen.spots.keys() - seen.busy:
            lying, place = seen.spots[name], seen.lies_at.get(name, name)
            now = Counter(one.card for one in lying)
            for card in now - self._lying.get(place, Counter()):
                self._came[card] = seen.time
                self._note_turned(card, lying, self._backs.get(place, ()))
                if place in self._seen:
                    self._without[name, card] = self._seen[place]
            self._lying[place], self._seen[place] = now, seen.time
            self._backs[place] = tuple(one.centre for one in lying if one.card == BACK)

    def _note_turned(self, card: Card, lying: Sequence[Lying], backs: Sequence[Point]) -> None:
        """Note whether a card among those `lying` where `backs` had lain is one turned up."""
        equal = [one for one in lying if one.card == card]
        if any(lies_at(one, back) for one in equal for back in backs):
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
