"""From the samples of a run to what they come to: figures, intervals and ranks, one record a row."""

import math
from collections.abc import Iterator
from statistics import mean
from typing import NamedTuple, TypeVar

import msgspec

from serbench import text
from serbench.catalog.tests import TESTS
from serbench.measure.launches import group_figures, overhead_figures, page_faults, typical
from serbench.measure.ranks import ranks
from serbench.measure.records import Overhead, Sample, Stop
from serbench.measure.short_runs import Spread, short_runs, subtract
from serbench.measure.speeds import speeds
from serbench.measure.statistics import (
    Figures,
    RowFigures,
    below_resolution,
    net_figures,
    ratio_interval,
    time_interval,
)
from serbench.results.answer import answer_of
from serbench.results.losses import keeps_all, loss_labels
from serbench.results.naming import names_of
from serbench.results.probes import Expected
from serbench.results.schema import SUMMARY_VERSION, RowRecord, RowResult, Run, Status, Summary
from serbench.worker.records import Heap

BELOW_HARNESS = "below the harness's own: serbench's error"
"""The label of a contender that takes less than what is subtracted from it, which none can."""
PAGE_FAULTS = "page faults visible in its time"
"""The label of a row whose page faults take VISIBLE of its raw time at FAULT_NS each."""
FAULT_NS, VISIBLE = 250.0, 0.02
Family = tuple[str, str, str, str]


class Group(NamedTuple):
    """What rows have in common that are measured together and compared."""

    test: str
    dataset: str
    profile: str
    platform: str
    """Empty for the machine of the run."""


def group_of(record: RowRecord | Stop) -> Group:
    """Return the group of a row, or the one whose sampling a Stop ended."""
    return Group(record.test, record.dataset, record.profile, getattr(record, "platform", ""))


def family_of(row: RowRecord) -> Family:
    """Return what a row of a group must share with the baseline whose counts are subtracted from its own."""
    return (row.harness, row.toolchain, row.allocator, row.cpu)


def stop_of(run: Run, group: Group) -> Stop | None:
    """Tell why the sampling of `group` ended, if it is known."""
    return next((stop for stop in reversed(run.stops) if group_of(stop) == group), None)


class _Figures(msgspec.Struct):
    """What the samples of a row say, in ns of one message; empty for a row without samples."""

    launches: RowFigures
    typical: float | None = None
    short: Spread | None = None

    @classmethod
    def of(cls, launches: RowFigures, samples: list[Sample], messages: int) -> "_Figures":
        """Return the figures of a row whose iteration handles `messages` messages."""
        if not launches.raw:
            return cls(launches)
        raw, net = ({launch: ns / messages for launch, ns in part.items()} for part in launches)
        short = short_runs(samples)
        return cls(
            RowFigures(raw, net),
            typical(samples) / messages,
            Spread(short.mean / messages, short.deviation / messages) if short else None,
        )


def summary_of(run: Run) -> Summary:
    """Return the summary in the file of a run that was completed; of another run a new one."""
    known = run.summary if run.complete else None
    if known is None or known.version != SUMMARY_VERSION:
        return summarise(run)
    if known.answer is None:
        known.answer = answer_of(run, known.rows)
    return known


def summarise(run: Run) -> Summary:
    """Compute the summary of `run` from its rows, samples and failures; an earlier summary is ignored."""
    results = results_of(run)
    return Summary(version=SUMMARY_VERSION, rows=results, answer=answer_of(run, results))


def results_of(run: Run) -> list[RowResult]:
    """Compute the results of all rows of `run`.

    Rows are ordered by test, then as the run lists its datasets. In a group the ranked rows come first, by
    their ranks and then by time, so that no row stands above one that is proved faster; then contenders
    with times but no rank, baselines and floors, and contenders without times.
    A row that failed while it was measured has no figures, whatever its samples.
    """
    tests = {str(test): n for n, test in enumerate(TESTS)}
    datasets = {dataset.name: n for n, dataset in enumerate(run.datasets)}
    groups: dict[Group, list[RowRecord]] = {}
    for row in run.rows:
        groups.setdefault(group_of(row), []).append(row)
    samples: dict[int, list[Sample]] = {row.id: [] for row in run.rows}
    failed = {failure.row for failure in run.failures}
    for sample in run.samples:
        samples[sample.row].append(sample)
    found = []
    for group, rows in groups.items():
        usable = {r.id: samples[r.id] if r.status == "ok" and r.id not in failed else [] for r in rows}
        test, dataset, profile, _ = group
        place = (tests.get(test, len(tests)), test, datasets.get(dataset, len(datasets)), dataset, profile)
        by_id = {row.id: row for row in rows}
        found += [((place, _order(by_id[r.id], r)), r) for r in _results(run, group, rows, usable)]
    return [result for _, result in sorted(found, key=lambda pair: pair[0])]


def _results(
    run: Run, group: Group, rows: list[RowRecord], samples: dict[int, list[Sample]]
) -> Iterator[RowResult]:
    """Yield the results of the rows of one group, of which `samples` has those that count."""
    raws = group_figures(samples, {row.id: row.statistic for row in rows})
    # A baseline's variants are there for other reports, which subtract them by themselves.
    baselines = {family_of(row): row.id for row in rows if row.role == "baseline" and not row.variant}
    own = _overheads(run, rows)
    messages = next((dataset.messages for dataset in run.datasets if dataset.name == group.dataset), 1)
    based = {row.id: None if row.role == "baseline" else baselines.get(family_of(row)) for row in rows}
    harness = {row.id: _harness(run, row, based[row.id], raws, own) for row in rows}
    launches = {r.id: RowFigures(raws[r.id], net_figures(raws[r.id], harness[r.id])) for r in rows}
    figures = {row.id: _Figures.of(launches[row.id], samples[row.id], messages) for row in rows}
    ranked = ranks({r.id: launches[r.id] for r in rows if r.role == "contender"}, run.settings.threshold)
    names = names_of(rows)
    by_id = {row.id: row for row in rows}
    strict = _strictness(run)
    for row in rows:
        base = based[row.id]
        older = None if base is None or run.overheads else figures[base].short
        timed = _timed(figures[row.id], harness[row.id], messages, older)
        status, reason, output = _outcome(run, row, bool(raws[row.id]))
        heap = row.heap or Heap()
        rank = ranked.get(row.id)
        faults = _share(page_faults(samples[row.id]), messages)
        yield RowResult(
            id=row.id,
            name=names[row.id],
            baseline=base,
            launch_ns=list(raws[row.id].items()),
            harness_ns=list(harness[row.id].items()),
            status=status,
            reason=reason,
            output=output,
            rank=rank and rank.first,
            rank_last=rank and rank.last,
            **timed,
            bytes=_share(row.bytes, messages),
            labels=[
                *row.labels,
                *loss_labels(row),
                *_below_harness(row, None if base is None else by_id[base], timed),
                *_faulting(faults, timed),
                *_speeds(figures[row.id]),
            ],
            launches=len(raws[row.id]),
            few_samples=status == "ok" and not row.platform and len(raws[row.id]) < run.settings.launches,
            at_floor=below_resolution(figures[row.id].launches),
            heap_allocations=_share(heap.allocations, messages),
            heap_bytes=_share(heap.bytes, messages),
            heap_peak=heap.peak,
            code_size=row.code_size if row.code_size_kind == "linked" else None,
            instructions=_share(row.instructions, messages),
            messages=messages,
            bundle_size=row.code_size if row.code_size_kind == "bundle" else None,
            page_faults=faults,
            takes_invalid=strict.get((row.row, row.toolchain, "refuse")),
            refuses_valid=strict.get((row.row, row.toolchain, "accept")),
            data="unproved" if row.status != "ok" else "exact" if keeps_all(row) else "lossy",
        )


def _overheads(run: Run, rows: list[RowRecord]) -> dict[int, Figures]:
    """Return what the harness itself took of each of `rows`, by launch."""
    records: dict[int, list[Overhead]] = {row.id: [] for row in rows}
    for overhead in run.overheads:
        if overhead.row in records:
            records[overhead.row].append(overhead)
    return {row.id: overhead_figures(records[row.id]) for row in rows}


def _harness(
    run: Run, row: RowRecord, base: int | None, raws: dict[int, dict[int, float]], own: dict[int, Figures]
) -> Figures:
    """Return what is subtracted from a row, by launch: the harness's own, of this very row.

    In the files of older versions, which have no overheads, it is the time of the row's baseline. Nothing is
    subtracted from a baseline.
    """
    if row.role == "baseline":
        return {}
    if run.overheads:
        return own[row.id]
    return {} if base is None else raws[base]


def _strictness(run: Run) -> dict[tuple[str, str, Expected], int]:
    """Return of each reader that was probed how many valid documents it refused, and invalid ones it took."""
    wanted: dict[Expected, str] = {"accept": "refused", "refuse": "taken"}
    return {
        (record.row, record.toolchain, expected): sum(
            each.expected == expected and each.outcome == outcome for each in record.judged
        )
        for record in run.strict
        if record.status == "ok"
        for expected, outcome in wanted.items()
    }


def _timed(own: _Figures, harness: Figures, messages: int, older: Spread | None) -> dict[str, float | None]:
    """Return the fields of a RowResult that are times, and the harness's share, with their intervals.

    What the `harness` took is of a whole iteration, of so many `messages`. In `older` files the 2016
    statistic of a baseline is subtracted.
    """
    raw, net = own.launches
    taken = {launch: ns / messages for launch, ns in harness.items()}
    intervals = {
        ("raw_ns", "raw_low_ns", "raw_high_ns"): time_interval(raw.values()) if raw else None,
        ("net_ns", "net_low_ns", "net_high_ns"): time_interval(net.values()) if net else None,
        ("harness_share", "harness_share_low", "harness_share_high"): ratio_interval(taken, raw),
    }
    short = own.short
    less = older or (Spread(mean(taken.values()), 0.0) if taken else None)
    short_net = subtract(short, less) if short and less else None
    found: dict[str, float | None] = {
        "typical_ns": own.typical,
        "short_runs_ns": short and short.mean,
        "short_runs_deviation_ns": short and short.deviation,
        "short_runs_net_ns": short_net and short_net.mean,
        "short_runs_net_deviation_ns": short_net and short_net.deviation,
    }
    for (value, low, high), interval in intervals.items():
        if interval is not None:
            known = math.isfinite(interval.low) and math.isfinite(interval.high)
            found[value] = interval.value
            found[low], found[high] = (interval.low, interval.high) if known else (None, None)
    return found


def _below_harness(row: RowRecord, base: RowRecord | None, timed: dict[str, float | None]) -> list[str]:
    """Return the label of a row that takes less than its harness, or has a lower count than its baseline."""
    if row.role != "contender":
        return []
    low = timed.get("harness_share_low")
    below = low is not None and low > 1
    if base is not None and row.instructions is not None and base.instructions is not None:
        below = below or row.instructions < base.instructions
    return [BELOW_HARNESS] if below else []


def _faulting(faults: float | None, timed: dict[str, float | None]) -> list[str]:
    """Return the label of a row whose minor page faults, of one message, are a visible part of its time."""
    raw = timed.get("raw_ns")
    return [PAGE_FAULTS] if faults and raw and faults * FAULT_NS >= VISIBLE * raw else []


def _speeds(figures: _Figures) -> list[str]:
    """Return the label of a row whose launches have several speeds, with their raw times."""
    found = speeds(figures.launches.raw.values())
    if not found:
        return []
    unit, scale = text.unit_for(found)
    *others, last = (text.significant(ns / scale, 3) for ns in found)
    return [f"{len(found)} speeds: {', '.join(others)} and {last} {unit} raw"]


def _outcome(run: Run, row: RowRecord, measured: bool) -> tuple[Status, str, str]:
    """Return status, reason and last error output."""
    failure = next((f for f in run.failures if f.row == row.id), None)
    if row.status == "ok" and failure is not None:
        return "failed", failure.reason, failure.output
    if row.status == "ok" and not measured and not row.platform:
        stop = stop_of(run, group_of(row))
        return "ok", "not measured" + (f": {stop.reason}" if stop else ""), ""
    return row.status, row.reason, row.output


Number = TypeVar("Number", int, float)


def _share(number: Number | None, messages: int) -> Number | float | None:
    """Return what one of `messages` has of `number`; a whole number stays one for a single message."""
    return number if number is None or messages == 1 else number / messages


def _order(row: RowRecord, result: RowResult) -> tuple[int, float, float, float, float, int]:
    """Return the sort key of a row in its group: what is missing never sorts as fast."""
    if result.raw_ns is not None:
        place = 0 if row.role == "contender" else 1
    else:
        place = 2 + ("ok", "failed", "unsupported", "unavailable").index(result.status)
    net = math.inf if result.net_ns is None else result.net_ns
    first, last = (math.inf if rank is None else rank for rank in (result.rank, result.rank_last))
    return (place, first, last, net, result.raw_ns or 0.0, row.id)
