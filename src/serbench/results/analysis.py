"""From a run to one record a row, with everything that the reports show."""

import math
from collections.abc import Iterator

import msgspec

from serbench.catalog.records import TESTS
from serbench.measure.launches import group_figures, typical
from serbench.measure.records import Sample, Stop
from serbench.measure.statistics import (
    Interval,
    RowFigures,
    Spread,
    at_floor,
    net_figures,
    ranks,
    ratio_interval,
    short_runs,
    subtract,
    time_interval,
)
from serbench.results.schema import RowRecord, Run, Status

Group = tuple[str, str, str]
"""Test, dataset and profile: rows of one group are measured together and compared."""


class RowSummary(msgspec.Struct, kw_only=True, frozen=True):
    """One row of one run. Times are ns per iteration; None where there is no figure.

    Bounds are those of a 95 % interval over launches, None with fewer than two launches.
    On a dataset of several messages everything is per message: times, instructions, bytes, and what is
    asked of the heap but for its peak. A share of whole things is then a float, for one message an int.
    """

    run: str
    """The run's id."""
    id: int
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
    status: Status
    reason: str
    """Why the row has no figures."""
    output: str
    """The last of what its worker wrote to standard error, if it failed."""
    rank: int | None
    """1 + the number of rows of the group proved faster."""
    net_ns: float | None
    """Raw less the baseline of the group and harness, within launches."""
    net_low_ns: float | None
    net_high_ns: float | None
    raw_ns: float | None
    raw_low_ns: float | None
    raw_high_ns: float | None
    typical_ns: float | None
    """The plain median of all chunks."""
    overhead: float | None
    """Raw over baseline, within launches."""
    overhead_low: float | None
    overhead_high: float | None
    bytes: float | None
    hash: str
    labels: list[str]
    launches: int
    few_samples: bool
    """Measured in fewer launches than was asked for."""
    at_floor: bool
    """The net interval reaches 0, and the raw time is less than twice the baseline's."""
    short_runs_ns: float | None
    """The 2016 statistic of the raw time, and its n - 1 deviation."""
    short_runs_deviation_ns: float | None
    short_runs_net_ns: float | None
    """The same, less the baseline's."""
    short_runs_net_deviation_ns: float | None
    heap_allocations: float | None
    heap_bytes: float | None
    heap_peak: int | None
    origin: str
    compiler: str
    flags: str
    api: str
    verified_by: str
    toolchain: str
    """Which compiler was asked for; empty in a language that has no choice."""
    allocator: str
    code_size: int | None
    """Text and data of the executable, less those of the baseline's; None where a bundle is shipped."""
    code_size_reason: str
    """Why there is none, when it was asked for."""
    instructions: float | None
    """A count, by Callgrind."""
    instructions_reason: str
    messages: int
    """How many messages an iteration handles."""
    bundle_size: int | None
    """Bytes of the minified, gzipped bundle, less the baseline's; None where an executable is linked."""
    platform: str
    """The emulated Linux that it was counted on; empty for this machine."""

    @property
    def group(self) -> Group:
        """The group to which it belongs."""
        return (self.test, self.dataset, self.profile)

    @property
    def measured(self) -> bool:
        """Whether it has any figures."""
        return self.raw_ns is not None


class _Figures(msgspec.Struct):
    """What the samples of a row say; empty for a row without."""

    by_launch: RowFigures
    typical: float | None = None
    short: Spread | None = None

    def shared(self, messages: int) -> "_Figures":
        """Return the same per message, for iterations of that many."""
        if messages == 1:
            return self
        raw, net = ({launch: ns / messages for launch, ns in part.items()} for part in self.by_launch)
        return _Figures(
            RowFigures(raw, net),
            None if self.typical is None else self.typical / messages,
            Spread(self.short.mean / messages, self.short.deviation / messages) if self.short else None,
        )


def group_of(record: RowRecord | Stop) -> Group:
    """Return the group of a row, or the one whose sampling a Stop ended."""
    return (record.test, record.dataset, record.profile)


def family_of(row: RowRecord) -> tuple[str, str, str]:
    """Return what a row must share with the baseline that is subtracted from it."""
    return (row.harness, row.toolchain, row.allocator)


def stop_of(run: Run, group: Group) -> Stop | None:
    """Tell why the sampling of `group` ended, if it is known."""
    return next((stop for stop in reversed(run.stops) if group_of(stop) == group), None)


def row_figures(run: Run) -> dict[int, RowFigures]:
    """Return the figures of every row of `run`, raw and net, by its id; empty ones for a row without any."""
    return {
        number: found.by_launch
        for _, figures, _ in _measured_groups(run)
        for number, found in figures.items()
    }


def _measured_groups(
    run: Run,
) -> Iterator[tuple[list[RowRecord], dict[int, "_Figures"], dict[tuple[str, str, str], int]]]:
    """Yield the rows of each group, their figures by id, and its baselines' ids by what they serve."""
    failures = {failure.row: failure for failure in reversed(run.failures)}
    samples: dict[int, list[Sample]] = {}
    for sample in run.samples:
        samples.setdefault(sample.row, []).append(sample)
    for group in _groups(run):
        rows = [row for row in run.rows if group_of(row) == group]
        taken: dict[int, list[Sample]] = {}
        for row in rows:
            usable = row.status == "ok" and row.id not in failures
            taken[row.id] = samples.get(row.id, []) if usable else []
        raws = group_figures(taken, {row.id: row.statistic for row in rows})
        figures = {row.id: _figures(raws[row.id], taken[row.id]) for row in rows}
        # A baseline's variants are there for other reports, which subtract them by themselves.
        baselines = {family_of(row): row.id for row in rows if row.role == "baseline" and not row.variant}
        for row in rows:
            if row.role != "baseline" and family_of(row) in baselines:
                raw, base = raws[row.id], raws[baselines[family_of(row)]]
                figures[row.id].by_launch = RowFigures(raw, net_figures(raw, base))
        yield rows, figures, baselines


def analyse(run: Run) -> list[RowSummary]:
    """Return one summary for every row of `run`, group by group in the order in which reports show them.

    Groups are ordered by test, then as the run lists its datasets. In a group the rows with net
    figures come first, by net time; then those with raw figures only, then contenders without any,
    with the rows that have no rank by their role (baseline, floor) after the measured contenders.
    A row that failed while it was measured has no figures, whatever its samples.
    """
    summaries: list[RowSummary] = []
    for rows, figures, baselines in _measured_groups(run):
        ranked = ranks(
            {row.id: figures[row.id].by_launch for row in rows if row.role == "contender"},
            run.settings.threshold,
        )
        summaries += sorted(
            (
                _summary(run, row, figures[row.id], figures.get(baselines.get(family_of(row), -1)), ranked)
                for row in rows
            ),
            key=_order,
        )
    return summaries


def _groups(run: Run) -> list[Group]:
    tests = {test: n for n, test in enumerate(TESTS)}
    datasets = {dataset.name: n for n, dataset in enumerate(run.datasets)}
    return sorted(
        {group_of(row) for row in run.rows},
        key=lambda g: (tests.get(g[0], len(tests)), g[0], datasets.get(g[1], len(datasets)), g),  # type: ignore[call-overload]
    )


def _figures(raw: dict[int, float], samples: list[Sample]) -> _Figures:
    if not raw:
        return _Figures(RowFigures({}, {}))
    return _Figures(RowFigures(raw, {}), typical(samples), short_runs(samples))


def _interval(interval: Interval | None) -> tuple[float | None, float | None, float | None]:
    if interval is None:
        return (None, None, None)
    if not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return (interval.value, None, None)
    return (interval.value, interval.low, interval.high)


def _labels(row: RowRecord) -> list[str]:
    labels = list(row.labels)
    stated = any(label.startswith("changes doubles") for label in labels)
    if row.doubles is not None and row.doubles.changed > 0 and not stated:
        labels.append(f"changes doubles, by up to {row.doubles.max_relative:.1e} (relative)")
    return labels


def _outcome(run: Run, row: RowRecord, measured: bool) -> tuple[Status, str, str]:
    """Return status, reason and last error output."""
    failure = next((f for f in run.failures if f.row == row.id), None)
    if row.status == "ok" and failure is not None:
        return "failed", failure.reason, failure.output
    if row.status == "ok" and not measured and not row.platform:
        stop = stop_of(run, group_of(row))
        return "ok", "not measured" + (f": {stop.reason}" if stop else ""), ""
    return row.status, row.reason, row.output


def _messages(run: Run, row: RowRecord) -> int:
    """Return how many messages an iteration of `row` handles; 1 where nothing is said."""
    return next((dataset.messages for dataset in run.datasets if dataset.name == row.dataset), 1)


def _share(number: float | None, messages: int) -> float | None:
    """Return what one of `messages` has of `number`; a whole number stays one for a single message."""
    return number if number is None or messages == 1 else number / messages


def _summary(
    run: Run, row: RowRecord, figures: _Figures, baseline: _Figures | None, ranked: dict[int, int | None]
) -> RowSummary:
    messages = _messages(run, row)
    figures = figures.shared(messages)
    baseline = baseline.shared(messages) if baseline else None
    raw, net = figures.by_launch
    is_baseline = row.role == "baseline"
    raw_interval = time_interval(raw.values()) if raw else None
    net_interval = time_interval(net.values()) if net else None
    over = ratio_interval(raw, baseline.by_launch.raw) if baseline and not is_baseline else None
    short_net = None
    if figures.short and baseline and baseline.short and not is_baseline:
        short_net = subtract(figures.short, baseline.short)
    status, reason, output = _outcome(run, row, bool(raw))
    raw_ns, raw_low, raw_high = _interval(raw_interval)
    net_ns, net_low, net_high = _interval(net_interval)
    overhead, overhead_low, overhead_high = _interval(over)
    return RowSummary(
        run=run.id,
        id=row.id,
        row=row.row,
        contender=row.contender,
        contender_id=row.contender_id,
        language=row.language,
        language_name=row.language_name or row.language,
        library_version=row.library_version,
        format=row.format,
        format_name=row.format_name or row.format,
        test=row.test,
        variant=row.variant,
        dataset=row.dataset,
        profile=row.profile,
        role=row.role,
        status=status,
        reason=reason,
        output=output,
        rank=ranked.get(row.id),
        net_ns=net_ns,
        net_low_ns=net_low,
        net_high_ns=net_high,
        raw_ns=raw_ns,
        raw_low_ns=raw_low,
        raw_high_ns=raw_high,
        typical_ns=figures.typical,
        overhead=overhead,
        overhead_low=overhead_low,
        overhead_high=overhead_high,
        bytes=_share(row.bytes, messages),
        hash=row.hash,
        labels=_labels(row),
        launches=len(raw),
        few_samples=status == "ok" and not row.platform and len(raw) < run.settings.launches,
        at_floor=at_floor(figures.by_launch),
        short_runs_ns=figures.short.mean if figures.short else None,
        short_runs_deviation_ns=figures.short.deviation if figures.short else None,
        short_runs_net_ns=short_net.mean if short_net else None,
        short_runs_net_deviation_ns=short_net.deviation if short_net else None,
        heap_allocations=_share(row.heap.allocations, messages) if row.heap else None,
        heap_bytes=_share(row.heap.bytes, messages) if row.heap else None,
        heap_peak=row.heap.peak if row.heap else None,
        origin=row.origin,
        compiler=row.compiler,
        flags=row.flags,
        api=row.api,
        verified_by=row.verified_by,
        toolchain=row.toolchain,
        allocator=row.allocator,
        code_size=row.code_size if row.code_size_kind == "linked" else None,
        code_size_reason=row.code_size_reason,
        instructions=_share(row.instructions, messages),
        instructions_reason=row.instructions_reason,
        messages=messages,
        bundle_size=row.code_size if row.code_size_kind == "bundle" else None,
        platform=row.platform,
    )


def _order(row: RowSummary) -> tuple[int, float, float, int]:
    """Return the sort key of a row in its group: what is missing never sorts as fast."""
    if row.measured:
        place = 0 if row.role == "contender" else 1
    else:
        place = 2 + ("ok", "failed", "unsupported", "unavailable").index(row.status)
    net = math.inf if row.net_ns is None else row.net_ns
    return (place, net, row.raw_ns or 0.0, row.id)
