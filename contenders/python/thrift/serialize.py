"""An object that was made of bytes."""

from typing import Any

from serbench_document import root
from thrift.protocol.TCompactProtocol import TCompactProtocolAcceleratedFactory
from thrift.TSerialization import deserialize, serialize

protocol = TCompactProtocolAcceleratedFactory(fallback=False)


def read(data: bytes) -> Any:
    """Before the clock runs."""
    return deserialize(root(), data, protocol)


def write(made: Any) -> bytes:
    """Its bytes."""
    return serialize(made, protocol)
