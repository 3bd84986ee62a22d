"""What rapidjson.loads makes of the bytes."""

from rapidjson import loads as read

__all__ = ["read"]
