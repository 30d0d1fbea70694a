"""What keeps the camera from seeing, once it has done so for a while."""

from __future__ import annotations

from vision.sightings import Seen

TROUBLE_AFTER_S = 2.0
"""Trouble is told once it has kept a spot from being read for so long: a hand is quicker."""
BLINDING = frozenset({"camera", "moved"})
"""Troubles that make every spot doubtful."""


class PersistentTrouble:
    """The trouble of the pictures, the one that makes every spot doubtful before others."""

    def __init__(self) -> None:
        self._since: tuple[str, float] | None = None

    def see(self, seen: Seen, now: float) -> None:
        """Notice what keeps the camera from seeing, and since when (seconds)."""
        name = next(iter(sorted(seen.trouble, key=lambda one: one not in BLINDING)), None)
        if name is None or not (seen.busy or name in BLINDING):
            self._since = None
        elif self._since is None or self._since[0] != name:
            self._since = (name, now)

    def told(self, now: float) -> str | None:
        """What has kept the camera from seeing for a while."""
        if self._since is None or now - self._since[1] < TROUBLE_AFTER_S:
            return None
        return self._since[0]
