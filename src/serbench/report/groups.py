"""The table of a group of rows: their times, counts and notes, and why others were not measured."""

from collections.abc import Callable, Sequence
from typing import Any

from serbench import text
from serbench.catalog.tests import KINDS
from serbench.report.document import (
    Align,
    Block,
    Column,
    Item,
    List,
    Paragraph,
    Row,
    Section,
    Table,
    shown,
)
from serbench.report.view import STOPS, notes_of, per_message, rank_of, told_apart, why
from serbench.results.analysis import RowSummary
from serbench.results.candidates import BELOW_RESOLUTION
from serbench.results.naming import DISTRIBUTION_BUILD
from serbench.results.schema import RowResult, Run
from serbench.results.summary import Group, stop_of

TIMED = {str(test): kind.timed for test, kind in KINDS.items()}
STATISTICS = {
    "shortest-chunk": "the median over its rounds of the round's shortest chunk, less what slowed all rows "
    "of a round alike",
    "mean": "the mean of all its chunks",
}
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
    names = told_apart(rows)
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
        table.rows.append(Row(cells))
    return table


def _table(run: Run, rows: Sequence[RowSummary], names: dict[int, str]) -> Table:
    contenders = [row for row in rows if row.record.role == "contender"] or rows
    unit, scale = text.unit_for(
        r.result.raw_ns if r.result.net_ns is None or r.result.at_floor else r.result.net_ns
        for r in contenders
    )
    table = Table(_columns(run, unit))
    for row in rows:
        record, result = row
        cells = [
            *(rank_of(result), names[record.id], record.language_name, record.library_version),
            *(record.format_name, _net(row, scale), _raw(result, scale)),
            None if result.typical_ns is None else result.typical_ns / scale,
            *(result.overhead, result.bytes, result.code_size, result.bundle_size, result.instructions),
            *(result.heap_bytes, result.heap_allocations, result.heap_peak, result.page_faults),
            *(result.takes_invalid, record.load_ns, record.installed_bytes),
            *(record.generated_lines, record.build_seconds),
        ]
        notes = notes_of(row, run.settings.launches)
        table.rows.append(Row(cells, notes, aside=row.record.role != "contender"))
    return table


def _raw(result: RowResult, scale: float) -> str | None:
    return figure(result.raw_ns, result.raw_low_ns, result.raw_high_ns, scale)


def _net(row: RowSummary, scale: float) -> str | None:
    """Return a net time, that it is below resolution, or for a row without one its raw time in brackets."""
    record, result = row
    if record.role != "contender" or (result.net_ns is None and not result.at_floor):
        return f"({_raw(result, scale)})"
    if result.at_floor:
        return BELOW_RESOLUTION
    return figure(result.net_ns, result.net_low_ns, result.net_high_ns, scale)


def figure(value: float | None, low: float | None, high: float | None, scale: float = 1.0) -> str | None:
    """Return a figure over `scale` with half its interval in percent: `12.34 ±0.5%`."""
    if value is None:
        return None
    return f"{text.significant(value / scale)} ±{text.half_width(value, low, high)}"


def _three_digits(value: float | None) -> str:
    return text.significant(value, 3)


def _faults(value: float | None) -> str:
    """Return page faults of one iteration: less than a twentieth of one is none."""
    return text.NONE if value is None else f"{value:,.1f}" if value < 10 else f"{value:,.0f}"


def _milliseconds(value_ns: float | None) -> str:
    return text.NONE if value_ns is None else text.significant(value_ns / 1e6, 3)


COLUMNS: tuple[tuple[str, str, Align, int, Callable[[Any], str]], ...] = (
    # header, name, alignment, priority, how it shows its cells
    ("rank", "", "left", 0, shown),
    ("contender", "", "left", 40, shown),
    ("lang", "language", "left", 50, shown),
    ("version", "", "left", 60, shown),
    ("format", "", "left", 30, shown),
    ("net", "", "point", 0, shown),
    ("raw", "", "point", 15, shown),
    ("typical", "", "point", 110, text.significant),
    ("× base", "", "point", 65, _three_digits),
    ("bytes", "", "right", 20, shown),
    ("code size", "", "right", 80, shown),
    ("bundle", "", "right", 90, shown),
    ("instructions", "instructions (Callgrind)", "right", 100, text.whole),
    ("allocated", "", "right", 150, shown),
    ("allocs", "allocations", "right", 120, shown),
    ("peak", "", "right", 130, shown),
    ("faults", "page faults", "right", 140, _faults),
    ("takes bad", "takes invalid", "right", 160, shown),
    ("load ms", "load time ms", "point", 94, _milliseconds),
    ("installed", "", "right", 92, shown),
    ("lines", "generated lines", "right", 96, shown),
    ("build s", "build time s", "point", 98, _three_digits),
)
TIMES = ("net", "raw", "typical")
MEANINGS = {
    "rank": "the places that the comparisons leave open. 3-5: two rows are proved faster, by more than "
    "{threshold}, and at most four may be. A row without an interval (±?) has no rank.",
    "net": "the time per iteration less the baseline's, averaged over launches (of five or more over those "
    "inside the interval). ± is half the 95 % interval over launches. Times in brackets are raw, with "
    "nothing subtracted.{figure}",
    "raw": "the time per iteration as measured, baseline included.",
    "typical": "the plain median of all chunks, disturbed ones included.",
    "× base": "the raw time over the baseline's.",
    "bytes": "the size of the encoding read, or of the output written.",
    "code size": "bytes of text and data that the executable has more than the baseline's of its language "
    "and test.",
    "bundle": "bytes of the minified, gzipped bundle of the library and the row's own module, less the "
    "baseline's. Never compare it with a code size.",
    "instructions": "how many one {one} takes, as Callgrind counts them, with nothing subtracted: a count, "
    "which says nothing of caches or of how long an instruction takes.",
    "allocated": "the bytes that one {one} asks for, counted in a launch of its own; in a garbage-collected "
    "language what it takes of the runtime's heap and in array buffers.",
    "allocs": "how often one {one} asks for memory, counted in a launch of its own.",
    "peak": "the most bytes that one iteration has of the heap at one time.",
    "faults": "how often the kernel gave the process a page of memory during one {one} (minor page faults), "
    "the median over samples; its time is in net and raw.",
    "lines": "of the code that was generated from the schema.",
    "build s": "how long compiling this code took, with the row's own, when it was built.",
    "takes bad": "how many documents that its format forbids the reader takes (serbench strict).",
    "load ms": "milliseconds that a new program takes to load the library, the least of some starts; "
    "the start itself does not count.",
    "installed": "bytes of the installed files of the library and of all that it needs; none for a part of "
    "the language.",
}


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
    return [
        Column(
            header,
            name=name,
            unit=unit if header in TIMES else "",
            align=align,
            priority=priority,
            least=18 if header == "contender" else 0,
            most=30 if header == "contender" else 0,
            show=show,
            says=MEANINGS.get(header, "").format(**values),
        )
        for header, name, align, priority, show in COLUMNS
    ]


def _caption(run: Run, group: Group, rows: Sequence[RowSummary]) -> list[str]:
    if not any(row.measured for row in rows):
        return ["No row was measured."]
    contenders = [row for row in rows if row.record.role == "contender" and row.measured]
    sentences = [f"Timed: {TIMED.get(group[0], group[0])}. {_stopped(run, group, rows)}"]
    if any(row.result.at_floor for row in contenders):
        sentences.append(
            "Below resolution: less than twice the baseline's time, with a net interval that reaches 0, so "
            "the library's own time is not known."
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
        sentences.append("There is no baseline to subtract for some rows: their times are raw.")
    return sentences


def _stopped(run: Run, group: Group, rows: Sequence[RowSummary]) -> str:
    stop = stop_of(run, group)
    launches = text.launches([stop.launches if stop else max(row.result.launches for row in rows)])
    if stop:
        reason = STOPS[stop.reason]
    else:
        reason = "it is not recorded why" if run.complete else STOPS["interrupted"]
    return f"{launches}, ended as {reason}."
