"""What ujson.loads makes of the bytes."""

from ujson import loads as read

__all__ = ["read"]
