"""What ormsgpack.unpackb makes of the bytes."""

from ormsgpack import unpackb as read

__all__ = ["read"]
