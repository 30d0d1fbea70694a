"""Export trained states to the files the appliance runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from vision.decide.latin import FINE
from vision.training.networks import FaceNet, FinderNet, LatinNet, Published, ReaderNet
from vision.training.sources import WORK

WEIGHTS = Path(__file__).parent.parent / "weights"
_OPSET = 17
"""Supported by ONNX Runtime 1.12 and later."""
_TOLERANCE = 2e-3
"""Largest difference between the exported graph and torch, in the outputs' units."""
_HALVED = ("decks/latin",)
"""Networks whose weights are stored in half precision, which the runtime widens when it loads them:
the same answers from a file half as large."""
_TOLERANCE_HALVED = 0.5
"""Largest difference of theirs, in what is no card at that: on faces of cards, it changes a
probability by a hundredth at most. A choice."""
_LEAST_HALVED = 64
"""Fewest numbers in a tensor that is halved: smaller ones save nothing. A choice."""
_ENLARGING = ("finder",)
"""Networks that enlarge maps and join them with finer ones: see `convolve_first`."""
_LEAST_IN_BYTES = 100_000
"""Fewest numbers in a matrix that is stored in bytes. A choice: the fully connected layer of the
network of Latin signs."""
_STEPPED = ("reader",)
"""Networks whose weights are stored as multiples of a step of their row's own, in two bytes each:
ten times as exact as half precision, and as small."""


def load(name: str, net: nn.Module) -> int:
    """Load the averaged weights of a training state into `net`; return the steps trained.

    Layers that only training needs are left out.
    """
    state = torch.load(WORK / f"{name}.pt", map_location="cpu")
    net.load_state_dict({key: state["mean"][key] for key in net.state_dict()})
    net.eval()
    return int(state["steps"])


def export(names: Sequence[str] = ()) -> dict[str, int]:
    """Write networks, check them against torch, and return the steps of each.

    Without `names`, these are the networks that have a training state.
    """
    WEIGHTS.mkdir(exist_ok=True)
    steps = {}
    for name in names or [name for name in _SHAPES if (WORK / f"{name}.pt").exists()]:
        kind, shape, axes = _SHAPES[name]
        net = kind()
        steps[name] = load(name, net)
        _write(Published(net).eval() if isinstance(net, FinderNet) else net, name, shape, axes)
    return steps


_Axes = dict[str, dict[int, str]]
_SHAPES: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...], _Axes]] = {
    "finder": (
        FinderNet,
        (1, 320, 480, 3),
        {"frame": {1: "height", 2: "width"}, "maps": {2: "rows", 3: "columns"}},
    ),
    "reader": (
        ReaderNet,
        (3, 64, 48, 3),
        {
            "patches": {0: "count"},
            "rank": {0: "count"},
            "suit": {0: "count"},
            "letters": {0: "count"},
        },
    ),
    "face": (
        FaceNet,
        (3, 96, 64, 3),
        {"faces": {0: "count"}, "rank": {0: "count"}, "suit": {0: "count"}},
    ),
    "decks/latin": (
        LatinNet,
        (3, *FINE[::-1], 3),
        {"faces": {0: "count"}, "rank": {0: "count"}, "suit": {0: "count"}},
    ),
}
"""Each network with the shape of an example input and the names of its dynamic axes."""


def _write(net: nn.Module, name: str, shape: tuple[int, ...], axes: _Axes) -> None:
    """Export a network; the first name in `axes` is its input, the others are its outputs."""
    inputs, outputs = list(axes)[:1], list(axes)[1:]
    path = WEIGHTS / f"{name}.onnx"
    example = torch.from_numpy(np.random.default_rng(0).integers(0, 256, shape, np.uint8))
    torch.onnx.export(
        net, (example,), str(path), input_names=inputs, output_names=outputs,
        dynamic_axes=axes, opset_version=_OPSET, dynamo=False,
    )  # fmt: skip
    tolerance = _TOLERANCE_HALVED if name in _HALVED else _TOLERANCE
    if name in (*_HALVED, *_STEPPED):
        halve(path, stepped=name in _STEPPED)
    if name in _ENLARGING:
        convolve_first(path)
    onnx.checker.check_model(onnx.load(str(path)))
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found = session.run(outputs, {inputs[0]: example.numpy()})
    with torch.no_grad():
        wanted = net(example)
    for mine, theirs in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        apart = float(np.abs(mine - theirs.numpy()).max())
        if apart > tolerance:
            raise ValueError(f"expected {name} within {tolerance} of torch, found {apart:.4f}")


def halve(path: Path, *, stepped: bool = False) -> None:
    """Store the weights of a graph in half precision; its answers stay in single precision.

    A large matrix (N, M) is stored in bytes, each of its rows as multiples of a step of its own.
    If `stepped`, everything but vectors is, in two bytes.
    """
    model = onnx.load(str(path))
    items, widened = model.graph.initializer, []
    for item in list(items):
        value = numpy_helper.to_array(item)
        if value.dtype != np.float32 or value.size < _LEAST_HALVED:
            continue
        stored, whole = f"{item.name}_half", item.name
        if (kind := _steps_of(value, stepped=stepped)) is not None:
            most = np.abs(value).max(axis=tuple(range(1, value.ndim)), keepdims=True)
            step = most / np.iinfo(kind).max
            value, whole = np.round(value / step).astype(kind), f"{item.name}_steps"
            items.append(numpy_helper.from_array(step, f"{item.name}_step"))
            scaled = [whole, f"{item.name}_step"]
            widened.append(helper.make_node("Mul", scaled, [item.name]))
        elif stepped:
            continue
        else:
            value = value.astype(np.float16)
        widened.insert(0, helper.make_node("Cast", [stored], [whole], to=TensorProto.FLOAT))
        item.CopyFrom(numpy_helper.from_array(value, stored))
    for number, node in enumerate(widened):
        model.graph.node.insert(number, node)
    onnx.save(model, str(path))


def convolve_first(path: Path) -> None:
    """Convolve small maps before they are enlarged and joined with finer ones.

    A convolution of single cells of joined maps is the sum of one of each, and that of the small
    maps is the same before they are enlarged: the same answers, but for rounding, with a quarter of
    the work and without the memory of the joined maps. The first convolution has no bias.
    """
    model = onnx.load(str(path))
    graph, nodes = model.graph, list(model.graph.node)
    values = {item.name: item for item in graph.initializer}
    makers = {output: node for node in nodes for output in node.output}
    kept: list[onnx.NodeProto] = []
    for node in nodes:
        joined = makers.get(node.input[0]) if node.op_type == "Conv" else None
        if joined is None or joined.op_type != "Concat":
            kept.append(node)
            continue
        (enlarged, fine), out = joined.input, node.output[0]
        enlarge = makers[enlarged]
        kept.remove(enlarge)
        kept.remove(joined)
        weights = numpy_helper.to_array(values[node.input[1]])
        small = _channels(enlarge.input[0], makers, values)
        for part, channels in (("small", weights[:, :small]), ("fine", weights[:, small:])):
            item = numpy_helper.from_array(np.ascontiguousarray(channels), f"{out}_{part}_weights")
            graph.initializer.append(item)
        graph.initializer.remove(values[node.input[1]])
        enlarging = {one.name: helper.get_attribute_value(one) for one in enlarge.attribute}
        kept += [
            helper.make_node("Conv", [enlarge.input[0], f"{out}_small_weights"], [f"{out}_small"]),
            helper.make_node(
                "Resize", [f"{out}_small", *enlarge.input[1:]], [f"{out}_enlarged"], **enlarging
            ),
            helper.make_node("Conv", [fine, f"{out}_fine_weights", node.input[2]], [f"{out}_fine"]),
            helper.make_node("Add", [f"{out}_fine", f"{out}_enlarged"], [out]),
        ]
    del graph.node[:]
    graph.node.extend(kept)
    onnx.save(model, str(path))


def _channels(
    output: str,
    makers: Mapping[str, onnx.NodeProto],
    values: Mapping[str, onnx.TensorProto],
) -> int:
    """How many channels an output has, as the convolution that it comes from says."""
    while makers[output].op_type != "Conv":
        output = makers[output].input[0]
    return int(values[makers[output].input[1]].dims[0])


def _steps_of(value: NDArray[np.float32], *, stepped: bool) -> type[np.int8 | np.int16] | None:
    """The integers as which weights are stored in steps; None if they are not."""
    if stepped:
        return np.int16 if value.ndim > 1 else None
    return np.int8 if value.ndim == 2 and value.size >= _LEAST_IN_BYTES else None


def digest(name: str) -> str:
    """The SHA-256 of a weights file."""
    return hashlib.sha256((WEIGHTS / f"{name}.onnx").read_bytes()).hexdigest()


def write_recipe(facts: dict[str, object]) -> None:
    """Store recipe, counts and scores with the weights."""
    facts = facts | {"sha256": {name: digest(name) for name in _SHAPES}}
    text = json.dumps(facts, indent=2, sort_keys=True) + "\n"
    (WEIGHTS / "recipe.json").write_text(text, encoding="utf-8")
