"""The published order and ratios of net times beside those of a run of ours, for information only."""

from collections.abc import Sequence
from statistics import correlation

import msgspec

from serbench.kinds.conformance2016.facts import DATASETS, REFERENCE, SUITE, Published, published_rows
from serbench.kinds.conformance2016.times import published_times
from serbench.results.analysis import analyse
from serbench.results.schema import Run

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
    published hash was another on each platform had no lasting order of keys, and are left out. If a row has
    several compilers or allocators, the first counts.
    """
    times = published_times(analyse(run))
    ours: dict[tuple[str, str], float] = {}
    for record in sorted(run.rows, key=lambda record: record.id):
        if record.id in times and record.profile == "speed" and times[record.id].baseline is not None:
            ours.setdefault((record.dataset, record.row), times[record.id].net.mean)
    common: dict[tuple[str, str], list[tuple[Published, float]]] = {}
    for row in sorted(_compared(), key=lambda row: row.net_us):
        net = ours.get((DATASETS[row.dataset], row.row))
        if net is not None:
            common.setdefault((row.dataset, row.test), []).append((row, net))
    tests = dict.fromkeys((row.dataset, row.test) for row in _compared())
    return [_comparison(*test, common[test]) for test in tests if test in common]


def _compared() -> list[Published]:
    rows = [row for row in published_rows() if row.source == SUITE and row.profile == "speed"]
    hashes: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        hashes.setdefault((row.dataset, row.test, row.name), set()).add(row.hash)
    return [
        row for row in rows if row.platform == REFERENCE and len(hashes[row.dataset, row.test, row.name]) == 1
    ]


def _comparison(dataset: str, test: str, common: Sequence[tuple[Published, float]]) -> Comparison:
    fastest = min((net for _, net in common if net > 0), default=1.0)
    return Comparison(
        test=test,
        dataset=dataset,
        pairs=[
            Pair(
                name=row.name,
                published=row.net_us / common[0][0].net_us,
                ours=net / fastest if net > 0 else None,
            )
            for row, net in common
        ],
        correlation=rank_correlation([row.net_us for row, _ in common], [net for _, net in common]),
    )


def rank_correlation(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Return Spearman's rank correlation of two equally long series; equal values share their mean rank.

    None for fewer than three values, and where all values of a series are equal.
    """
    if len(a) < LEAST_ROWS or len(set(a)) == 1 or len(set(b)) == 1:
        return None
    return correlation(_ranks(a), _ranks(b))


def _ranks(values: Sequence[float]) -> list[float]:
    return [sum(v < value for v in values) + values.count(value) / 2 for value in values]
