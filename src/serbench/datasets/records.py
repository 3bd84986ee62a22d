"""What is known of a dataset."""

from typing import Annotated

import msgspec

from serbench.records import Record


class Compressed(Record):
    """An encoding after a general compressor."""

    bytes: int
    """The compressed size; of messages, the sum of what each makes by itself."""
    nanoseconds: float
    """The shortest time that compression in memory took, of all messages together."""


class Encoding(Record):
    """The canonical encoding of a dataset in one format."""

    bytes: int | None = None
    """Its size."""
    hash: str = ""
    """Hash of its bytes."""
    reason: str = ""
    """Why there is none."""
    compressed: dict[str, Compressed] = {}
    """Its size after general compressors, by their name and level: `gzip -6`."""


class DatasetRecord(Record):
    """A dataset as it was measured.

    The times in the samples, `bytes`, `instructions` and Heap are always those of a whole iteration, which
    handles every message once; `bytes` of an Encoding are those of all messages together. Reports divide them
    by `messages`.
    """

    name: str
    """What the user asked for, or a file's name without its folder."""
    tape_sha256: str
    """SHA-256 of the dataset's tape, 64 hexadecimal digits."""
    content_hash: str
    """Hash in which every double counts the same."""
    exact_hash: str
    """Hash in which every bit of a double counts."""
    nodes: int
    """Values in it, containers included."""
    depth: int
    """How deeply containers are nested."""
    encodings: dict[str, Encoding] = {}
    """Its canonical encodings."""
    messages: Annotated[int, msgspec.Meta(ge=1)] = 1
    """How many messages it consists of, each written and read by itself."""
    schema: str = ""
    """The schema (docs/schemas.md) of rows whose code is generated; empty without such rows."""
    unordered_hash: str = ""
    """`exact_hash` by the rule that does not depend on the order of keys; empty in the files of older
    versions."""
