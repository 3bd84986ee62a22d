"""What cbor2.dumps makes of the tree."""

from cbor2 import dumps as write

__all__ = ["write"]
