"""Fixtures and settings that several test files share."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests import draws

draws.load()  # before the tests are imported: their own settings build on it
gc.disable()  # nothing that is collected is freed before the tests begin

from firmware.console import pins  # noqa: E402
from firmware.console.access import Access  # noqa: E402
from tests.console_desk import Served, settings_for  # noqa: E402

HASHED = pins.COST
pins.COST = 2
"""The work factor of a PIN's hash: hundreds of tests open a console, and few test how hard it is to
guess."""
WAITING = frozenset({"browsers", "chromium", "broker"})
"""The fixtures that start another program."""
GARBAGE = (20_000, 20, 50)
"""Thresholds of Python's garbage collector: rare enough to save a tenth of the tests' time. A
choice."""


class Examples:
    """Skips modules whose docstrings hold no examples: most do not, and looking takes seconds."""

    @staticmethod
    def pytest_ignore_collect(collection_path: Path) -> bool | None:
        name = collection_path.name
        if not name.endswith(".py") or name.startswith("test_") or name == "conftest.py":
            return None
        return None if ">>> " in collection_path.read_text("utf-8") else True


def pytest_configure(config: pytest.Config) -> None:
    """Collect the modules of the packages too, which are outside this folder."""
    config.pluginmanager.register(Examples())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that wait for a browser or a broker.

    One worker then has them all, with one browser, while the others work; at the end nobody waits.
    """
    items.sort(key=lambda item: WAITING.isdisjoint(getattr(item, "fixturenames", ())))


def pytest_collection_finish() -> None:
    """Exempt what stays until the end from garbage collection: thousands of tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    gc.enable()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of folders that do not exist: most tests keep nothing."""
    below = tmp_path_factory.mktemp("homes")
    return (below / str(number) for number in count())


@pytest.fixture(autouse=True)
def _state_of_its_own(
    homes: Iterator[Path], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redirect what a command keeps without a configured place into the test's own folder."""
    has_folder = "tmp_path" in request.fixturenames
    home = request.getfixturevalue("tmp_path") if has_folder else next(homes)
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)


@pytest.fixture(scope="session")
def browsers() -> Iterator[Callable[[int], list[Any]]]:
    """Provides as many browsers as asked for, shared by all tests of a run."""
    from tests import browsing  # noqa: PLC0415  # skips where there is none to be had

    with browsing.Pool() as pool:
        yield pool


@pytest.fixture(scope="module")
def chromium(browsers: Callable[[int], list[Any]]) -> Any:
    """A browser shared by the tests of a file."""
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


@pytest.fixture
def page(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """The console's page at a table of Ziginette, before anybody has signed in."""
    from tests import browsing  # noqa: PLC0415  # skips where there is no browser to be had

    access = Access(tmp_path / "access")
    with (
        Served(tmp_path, settings_for("ziginette"), access=access) as served,
        browsing.fresh_page(chromium, served, browsing.TABLET) as one,
    ):
        yield one
