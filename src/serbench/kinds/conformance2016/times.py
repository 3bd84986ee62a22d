"""The times of a run by the 2016 suite's own rules, from our samples.

Its statistic is that of `short_runs`. What it subtracted was the time of a block of a fixed size, larger
than any encoding; the harness measures the same as the variant `published` of its baselines.
"""

from collections.abc import Sequence

import msgspec

from serbench.measure.short_runs import Spread, divide, subtract
from serbench.results.analysis import RowSummary
from serbench.results.schema import RowRecord

FIXED = "published"
"""The variant of a baseline that handles the suite's fixed block."""


class Times(msgspec.Struct, frozen=True, kw_only=True):
    """One row's times in ns per iteration, each with its n - 1 deviation."""

    raw: Spread
    baseline: Spread | None
    net: Spread
    """The raw time where there is no baseline."""
    overhead: Spread | None
    """Raw over baseline."""
    fixed: bool
    """Whether the baseline is that of the fixed block."""


def short_spread(row: RowSummary) -> Spread | None:
    """Return the suite's statistic of a row's raw time; None for a row with too few samples."""
    if row.result.short_runs_ns is None or row.result.short_runs_deviation_ns is None:
        return None
    return Spread(row.result.short_runs_ns, row.result.short_runs_deviation_ns)


def whole_spread(row: RowSummary) -> Spread | None:
    """Return the suite's statistic of a row's raw time, or on an emulated platform its instructions."""
    if row.record.platform:
        return None if row.result.instructions is None else Spread(row.result.instructions, 0.0)
    return short_spread(row)


def published_times(summaries: Sequence[RowSummary]) -> dict[int, Times]:
    """Return the times of all measured contenders of `run`, by row id; on a platform their instructions."""
    baselines: dict[tuple[str, ...], Spread] = {}
    for row in summaries:
        spread = whole_spread(row)
        if row.record.role == "baseline" and spread is not None:
            baselines[(*_family(row.record), row.record.test, row.record.variant)] = spread
    found: dict[int, Times] = {}
    for row in summaries:
        raw = whole_spread(row)
        if row.record.role == "contender" and raw is not None:
            baseline, fixed = _baseline(baselines, row.record)
            found[row.result.id] = Times(
                raw=raw,
                baseline=baseline,
                net=subtract(raw, baseline) if baseline else raw,
                overhead=divide(raw, baseline) if baseline else None,
                fixed=fixed,
            )
    return found


def _family(record: RowRecord) -> tuple[str, ...]:
    """Return what a row shares with its baseline, whatever the test."""
    return (
        record.harness,
        record.toolchain,
        record.allocator,
        record.cpu,
        record.dataset,
        record.profile,
        record.platform,
    )


def _baseline(baselines: dict[tuple[str, ...], Spread], record: RowRecord) -> tuple[Spread | None, bool]:
    # The suite had one baseline for both kinds of readers.
    kind = "write" if record.test == "write" else "tree"
    fixed = baselines.get((*_family(record), kind, FIXED))
    if fixed is not None:
        return fixed, True
    return baselines.get((*_family(record), record.test, "")), False
