"""Teaching a set of chips from the page, by touch, under the camera that looks at the table.

First one chip of each value lies in the middle of the table, then more of them all over it. The set
and what was learned of its sizes are kept in files; the table plays with them once it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from firmware.console.picture import Values
from firmware.console.site import Site
from firmware.errors import MessageError
from firmware.settings.settings import Settings
from firmware.table.calibration import LOOKS, middle_of
from firmware.table.optics import Optics, Picture
from vision.errors import ProfileError

if TYPE_CHECKING:  # loads the readers
    from firmware.table.taught_chips import Taught

NAME = "chips"
"""What a set taught here is called if the table plays without chips."""
VALUES_MOST = 12
"""Maximum number of values of a set taught here. A choice: more than the page offers."""
WORTH_MOST = 10**6
"""Maximum value of a chip. A choice: no home game counts higher."""


@dataclass
class ChipTeacher:
    """Teaches chips at the table of one site; belongs to one thread.

    Raises `MessageError` for nonsense, and if the pictures do not show what they should.
    """

    site: Site
    optics: Callable[[], Optics]
    _taught: Taught | None = None

    def learn(self, sent: Mapping[str, object]) -> Values:
        """Learn a set from one chip of each of the values that were sent."""
        from firmware.table.taught_chips import learned_at  # noqa: PLC0415 - loads the readers

        values, settings = _values(sent), self.site.table.settings
        if not settings.corners:
            raise MessageError(self.site.words.page["chips-calibrate"])
        try:
            taught = learned_at(settings, self._name, values, self._picture)
        except ProfileError as error:
            raise MessageError(self.site.words.page["chips-not-one-each"]) from error
        self._taught = taught
        taught.save()
        return {"values": list(values)}

    def measure(self) -> Values:
        """See how large the chips of the set appear all over the table."""
        if self._taught is None:
            raise MessageError("expected a set to be learned first")
        try:
            taught = self._taught.spread_out(self._picture)
        except ProfileError as error:
            raise MessageError(self.site.words.page["chips-not-single"]) from error
        taught.save()
        return {"values": list(taught.chips.values)}

    def chosen(self) -> Settings:
        """The settings with which the table plays with the set."""
        from firmware.table.taught_chips import path_of  # noqa: PLC0415 - loads the readers

        if not path_of(self._name).is_file():
            raise MessageError("expected a set to be learned first")
        return replace(self.site.table.settings, chips=self._name)

    @property
    def _name(self) -> str:
        return self.site.table.settings.chips or NAME

    @property
    def _picture(self) -> Picture:
        return middle_of(self.optics().pictures(LOOKS))


def _values(sent: Mapping[str, object]) -> Sequence[str]:
    """The values that were sent, the least first.

    >>> _values({"values": [25, 1, 5, 5]})
    ['1', '5', '25']
    """
    values = sent.get("values")
    if not isinstance(values, list) or not 0 < len(values) <= VALUES_MOST:
        raise MessageError(f"values: expected 1 to {VALUES_MOST} numbers")
    if not all(type(one) is int and 0 < one <= WORTH_MOST for one in values):
        raise MessageError(f"values: expected whole numbers up to {WORTH_MOST}")
    return [str(one) for one in sorted(set(values))]
