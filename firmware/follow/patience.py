"""How long to wait for hands that are still laying chips."""

from __future__ import annotations

from dataclasses import dataclass

UNSETTLED_MOST_S = 6.0
"""Maximum time for which a card that closes the bets waits for a hand to leave the chips. A choice:
two players who bet in turn and the dealer who brings the card are gone by then."""
LAID_MOST_S = 20.0
"""Maximum time for which it waits while hands come and go. A choice: several players lay their bets
in turn, but nobody waits for a player who only fiddles with chips."""


@dataclass
class Patience:
    """Since when (monotonic seconds) chips have been restless, and one hand has covered them."""

    restless_since: float | None = None
    covered_since: float | None = None

    def waits(self, now: float, *, busy: bool, covered: bool) -> bool:
        """Whether to wait, now that chips are `busy`, as hands lay them, or are `covered` by one.

        >>> patience = Patience()
        >>> [patience.waits(now, busy=True, covered=True) for now in (0.0, 5.9, 6.0)]
        [True, True, False]
        >>> patience.waits(7.0, busy=True, covered=False)  # that hand has left, another may come
        True
        """
        if not busy:
            self.restless_since = self.covered_since = None
            return False
        if self.restless_since is None:
            self.restless_since = now
        if not covered:
            self.covered_since = None
        elif self.covered_since is None:
            self.covered_since = now
        covered_for = 0.0 if self.covered_since is None else now - self.covered_since
        return now - self.restless_since < LAID_MOST_S and covered_for < UNSETTLED_MOST_S
