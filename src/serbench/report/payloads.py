"""The payload limits as a table."""

import msgspec

from serbench import text
from serbench.probe.records import Direction, Payload
from serbench.report.document import Column, Item, List, Paragraph, Row, Section, Table
from serbench.results.schema import Run

TITLE = "Payload limit: the largest records that go through, in MB of JSON"
DIRECTIONS: tuple[Direction, ...] = ("encode", "decode")
CLASSES = {
    "heap": "out of heap",
    "memory": "out of the machine's memory",
    "string length": "longest string",
    "buffer length": "longest buffer",
    "array length": "longest array",
    "stack": "stack",
    "range error": "range error",
    "wrong hash": "wrong hash",
    "time": "time",
    "crash": "crash",
    "error": "error",
    "input": "no input",
}


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A library's row: for each direction the limit, and why it is one."""

    name: str
    format: str
    version: str
    cells: dict[str, tuple[str, str]]
    reasons: list[str]
    """What was said where a limit is the library's own, by direction."""


def lines(run: Run) -> list[Line]:
    """Return the table's rows, those with the largest limit first."""
    by_contender: dict[str, dict[str, Payload]] = {}
    for record in run.payloads:
        by_contender.setdefault(record.contender_id, {})[record.direction] = record
    found = [_line(records) for records in by_contender.values()]
    order = {id(line): _largest(records) for line, records in zip(found, by_contender.values(), strict=True)}
    return sorted(found, key=lambda line: (-order[id(line)], line.name))


def _largest(records: dict[str, Payload]) -> float:
    return max((record.megabytes or 0.0 for record in records.values()), default=0.0)


def _line(records: dict[str, Payload]) -> Line:
    first = next(iter(records.values()))
    return Line(
        name=first.contender,
        format=first.format_name or first.format,
        version=first.library_version,
        cells={name: _cell(records.get(name)) for name in DIRECTIONS},
        reasons=[
            f"{name}: {record.reason}"
            for name, record in records.items()
            if record.reason and (record.failure not in ("heap", "time") or record.status != "ok")
        ],
    )


def _cell(record: Payload | None) -> tuple[str, str]:
    """Return the limit and the reason of one direction."""
    if record is None:
        return text.NONE, ""
    if record.status == "unavailable":
        return text.NONE, "unavailable"
    if record.failed_megabytes is None:
        return f"≥ {text.significant(record.megabytes, 3)}", "not reached"
    limit = text.significant(record.megabytes, 3) if record.megabytes is not None else "< 0.1"
    why = CLASSES.get(record.failure, record.failure)
    return limit, f"limited by the input ({why})" if record.limited_by_input else why


def heap_of(run: Run) -> str:
    """Return in words how large the heap was."""
    told = {record.heap_mb for record in run.payloads if record.status != "unavailable"}
    limits = {record.heap_limit for record in run.payloads if record.heap_limit is not None}
    shown = " and ".join(text.size(limit) for limit in sorted(limits))
    numbers = _numbers(told)
    asked = f"a heap of {', '.join(map(str, numbers))} MB" if numbers else "the runtime's default heap"
    return f"{asked} (the runtime's own limit: {shown})" if shown else asked


def _numbers(told: set[int | None]) -> list[int]:
    return sorted(number for number in told if number is not None)


def payload_section(run: Run) -> Section:
    """Return the table, what libraries said of their limits, and what must be known about it."""
    columns = [Column("contender", priority=10, least=12, most=30), Column("format", priority=40)]
    columns.append(Column("version", priority=50))
    for name in DIRECTIONS:
        columns += [Column(name, align="point"), Column("ended by", priority=20, least=14)]
    found = lines(run)
    rows = [
        Row(
            [
                line.name,
                line.format,
                line.version,
                *(part for name in DIRECTIONS for part in line.cells[name]),
            ]
        )
        for line in found
    ]
    said = [Item(line.name, reason) for line in found for reason in line.reasons]
    caption = (
        f"With {heap_of(run)}; a process for each size, encoding and decoding apart. The sizes are the steps "
        "of the 2020 comparison, each an eighth more rows than the one before, above 10 MB a quarter. "
        "Limited by the input: the plain objects alone do not fit either, or what is to be read cannot be "
        "made."
    )
    section = Section(TITLE, [Table(columns, rows)], level=3)
    section.blocks += [List(said)] if said else []
    section.blocks.append(Paragraph(caption, "dim"))
    return section
