"""What ormsgpack.packb makes of the tree."""

from ormsgpack import packb as write

__all__ = ["write"]
