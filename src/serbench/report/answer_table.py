"""The answer of a run as a table on a terminal."""

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.cells import cell_len

from serbench import text
from serbench.report.document import Column, Table, TableRow
from serbench.results.candidates import Candidate, GroupKey
from serbench.results.schema import Answer, Summary

_ANSWER = [Column(""), Column("", least=20)]
_GAINS = [
    Column("test"),
    Column("lang"),
    Column("with a schema", least=10),
    Column("net", align="right"),
    Column("bytes", align="right", priority=20),
    Column("without", least=10),
    Column("net", align="right"),
    Column("bytes", align="right", priority=20),
    Column("×", align="point"),
]


def answer_table(summary: Summary) -> Table:
    """Return the answer of a run, with the labels of the rows that it names; no rows where there is none."""
    answer = summary.answer or Answer()
    labels = {result.id: result.labels for result in summary.rows}
    table = Table(_ANSWER, title=f"Answer for {answer.about}", notes=Column(""), compact=True)
    for finding in answer.findings:
        named = finding.rows or ([] if finding.row is None else [finding.row])
        notes = [short(label) for row in named for label in labels.get(row, [])]
        table.rows.append(TableRow([finding.subject, finding.text], list(dict.fromkeys(notes))))
    return table


def gains_table(summary: Summary, groups: Mapping[tuple[GroupKey, str], Sequence[Candidate]]) -> Table:
    """Return what a schema buys in each language, at each test; no rows where there is nothing to compare."""
    answer = summary.answer or Answer()
    known = {row.record.id: row for rows in groups.values() for row in rows}
    table = Table(
        _GAINS,
        title="What a schema buys: × is the figure without, as a multiple of the figure with it",
        compact=True,
    )
    for gain in answer.gains:
        both = (known[gain.row], known[gain.without])
        sides = [[row.result.name, row.shown, row.record.bytes] for row in both]
        times = text.significant(gain.ratio, 3) if gain.ratio and gain.proved else gain.proved or "tied"
        table.rows.append(TableRow([gain.test, gain.language, *sides[0], *sides[1], times]))
    return table


def wrapped(answer: Table, width: int) -> Table:
    """Return `answer` for a terminal of `width` columns, with long lines wrapped and none cut."""
    marks = max(len(row.notes) + 1 for row in answer.rows)
    room = max(20, width - max(cell_len(row.cells[0]) for row in answer.rows) - 1 - marks)
    lines = []
    for row in answer.rows:
        subject, said = row.cells
        parts = wrapped_parts(text.visible(said), room)
        lines += [TableRow([subject, parts[0]], row.notes), *(TableRow(["", part]) for part in parts[1:])]
    return replace(answer, rows=lines)


def wrapped_parts(said: str, room: int) -> list[str]:
    """Return `said` in lines of at most `room` letters; a line ends behind a comma or semicolon if it can."""
    lines = [""]
    for part in re.split(r"(?<=[,;]) ", said):
        longer = f"{lines[-1]} {part}".strip()
        if cell_len(longer) <= room:
            lines[-1] = longer
        else:
            lines += textwrap.wrap(part, room, break_on_hyphens=False) if cell_len(part) > room else [part]
    return [line for line in lines if line] or [""]


def short(label: str) -> str:
    """Return the part of a label before its explanation."""
    return label.partition(": ")[0]
