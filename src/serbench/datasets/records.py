"""What is known of a dataset."""

from typing import Annotated

import msgspec

from serbench.records import Record


class Compressed(Record):
    """An encoding after a general compressor."""

    bytes: int
    nanoseconds: float
    """The shortest of several compressions in memory: what the saved bytes cost."""


class Encoding(Record):
    """The canonical encoding of a dataset in one format."""

    bytes: int | None = None
    hash: str = ""
    reason: str = ""
    """Why there is none."""
    compressed: dict[str, Compressed] = {}
    """By the compressor's name and level, for example `gzip -6`."""


class DatasetRecord(Record):
    """A dataset as it was measured."""

    name: str
    """The SPEC, or a file's name without its folder."""
    tape_sha256: str
    content_hash: str
    exact_hash: str
    nodes: int
    depth: int
    encodings: dict[str, Encoding] = {}
    messages: Annotated[int, msgspec.Meta(ge=1)] = 1
    """How many messages an iteration handles one by one; reports give times and bytes per message."""
    schema: str = ""
    """That of rows whose code is generated (docs/schemas.md); empty if there are none."""
    unordered_hash: str = ""
    """As exact_hash, whatever the order of the keys; empty in the files of older versions."""
