"""Rebuild training states from the published weights, so that training can resume from them.

Normalisation is folded into the convolutions of an exported graph. It is unfolded by measuring each
convolution's output on a batch: with that mean and standard deviation put into the normalisation,
and cancelled by its scale and shift, the network computes the same as the graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

Array = NDArray[np.float32]


class RestoreError(ValueError):
    """The published graph does not have the network's shape."""


def restore(path: Path, net: nn.Module, batch: Tensor) -> None:
    """Load the weights of the graph at `path` into `net`, unfolded using `batch`.

    Raises `RestoreError` if the graph belongs to another network.
    """
    graph = onnx.load(str(path)).graph
    values = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in values:  # stored in half precision
            values[node.output[0]] = values[node.input[0]].astype(np.float32)
        if node.op_type == "Mul" and set(node.input) <= values.keys():  # in steps of a size
            values[node.output[0]] = values[node.input[0]] * values[node.input[1]]
    folded = _folded(graph, values)
    layers = [layer for layer in net.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    if [tuple(weight.shape) for weight, _ in folded] != [tuple(a.weight.shape) for a in layers]:
        raise RestoreError(f"expected the layers of {type(net).__name__}, got others in {path}")
    norms = _norms(net)
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, folded, strict=True):
            layer.weight.copy_(torch.from_numpy(weight.copy()))
            if layer in norms:
                _plain(norms[layer], bias)
            elif layer.bias is not None:
                layer.bias.copy_(torch.from_numpy(bias.copy()))
        _unfold(net, list(norms.values()), batch)


def _folded(graph: onnx.GraphProto, values: Mapping[str, Array]) -> list[tuple[Array, Array]]:
    """The weights and bias of each layer of a graph, in order.

    A convolution without a bias is the first part of the next one: see `export.convolve_first`.
    """
    found, first = [], []
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            first.append(values[node.input[1]])
            if len(node.input) == 3:
                found.append((np.concatenate(first, axis=1), values[node.input[2]]))
                first = []
    return found


def _norms(net: nn.Module) -> dict[nn.Module, nn.BatchNorm2d]:
    """Each convolution with the normalisation that follows it."""
    found: dict[nn.Module, nn.BatchNorm2d] = {}
    for part in net.modules():
        if isinstance(part, nn.Sequential):
            steps = list(part)
            for first, second in pairwise(steps):
                if isinstance(second, nn.BatchNorm2d):
                    found[first] = second
    return found


def _plain(norm: nn.BatchNorm2d, bias: Array) -> None:
    """Make a normalisation that only adds `bias`."""
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.fill_(1.0)
    norm.bias.copy_(torch.from_numpy(bias.copy()))


def _unfold(net: nn.Module, norms: list[nn.BatchNorm2d], batch: Tensor) -> None:
    """Give each normalisation the mean and variance of its input, and cancel them again."""
    came: dict[nn.Module, Tensor] = {}
    hooks = [
        norm.register_forward_hook(lambda part, given, _: came.__setitem__(part, given[0]))
        for norm in norms
    ]
    net.eval()
    net(batch)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        assert norm.running_mean is not None
        assert norm.running_var is not None
        spread, mean = torch.var_mean(came[norm], dim=(0, 2, 3), correction=0)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_(torch.sqrt(spread + norm.eps))
        norm.bias.add_(mean)
