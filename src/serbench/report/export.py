"""Rows for other programs: CSV and JSON, one record a row."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from serbench.catalog.tests import ROUNDTRIP
from serbench.results.analysis import analyse
from serbench.results.counts import header_of
from serbench.results.metrics import METRICS
from serbench.results.schema import Run
from serbench.text import visible

KNOWN = (
    *("run", "id", "row", "contender", "contender_id", "language", "language_name", "library_version"),
    *("format", "format_name", "test", "variant", "dataset", "profile", "role", "status", "reason"),
    *("output", "rank", "net_ns", "net_low_ns", "net_high_ns", "raw_ns", "raw_low_ns", "raw_high_ns"),
    *(
        "typical_ns",
        "harness_share",
        "harness_share_low",
        "harness_share_high",
        "bytes",
        "hash",
        "labels",
        "launches",
    ),
    *("few_samples", "at_floor", "short_runs_ns", "short_runs_deviation_ns", "short_runs_net_ns"),
    *("short_runs_net_deviation_ns", "heap_allocations", "heap_bytes", "heap_peak", "origin", "compiler"),
    *("flags", "api", "verified_by", "toolchain", "allocator", "code_size", "code_size_reason"),
    *("instructions", "instructions_reason", "messages", "bundle_size", "platform", "rank_last"),
    *("page_faults", "takes_invalid", "refuses_valid", "cpu", "load_ns", "installed_bytes"),
    *("generated_lines", "build_seconds"),
)
"""The order that exports have always had."""
FIELDS = [*KNOWN, *(name for metric in METRICS for name in metric.fields if name not in KNOWN)]
"""What an exported row has. A new metric comes at the end, where no program expects another one."""
FIRST = [
    *("run", "contender", "language", "library_version", "format", "test", "variant", "dataset", "profile"),
    *("status", "reason", "rank", "net_ns", "net_low_ns", "net_high_ns", "raw_ns", "typical_ns"),
    *("harness_share", "bytes", "hash", "labels"),
]
COLUMNS = FIRST + [name for name in FIELDS if name not in FIRST]
DANGEROUS = ("=", "+", "-", "@")
DECIMALS = 6


def csv_field(value: object) -> str:
    """Return `value` as a field: empty for None, and never what a spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        # Beyond a millionth of a nanosecond there is only the rounding of the arithmetic.
        return repr(round(value, DECIMALS))
    if isinstance(value, int):
        return str(value)
    content = visible("; ".join(value) if isinstance(value, list) else str(value))
    # A spreadsheet would take it for a formula and run it.
    return "'" + content if content.lstrip().startswith(DANGEROUS) else content


def csv_table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    r"""Return `rows` as CSV with a header line.

    What is not known is an empty field. Lists are joined by `; `. Line breaks and control characters
    are shown as `\n` or `\x1b`. A text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([csv_field(value) for value in row] for row in rows)
    return out.getvalue()


def _records(runs: Iterable[Run], names: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the fields `names` of each row: those of its result, and what only its record has.

    The rows of microcontrollers have none of them: they are the `counts` of their run.
    """
    for run in runs:
        for row in analyse(run):
            if row.record.test == ROUNDTRIP:
                continue
            found = {"run": run.id} | msgspec.structs.asdict(row.record) | msgspec.structs.asdict(row.result)
            yield {name: found[name] for name in names}


def to_csv(runs: list[Run]) -> str:
    """Return the rows of all `runs` as CSV with a header line, in the order of the tables."""
    return csv_table(COLUMNS, [record.values() for record in _records(runs, COLUMNS)])


def to_json(runs: list[Run]) -> str:
    """Return the rows of all `runs` as JSON: `rows`, and `runs` with what each run says of itself."""
    found = {"runs": [header_of(run) for run in runs], "rows": list(_records(runs, FIELDS))}
    # Only ASCII: whatever a name contains, a terminal shows it as an escape.
    return json.dumps(found, indent=2, allow_nan=False) + "\n"
