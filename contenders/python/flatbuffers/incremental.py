"""The table of the bytes, which its accessors read in place."""

from serbench_document import root, walk

__all__ = ["read", "walk"]

read = root
