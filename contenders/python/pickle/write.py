"""What pickle.dumps makes of the tree."""

from pickle import dumps as write

__all__ = ["write"]
