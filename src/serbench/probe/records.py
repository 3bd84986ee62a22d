"""What the probes of fidelity and of the payload limit find out."""

from typing import Literal

import msgspec

from serbench.records import Record

Mark = Literal["same", "form", "changed", "refused", "polluted", "failed"]
"""What became of a value; a `form` is the same value as another type, `failed` a process that ended."""
CarriedKind = Literal[
    "prototype", "getter", "wrapper", "renamed", "own", "inherited", "missing", "changed"
]


class Carried(Record):
    """Something that a decoded document has besides its data, or has not."""

    kind: CarriedKind
    where: str = ""
    """The place in the document: `items[].x`; empty for its root."""
    what: str = ""


class Fate(Record):
    """What became of one value."""

    probe: str
    """The value's name: `2^53+1n`."""
    mark: Mark
    """Of the library's own round trip."""
    at: Literal["", "write", "read"] = ""
    """Where it was refused."""
    found: str = ""
    """What came back, or what the library said."""
    peer: str = ""
    """Another library of the format, whose bytes with this value were read too."""
    peer_mark: Literal["", "same", "form", "changed", "refused", "polluted", "failed"] = ""
    peer_found: str = ""


class Fidelity(Record, kw_only=True):
    """What one library, in one variant, does to odd values, and what its decoded objects carry."""

    contender: str
    contender_id: str
    variant: str = ""
    format: str
    format_name: str = ""
    library_version: str = ""
    status: Literal["ok", "failed", "unavailable"] = "ok"
    reason: str = ""
    carries: list[Carried] = msgspec.field(default_factory=list)
    values: list[Fate] = msgspec.field(default_factory=list)
    """Those that the format has; a schema's has no Date, for example."""
