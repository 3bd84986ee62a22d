"""What msgspec.msgpack.encode makes of the tree."""

from msgspec.msgpack import encode as write

__all__ = ["write"]
