"""Cache for what is repeatedly computed from a picture, kept as long as the picture is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from weakref import ref

from vision.scene.faces import Texture


class Derived:
    """Textures computed from others, keyed by the source picture and the purpose.

    Arrays have no hash and may be large, so they are identified by object, and no entry outlives
    its picture.

    >>> import numpy as np
    >>> halves = Derived()
    >>> picture = np.full((2, 2, 4), 200, np.uint8)
    >>> half = halves.of(picture, "half", lambda: picture // 2)
    >>> halves.of(picture, "half", lambda: picture // 2) is half
    True
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[ref[Texture], dict[Hashable, Texture]]] = {}

    def of(self, picture: Texture, what: Hashable, work: Callable[[], Texture]) -> Texture:
        """The result of `work`, computed once for each picture and purpose."""
        known = self._kept.get(id(picture))
        if known is None or known[0]() is not picture:
            key = id(picture)
            known = (ref(picture, lambda _: self._kept.pop(key, None)), {})
            self._kept[key] = known
        if what not in known[1]:
            known[1][what] = work()
        return known[1][what]
