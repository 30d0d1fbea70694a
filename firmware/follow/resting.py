"""Cards seen at their final place, rather than where a game lets them rest on the way."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.follow.differences import Cards, Difference, unmatched


@dataclass(frozen=True)
class Rest:
    """Where cards would rest that are seen further on, or hidden ones that are seen turned up."""

    spot: str
    cards: Cards

    def left_by(self, wanted: Difference) -> bool:
        """Whether such a change moves these cards to another visible place, or turns them up."""
        if unmatched(self.cards, wanted.left.get(self.spot, ()))[0]:
            return False
        if self.cards[0].hidden:
            return len(_open(wanted.came.get(self.spot, ()))) >= len(self.cards)
        elsewhere = [c for spot, came in wanted.came.items() if spot != self.spot for c in came]
        return not unmatched(self.cards, elsewhere)[0]


def resting(wanted: Difference, change: Difference, *, atop: bool = False) -> Rest | None:
    """Where an act would lay cards that are seen elsewhere, or turned up; None if it would not.

    If they may rest `atop` of a pile, nobody need have seen them cover what is on top of it.
    """
    over = {
        spot: beyond
        for spot, cards in wanted.came.items()
        if (beyond := unmatched(cards, change.came.get(spot, ()))[0])
    }
    if len(over) != 1:
        return None
    ((spot, cards),) = over.items()
    left = {name: gone for name, gone in wanted.left.items() if not (atop and name == spot)}
    if not Difference({}, left).within(change):
        return None
    if all(card.hidden for card in cards):
        turned = _open(change.came.get(spot, ()))
        return Rest(spot, cards) if len(turned) >= len(cards) else None
    elsewhere = [card for other, came in change.came.items() if other != spot for card in came]
    if any(card.hidden for card in cards) or unmatched(cards, elsewhere)[0]:
        return None
    return Rest(spot, cards)


def _open(cards: Cards) -> Cards:
    return tuple(card for card in cards if not card.hidden)
