"""Into dataclasses."""

from pickle import loads as read

__all__ = ["read"]
