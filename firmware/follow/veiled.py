"""Face-up cards hidden by a neighbour that was turned up, or laid partly over them.

If a card goes missing just when the card next to it is turned up in its place, it may still be
there, and counts as there if that makes sense of the table. If another was newly laid there, a hand
may just as well have taken it away: that is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from firmware.follow.differences import Cards, unmatched
from firmware.follow.outlines import PEEPING, Jitter, among, hidden_share, outlined
from rules.spots import Shape
from rules.state import State
from vision.sightings import Lying, Seen

VEILS = 0.5
"""Smallest hidden share of a card that is out of sight. A choice: with less hidden, an index of it
shows.
"""
TOUCHES = 0.2
"""Smallest share of it hidden by the card that was just turned up or laid; its other neighbours may
hide the rest. A choice: between two others a strip of a card shows; with a third of a card less, it
is too little to read.
"""

Veils = Mapping[str, Cards]
"""The cards hidden in this way, by place."""


@dataclass
class Veiled:
    """Remembers what is under what, for as long as that is not moved."""

    jitter: Jitter = field(default_factory=Jitter)
    _lying: dict[str, Sequence[Lying]] = field(default_factory=dict)
    """What was visible when a place was last seen."""
    _pairs: dict[str, list[tuple[Lying, Lying, bool]]] = field(default_factory=dict)
    """By place, cards that may be hidden, each with the one that hides it, and whether that one was
    turned up in place.
    """
    _known: set[str] = field(default_factory=set)
    """The places where they certainly are."""

    def see(self, seen: Seen) -> None:
        """Note which cards have come to lie over others."""
        within = self.jitter.within(PEEPING)
        for name in seen.spots.keys() - seen.busy:
            before, now = self._lying.get(name, ()), seen.spots[name]
            if before is now:
                continue
            self._lying[name] = now
            pairs = [one for one in self._pairs.get(name, ()) if among(one[1], now)]
            backs = [one for one in before if one.card.hidden]
            gone = [one for one in before if not one.card.hidden and not among(one, now, within)]
            for top in now:
                turned = not top.card.hidden and _lay_there(top, backs)
                if not among(top, before, within):
                    pairs += [(low, top, turned) for low in gone if _covers(top, low, now)]
            self._pairs[name] = pairs
            if not pairs:
                self._known.discard(name)

    def known(self, state: State, watched: Collection[str]) -> Veils:
        """The cards that are certainly under others."""
        return self._of(state, self._known.intersection(watched))

    def perhaps(self, state: State, watched: Collection[str], *, laid: bool = False) -> Veils:
        """The cards certainly or possibly under others; if `laid`, also under cards laid there."""
        turned = (name for name in watched if all(one[2] for one in self._pairs.get(name, ())))
        return self._of(state, watched if laid else {*turned, *self._known.intersection(watched)})

    def accept(self, veils: Veils) -> None:
        """Accept that these are there: only then does the table make sense."""
        self._known |= veils.keys()

    def _of(self, state: State, places: Collection[str]) -> Veils:
        """Those of the cards at these places that the state holds there and nobody sees."""
        found = {}
        for name in places:
            pairs = self._pairs.get(name)
            if not pairs or name not in state.spots or state.spots[name].shape is Shape.PILE:
                continue
            shown = [one.card for one in self._lying[name]]
            missing = list(unmatched(state.spots[name].shows(state.table), shown)[0])
            under = []
            for card in dict.fromkeys(low.card for low, *_ in pairs):
                if card in missing:
                    missing.remove(card)
                    under.append(card)
            if under:
                found[name] = tuple(under)
        return found


def _covers(top: Lying, low: Lying, lying: Sequence[Lying]) -> bool:
    """Whether one card is partly over another and, with everything else there, hides it.

    One that lies exactly where the other was does not count.
    """
    if outlined(low, top, PEEPING) or hidden_share(low, [top]) < TOUCHES:
        return False
    return hidden_share(low, lying) >= VEILS


def _lay_there(one: Lying, backs: Sequence[Lying]) -> bool:
    """Whether a card is where one of these lay face down."""
    return any(outlined(one, back, PEEPING) for back in backs)
