"""An object that is filled from the program's own objects."""

from typing import Any

from serbench_document import fill
from thrift.protocol.TCompactProtocol import TCompactProtocolAcceleratedFactory
from thrift.TSerialization import serialize

protocol = TCompactProtocolAcceleratedFactory(fallback=False)


def write(document: Any) -> bytes:
    """A new object for each document."""
    return serialize(fill(document), protocol)
