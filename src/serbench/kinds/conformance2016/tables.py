"""The 2016 suite's tables of one size of data: the baselines, and a table for each test."""

import math
from collections.abc import Sequence

from serbench import text
from serbench.catalog.tests import USUAL
from serbench.kinds.conformance2016.facts import BASELINES
from serbench.kinds.conformance2016.times import FIXED, Times, whole_spread
from serbench.measure.short_runs import Spread
from serbench.report.document import Block, Column, Paragraph, Table, TableRow
from serbench.report.view import why
from serbench.results.analysis import RowSummary
from serbench.results.naming import configurations_of, names_of

TITLES = {"write": "Write Test", "tree": "Tree Test", "incremental": "Incremental Parse Test"}
SORTED = " ▲"
"""Marks the column by which a table is sorted."""
ALWAYS_SHOWN = ("", "in-situ")
"""The variants that stand in the short tables too; the others need the extended ones."""
INSTRUCTIONS = "Instructions"
"""The title in the place of times, on an emulated platform."""


def counted_rows(rows: list[RowSummary]) -> bool:
    """Return whether the rows are of an emulated platform: instructions stand in the place of times."""
    return any(row.record.platform for row in rows)


def tables(
    rows: list[RowSummary], times: dict[int, Times], wholes: dict[int, int | None], extended: bool
) -> list[Block]:
    """Return the tables of `rows`, of one size, profile and place; `wholes` are sizes of code by row id."""
    found = _baselines(rows, wholes)
    for test in USUAL:
        found += _test([row for row in rows if row.record.test == test], test, times, extended)
    return found


def _blocks(table: Table, notes: Sequence[str]) -> list[Block]:
    """Return a table with the notes below it; nothing where there are neither rows nor notes."""
    if not (table.rows or notes):
        return []
    return [table, *(Paragraph(note, "italic") for note in notes)]


def _measure(spread: Spread | None, counted: bool, extended: bool) -> str:
    """Return a time in microseconds, or a count, which has no deviation."""
    if counted and spread is not None:
        return f"{spread.mean:,.0f}"
    return plus_minus(spread, 1e3, extended)


def plus_minus(spread: Spread | None, scale: float, extended: bool) -> str:
    """Return a mean over `scale`, in extended tables with its deviation."""
    if spread is None:
        return text.NONE
    mean = f"{spread.mean / scale:.2f}"
    return f"{mean} ± {spread.deviation / scale:.2f}" if extended else mean


def _baselines(rows: list[RowSummary], wholes: dict[int, int | None]) -> list[Block]:
    """Return the hash comparisons: for either kind of test the fixed block, or what stands in for it."""
    counted = counted_rows(rows)
    what = "Instructions are all of them" if counted else "Time is the whole time"
    table = Table(
        [
            Column("Benchmark"),
            Column(INSTRUCTIONS if counted else "Time\n(µs)", align="right"),
            Column("Code Size\n(bytes)", align="right"),
            Column("Comparison"),
        ],
        title="Hash Comparisons",
    )
    baselines = [row for row in rows if row.record.role == "baseline" and (row.measured or whole_spread(row))]
    fixed = {
        row.record.test for row in baselines if row.record.variant == FIXED and row.record.test in BASELINES
    }
    configurations = configurations_of([row.record for row in baselines])
    for row in baselines:
        if row.record.variant == FIXED and row.record.test in fixed:
            name, tests = f"{row.record.row} ({BASELINES[row.record.test]})", [row.record.test]
            tests += ["incremental"] if row.record.test == "tree" else []
        elif row.record.variant or ("write" if row.record.test == "write" else "tree") in fixed:
            continue
        else:
            name, tests = row.record.row, [row.record.test]
        cells = [
            " · ".join(filter(None, (name, configurations[row.result.id]))),
            _measure(whole_spread(row), counted, extended=True),
            wholes[row.result.id],
            f"subtracted from {' and '.join(test.capitalize() for test in tests)} tests",
        ]
        table.rows.append(TableRow(cells))
    notes = []
    if table.rows:
        does = (
            "of hashing a block of random bytes of the suite's size, or of copying it and then walking and "
            "hashing the value tree"
            if fixed
            else "that of the group's baseline, which handles its smallest encoding"
        )
        notes.append(f"{what}: {does}. Code Size is that of the harness, which is subtracted below.")
    return _blocks(table, notes)


def _test(rows: list[RowSummary], test: str, times: dict[int, Times], extended: bool) -> list[Block]:
    records = [row.record for row in rows]
    names, configurations = names_of(records), configurations_of(records)
    contenders = [row for row in rows if row.record.role == "contender"]
    shown = [row for row in contenders if extended or row.record.variant in ALWAYS_SHOWN]
    by_size = bool(rows) and rows[0].record.profile == "size"
    counted = counted_rows(rows)
    measured = sorted(
        (row for row in shown if row.result.id in times), key=lambda row: _place(row, times, by_size)
    )
    marks = ("", SORTED) if by_size else (SORTED, "")
    columns = [Column("Library"), *([] if extended else [Column("Benchmark")]), Column("Format")]
    measure = INSTRUCTIONS if counted else "Time\n(µs)"
    columns.append(Column(measure + marks[0], align="right"))
    columns.append(Column(f"Code Size\n(bytes){marks[1]}", align="right"))
    overhead = f"{INSTRUCTIONS if counted else 'Time'}\nOverhead"
    columns += [Column(overhead, align="right"), Column("Hash", align="right")] if extended else []
    table = Table(columns, title=TITLES[test])
    for row in measured:
        of_row = times[row.result.id]
        cells: list[object] = [_library(row, configurations[row.result.id], extended)]
        cells += [] if extended else [row.record.row]
        cells += [row.record.format_name, _measure(of_row.net, counted, extended), row.result.code_size]
        cells += [plus_minus(of_row.overhead, 1.0, not counted), row.record.hash] if extended else []
        table.rows.append(TableRow(cells))
    notes = _notes(measured, times, extended, test)
    notes += [
        f"No Code Size: {names[row.result.id]}: {' '.join(row.record.code_size_reason.split())}."
        for row in measured
        if row.result.code_size is None and row.record.code_size_reason
    ]
    notes += [
        f"Without figures: {names[row.result.id]}: {why(row.result)}."
        for row in shown
        if row.result.id not in times
    ]
    return _blocks(table, notes)


def _place(row: RowSummary, times: dict[int, Times], by_size: bool) -> tuple[float, float, int]:
    time = times[row.result.id].net.mean
    size = math.inf if row.result.code_size is None else row.result.code_size
    return (size, time, row.result.id) if by_size else (time, 0.0, row.result.id)


def _library(row: RowSummary, configuration: str, extended: bool) -> str:
    """Return a row's name as the suite wrote it: library, version, variant, language if extended."""
    parts = [row.record.contender]
    parts += [f"({row.record.library_version})"] if row.record.library_version else []
    parts += [f"[{row.record.variant}]"] if row.record.variant else []
    parts += [f"({row.record.language_name})"] if extended else []
    return " · ".join(part for part in (" ".join(parts), configuration) if part)


def _notes(rows: list[RowSummary], times: dict[int, Times], extended: bool, test: str) -> list[str]:
    if not rows:
        return []
    what = BASELINES["write" if test == "write" else "tree"]
    fixed = [row for row in rows if times[row.result.id].fixed]
    plain = [row for row in rows if not times[row.result.id].fixed and times[row.result.id].baseline]
    bare = [row for row in rows if not times[row.result.id].baseline]
    counted = counted_rows(rows)
    net = "Instructions are net: those of" if counted else "Times are net: the time of"
    sign = "are" if counted else "is"
    notes = [f"{net} {what} {sign} subtracted. Lower is better in every column of figures."]
    if not fixed:
        notes = []
    of_these = "For these rows" if not fixed and not bare else f"For {_contenders(plain)}"
    if plain:
        notes.append(
            f"{of_these} the run has no baseline of the suite's fixed block; the ordinary one of the "
            "group, which "
            "handles its smallest encoding, is subtracted in its place. Lower is better in every column of "
            "figures."
        )
    if bare:
        notes.append(f"Nothing is subtracted from {_contenders(bare)}: there is no baseline.")
    if extended and (fixed or plain):
        whole = "Instructions Overhead is all instructions" if counted else "Time Overhead is the whole time"
        notes.append(f"{whole} over {'those' if counted else 'that'} of the baseline.")
    if any(row.result.code_size is not None for row in rows):
        notes.append("Code Size is text and data of the executable, less those of the baseline's.")
    return [" ".join(notes)]


def _contenders(rows: list[RowSummary]) -> str:
    return ", ".join(dict.fromkeys(row.record.contender for row in rows))
