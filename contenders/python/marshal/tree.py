"""What marshal.loads makes of the bytes."""

from marshal import loads as read

__all__ = ["read"]
