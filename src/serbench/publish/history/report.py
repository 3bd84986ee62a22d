"""The history as tables and as CSV."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import msgspec

from serbench import text
from serbench.errors import UserError
from serbench.publish.history.records import History, Judgement, Line, Point, Series, Timeline
from serbench.publish.history.timeline import Change, changes
from serbench.report.compared import STYLES
from serbench.report.document import Block, Column, Document, Item, List, Paragraph, Section, Table, TableRow
from serbench.report.export import csv_table

MOST_CHANGES = 20
MOST_POINTS = 30
"""A row shows all of its points if it has no more of them."""
VERDICTS = STYLES | {"no figures": "red"}
MEANING = (
    "new / old: the time as a multiple of that in the newest earlier run with which it can be compared; "
    "slower, faster: proved to be so by more than 3 %, as by serbench compare. Times are net, or raw "
    "in parentheses."
)
COLUMNS = (
    *("machine", "run", "file", "date", "contender", "contender_id", "language", "language_name", "format"),
    *("format_name", "test", "variant", "dataset", "profile", "toolchain", "allocator", "cpu"),
    *("library_version", "status", "reason", "net_ns", "net_low_ns", "net_high_ns", "raw_ns", "raw_low_ns"),
    *("raw_high_ns", "bytes", "code_size", "instructions", "against", "verdict", "ratio", "ratio_low"),
    *("ratio_high", "basis", "counts", "no_verdict", "event"),
)


def chosen_part(history: History, contenders: Sequence[str]) -> History:
    """Return the part of `history` about the `contenders`, patterns of names, or all of it without any.

    Raises UserError where a pattern matches none.
    """
    if not contenders:
        return history
    lines = [line for timeline in history.timelines for line in timeline.lines]
    for pattern in contenders:
        if not any(_matches(line.series, [pattern]) for line in lines):
            raise UserError(
                f"no contender in these runs is called '{pattern}': ./serbench history lists them"
            )
    timelines = [
        msgspec.structs.replace(
            timeline, lines=[line for line in timeline.lines if _matches(line.series, contenders)]
        )
        for timeline in history.timelines
    ]
    return History([timeline for timeline in timelines if timeline.lines], history.left_out)


def _matches(series: Series, patterns: Sequence[str]) -> bool:
    names = (series.contender_id, series.contender_id.rpartition("/")[2], series.contender.casefold())
    return any(fnmatchcase(name, pattern.casefold()) for name in names for pattern in patterns)


def history_document(history: History, detailed: bool) -> Document:
    """Return the changes and libraries of each machine, or `detailed` all rows with their points."""
    sections = []
    for timeline in history.timelines:
        first, last = timeline.runs[0], timeline.runs[-1]
        versions = ", ".join(dict.fromkeys(run.serbench for run in timeline.runs))
        about = f"{_number(len(timeline.runs), 'run')}, {first.day} to {last.day}; serbench {versions}"
        blocks: list[Block] = [Paragraph(about, "dim")]
        blocks += _rows_of(timeline) if detailed else [_changes_of(timeline), libraries_table(timeline)]
        sections.append(Section(f"Machine: {timeline.machine.title}", blocks))
    rest = Section(blocks=[Paragraph(MEANING, "dim")])
    if len(history.timelines) > 1:
        rest.blocks.append(Paragraph("Figures of different machines are not compared.", "dim"))
    if history.left_out and not detailed:
        rest.blocks.append(List([Item(*each) for each in history.left_out], "Left out"))
    return Document([*sections, rest])


def _number(count: int, what: str) -> str:
    return f"{text.count(count)} {what}{'' if count == 1 else 's'}"


def _changes_of(timeline: Timeline) -> Block:
    found = changes(timeline)
    if not found:
        return Paragraph("No change is proved.")
    table = changes_table(found[:MOST_CHANGES])
    table.title = f"Proved changes, the newest first: {len(found)}"
    if len(found) > MOST_CHANGES:
        table.title += f", of which {MOST_CHANGES} are shown"
    return table


def changes_table(found: Sequence[Change]) -> Table:
    """Return changes as a table."""
    columns = (
        Column("date"),
        Column("library", least=10, most=20, fit=text.clipped),
        Column("row", priority=10, least=16),
        Column("version", priority=30),
        Column("new / old", align="point"),
        Column("95 % interval", priority=20),
        Column("verdict", styles=VERDICTS),
    )
    table = Table(columns)
    for change in found:
        cells = [change.run.day, change.series.contender, change.series.name, versions_of(change)]
        notes = [change.point.reason] if change.point.event == "no figures" and change.point.reason else []
        table.rows.append(TableRow([*cells, *ratio_of(change.point), change.point.event], notes))
    return table


def versions_of(change: Change) -> str:
    """Return the version, or the old and the new one where it changed."""
    old, new = change.before.version, change.point.version
    return new if old == new or not new else f"{old} → {new}"


def ratio_of(point: Point) -> tuple[str, str]:
    """Return a point's ratio to the run that it was compared with, and its interval."""
    found = point.judgement
    if found is None or found.ratio is None or found.broken:
        return "", ""
    said = f"{found.ratio:.3f}" + (" raw" if found.basis == "raw" else "")
    return said, "" if found.low is None else f"{found.low:.3f} to {found.high:.3f}"


def libraries_of(timeline: Timeline) -> dict[str, list[Line]]:
    """Return the rows of each library, by its id."""
    libraries: dict[str, list[Line]] = {}
    for line in timeline.lines:
        libraries.setdefault(line.series.contender_id, []).append(line)
    return libraries


def libraries_table(timeline: Timeline) -> Table:
    """Return the libraries of `libraries_of` as a table."""
    columns = (
        Column("library", least=10, most=24, fit=text.clipped),
        Column("language", priority=30),
        Column("format", priority=30),
        Column("rows", align="right", priority=40),
        Column("runs", align="right"),
        Column("version", priority=20, least=8, most=24),
        Column("slower", align="right", show=lambda number: str(number or "")),
        Column("faster", align="right", show=lambda number: str(number or "")),
    )
    table = Table(columns, title="Libraries, and how often a row was proved slower and faster", compact=True)
    for lines in libraries_of(timeline).values():
        series = lines[0].series
        points = [point for line in lines for point in line.points if point.time]
        events = [point.event for point in points]
        cells = [series.contender, series.language_name, series.format_name, len(lines)]
        counts = [events.count("slower"), events.count("faster")]
        table.rows.append(TableRow([*cells, len({point.run for point in points}), span_of(lines), *counts]))
    return table


def span_of(lines: Sequence[Line]) -> str:
    """Return the versions of a library's rows: the first and the last, in the order of the runs."""
    found = sorted((point.run, point.version) for line in lines for point in line.points if point.version)
    names = list(dict.fromkeys(version for _, version in found))
    return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}" if names else ""


def _rows_of(timeline: Timeline) -> Iterator[Table]:
    for line in timeline.lines:
        yield points_table(timeline, line)


def points_table(timeline: Timeline, line: Line) -> Table:
    """Return the points of a row; of more than MOST_POINTS those where something changed."""
    unit, scale = text.unit_for(point.time[0] if point.time else None for point in line.points)
    columns = (
        Column("date"),
        Column("version", priority=20),
        Column(f"net {unit}", align="point"),
        Column("±", align="right", priority=30),
        Column("new / old", align="point", priority=10),
        Column("95 % interval", priority=40),
        Column("verdict", priority=5, least=14, styles=VERDICTS),
    )
    shown = told_points(line)
    part = f", {len(shown)} of {len(line.points)} runs" if len(shown) < len(line.points) else ""
    table = Table(columns, title=f"{line.series.contender} · {line.series.name}{part}")
    for point in shown:
        found = point.judgement
        verdict = "" if found is None else "no figures" if found.broken else found.verdict
        notes = [found.counts] if found and found.counts else []
        notes += [found.reason] if found and found.reason else []
        if point.time is None:
            verdict, notes = verdict or point.status, [point.reason] if point.reason else []
        cells = [
            timeline.runs[point.run].day,
            point.version,
            *time_of(point, scale),
            *ratio_of(point),
            verdict,
        ]
        table.rows.append(TableRow(cells, notes))
    return table


def told_points(line: Line) -> list[Point]:
    """Return all points of a row, or of many the first, the last and those where something changed."""
    points = line.points
    if len(points) <= MOST_POINTS:
        return points
    last = len(points) - 1
    return [
        point
        for number, point in enumerate(points)
        if number in (0, last)
        or point.event is not None
        or point.version != points[number - 1].version
        or (point.judgement is not None and point.judgement.counts)
    ]


def time_of(point: Point, scale: float) -> tuple[str, str]:
    """Return a point's time in a unit of `scale` ns, and half its interval."""
    if point.time is None:
        return "", ""
    if point.at_floor:
        return "~0", ""
    value, low, high = point.time
    said = text.significant(value / scale)
    return said if point.net is not None else f"({said})", text.half_width(value, low, high)


def history_csv(history: History) -> str:
    """Return all points as CSV, one a line."""
    found = ((timeline, line) for timeline in history.timelines for line in timeline.lines)
    rows = (_fields(timeline, line.series, point) for timeline, line in found for point in line.points)
    return csv_table(COLUMNS, rows)


def _fields(timeline: Timeline, series: Series, point: Point) -> list[object]:
    run, found = timeline.runs[point.run], point.judgement or Judgement("")
    against = "" if point.against is None else timeline.runs[point.against].id
    return [
        *(timeline.machine.title, run.id, run.file, run.started, series.contender, series.contender_id),
        *(series.language, series.language_name, series.format, series.format_name, series.test),
        *(series.variant, series.dataset, series.profile, series.toolchain, series.allocator),
        *(series.level or "baseline", point.version, point.status, point.reason, point.net, point.net_low),
        *(point.net_high, point.raw, point.raw_low, point.raw_high, point.bytes, point.code_size),
        *(point.instructions, against, found.verdict, found.ratio, found.low, found.high, found.basis),
        *(found.counts, found.reason, point.event),
    ]
