"""What the networks see in one part of a picture, before deciding which cards lie there.

The glance at a settled spot is kept. When something changes, only the changed part is read again;
the rest is reused, and the decision is made afresh from all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import BACK
from vision.find.finder import STRIDE, Areas, Indices
from vision.picture.geometry import Box, Floats
from vision.read.index_classifier import FACES
from vision.sightings import Sighting

Opinion: TypeAlias = tuple[Floats, Floats, float]
"""A whole card's corners (4, 2), what its face shows (53,), and the probability of no card."""
Opinions: TypeAlias = Mapping[bytes, Opinion]
"""Opinions, keyed by the positions of the card's indices."""


TWIN = 0.4
"""Distance, in index heights, below which two indices that read the same are one found twice. A
choice; `python -m tests.dealt_table` judges it."""
PLACE = 0.15
"""Distance, in index heights, closer than which two cards cannot lie, whatever they read. A choice;
`python -m tests.dealt_table` judges it."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What the networks see in a part of a picture.

    The indices, what each shows (N, 53), the spread of its edges (N,) in index heights, whether its
    letter is `strange` (N,), the areas of faces and backs, the corners of things of one colour, and
    the outlines of `others` that are no cards, together with the whole faces read in judging them.
    """

    indices: Indices
    faces: Floats
    blur: Floats
    strange: NDArray[np.bool_]
    areas: Areas
    plain: tuple[Floats, ...] = ()
    others: tuple[Floats, ...] = ()
    opinions: Opinions = field(default_factory=dict)

    def renewed(self, changed: Sequence[tuple[Box, Glance]]) -> Glance:
        """This glance, updated with what fresh ones show in the changed boxes.

        An index at a box's border may be found on either side of it: fresh ones a little beyond the
        border also count, and replace old ones at the same place. Print that hardly differs in the
        shrunken picture, as an ace's from that of the two below it, is in no box: an index so near
        a fresh one that it would have been found again, and was not, is dropped too.
        """
        areas = self.areas.patched((box, fresh.areas) for box, fresh in changed)
        parts = [fresh.chosen(fresh.indices.reaching(box)) for box, fresh in changed]
        old = self._outside([box for box, _ in changed])
        for part, (_, fresh) in zip(parts, changed, strict=True):
            old = old.chosen(~_beside(old, part))
            old = old.chosen(~_near(old, part) | _near(old, fresh, alike=True))
        parts.append(old)
        indices = Indices.stacked([part.indices for part in parts])
        faces = np.concatenate([part.faces for part in parts])
        blur = np.concatenate([part.blur for part in parts])
        strange = np.concatenate([part.strange for part in parts])
        plain, others = (
            tuple(
                one for box, fresh in changed for one in getattr(fresh, name) if _centred(one, box)
            )
            for name in ("plain", "others")
        )
        whole = replace(
            old, indices=indices, faces=faces, blur=blur, strange=strange, areas=areas,
            plain=(*old.plain, *plain), others=(*old.others, *others),
        )  # fmt: skip
        whole = whole.chosen(np.argsort(-indices.scores, kind="stable"))
        return whole.chosen(distinct(whole.indices, whole.faces))

    def chosen(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Glance:
        """The glance with these indices only."""
        if which.dtype == np.bool_ and which.all():
            return self
        return replace(
            self, indices=self.indices[which], faces=self.faces[which], blur=self.blur[which],
            strange=self.strange[which],
        )  # fmt: skip

    def _outside(self, boxes: Sequence[Box]) -> Glance:
        inside = np.zeros(len(self.indices), np.bool_)
        for box in boxes:
            inside |= box.holds(self.indices.centres)
        left = {key: one for key, one in self.opinions.items() if not _reaches(one[0], boxes)}
        # A box that cuts through something does not see all of it, so the old corners stay.
        plain, others = (
            tuple(one for one in some if not any(_centred(one, box) for box in boxes))
            for some in (self.plain, self.others)
        )
        return replace(self.chosen(~inside), plain=plain, others=others, opinions=left)


def _reaches(outline: Floats, boxes: Sequence[Box]) -> bool:
    """Whether the upright box around an outline (N, 2) touches one of the `boxes`."""
    around = Box.around(outline.tolist())
    return any(around.touches(box) for box in boxes)


def _centred(outline: Floats, box: Box) -> bool:
    """Whether the centre of an outline (N, 2) lies in a box."""
    return bool(box.holds(outline.mean(axis=0)[None])[0])


def _beside(old: Glance, fresh: Glance) -> NDArray[np.bool_]:
    """Which of the `old` indices lie where a fresh one does; in a tight fan, only the same one."""
    return _near(old, fresh, PLACE) | _near(old, fresh, alike=True)


def _near(
    old: Glance, fresh: Glance, reach: float = TWIN, *, alike: bool = False
) -> NDArray[np.bool_]:
    """Which of the `old` indices lie within `reach` heights of a fresh one, or one read `alike`."""
    apart = np.linalg.norm(old.indices.centres[:, None] - fresh.indices.centres[None], axis=2)
    near = apart < reach * old.indices.heights[:, None]
    if alike and len(old.faces) and len(fresh.faces):
        near &= old.faces.argmax(axis=1)[:, None] == fresh.faces.argmax(axis=1)[None]
    return np.asarray(near.any(axis=1), np.bool_)


def distinct(indices: Indices, faces: Floats) -> NDArray[np.intp]:
    """Which of `indices` with these `faces` to keep: no index twice with the same reading."""
    keep = list(range(len(indices)))
    shown = faces.argmax(axis=1) if len(faces) else np.zeros(0, np.intp)
    apart = np.linalg.norm(indices.centres[:, None] - indices.centres[None], axis=2)
    twins = (shown[:, None] == shown[None]) & (apart < TWIN * indices.heights[:, None])
    if np.count_nonzero(twins) > len(indices):  # each is its own twin
        keep = []
        for number in np.argsort(-faces.max(axis=1), kind="stable"):
            if not twins[number, keep].any():
                keep.append(int(number))
    return np.asarray(sorted(keep), np.intp)


def nothing(areas: Areas) -> Glance:
    """A glance without indices."""
    none = np.zeros((0, len(FACES)), np.float32), np.zeros(0, np.float32), np.zeros(0, np.bool_)
    return Glance(Indices.none(), *none, areas)


def shown_by(sightings: Sequence[Sighting], box: Box) -> Areas:
    """Draw the areas of faces and backs in a part of the picture from its cards' outlines."""
    shape = -(-box.height // STRIDE), -(-box.width // STRIDE)
    face, back = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for seen in sightings:
        corners = (np.asarray(seen.outline) - (box.x, box.y)) / STRIDE - 0.5
        field = back if seen.card == BACK else face
        cv2.fillConvexPoly(field, np.round(corners).astype(np.int32), (1,))
    return Areas(face.astype(np.float32), back.astype(np.float32), box, 1 / STRIDE)
