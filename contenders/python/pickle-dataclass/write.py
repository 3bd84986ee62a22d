"""What pickle.dumps makes of the dataclasses."""

from pickle import dumps as write

__all__ = ["write"]
