"""Which of a player's melds is which, in whatever order they were followed.

Melds are numbered as they are laid. Of two that a player lays in one go, the second may come to
rest first: then each has the other's number on the screen and in the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rules.acts import Act, Verb
from rules.cards import Card
from rules.melds.laying import MELD, is_meld_spot


def laid_at(acts: Iterable[Act]) -> dict[str, list[Card]]:
    """The cards laid at each meld's place in the course of some acts.

    >>> lines = "4 meld 6C 6S 6D", "4 meld 6S 7S JS", "2 lay 4.meld-1 6H"
    >>> laid_at(map(Act.parse, lines))
    {'4.meld-1': [<6C>, <6S>, <6D>, <6H>], '4.meld-2': [<6S>, <7S>, <JS>]}
    """
    laid: dict[str, list[Card]] = {}
    for act in acts:
        if act.verb is Verb.MELD:
            melds = sum(name.startswith(f"{act.seat}.{MELD}") for name in laid)
            laid[f"{act.seat}.{MELD}{melds + 1}"] = list(act.cards)
        elif act.verb is Verb.LAY and act.spot is not None and is_meld_spot(act.spot):
            laid.setdefault(act.spot, []).extend(act.cards)
    return laid


def names_shown(
    there: Mapping[str, Sequence[Card]], shown: Mapping[str, Sequence[Card]]
) -> dict[str, str]:
    """For each meld's place `there`, the one where most of the same player's cards are `shown`.

    >>> one, other = [Card.parse("6S"), Card.parse("6D")], [Card.parse("JS")]
    >>> names_shown({"4.meld-1": one, "4.meld-2": ()}, {"4.meld-1": other, "4.meld-2": one[:1]})
    {'4.meld-1': '4.meld-2', '4.meld-2': '4.meld-1'}
    """
    pairs = [
        (-_common(shown[other], there[name]), name != other, name, other)
        for name in there
        for other in shown
        if name.partition(".")[0] == other.partition(".")[0]
    ]
    names: dict[str, str] = {}
    for *_, name, other in sorted(pairs):
        if name not in names and other not in names.values():
            names[name] = other
    return {name: names.get(name, name) for name in there}


def names_dealt(acts: Iterable[Act], dealt: Iterable[Act]) -> dict[str, str]:
    """For each meld's place in `acts`, its name in those that were `dealt`."""
    shown = names_shown(laid_at(dealt), laid_at(acts))
    return {other: name for name, other in shown.items()}


def as_named(acts: Iterable[Act], names: Mapping[str, str]) -> list[Act]:
    """The acts, with other `names` for the places of melds."""
    return [replace(act, spot=names.get(act.spot or "", act.spot)) for act in acts]


def _common(some: Sequence[Card], others: Sequence[Card]) -> int:
    """How many of some cards are among others, as far as they are known."""
    left = list(others)
    for card in some:
        fit = card if card in left else next((one for one in left if card.covers(one)), None)
        if fit is not None:
            left.remove(fit)
    return len(others) - len(left)
