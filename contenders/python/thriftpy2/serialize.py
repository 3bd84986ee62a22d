"""An object that was made of bytes."""

from typing import Any

from serbench_document import root
from thriftpy2.protocol.compact import TCompactProtocolFactory
from thriftpy2.utils import deserialize, serialize

protocol = TCompactProtocolFactory()


def read(data: bytes) -> Any:
    """Before the clock runs."""
    return deserialize(root(), data, protocol)


def write(made: Any) -> bytes:
    """Its bytes."""
    return serialize(made, protocol)
