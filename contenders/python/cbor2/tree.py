"""What cbor2.loads makes of the bytes."""

from cbor2 import loads as read

__all__ = ["read"]
