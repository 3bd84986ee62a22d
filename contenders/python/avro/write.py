"""One record without a container, to a stream in memory."""

import json
from io import BytesIO
from typing import Any

from avro.io import BinaryEncoder, DatumWriter
from avro.schema import parse
from serbench_document import root

datum = DatumWriter(parse(json.dumps(root)))


def write(record: Any) -> bytes:
    """The record's bytes."""
    stream = BytesIO()
    datum.write(record, BinaryEncoder(stream))
    return stream.getvalue()
