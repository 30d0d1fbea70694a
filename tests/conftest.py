"""Consoles that several files of tests are about."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests import draws

draws.load()  # before the tests are imported: their own settings build on it
gc.disable()  # nothing that is collected goes away again before the tests begin

from firmware.console import access  # noqa: E402
from tests.console_desk import Served, settings_for  # noqa: E402

HASHED = access.COST
access.COST = 2
"""The work of a PIN's hash: hundreds of tests open a console, and few try how hard it is to
guess."""
WAITING = frozenset({"browsers", "chromium", "broker"})
"""The fixtures of what runs beside the tests."""
GARBAGE = (20_000, 20, 50)
"""After how many new objects Python looks for garbage: seldom enough to spare a tenth of the
tests' time. A choice."""


class Examples:
    """Passes over modules whose docstrings hold no examples: most, and looking takes seconds."""

    @staticmethod
    def pytest_ignore_collect(collection_path: Path) -> bool | None:
        name = collection_path.name
        if not name.endswith(".py") or name.startswith("test_") or name == "conftest.py":
            return None
        return None if ">>> " in collection_path.read_text("utf-8") else True


def pytest_configure(config: pytest.Config) -> None:
    """The modules of the packages too, which lie beside this folder."""
    config.pluginmanager.register(Examples())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that wait for a browser or a broker: one worker has them all then, with
    one browser, while the others work; at the end nobody waits."""
    items.sort(key=lambda item: WAITING.isdisjoint(getattr(item, "fixturenames", ())))


def pytest_collection_finish() -> None:
    """Keep the garbage collector from what stays until the end: thousands of tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    gc.enable()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of folders that are not there: most tests keep nothing."""
    below = tmp_path_factory.mktemp("homes")
    return (below / str(number) for number in count())


@pytest.fixture(autouse=True)
def _state_of_its_own(
    homes: Iterator[Path], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a command keeps what no settings name a place for, a test keeps it to itself."""
    has_folder = "tmp_path" in request.fixturenames
    home = request.getfixturevalue("tmp_path") if has_folder else next(homes)
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
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
