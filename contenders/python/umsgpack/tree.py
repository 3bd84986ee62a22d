"""What umsgpack.unpackb makes of the bytes."""

from umsgpack import unpackb as read

__all__ = ["read"]
