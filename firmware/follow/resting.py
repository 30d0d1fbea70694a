"""Cards seen at their final place, rather than where a game lets them rest on the way."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.follow.differences import Cards, Difference, unmatched


@dataclass(frozen=True)
class Rest:
    """Where cards would rest that are seen further on, or hidden ones that are seen turned up."""

    spot: str
    cards: Cards

    def after(self, wanted: Difference) -> Rest | None:
        """What still rests there after such a change, which moves some on or turns all up.

        None if it does neither.
        """
        if self.cards[0].hidden:
            turned = _open(wanted.came.get(self.spot, ()))
            left = unmatched(self.cards, wanted.left.get(self.spot, ()))[0]
            return None if left or len(turned) < len(self.cards) else Rest(self.spot, ())
        still = unmatched(self.cards, wanted.left.get(self.spot, ()))[0]
        gone = unmatched(self.cards, still)[0]
        elsewhere = [c for spot, came in wanted.came.items() if spot != self.spot for c in came]
        return None if not gone or unmatched(gone, elsewhere)[0] else Rest(self.spot, still)


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
