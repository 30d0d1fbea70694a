"""A fair priority queue for slow work, done one piece at a time in a single thread.

Jobs are sorted by priority; among equals, everybody's first job comes before anybody's second, so
that no flood keeps others from their turn. Among jobs that are still equal, the newest and the
oldest take turns: whoever comes last into a crowd does not wait for all of it, and nobody waits for
ever.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from firmware.errors import FirmwareError

T = TypeVar("T")
EACH_MOST = 4
"""Waiting jobs allowed per client: a page asks for two things at once. A choice."""
WAITING_MOST = 512
"""Waiting jobs allowed in total: two for each address of a local network. A choice."""


class Busy(FirmwareError, RuntimeError):  # noqa: N818 - a state, not a mistake
    """More is being asked for than can be answered; try again later."""


@dataclass
class _Piece:
    order: tuple[int, int, int]
    client: str
    work: Callable[[], object]
    done: asyncio.Future[object]


class Queue:
    """Does slow work in its own thread; belongs to the server's thread."""

    def __init__(self, name: str, each: int = EACH_MOST) -> None:
        self._each = each
        self.thread = ThreadPoolExecutor(1, name)
        self._waiting: list[_Piece] = []
        self._own: Counter[str] = Counter()
        self._number = 0
        self._newest = True
        self._closed = False
        self._working: asyncio.Task[None] | None = None

    async def do(self, work: Callable[[], T], client: str, right: int = 0) -> T:
        """Do `work` for `client`; a smaller `right` comes first.

        Raises `Busy` if the queue is closed, if that client has too many jobs waiting, or if it is
        full and no job in it has a lower priority.
        """
        if self._closed or self._own[client] >= self._each or not self._has_room(right):
            raise Busy
        self._number += 1
        done = asyncio.get_running_loop().create_future()
        order = (right, self._own[client], self._number)
        self._waiting.append(_Piece(order, client, work, done))
        self._own[client] += 1
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await done  # type: ignore[no-any-return]

    def __len__(self) -> int:
        """Number of waiting jobs."""
        return len(self._waiting)

    def waiting(self, client: str) -> int:
        """Number of that client's waiting jobs."""
        return self._own[client]

    def _has_room(self, right: int) -> bool:
        """Whether one more may wait, if need be by displacing a job of lower priority."""
        if len(self._waiting) < WAITING_MOST:
            return True
        last = max(self._waiting, key=lambda piece: piece.order)
        if last.order[0] <= right:
            return False
        self._turn_away(last)
        return True

    def _turn_away(self, piece: _Piece) -> None:
        self._leave(piece)
        if not piece.done.done():
            piece.done.set_exception(Busy())

    def _leave(self, piece: _Piece) -> None:
        self._waiting.remove(piece)
        self._own[piece.client] -= 1
        if not self._own[piece.client]:
            del self._own[piece.client]

    def _next(self) -> _Piece:
        """The job whose turn it is."""
        first = min(self._waiting, key=lambda one: one.order)
        equals = [one for one in self._waiting if one.order[:2] == first.order[:2]]
        if len(equals) > 1:
            self._newest = not self._newest
        return equals[-1] if self._newest else first

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            piece = self._next()
            self._leave(piece)
            if piece.done.done():  # the client has gone
                continue
            try:
                told = await loop.run_in_executor(self.thread, piece.work)
            except Exception as error:
                if not piece.done.done():
                    piece.done.set_exception(error)
            else:
                if not piece.done.done():
                    piece.done.set_result(told)

    def close(self) -> None:
        """Refuse the jobs that wait, and release the thread."""
        self._closed = True
        for piece in list(self._waiting):
            self._turn_away(piece)
        self.thread.shutdown(wait=False)
