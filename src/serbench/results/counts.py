"""Rows of microcontrollers as version 1 of the run file's schema had them: a list of its own, `counts`."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from serbench.catalog.records import ROUNDTRIP
from serbench.records import Record
from serbench.results.schema import RowRecord, Run

_FORMATS = {"json": "JSON", "messagepack": "MessagePack", "cbor": "CBOR", "protobuf": "Protocol Buffers"}
_SAME = (
    "platform",
    "contender",
    "contender_id",
    "format",
    "real_life",
    "status",
    "reason",
    "output",
    "labels",
    *("library_version", "origin", "api", "bytes", "content_hash", "exact_hash"),
)


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
    """Of the encoding that was deserialized."""
    bytes: int | None = None
    """Of the encoding that was serialized."""
    deserialize_first: int | float | None = None
    """Of the first call, in the platform's unit: counts less an empty region's, or microseconds."""
    deserialize: int | float | None = None
    """Of a repeated call."""
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


METRICS = tuple(
    field.name for field in msgspec.structs.fields(Count) if field.name not in (*_SAME, "document")
)
"""The names of the metrics of a `roundtrip`."""


def is_roundtrip(row: RowRecord) -> bool:
    """Tell whether `row` is of a microcontroller or a real board, with metrics in the place of times."""
    return row.test == ROUNDTRIP


def roundtrips(run: Run, platform: str | None = None) -> list[RowRecord]:
    """Return the rows of microcontrollers and boards in `run`, or those of one platform."""
    return [row for row in run.rows if is_roundtrip(row) and platform in (None, row.platform)]


def rows_of(counts: Sequence[Count], first: int = 0) -> list[RowRecord]:
    """Return the rows that `counts` are, numbered from `first` on.

    The first format of a contender is its own; any other is a variant of that name.
    """
    own: dict[str, str] = {}
    rows = []
    for number, count in enumerate(counts, start=first):
        variant = "" if own.setdefault(count.contender_id, count.format) == count.format else count.format
        figures = {name: getattr(count, name) for name in METRICS}
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
                dataset=count.document,
                profile="size",
                metrics={name: value for name, value in figures.items() if value is not None},
                **{name: getattr(count, name) for name in _SAME},
            )
        )
    return rows


def counts_of(run: Run) -> list[Count]:
    """Return the rows of microcontrollers and boards in `run` as version 1 had them."""
    return [
        Count(
            document=row.dataset,
            **{name: getattr(row, name) for name in _SAME},
            **{name: row.metrics.get(name) for name in METRICS},  # type: ignore[arg-type]
        )
        for row in roundtrips(run)
    ]


def header_of(run: Run) -> dict[str, Any]:
    """Return the fields of `run` but for rows, samples, failures and summary; and `counts`."""
    header: dict[str, Any] = {}
    for name, value in msgspec.to_builtins(run).items():
        if name not in ("rows", "samples", "failures", "summary"):
            header[name] = value
        if name == "platforms":
            header["counts"] = msgspec.to_builtins(counts_of(run))
    return header
