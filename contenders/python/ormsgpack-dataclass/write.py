"""What ormsgpack.packb makes of the dataclasses."""

from ormsgpack import packb as write

__all__ = ["write"]
