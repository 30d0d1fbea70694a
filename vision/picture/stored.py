"""What was taught, as arrays in one file: written atomically, with a size limit on reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import error as StructError  # noqa: N812 - an exception, named like one
from tokenize import TokenError
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import ArrayLike

from vision.errors import ProfileError

_DAMAGE = (
    KeyError, ValueError, IndexError, TypeError, BadZipFile, ZlibError, StructError, EOFError,
    NotImplementedError, MemoryError, OverflowError, RuntimeError, SyntaxError, TokenError,
)  # fmt: skip
"""What numpy and zipfile raise on a damaged file."""


@contextmanager
def opened(path: Path, what: str, version: tuple[str, int], most: int) -> Iterator[NpzFile]:
    """Open a file and give its arrays by name.

    `what` names the kind of file in messages; `version` is the name of the array that holds the
    format's version, and the version expected; `most` is the largest unpacked size in bytes. Raises
    `ProfileError` if the file is missing, damaged or of another kind, including for what the body
    raises because of damaged arrays.
    """
    key, number = version
    try:
        with ZipFile(path) as packed:
            size = sum(part.file_size for part in packed.infolist())
        if size > most:
            raise ProfileError(f"{path}: expected a {what}, but it unpacks to {size} bytes")
        with np.load(path, allow_pickle=False) as file:
            if int(file[key]) != number:
                raise ProfileError(f"{path}: expected a {what} of version {number}")
            yield file
    except OSError as error:
        raise ProfileError(f"{path}: no {what}: {error.strerror or error}") from error
    except ProfileError:
        raise
    except _DAMAGE as error:
        raise ProfileError(f"{path}: expected a {what}: {error}") from error


def save(path: Path, **arrays: ArrayLike) -> None:
    """Save arrays by name; raises `ProfileError` if the file cannot be written."""
    partial = path.with_suffix(".partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        partial.replace(path)
    except OSError as error:
        raise ProfileError(f"{path}: cannot be written: {error.strerror}") from error
