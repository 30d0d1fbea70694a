"""Replacing fields of frozen dataclasses; of states a great many times a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # type checkers know the fields of the one in the standard library
    from dataclasses import replace
else:
    import dataclasses

    def replace(value, /, **changes):
        """As `dataclasses.replace`; for a `State` five times as fast.

        A state has nothing to check when it is made, and leaves behind what it has worked out.
        """
        worked_out = getattr(value, "_worked_out", None)
        if worked_out is None:
            return dataclasses.replace(value, **changes)
        new = object.__new__(type(value))
        fields = new.__dict__
        fields.update(value.__dict__)
        for name in worked_out:
            fields.pop(name, None)
        fields.update(changes)
        return new


__all__ = ["replace"]
