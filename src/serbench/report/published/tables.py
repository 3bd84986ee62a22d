"""The 2016 suite's tables of one size of data: the baselines, and a table for each test."""

import math
from dataclasses import dataclass, field

from serbench.catalog.records import TESTS
from serbench.measure.statistics import Spread
from serbench.report import text
from serbench.report.markdown import escaped
from serbench.report.published.facts import BASELINES
from serbench.report.published.times import FIXED, Times, whole_spread
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

Header = tuple[str, bool]
"""A column's title, and whether its cells are figures."""


@dataclass
class Table:
    """A table with its heading. Cells are Markdown already."""

    title: str
    headers: list[Header]
    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)


def counted_rows(rows: list[RowSummary]) -> bool:
    """Return whether the rows are of an emulated platform: instructions stand in the place of times."""
    return any(row.platform for row in rows)


def parts(
    rows: list[RowSummary], times: dict[int, Times], wholes: dict[int, int | None], extended: bool
) -> list[Table]:
    """Return the tables of `rows`, of one size, profile and place; `wholes` are sizes of code by row id."""
    found = [_baselines(rows, wholes)]
    found += [_test([row for row in rows if row.test == test], test, times, extended) for test in TESTS]
    return [table for table in found if table.rows or table.notes]


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


def _baselines(rows: list[RowSummary], wholes: dict[int, int | None]) -> Table:
    """Return the hash comparisons: for either kind of test the fixed block, or what stands in for it."""
    counted = counted_rows(rows)
    what = "Instructions are all of them" if counted else "Time is the whole time"
    table = Table(
        "Hash Comparisons",
        [
            ("Benchmark", False),
            (INSTRUCTIONS if counted else "Time<br>(µs)", True),
            ("Code Size<br>(bytes)", True),
            ("Comparison", False),
        ],
        [],
    )
    baselines = [row for row in rows if row.role == "baseline" and (row.measured or whole_spread(row))]
    fixed = {row.test for row in baselines if row.variant == FIXED and row.test in BASELINES}
    configurations = configurations_of(baselines)
    for row in baselines:
        if row.variant == FIXED and row.test in fixed:
            name, tests = f"{row.row} ({BASELINES[row.test]})", [row.test]
            tests += ["incremental"] if row.test == "tree" else []
        elif row.variant or ("write" if row.test == "write" else "tree") in fixed:
            continue
        else:
            name, tests = row.row, [row.test]
        table.rows.append(
            [
                escaped(" · ".join(filter(None, (name, configurations[row.id])))),
                _measure(whole_spread(row), counted, extended=True),
                text.count(wholes[row.id]),
                f"subtracted from {' and '.join(test.capitalize() for test in tests)} tests",
            ]
        )
    if table.rows:
        data = "a block of random bytes of the suite's size" if fixed else "the smallest encoding"
        table.notes.append(
            f"{what}: of hashing {data}, or of copying it and then walking and hashing the value tree. "
            "Code Size is that of the harness, which is subtracted below."
        )
    return table


def _test(rows: list[RowSummary], test: str, times: dict[int, Times], extended: bool) -> Table:
    names, configurations = names_of(rows), configurations_of(rows)
    contenders = [row for row in rows if row.role == "contender"]
    shown = [row for row in contenders if extended or row.variant in ALWAYS_SHOWN]
    by_size = bool(rows) and rows[0].profile == "size"
    counted = counted_rows(rows)
    measured = sorted((row for row in shown if row.id in times), key=lambda row: _place(row, times, by_size))
    marks = ("", SORTED) if by_size else (SORTED, "")
    headers = [("Library", False)] if extended else [("Library", False), ("Benchmark", False)]
    headers += [
        ("Format", False),
        (f"{INSTRUCTIONS if counted else 'Time<br>(µs)'}{marks[0]}", True),
        (f"Code Size<br>(bytes){marks[1]}", True),
    ]
    overhead = f"{INSTRUCTIONS if counted else 'Time'}<br>Overhead"
    headers += [(overhead, True), ("Hash", True)] if extended else []
    table = Table(TITLES[test], headers, [])
    for row in measured:
        of_row = times[row.id]
        cells = [escaped(_library(row, configurations[row.id], extended))]
        cells += [] if extended else [escaped(row.row)]
        cells += [escaped(row.format_name), _measure(of_row.net, counted, extended)]
        cells.append(text.count(row.code_size))
        if extended:
            cells += [plus_minus(of_row.overhead, 1.0, not counted), escaped(row.hash)]
        table.rows.append(cells)
    table.notes = _notes(measured, times, extended, test)
    table.notes += [
        f"No Code Size: {names[row.id]}: {' '.join(row.code_size_reason.split())}."
        for row in measured
        if row.code_size is None and row.code_size_reason
    ]
    table.notes += [f"Without figures: {names[row.id]}: {why(row)}." for row in shown if row.id not in times]
    return table


def _place(row: RowSummary, times: dict[int, Times], by_size: bool) -> tuple[float, float, int]:
    time = times[row.id].net.mean
    size = math.inf if row.code_size is None else row.code_size
    return (size, time, row.id) if by_size else (time, 0.0, row.id)


def _library(row: RowSummary, configuration: str, extended: bool) -> str:
    """Return a row's name as the suite wrote it: library, version, variant, language if extended."""
    parts = [row.contender]
    parts += [f"({row.library_version})"] if row.library_version else []
    parts += [f"[{row.variant}]"] if row.variant else []
    parts += [f"({row.language_name})"] if extended else []
    return " · ".join(part for part in (" ".join(parts), configuration) if part)


def _notes(rows: list[RowSummary], times: dict[int, Times], extended: bool, test: str) -> list[str]:
    if not rows:
        return []
    what = BASELINES["write" if test == "write" else "tree"]
    fixed = [row for row in rows if times[row.id].fixed]
    plain = [row for row in rows if not times[row.id].fixed and times[row.id].baseline]
    bare = [row for row in rows if not times[row.id].baseline]
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
    if any(row.code_size is not None for row in rows):
        notes.append("Code Size is text and data of the executable, less those of the baseline's.")
    return [" ".join(notes)]


def _contenders(rows: list[RowSummary]) -> str:
    return ", ".join(dict.fromkeys(row.contender for row in rows))
