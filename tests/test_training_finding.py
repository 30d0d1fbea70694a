"""The finder learns something new without losing what it knows."""

from __future__ import annotations

from functools import partial

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("PIL", reason="drawing training pictures needs Pillow, of the training extra")

from torch import Tensor  # noqa: E402 - needs torch

from vision.network import WEIGHTS  # noqa: E402
from vision.training.finding import (  # noqa: E402 - needs torch
    distillation,
    distilled_loss,
    freeze_normalisation,
    published_teacher,
)
from vision.training.networks import FinderNet  # noqa: E402
from vision.training.restore import restore  # noqa: E402

SIDE = 64
"""Pixels of a small picture."""
CELLS = SIDE // 4


def maps(back: float) -> Tensor:
    """Maps before the sigmoid that see no index, no face, and backs this much."""
    told = torch.full((1, 8, CELLS, CELLS), -9.0)
    told[:, 7] = back
    return told


def truth(back: float) -> tuple[Tensor, Tensor, Tensor]:
    nothing = torch.zeros(1, CELLS, CELLS)
    areas = torch.zeros(1, 2, CELLS, CELLS)
    areas[:, 1] = back
    return nothing, nothing, areas


def test_the_finder_is_held_to_what_its_teacher_has_right() -> None:
    near = distillation(maps(2.0), maps(2.0), *truth(1.0))
    assert distillation(maps(0.0), maps(2.0), *truth(1.0)) > near
    assert distillation(maps(6.0), maps(2.0), *truth(1.0)) > near  # nor surer than the teacher is


def test_the_finder_is_not_held_to_what_its_teacher_has_wrong() -> None:
    """The teacher sees no back where one lies: only the faces, which it has right, count."""
    assert distillation(maps(-3.0), maps(-3.0), *truth(1.0)) == pytest.approx(
        float(distillation(maps(5.0), maps(-3.0), *truth(1.0)))
    )


def test_its_statistics_stay_while_it_is_held() -> None:
    sample = torch.randint(0, 255, (2, SIDE, SIDE, 3), dtype=torch.uint8)
    net = FinderNet()
    restore(WEIGHTS / "finder.onnx", net, sample)
    before = {name: part.clone() for name, part in net.state_dict().items() if "running" in name}
    net.train()
    freeze_normalisation(net)
    heat, near, areas = (part.expand(2, *part.shape[1:]) for part in truth(0.0))
    values = torch.zeros(2, 5, CELLS, CELLS)
    batch = (sample, heat, torch.ones_like(heat), near, values, areas)
    loss = partial(distilled_loss, published_teacher(FinderNet(), sample), 1.0)(net, batch)
    loss.backward()
    assert all(torch.equal(net.state_dict()[name], part) for name, part in before.items())
    assert any(part.grad is not None and bool(part.grad.any()) for part in net.parameters())
