"""Every row of a run with what its samples and counts come to, in the order in which reports show them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from serbench.measure.statistics import RowFigures
from serbench.results.schema import RowRecord, RowResult, Run
from serbench.results.summary import Group, group_of, summary_of


class RowSummary(NamedTuple):
    """One row of a run."""

    record: RowRecord
    """What the run says of it."""
    result: RowResult
    """What its samples and counts come to."""

    @property
    def group(self) -> Group:
        """The group to which it belongs."""
        return group_of(self.record)

    @property
    def measured(self) -> bool:
        """Whether it has any times."""
        return self.result.raw_ns is not None


def analyse(run: Run) -> list[RowSummary]:
    """Return the rows of `run` in the order in which reports show them (see summarise)."""
    records = {record.id: record for record in run.rows}
    return [RowSummary(records[result.id], result) for result in summary_of(run).rows]


def grouped(rows: Iterable[RowSummary]) -> dict[Group, list[RowSummary]]:
    """Return `rows` by their groups, in their order."""
    groups: dict[Group, list[RowSummary]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    return groups


def figures_of(rows: Sequence[RowSummary]) -> dict[int, RowFigures]:
    """Return the figures by launch of all `rows` of a run, by their ids; empty ones for a row without any.

    They are of a whole iteration, in ns.
    """
    return {result.id: result.figures for _, result in rows}
