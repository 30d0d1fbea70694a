"""A power cut between two steps: what was done before it stays, and nothing comes after it."""

from __future__ import annotations

from collections.abc import Callable


class PowerCutError(Exception):
    """Raised when the plug is pulled."""


def failing(real: Callable[..., object], left: list[int]) -> Callable[..., object]:
    """The step `real`, until as many steps as are `left` have been taken; they share the number."""

    def step(*arguments: object, **named: object) -> object:
        if left[0] == 0:
            raise PowerCutError
        left[0] -= 1
        return real(*arguments, **named)

    return step
