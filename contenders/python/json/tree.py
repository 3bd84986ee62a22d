"""What json.loads makes of the bytes."""

from json import loads as read

__all__ = ["read"]
