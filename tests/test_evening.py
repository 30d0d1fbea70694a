"""The first evening, walked through to its end; takes some minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import browsing


@browsing.wanted
@pytest.mark.slow
def test_the_first_evening_comes_to_its_end(tmp_path: Path) -> None:
    from tests.evening import walk  # noqa: PLC0415

    assert walk(tmp_path) == 0
    assert len(list(tmp_path.iterdir())) == 13
