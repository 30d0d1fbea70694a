"""Teaches a set of chips under the camera that will read it.

The chips of the pictures are single, and they lie at known places under a calibrated camera. So the
pictures show what no stack can: how large one chip of each value appears on this table. The set is
learned in its middle; more chips farther out tell what the lens does there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from vision.chips.chip_set import THICK_MM, ChipSet
from vision.chips.gauge import Gauge
from vision.chips.reader import ChipReader
from vision.chips.seen import UNKNOWN, SeenChips
from vision.chips.standpoint import Levelled, Standpoint
from vision.chips.teaching import learned
from vision.errors import ProfileError
from vision.picture.geometry import Frame, Outline, checked


def learned_here(
    name: str,
    values: Sequence[str],
    picture: Frame,
    camera: Standpoint,
    cards: Sequence[Outline] = (),
    *,
    backs: Sequence[Outline] = (),
    thick_mm: float = THICK_MM,
    thick_doubt: float = 0.0,
    flat_mm: float = 0.0,
) -> tuple[ChipSet, Gauge]:
    """Teach a set as `vision.chips.teaching.learned` does, from a picture of a calibrated `camera`.

    Also returns how large its chips appear on this table, as far as they show it. Raises
    `ProfileError` if another number of chips is seen.
    """
    level = Levelled.of(checked(picture), camera)
    flat = picture if level is None else level.picture
    lying = [list(some) if level is None else level.outlines(some) for some in (cards, backs)]
    scale = camera.px_per_mm if level is None else level.camera.px_per_mm
    chips = learned(
        name, values, flat, lying[0], backs=lying[1], px_per_mm=scale,
        thick_mm=thick_mm, thick_doubt=thick_doubt, flat_mm=flat_mm,
    )  # fmt: skip
    seen = ChipReader(chips, camera=camera).read(picture, cards, backs)
    return chips, _told(Gauge.of(len(values), camera.doubt, thick_doubt), _only(seen))


def spread_out(
    chips: ChipSet,
    gauge: Gauge,
    picture: Frame,
    camera: Standpoint,
    cards: Sequence[Outline] = (),
    *,
    backs: Sequence[Outline] = (),
) -> Gauge:
    """What is known of the sizes of a set's chips once a picture shows single ones all over.

    The more of each value, the better: chips of one value are not quite equal. Raises
    `ProfileError` unless it shows each value, and nothing that may be two chips.
    """
    seen = ChipReader(chips, camera=camera, gauge=gauge).read(picture, cards, backs)
    lacking = [value for value in chips.values if value not in {one.value for one in seen}]
    if lacking:
        raise ProfileError(f"{chips.name}: no {' and no '.join(lacking)} seen, one of each needed")
    unclear = [one for one in seen if one.value == UNKNOWN or one.least > 1]
    if unclear:
        x, y = unclear[0].centre
        raise ProfileError(f"{chips.name}: no single chip of the set at {x:.0f}, {y:.0f} px")
    return _told(gauge, seen)


def _only(seen: Sequence[SeenChips]) -> list[SeenChips]:
    """The chips that are the only ones of their value."""
    times = Counter(one.value for one in seen)
    return [one for one in seen if times[one.value] == 1]


def _told(gauge: Gauge, single: Sequence[SeenChips]) -> Gauge:
    """What is known once these are seen, each a single chip."""
    _, known = gauge.judged([one.evidence.said(1) for one in single if one.evidence is not None])
    return known
