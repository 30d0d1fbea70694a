"""Dealing in batches: so many cards to each hand, then so many more, then one turned up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules.acts import Verb
from rules.phrases import Phrase
from rules.state import State
from rules.turn import Awaited


@dataclass(frozen=True, slots=True)
class Batch:
    """Some cards dealt to one spot at once."""

    spot: str
    count: int
    down: bool = True
    says: Phrase | None = None
    """What to say while it is awaited; without it, the seat that gets how many cards."""


def rounds(order: Sequence[int], *counts: int) -> tuple[Batch, ...]:
    """Batches of so many cards to each hand in turn, one round after the other.

    >>> [(batch.spot, batch.count) for batch in rounds((2, 1), 3, 2)]
    [('2', 3), ('1', 3), ('2', 2), ('1', 2)]
    """
    return tuple(Batch(str(seat), count) for count in counts for seat in order)


def lacking(state: State, spots: Iterable[str], size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """The spots with fewer than `size` cards, those with the fewest first, by how many are missing.

    In which portions cards come to a hand is the dealer's business.
    """
    missing = {spot: size - len(state.table.at(spot)) for spot in spots}
    for count in sorted({count for count in missing.values() if count > 0}, reverse=True):
        yield tuple(spot for spot in missing if missing[spot] == count), count


def next_batch(state: State, batches: Iterable[Batch]) -> Awaited | None:
    """The first of `batches` that is not dealt in full; None when all are.

    What lies at the spots tells how far the deal is, so that a card too few is asked for again.
    """
    wanted: Counter[str] = Counter()
    for batch in batches:
        wanted[batch.spot] += batch.count
        laid = state.table.at(batch.spot)
        there = sum(one.up for one in laid) if not batch.down else len(laid)
        if there < wanted[batch.spot]:
            missing = wanted[batch.spot] - there
            says = batch.says or Phrase.of("turn.deal", seat=int(batch.spot), count=missing)
            counts, spots = (1, missing), (batch.spot,)
            return Awaited(
                Verb.DEAL, says, spots=spots, pick=missing, counts=counts, down=batch.down
            )
    return None
