"""The library's own document, written without white space."""

from typing import Any

from simdjson import Parser


def read(data: bytes) -> Any:
    """The document, which keeps its parser."""
    return Parser().parse(data)


def write(document: Any) -> bytes:
    """The whole document."""
    return document.mini
