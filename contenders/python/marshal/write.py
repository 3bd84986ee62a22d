"""What marshal.dumps makes of the tree."""

from marshal import dumps as write

__all__ = ["write"]
