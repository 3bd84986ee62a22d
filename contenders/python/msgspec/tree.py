"""What msgspec.json.decode makes of the bytes."""

from msgspec.json import decode as read

__all__ = ["read"]
