"""A test draws the same cases whatever ran before it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.draws import examples

DRAWS = """
from tests import draws
draws.load()
{before}
from hypothesis import given, seed, strategies

@seed(0)
@draws.examples(300)
@given(strategies.integers(0, 2**32))
def draw(number):
    print(number)

draw()
"""


def drawn(before: str) -> list[str]:
    program = DRAWS.format(before=before)
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return run.stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    "before",
    ["import firmware.service", "import rules.games"],
)
def test_what_was_imported_before_changes_no_draw(before: str) -> None:
    alone = drawn("")
    assert len(alone) == examples(300).max_examples
    assert drawn(before) == alone
