"""The figures of a run under fixed names, so that the records can change and the kept files need not."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from serbench.results.analysis import RowSummary, analyse, row_figures
from serbench.results.counts import Count, counts_of
from serbench.results.schema import Run

Figures = dict[str, Any]

OF_ROWS: dict[str, Callable[[RowSummary], Any]] = {
    "status": lambda row: row.status,
    "hash": lambda row: row.hash,
    "labels": lambda row: row.labels,
    "launches": lambda row: row.launches,
    "messages": lambda row: row.messages,
    "rank": lambda row: row.rank,
    "raw": lambda row: row.raw_ns,
    "raw low": lambda row: row.raw_low_ns,
    "raw high": lambda row: row.raw_high_ns,
    "net": lambda row: row.net_ns,
    "net low": lambda row: row.net_low_ns,
    "net high": lambda row: row.net_high_ns,
    "below resolution": lambda row: row.at_floor,
    "too few samples": lambda row: row.few_samples,
    "typical": lambda row: row.typical_ns,
    "overhead": lambda row: row.overhead,
    "overhead low": lambda row: row.overhead_low,
    "overhead high": lambda row: row.overhead_high,
    "short runs": lambda row: row.short_runs_ns,
    "short runs deviation": lambda row: row.short_runs_deviation_ns,
    "short runs net": lambda row: row.short_runs_net_ns,
    "short runs net deviation": lambda row: row.short_runs_net_deviation_ns,
    "bytes": lambda row: row.bytes,
    "allocations": lambda row: row.heap_allocations,
    "heap bytes": lambda row: row.heap_bytes,
    "heap peak": lambda row: row.heap_peak,
    "code size": lambda row: row.code_size,
    "bundle size": lambda row: row.bundle_size,
    "instructions": lambda row: row.instructions,
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
    by_launch = row_figures(run)
    for row in analyse(run):
        key = "|".join([row.row, row.dataset, row.profile, row.toolchain, row.allocator, row.platform])
        raw, net = by_launch[row.id]
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
