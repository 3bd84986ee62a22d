"""Encodings as the gate hands them to workers."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from serbench.datasets.store import Encoded


class Canonical(msgspec.Struct, frozen=True, kw_only=True):
    """The canonical encoding of the dataset in one format, or why there is none."""

    encoded: Encoded | None = None
    reason: str = ""
    unsupported: bool = False
    """The format cannot express the dataset: no failure, but a fact."""
    encoder: str = ""
    """The encoder that wrote it, as shown."""
    library: str = ""
    """The library that wrote it, by which two of its contenders are known as one."""


class InputEncoding(msgspec.Struct, frozen=True):
    """An encoding that a worker is given: how many bytes, which, and who knows the file when it is needed."""

    bytes: int
    hash: str
    sha256: str
    file: Callable[[], Path]
