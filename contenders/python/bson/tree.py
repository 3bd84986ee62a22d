"""What bson.decode makes of the bytes."""

from collections.abc import Callable
from typing import Any

from bson import decode


def reader(work: Any) -> Callable[[bytes], Any]:
    """A root array is a document with index keys."""
    return (lambda data: list(decode(data).values())) if work.root_is_array else decode
