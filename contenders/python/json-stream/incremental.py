"""A document that is read while it is walked."""

from io import BytesIO
from typing import Any

import json_stream
from json_stream.base import StreamingJSONList, StreamingJSONObject


def read(data: bytes) -> Any:
    """The root, of which nothing is there before it is asked for."""
    return json_stream.load(BytesIO(data))


def walk(value: Any, hash: Any) -> None:
    """Every element in its turn; there is no number of them before the end."""
    count = 0
    if isinstance(value, StreamingJSONObject):
        for key, item in value.items():
            hash.value(key)
            walk(item, hash)
            count += 1
        hash.count(count)
    elif isinstance(value, StreamingJSONList):
        for item in value:
            walk(item, hash)
            count += 1
        hash.count(count)
    else:
        hash.value(value)
