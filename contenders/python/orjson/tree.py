"""What orjson.loads makes of the bytes."""

from orjson import loads as read

__all__ = ["read"]
