"""What orjson.dumps makes of the dataclasses."""

from orjson import dumps as write

__all__ = ["write"]
