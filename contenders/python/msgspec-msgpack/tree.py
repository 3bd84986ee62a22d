"""What msgspec.msgpack.decode makes of the bytes."""

from msgspec.msgpack import decode as read

__all__ = ["read"]
