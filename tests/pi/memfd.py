"""Lets the real picamera2 run on libcamera's virtual camera, which no Pi ever does.

Off a Pi there is no ``/dev/dma_heap`` to allocate picture buffers from; memory files work as well,
since the virtual camera only maps them. It also needs a buffer's planes one by one, and refuses the
raw stream that picamera2 requests from every camera. pykms, which drives a Pi's own screen, is
imported by picamera2 but not used here.
"""

from __future__ import annotations

import mmap
import os
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def _stand_in_for_kms() -> None:
    class AnyName(type):
        def __getattr__(cls, name: str) -> str:
            if name.startswith("__"):
                raise AttributeError(name)
            return name

    for name in ("pykms", "kms"):
        module = types.ModuleType(name)
        module.PixelFormat = AnyName("PixelFormat", (), {})  # type: ignore[attr-defined]
        sys.modules.setdefault(name, module)


_stand_in_for_kms()

import libcamera  # type: ignore[import-not-found]  # noqa: E402
from picamera2 import Picamera2  # type: ignore[import-not-found]  # noqa: E402
from picamera2.allocators.allocator import Allocator  # type: ignore[import-not-found]  # noqa: E402


class _Mapped:
    """What picamera2 opens around a buffer; a memory file needs no synchronizing."""

    def __init__(self, allocator: MemfdAllocator, buffer: Any, write: bool) -> None:
        self._memory = allocator.memory[buffer]

    def __enter__(self) -> mmap.mmap:
        return self._memory

    def __exit__(self, *_: object) -> None:
        pass


class MemfdAllocator(Allocator):  # type: ignore[misc]
    """Allocates picture buffers from memory files."""

    def __init__(self) -> None:
        super().__init__()
        self.sync = _Mapped
        self.memory: dict[Any, mmap.mmap] = {}
        self._streams: dict[Any, list[Any]] = {}
        self._files: list[int] = []

    def allocate(self, libcamera_config: Any, use_case: str) -> None:
        """Allocate the buffers of every stream."""
        self.close()
        for stream in libcamera_config:
            count = range(stream.buffer_count)
            self._streams[stream.stream] = [self._buffer(stream) for _ in count]

    def _buffer(self, stream: Any) -> Any:
        file = os.memfd_create("picture")
        os.ftruncate(file, stream.frame_size)
        self._files.append(file)
        buffer = libcamera.FrameBuffer(_planes(stream, file))
        self.memory[buffer] = mmap.mmap(file, stream.frame_size)
        return buffer

    def buffers(self, stream: Any) -> list[Any]:
        """The buffers of a stream."""
        return self._streams[stream]

    def close(self) -> None:
        """Release everything."""
        self.memory, self._streams = {}, {}
        while self._files:
            os.close(self._files.pop())


def _planes(stream: Any, file: int) -> list[Any]:
    bright = stream.stride * stream.size.height
    two = str(stream.pixel_format) in ("NV12", "NV21")
    lengths = [bright, stream.frame_size - bright] if two else [stream.frame_size]
    planes, offset = [], 0
    for length in lengths:
        plane = libcamera.FrameBuffer.Plane()
        plane.fd, plane.offset, plane.length = file, offset, length
        planes.append(plane)
        offset += length
    return planes


def _modes(self: Any) -> list[dict[str, Any]]:
    formats = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0).formats
    return [
        {"format": str(pixel_format), "size": (size.width, size.height)}
        for pixel_format in formats.pixel_formats
        for size in formats.sizes(pixel_format)
    ]


_frozen = threading.Event()


@contextmanager
def frozen() -> Iterator[None]:
    """While this lasts, no picture completed by a camera reaches picamera2."""
    _frozen.set()
    try:
        yield
    finally:
        _frozen.clear()


def _let_freeze(manager: Any) -> None:
    served = manager.handle_request

    def handle_request(self: Any, flushid: Any = None) -> None:
        if _frozen.is_set():
            self.cms.get_ready_requests()  # fetched and dropped
        else:
            served(self, flushid)

    manager.handle_request = handle_request


def install() -> None:
    """Install the patches before a camera is opened."""
    import picamera2.picamera2 as inner  # type: ignore[import-not-found]  # noqa: PLC0415

    inner.DmaAllocator = MemfdAllocator
    Picamera2._get_raw_modes = _modes
    _let_freeze(type(Picamera2._cm))
