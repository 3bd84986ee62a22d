"""One record without a container, to a stream in memory."""

from io import BytesIO
from typing import Any

from fastavro import parse_schema, schemaless_writer
from serbench_document import root

schema = parse_schema(root)


def write(record: Any) -> bytes:
    """The record's bytes."""
    stream = BytesIO()
    schemaless_writer(stream, schema, record)
    return stream.getvalue()
