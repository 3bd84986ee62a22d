"""The base of the records that a run file consists of."""

from typing import Annotated

import msgspec

Natural = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""A number or a count, 0 or above."""
Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A number of any sign that JSON readers with 64-bit integers can read."""


class Record(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The base of every record. Unknown fields are ignored, so a newer minor version can be read."""
