"""The list of mutations fits the files, and a mutation that tests do not notice is reported."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import mutants
from tests.mutants import LIST, ROOT, Fault, Outcome, faults, logged, report, tried


def test_fifty_mutations_are_listed_across_the_four_packages() -> None:
    packages = {fault.file.split("/")[0] for fault in faults()}
    assert len({fault.mark for fault in faults()}) == 50
    assert packages == {"rules", "firmware", "vision", "hardware"}


MISFITS_MOST = 5
"""How many mutations may be of places rewritten since; `python -m tests.mutants` names them."""


@pytest.mark.parametrize("file", [LIST, LIST.with_name("mutants_trust.toml")])
def test_the_mutations_can_be_applied_where_they_are_meant_to_be(
    tmp_path: Path, file: Path
) -> None:
    misfits = []
    for fault in faults(file):
        file = tmp_path / fault.file
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / fault.file, file)
        try:
            before = fault.put_into(tmp_path)
        except ValueError as error:
            misfits.append(str(error))
            continue
        assert file.read_text("utf-8") != before
        compile(file.read_text("utf-8"), fault.file, "exec")
    assert len(misfits) <= MISFITS_MOST, misfits


def test_a_place_that_does_not_occur_exactly_once_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\nx = 1\n")
    with pytest.raises(ValueError, match="once, found it 2 times"):
        Fault("a.py", "x = 1", "x = 2", "").put_into(tmp_path)


@pytest.mark.parametrize(
    ("claim", "noticed"),
    [pytest.param("one() == 1", True, marks=pytest.mark.slow), ("one() > 0", False)],
)
def test_a_mutation_is_noticed_or_survives(tmp_path: Path, claim: str, noticed: bool) -> None:
    (tmp_path / "a.py").write_text("def one() -> int:\n    return 1\n")
    (tmp_path / "test_a.py").write_text(f"from a import one\ndef test_one():\n    assert {claim}\n")
    outcome = tried(Fault("a.py", "return 1", "return 2", "test_a.py"), tmp_path)
    assert outcome.noticed is noticed
    assert "return 1" in (tmp_path / "a.py").read_text()


def test_a_second_run_tries_no_mutation_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutants, "copied", lambda to: to)
    monkeypatch.setattr(
        mutants, "tried", lambda fault, copy: Outcome(fault.mark, "it", 1, "FAILED")
    )
    log = ["--log", str(tmp_path / "log.jsonl"), "--only", "hardware"]
    assert mutants.main(log) == 0
    first = capsys.readouterr().out
    monkeypatch.setattr(mutants, "tried", lambda fault, copy: pytest.fail("tried again"))
    assert mutants.main(log) == 0
    assert capsys.readouterr().out == first.splitlines()[-1] + "\n"
    assert len(logged(tmp_path / "log.jsonl")) == len(first.splitlines()) - 1


def test_survivors_are_named() -> None:
    outcomes = [Outcome("a", "f.py: x", 1, ""), Outcome("b", "g.py: y", 0, "3 passed")]
    assert (
        report(outcomes, 2) == "survived: g.py: y (3 passed)\n1 of 2 tried were noticed; 2 listed"
    )
