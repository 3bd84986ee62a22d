"""A run in the layout of the 2016 suite's results: its tables, in Markdown."""

import re
from dataclasses import dataclass, field
from itertools import product

from serbench.catalog.records import PROFILES
from serbench.report import text
from serbench.report.markdown import escaped
from serbench.report.published.facts import SIZES, size_of
from serbench.report.published.tables import Table, counted_rows, parts, plus_minus
from serbench.report.published.times import published_times, short_spread
from serbench.report.run_markdown import document
from serbench.results.analysis import RowSummary, analyse
from serbench.results.schema import Run

COMPILER_ROW = "c/mpack:tree"
"""The row by which the suite compared compilers."""


@dataclass
class Section:
    """A profile with its sizes, or a size with its tables."""

    title: str
    about: str = ""
    sizes: list["Section"] = field(default_factory=list)
    parts: list[Table] = field(default_factory=list)


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
    return document(
        "published.md.j2",
        title="Extended results" if extended else "Results",
        introduction=introduction,
        runs=[_run(run, extended) for run in runs],
    )


def _run(run: Run, extended: bool) -> dict[str, object]:
    rows, times = analyse(run), published_times(run)
    wholes = {record.id: record.whole_size for record in run.rows}
    foreign = list(dict.fromkeys(row.dataset for row in rows if size_of(row.dataset) is None))
    profiles = []
    places = {platform.name: f"{platform.name}, {platform.title}" for platform in run.platforms}
    for profile, place in product(PROFILES, places or [""]):
        chosen = [row for row in rows if row.profile == profile and row.platform == place]
        sizes = sorted({size for row in chosen if (size := size_of(row.dataset)) is not None})
        if sizes:
            of_size = {n: [row for row in chosen if size_of(row.dataset) == n] for n in sizes}
            made = [
                Section(f"{SIZES[n]} Data", parts=parts(of_size[n], times, wholes, extended)) for n in sizes
            ]
            profiles.append(
                Section(
                    f"{profile.capitalize()} - {places.get(place, run.machine.cpu)}",
                    _about(profile, chosen),
                    made,
                )
            )
    for section in profiles:
        section.title = escaped(section.title)
    return {
        "header": _header(run),
        "profiles": profiles,
        "left_out": f"Not in these tables, since the suite had no such data: {', '.join(foreign)}."
        if foreign
        else "",
        "compilers": _compilers(rows),
    }


def _header(run: Run) -> list[tuple[str, str]]:
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
    return [(name, value) for name, value in facts if value]


def _about(profile: str, rows: list[RowSummary]) -> str:
    options = sorted({_options(row) for row in rows if row.profile == profile and row.flags})
    built = f"Built for {profile}" + (f" ({'; '.join(options)})" if options else "")
    measure = "instructions" if counted_rows(rows) else "time"
    return f"{built}. The tables are sorted by {'code size' if profile == 'size' else measure}."


def _options(row: RowSummary) -> str:
    """Return of a row's compiler options those that optimise, or its profile where none is recorded."""
    chosen = [flag for flag in row.flags.split() if re.fullmatch(r"-O\w*|-flto(=.*)?", flag)]
    return " ".join(dict.fromkeys(chosen)) or row.profile


def _compilers(rows: list[RowSummary]) -> dict[str, object]:
    """Return the table of one row under each compiler and profile, without any subtraction."""
    small = [
        row for row in rows if row.dataset == "generated:2" and row.test == "tree" and row.role == "contender"
    ]
    named = [row for row in small if row.row == COMPILER_ROW] or [
        row for row in small if row.language == "c"
    ][:1]
    name = named[0].row if named else COMPILER_ROW
    allocator = named[0].allocator if named else ""
    chosen = [row for row in small if row.row == name and row.allocator == allocator and row.measured]
    chosen.sort(key=lambda row: (row.toolchain, row.profile == "size"))
    about = (
        f"One test under each compiler and profile of the run: {name} on Small Data. Time is the whole "
        "time, with nothing subtracted; Code Size is net, as in the tables."
        if len(chosen) > 1
        else "The run has one compiler and one profile only, so there is nothing to compare. "
        "To have more: ./serbench run --compiler gcc,clang --profile speed,size"
    )
    if counted_rows(rows):
        about = "On an emulated platform nothing is timed, and there is one compiler."
    return {
        "title": "Compilers",
        "about": about,
        "headers": [
            *(("Compiler", False), ("Options", False), ("Time<br>(µs)", True), ("Code Size<br>(bytes)", True))
        ],
        "rows": [
            [
                escaped(row.compiler or row.toolchain),
                escaped(_options(row)),
                plus_minus(short_spread(row), 1e3, extended=True),
                text.count(row.code_size),
            ]
            for row in chosen
            if len(chosen) > 1
        ],
    }
