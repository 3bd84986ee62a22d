"""The object of the bytes."""

from typing import Any

from serbench_document import root
from thriftpy2.protocol.compact import TCompactProtocolFactory
from thriftpy2.utils import deserialize

protocol = TCompactProtocolFactory()


def read(data: bytes) -> Any:
    """A new object for each document."""
    return deserialize(root(), data, protocol)
