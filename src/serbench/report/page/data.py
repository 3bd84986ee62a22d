"""What the page is given of a run: what the run says of itself, and one record a row.

A record is that of analysis.py, and with it the name as tables show it, the figures of the launches, from
which the page forms ratios, and the samples in short, for the plot of a row. analysis.mjs makes the same
of a run file that is dropped onto the page.
"""

from typing import Any

import msgspec
import numpy as np

from serbench.measure.records import Sample
from serbench.measure.statistics import Figures
from serbench.report.export import FIELDS
from serbench.results.analysis import Group, RowSummary, analyse, family_of, group_of, row_figures
from serbench.results.schema import RowRecord, Run

DIGITS = 5
"""Of the samples' times, which are only drawn."""


def run_data(run: Run, every: int) -> dict[str, Any]:
    """Return the page's record of `run`; `every` is said on the page, of whose rounds it has the samples."""
    header = msgspec.to_builtins(run)
    facts = {
        name: value
        for name, value in header.items()
        if name not in ("rows", "samples", "failures", "summary")
    }
    records = {row.id: row for row in run.rows}
    figures = row_figures(run)
    baselines = {_place(row): row.id for row in run.rows if row.role == "baseline" and not row.variant}
    summaries = analyse(run)
    names = {row.id: row.name for row in summaries}
    rows = [
        {
            **{name: getattr(row, name) for name in FIELDS},
            "name": names[row.id],
            "program": records[row.id].program,
            "baseline": _baseline(records[row.id], baselines),
            "figures": _figures(row, figures[row.id].raw),
        }
        for row in summaries
    ]
    return {**facts, "rows": rows, "every": every}


def run_samples(run: Run, every: int) -> dict[int, list[list[float]]]:
    """Return the samples of each row of `run` for its plot, by the row's id: those of one in `every` rounds.

    A sample is its launch, its round, its shortest chunk and its median chunk, in ns per message.
    """
    messages = {dataset.name: dataset.messages for dataset in run.datasets}
    share = {row.id: messages.get(row.dataset, 1) for row in run.rows}
    found: dict[int, list[list[float]]] = {row.id: [] for row in run.rows}
    for sample in run.samples:
        if sample.round % every == 0:
            found[sample.row].append(_short_sample(sample, share[sample.row]))
    return found


def _place(row: RowRecord) -> tuple[Group, tuple[str, str, str], str]:
    """Return what `row` shares with the baseline that is subtracted from it."""
    return (group_of(row), family_of(row), row.platform)


def _baseline(row: RowRecord, baselines: dict[tuple[Group, tuple[str, str, str], str], int]) -> int | None:
    """Return the id of the row that is subtracted from `row`."""
    return None if row.role == "baseline" else baselines.get(_place(row))


def _figures(row: RowSummary, figures: Figures) -> list[list[float]]:
    """Return launch and raw time per message, for each launch of a row that counts."""
    return [[launch, ns if row.messages == 1 else ns / row.messages] for launch, ns in figures.items()]


def _short_sample(sample: Sample, messages: int) -> list[float]:
    shortest, middle = min(sample.wall), float(np.median(sample.wall))
    share = sample.iterations * messages
    return [sample.launch, sample.round, _short(shortest / share), _short(middle / share)]


def _short(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
