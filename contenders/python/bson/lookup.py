"""Values of a document of which only those on the way are decoded."""

from typing import Any

from bson.raw_bson import RawBSONDocument as read

__all__ = ["find", "read"]


def find(document: Any, path: list[Any]) -> Any:
    """The value at `path`; the index of a root array is a key."""
    value = document
    for step in path:
        value = value[step if isinstance(value, list) else str(step)]
    return value
