"""What umsgpack.packb makes of the tree."""

from umsgpack import packb as write

__all__ = ["write"]
