"""The regional decks that are read without teaching: forty cards recognized by their whole faces.

>>> pattern("napoletane").name, sorted(PATTERNS)
('neapolitan', ['bergamasque', 'brescian', 'neapolitan', 'piacentine'])
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DECKS = Path(__file__).parent.parent / "weights" / "decks"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regional pattern, with its English and Italian names."""

    name: str
    size_mm: tuple[float, float]
    """Width and height of its cards as cut by the makers Dal Negro and Masenghini."""
    also: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file with the fingerprints of its faces."""
        return DECKS / f"{self.name}.npz"


PATTERNS = {
    one.name: one
    for one in (
        Pattern("neapolitan", (50.0, 83.0), ("napoletane", "napoletano")),
        Pattern("piacentine", (50.0, 88.0), ("piacentino",)),
        Pattern("bergamasque", (49.0, 90.0), ("bergamasche", "bergamasco")),
        Pattern("brescian", (46.0, 94.0), ("bresciane", "bresciano")),
    )
}
"""Patterns whose fingerprints are stored with the weights. A choice: those for which pictures of
whole decks were available."""


def pattern(name: str) -> Pattern | None:
    """The pattern with this name in either language, if there is one."""
    return next((one for one in PATTERNS.values() if name in (one.name, *one.also)), None)
