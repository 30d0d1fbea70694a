"""A simulated dealer's secret rule: given to the appliance in private, revealed with OK.

The dealer reads the seal off the screen, as a person would, and remembers the rule itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from firmware.display.snapshot import Snapshot
from firmware.store.safe import SALT_LETTERS
from rules.acts import Act
from rules.errors import RulesError
from rules.secret import LETTERS, SEAL, revealed, revealing
from rules.state import State


@dataclass
class Confidence:
    """What a dealer has given the appliance in private, hand by hand.

    `text` is the rule for hand number `hand`; `tried` is the last hand for which one was
    considered.
    """

    text: str = ""
    hand: int = 0
    tried: int = 0

    def wanted(self, state: State) -> bool:
        """Whether the dealer has yet to consider a rule for this hand."""
        secrecy = state.game.secrecy(state)
        return secrecy is not None and secrecy.wanted and self.tried != state.start.hand

    def due(self, state: State) -> bool:
        """Whether the rule has to be revealed now."""
        secrecy = state.game.secrecy(state)
        return secrecy is not None and secrecy.due and self.hand == state.start.hand

    def sealed(self, screen: Snapshot) -> Act | None:
        """The act with which the screen shows that a rule was sealed."""
        for act in _acts(screen):
            if act.words[:1] == (SEAL,):
                return act
        return None

    def revealed(self, screen: Snapshot) -> Act | None:
        """The rule as the dealer knows it, with the salt that the screen shows."""
        for act in _acts(screen):
            found = revealed(act)
            if found is not None:
                return revealing(found[0], self.text)
        return None


class Salts:
    """The salts of a rehearsal: the same seed gives the same salts."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng((seed, 5))

    def __call__(self) -> str:
        """The next salt."""
        return "".join(
            LETTERS[place] for place in self._rng.integers(0, len(LETTERS), SALT_LETTERS)
        )


def _acts(screen: Snapshot) -> Iterator[Act]:
    """The acts of the current hand on the screen, newest first."""
    shown = screen.acts[-screen.count :] if screen.count else ()
    for line in reversed(shown):
        try:
            yield Act.parse(line)
        except RulesError:
            continue
