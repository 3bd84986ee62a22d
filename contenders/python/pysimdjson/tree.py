"""What simdjson.loads makes of the bytes."""

from simdjson import loads as read

__all__ = ["read"]
