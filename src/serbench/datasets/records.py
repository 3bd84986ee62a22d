"""What is known of a dataset."""

from serbench.records import Record


class Encoding(Record):
    """The canonical encoding of a dataset in one format."""

    bytes: int | None = None
    hash: str = ""
    reason: str = ""
    """Why there is none."""


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
