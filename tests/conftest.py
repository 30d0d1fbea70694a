"""Consoles that several files of tests are about."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import draws

draws.load()  # before the tests are imported: their own settings build on it

from tests.console_desk import Served, settings_for  # noqa: E402

GARBAGE = (20_000, 20, 50)
"""After how many new objects Python looks for garbage: seldom enough to spare a tenth of the
tests' time. A choice."""


def pytest_collection_finish() -> None:
    """Keep the garbage collector from what stays until the end: thousands of tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


@pytest.fixture(autouse=True)
def _state_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a command keeps what no settings name a place for, a test keeps it to itself."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)


@pytest.fixture(scope="session")
def browsers() -> Iterator[Callable[[int], list[Any]]]:
    """Gives so many browsers, which all tests of a run share."""
    from tests import browsing  # noqa: PLC0415  # skips where there is none to be had

    with browsing.Pool() as pool:
        yield pool


@pytest.fixture(scope="module")
def chromium(browsers: Callable[[int], list[Any]]) -> Any:
    """A browser that the tests of a file share."""
    return browsers(1)[0]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, settings_for("ziginette")) as one:
        yield one


@pytest.fixture
def dealt(served: Served) -> Served:
    served.desk.lay("board", "QS", "5D")
    served.desk.lay("banker", "7C")
    return served
