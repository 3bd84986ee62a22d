"""Into dicts, by the schema of the writer."""

import json
from io import BytesIO
from typing import Any

from avro.io import BinaryDecoder, DatumReader
from avro.schema import parse
from serbench_document import root

datum = DatumReader(parse(json.dumps(root)))


def read(data: bytes) -> Any:
    """The record of some bytes."""
    return datum.read(BinaryDecoder(BytesIO(data)))
