"""Values of a parsed document, by JSON Pointers."""

from typing import Any

from simdjson import Parser


def read(data: bytes) -> Any:
    """The document, of which no value is a Python object yet."""
    return Parser().parse(data)


def find(document: Any, path: list[Any]) -> Any:
    """The value at `path`."""
    steps = [str(step).replace("~", "~0").replace("/", "~1") for step in path]
    return document.at_pointer("".join(f"/{step}" for step in steps))
