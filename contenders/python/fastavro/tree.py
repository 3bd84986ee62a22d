"""Into dicts, by the schema of the writer."""

from io import BytesIO
from typing import Any

from fastavro import parse_schema, schemaless_reader
from serbench_document import root

schema = parse_schema(root)


def read(data: bytes) -> Any:
    """The record of some bytes."""
    return schemaless_reader(BytesIO(data), schema, None)
