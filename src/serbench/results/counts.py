"""Rows of microcontrollers as version 1 of the run file's schema had them: a list of its own, `counts`."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from serbench.catalog.tests import ROUNDTRIP
from serbench.records import Record
from serbench.results.schema import RowRecord, Run

_FORMATS = {"json": "JSON", "messagepack": "MessagePack", "cbor": "CBOR", "protobuf": "Protocol Buffers"}


class Count(Record, kw_only=True):
    """A row of the test `roundtrip` as run files of version 1 have it, and the JSON export and the page."""

    platform: str
    contender: str
    contender_id: str
    format: str
    document: str
    real_life: bool = False
    status: Literal["ok", "failed", "unavailable", "unsupported"]
    reason: str = ""
    output: str = ""
    """The last of what the compiler or the firmware said, of a row that failed."""
    labels: list[str] = msgspec.field(default_factory=list)
    library_version: str = ""
    origin: str = ""
    api: str = ""
    input_bytes: int | None = None
    """The size of the encoding that was deserialized."""
    bytes: int | None = None
    """The size of the encoding that was serialized."""
    deserialize_first: int | float | None = None
    """The first call, in the platform's unit: counts less an empty region's, or microseconds."""
    deserialize: int | float | None = None
    """A repeated call."""
    serialize_first: int | float | None = None
    serialize: int | float | None = None
    deserialize_stack: int | None = None
    """Bytes of stack below the caller's."""
    serialize_stack: int | None = None
    deserialize_memory: int | None = None
    """The most bytes in use that were allocated, or that the document takes of its fixed memory."""
    serialize_memory: int | None = None
    flash: int | None = None
    """Text and data of the program less those of the same program without a library."""
    content_hash: str = ""
    exact_hash: str = ""
    """With decimals as 32-bit floats."""


METRICS = (
    *("input_bytes", "deserialize_first", "deserialize", "serialize_first", "serialize", "deserialize_stack"),
    *("serialize_stack", "deserialize_memory", "serialize_memory", "flash"),
)
"""The names of the metrics of a `roundtrip`."""


def rows_of(counts: Sequence[Count], first: int = 0) -> list[RowRecord]:
    """Return the rows that `counts` are, numbered from `first` on.

    The first format of a contender is its own; any other is a variant of that name.
    """
    own: dict[str, str] = {}
    rows = []
    for number, count in enumerate(counts, start=first):
        variant = "" if own.setdefault(count.contender_id, count.format) == count.format else count.format
        told = msgspec.structs.asdict(count)
        metrics = {name: value for name in METRICS if (value := told.pop(name)) is not None}
        rows.append(
            RowRecord(
                id=number,
                row=":".join(filter(None, (count.contender_id, ROUNDTRIP, variant))),
                language="firmware",
                language_name="firmware",
                harness="firmware",
                format_name=_FORMATS.get(count.format, count.format),
                test=ROUNDTRIP,
                variant=variant,
                dataset=told.pop("document"),
                profile="size",
                metrics=metrics,
                **told,
            )
        )
    return rows


def has_counts(run: Run) -> bool:
    """Tell whether `run` has rows of microcontrollers or boards."""
    return any(row.test == ROUNDTRIP for row in run.rows)


def counts_of(run: Run) -> list[Count]:
    """Return the rows of microcontrollers and boards in `run` as version 1 had them."""
    rows = [row for row in run.rows if row.test == ROUNDTRIP]
    told = [row.metrics | msgspec.structs.asdict(row) | {"document": row.dataset} for row in rows]
    return [Count(**{name: row[name] for name in Count.__struct_fields__ if name in row}) for row in told]


def header_of(run: Run) -> dict[str, Any]:
    """Return the fields of `run` but for rows, samples, failures and summary; and `counts`."""
    header: dict[str, Any] = {}
    for name, value in msgspec.to_builtins(run).items():
        if name not in ("rows", "samples", "failures", "summary"):
            header[name] = value
        if name == "platforms":
            header["counts"] = msgspec.to_builtins(counts_of(run))
    return header
