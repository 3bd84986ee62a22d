"""A run in the layout of the 2016 suite's results: its tables, in Markdown."""

import math
import re
from dataclasses import dataclass, field
from itertools import product

from serbench.catalog.records import PROFILES, TESTS
from serbench.measure.statistics import Spread
from serbench.report import text
from serbench.report.markdown import document, escaped
from serbench.report.published.facts import BASELINES, SIZES, size_of
from serbench.report.published.times import FIXED, Times, published_times, short_spread, whole_spread
from serbench.report.view import configurations_of, names_of, why
from serbench.results.analysis import RowSummary, analyse
from serbench.results.schema import Run

TITLES = {"write": "Write Test", "tree": "Tree Test", "incremental": "Incremental Parse Test"}
SORTED = " ▲"
"""Marks the column by which a table is sorted."""
ALWAYS_SHOWN = ("", "in-situ")
"""The variants that stand in the short tables too; the others need the extended ones."""
_INSTRUCTIONS = "Instructions"
"""The title in the place of times, on an emulated platform."""
COMPILER_ROW = "c/mpack:tree"
"""The row by which the suite compared compilers."""

Header = tuple[str, bool]
"""A column's title, and whether its cells are figures."""


@dataclass
class Table:
    """A table with its heading. Cells are Markdown already."""

    title: str
    headers: list[Header]
    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)


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
    foreign = list(dict.fromkeys(row.dataset for row in rows if size_of(row.dataset) is None))
    profiles = []
    places = {platform.name: f"{platform.name}, {platform.title}" for platform in run.platforms}
    for profile, place in product(PROFILES, places or [""]):
        chosen = [row for row in rows if row.profile == profile and row.platform == place]
        sizes = sorted({size for row in chosen if (size := size_of(row.dataset)) is not None})
        if sizes:
            of_size = {n: [row for row in chosen if size_of(row.dataset) == n] for n in sizes}
            made = [Section(f"{SIZES[n]} Data", parts=_parts(of_size[n], times, extended)) for n in sizes]
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
    measure = "instructions" if _counted(rows) else "time"
    return f"{built}. The tables are sorted by {'code size' if profile == 'size' else measure}."


def _counted(rows: list[RowSummary]) -> bool:
    """Return whether the rows are of an emulated platform: instructions stand in the place of times."""
    return any(row.platform for row in rows)


def _options(row: RowSummary) -> str:
    """Return of a row's compiler options those that optimise, or its profile where none is recorded."""
    chosen = [flag for flag in row.flags.split() if re.fullmatch(r"-O\w*|-flto(=.*)?", flag)]
    return " ".join(dict.fromkeys(chosen)) or row.profile


def _parts(rows: list[RowSummary], times: dict[int, Times], extended: bool) -> list[Table]:
    parts = [_baselines(rows)]
    parts += [_test([row for row in rows if row.test == test], test, times, extended) for test in TESTS]
    return [part for part in parts if part.rows or part.notes]


def _measure(spread: Spread | None, counted: bool, extended: bool) -> str:
    """Return a time in microseconds, or a count, which has no deviation."""
    if counted and spread is not None:
        return f"{spread.mean:,.0f}"
    return _plus_minus(spread, 1e3, extended)


def _plus_minus(spread: Spread | None, scale: float, extended: bool) -> str:
    if spread is None:
        return text.NONE
    mean = f"{spread.mean / scale:.2f}"
    return f"{mean} ± {spread.deviation / scale:.2f}" if extended else mean


def _baselines(rows: list[RowSummary]) -> Table:
    """Return the hash comparisons: for either kind of test the fixed block, or what stands in for it."""
    counted = _counted(rows)
    what = "Instructions are all of them" if counted else "Time is the whole time"
    table = Table(
        "Hash Comparisons",
        [
            ("Benchmark", False),
            (_INSTRUCTIONS if counted else "Time<br>(µs)", True),
            ("Code Size<br>(bytes)", True),
            ("Comparison", False),
        ],
        [],
    )
    baselines = [row for row in rows if row.role == "baseline" and whole_spread(row) is not None]
    fixed = {row.test: row for row in baselines if row.variant == FIXED}
    configurations = configurations_of(baselines)
    for row in baselines:
        if row.variant == FIXED and row.test in BASELINES:
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
                text.count(row.code_size),
                f"subtracted from {' and '.join(test.capitalize() for test in tests)} tests",
            ]
        )
    if fixed:
        table.notes.append(
            f"{what}: of hashing a block of random bytes of the suite's size, or of copying "
            "it and "
            "then walking and hashing the value tree. The code sizes of the tests below are net already."
        )
    elif table.rows:
        table.notes.append(
            f"{what}: of hashing the smallest encoding, or of copying it and then walking and "
            "hashing the value tree. The code sizes of the tests below are net already."
        )
    return table


def _test(rows: list[RowSummary], test: str, times: dict[int, Times], extended: bool) -> Table:
    names, configurations = names_of(rows), configurations_of(rows)
    contenders = [row for row in rows if row.role == "contender"]
    shown = [row for row in contenders if extended or row.variant in ALWAYS_SHOWN]
    by_size = bool(rows) and rows[0].profile == "size"
    counted = _counted(rows)
    measured = sorted((row for row in shown if row.id in times), key=lambda row: _place(row, times, by_size))
    marks = ("", SORTED) if by_size else (SORTED, "")
    headers = [("Library", False)] if extended else [("Library", False), ("Benchmark", False)]
    headers += [
        ("Format", False),
        (f"{_INSTRUCTIONS if counted else 'Time<br>(µs)'}{marks[0]}", True),
        (f"Code Size<br>(bytes){marks[1]}", True),
    ]
    overhead = f"{_INSTRUCTIONS if counted else 'Time'}<br>Overhead"
    headers += [(overhead, True), ("Hash", True)] if extended else []
    table = Table(TITLES[test], headers, [])
    for row in measured:
        of_row = times[row.id]
        cells = [escaped(_library(row, configurations[row.id], extended))]
        cells += [] if extended else [escaped(row.row)]
        cells += [escaped(row.format_name), _measure(of_row.net, counted, extended)]
        cells.append(text.count(row.code_size))
        if extended:
            cells += [_plus_minus(of_row.overhead, 1.0, not counted), escaped(row.hash)]
        table.rows.append(cells)
    table.notes = _notes(measured, times, extended, test)
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
    counted = _counted(rows)
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
    if _counted(rows):
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
                _plus_minus(short_spread(row), 1e3, extended=True),
                text.count(row.code_size),
            ]
            for row in chosen
            if len(chosen) > 1
        ],
    }
