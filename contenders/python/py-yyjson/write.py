"""What yyjson.dumps makes of the tree."""

from yyjson import dumps as write

__all__ = ["write"]
