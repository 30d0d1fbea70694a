"""What a dealer sees from the lamps and the screen: is the appliance following?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from firmware.display.snapshot import Snapshot
from firmware.rehearsal.judge import unmatched
from firmware.rehearsal.melds import names_shown
from firmware.rehearsal.world import World
from hardware.lamps import Lamp, Pattern
from rules.acts import Act, Verb
from rules.cards import Card
from rules.melds.laying import is_meld_spot
from rules.spots import Shape, Spot

LATELY = 6
"""Number of acts that the screen may lag behind the table: a turn played in a hurry."""


class Eyes(Protocol):
    """What a dealer can see of the appliance."""

    def lamps(self) -> dict[Lamp, Pattern]:
        """What each lamp is doing."""

    def screen(self) -> Snapshot:
        """What the screen shows."""


@dataclass(frozen=True)
class Onlooker:
    """Compares what the appliance shows with the table."""

    world: World
    eyes: Eyes

    def follows(self, but: Collection[str] = ()) -> bool:
        """Whether the screen matches the table, `but` for some spots, and no lamp asks."""
        screen, state = self.eyes.screen(), self.world.state
        shown = self._shown(screen)
        return (
            screen.hand == state.start.hand
            and not screen.options
            and not self.unexpected(screen)
            and all(
                _alike(_atop(spot, shown.get(name, ())), spot.shows(state.table))
                for name, spot in state.spots.items()
                if name in self.world.layout.places and name not in but
            )
        )

    def frozen(self) -> bool:
        """Whether somebody has told the appliance to wait."""
        return self.eyes.lamps()[Lamp.HOLD] is Pattern.STEADY

    def unexpected(self, screen: Snapshot) -> bool:
        """Whether the appliance warns of something that did not happen."""
        return self.warns(screen) and not self.world.state.open_violations

    def warns(self, screen: Snapshot) -> bool:
        """Whether the appliance warns of an error, rather than about the picture."""
        return self.eyes.lamps()[Lamp.HOLD] is Pattern.FAST and bool(screen.violated)

    def misread(self, screen: Snapshot) -> tuple[str, Card] | None:
        """A spot, and a card shown there on the screen that is not there."""
        state = self.world.state
        for spot, shown in self._shown(screen).items():
            if spot not in state.spots or spot not in self.world.layout.places:
                continue
            there = list(state.spots[spot].shows(state.table))
            for card in map(Card.parse, _atop(state.spots[spot], shown)):
                fit = next((c for c in there if _fits(card, c)), None)
                if fit is not None:
                    there.remove(fit)
                elif not card.hidden and there and not self._lay(spot, card):
                    return spot, card
        return None

    def _shown(self, screen: Snapshot) -> dict[str, Sequence[str]]:
        """What the screen shows at each spot, a player's melds in the order of the table's."""
        shown: dict[str, Sequence[str]] = dict(screen.table)
        state = self.world.state
        there = {name: state.table.view(name) for name in state.spots if is_meld_spot(name)}
        melds = {name: [*map(Card.parse, shown.get(name, ()))] for name in there}
        names = names_shown(there, melds)
        return shown | {name: shown.get(other, ()) for name, other in names.items()}

    def _lay(self, spot: str, card: Card) -> bool:
        """Whether the card was on top of that pile before: then the screen is only late."""
        state = self.world.state
        if state.spots[spot].shape is not Shape.PILE:
            return False
        taken = (one for act in state.acts[-LATELY:] for one in act.cards)
        return any(_fits(card, one) for one in (*state.table.view(spot)[:-1], *taken))

    def missed(self) -> list[Act]:
        """The acts of this hand that are missing from the latest ones on the screen."""
        screen, state = self.eyes.screen(), self.world.state
        lately = [act.observed() for act in state.acts[-len(screen.acts) or None :]]
        missed, _ = unmatched(lately, [Act.parse(line) for line in screen.acts])
        return [act for act in missed if act.verb is not Verb.RULE]


def _atop(spot: Spot, shown: Sequence[str]) -> Sequence[str]:
    """The part of the screen's cards that can be compared with the table, as `Spot.shows`."""
    if spot.held:
        return [card for card in shown if not Card.parse(card).hidden]
    return shown[-1:] if spot.shape is Shape.PILE else shown


def _alike(shown: Sequence[str], there: Sequence[Card]) -> bool:
    """Whether the screen shows these cards, as far as it says which they are."""
    left = Counter(there)
    for card in sorted(map(Card.parse, shown), key=lambda card: not card.known):
        fit = next((other for other in left if _fits(card, other)), None)
        if fit is None:
            return False
        left -= Counter([fit])
    return not left


def _fits(shown: Card, card: Card) -> bool:
    return shown.hidden is card.hidden and shown.covers(card)
