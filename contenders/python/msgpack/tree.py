"""What msgpack.unpackb makes of the bytes."""

from msgpack import unpackb as read

__all__ = ["read"]
