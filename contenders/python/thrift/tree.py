"""The object of the bytes."""

from typing import Any

from serbench_document import root
from thrift.protocol.TCompactProtocol import TCompactProtocolAcceleratedFactory
from thrift.TSerialization import deserialize

protocol = TCompactProtocolAcceleratedFactory(fallback=False)


def read(data: bytes) -> Any:
    """A new object for each document."""
    return deserialize(root(), data, protocol)
