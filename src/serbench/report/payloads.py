"""The payload limits as a table."""

from collections.abc import Iterable, Sequence

import msgspec
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from serbench.probe.records import Direction, Payload
from serbench.report import text
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
    asked = f"a heap of {', '.join(map(str, numbers))} MB" if numbers else "Node's default heap"
    return f"{asked} (V8's own limit: {shown})" if shown else asked


def _numbers(told: set[int | None]) -> list[int]:
    return sorted(number for number in told if number is not None)


def caption(run: Run) -> Sequence[str]:
    """Return what must be known about the table."""
    return (
        f"With {heap_of(run)}; a process for each size, encoding and decoding apart. The sizes are the steps "
        "of the 2020 comparison, each an eighth more rows than the one before, above 10 MB a quarter. "
        "Limited by the input: the plain objects alone do not fit either, or what is to be read cannot be "
        "made.",
    )


def console_payloads(run: Run) -> Iterable[RenderableType]:
    """Yield the title, the table, what libraries said, and the caption."""
    yield Text(TITLE, style="bold")
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="bold")
    table.add_column("contender", overflow="fold")
    for name in DIRECTIONS:
        table.add_column(name, justify="right", no_wrap=True)
        table.add_column("ended by", overflow="fold")
    found = lines(run)
    for line in found:
        cells = [Text(part) for name in DIRECTIONS for part in line.cells[name]]
        table.add_row(Text(text.visible(line.name)), *cells)
    yield table
    for line in found:
        for reason in line.reasons:
            yield Text(text.visible(f"{line.name}, {reason}"), style="dim", overflow="fold")
    for sentence in caption(run):
        yield Text(sentence, style="dim")
