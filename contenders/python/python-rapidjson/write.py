"""What rapidjson.dumps makes of the tree."""

from rapidjson import dumps as write

__all__ = ["write"]
