"""What pickle.loads makes of the bytes."""

from pickle import loads as read

__all__ = ["read"]
