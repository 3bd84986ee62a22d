"""A run in the layout of the 2016 suite's results: its tables, in Markdown."""

import re
from itertools import product

from serbench.catalog.records import PROFILES
from serbench.errors import UserError
from serbench.kinds.conformance2016.facts import SIZES, size_of
from serbench.kinds.conformance2016.results_csv import published_csv
from serbench.kinds.conformance2016.tables import counted_rows, plus_minus, tables
from serbench.kinds.conformance2016.times import published_times, short_spread
from serbench.report.document import Column, Document, Item, List, Paragraph, Section, Table, TableRow
from serbench.report.markdown import markdown_of
from serbench.results.analysis import RowSummary, analyse
from serbench.results.schema import Run

COMPILER_ROW = "c/mpack:tree"
"""The row by which the suite compared compilers."""


def published(runs: list[Run], format: str, extended: bool = False) -> str:
    """Return `runs` in the suite's layout: `table` and `markdown` are its tables, `csv` its results.csv.

    Raises UserError for any other format.
    """
    if format not in ("table", "markdown", "csv"):
        raise UserError(f"the published layout has no {format}; it has markdown and csv")
    return published_csv(runs) if format == "csv" else published_layout(runs, extended)


def published_layout(runs: list[Run], extended: bool = False) -> str:
    """Return `runs` as the suite's results, or as its extended results, in one Markdown document."""
    introduction = (
        "All rows, with what the times scatter by, the overhead over hashing alone, and the hash of what "
        "was written "
        "or read. A ± is the n-1 deviation of five short runs: of seven, the best and the worst do not count."
        if extended
        else "Plain and in-situ rows; the other variants, deviations and hashes are in the extended "
        "tables. A time is the mean of five short runs: of seven, the best and the worst do not count."
    )
    if runs and all(run.platforms for run in runs):
        introduction = introduction.partition(" A time is")[0].partition(" A ± is")[0]
    document = Document([Section(blocks=[Paragraph(introduction)])])
    document.title = "Extended results" if extended else "Results"
    for run in runs:
        document.sections += _run(run, extended)
    return markdown_of(document)


def _run(run: Run, extended: bool) -> list[Section]:
    rows = analyse(run)
    times = published_times(rows)
    wholes = {record.id: record.whole_size for record in run.rows}
    foreign = list(dict.fromkeys(row.record.dataset for row in rows if size_of(row.record.dataset) is None))
    left_out = f"Not in these tables, since the suite had no such data: {', '.join(foreign)}."
    places = {platform.name: f"{platform.name}, {platform.title}" for platform in run.platforms}
    sections = []
    for profile, place in product(PROFILES, places or [""]):
        chosen = [row for row in rows if row.record.profile == profile and row.record.platform == place]
        sizes = sorted({size for row in chosen if (size := size_of(row.record.dataset)) is not None})
        if not sizes:
            continue
        head = Section(f"{profile.capitalize()} - {places.get(place, run.machine.cpu)}")
        head.blocks = [Paragraph(_about(profile, chosen)), List(_header(run))]
        head.blocks += [Paragraph(left_out)] if foreign else []
        sections.append(head)
        for size in sizes:
            of_size = [row for row in chosen if size_of(row.record.dataset) == size]
            made = tables(of_size, times, wholes, extended)
            sections.append(Section(f"{SIZES[size]} Data", made, level=3))
    return [*sections, _compilers(rows)]


def _header(run: Run) -> list[Item]:
    machine = run.machine
    facts = [
        *((platform.name, f"{platform.title}: {platform.emulator}") for platform in run.platforms),
        ("CPU model", machine.cpu),
        ("Architecture", machine.architecture),
        ("Bogomips", "" if machine.bogomips is None else f"{machine.bogomips:.2f}"),
        ("System", f"{machine.system}, kernel {machine.kernel}"),
        ("Virtual machine", machine.virtual),
        ("Compilers", ", ".join(f"{name} {version}" for name, version in sorted(machine.compilers.items()))),
        ("Date", run.started),
        ("Revision", f"serbench {run.serbench}, run {run.id}"),
        ("State", "" if run.complete else "interrupted: what is here is not all"),
    ]
    return [Item(name, value) for name, value in facts if value]


def _about(profile: str, rows: list[RowSummary]) -> str:
    options = sorted({_options(row) for row in rows if row.record.profile == profile and row.record.flags})
    built = f"Built for {profile}" + (f" ({'; '.join(options)})" if options else "")
    measure = "instructions" if counted_rows(rows) else "time"
    return f"{built}. The tables are sorted by {'code size' if profile == 'size' else measure}."


def _options(row: RowSummary) -> str:
    """Return a row's options that optimise or name a processor, or its profile where none is recorded."""
    chosen = [
        flag for flag in row.record.flags.split() if re.fullmatch(r"-O\w*|-flto(=.*)?|-m(arch|cpu)=.*", flag)
    ]
    return " ".join(dict.fromkeys(chosen)) or row.record.profile


def _compilers(rows: list[RowSummary]) -> Section:
    """Return the table of one row under each compiler and profile, without any subtraction."""
    small = [
        row
        for row in rows
        if row.record.dataset == "generated:2"
        and row.record.test == "tree"
        and row.record.role == "contender"
    ]
    language = COMPILER_ROW.partition("/")[0]
    alike = [row for row in small if row.record.row == COMPILER_ROW]
    alike = alike or [row for row in small if row.record.language == language][:1]
    name, allocator = (alike[0].record.row, alike[0].record.allocator) if alike else (COMPILER_ROW, "")
    chosen = [
        row for row in small if row.record.row == name and row.record.allocator == allocator and row.measured
    ]
    chosen.sort(key=lambda row: (row.record.toolchain, row.record.profile == "size"))
    about = (
        f"One test under each compiler and profile of the run: {name} on Small Data. Time is the whole "
        "time, with nothing subtracted; Code Size is net, as in the tables."
        if len(chosen) > 1
        else "The run has one compiler and one profile only, so there is nothing to compare. "
        "To have more: ./serbench run --all --compiler gcc,clang --profile speed,size"
    )
    if counted_rows(rows):
        about = "On an emulated platform nothing is timed, and there is one compiler."
    table = Table(
        [
            *(Column("Compiler"), Column("Options")),
            *(Column("Time\n(µs)", align="right"), Column("Code Size\n(bytes)", align="right")),
        ],
        [
            TableRow(
                [
                    row.record.compiler or row.record.toolchain,
                    _options(row),
                    plus_minus(short_spread(row), 1e3, extended=True),
                    row.result.code_size,
                ]
            )
            for row in chosen
            if len(chosen) > 1
        ],
    )
    return Section("Compilers", [Paragraph(about), table])
