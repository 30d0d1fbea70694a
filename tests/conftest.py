"""Consoles that several files of tests are about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import draws

draws.load()  # before the tests are imported: their own settings build on it

from tests.console_desk import Served, settings_for  # noqa: E402


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, settings_for("ziginette")) as one:
        yield one


@pytest.fixture
def dealt(served: Served) -> Served:
    served.desk.lay("board", "QS", "5D")
    served.desk.lay("banker", "7C")
    return served
