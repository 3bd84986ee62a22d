"""What ujson.dumps makes of the tree."""

from ujson import dumps as write

__all__ = ["write"]
