"""The regional decks that are read without being taught: forty cards with whole faces.

>>> pattern("napoletane").name, sorted(PATTERNS)
('neapolitan', ['bergamasque', 'brescian', 'neapolitan', 'piacentine'])
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DECKS = Path(__file__).parent.parent / "weights" / "decks"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One regional pattern, by its English name and its Italian ones."""

    name: str
    size_mm: tuple[float, float]
    """Width and height of its cards, as the makers Dal Negro and Masenghini cut them."""
    also: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file with its faces' fingerprints."""
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
"""The patterns whose prints are kept beside the weights. A choice: those of which whole decks could
be had as pictures."""


def pattern(name: str) -> Pattern | None:
    """The pattern of that name in either language, if there is one."""
    return next((one for one in PATTERNS.values() if name in (one.name, *one.also)), None)
