"""A message that is filled from the program's own objects, and packed."""

from typing import Any

from serbench_document import pack, struct


def write(document: Any) -> bytes:
    """A new message for each document."""
    message = struct.new_message()
    pack(message, document)
    return message.to_bytes_packed()
