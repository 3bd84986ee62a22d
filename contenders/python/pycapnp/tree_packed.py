"""A message of its own, which the bytes are unpacked into."""

from typing import Any

from serbench_document import struct
from serbench_document import walk_root as walk

__all__ = ["read", "walk"]


def read(data: bytes) -> Any:
    """The root."""
    return struct.from_bytes_packed(data, traversal_limit_in_words=2**64 - 1, nesting_limit=2**31 - 1)
