"""The message in the bytes, whose fields are read in place, as long as its block lasts."""

from typing import Any

from serbench_document import struct, walk_root


def read(data: bytes) -> bytes:
    """Nothing is decoded."""
    return data


def walk(data: bytes, hash: Any) -> None:
    """Hash every field."""
    with struct.from_bytes(data, traversal_limit_in_words=2**64 - 1, nesting_limit=2**31 - 1) as message:
        walk_root(message, hash)
