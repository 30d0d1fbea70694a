"""What the finder expects is shifted from the scenes it learned from to usual ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("PIL", reason="drawing training pictures needs Pillow, of the training extra")

from vision.errors import ArtworkError  # noqa: E402 - needs torch
from vision.training import odds  # noqa: E402
from vision.training.scenes import BACK, FACE  # noqa: E402

STEPS = 7


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state, a shard with one cell in ten a back, and one with three in ten; half are faces."""
    for number, backs in enumerate((1, 3)):
        covers = np.zeros((2, 10, 10), np.uint8)
        covers[:, :, :backs] = BACK
        covers[:, :, 5:] = FACE
        np.savez(tmp_path / f"{number:05d}.npz", covers=covers)
    state = {part: {"maps.bias": torch.zeros(8)} for part in ("net", "mean")}
    torch.save({**state, "steps": STEPS}, tmp_path / "finder.pt")
    monkeypatch.setattr(odds, "SCENES", tmp_path)
    monkeypatch.setattr(odds, "WORK", tmp_path)
    monkeypatch.setattr(odds, "RUNS", tmp_path / "runs.jsonl")
    return tmp_path


def test_the_logit_of_a_back_falls_by_the_difference_of_the_log_odds(work: Path) -> None:
    """From odds of one to four, as in all scenes, to one to nine."""
    for _ in range(2):  # the second time, nothing is left to correct
        assert odds.corrected(range(1)) == {"face": 0.0, "back": -0.811}
    state = torch.load(work / "finder.pt")
    for part in ("net", "mean"):
        bias = state[part]["maps.bias"]
        assert float(bias[7]) == pytest.approx(np.log(1 / 9) - np.log(1 / 4))
        assert not bias[:7].any()
    told = json.loads((work / "runs.jsonl").read_text())
    assert told == {
        "network": "finder", "odds": {"face": 0.0, "back": -0.811}, "steps": [STEPS, STEPS]
    }  # fmt: skip


@pytest.mark.usefixtures("work")
def test_usual_scenes_that_are_not_there_are_reported() -> None:
    with pytest.raises(ArtworkError, match="usual scenes, 5 to 8, found none"):
        odds.corrected(range(5, 9))
