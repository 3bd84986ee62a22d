"""The payload limits as a table."""

from serbench import text
from serbench.report.document import Column, Item, List, Paragraph, Section, Table, TableRow
from serbench.results.probes import Direction, Payload
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
    numbers = sorted(number for number in told if number is not None)
    asked = f"a heap of {', '.join(map(str, numbers))} MB" if numbers else "the runtime's default heap"
    return f"{asked} (the runtime's own limit: {shown})" if shown else asked


def libraries(run: Run) -> list[dict[Direction, Payload]]:
    """Return the records of each library by direction, those with the largest limit first."""
    found: dict[str, dict[Direction, Payload]] = {}
    for record in run.payloads:
        found.setdefault(record.contender_id, {})[record.direction] = record

    def place(records: dict[Direction, Payload]) -> tuple[float, str]:
        largest = max(record.megabytes or 0.0 for record in records.values())
        return -largest, next(iter(records.values())).contender

    return sorted(found.values(), key=place)


def cells_of(records: dict[Direction, Payload]) -> list[str]:
    """Return a library's cells: what it is, and for each direction the limit and why it is one."""
    first = next(iter(records.values()))
    limits = [part for name in DIRECTIONS for part in _cell(records.get(name))]
    return [first.contender, first.format_name or first.format, first.library_version, *limits]


def _said(record: Payload) -> bool:
    """Tell whether the limit is the library's own, so that what it said of it is of use."""
    return bool(record.reason) and (record.failure not in ("heap", "time") or record.status != "ok")


def payload_section(run: Run, _detailed: bool = False) -> Section:
    """Return the table, what libraries said of their limits, and what must be known about it."""
    columns = [Column("contender", priority=10, least=12, most=30), Column("format", priority=40)]
    columns.append(Column("version", priority=50))
    for name in DIRECTIONS:
        columns += [Column(name, align="point"), Column("ended by", priority=20, least=14)]
    found = libraries(run)
    said = [
        Item(record.contender, f"{record.direction}: {record.reason}")
        for records in found
        for record in records.values()
        if _said(record)
    ]
    caption = (
        f"With {heap_of(run)}; a process for each size, encoding and decoding apart. The sizes are the steps "
        "of the 2020 comparison, each an eighth more rows than the one before, above 10 MB a quarter. "
        "Limited by the input: the plain objects alone do not fit either, or what is to be read cannot be "
        "made."
    )
    section = Section(TITLE, [Table(columns, [TableRow(cells_of(records)) for records in found])], level=3)
    section.blocks += [List(said)] if said else []
    section.blocks.append(Paragraph(caption, "dim"))
    return section
