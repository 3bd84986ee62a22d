"""An object that is filled from the program's own objects."""

from typing import Any

from serbench_document import fill
from thriftpy2.protocol.compact import TCompactProtocolFactory
from thriftpy2.utils import serialize

protocol = TCompactProtocolFactory()


def write(document: Any) -> bytes:
    """A new object for each document."""
    return serialize(fill(document), protocol)
