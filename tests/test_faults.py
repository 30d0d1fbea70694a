"""Some faults of each kind; ten thousand have their own command: ``python -m tests.faults``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.faults import FAULTS, Fault, happen, main


@pytest.mark.parametrize("fault", [one for one, _ in FAULTS], ids=lambda fault: fault.__name__)
def test_no_fault_does_harm_and_each_is_reported(fault: Fault) -> None:
    for number in range(3):
        went = happen(number, fault)
        # Here the time depends on this machine's load; the long run judges it.
        assert went["harm"] == "" or went["harm"].startswith("took"), went
        assert went["told"]


def test_a_run_resumes_where_its_log_stops(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    assert main(["--faults", "2", "--log", str(log)]) == 0
    first = log.read_text()
    log.write_text(first + '{"fault": 2, "ki')  # the run was cut off while writing
    assert main(["--faults", "4", "--log", str(log)]) == 0
    assert log.read_text().startswith(first)
    assert [json.loads(line)["fault"] for line in log.read_text().splitlines()] == [0, 1, 2, 3]
    assert "4 faults" in capsys.readouterr().out
