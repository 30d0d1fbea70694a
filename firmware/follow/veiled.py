"""Face-up cards hidden by a neighbour that was turned up, laid back, or laid partly over them.

If a card goes missing just when the card next to it is turned up in its place, it may still be
there, and counts as there if that makes sense of the table. So it does when a player has lifted a
hidden card and laid it back, now above its neighbour. If another was newly laid there, a hand may
just as well have taken it away: that is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from firmware.follow.differences import Cards, unmatched
from firmware.follow.outlines import PEEPING, Jitter, among, hidden_share, outlined
from rules.cards import Card
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
Pair = tuple[Lying, Lying, bool]
"""A card that may be hidden, the one that hides it, and whether that one is where it was."""


@dataclass
class Veiled:
    """Remembers what is under what, for as long as that is not moved."""

    jitter: Jitter = field(default_factory=Jitter)
    _lying: dict[str, Sequence[Lying]] = field(default_factory=dict)
    """What was visible when a place was last seen."""
    _pairs: dict[str, list[Pair]] = field(default_factory=dict)
    """By place, cards that may be hidden, each with the one that hides it, and whether that one was
    turned up, or laid back, where it was.
    """
    _known: set[str] = field(default_factory=set)
    """The places where they certainly are."""
    _touched: set[str] = field(default_factory=set)
    """The places at which there was a hand since they were last seen."""

    def see(self, seen: Seen) -> None:
        """Note which cards have come to lie over others."""
        for name in seen.spots.keys() - seen.busy:
            before, now = self._lying.get(name, ()), seen.spots[name]
            if before is not now:
                self._lying[name] = now
                self._pairs[name] = pairs = self._paired(name, before, now)
                if not pairs:
                    self._known.discard(name)
        self._touched = (self._touched | seen.busy) - (seen.spots.keys() - seen.busy)

    def _paired(self, name: str, before: Sequence[Lying], now: Sequence[Lying]) -> list[Pair]:
        """The cards that may be hidden at a place, now that this lies there."""
        within = self.jitter.within(PEEPING)
        backs = [one for one in before if one.card.hidden]
        gone = [one for one in before if not one.card.hidden and not among(one, now, within)]
        lost = [one for one in self._pairs.get(name, ()) if not among(one[1], now)]
        pairs = [one for one in self._pairs.get(name, ()) if one not in lost]
        for top in now:
            own = _lay_there(top, backs)
            stayed = among(top, before, within)
            if not stayed or (top.card.hidden and name in self._touched):
                pairs += [(low, top, own) for low in gone if _covers(top, low, now)]
            if not stayed or top.card.hidden:
                pairs += [(low, top, own) for low, *_ in lost if _covers(top, low, now)]
        return pairs

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
        """Those of the cards at these places that the state holds there and nobody sees.

        One that has come to another place is not still there.
        """
        found, came = {}, self._came(state)
        for name in places:
            pairs = self._pairs.get(name)
            if not pairs or name not in state.spots or state.spots[name].shape is Shape.PILE:
                continue
            shown = [one.card for one in self._lying[name]]
            missing = list(unmatched(state.spots[name].shows(state.table), shown)[0])
            under = []
            for card in dict.fromkeys(low.card for low, *_ in pairs):
                if came[card]:
                    came[card] -= 1
                elif card in missing:
                    missing.remove(card)
                    under.append(card)
            if under:
                found[name] = tuple(under)
        return found

    def _came(self, state: State) -> Counter[Card]:
        """The cards in view at places where the state holds none like them."""
        came = Counter[Card]()
        for name, lying in self._lying.items():
            if name in state.spots:
                shown = [one.card for one in lying]
                came.update(unmatched(state.spots[name].shows(state.table), shown)[1])
        return came


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
