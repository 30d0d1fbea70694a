"""A network of YOLO11n's size with random weights, for comparison with the reader.

Layers and widths follow the published description of that network (2.6 million parameters, 6.5
billion operations on a picture of 640 by 640); its attention is replaced by two plain convolutions
of the same cost. It needs the package ``onnx`` and detects nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

SIDE = 640


@dataclass
class Builder:
    """A graph under construction: its nodes, its weights, and the cost of one run."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)
    parameters: int = 0
    operations: int = 0

    def node(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one output; return the output's name."""
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, values: NDArray[np.generic]) -> str:
        """Add a constant; return its name."""
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def conv(self, x: Map, out: int, size: int = 1, stride: int = 1, groups: int = 1) -> Map:
        """A convolution followed by a SiLU activation."""
        rng = np.random.default_rng(len(self.weights))
        shape = (out, x.wide // groups, size, size)
        scale = (2 / (shape[1] * size * size)) ** 0.5
        weight = self.constant((rng.standard_normal(shape) * scale).astype(np.float32))
        bias = self.constant(np.zeros(out, np.float32))
        side = x.side // stride
        self.parameters += int(np.prod(shape)) + out
        self.operations += 2 * int(np.prod(shape)) * side * side
        name = self.node(
            "Conv", x.name, weight, bias, kernel_shape=[size, size], strides=[stride, stride],
            pads=[size // 2] * 4, group=groups,
        )  # fmt: skip
        return Map(self.node("Mul", name, self.node("Sigmoid", name)), out, side)

    def add(self, one: Map, other: Map) -> Map:
        """The sum of two maps."""
        return Map(self.node("Add", one.name, other.name), one.wide, one.side)

    def cat(self, *parts: Map) -> Map:
        """The concatenation of maps."""
        name = self.node("Concat", *(part.name for part in parts), axis=1)
        return Map(name, sum(part.wide for part in parts), parts[0].side)

    def halves(self, x: Map) -> tuple[Map, Map]:
        """The first and the second half of a map's channels."""
        half = x.wide // 2
        found = []
        for start in (0, half):
            ends = [self.constant(np.array([v], np.int64)) for v in (start, start + half, 1)]
            found.append(Map(self.node("Slice", x.name, *ends), half, x.side))
        return found[0], found[1]

    def larger(self, x: Map) -> Map:
        """The map upsampled to twice its size."""
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        return Map(self.node("Resize", x.name, "", scales, mode="nearest"), x.wide, x.side * 2)

    def bottleneck(self, x: Map, share: float = 0.5) -> Map:
        """Two convolutions with a residual connection."""
        inner = self.conv(x, int(x.wide * share), 3)
        return self.add(x, self.conv(inner, x.wide, 3))

    def block(self, x: Map, out: int, share: float, *, deep: bool) -> Map:
        """A split block: one half goes through bottlenecks, and all parts are joined again."""
        first, second = self.halves(self.conv(x, 2 * int(out * share)))
        if deep:
            half = second.wide // 2
            inner = self.conv(second, half)
            for _ in range(2):
                inner = self.bottleneck(inner, 1.0)
            third = self.conv(self.cat(inner, self.conv(second, half)), second.wide)
        else:
            third = self.bottleneck(second)
        return self.conv(self.cat(first, second, third), out)

    def pyramid(self, x: Map) -> Map:
        """Spatial pyramid pooling: max-pooled maps of growing windows, concatenated."""
        parts = [self.conv(x, x.wide // 2)]
        for _ in range(3):
            name = self.node(
                "MaxPool", parts[-1].name, kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4
            )
            parts.append(Map(name, x.wide // 2, x.side))
        return self.conv(self.cat(*parts), x.wide)

    def attention(self, x: Map) -> Map:
        """As much work as one attention block on half the channels."""
        first, second = self.halves(self.conv(x, x.wide))
        second = self.add(second, self.conv(self.conv(second, x.wide), second.wide))
        second = self.add(second, self.conv(self.conv(second, x.wide), second.wide))
        return self.conv(self.cat(first, second), x.wide)

    def head(self, x: Map) -> tuple[Map, Map]:
        """The boxes and classes of one scale."""
        box = self.conv(self.conv(self.conv(x, 64, 3), 64, 3), 64)
        kind = self.conv(self.conv(x, x.wide, 3, groups=x.wide), 80)
        kind = self.conv(self.conv(kind, 80, 3, groups=80), 80)
        return box, self.conv(kind, 80)


@dataclass(frozen=True)
class Map:
    """A tensor of the graph: its name, channels and side length in cells."""

    name: str
    wide: int
    side: int


def build() -> tuple[bytes, int, int]:
    """The network as an ONNX file, its parameter count, and its operations per picture."""
    net = Builder()
    x = net.conv(net.conv(Map("picture", 3, SIDE), 16, 3, 2), 32, 3, 2)
    x = net.conv(net.block(x, 64, 0.25, deep=False), 64, 3, 2)
    eighth = net.block(x, 128, 0.25, deep=False)
    sixteenth = net.block(net.conv(eighth, 128, 3, 2), 128, 0.5, deep=True)
    last = net.block(net.conv(sixteenth, 256, 3, 2), 256, 0.5, deep=True)
    last = net.attention(net.pyramid(last))
    middle = net.block(net.cat(net.larger(last), sixteenth), 128, 0.5, deep=False)
    small = net.block(net.cat(net.larger(middle), eighth), 64, 0.5, deep=False)
    middle = net.block(net.cat(net.conv(small, 64, 3, 2), middle), 128, 0.5, deep=False)
    large = net.block(net.cat(net.conv(middle, 128, 3, 2), last), 256, 0.5, deep=True)
    outputs = [part for level in (small, middle, large) for part in net.head(level)]
    graph = helper.make_graph(
        net.nodes,
        "yardstick",
        [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
        [
            helper.make_tensor_value_info(
                one.name, TensorProto.FLOAT, [1, one.wide, one.side, one.side]
            )
            for one in outputs
        ],
        net.weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    return model.SerializeToString(), net.parameters, net.operations
