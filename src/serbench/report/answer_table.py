"""The answer of a run as a table of a terminal, in few lines."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.cells import cell_len

from serbench import text
from serbench.report.document import Column, Document, Row, Section, Table
from serbench.report.terminal import terminal_text
from serbench.results.answer import ELSEWHERE, LANGUAGES
from serbench.results.candidates import Candidate, Place
from serbench.results.schema import Answer, Summary

MOST_OF_ANSWER = 10
"""Lines, its title included; where there are more, each of its lines is cut to one."""
_ANSWER = [Column(""), Column("", least=20)]
_ANSWER_ON_LINES = [Column(""), Column("", least=20, fit=text.clipped)]
_GAINS = [
    Column("test"),
    Column("lang"),
    Column("with a schema", least=10, fit=text.clipped),
    Column("net", align="right"),
    Column("bytes", align="right", priority=20),
    Column("without", least=10, fit=text.clipped),
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
        table.rows.append(Row([finding.subject, finding.text], list(dict.fromkeys(notes))))
    return table


def gains_table(summary: Summary, groups: Mapping[tuple[Place, str], Sequence[Candidate]]) -> Table:
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
        table.rows.append(Row([gain.test, gain.language, *sides[0], *sides[1], times]))
    return table


def fitted(answer: Table, width: int) -> Table:
    """Return `answer` in at most MOST_OF_ANSWER lines of a terminal of `width` columns.

    As far as needed its lines are cut, but those by language are wrapped; what is best elsewhere is left
    out, which the report has; and at last the others are cut, too.
    """
    marks = max(len(row.notes) + 1 for row in answer.rows)
    room = max(10, width - max(cell_len(row.cells[0]) for row in answer.rows) - 1 - marks)
    lines = []
    for row in answer.rows:
        subject, said = row.cells
        parts = textwrap.wrap(text.visible(said), room) if subject == LANGUAGES else [said]
        lines += [Row([subject, parts[0]], row.notes), *(Row(["", part]) for part in parts[1:])]
    wrapped = replace(answer, columns=_ANSWER_ON_LINES, rows=lines)
    least = replace(wrapped, rows=[row for row in lines if row.cells[0] not in ELSEWHERE])
    for made in (answer, wrapped, least):
        drawn = terminal_text(Document([Section(blocks=[made], letters=True)]), width)
        if len(drawn.partition("\n\n")[0].splitlines()) <= MOST_OF_ANSWER:
            return made
    return replace(answer, columns=_ANSWER_ON_LINES)


def short(label: str) -> str:
    """Return the part of a label before its explanation."""
    return label.partition(": ")[0]
