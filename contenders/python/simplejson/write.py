"""What simplejson.dumps makes of the tree."""

from simplejson import dumps as write

__all__ = ["write"]
