"""How long a hand has moved over a place: while it rests there, nothing comes or goes under it."""

from __future__ import annotations

from dataclasses import dataclass

RESTS_S = 1.0
"""How long a hand must have been still to count as resting: pauses between two gestures are
shorter. A choice: simulated hands that rest do so for 2 s at least, and what was laid is read in
0.7 s; `python -m tests.soak` judges it.
"""


@dataclass
class Hiding:
    """A hand that has been over a place without a break, and when it moved there.

    >>> hand = Hiding()
    >>> for second in range(8):
    ...     hand.see(float(second), still=2 < second < 7)
    >>> hand.moved_s
    3.0
    """

    moved_s: float = 0.0
    """How long it has moved, in seconds, including brief pauses."""
    there_s: float = 0.0
    """How long it has been there, in seconds."""
    still_since: float | None = None
    """Since when it has not moved, in seconds; None while it moves."""
    _paused_s: float = 0.0
    _seen_at: float | None = None

    def see(self, now: float, *, still: bool) -> None:
        """Note that it is over the place at `now` (seconds), and moves unless it is `still`."""
        passed = 0.0 if self._seen_at is None else now - self._seen_at
        self._seen_at = now
        self.there_s += passed
        if still:
            self.still_since = now if self.still_since is None else self.still_since
            self._paused_s += passed
            return
        self.still_since = None
        self.moved_s += passed + (self._paused_s if self._paused_s < RESTS_S else 0.0)
        self._paused_s = 0.0
