"""What the page is given of a run: its run file with the summary, and of its samples what is drawn."""

from statistics import median
from typing import Any

import msgspec

from serbench.measure.records import Sample
from serbench.results.schema import Run
from serbench.results.summary import summary_of

DIGITS = 5
"""Of the samples' times, which are only drawn."""


def run_data(run: Run) -> dict[str, Any]:
    """Return the run file of `run` with its summary and without its samples."""
    data: dict[str, Any] = msgspec.to_builtins(
        msgspec.structs.replace(run, samples=[], summary=summary_of(run))
    )
    return data


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


def _short_sample(sample: Sample, messages: int) -> list[float]:
    shortest, middle = min(sample.wall), median(sample.wall)
    share = sample.iterations * messages
    return [sample.launch, sample.round, _short(shortest / share), _short(middle / share)]


def _short(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
