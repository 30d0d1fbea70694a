"""Random cases: the same draws in every ordinary run, many fresh ones in a nightly run.

The ordinary run fixes Hypothesis's seed (see ``addopts`` in pyproject.toml). The nightly run
(`tests.nightly`) draws afresh, and more often, and keeps each failing case in ``tests/examples``:
Hypothesis tries those first in every run from then on, including the ordinary one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.internal.conjecture import providers
from hypothesis.internal.conjecture.providers import HypothesisProvider
from hypothesis.internal.constants_ast import Constants

NIGHTLY = bool(os.environ.get("MAZZIERE_NIGHTLY"))
"""Whether this is the nightly run: set by `tests.nightly`."""
KEPT = Path(__file__).parent / "examples"
"""The cases that failed once, in Hypothesis's own format; they belong in the repository."""
NIGHTLY_TIMES = 4
"""How many times as many cases a nightly run draws. A choice: with twelve times as many the tests
alone took hours on two cores, and fresh draws every night find more than more draws in one
night."""


def examples(count: int) -> settings:
    """Draw `count` cases in an ordinary run and `NIGHTLY_TIMES` as many in a nightly one."""
    return settings(max_examples=count * NIGHTLY_TIMES if NIGHTLY else count, deadline=None)


def mostly_nightly(values: Iterable[Any], *ordinary: Any) -> list[Any]:
    """A test parameter's values: the `ordinary` ones in every run, the others only nightly."""
    return [value if value in ordinary else _nightly(value) for value in values]


def _nightly(value: Any) -> Any:
    """One value, or the values of several parameters, for the nightly run only."""
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.slow)


def load() -> None:
    """Apply these settings to every test; called before any test is imported.

    Hypothesis also draws numbers and words from the source of the modules loaded, which depend on
    the tests that ran before in the same process, and has no setting for that. Without them a test
    draws the same alone, with all others and on any number of cores.
    """
    none = Constants()
    HypothesisProvider._local_constants = none  # type: ignore[assignment]
    providers._get_local_constants = lambda: none  # they are looked for even if none are used
    settings.register_profile(
        "mazziere",
        deadline=None,  # the machine may be busy with other work
        database=DirectoryBasedExampleDatabase(KEPT),
    )
    settings.load_profile("mazziere")
