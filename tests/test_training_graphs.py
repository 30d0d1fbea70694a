"""Exported graphs are rewritten so that they take less work and memory, and answer the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from vision.network import WEIGHTS, Network  # noqa: E402 - needs torch
from vision.training import export  # noqa: E402
from vision.training.networks import FinderNet, Published  # noqa: E402
from vision.training.restore import restore  # noqa: E402

TOLERANCE = 1e-4
"""Largest difference of two maps' cells that is rounding: sums are added in another order. Those of
the published finder differ by 7e-6 on pictures of noise."""
PICTURES = np.random.default_rng(7).integers(0, 256, (3, 1, 96, 160, 3), np.uint8)


def plain(net: FinderNet, path: Path) -> None:
    """Write the graph of a finder as it is exported before it is rewritten."""
    axes = {"frame": {1: "height", 2: "width"}, "maps": {2: "rows", 3: "columns"}}
    torch.onnx.export(
        Published(net).eval(), (torch.from_numpy(PICTURES[0]),), str(path), dynamo=False,
        input_names=["frame"], output_names=["maps"], dynamic_axes=axes, opset_version=17,
    )  # fmt: skip


def joins(path: Path) -> int:
    """How many convolutions of a graph take maps that are joined."""
    nodes = onnx.load(str(path)).graph.node
    joined = {output for node in nodes if node.op_type == "Concat" for output in node.output}
    return sum(node.op_type == "Conv" and node.input[0] in joined for node in nodes)


def published() -> FinderNet:
    net = FinderNet()
    restore(WEIGHTS / "finder.onnx", net, torch.from_numpy(PICTURES[0]))
    net.eval()
    return net


@pytest.mark.parametrize("trained", [True, False])
def test_small_maps_may_be_convolved_before_they_are_enlarged(
    tmp_path: Path, trained: bool
) -> None:
    torch.manual_seed(3)
    net = published() if trained else FinderNet().eval()
    before, after = tmp_path / "before.onnx", tmp_path / "after.onnx"
    plain(net, before)
    after.write_bytes(before.read_bytes())
    export.convolve_first(after)
    assert (joins(before), joins(after)) == (2, 0)
    one, other = Network(before, ("maps",)), Network(after, ("maps",))
    for picture in PICTURES:
        (wanted,), (found,) = one(picture), other(picture)
        assert np.abs(wanted - found).max() < TOLERANCE


def test_a_finder_restored_from_the_published_graph_answers_the_same() -> None:
    maps = Network(WEIGHTS / "finder.onnx", ("maps",))
    restored = Published(published()).eval()
    for picture in PICTURES:
        with torch.no_grad():
            wanted = restored(torch.from_numpy(picture)).numpy()
        assert np.abs(maps(picture)[0] - wanted).max() < export._TOLERANCE


def test_the_published_finder_is_rewritten() -> None:
    assert joins(WEIGHTS / "finder.onnx") == 0
