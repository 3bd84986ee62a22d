"""The events of a document, one after the other."""

from collections.abc import Iterator
from typing import Any

import ijson


def read(data: bytes) -> Iterator[tuple[str, Any]]:
    """The events, of which none is there before it is asked for."""
    return ijson.basic_parse(data)


def walk(events: Iterator[tuple[str, Any]], hash: Any) -> None:
    """A container's elements are counted until it ends."""
    counts = [0]
    for event, value in events:
        if event == "map_key":
            hash.value(value)
        elif event in ("start_map", "start_array"):
            counts[-1] += 1
            counts.append(0)
        elif event in ("end_map", "end_array"):
            hash.count(counts.pop())
        else:
            hash.value(value)
            counts[-1] += 1
