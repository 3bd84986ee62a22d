"""A message that is filled from the program's own objects."""

from typing import Any

from serbench_document import fill, root


def write(document: Any) -> bytes:
    """A new message for each document."""
    message = root()
    fill(message, document)
    return message.SerializeToString()
