"""What orjson.dumps makes of the tree."""

from orjson import dumps as write

__all__ = ["write"]
