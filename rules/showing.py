"""Showing cards that nobody has to show: a hand is decided, and some are still face down."""

from __future__ import annotations

from collections.abc import Iterator

from rules.acts import Verb
from rules.phrases import Phrase
from rules.state import State
from rules.turn import Awaited


def willing(state: State) -> Iterator[Awaited]:
    """The cards that players may still show once a hand is decided, although nobody has to."""
    for seat in state.start.seats:
        hidden = tuple(laid.card for laid in state.table.at(str(seat)) if not laid.up)
        if hidden:
            says, counts = Phrase.of("turn.show", seat=seat), (1, len(hidden))
            yield Awaited(Verb.SHOW, says, (seat,), pick=len(hidden), counts=counts, among=hidden,
                          required=False)  # fmt: skip
