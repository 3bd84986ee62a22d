"""What a real board says over its serial line, which is noisy and not trusted: a line counts if it is whole.

A line is a JSON object, `*` and the CRC-16 of the object in four hexadecimal digits
(harness/firmware/platformio/src/main.cpp writes it).
"""

import binascii
import re
from collections.abc import Iterator
from typing import Annotated

import msgspec

PROTOCOL = 1
LONGEST = 1_048_576
"""Bytes of a line, beyond which it is noise; the largest document's row has half of that."""
MOST_ROWS = 1_000
_SUM = re.compile(rb"\*([0-9a-f]{4})\r?$")

Number = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
Word = Annotated[str, msgspec.Meta(max_length=200)]
Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}$")]


class _Line(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    pass


class Ready(_Line, frozen=True, tag="ready"):
    """The board waits for a key."""

    protocol: Number


class Begin(_Line, frozen=True, tag="begin"):
    """A key arrived, and the rows follow."""

    board: Word
    """The name of its environment in platformio.ini."""
    core: Word
    compiler: Word
    rows: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROWS)]


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Microseconds of the first call and of all repeated ones together, and bytes of memory."""

    first: Number
    total: Number
    memory: Number


class RowLine(_Line, frozen=True, tag="row"):
    """A library in a format on a document."""

    number: Annotated[int, msgspec.Meta(ge=0, lt=MOST_ROWS)]
    library: Word
    format: Word
    document: Word
    version: Word
    repeats: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    read: Figures
    write: Figures
    exact: Hash
    content: Hash
    output: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})*$")]
    numbers: list[Number]
    """The bits, as 32-bit floats, of every number that was read."""
    failed: Word


class End(_Line, frozen=True, tag="end"):
    """All rows have been said."""


Line = Ready | Begin | RowLine | End
_decoder = msgspec.json.Decoder(Line)


def parse_line(line: bytes) -> Line | None:
    """What `line` (without its end) says, or None if it is noise or damaged."""
    found = _SUM.search(line)
    if found is None:
        return None
    # What stood before the object on the line is the rest of something that was cut off.
    said = line[max(0, line.rfind(b'{"kind":')) : found.start()]
    if binascii.crc_hqx(said, 0) != int(found[1], 16):
        return None
    try:
        made: Line = _decoder.decode(said)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    return made


class Lines:
    """Cuts what arrives into lines."""

    def __init__(self) -> None:
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the lines that `data` completes; one that is too long yields nothing and takes no memory."""
        *whole, rest = (self._rest + data).split(b"\n")
        for line in whole:
            if not self._skipping and len(line) <= LONGEST:
                yield line
            self._skipping = False
        if len(rest) > LONGEST:
            self._skipping, rest = True, b""
        self._rest = rest
