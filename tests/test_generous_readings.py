"""No act is refused that the rule document allows."""

from __future__ import annotations

import pytest

from rules.games import GAMES
from tests.draws import NIGHTLY
from tests.generous import flagged, tables, units
from tests.liberties import READINGS, none_given

FEW, MANY = 8 if NIGHTLY else 2, 18
"""Tables per game in the ordinary run, and tables among which a liberty must be taken. Many more
are played by ``python -m tests.generous``."""


@pytest.mark.parametrize("name", units())
def test_no_act_is_refused_that_the_rule_document_allows(name: str) -> None:
    found = [fault for table in tables(name, FEW) for fault in flagged(*table)[0]]
    assert found == []


def test_every_document_has_a_reading_of_its_own() -> None:
    assert READINGS.keys() == GAMES.keys()


@pytest.mark.parametrize("name", [name for name in READINGS if READINGS[name] is not none_given])
def test_liberties_are_really_taken(name: str) -> None:
    """A reading that finds nothing to do would prove nothing."""
    assert any(flagged(*table)[1] > 0 for table in tables(name, MANY))
