"""Frozen dataclasses that are made a great many times a second, and replacing their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # type checkers know those of the standard library
    from dataclasses import dataclass as quick
    from dataclasses import replace
else:
    import dataclasses

    def quick(*, frozen, slots):
        """As `dataclasses.dataclass`, but that it is frozen is for type checkers to hold.

        A frozen dataclass sets each field by a call when it is made: with the sixteen fields of
        an `Awaited` that cost about a tenth of an act of Paiute, by the fastest of sixty runs.
        """
        return dataclasses.dataclass(slots=slots, unsafe_hash=frozen)

    def replace(value, /, **changes):
        """As `dataclasses.replace`; for a `State` five times as fast.

        A new state needs no checks, and what the old one has cached is not carried over.
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


__all__ = ["quick", "replace"]
