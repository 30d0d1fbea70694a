"""The hulls of stacks, fitted to the edges that their silhouettes show.

Seen at an angle, a stack of round chips covers the convex hull of two circles, its top and its
foot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from vision.chips.circles import ANGLES, AROUND
from vision.chips.hull import fitted, leaned, outlines
from vision.chips.silhouettes import Edges, Sides
from vision.picture.geometry import Floats

CLOSE, CLOSE_PX = 0.06, 0.7
"""Maximum distance of an edge from the hull it belongs to: in radii, plus in pixels. A choice."""


@dataclass(frozen=True, slots=True, eq=False)
class Hulls:
    """Stacks as they cover a table, all in pixels.

    `tops` (N, 2) are the centres of their tops and `radii` (N,) the tops' radii; `leans` (N,) is
    how far their feet appear from there towards the point below the camera.

    `unsure` (N,) is the error of the leans, from the usual distance of edges to the hull and the
    number of edges; `seen` (N,) the share of the near side that shows an edge; `whole` (N,) the
    share of all directions in which an edge is on the hull, `round` (N,) the share of those in
    which nothing else is in the way, and `firm` (N,) the share of those in which there is an edge.
    Their shadows extend `shadows` (N,) pixels beyond them. The sides of those that are `alike` (N,)
    would have the table's colour; the share `hidden` (N,) of their rims has it. The unit vectors
    `outwards` (N, 2) point from feet to tops.
    """

    tops: Floats
    radii: Floats
    leans: Floats
    unsure: Floats
    seen: Floats
    whole: Floats
    round: Floats
    firm: Floats
    shadows: Floats
    outwards: Floats
    hidden: Floats
    alike: NDArray[np.bool_]

    def __getitem__(self, which: NDArray[np.intp]) -> Hulls:
        return Hulls(**{part.name: getattr(self, part.name)[which] for part in fields(self)})

    @classmethod
    def joined(cls, parts: Sequence[Hulls]) -> Hulls:
        """All of several."""
        every = {
            part.name: np.concatenate([getattr(one, part.name) for one in parts])
            for part in fields(cls)
        }
        return cls(**every)

    def put(self, numbers: NDArray[np.intp], others: Hulls) -> None:
        """Replace some of them."""
        for part in fields(self):
            getattr(self, part.name)[numbers] = getattr(others, part.name)


def hulls(
    edges: Edges, centres: Floats, radii: Floats, outwards: Floats, *, sides: Sides,
    free: bool = False,
) -> Hulls:  # fmt: skip
    """Fit hulls to the edges around things at these centres (N, 2) with these radii (N,).

    The unit vectors `outwards` (N, 2) point away from the pixel below the camera; `sides` says
    where nothing else is in the way. Stacks that are `free` may lean in any direction.
    """
    away, shades, alike = edges.away, edges.shades, edges.alike
    if free:
        shapes, unsure, turns = leaned(away, radii)
        away = np.take_along_axis(away, (np.arange(ANGLES) + turns[:, None]) % ANGLES, axis=1)
        outwards = _turned(outwards, AROUND[turns])
    else:
        shapes, unsure = fitted(away, radii)
    sideways = np.stack([-outwards[:, 1], outwards[:, 0]], axis=1)
    tops = centres + shapes[:, :1] * outwards + shapes[:, 1:2] * sideways
    on = np.abs(away - outlines(shapes)) < CLOSE * radii[:, None] + CLOSE_PX
    round_ = on.sum(axis=1) / np.maximum(sides.open.sum(axis=1), 1)
    firm = on.sum(axis=1) / np.maximum(np.isfinite(away).sum(axis=1), 1)
    near = np.stack([np.roll(shades, step, axis=1) for step in (-1, 0, 1)])
    shadows = np.median(near, axis=0).max(axis=1)
    return Hulls(
        tops=np.asarray(tops, np.float32),
        radii=np.asarray(shapes[:, 2], np.float32),
        leans=np.asarray(shapes[:, 3], np.float32),
        unsure=np.asarray(unsure, np.float32),
        seen=replace(edges, away=away).seen,
        whole=np.asarray(on.mean(axis=1), np.float32),
        round=np.asarray(round_, np.float32),
        firm=np.asarray(firm, np.float32),
        shadows=np.asarray(shadows, np.float32),
        alike=alike[:, -1],
        outwards=outwards,
        hidden=np.asarray(alike[:, :-1].mean(axis=1), np.float32),
    )


def _turned(ways: Floats, by: Floats) -> Floats:
    """Unit vectors (N, 2) turned by the angles of others (N, 2)."""
    (across, down), (cosine, sine) = ways.T, by.T
    turned = [across * cosine - down * sine, across * sine + down * cosine]
    return np.stack(turned, axis=1).astype(np.float32)
