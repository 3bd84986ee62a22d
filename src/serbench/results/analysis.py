"""One record a row, with everything that the reports show: what the run says of it, and its result."""

from collections.abc import Sequence

from serbench.measure.statistics import RowFigures, net_figures
from serbench.results.schema import RowResult, Run
from serbench.results.summary import Group, family_of, group_of, stop_of, summary_of

__all__ = ["Group", "RowSummary", "analyse", "family_of", "figures_of", "group_of", "row_figures", "stop_of"]


class RowSummary(RowResult, kw_only=True):
    """One row of one run: its result, and what its RowRecord says of it."""

    run: str
    """The run's id."""
    row: str
    contender: str
    contender_id: str
    language: str
    language_name: str
    library_version: str
    format: str
    format_name: str
    test: str
    variant: str
    dataset: str
    profile: str
    role: str
    """contender, baseline, or floor (a visible lower bound)."""
    hash: str
    origin: str
    compiler: str
    flags: str
    api: str
    verified_by: str
    toolchain: str
    """Which compiler was asked for; empty in a language that has no choice."""
    allocator: str
    code_size_reason: str
    """Why there is none, when it was asked for."""
    instructions_reason: str
    platform: str
    """The emulated Linux that it was counted on; empty for this machine."""

    @property
    def group(self) -> Group:
        """The group to which it belongs."""
        return Group(self.test, self.dataset, self.profile, self.platform)

    @property
    def measured(self) -> bool:
        """Whether it has any figures."""
        return self.raw_ns is not None


_OF_RECORD = [name for name in RowSummary.__annotations__ if name != "run"]
_OF_RESULT = RowResult.__struct_fields__


def analyse(run: Run) -> list[RowSummary]:
    """Return one record for every row of `run`, in the order in which reports show them (see summarise)."""
    records = {row.id: row for row in run.rows}
    found = []
    for result in summary_of(run).rows:
        record = records[result.id]
        values = {name: getattr(record, name) for name in _OF_RECORD}
        values |= {name: getattr(result, name) for name in _OF_RESULT}
        values["language_name"] = record.language_name or record.language
        values["format_name"] = record.format_name or record.format
        found.append(RowSummary(run=run.id, **values))
    return found


def row_figures(run: Run) -> dict[int, RowFigures]:
    """Return the figures of every row of `run` (see figures_of)."""
    return figures_of(summary_of(run).rows)


def figures_of(results: Sequence[RowResult]) -> dict[int, RowFigures]:
    """Return the figures of every result of a run, raw and net, by its id; empty ones for one without any.

    They are of a whole iteration, in ns.
    """
    raws = {result.id: dict(result.launch_ns) for result in results}
    return {
        result.id: RowFigures(
            raws[result.id],
            {} if result.baseline is None else net_figures(raws[result.id], raws.get(result.baseline, {})),
        )
        for result in results
    }
