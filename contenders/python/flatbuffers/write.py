"""A table that is filled from the program's own objects."""

from typing import Any

from flatbuffers import Builder
from serbench_document import pack


def write(document: Any) -> bytearray:
    """A new builder for each document."""
    builder = Builder()
    builder.Finish(pack(builder, document))
    return builder.Output()
