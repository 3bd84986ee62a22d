"""What simpleion.dumps makes of the tree: binary Ion."""

from amazon.ion.simpleion import dumps as write

__all__ = ["write"]
