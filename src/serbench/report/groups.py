"""The table of a group of rows: their times, counts and notes, and why others were not measured."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from serbench import text
from serbench.catalog.tests import KINDS
from serbench.report.document import (
    Block,
    Column,
    Item,
    List,
    Paragraph,
    Section,
    Table,
    TableRow,
    shown,
)
from serbench.report.view import STOPS, distinct_names, notes_of, per_message, rank_of, why
from serbench.results.analysis import RowSummary
from serbench.results.candidates import BELOW_RESOLUTION
from serbench.results.metric import NANOSECONDS, Metric
from serbench.results.metrics import METRICS
from serbench.results.naming import DISTRIBUTION_BUILD
from serbench.results.schema import Run
from serbench.results.summary import Group, stop_of

TIMED = {str(test): kind.timed for test, kind in KINDS.items()}
STATISTICS = {
    "shortest-chunk": "the median over its rounds of the round's shortest chunk, less what slowed all rows "
    "of a round alike",
    "mean": "the mean of all its chunks",
}
OLDER_NET = (
    "The run file is of an older version: net is less the time of the group's baseline, and not what the "
    "harness did for the row itself."
)
LONG_REASON = 40
"""A reason longer than this is given in full only once."""


class Reasons:
    """Lists of rows that were not measured; a long reason is given in full only in the first."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def list(self, rows: Sequence[RowSummary], names: dict[int, str]) -> List:
        """Return the list of `rows`, each reason with all that share it."""
        sharing: dict[str, list[RowSummary]] = {}
        for row in rows:
            sharing.setdefault(why(row.result), []).append(row)
        items = []
        for reason, found in sharing.items():
            status = found[0].result.status
            given = f"{status}, as above" if reason in self._told else reason
            items.append(Item(", ".join(names[row.result.id] for row in found), given))
            if status in ("unavailable", "unsupported") and len(reason) > LONG_REASON:
                self._told.add(reason)
        return List(items, "not measured")


def group_section(run: Run, group: Group, rows: Sequence[RowSummary], reasons: Reasons | None) -> Section:
    """Return the section of a group. Without `reasons`, what was not measured is a table with all facts."""
    names = distinct_names(rows)
    measured = [row for row in rows if row.measured]
    others = [row for row in rows if not row.measured]
    blocks: list[Block] = []
    if measured:
        blocks.append(_table(run, measured, names))
    if others and reasons:
        blocks.append(reasons.list(others, names))
    elif others:
        blocks += [Paragraph("Not measured:"), _unmeasured(others, names)]
    blocks += [Paragraph(sentence, "dim") for sentence in _caption(run, group, rows)]
    title = f"{' · '.join(group[:3])}{per_message(rows[0].result.messages)}"
    return Section(title, blocks, level=3)


def _unmeasured(rows: Sequence[RowSummary], names: dict[int, str]) -> Table:
    table = Table([Column(name) for name in ("contender", "language", "version", "format", "why")])
    for of, result in rows:
        cells = [names[of.id], of.language_name, of.library_version, of.format_name, why(result)]
        table.rows.append(TableRow(cells))
    return table


def _table(run: Run, rows: Sequence[RowSummary], names: dict[int, str]) -> Table:
    contenders = [row for row in rows if row.record.role == "contender"] or rows
    unit, scale = text.unit_for(
        r.result.raw_ns if r.result.net_ns is None or r.result.at_floor else r.result.net_ns
        for r in contenders
    )
    table = Table(_columns(run, unit))
    for row in rows:
        record = row.record
        rank, *figures = (_cell(metric, row, scale) for metric in IN_TABLES)
        facts = (names[record.id], record.language_name, record.library_version, record.format_name)
        notes = notes_of(row, run.settings.launches)
        table.rows.append(TableRow([rank, *facts, *figures], notes, aside=record.role != "contender"))
    return table


def _cell(metric: Metric, row: RowSummary, scale: float) -> float | str | None:
    """Return what the column of `metric` shows of `row`; a time that has no unit of its own over `scale`."""
    if metric.id == "rank":
        return rank_of(row.result)
    if metric.id == "net":
        return _net(row, scale)
    if metric.bounds:
        value, low, high = (getattr(row.result, name) for name in metric.fields)
        return figure(value, low, high, scale) if metric.kind == "time" else value
    value = metric.of(*row)
    return value / scale if value is not None and _is_scaled(metric) else value


def _is_scaled(metric: Metric) -> bool:
    return metric.kind == "time" and not metric.table_unit


def _net(row: RowSummary, scale: float) -> str | None:
    """Return a net time, that it is below resolution, or for a row without one its raw time in brackets."""
    record, result = row
    if record.role != "contender" or (result.net_ns is None and not result.at_floor):
        return f"({figure(result.raw_ns, result.raw_low_ns, result.raw_high_ns, scale)})"
    if result.at_floor:
        return BELOW_RESOLUTION
    return figure(result.net_ns, result.net_low_ns, result.net_high_ns, scale)


def figure(value: float | None, low: float | None, high: float | None, scale: float = 1.0) -> str | None:
    """Return a figure over `scale` with half its interval in percent: `12.34 ±0.5%`."""
    if value is None:
        return None
    return f"{text.significant(value / scale)} ±{text.half_width(value, low, high)}"


def _three_digits(value: float | None, unit: float) -> str:
    return text.NONE if value is None else text.significant(value / unit, 3)


def _show(metric: Metric) -> Callable[[Any], str]:
    """Return what shows the cells of a metric."""
    if metric.show:
        return metric.show
    if metric.kind == "ratio":
        return partial(_three_digits, unit=0.01 if metric.unit == "%" else 1.0)
    if metric.table_unit:
        return partial(_three_digits, unit=NANOSECONDS[metric.table_unit] / NANOSECONDS[metric.unit])
    return text.significant if _is_scaled(metric) and not metric.bounds else shown


IN_TABLES = [metric for metric in METRICS if metric.priority is not None]
FACTS = (
    Column("contender", priority=40, least=18, most=30),
    Column("lang", name="language", priority=50),
    Column("version", priority=60),
    Column("format", priority=30),
)
"""They stand behind the rank."""


def _columns(run: Run, unit: str) -> list[Column]:
    found = {row.statistic for row in run.rows if row.role == "contender" and row.status == "ok"}
    figures = " In garbage-collected languages it is ".join(
        f"{says}." for name, says in STATISTICS.items() if name in found
    )
    values = {
        "threshold": text.percent(run.settings.threshold),
        "figure": f" A launch's figure is {figures}" if figures else "",
        "one": "message" if any(dataset.messages > 1 for dataset in run.datasets) else "iteration",
    }
    rank, *columns = (_column(metric, unit, values) for metric in IN_TABLES)
    return [rank, *FACTS, *columns]


def _column(metric: Metric, unit: str, values: dict[str, str]) -> Column:
    fixed = metric.table_unit or ("%" if metric.unit == "%" else "")
    return Column(
        f"{metric.short} {fixed}".rstrip(),
        name=metric.title and f"{metric.title} {fixed}".rstrip(),
        unit=unit if _is_scaled(metric) else "",
        align="left" if metric.id == "rank" else "point" if metric.kind in ("time", "ratio") else "right",
        priority=metric.priority or 0,
        show=_show(metric),
        says=(metric.meaning + metric.in_tables).format(**values),
    )


def _caption(run: Run, group: Group, rows: Sequence[RowSummary]) -> list[str]:
    if not any(row.measured for row in rows):
        return ["No row was measured."]
    contenders = [row for row in rows if row.record.role == "contender" and row.measured]
    sentences = [f"Timed: {TIMED.get(group[0], group[0])}. {_stopped(run, group, rows)}"]
    if any(row.result.at_floor for row in contenders):
        sentences.append(
            "Below resolution: the harness takes more than half of the raw time, and the net interval "
            "reaches 0, so the library's own time is not known."
        )
    if rows[0].result.messages > 1:
        sentences.append(
            f"An iteration handles {text.count(rows[0].result.messages)} messages one by one: times and "
            "bytes are those of one message, the mean of all."
        )
    if any(DISTRIBUTION_BUILD in row.result.labels for row in contenders):
        sentences.append(
            "The distribution built the libraries of rows marked 'distribution', with its own options: "
            "their ranks compare these, too."
        )
    if any(row.result.net_ns is None for row in contenders):
        sentences.append("What the harness itself does is not known for some rows: their times are raw.")
    if not run.overheads and any(row.result.net_ns is not None for row in contenders):
        sentences.append(OLDER_NET)
    return sentences


def _stopped(run: Run, group: Group, rows: Sequence[RowSummary]) -> str:
    stop = stop_of(run, group)
    launches = text.launches([stop.launches if stop else max(row.result.launches for row in rows)])
    if stop:
        reason = STOPS[stop.reason]
    else:
        reason = "it is not recorded why" if run.complete else STOPS["interrupted"]
    return f"{launches}, ended as {reason}."
