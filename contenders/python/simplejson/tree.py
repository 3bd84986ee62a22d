"""What simplejson.loads makes of the bytes."""

from simplejson import loads as read

__all__ = ["read"]
