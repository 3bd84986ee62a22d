"""What bson.encode makes of the tree."""

from collections.abc import Callable
from typing import Any

from bson import encode


def writer(work: Any) -> Callable[[Any], bytes]:
    """A root array becomes a document with index keys."""
    if work.root_is_array:
        return lambda root: encode({str(index): value for index, value in enumerate(root)})
    return encode
