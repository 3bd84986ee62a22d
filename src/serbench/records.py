"""The base of the records that a run file consists of."""

import msgspec


class Record(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The base of every record. Unknown fields are ignored, so a newer minor version can be read."""
