"""What jiter.from_json makes of the bytes."""

from jiter import from_json as read

__all__ = ["read"]
