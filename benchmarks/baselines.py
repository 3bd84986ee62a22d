"""Does a row take less than what its harness does? None can, unless more is subtracted than the harness does.

    PYTHONPATH=src .venv/bin/python -m benchmarks.baselines LANGUAGE [DATASETS]

Proves all rows of a language on the datasets, then samples each once, after a short warm-up: that is coarse,
but a row far from its harness's own time needs no more. Prints how many rows there were, and those that come
nearest, as multiples of what the harness does. A row nearer than NEAR must be measured by
`serbench run`, which gives an interval. Ends with 1 if there is one.
"""

import math
import os
import random
import sys
from collections.abc import Iterator, Sequence

import msgspec

from serbench.catalog.load import load_catalog
from serbench.catalog.selection import select_rows, split
from serbench.catalog.tests import KINDS
from serbench.datasets.spec import parse_spec
from serbench.files import scratch
from serbench.measure.calibration import Calibration, Conditions, MeasurementTask
from serbench.measure.plan import Group
from serbench.measure.records import Failure, Overhead, Sample
from serbench.measure.schedule import blocks
from serbench.measure.turns import Launch, wall_clock
from serbench.project import CACHE, ROOT
from serbench.run.inputs import open_context, worker_limits
from serbench.run.proving import prove
from serbench.run.tasks import groups_of
from serbench.verify.proof_cache import ProofCache
from serbench.worker.bounds import free_memory

DATASETS = "generated:2,generated:4,corpus:twitter,corpus:citm_catalog,corpus:canada"
NEAR, SHOWN = 1.5, 5
WARMUP_SECONDS, SAMPLING_SECONDS = 0.2, 0.1
"""For each row. This is enough to see a multiple of two, and too little for a figure."""
LIMITS = worker_limits(60.0)


def _shorter(row: MeasurementTask) -> MeasurementTask:
    warmup = min(row.warmup_seconds, WARMUP_SECONDS)
    return msgspec.structs.replace(row, warmup_seconds=warmup, most_warmup_seconds=WARMUP_SECONDS)


def _sampled(group: Group, names: dict[int, str], cpu: int) -> dict[int, float]:
    """The shortest chunk of each row of a group, as a multiple of what its harness does."""
    found: dict[int, float] = {}
    own: dict[int, float] = {}

    def emit(record: Sample | Overhead | Failure) -> None:
        if isinstance(record, Failure):
            print(f"    {names[record.row]} on {group.dataset}: {record.reason}")
            return
        of = own if isinstance(record, Overhead) else found
        of[record.row] = min(of.get(record.row, math.inf), min(record.wall) / record.iterations)

    conditions = Conditions(
        limits=LIMITS, cpu=cpu, fragment=True, chunk_ns=1_000_000, clock=wall_clock(), deadline=math.inf
    )
    order = random.Random(1)
    for block in blocks([_shorter(row) for row in group.rows], free_memory() // 3, order):
        Launch(0, block, Calibration(), conditions, order, emit).run(SAMPLING_SECONDS * len(block))
    return {row: ns / own[row] for row, ns in found.items() if row in own}


def multiples(language: str, datasets: Sequence[str], cpu: int) -> Iterator[tuple[float, str]]:
    """Each row's time as a multiple of what its harness does, and its name."""
    catalog = load_catalog(ROOT)
    rows = select_rows(catalog, list(KINDS), [language])
    context = open_context(catalog)
    with scratch() as folder:
        specs = [parse_spec(name) for name in datasets]
        proven = prove(
            context, rows, context.datasets(specs), folder, LIMITS, proofs=ProofCache(CACHE / "proofs")
        )
        for item in proven:
            names = {record.id: record.row for record, _, _ in item.rows}
            passed = sum(record.status == "ok" and record.role == "contender" for record, _, _ in item.rows)
            print(f"{item.record.name}: {passed} rows passed the gate", flush=True)
            for group in groups_of(catalog, [item]):
                found = _sampled(group, names, cpu)
                for row in group.rows:
                    if row.role == "contender" and row.id in found:
                        yield found[row.id], f"{names[row.id]} on {group.dataset}"


def main() -> int:
    """Print the rows nearest to their harness's own time; 1 if one is nearer than NEAR."""
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    language, *named = sys.argv[1:]
    found = sorted(multiples(language, split(named or [DATASETS]), max(os.sched_getaffinity(0))))
    near = [multiple for multiple, _ in found if multiple < NEAR]
    print(f"{language}: {len(found)} rows, {len(near)} of them nearer than {NEAR}")
    for multiple, name in found[: max(SHOWN, len(near))]:
        print(f"    {multiple:.2f} {name}")
    return 1 if near else 0


if __name__ == "__main__":
    sys.exit(main())
