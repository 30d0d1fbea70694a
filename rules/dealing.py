"""Dealing in batches: some cards to each hand, then some more, then one turned up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rules.acts import Verb
from rules.frozen import quick
from rules.phrases import Phrase
from rules.state import CLEARING, State
from rules.turn import Awaited, Turn


@quick(frozen=True, slots=True)
class Batch:
    """Cards dealt to one spot together."""

    spot: str
    count: int
    down: bool = True
    says: Phrase | None = None
    """What to say while it is awaited; by default, the seat and the number of cards."""
    last: bool = False
    """Whether all earlier batches come first; a batch dealt face up always waits for them."""


def rounds(order: Sequence[int], *counts: int) -> tuple[Batch, ...]:
    """Batches of a given number of cards to each hand in turn, one round after another.

    >>> [(batch.spot, batch.count) for batch in rounds((2, 1), 3, 2)]
    [('2', 3), ('1', 3), ('2', 2), ('1', 2)]
    """
    return tuple(Batch(str(seat), count) for count in counts for seat in order)


def lacking(state: State, spots: Iterable[str], size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """The spots with fewer than `size` cards, those with the fewest first, with the number missing.

    The dealer is free to deal a hand in any portions.
    """
    missing = {spot: size - len(state.table.at(spot)) for spot in spots}
    for count in sorted({count for count in missing.values() if count > 0}, reverse=True):
        yield tuple(spot for spot in missing if missing[spot] == count), count


def next_batch(state: State, batches: Iterable[Batch]) -> Awaited | None:
    """The first of `batches` that is not dealt in full; None if all are.

    How far the deal has come is read from the spots, so that a missing card is asked for again.
    """
    wanted: Counter[str] = Counter()
    for batch in batches:
        wanted[batch.spot] += batch.count
        laid = state.table.at(batch.spot)
        there = len(laid) if batch.down else sum(one.up for one in laid)
        if there < wanted[batch.spot]:
            return _awaited(batch, wanted[batch.spot] - there)
    return None


def dealing(state: State, batches: Sequence[Batch]) -> Turn:
    """The first batch that is not dealt in full, with those that may also come before it.

    If a rule sheet only states how many cards everybody gets, they may be dealt round one by one,
    or to one player after the other. A sheet that fixes the portions gives a hand several batches,
    which then come in order. With nothing left to deal, the table is cleared.
    """
    due = next_batch(state, batches)
    return Turn((due or CLEARING,), also=tuple(_as_well(state, batches, due)) if due else ())


def _as_well(state: State, batches: Sequence[Batch], due: Awaited) -> Iterator[Awaited]:
    if len({batch.spot for batch in batches}) < len(batches):
        return
    for batch in batches:
        if batch.spot in due.spots:
            continue
        if batch.last or not batch.down:
            return
        missing = batch.count - len(state.table.at(batch.spot))
        if missing > 0:
            yield _awaited(batch, missing)


def _awaited(batch: Batch, missing: int) -> Awaited:
    says = batch.says or Phrase.of("turn.deal", seat=int(batch.spot), count=missing)
    counts, spots = (1, missing), (batch.spot,)
    return Awaited(Verb.DEAL, says, spots=spots, pick=missing, counts=counts, down=batch.down)
