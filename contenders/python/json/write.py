"""What json.dumps makes of the tree; the harness encodes the string."""

from json import dumps as write

__all__ = ["write"]
