"""What ssrjson.dumps_to_bytes makes of the tree."""

from ssrjson import dumps_to_bytes as write

__all__ = ["write"]
