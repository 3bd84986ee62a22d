"""What ssrjson.loads makes of the bytes."""

from ssrjson import loads as read

__all__ = ["read"]
