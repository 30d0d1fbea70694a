"""How people handle cards at a table: each habit by its name, and how often it occurs.

A habit changes nothing in the game: it determines how the cards come to lie, or what hands do in
between. Errors that break a rule are slips (see `firmware.rehearsal.slips`).

>>> sorted(Manner.of("neat", seed=1).likely) == sorted(HABITS)
True
>>> Manner.of("none", seed=1).does("thrown")
False
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from firmware.errors import UsageError


@dataclass(frozen=True, slots=True)
class Habit:
    """Something that people do with cards, and how often they do it when there is occasion."""

    says: str
    neat: float
    brisk: float
    sloppy: float
    rare: bool = False
    """Whether occasions are rare: a habit to be shown once is then shown at the first of them."""


HABITS: dict[str, Habit] = {
    "thrown": Habit("a card is let go on its way, and slides on and turns", 0.0, 0.25, 0.5),
    "slid": Habit("a card is pushed flat over the cloth", 0.1, 0.3, 0.3),
    "together": Habit(
        "cards that could come one by one are laid down at once", 0.1, 0.3, 0.5, rare=True
    ),
    "hurried": Habit("the next card comes without a look at lamps and screen", 0.0, 0.2, 0.4),
    "straight": Habit("a card goes at once to where it ends", 0.3, 0.6, 0.8, rare=True),
    "beside": Habit("a card is laid on a pile so that the last one still shows", 0.0, 0.1, 0.35),
    "overlapping": Habit("a card is laid partly over its neighbour", 0.0, 0.08, 0.3),
    "misplaced": Habit("a card is laid on a wrong place, and moved at once", 0.0, 0.005, 0.02),
    "wrong-pair": Habit("a wrong card is taken and put back at once", 0.0, 0.02, 0.06, rare=True),
    "tossed-down": Habit("a hand is tossed to the discards face down", 0.1, 0.5, 0.5, rare=True),
    "tossed-up": Habit("a hand is tossed to the discards face up", 0.0, 0.1, 0.3, rare=True),
    "straightened": Habit("a card is pushed straight where it lies", 0.01, 0.02, 0.02),
    "squared": Habit("the cards of a pile are squared up", 0.01, 0.02, 0.02),
    "squared-hand": Habit("a player squares up the hidden cards before them", 0.0, 0.005, 0.02),
    "peeked": Habit("a player lifts the hidden cards and lays them back", 0.0, 0.02, 0.04),
    "picked-up": Habit("a player takes the hidden cards up for a moment", 0.0, 0.005, 0.02),
    "resting-edge": Habit("a hand rests at the edge of the table", 0.01, 0.02, 0.04),
    "resting-over": Habit("a hand rests over a card", 0.0, 0.01, 0.02),
    "clutter": Habit("chips, a glass and a telephone stand around", 0.0, 0.5, 1.0, rare=True),
    "elsewhere": Habit(
        "a meld is laid at another free place of its player", 0.1, 0.3, 0.5, rare=True
    ),
}
"""Every habit by the name that the command line takes, with its share of the occasions at a neat, a
brisk and a sloppy table. A choice, not a count: brisk is meant to be a home game that runs well.
What comes between two acts (straightening and the like) has an occasion at every act of a hand.
"""
MANNERS = ("neat", "brisk", "sloppy")
NONE = "none"
"""No habits at all: a machine deals."""
AT_RANDOM = 5
"""A habit to be shown once is shown at one of this many first occasions."""


@dataclass
class Manner:
    """How people at one table handle cards; each habit has its own random stream.

    So a run without one habit shows the others unchanged, as long as nothing depends on it. `once`
    is a habit that is shown exactly once, at a random occasion, whatever its likelihood.
    """

    likely: Mapping[str, float]
    seed: int = 0
    once: str = ""
    done: Counter[str] = field(default_factory=Counter)
    _rngs: dict[str, np.random.Generator] = field(default_factory=dict)
    _occasions: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, name: str, seed: int, *, without: frozenset[str] = frozenset()) -> Manner:
        """The manner of that name; or `NONE` with one habit shown once, if that is named.

        Raises `UsageError` for a name that is neither.
        """
        if name in MANNERS:
            likely = {habit: float(getattr(one, name)) for habit, one in HABITS.items()}
            return cls({h: p * (h not in without) for h, p in likely.items()}, seed)
        if name not in (NONE, *HABITS):
            names = ", ".join((*MANNERS, NONE, *HABITS))
            raise UsageError(f"no handling {name!r}; there are {names}")
        return cls(dict.fromkeys(HABITS, 0.0), seed, once="" if name == NONE else name)

    def does(self, habit: str) -> bool:
        """Whether the habit is shown on this occasion."""
        self._occasions[habit] += 1
        rng = self.rng(habit)
        if self.once == habit:
            due = HABITS[habit].rare or self._occasions[habit] == AT_RANDOM
            shown = not self.done[habit] and (due or bool(rng.random() < 1 / AT_RANDOM))
        else:
            shown = bool(rng.random() < self.likely.get(habit, 0.0))
        self.done[habit] += shown
        return shown

    def rng(self, habit: str) -> np.random.Generator:
        """The random numbers for this habit alone."""
        if habit not in self._rngs:
            number = list(HABITS).index(habit)
            self._rngs[habit] = np.random.default_rng((self.seed, 6, number))
        return self._rngs[habit]
