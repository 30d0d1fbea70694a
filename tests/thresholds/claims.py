"""The claims that measurements make, and the register of all measurements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf


@dataclass(frozen=True)
class Claim:
    """A measured figure, and the bounds within which it supports a constant's value."""

    says: str
    figure: float
    least: float = -inf
    most: float = inf

    @property
    def holds(self) -> bool:
        """Whether the figure is within its bounds."""
        return self.least <= self.figure <= self.most

    def __str__(self) -> str:
        bounds = [
            *([f"at least {self.least:g}"] if self.least > -inf else []),
            *([f"at most {self.most:g}"] if self.most < inf else []),
        ]
        verdict = "" if self.holds else "NO LONGER: "
        return f"{verdict}{self.says}: {self.figure:.3g} ({', '.join(bounds)})"


Measure = Callable[[], Iterator[Claim]]
MEASUREMENTS: dict[str, Measure] = {}
"""Each measurement by the dotted name of the constant that it supports."""


def supports(*constants: str) -> Callable[[Measure], Measure]:
    """Register a measurement for these constants."""

    def registered(measure: Measure) -> Measure:
        for constant in constants:
            MEASUREMENTS[constant] = measure
        return measure

    return registered
