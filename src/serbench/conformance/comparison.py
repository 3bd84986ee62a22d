"""The published order and ratios of net times beside those of a run of ours, for information only."""

from collections.abc import Sequence

import msgspec

from serbench.conformance.facts import DATASETS, REFERENCE, SUITE, Published, published_rows
from serbench.conformance.times import published_times
from serbench.results.analysis import analyse
from serbench.results.schema import RowRecord, Run

LEAST_ROWS = 3
"""Fewer rows have no order worth a coefficient."""


class Pair(msgspec.Struct, kw_only=True, frozen=True):
    """One library: its net time over that of the fastest, as published and in our run."""

    name: str
    published: float
    ours: float | None
    """None where our net time is not above 0."""


class Comparison(msgspec.Struct, kw_only=True, frozen=True):
    """One test on one dataset: the rows that both have, in the published order."""

    test: str
    dataset: str
    """small or large."""
    pairs: list[Pair]
    correlation: float | None
    """Spearman's rank correlation of the net times; None for too few rows."""


def compare(run: Run) -> list[Comparison]:
    """Return a comparison for each test and dataset of which `run` and the 2016 suite have common rows.

    Both sides are the suite's statistic, in the profile for speed, on the reference platform. Rows whose
    published hash was another on each platform had no lasting order of keys, and are left out. Of a row
    under several compilers or allocators the first counts.
    """
    times = published_times(analyse(run))
    ours: dict[tuple[str, str], float] = {}
    for record in sorted(run.rows, key=lambda record: record.id):
        if record.id in times and record.profile == "speed" and times[record.id].baseline is not None:
            ours.setdefault(_key(record), times[record.id].net.mean)
    tests = dict.fromkeys((row.dataset, row.test) for row in _compared())
    found = []
    for dataset, test in tests:
        rows = [row for row in _compared() if (row.dataset, row.test) == (dataset, test)]
        common = sorted(
            ((row, ours[DATASETS[dataset], row.row]) for row in rows if (DATASETS[dataset], row.row) in ours),
            key=lambda pair: pair[0].net_us,
        )
        if common:
            found.append(_comparison(test, dataset, common))
    return found


def _key(record: RowRecord) -> tuple[str, str]:
    return (record.dataset, record.row)


def _compared() -> list[Published]:
    rows = [row for row in published_rows() if row.source == SUITE and row.profile == "speed"]
    hashes: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        hashes.setdefault((row.dataset, row.test, row.name), set()).add(row.hash)
    return [
        row for row in rows if row.platform == REFERENCE and len(hashes[row.dataset, row.test, row.name]) == 1
    ]


def _comparison(test: str, dataset: str, common: Sequence[tuple[Published, float]]) -> Comparison:
    fastest_published = min(row.net_us for row, _ in common)
    fastest = min((net for _, net in common if net > 0), default=1.0)
    return Comparison(
        test=test,
        dataset=dataset,
        pairs=[
            Pair(
                name=row.name,
                published=row.net_us / fastest_published,
                ours=net / fastest if net > 0 else None,
            )
            for row, net in common
        ],
        correlation=rank_correlation([row.net_us for row, _ in common], [net for _, net in common]),
    )


def rank_correlation(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation of two equally long series; None for fewer than three values.

    It is Pearson's coefficient of the ranks, where equal values share the mean of their ranks. None, too,
    where all values of a series are equal.
    """
    if len(a) < LEAST_ROWS:
        return None
    first, second = _centred_ranks(a), _centred_ranks(b)
    spread = sum(x * x for x in first) * sum(y * y for y in second)
    return float(sum(x * y for x, y in zip(first, second, strict=True)) / spread**0.5) if spread else None


def _centred_ranks(values: Sequence[float]) -> list[float]:
    middle = (len(values) + 1) / 2
    return [sum(v < value for v in values) + (values.count(value) + 1) / 2 - middle for value in values]
