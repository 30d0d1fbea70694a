"""The neural networks: weights in this package, run by ONNX Runtime on the CPU."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.errors import WeightsError
from vision.picture.geometry import Floats

# Read once, when the library is loaded. Without it, versions from 1.31 on look up their maker's
# address and keep a device identifier in the user's cache folder.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime  # type: ignore[import-untyped]

WEIGHTS = Path(__file__).parent / "weights"
"""Where the wheel puts the network weights."""
ARENA = 32 * 2**20
"""Bytes that the networks' arena asks for at once. What is not used of them takes no memory, and
what one network leaves serves the next if it lies in one piece. A choice: the finder takes 28 bytes
for each pixel of a tile, and the weights 4 MB."""
SPLIT = 2**16
"""Largest number of bytes in the arena that are wasted on something smaller. A choice."""
_OPENING = Lock()
Run: TypeAlias = Callable[[NDArray[np.uint8]], tuple[Floats, ...]]
"""What a network does: takes pictures and returns its named outputs in the order requested."""


def weights_mark() -> str:
    """The start of the hash of all weights, in hexadecimal.

    Figures measured with other weights belong to another reader.
    """
    files = sorted(WEIGHTS.glob("*.onnx"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


@cache
def _arena() -> None:
    """Give all networks of this process one arena.

    Plain allocations leave gaps between what is kept: the appliance took 227 MB instead of 187 to
    192 at a table without chips.
    """
    described = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    no_limit, doubling = 0, 0
    settings = onnxruntime.OrtArenaCfg(no_limit, doubling, ARENA, SPLIT)
    onnxruntime.create_and_register_allocator(described, settings)


class Network:
    """One network, ready to run on pictures.

    It takes one uint8 array and returns the requested `outputs` in order. It uses one thread by
    default, as the appliance has other work for the other cores. Raises `WeightsError` if the file
    at `path` is missing, is not a network, or lacks one of the outputs.
    """

    def __init__(self, path: Path, outputs: tuple[str, ...], *, threads: int = 1) -> None:
        self._outputs = outputs
        self._session = _open(path, threads)
        self._input = str(self._session.get_inputs()[0].name)
        names = {output.name for output in self._session.get_outputs()}
        if not names.issuperset(outputs):
            raise WeightsError(f"{path.name}: expected the outputs {outputs}: got {sorted(names)}")

    def __call__(self, pictures: NDArray[np.uint8]) -> tuple[Floats, ...]:
        """Run the network on one array of pictures."""
        results = self._session.run(self._outputs, {self._input: pictures})
        return tuple(np.asarray(result, np.float32) for result in results)


def _open(path: Path, threads: int) -> onnxruntime.InferenceSession:
    if not path.is_file():
        raise WeightsError(f"no weights at {path}: the installation is incomplete")
    with _OPENING:
        _arena()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Spinning threads keep a small board hot between frames and gain nothing here.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # The runtime would keep a memory plan for each picture size: 40 MB more after three pictures.
    options.enable_mem_pattern = False
    # An arena for each network would keep what the largest input of each needed.
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )
    # The runtime raises its own classes, which share no public base class.
    except Exception as error:
        raise WeightsError(f"{path}: expected a network in ONNX form: {error}") from error
