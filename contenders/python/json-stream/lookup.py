"""Values of a document that is read as far as they are."""

from io import BytesIO
from typing import Any

import json_stream


def read(data: bytes) -> Any:
    """The root, which keeps what it passes."""
    return json_stream.load(BytesIO(data), persistent=True)
