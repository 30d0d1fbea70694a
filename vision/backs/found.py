"""What an uneven area of backs seems to be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vision.backs.parts import FRAMED, Back
from vision.picture.geometry import Floats, upright


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The `backs` that an uneven area seems to be.

    It is `contested` if another number of them fits as well. They may be told apart `by_margins`
    around their prints.
    """

    backs: list[Back]
    contested: bool = False
    by_margins: bool = False


def told_at(
    cards: Iterable[Floats], confidence: float = FRAMED, *, whole: bool = False
) -> list[Back]:
    """Backs with these corners (4, 2), which may be the `whole` of a heap."""
    return [Back(upright(corners), confidence, whole) for corners in cards]
