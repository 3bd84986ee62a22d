"""What the page is given of a run: its run file with the summary, and of its samples what is drawn."""

from collections.abc import Sequence
from statistics import median
from typing import Any

import msgspec

from serbench import text
from serbench.measure.records import Sample
from serbench.report.orders import VERDICTS, orders_of
from serbench.results.counts import Count
from serbench.results.metric import NANOSECONDS, Metric
from serbench.results.metrics import METRICS
from serbench.results.platform_metrics import PLATFORM_METRICS
from serbench.results.schema import Run
from serbench.results.summary import summary_of

MOST_ORDERS = 1000
"""Orders of a group that are shown."""
DIGITS = 5
"""Digits of the samples' times, which are only drawn."""


def metrics_data() -> dict[str, list[dict[str, Any]]]:
    """Return the metrics of rows and those of platforms, as page/metrics.mjs reads them."""
    return {"rows": [*map(_metric, METRICS)], "platforms": [*map(_metric, PLATFORM_METRICS)]}


def _metric(metric: Metric) -> dict[str, Any]:
    meaning = metric.meaning.format(one="message", threshold="the run's threshold")
    return {
        "id": metric.id,
        "field": metric.field,
        "bounds": metric.bounds,
        "scale": NANOSECONDS[metric.unit] if metric.kind == "time" else 1,
        "reason": metric.reason,
        "name": metric.name,
        "short": metric.title or metric.short,
        "meaning": meaning[:1].upper() + meaning[1:],
        "kind": "number" if metric.kind in ("bytes", "count") else metric.kind,
        "more": metric.more_is_better,
        "unit": "bytes" if metric.kind == "bytes" else metric.unit if metric.kind == "ratio" else "",
        "whole": metric.show is text.whole,
        "page": metric.page,
    }


def records_data() -> dict[str, Any]:
    """Return the JSON Schemas of the records of a run file by their names, without what is said of them."""
    _, found = msgspec.json.schema_components([Run, Count], ref_template="{name}")
    return {
        name: {part: of[part] for part in ("properties", "required") if part in of}
        for name, of in found.items()
    }


def run_data(run: Run) -> dict[str, Any]:
    """Return the run file of `run` with its summary and without its samples."""
    data: dict[str, Any] = msgspec.to_builtins(
        msgspec.structs.replace(run, samples=[], overheads=[], summary=summary_of(run))
    )
    return data


def orders_data(runs: Sequence[Run]) -> dict[str, Any] | None:
    """Return which orders of rows do not hold on all machines; None unless each run is another machine's."""
    places = {
        run.hosts[0].name if len(run.hosts) == 1 else repr(msgspec.structs.astuple(run.machine))
        for run in runs
    }
    if len(runs) < 2 or len(places) < len(runs) or not all(run.samples for run in runs):
        return None
    found = orders_of(runs)
    groups = [
        {
            "test": each.group.test,
            "dataset": each.group.dataset,
            "profile": each.group.profile,
            "pairs": len(each.orders),
            "counts": {verdict: each.count(verdict) for verdict in VERDICTS},
            "orders": [
                (o.first, o.second, o.verdict, o.holds, o.reversed, o.undecided)
                for verdict in ("reversed", "on some")
                for o in each.orders
                if o.verdict == verdict
            ][:MOST_ORDERS],
        }
        for each in found.groups
    ]
    return {"machines": found.machines, "notes": found.notes, "groups": groups}


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
