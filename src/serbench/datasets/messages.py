"""Files of encoded messages as workers exchange them (docs/protocol.md), and as other programs read them."""

import struct
from collections.abc import Iterator
from pathlib import Path

from serbench.files import writing

FRAME_HEAD, FRAME_SIZE = 16, 8
"""Magic and number, then a size for each (harness/c/src/message_file.h)."""


def each_message(path: Path) -> Iterator[bytes]:
    """Yield the encoded messages in the framed file at `path`, in their order."""
    with path.open("rb") as file:
        (count,) = struct.unpack_from("<Q", file.read(FRAME_HEAD), 8)
        for size in struct.unpack(f"<{count}Q", file.read(FRAME_SIZE * count)):
            yield file.read(size)


def write_messages(source: Path, target: Path, text: bool) -> None:
    """Write the messages in the framed file `source` to `target`, one behind the other.

    In a `text` format each ends with a line feed, so that minified JSON becomes JSON Lines. Raises UserError
    if `target` cannot be written.
    """
    with writing(target) as out:
        for message in each_message(source):
            out.write(message)
            if text:
                out.write(b"\n")
