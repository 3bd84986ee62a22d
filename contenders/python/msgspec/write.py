"""What msgspec.json.encode makes of the tree."""

from msgspec.json import encode as write

__all__ = ["write"]
