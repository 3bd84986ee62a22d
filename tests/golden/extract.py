"""The figures of a run under fixed names, so that the records can change and the kept files need not."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from serbench.catalog.tests import ROUNDTRIP
from serbench.results.analysis import RowSummary, analyse, figures_of
from serbench.results.counts import Count, counts_of
from serbench.results.schema import Run

Figures = dict[str, Any]


def _inverse(share: float | None) -> float | None:
    return None if share is None else 1 / share


OF_ROWS: dict[str, Callable[[RowSummary], Any]] = {
    "status": lambda row: row.result.status,
    "hash": lambda row: row.record.hash,
    "labels": lambda row: row.result.labels,
    "launches": lambda row: row.result.launches,
    "messages": lambda row: row.result.messages,
    "rank": lambda row: row.result.rank,
    "raw": lambda row: row.result.raw_ns,
    "raw low": lambda row: row.result.raw_low_ns,
    "raw high": lambda row: row.result.raw_high_ns,
    "net": lambda row: row.result.net_ns,
    "net low": lambda row: row.result.net_low_ns,
    "net high": lambda row: row.result.net_high_ns,
    "below resolution": lambda row: row.result.at_floor,
    "too few samples": lambda row: row.result.few_samples,
    "typical": lambda row: row.result.typical_ns,
    # Which then was a multiple of what is subtracted.
    "overhead": lambda row: _inverse(row.result.harness_share),
    "overhead low": lambda row: _inverse(row.result.harness_share_high),
    "overhead high": lambda row: _inverse(row.result.harness_share_low),
    "short runs": lambda row: row.result.short_runs_ns,
    "short runs deviation": lambda row: row.result.short_runs_deviation_ns,
    "short runs net": lambda row: row.result.short_runs_net_ns,
    "short runs net deviation": lambda row: row.result.short_runs_net_deviation_ns,
    "bytes": lambda row: row.result.bytes,
    "allocations": lambda row: row.result.heap_allocations,
    "heap bytes": lambda row: row.result.heap_bytes,
    "heap peak": lambda row: row.result.heap_peak,
    "code size": lambda row: row.result.code_size,
    "bundle size": lambda row: row.result.bundle_size,
    "instructions": lambda row: row.result.instructions,
}
OF_COUNTS: dict[str, Callable[[Count], Any]] = {
    "status": lambda count: count.status,
    "content hash": lambda count: count.content_hash,
    "exact hash": lambda count: count.exact_hash,
    "labels": lambda count: count.labels,
    "input bytes": lambda count: count.input_bytes,
    "bytes": lambda count: count.bytes,
    "flash": lambda count: count.flash,
    "deserialize first": lambda count: count.deserialize_first,
    "deserialize": lambda count: count.deserialize,
    "deserialize stack": lambda count: count.deserialize_stack,
    "deserialize memory": lambda count: count.deserialize_memory,
    "serialize first": lambda count: count.serialize_first,
    "serialize": lambda count: count.serialize,
    "serialize stack": lambda count: count.serialize_stack,
    "serialize memory": lambda count: count.serialize_memory,
}


def figures(run: Run) -> Figures:
    """Return every figure of `run` by what it is a figure of."""
    found: Figures = {}
    for key, of_one in (*_of_rows(run), *_of_counts(run), *_of_probes(run)):
        assert key not in found, key
        found[key] = {name: value for name, value in of_one.items() if value is not None}
    return found


def _of_rows(run: Run) -> Iterator[tuple[str, Figures]]:
    rows = [row for row in analyse(run) if row.record.test != ROUNDTRIP]
    by_launch = figures_of(rows)
    for row in rows:
        key = "|".join(
            [
                row.record.row,
                row.record.dataset,
                row.record.profile,
                row.record.toolchain,
                row.record.allocator,
                row.record.platform,
            ]
        )
        raw, net = by_launch[row.result.id]
        launches = {
            f"{kind} of launch {launch}": ns
            for kind, part in (("raw", raw), ("net", net))
            for launch, ns in part.items()
        }
        yield key, {name: get(row) for name, get in OF_ROWS.items()} | launches


def _of_counts(run: Run) -> Iterator[tuple[str, Figures]]:
    for count in counts_of(run):
        key = "|".join([count.contender_id, count.format, count.document, count.platform])
        yield key, {name: get(count) for name, get in OF_COUNTS.items()}


def _of_probes(run: Run) -> Iterator[tuple[str, Figures]]:
    for fidelity in run.fidelity:
        key = "|".join(["fidelity", fidelity.contender_id, fidelity.format, fidelity.variant])
        yield key, msgspec.to_builtins(fidelity)
    for payload in run.payloads:
        key = "|".join(["limit", payload.contender_id, payload.format, payload.direction])
        yield key, msgspec.to_builtins(payload)
