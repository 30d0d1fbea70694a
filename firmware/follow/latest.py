"""The latest answer to a question that every look at the table asks again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

Answer = TypeVar("Answer")


@dataclass
class Latest(Generic[Answer]):
    """An answer, worked out again only when what it depends on has changed.

    A table that nothing explains is looked at ten times a second until somebody does something.

    >>> latest = Latest[int]()
    >>> latest.of("a table", lambda: 1), latest.of("a table", lambda: 2)
    (1, 1)
    >>> latest.of("another table", lambda: 2)
    2
    """

    _key: object = None
    _answer: Answer | None = None

    def of(self, key: object, work: Callable[[], Answer]) -> Answer:
        """The answer for this `key`, which must be everything that `work` depends on."""
        if self._key is None or self._key != key:
            self._answer, self._key = work(), key
        return cast(Answer, self._answer)
