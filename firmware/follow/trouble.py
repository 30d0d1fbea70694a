"""What keeps the camera from seeing, once it has done so for a while, and where."""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import BACK
from rules.phrases import Phrase
from vision.sightings import Lying, Seen

TROUBLE_AFTER_S = 2.0
"""How long trouble must have kept a spot from being read before it is reported: a hand is quicker.
A choice; `python -m tests.soak` judges it.
"""
LAPSE_S = 0.5
"""Longest gap for which trouble counts as continuing: a few lucky frames in between. A choice;
`python -m tests.soak` judges it.
"""
CLEARED_S = 3.0
"""How long after a card was taken away hands over others are no trouble: people who clear the table
are. A choice: of the 88 cards of a long hand one left every 2.1 s or sooner."""
HANDS = frozenset({"covered", "moving"})
"""Troubles that are hands."""
BLINDING = frozenset({"camera", "moved"})
"""Troubles that make every spot doubtful."""
MINOR = frozenset({"sways", "beside", "assumed"})
"""Troubles despite which cards are read, if not always where they are expected."""
MINOR_S = 8.0
"""How long one of these is shown: time to read it twice; what is awaited matters more. A choice."""
ELSEWHERE = ""
"""The name under which the tracker reports what is in no place, and what is everywhere."""


@dataclass
class _Lasting:
    """A trouble: since when it lasts, when it was last seen, where, and of how many cards."""

    since: float
    last: float
    place: str | None = None
    count: int | None = None


class PersistentTrouble:
    """The trouble of the pictures; those that make every spot doubtful come first."""

    def __init__(self) -> None:
        self._lasting: dict[str, _Lasting] = {}
        self._fewest = 0
        self._taken_at = float("-inf")

    def see(self, seen: Seen, now: float) -> None:
        """Note what keeps the camera from seeing, and since when (seconds)."""
        self._note_taken(seen, now)
        for name in seen.trouble:
            if name == "far" and "assumed" in seen.trouble:
                continue  # how far away they are is not known
            if seen.busy or name in BLINDING or name in MINOR:
                self._note(name, now, place=seen.places.get(name) or None)
        strays = beside(seen)
        if strays:
            known = self._lasting.get("beside")
            if known is not None and known.count is not None and strays > known.count:
                del self._lasting["beside"]  # more of them are news
            self._note("beside", now, count=strays)
        self._lasting = {
            name: one for name, one in self._lasting.items() if now - one.last <= LAPSE_S
        }

    def _note_taken(self, seen: Seen, now: float) -> None:
        """Note when fewer cards lie there than at any time since hands were noted.

        One that is seen now and then does not count.
        """
        lying = sum(map(len, seen.spots.values()))
        if not HANDS & self._lasting.keys():
            self._fewest = lying
        elif lying < self._fewest:
            self._fewest, self._taken_at = lying, now

    def _note(
        self, name: str, now: float, *, place: str | None = None, count: int | None = None
    ) -> None:
        one = self._lasting.setdefault(name, _Lasting(now, now))
        one.last, one.place, one.count = now, place, count

    def told(self, now: float) -> Phrase | None:
        """What has kept the camera from seeing for a while, the most serious first."""
        for name in sorted(self._lasting, key=_gravity):
            one = self._lasting[name]
            lasted = now - one.since
            ended = name in MINOR and lasted > TROUBLE_AFTER_S + MINOR_S
            ended |= name in HANDS and now - self._taken_at < CLEARED_S
            if lasted >= TROUBLE_AFTER_S and not ended:
                return Phrase.of(f"trouble.{name}", spot=one.place, count=one.count)
        return None


def beside(seen: Seen) -> int:
    """Number of cards read outside all places; 0 if more of them are in the places.

    A few cards next to a table in use are normal: discards, a hand that was shown.
    """
    if ELSEWHERE in seen.busy:
        return 0
    strays = _faces(seen.spots.get(ELSEWHERE, ()))
    placed = sum(_faces(lying) for name, lying in seen.spots.items() if name != ELSEWHERE)
    return strays if strays > placed else 0


def _faces(lying: tuple[Lying, ...]) -> int:
    return sum(1 for one in lying if one.card != BACK and not one.doubtful)


def _gravity(name: str) -> tuple[bool, bool, str]:
    return name not in BLINDING, name in MINOR, name
