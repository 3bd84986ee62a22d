"""Framed files, of many messages (docs/protocol.md): magic, their number, the size of each, the messages."""

import struct
from collections.abc import Sequence

MAGIC = b"sbmsgs1\n"
_HEAD = 16


def frame(messages: Sequence[bytes]) -> bytes:
    """The file of some messages."""
    sizes = struct.pack(f"<{1 + len(messages)}Q", len(messages), *map(len, messages))
    return MAGIC + sizes + b"".join(messages)


def unframe(file: bytes) -> list[bytes]:
    """The messages of a file. Raises ValueError if it is none."""
    if len(file) < _HEAD or not file.startswith(MAGIC):
        raise ValueError("the input is not a file of messages")
    (count,) = struct.unpack_from("<Q", file, len(MAGIC))
    if (len(file) - _HEAD) // 8 < count:
        raise ValueError("the input has fewer messages than it says")
    at, messages = _HEAD + 8 * count, []
    for size in struct.unpack_from(f"<{count}Q", file, _HEAD):
        messages.append(file[at : at + size])
        at += size
    if at != len(file):
        raise ValueError("the sizes of the messages are not those of the input")
    return messages
