"""The rows that passed the gate, as what is to be measured."""

from collections.abc import Sequence

from serbench.catalog.records import Catalog
from serbench.measure.calibration import START_SECONDS, MeasurementTask
from serbench.measure.plan import Group
from serbench.results.schema import RowRecord
from serbench.run.context import BuildResult
from serbench.run.proving import VerifiedDataset
from serbench.verify.records import Verdict

MOST_WARMUP = 10
"""This many times the usual seconds are enough, however few iterations: these pass over many values."""
MEMORY_MARGIN = 32 * 1024 * 1024


def measured(
    catalog: Catalog, proven: VerifiedDataset, record: RowRecord, ready: BuildResult, verdict: Verdict
) -> MeasurementTask:
    """A row that passed the gate, as the sampler needs it."""
    assert ready.built is not None
    harness = catalog.harnesses[record.harness]
    data = proven.dataset.of(ready.row)
    return MeasurementTask(
        id=record.id,
        command=tuple(ready.built.command),
        tape=data.tape,
        paths=data.paths,
        input=verdict.input,
        padding=ready.row.contender.manifest.padding,
        expected=verdict.hash if ready.row.kind.writes else verdict.exact_hash,
        memory=verdict.max_rss + MEMORY_MARGIN,
        start_seconds=max(START_SECONDS, verdict.start_seconds),
        iteration_seconds=verdict.iteration_seconds,
        data_bytes=sum(file.stat().st_size for file in (data.tape, verdict.input) if file),
        role=record.role,
        statistic=record.statistic,
        harness=record.harness,
        warmup_seconds=harness.warmup_seconds,
        warmup_calls=harness.warmup_calls,
        most_warmup_seconds=MOST_WARMUP * harness.warmup_seconds,
        chunk_ns=round(harness.chunk_ms * 1e6),
        heap_command=tuple(ready.built.heap_command),
        messages=proven.dataset.framed,
        words=verdict.words,
        preload=ready.preload,
        anchor=record.contender_id == harness.reference and not record.variant,
    )


def groups_of(catalog: Catalog, proven: Sequence[VerifiedDataset]) -> list[Group]:
    """The rows that passed the gate, by test, dataset and profile; groups need a contender."""
    groups: dict[tuple[str, str, str], Group] = {}
    for item in proven:
        for record, ready, verdict in item.rows:
            if record.status != "ok":
                continue
            key = (record.test, record.dataset, record.profile)
            group = groups.setdefault(
                key, Group(test=record.test, dataset=record.dataset, profile=record.profile, rows=[])
            )
            group.rows.append(measured(catalog, item, record, ready, verdict))
    return [group for group in groups.values() if any(row.role == "contender" for row in group.rows)]
