"""A run in brief for a terminal: the answer, tables of one line a row, marks for notes, what is missing.

Everything else is in the report and on the page.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import msgspec

from serbench import text
from serbench.catalog.tests import ROUNDTRIP
from serbench.report.answer_table import answer_table, gains_table, short, wrapped
from serbench.report.document import (
    Column,
    Document,
    Item,
    List,
    Paragraph,
    Section,
    Table,
    TableRow,
)
from serbench.report.run_report import INTERRUPTED, run_document
from serbench.report.terminal import DEFAULT_WIDTH, terminal_text
from serbench.report.view import few_samples, rank_of, reason_of
from serbench.results.answer import importance
from serbench.results.candidates import BELOW_RESOLUTION, Candidate, GroupKey, candidates
from serbench.results.schema import RowRecord, RowResult, Run, Summary
from serbench.results.summary import group_of, results_of, summary_of

MOST_LINES = 86
"""Lines of a run, so that a command prints fewer than 120 with its set-up and progress."""
LEAST_ROWS = 3
"""Rows that each table shows, however many tables there are."""
MOST_OF_REASON = 120
"""Letters of a reason why a row has no figures."""
LEGEND = (
    "rank 3-5: two rows are proved faster, and at most four may be. net: time per iteration less what the "
    "harness does, ± half its 95 % interval; raw: with it. × best: the net time as a multiple of the least; "
    "the bars show the net time."
)
COUNTED = (
    "Instructions of the emulated processor, less the baseline's: counts, and no times. raw: with the "
    "baseline's. × best: as a multiple of the least."
)
RAW = "raw time: what the harness does is not known"
Groups = Mapping[tuple[GroupKey, str], Sequence[Candidate]]
_REMEDY = re.compile(
    r"\./serbench [a-z]+(?: [\w.-]+)?|sudo apt-get install(?: [\w.+-]+)+|--prefix [\w.-]+=DIR"
)


def brief_document(run: Run, width: int | None = None) -> Document:
    """Return `run` in brief, for a terminal of `width` columns (80 if None).

    Long tables are cut so that everything fits into MOST_LINES. A
    run that has no rows to compare, or another kind of table, is shown as run_document shows it.
    """
    summary = summary_of(run)
    if run.settings.growth or all(row.test == ROUNDTRIP for row in run.rows):
        answer = answer_table(summary)
        first = [Section(blocks=[answer])] if answer.rows else []
        return Document([*first, *run_document([run]).sections])
    groups = candidates(run, summary.rows)
    width = width or DEFAULT_WIDTH
    ranked = sorted(groups, key=lambda group: importance(run, group[0]))

    def document(tables: int, rows: int) -> Document:
        return _document(run, summary, groups, ranked[:tables], rows, width)

    def fits(tables: int, rows: int) -> bool:
        return terminal_text(document(tables, rows), width).count("\n") <= MOST_LINES

    tables = _largest(1, len(groups), lambda number: fits(number, LEAST_ROWS))
    longest = max((len(rows) for rows in groups.values()), default=0)
    return document(tables, _largest(LEAST_ROWS, longest, lambda number: fits(tables, number)))


def _largest(least: int, most: int, fits: Callable[[int], bool]) -> int:
    """Return the largest number up to `most` that fits; `least` if none does."""
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least


def _document(
    run: Run, summary: Summary, groups: Groups, shown: Collection[tuple[GroupKey, str]], most: int, width: int
) -> Document:
    """Return the first `most` rows of the `groups` that are `shown`, and what else there is to say."""
    tables = Section(f"Run {run.id}", [Paragraph(_about(run), "dim")], letters=True)
    answer = answer_table(summary)
    if answer.rows:
        tables.blocks.append(wrapped(answer, width))
    gains = gains_table(summary, groups)
    tables.blocks += [gains] if gains.rows else []
    tables.blocks += [
        group_table(run, *group, rows, most) for group, rows in groups.items() if group in shown
    ]
    if not groups:
        tables.blocks.append(Paragraph("No row has figures."))
    rest = Section()
    if left := len(groups) - len(shown):
        rest.blocks.append(Paragraph(f"… {_number(left, 'more table', 'more tables')}: --details"))
    if groups:
        rest.blocks.append(Paragraph(COUNTED if run.platforms else LEGEND, "dim"))
    missing = unmeasured(run, summary.rows, groups)
    if missing.items or run.notes:
        rest.blocks.append(Paragraph(""))
    if missing.items:
        rest.blocks.append(missing)
    if run.notes:
        rest.blocks.append(List([Item("", note, mark="!") for note in run.notes]))
    return Document([tables, rest])


def _about(run: Run) -> str:
    machine = run.machine
    good = {row.row for row in run.rows if row.status == "ok" and row.role == "contender"}
    rows = [row for row in run.rows if row.row in good]
    languages, libraries = ({getattr(row, name) for row in rows} for name in ("language", "contender_id"))
    parts = [
        *([] if run.complete else [INTERRUPTED]),
        f"serbench {run.serbench}",
        f"{machine.cpu}, {machine.cores} cores" + (f" ({machine.virtual})" if machine.virtual else ""),
        f"{_number(len(languages), 'language', 'languages')}, "
        f"{_number(len(libraries), 'library', 'libraries')}",
    ]
    return " · ".join(parts)


def _number(count: int, one: str, several: str) -> str:
    return f"{text.count(count)} {one if count == 1 else several}"


# ---------------------------------------------------------------- tables


def group_table(run: Run, place: GroupKey, test: str, rows: Sequence[Candidate], most: int) -> Table:
    """Return the table of the first `most` of a group's `rows`; its last row counts the others.

    Rows with times have the order of the ranks, as they come; those with counts that of the counts.
    """
    ordered = sorted(rows, key=lambda row: row.value) if place.platform else rows
    best, shown = min(ordered, key=lambda row: row.value), ordered[:most]
    unit, scale = text.unit_for(row.value for row in shown)
    counted = bool(place.platform)
    longest = max(row.value for row in shown)
    title = _title(run, place, test, rows)
    table = Table(_columns(rows, unit, counted), title=title, notes=Column(""), compact=True)
    for row in shown:
        ratio = row.times(best)
        cells = [
            rank_of(row.result),
            row.result.name,
            row.record.language_name or row.record.language,
            row.record.format_name or row.record.format,
            f"{row.value:,.0f}" if counted else _net(row, scale),
            _spread(row),
            _raw(row, scale),
            ratio.value if ratio else None,
            row.value / longest if longest > 0 else None,
        ]
        table.rows.append(TableRow(cells, _notes(run, row, rows)))
    left = ordered[most:]
    if left:
        last = max(left, key=lambda row: row.value).times(best)
        factor = f"≤ {_factor(last.value)}" if last else None
        table.rows.append(TableRow([None, f"… {len(left)} more", "", "", "", "", "", factor, None]))
    return table


def _columns(rows: Sequence[Candidate], unit: str, counted: bool) -> list[Column]:
    several = {name: len({getattr(row.record, name) for row in rows}) > 1 for name in ("language", "format")}
    columns = [
        Column("rank", priority=40, show=lambda rank: rank or ""),
        Column("library", least=10, most=18, fit=text.clipped),
        Column("lang", priority=60 if several["language"] else 90),
        Column("format", priority=50 if several["format"] else 80, least=6, most=12, fit=text.clipped),
        Column("instructions" if counted else f"net {unit}", align="right" if counted else "point"),
        Column("±", align="right", priority=20),
        Column("raw", align="right" if counted else "point", priority=25),
        Column("× best", align="point", priority=10, show=_factor),
        Column("", priority=30, least=5, most=8, fit=text.bar, show=partial(text.bar, width=30)),
    ]
    return columns


def _title(run: Run, place: GroupKey, test: str, rows: Sequence[Candidate]) -> str:
    counts, messages = [row.result.launches for row in rows], rows[0].result.messages
    launches = text.launches(counts)
    launches += f" of {run.settings.launches} wanted" if max(counts) < run.settings.launches else ""
    profile = place.profile if len({row.profile for row in run.rows}) > 1 else ""
    parts = [test, place.dataset, profile, place.platform, *([] if place.platform else [launches])]
    return " · ".join(
        filter(None, [*parts, f"per message of {text.count(messages)}" if messages > 1 else ""])
    )


def _net(row: Candidate, scale: float) -> str:
    figure = text.significant(row.value / scale)
    if row.result.at_floor:
        return "~0"
    return figure if row.result.net_ns is not None else f"({figure})"


def _raw(row: Candidate, scale: float) -> str:
    if row.counted is not None:
        return f"{row.result.instructions:,.0f}"
    return text.significant((row.result.raw_ns or 0.0) / scale)


def _spread(row: Candidate) -> str:
    if row.counted is not None or row.result.at_floor:
        return ""
    return text.half_width(*(row.interval or (None, None, None)))


def _factor(value: float | str | None) -> str:
    if not isinstance(value, float):
        return value or text.NONE
    return f"{value:,.2f}" if value < 9.995 else f"{value:,.1f}" if value < 99.95 else f"{value:,.0f}"


def _notes(run: Run, row: Candidate, group: Sequence[Candidate]) -> list[str]:
    notes = list(dict.fromkeys(map(short, row.result.labels)))  # two may differ in explanation alone
    if row.result.at_floor:
        notes.append(BELOW_RESOLUTION)
    elif row.counted is None and row.result.net_ns is None:
        notes.append(RAW)
    if row.result.launches < max(other.result.launches for other in group):
        notes += few_samples(row.result, run.settings.launches)
    return notes


def latest_table(run: Run, most: int) -> Table | None:
    """Return the table of the group of the newest sample of `run`, with its first `most` rows, no notes.

    None as long as the group has no figures.
    """
    if not run.samples:
        return None
    latest = next(row for row in run.rows if row.id == run.samples[-1].row)
    rows = [row for row in run.rows if group_of(row) == group_of(latest)]
    ids = {row.id for row in rows}
    part = msgspec.structs.replace(
        run,
        rows=rows,
        samples=[sample for sample in run.samples if sample.row in ids],
        failures=[failure for failure in run.failures if failure.row in ids],
    )
    for (place, test), found in candidates(part, results_of(part)).items():
        table = group_table(part, place, test, found, most)
        table.rows = [TableRow(row.cells) for row in table.rows]
        return table
    return None


# ---------------------------------------------------------------- what has no figures


def unmeasured(run: Run, results: Sequence[RowResult], groups: Groups) -> List:
    """Return the contenders that are not in `groups`: an item for each reason, which says what mends it."""
    known = {row.record.id for rows in groups.values() for row in rows}
    records = {row.id: row for row in run.rows}
    sharing: dict[str, list[RowRecord]] = {}
    for result in results:
        record = records[result.id]
        if record.role == "contender" and record.id not in known:
            sharing.setdefault(_reason(record, result), []).append(record)
    items = []
    for reason, rows in sharing.items():
        names = list(dict.fromkeys(row.contender for row in rows))
        who = ", ".join(names) if len(names) < 3 else f"{names[0]}, {len(names) - 1} more"
        remedy = next(iter(_REMEDY.findall(reason)), "")
        why = text.clipped(reason, MOST_OF_REASON)
        items.append(Item(who, why if remedy in why else f"{why} ({remedy})"))
    return List(items, title="Not measured")


def _reason(record: RowRecord, result: RowResult) -> str:
    """Return why a row has no figures, in words that it shares with others."""
    reason = reason_of(record, result).removeprefix(f"{record.contender} ")
    status = "" if result.status in ("ok", "unavailable") else f"{result.status}: "
    return f"{status}{reason}"
