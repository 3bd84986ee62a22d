"""What msgpack.packb makes of the tree."""

from msgpack import packb as write

__all__ = ["write"]
