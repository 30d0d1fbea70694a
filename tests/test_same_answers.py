"""What counts as the same answer on two processors; arm64.sh makes the comparison itself."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.pi.same_answers import differences, main

ANSWER: dict[str, Any] = {
    "file": "a.png",
    "cards": ["QS"],
    "doubtful": [["6D", "8D"]],
    "trouble": [],
    "sightings": [
        {"card": "QS", "confidence": 0.998, "outline": [[1, 1], [9, 1], [9, 9], [1, 9]]},
        {"card": "6?", "confidence": 0.7, "outline": [[20, 1], [29, 1], [29, 9], [20, 9]]},
    ],
    "milliseconds": 40,
}


def changed(*path: Any, to: Any) -> dict[str, Any]:
    answer: Any = copy.deepcopy(ANSWER)
    inner = answer
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize(
    "other",
    [
        changed("milliseconds", to=4000),
        changed("sightings", 1, "confidence", to=0.705),
        changed("sightings", 0, "outline", 2, to=[9.5, 8.5]),
    ],
)
def test_rounding_and_time_make_no_difference(other: dict[str, Any]) -> None:
    assert differences(ANSWER, other) == []


@pytest.mark.parametrize(
    "other",
    [
        changed("cards", to=["QC"]),
        changed("doubtful", to=[["8D", "6D"]]),
        changed("trouble", to=["dark"]),
        changed("sightings", 1, "card", to="8?"),
        changed("sightings", to=ANSWER["sightings"][:1]),
        changed("sightings", 1, "confidence", to=0.72),
        changed("sightings", 0, "outline", 2, to=[12, 9]),
    ],
)
def test_a_different_answer_is_reported(other: dict[str, Any]) -> None:
    assert len(differences(ANSWER, other)) == 1


def test_a_picture_that_one_machine_did_not_read_fails(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.write_text(json.dumps(ANSWER) + "\n")
    there.write_text(json.dumps(ANSWER) + "\n")
    assert main(here, there) == 0
    there.write_text("")
    assert main(here, there) == 1
    here.write_text("")
    assert main(here, there) == 1, "nothing compared is nothing shown"
