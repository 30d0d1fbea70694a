"""Teaches a set of chips from a picture that shows one of each value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.chips.believing import chip_sized
from vision.chips.chip_set import THICK_MM, ChipSet
from vision.chips.circles import Circles, Slopes, circles
from vision.chips.faces import FACE_PX, face
from vision.chips.looking import WHITE
from vision.chips.plaque_stacks import centred
from vision.chips.plaques import Plaques
from vision.chips.print_middles import evened
from vision.chips.prints import PAPER, paper, sampled, set_off
from vision.chips.reader import CARD_MM, LARGEST, SMALLEST_PX, WORK_PX
from vision.chips.shaded_rims import unshaded
from vision.chips.silhouettes import Paper
from vision.chips.standpoint import Standpoint
from vision.chips.teaching_plaques import (
    WIDEST,
    as_circles,
    as_large,
    face_of,
    flat_things,
    outside,
    print_of,
    sides,
)
from vision.errors import ProfileError
from vision.picture.geometry import Floats, Frame, Outline, averaged, checked, short_side, within

SIZES_MM = (28.0, 47.0)
"""Range of chip diameters, in mm: 30 to 45, plus some room for a scale taken from cards. Follows
from the usual sizes."""
WHOLE = (0.85, 0.7, 0.55)
"""Minimum share of a rim that shows an edge when chips are taught, apart from each other and in
full view; lower values are tried only if too few are seen, as with a green chip on green felt. A
choice; `python -m tests.chips` judges it."""
SHARP = 0.16
"""Minimum share of such a rim that votes for its centre. A choice; `python -m tests.chips` judges
it."""
ALIKE = 1.13
"""Maximum ratio between the apparent sizes of chips of one set. A choice: the far end of a table
seen slightly from the side."""
ROW = 0.6
"""Chips whose centres differ in height by less than this share of a diameter are in one row. A
choice, as for cards."""
SLANTS = np.radians(np.arange(-20, 21)).tolist()
"""Slants of rows that are tried, in radians. A choice: a person who lays a row along the table's
edge and a camera that is turned stay within them; beyond, a row is a column."""
TIDY = 0.12
"""Maximum mean square of the distances of chips from their rows, in diameters, at which chips are
in rows. A choice: a third of a chip up or down."""
STRAIGHT = 0.05
"""Cost of a slant, per squared radian. A choice: of two ways to see rows, the more level one."""
A_ROW = 0.01
"""Cost of a row. A choice: chips are divided into more rows only if they fit them better."""
FEW = 2
"""Minimum number of chips found before fainter ones of their size are searched for. A choice."""
FAINT = (0.08, 0.7, 0.1, 0.7)
"""For such a chip: minimum share of its rim that votes, minimum share that shows an edge, maximum
relative difference of its radius from the others', and minimum share of its colours that differ
from those around it. A choice; `python -m tests.real_chips` judges it."""
SHARPLY_OFF = 0.35
"""The last of these if the rim votes as much as `SHARP`: the middle of a light chip on light cloth
has the cloth's colour. A choice: that of `vision.chips.things.SET_OFF`."""
ROUNDS = 3
"""Number of times that a plaque is moved to its outline. A choice: one that was six pixels off was
still two pixels off after the first."""
BESIDE = 1.8
"""Minimum distance between chips shown for teaching, in radii, from centre to centre. A choice:
they may touch, and both radii are uncertain."""
STEPS = np.geomspace(0.8, 1.25, 9).astype(np.float32)
"""Radii at which chips are searched for, as shares of `WORK_PX`; the next size starts at the last.
A choice; `python -m tests.chips` judges it."""
NEARLY = np.geomspace(0.92, 1.08, 4).astype(np.float32)
"""The same where others of the set tell the size. A choice: a ring around the middle of a chip,
at 0.78 of its radius, was plainer than its rim on cloth of a similar shade, and hid it."""
INSIDE = 0.8
"""A circle whose centre is within this many radii of another's is inside it. A choice; `python -m
tests.chips` judges it."""


def learned(
    name: str,
    values: Sequence[str],
    picture: Frame,
    cards: Sequence[Outline] = (),
    *,
    backs: Sequence[Outline] = (),
    px_per_mm: float | None = None,
    thick_mm: float = THICK_MM,
    thick_doubt: float = 0.0,
    flat_mm: float = 0.0,
) -> ChipSet:
    """Teach a set from a picture (H, W, 3) that shows one of each of the `values`, in reading
    order.

    Scale and light come from the face-up `cards` in it, or the scale from a calibrated camera's
    `px_per_mm` if given; nothing on them or on `backs` counts as a chip. Raises `ProfileError` if
    another number of chips is seen.
    """
    if not values or len(set(values)) != len(values):
        raise ProfileError(f"{name}: expected values that differ: got {' '.join(values) or 'none'}")
    scale = px_per_mm
    if scale is None and cards:
        scale = float(np.median([short_side(card) for card in cards])) / CARD_MM
    every = _beside(_round(checked(picture), scale), cards, backs)
    flat = flat_things(picture, cards, scale, backs)
    found, flat = _one_of_each(
        name, picture, every, flat, cards=(*cards, *backs), count=len(values)
    )
    if px_per_mm is None:
        # Under a calibrated camera, chips are read in the light in which they are taught.
        found = unshaded(picture, found)
    white = paper(picture, cards)
    flat = _centred(picture, flat, cards, white, scale=scale, thick_mm=flat_mm or thick_mm)
    order = reading_order(Circles.joined([found, as_circles(flat)]))
    shown = Shown(picture, found, tuple(flat))
    prints, sizes = np.stack([shown.print_of(n) for n in order]), shown.sizes[order]
    if white is not None:
        prints = prints * np.float32(PAPER) / white
    sizes = sizes / np.float32(scale if scale is not None else sizes.max())
    return ChipSet(
        name, tuple(values), sizes, np.clip(prints, 0, 400).astype(np.float32),
        scale is not None, white is not None, thick_mm, thick_doubt, flat_mm,
        shown.faces[order], shown.square[order],
    )  # fmt: skip


def _centred(
    picture: Frame, flat: Sequence[Plaques], cards: Sequence[Outline], white: Floats | None,
    *, scale: float | None, thick_mm: float,
) -> list[Plaques]:  # fmt: skip
    """The plaques where their outlines are, as seen from above the middle of the picture, or else
    where their prints have their middles.

    If the `scale` in pixels per mm is unknown, no side of theirs is expected to show.
    """
    camera = Standpoint.over((picture.shape[1], picture.shape[0]), scale or 1.0)
    sheets = Paper.of(picture, cards, white if white is not None else WHITE)
    thick = thick_mm if scale is not None else 0.0
    told = [_outlined(picture, one, camera, thick, sheets) for one in flat]
    shown = [there for there in told if there is not None]
    return [
        _by_print(picture, one, shown) if there is None else there
        for one, there in zip(flat, told, strict=True)
    ]


def _by_print(picture: Frame, one: Plaques, others: Sequence[Plaques]) -> Plaques:
    """One plaque whose outline does not show, as even as its print and as large as another of the
    set for whose frame its edges may have been mistaken."""
    even = evened(picture, one)
    return replace(as_large(picture, even, others), centres=even.centres, turns=even.turns)


def _outlined(
    picture: Frame, one: Plaques, camera: Standpoint, thick_mm: float, paper: Paper | None
) -> Plaques | None:
    """One plaque where its outline is; None if that does not show."""
    for _ in range(ROUNDS):  # a step is short of a place that is far off
        one, shown = centred(picture, one, camera, thick_mm, paper)
        if not shown.all():
            return None
    return one


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What a picture (H, W, 3) shows to be learned: round chips and then plaques, in pixels."""

    picture: Frame
    chips: Circles
    flat: tuple[Plaques, ...]

    @property
    def sizes(self) -> Floats:
        """The longer and the shorter side of each (N, 2)."""
        across = 2 * self.chips.radii
        flat = np.array([sides(one) for one in self.flat], np.float32).reshape(-1, 2)
        return np.concatenate([np.stack([across, across], axis=1), flat]).astype(np.float32)

    @property
    def square(self) -> NDArray[np.bool_]:
        """Which of them (N,) are square plaques."""
        round_, flat = np.zeros(len(self.chips)), [len(set(sides(one))) == 1 for one in self.flat]
        return np.concatenate([round_, flat]).astype(np.bool_)

    @property
    def faces(self) -> NDArray[np.uint8]:
        """The faces (N, *FACE), each sampled in the largest circle inside it."""
        every = Circles.joined([self.chips, as_circles(self.flat)])
        shown = _faces(self.picture, every)
        for number, one in enumerate(self.flat, len(self.chips)):
            shown[number] = face_of(self.picture, one, FACE_PX)
        return shown

    def print_of(self, number: int) -> Floats:
        """The colours of one, sampled at the size at which it will be read."""
        if number < len(self.chips):
            return _print(self.picture, self.chips, number)
        # Beside round chips, a plaque is read at their scale.
        one = self.flat[number - len(self.chips)]
        smallest = float((self.chips if len(self.chips) else as_circles(self.flat)).radii.min())
        return print_of(self.picture, one, WORK_PX * float(one.radii[0]) / smallest)


def _one_of_each(
    name: str,
    picture: Frame,
    every: Circles,
    flat: Sequence[Plaques],
    *,
    cards: Sequence[Outline],
    count: int,
) -> tuple[Circles, list[Plaques]]:
    """The round chips and the plaques that together are `count`, as many round ones as there can
    be; raises `ProfileError` for any other number."""
    some, chips = list(flat), outside(every, flat)
    if len(some) == count and not _set_of_chips(chips):
        return chips[np.zeros(0, np.intp)], some
    if 0 < len(some) < count:
        try:
            found = _of_one_set(name, picture, chips, cards, count - len(some))
        except ProfileError:
            pass
        else:
            # Where a plaque was missed, something in its print may look a little round.
            if _beside_chips(found, some) and float(found.support.min()) >= WHOLE[1]:
                return found, some
    return _of_one_set(name, picture, chips, cards, count), []


def _set_of_chips(found: Circles) -> bool:
    """Whether several things have whole rims of one size."""
    whole = found[found.support >= WHOLE[0]]
    whole = whole[_outermost(whole)]
    return max(map(len, _alike(whole)), default=0) >= FEW


def _beside_chips(found: Circles, flat: Sequence[Plaques]) -> bool:
    """Whether things have the size of plaques beside the round chips."""
    across = 2 * float(np.median(found.radii))
    return all(sides(one)[0] < WIDEST * across for one in flat)


def _round(picture: Frame, scale: float | None) -> Circles:
    """Round things with a complete rim that may be chips, without those inside a larger one."""
    longer = max(picture.shape[:2])
    low, high = SMALLEST_PX, LARGEST * longer
    if scale is not None:
        low, high = SIZES_MM[0] / 2 * scale, SIZES_MM[1] / 2 * scale
    parts, radius = [], low
    while radius < high:
        parts.append(_of_size(picture, radius * float(STEPS[-1])))
        radius *= float(STEPS[-1] / STEPS[0])
    every = Circles.joined(parts)
    return every[(every.radii >= low) & (every.radii <= high) & (every.support >= WHOLE[-1])]


def _beside(found: Circles, cards: Sequence[Outline], backs: Sequence[Outline]) -> Circles:
    """The circles whose centres are not on a card, nor on a back that is larger than a chip.

    A chip with a border looks like a small back.
    """
    free = np.ones(len(found), np.bool_)
    for card in cards:
        corners = np.asarray(card, np.float32)
        free &= ~np.array([within(corners, one) for one in found.centres], np.bool_)
    for back in backs:
        corners = np.asarray(back, np.float32)
        for number, (centre, radius) in enumerate(zip(found.centres, found.radii, strict=True)):
            if within(corners, centre) and not chip_sized(back, 2 * float(radius)):
                free[number] = False
    return found[free]


def _of_size(
    picture: Frame, radius: float, *, votes: float = SHARP, steps: Floats = STEPS
) -> Circles:
    """Round things of about this radius, in pixels of the picture."""
    factor = min(1.0, WORK_PX / radius)
    size = round(picture.shape[1] * factor), round(picture.shape[0] * factor)
    work = averaged(picture, size) if factor < 1 else picture
    factor = size[0] / picture.shape[1]
    radii = [radius * factor * float(step) for step in steps]
    return circles(Slopes.of(work), radii, votes=votes).scaled(1 / factor)


def _outermost(found: Circles) -> NDArray[np.intp]:
    """The circles that are not inside another, nor a worse fit of the same rim next to it."""
    order = np.argsort(-found.radii * found.support**2, kind="stable")
    kept: list[int] = []
    for number in order.tolist():
        away = np.linalg.norm(found.centres[kept] - found.centres[number], axis=1)
        if not kept or bool((away >= INSIDE * found.radii[kept]).all()):
            kept.append(number)
    return np.array(sorted(kept), np.intp)


def _of_one_set(
    name: str, picture: Frame, every: Circles, cards: Sequence[Outline], count: int
) -> Circles:
    """The `count` round things of about one size; raises `ProfileError` for any other number."""
    most = 0
    for whole in WHOLE:
        found = every[every.support >= whole]
        found = found[_outermost(found)]
        best = max(_alike(found), key=len, default=np.zeros(0, np.intp))
        if len(best) == count:
            return found[best]
        if FEW <= len(best) < count:
            fuller = _with_fainter(picture, found[best], cards)
            if len(fuller) == count:
                return fuller
        if len(found) == count and not most:
            return found
        most = max(most, len(best)) if len(best) < count else most or len(best)
        if len(best) > count:
            break
    raise ProfileError(f"{name}: {count} values named, {most} chips seen")


def _with_fainter(picture: Frame, found: Circles, cards: Sequence[Outline]) -> Circles:
    """Add chips of the same size that differ from their surroundings though their rim is faint.

    A dark chip on dark cloth is one of these.
    """
    radius = float(np.median(found.radii))
    parts = [_of_size(picture, radius, votes=FAINT[0], steps=steps) for steps in (STEPS, NEARLY)]
    more = _beside(Circles.joined(parts), cards, ())
    good = (more.support >= FAINT[1]) & (np.abs(more.radii / radius - 1) < FAINT[2])
    more = more[good]
    if len(more):
        least = np.where(more.votes >= SHARP, SHARPLY_OFF, FAINT[3])
        more = more[set_off(picture, more.centres, more.radii) >= least]
    kept = found
    for number in np.argsort(-more.support * more.votes, kind="stable").tolist():
        away = np.linalg.norm(kept.centres - more.centres[number], axis=1)
        if bool((away >= BESIDE * radius).all()):
            kept = Circles.joined([kept, more[np.array([number])]])
    return kept


def _alike(found: Circles) -> list[NDArray[np.intp]]:
    """Group the circles by about equal size."""
    order = np.argsort(found.radii, kind="stable")
    radii = found.radii[order]
    ends = np.searchsorted(radii, radii * ALIKE, side="right")
    return [order[first:end] for first, end in enumerate(ends.tolist())]


def in_reading_order(found: Circles) -> Circles:
    """Order the circles by rows from the top, and each row from left to right along itself.

    Rows may be aslant.
    """
    return found[reading_order(found)]


def reading_order(found: Circles) -> NDArray[np.intp]:
    """The indices of the circles in that order."""
    tall = 2 * float(np.mean(found.radii))
    places = found.centres / np.float32(tall)
    costs = [(_untidy(_along(places, turn)) + STRAIGHT * turn**2, turn) for turn in SLANTS]
    cost, turn = min(costs, key=lambda one: (one[0], abs(one[1])))
    level = _along(places, turn if cost <= TIDY else 0.0)
    rows = _rows(level[:, 1]) if cost <= TIDY else _by_height(level[:, 1])
    order = [number for row in rows for number in sorted(row, key=lambda one: float(level[one, 0]))]
    return np.array(order, np.intp)


def _along(places: Floats, turn: float) -> Floats:
    """Rotate places (N, 2) so that rows that slope down to the right by `turn` radians become
    level."""
    cosine, sine = np.cos(turn), np.sin(turn)
    return np.asarray(places @ np.array([[cosine, -sine], [sine, cosine]]), np.float32)


def _untidy(level: Floats) -> float:
    """How far chips are off their rows: the mean square, in diameters, plus a little a row.

    The farther apart they lie, the farther off a person lays them.
    """
    rows = _rows(level[:, 1])
    off = sum(float(((level[row, 1] - level[row, 1].mean()) ** 2).sum()) for row in rows)
    return off / len(level) / max(1.0, _apart(level)) ** 2 + A_ROW * len(rows)


def _apart(places: Floats) -> float:
    """The usual distance from a chip to the nearest other one; 1 if there is no other."""
    if len(places) < 2:
        return 1.0
    away = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(away, np.inf)
    return float(np.median(away.min(axis=1)))


def _rows(heights: Floats) -> list[list[int]]:
    """Divide chips into rows with a gap of `ROW` diameters between them."""
    order = np.argsort(heights, kind="stable")
    ends = np.flatnonzero(np.diff(heights[order]) >= ROW) + 1
    return [part.tolist() for part in np.split(order, ends)]


def _by_height(heights: Floats) -> list[list[int]]:
    """Divide chips that are not in clear rows: one within `ROW` diameters of a row's mean belongs
    to it."""
    rows: list[list[int]] = []
    for number in np.argsort(heights, kind="stable").tolist():
        row = rows[-1] if rows else None
        if row is None or heights[number] - heights[row].mean() >= ROW:
            rows.append([number])
        else:
            row.append(number)
    return rows


def _print(picture: Frame, found: Circles, number: int) -> Floats:
    """The colours of one chip, sampled at the size at which it will be read."""
    one = found[np.array([number])]
    factor = min(1.0, WORK_PX / float(one.radii[0]))
    if factor < 1:
        size = round(picture.shape[1] * factor), round(picture.shape[0] * factor)
        factor = size[0] / picture.shape[1]
        return np.asarray(sampled(averaged(picture, size), *_at(one.scaled(factor)))[0], np.float32)
    return np.asarray(sampled(picture, *_at(one))[0], np.float32)


def _faces(picture: Frame, found: Circles) -> NDArray[np.uint8]:
    """The faces (N, *FACE) of chips, sampled no finer than they will be read."""
    factor = min(1.0, FACE_PX / float(found.radii.min()))
    if factor < 1:
        size = round(picture.shape[1] * factor), round(picture.shape[0] * factor)
        picture, factor = averaged(picture, size), size[0] / picture.shape[1]
    small = found.scaled(factor)
    shown = [face(picture, *one) for one in zip(small.centres, small.radii.tolist(), strict=True)]
    return np.rint(np.stack(shown)).astype(np.uint8)


def _at(found: Circles) -> tuple[Floats, Floats]:
    return found.centres, found.radii
