"""Tables at which everybody holds hidden cards, as a deal leaves them."""

from __future__ import annotations

from rules.start import Level
from tests.felt import Felt


def guts() -> Felt:
    """Two cards each: seat 2 must declare in or out."""
    felt = Felt("guts", level=Level.WHO)
    for spot in ("2", "3", "1"):
        felt.lay(spot, "??", "??")
    assert felt.acts()[-1] == "deal 1 ??"
    return felt


def pineapple(cards: int = 3) -> Felt:
    """`cards` cards each; with three, a betting round follows and then everybody discards one."""
    felt = Felt("pineapple", level=Level.NONE)
    for _ in range(cards):
        for spot in ("2", "3", "1"):
            felt.lay(spot, "??")
    return felt


def taken_up(felt: Felt, spot: str, seconds: float) -> list[str]:
    """Take the cards of a spot away for some seconds; return them."""
    cards = list(felt.cards[spot])
    felt.cards[spot].clear()
    felt.look(seconds)
    return cards
